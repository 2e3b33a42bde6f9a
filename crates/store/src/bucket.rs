//! Buckets: short rows under hashed keys, many in one row of sled.
//!
//! sled keeps some eighty bytes in memory for each of its rows and rewrites a leaf of sixteen rows for a few new ones; of rows whose keys are
//! hashes each comes into another leaf. So rows of [`BUCKETED`] kinds that agree in the first 16 bits of the hash share a row of sled, their
//! bucket. There are at most 2¹⁶ of a kind, however many pages there are.
//!
//! ```text
//! key of a bucket = kind, first two bytes of the hash
//! bucket          = entry*                                  in the order of the keys
//! entry           = rest:u8 value:u16 rest value            lengths (little-endian), then the key's other bytes and the row
//! ```

use std::collections::BTreeMap;

/// Kinds of rows that are kept in buckets: the byte after the kind is the first one of a hash.
const BUCKETED: &[u8] = b"pcdwh";

/// Length of a bucket's key.
const BUCKET_KEY_BYTES: usize = 3;

/// Length of a bucket. Rows for which it has no room are rows of sled: a bucket is written whole with each change, and a URL may have any number
/// of captures, a content any number of URLs. Ten million pages fit in.
const BUCKET_BYTES_MAX: usize = 8 << 10;

/// Length of an entry's head.
const HEAD_BYTES: usize = 3;

/// What is wrong with a bucket.
const MALFORMED: &str = "a bucket of rows is malformed";

/// The key of the row's bucket and what of the row's key is not in it; `None` for rows that are rows of sled themselves.
pub(super) fn place(key: &[u8]) -> Option<(&[u8], &[u8])> {
    let bucketed = key.first().is_some_and(|kind| BUCKETED.contains(kind));
    if bucketed { key.split_at_checked(BUCKET_KEY_BYTES).filter(|(_, rest)| !rest.is_empty()) } else { None }
}

/// Whether a row of sled is a bucket.
pub(super) fn is_bucket(key: &[u8]) -> bool {
    key.len() == BUCKET_KEY_BYTES && BUCKETED.contains(&key[0])
}

/// The entries of `bucket`, in order: the rest of each key, and the row. Ends after an error.
pub(super) fn entries(bucket: &[u8]) -> Entries<'_> {
    Entries(bucket)
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
fn first_entry(bucket: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let (&[rest, low, high], entry) = bucket.split_first_chunk::<HEAD_BYTES>()?;
    let (rest, entry) = entry.split_at_checked(rest.into())?;
    let (row, others) = entry.split_at_checked(u16::from_le_bytes([low, high]).into())?;
    Some((rest, row, others))
}

/// The row of `bucket` with that rest of its key.
pub(super) fn find<'a>(bucket: &'a [u8], rest: &[u8]) -> Result<Option<&'a [u8]>, &'static str> {
    for entry in entries(bucket) {
        let (other, row) = entry?;
        if other >= rest {
            return Ok((other == rest).then_some(row));
        }
    }
    Ok(None)
}

/// A rest of a key, and the row or `None` where it is removed.
pub(super) type Change<'a> = (&'a [u8], Option<&'a [u8]>);

/// A bucket that is being changed.
pub(super) struct Bucket<'a> {
    rows: BTreeMap<&'a [u8], &'a [u8]>,
    bytes: usize,
}

impl<'a> Bucket<'a> {
    pub(super) fn new(bucket: &'a [u8]) -> Result<Self, &'static str> {
        Ok(Self { rows: entries(bucket).collect::<Result<_, _>>()?, bytes: bucket.len() })
    }

    /// Whether it has the row with that rest of its key.
    pub(super) fn holds(&self, rest: &[u8]) -> bool {
        self.rows.contains_key(rest)
    }

    /// Puts a row in, in place of a former one, or takes it out. `false`, and the former one is out, where there is no room for it.
    pub(super) fn change(&mut self, rest: &'a [u8], row: Option<&'a [u8]>) -> bool {
        if let Some(former) = self.rows.remove(rest) {
            self.bytes -= HEAD_BYTES + rest.len() + former.len();
        }
        let Some(row) = row else { return true };
        let bytes = self.bytes + HEAD_BYTES + rest.len() + row.len();
        let fits = bytes <= BUCKET_BYTES_MAX && u8::try_from(rest.len()).is_ok();
        if fits {
            self.bytes = bytes;
            self.rows.insert(rest, row);
        }
        fits
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.bytes);
        for (rest, row) in self.rows {
            bytes.push(rest.len() as u8);
            bytes.extend_from_slice(&(row.len() as u16).to_le_bytes());
            bytes.extend_from_slice(rest);
            bytes.extend_from_slice(row);
        }
        debug_assert_eq!(bytes.len(), self.bytes);
        bytes
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    type Model = BTreeMap<Vec<u8>, Vec<u8>>;

    fn bucket_of(rows: &[(&[u8], &[u8])]) -> Vec<u8> {
        let mut bucket = Bucket::new(&[]).unwrap();
        assert!(rows.iter().all(|(rest, row)| bucket.change(rest, Some(row))));
        bucket.into_bytes()
    }

    #[test]
    fn only_rows_under_hashes_are_in_buckets() {
        assert_eq!(place(b"p1234"), Some((&b"p12"[..], &b"34"[..])));
        for own in [&b"p12"[..], b"p", b"", b"m", b"a123456"] {
            assert_eq!(place(own), None);
        }
    }

    #[test]
    fn a_cut_bucket_is_an_error() {
        let bucket = bucket_of(&[(b"oak", b"tree"), (b"elm", b"tree")]);
        for length in (1..bucket.len()).filter(|length| *length != bucket.len() / 2) {
            assert!(entries(&bucket[..length]).any(|entry| entry == Err(MALFORMED)), "{length}");
            assert!(Bucket::new(&bucket[..length]).is_err());
        }
    }

    #[test]
    fn a_bucket_has_an_end() {
        let row = [7; BUCKET_BYTES_MAX / 2];
        let mut bucket = Bucket::new(&[]).unwrap();
        assert!(
            bucket.change(b"a", Some(&row)) && !bucket.change(b"b", Some(&row)) && bucket.change(b"c", Some(&[1; 100]))
        );
        assert!(bucket.change(b"a", Some(&[2])) && bucket.change(b"b", Some(&row)));
        assert!(!bucket.change(b"c", Some(&row)) && !bucket.holds(b"c"), "a row that grew too long is out");
        assert_eq!(entries(&bucket.into_bytes()).count(), 2);
    }

    proptest! {
        #[test]
        fn a_bucket_is_a_map(
            batches in proptest::collection::vec(
                proptest::collection::btree_map("[a-d]{1,3}", proptest::option::of("[a-z]{0,5}"), 0..6), 0..6
            ),
            absent in "[a-d]{1,3}",
        ) {
            let (mut bytes, mut model) = (Vec::new(), Model::new());
            for batch in &batches {
                let mut bucket = Bucket::new(&bytes).unwrap();
                for (rest, row) in batch {
                    prop_assert!(bucket.change(rest.as_bytes(), row.as_ref().map(String::as_bytes)));
                    match row {
                        Some(row) => drop(model.insert(rest.clone().into(), row.clone().into())),
                        None => drop(model.remove(rest.as_bytes())),
                    }
                }
                bytes = bucket.into_bytes();
            }
            let read: Model = entries(&bytes).map(|entry| entry.map(|(rest, row)| (rest.into(), row.into())).unwrap()).collect();
            prop_assert_eq!(&read, &model);
            prop_assert!(entries(&bytes).is_sorted_by_key(|entry| entry.unwrap().0));
            for rest in model.keys().map(Vec::as_slice).chain([absent.as_bytes()]) {
                prop_assert_eq!(find(&bytes, rest).unwrap(), model.get(rest).map(Vec::as_slice));
            }
        }
    }
}
