//! Writing the ledger of an archive again where a part of its records is damaged.
//!
//! What can be read is kept. Of the records in between, those whose page is there are known by the page; the others are there as failures, until
//! the archive is read again.

use std::collections::BTreeMap;

use lopper_archive::FailureCode;
use lopper_archive::page::PageId;

use super::{ArchiveEntry, Checkpoint, PageBatch, RecordEntry, RecordState, RecordSums, Store, StoreError};

const LOST_MESSAGE: &str = "what became of the record was lost with a part of the ledger: `lopper ingest --again` with the archive tells it anew";

/// An archive whose ledger was damaged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MendedLedger {
    /// The archive.
    pub archive: std::path::PathBuf,
    /// What was damaged.
    pub fault: String,
    /// Records that could be read.
    pub read: u64,
    /// Records whose state their pages tell.
    pub by_page: u64,
    /// Records whose state is lost.
    pub lost: u64,
}

impl Store {
    /// Writes the ledger of each archive again whose records cannot all be read; unless it is a `dry_run`. O(records), and O(pages) where some
    /// are damaged.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`] when it is other data that cannot be read; [`StoreError::Io`].
    pub fn mend_ledger(&self, dry_run: bool) -> Result<Vec<MendedLedger>, StoreError> {
        let mut mended = Vec::new();
        for entry in self.archives().collect::<Result<Vec<_>, _>>()? {
            if let Some(Err(error)) = self.records(&entry, None).find(Result::is_err) {
                mended.push(self.mend_archive(&entry, &error, dry_run)?);
            }
        }
        Ok(mended)
    }

    fn mend_archive(
        &self,
        entry: &ArchiveEntry,
        error: &StoreError,
        dry_run: bool,
    ) -> Result<MendedLedger, StoreError> {
        let (archive, fault) = (entry.key.path.clone(), error.fault());
        let mut mended = MendedLedger { archive, fault, read: 0, by_page: 0, lost: 0 };
        let readable = self.ledger.readable(entry.key.id, entry.last_chunk);
        let end = readable.keys().next_back().map_or(0, |last| last + 1).max(entry.sums.records());
        let pages = self.pages_of_archive(entry.key.id)?;
        let mut records = Vec::new();
        let mut offset_bytes = 0;
        for ordinal in 0..end {
            let (record, count) = match (readable.get(&ordinal), pages.get(&ordinal)) {
                (Some(record), _) => (record.clone(), &mut mended.read),
                (None, Some((page, at))) => {
                    (RecordEntry::new(ordinal, *at, None, RecordState::Indexed { page: *page }), &mut mended.by_page)
                }
                (None, None) => {
                    let state = RecordState::failed(FailureCode::LedgerDamaged, LOST_MESSAGE);
                    (RecordEntry::new(ordinal, offset_bytes, None, state), &mut mended.lost)
                }
            };
            *count += 1;
            offset_bytes = record.offset_bytes;
            records.push(record);
        }
        if !dry_run {
            self.write_again(entry, records)?;
        }
        Ok(mended)
    }

    /// The pages that were read from the archive, with the offset of their record, by its ordinal. Pages that cannot be read are not among them.
    fn pages_of_archive(&self, id: u128) -> Result<BTreeMap<u64, (PageId, u64)>, StoreError> {
        let mut pages = BTreeMap::new();
        for page in self.pages() {
            let page = match page {
                Err(StoreError::Damaged { .. }) => continue,
                page => page?,
            };
            if let Some(row) = self.page_row(page.id)?.filter(|row| row.links.archive_id == id) {
                pages.insert(row.links.ordinal, (page.id, row.origin().offset_bytes));
            }
        }
        Ok(pages)
    }

    /// Begins the archive's ledger anew with these records, and with all else as it is.
    fn write_again(&self, entry: &ArchiveEntry, records: Vec<RecordEntry>) -> Result<(), StoreError> {
        let mut sums = RecordSums { blocks: entry.sums.blocks, ..RecordSums::default() };
        for record in &records {
            sums.count(&record.state);
        }
        let pending = self.pending_rows(Some(entry.key.id)).collect::<Result<Vec<_>, _>>()?;
        let mut batch = PageBatch::new();
        batch.restart(&entry.key);
        batch.copy_records(&entry.key, records);
        batch.copy_sums(&entry.key, &sums);
        for (key, value) in pending {
            batch.copy_row(key, value);
        }
        let resume_point = self.resume_point(entry.key.id)?;
        let (position_bytes, finished) = (entry.position_bytes, entry.finished);
        batch.checkpoint(&entry.key, Checkpoint { position_bytes, finished, resume_point });
        self.commit(batch).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use lopper_archive::page::SkipReason;

    use super::super::support::{page, put};
    use super::super::{ArchiveKey, OpenMode, RecordPlace, StateKind};
    use super::*;

    const URLS: [&str; 3] = ["http://oak.example/", "http://elm.example/", "http://ash.example/"];

    /// Three commits of an archive with a page, a skipped and a failed record each, beside another archive; gives where they begin in the ledger.
    fn filled(data: &std::path::Path) -> (ArchiveKey, Vec<u64>) {
        let store = Store::open(data, OpenMode::Write).unwrap();
        let [archive, other] = [7, 8].map(|id| ArchiveKey::by_content("a.warc".as_ref(), id));
        let mut begins = Vec::new();
        for (number, url) in (0..).zip(URLS) {
            let mut batch = PageBatch::new();
            let place = |ordinal| RecordPlace { archive: &archive, ordinal, offset_bytes: ordinal * 100 };
            batch.put(&store, &place(number * 3), put(page(url), url)).unwrap();
            batch.skip(&place(number * 3 + 1), SkipReason::MediaType);
            batch.fail(&place(number * 3 + 2), None, FailureCode::RecordDamaged, "message");
            let checkpoint = Checkpoint { position_bytes: 100 * number, finished: number == 2, resume_point: None };
            batch.checkpoint(&archive, checkpoint);
            begins.push(store.meta().ledger_bytes);
            store.commit(batch).unwrap();
            let mut batch = PageBatch::new();
            batch.skip(&RecordPlace { archive: &other, ordinal: number, offset_bytes: 0 }, SkipReason::EmptyBody);
            store.commit(batch).unwrap();
        }
        (archive, begins)
    }

    #[test]
    fn of_a_damaged_chunk_the_pages_tell_their_records_and_all_others_stay() {
        for (damaged, at) in [(0, 60), (1, 60), (2, 60), (0, 17), (1, 17), (2, 17), (1, 32), (2, 34), (1, 0), (2, 2)] {
            let folder = tempfile::tempdir().unwrap();
            let (archive, begins) = filled(folder.path());
            let path = folder.path().join("ledger.bin");
            let mut bytes = fs::read(&path).unwrap();
            bytes[begins[damaged] as usize + at] ^= 0x41;
            fs::write(&path, bytes).unwrap();
            let store = Store::open(folder.path(), OpenMode::Write).unwrap();
            let planned = store.mend_ledger(true).unwrap();
            let mended = store.mend_ledger(false).unwrap();
            assert_eq!(planned, mended);
            assert_eq!(mended.len(), 1, "{damaged} {at}: {mended:?}");
            assert_eq!((mended[0].read, mended[0].by_page, mended[0].lost), (6, 1, 2), "{damaged} {at}");
            assert_eq!(store.mend_ledger(false).unwrap(), []);
            let entry = store.archive(archive.id).unwrap().unwrap();
            assert!(entry.finished && entry.position_bytes == 200 && entry.sums.records() == 9, "{entry:?}");
            let records: Vec<_> = store.records(&entry, None).map(Result::unwrap).collect();
            assert_eq!(records.iter().map(|record| record.ordinal).collect::<Vec<_>>(), (0..9).collect::<Vec<_>>());
            for kind in StateKind::ALL {
                let count = records.iter().filter(|record| record.state.kind() == kind).count() as u64;
                assert_eq!(entry.sums.in_state(kind), count, "{kind}");
            }
            let lost = |record: &&RecordEntry| matches!(&record.state, RecordState::Failed { code, .. } if *code == FailureCode::LedgerDamaged.as_str());
            assert_eq!(records.iter().filter(lost).count(), 2);
            assert_eq!(entry.sums.in_state(StateKind::Indexed), 3);
            store.verify().unwrap();
        }
    }
}
