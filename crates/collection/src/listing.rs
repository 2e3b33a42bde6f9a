//! The archives of a collection as they are listed: pages that were posted one by one are together one of them, though each has an entry of its
//! own in the ledger.

use std::path::Path;

use lopper_store::{ArchiveEntry, RecordEntry, RecordSums, StateKind, Store, StoreError};

/// What stands in place of an archive's path for pages that were posted.
pub const POSTED: &str = "POST /v1/pages";

/// The id of all posted pages together. No archive has it.
pub const POSTED_ID: u128 = 0;

/// Digits of an id.
const ID_DIGITS: usize = 32;

/// The id of an archive as it is listed, 32 hexadecimal digits.
pub fn archive_id(text: &str) -> Option<u128> {
    let is_id = text.len() == ID_DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    u128::from_str_radix(text, 16).ok().filter(|_| is_id)
}

/// Whether the entry is of a posted page.
fn is_posted(entry: &ArchiveEntry) -> bool {
    entry.key.path == Path::new(POSTED)
}

/// The archives of the ledger, posted pages as one of them.
///
/// # Errors
///
/// [`StoreError::Damaged`], [`StoreError::Io`].
pub fn listed_archives(store: &Store) -> Result<Vec<ArchiveEntry>, StoreError> {
    let (posted, mut archives): (Vec<_>, Vec<_>) =
        store.archives().collect::<Result<Vec<_>, _>>()?.into_iter().partition(is_posted);
    archives.extend(together(posted));
    Ok(archives)
}

fn together(posted: Vec<ArchiveEntry>) -> Option<ArchiveEntry> {
    let mut sums = RecordSums::default();
    for entry in &posted {
        sums.add(&entry.sums);
    }
    let mut all = posted.into_iter().next()?;
    (all.key.id, all.sums) = (POSTED_ID, sums);
    Some(all)
}

/// The entries in the ledger of an archive that is listed: of posted pages each one's, else one; none where there is no such archive.
///
/// # Errors
///
/// [`StoreError::Damaged`], [`StoreError::Io`].
pub fn entries_of(store: &Store, listed: u128) -> Result<Vec<ArchiveEntry>, StoreError> {
    if listed == POSTED_ID {
        return store.archives().filter(|entry| entry.as_ref().map_or(true, is_posted)).collect();
    }
    Ok(store.archive(listed)?.into_iter().collect())
}

/// The records of these entries one after another, with `wanted` only those in that state, from the one behind `passed` others on. Entries
/// before that one are not read. Ends after an error.
pub fn records_from<'a>(
    store: &'a Store,
    entries: &'a [ArchiveEntry],
    wanted: Option<StateKind>,
    passed: u64,
) -> impl Iterator<Item = Result<(&'a ArchiveEntry, RecordEntry), StoreError>> + 'a {
    let has = move |entry: &ArchiveEntry| wanted.map_or_else(|| entry.sums.records(), |kind| entry.sums.in_state(kind));
    let mut passed = passed;
    entries.iter().flat_map(move |entry| {
        let here = passed.min(has(entry));
        passed -= here;
        let is_read = here < has(entry);
        let records = is_read.then(|| store.records(entry, wanted).skip(here as usize));
        records.into_iter().flatten().map(move |record| Ok((entry, record?)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_written_as_they_are_listed() {
        assert_eq!(archive_id(&"0".repeat(32)), Some(POSTED_ID));
        assert_eq!(archive_id(&format!("{:032x}", 7)), Some(7));
        for text in ["", "0", "+0", "7", &"g".repeat(32), &"0".repeat(33), &format!("+{}", "0".repeat(31))] {
            assert_eq!(archive_id(text), None, "{text}");
        }
    }
}
