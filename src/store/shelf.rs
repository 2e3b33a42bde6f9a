//! Shelves: short rows under hashed keys, many in one row of sled.
//!
//! sled keeps some eighty bytes in memory for each of its rows and rewrites a leaf of sixteen rows for a few new ones; of rows whose keys are
//! hashes each comes into another leaf. So rows of [`SHELVED`] kinds that agree in the first 16 bits of the hash share a row of sled, their
//! shelf. There are at most 2¹⁶ of a kind, however many pages there are.
//!
//! ```text
//! key of a shelf = kind, first two bytes of the hash
//! shelf          = entry*                                  in the order of the keys
//! entry          = rest:u8 value:u16 rest value            lengths (little-endian), then the key's other bytes and the row
//! ```

use std::collections::BTreeMap;

/// Kinds of rows that are kept in shelves: the byte after the kind is the first one of a hash.
const SHELVED: &[u8] = b"pcdwh";

/// Length of a shelf's key.
const SHELF_KEY_BYTES: usize = 3;

/// Length of an entry's head.
const HEAD_BYTES: usize = 3;

/// What is wrong with a shelf.
const MALFORMED: &str = "a shelf of rows is malformed";

/// The key of the row's shelf and what of the row's key is not in it; `None` for rows that are rows of sled themselves.
pub(super) fn place(key: &[u8]) -> Option<(&[u8], &[u8])> {
    let shelved = key.first().is_some_and(|kind| SHELVED.contains(kind));
    if shelved { key.split_at_checked(SHELF_KEY_BYTES).filter(|(_, rest)| !rest.is_empty()) } else { None }
}

/// Whether a row of sled is a shelf.
pub(super) fn is_shelf(key: &[u8]) -> bool {
    key.len() == SHELF_KEY_BYTES && SHELVED.contains(&key[0])
}

/// The entries of `shelf`, in order: the rest of each key, and the row. Ends after an error.
pub(super) fn entries(shelf: &[u8]) -> Entries<'_> {
    Entries(shelf)
}

pub(super) struct Entries<'a>(&'a [u8]);

impl<'a> Iterator for Entries<'a> {
    type Item = Result<(&'a [u8], &'a [u8]), &'static str>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let entry = first_entry(self.0);
        self.0 = entry.map_or(&[], |(_, _, others)| others);
        Some(entry.map(|(rest, row, _)| (rest, row)).ok_or(MALFORMED))
    }
}

/// Rest of the key and row of the first entry, and the other entries.
fn first_entry(shelf: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let (&[rest, low, high], entry) = shelf.split_first_chunk::<HEAD_BYTES>()?;
    let (rest, entry) = entry.split_at_checked(rest.into())?;
    let (row, others) = entry.split_at_checked(u16::from_le_bytes([low, high]).into())?;
    Some((rest, row, others))
}

/// The row of `shelf` with that rest of its key.
pub(super) fn find<'a>(shelf: &'a [u8], rest: &[u8]) -> Result<Option<&'a [u8]>, &'static str> {
    for entry in entries(shelf) {
        let (other, row) = entry?;
        if other >= rest {
            return Ok((other == rest).then_some(row));
        }
    }
    Ok(None)
}

/// A rest of a key, and the row or `None` where it is removed.
pub(super) type Change<'a> = (&'a [u8], Option<&'a [u8]>);

/// `shelf` with the changes.
pub(super) fn changed<'a>(
    shelf: &'a [u8],
    changes: impl IntoIterator<Item = Change<'a>>,
) -> Result<Vec<u8>, &'static str> {
    let mut rows = entries(shelf).collect::<Result<BTreeMap<_, _>, _>>()?;
    for (rest, row) in changes {
        match row {
            Some(row) => rows.insert(rest, row),
            None => rows.remove(rest),
        };
    }
    let mut bytes = Vec::with_capacity(rows.iter().map(|(rest, row)| HEAD_BYTES + rest.len() + row.len()).sum());
    for (rest, row) in rows {
        let (Ok(rest_bytes), Ok(row_bytes)) = (u8::try_from(rest.len()), u16::try_from(row.len())) else {
            return Err("a row is too long for a shelf");
        };
        bytes.push(rest_bytes);
        bytes.extend_from_slice(&row_bytes.to_le_bytes());
        bytes.extend_from_slice(rest);
        bytes.extend_from_slice(row);
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    type Model = BTreeMap<Vec<u8>, Vec<u8>>;

    #[test]
    fn only_rows_under_hashes_are_shelved() {
        assert_eq!(place(b"p1234"), Some((&b"p12"[..], &b"34"[..])));
        for own in [&b"p12"[..], b"p", b"", b"m", b"a123456"] {
            assert_eq!(place(own), None);
        }
    }

    #[test]
    fn a_cut_shelf_is_an_error() {
        let shelf = changed(&[], [(&b"oak"[..], Some(&b"tree"[..])), (b"elm", Some(b"tree"))]).unwrap();
        for length in (1..shelf.len()).filter(|length| *length != shelf.len() / 2) {
            assert!(entries(&shelf[..length]).any(|entry| entry == Err(MALFORMED)), "{length}");
            assert!(changed(&shelf[..length], []).is_err());
        }
        assert!(changed(&[], [(&b"oak"[..], Some(&vec![0; 1 << 16][..]))]).is_err());
    }

    proptest! {
        #[test]
        fn a_shelf_is_a_map(
            batches in proptest::collection::vec(
                proptest::collection::btree_map("[a-d]{1,3}", proptest::option::of("[a-z]{0,5}"), 0..6), 0..6
            ),
            absent in "[a-d]{1,3}",
        ) {
            let (mut shelf, mut model) = (Vec::new(), Model::new());
            for batch in &batches {
                let changes = batch.iter().map(|(rest, row)| (rest.as_bytes(), row.as_ref().map(String::as_bytes)));
                shelf = changed(&shelf.clone(), changes).unwrap();
                for (rest, row) in batch {
                    match row {
                        Some(row) => drop(model.insert(rest.clone().into(), row.clone().into())),
                        None => drop(model.remove(rest.as_bytes())),
                    }
                }
            }
            let read: Model = entries(&shelf).map(|entry| entry.map(|(rest, row)| (rest.into(), row.into())).unwrap()).collect();
            prop_assert_eq!(&read, &model);
            prop_assert!(entries(&shelf).is_sorted_by_key(|entry| entry.unwrap().0));
            for rest in model.keys().map(Vec::as_slice).chain([absent.as_bytes()]) {
                prop_assert_eq!(find(&shelf, rest).unwrap(), model.get(rest).map(Vec::as_slice));
            }
        }
    }
}
