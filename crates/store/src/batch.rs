//! What is committed together, and the decisions about it.
//!
//! What becomes of a record is decided when it is added to the batch, from what the store and the batch hold at that point. There is one
//! batch at a time, so that the commit finds the store as the decisions left it.

use std::collections::{BTreeMap, HashMap};

use lopper_archive::FailureCode;
use lopper_archive::page::{PageId, Provenance, SkipReason};

use super::captures::{CaptureKind, CaptureRow, PendingRow};
use super::digest::{declared_digest_hash, url_hash};
use super::ledger::{ArchiveKey, RecordPlace, RecordSums};
use super::page::PageOrigin;
use super::put::PagePut;
use super::resume::Checkpoint;
use super::seen::{Seen, SeenPage};
use super::states::{RecordEntry, RecordState};
use super::{ContentDigest, ResolvedRevisits, Store, StoreError};

/// What is known of a record's page before it is analysed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordFacts {
    /// Identity of the page.
    pub id: PageId,
    /// Canonical form of its URL.
    pub canonical_url: String,
    /// Capture time.
    pub captured_at: Option<i64>,
    /// Digest of its HTML.
    pub digest: Option<ContentDigest>,
    /// Payload digest as the archive declares it.
    pub declared_digest: Option<String>,
}

/// What became of a page that was put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Put {
    /// It is to be indexed.
    Page {
        /// Whether one of the same identity is replaced.
        replaced: bool,
        /// The page of another URL with the same HTML, whose tree it shares.
        shares: Option<PageId>,
    },
    /// It holds what this page holds: nothing is to be indexed.
    Duplicate(PageId),
}

/// Changes that are committed together: pages, what became of each record, and how far each archive was read.
#[derive(Debug, Clone, Default)]
pub struct PageBatch {
    pub(super) changes: Vec<Change>,
    pub(super) archives: BTreeMap<u128, ArchiveDelta>,
    /// The newest epoch by which a page of the batch was weighed.
    pub(super) epoch: Option<u64>,
    pub(super) run: Run,
    pub(super) seen: Seen,
    /// Where among the changes pages are put that have trees of their own.
    own_trees: HashMap<PageId, usize>,
    pages: usize,
    size_bytes: usize,
}

/// What a commit says of the run that it belongs to.
#[derive(Debug, Clone, Copy, Default)]
pub(super) enum Run {
    /// Nothing: it may come in the middle of one, which goes on as it would have.
    #[default]
    AsItWas,
    /// Its next batch is weighed by that epoch.
    GoesOn(u64),
    Ends,
}

/// A change of rows, in the order of the records.
#[derive(Debug, Clone)]
pub(super) enum Change {
    Put {
        put: Box<PagePut>,
        origin: PageOrigin,
        shares: Option<PageId>,
    },
    Capture {
        url_hash: u128,
        origin_hash: u64,
        row: CaptureRow,
    },
    /// The page is read from another record from now on, which holds the same.
    Move {
        page: PageId,
        origin: PageOrigin,
        provenance: Provenance,
    },
    Declared {
        digest_hash: u128,
        page: PageId,
    },
    Pending {
        archive: u128,
        ordinal: u64,
        row: PendingRow,
    },
    Resolved {
        archive: u128,
        ordinal: u64,
    },
    /// The page goes, with its tree and what the statistics count of it.
    Remove {
        page: PageId,
    },
    ForgetCapture {
        key: Vec<u8>,
    },
    /// A row that is counted nowhere goes.
    Forget {
        key: Vec<u8>,
    },
    /// A row of another store, as it is.
    Copy {
        key: Vec<u8>,
        value: Vec<u8>,
    },
}

/// An archive's part of a batch.
#[derive(Debug, Clone, Default)]
pub(super) struct ArchiveDelta {
    /// `None` where only records of former batches change.
    pub(super) key: Option<ArchiveKey>,
    pub(super) restart: bool,
    pub(super) sums: RecordSums,
    pub(super) entries: Vec<RecordEntry>,
    /// Records of former batches that have another state now: revisits that have their original, records whose page was deleted.
    pub(super) corrections: Vec<RecordEntry>,
    /// The revisits among them.
    pub(super) resolved: ResolvedRevisits,
    /// Sums over the records among the corrections whose page was deleted, by what they were before.
    pub(super) deleted: RecordSums,
    pub(super) checkpoint: Option<Checkpoint>,
}

impl PageBatch {
    /// Without changes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Begins `archive` anew: sums, records and checkpoint of an earlier reading are forgotten; its pages stay.
    pub fn restart(&mut self, archive: &ArchiveKey) {
        let delta = ArchiveDelta { key: Some(archive.clone()), restart: true, ..ArchiveDelta::default() };
        self.archives.insert(archive.id, delta);
    }

    /// Where a takedown keeps the record's page out, notes that in the ledger and gives `true`: the record is done. To be asked of every
    /// record that has a page before the page is added.
    pub fn refuse(&mut self, store: &Store, place: &RecordPlace<'_>, facts: &RecordFacts) -> bool {
        let refused = store.keeps_out(place, facts);
        if refused {
            self.skip(place, SkipReason::TakenDown);
        }
        refused
    }

    /// Notes where `archive`, which the ledger has, is now.
    pub fn place(&mut self, archive: &ArchiveKey) {
        self.archive(archive);
    }

    /// Adds a page read from the record at `place`, and decides what becomes of it:
    ///
    /// - the record that the page of this identity was read from: the page is replaced (the record is replayed);
    /// - a page of the same canonical URL with the same HTML is there: the record is a duplicate, and a capture of that page;
    /// - a page of the same identity with other HTML is there: it is replaced;
    /// - else the page is new. It shares the tree of a page of another URL with the same HTML.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`], [`StoreError::Io`], from looking up what is there.
    pub fn put(&mut self, store: &Store, place: &RecordPlace<'_>, put: PagePut) -> Result<Put, StoreError> {
        let facts = put.facts();
        if let Some(original) = self.duplicate(store, place, &facts)? {
            return Ok(Put::Duplicate(original));
        }
        self.put_own(store, place, put)
    }

    /// As [`put`](Self::put), but the page is indexed also when another one of its URL has the same HTML.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`], [`StoreError::Io`].
    pub fn put_own(&mut self, store: &Store, place: &RecordPlace<'_>, put: PagePut) -> Result<Put, StoreError> {
        let facts = put.facts();
        let replaced = self.seen.page(store, facts.id)?.is_some();
        let page = facts.id;
        let state = if replaced { RecordState::Replaced { page } } else { RecordState::Indexed { page } };
        self.note(place, None, state);
        self.declare(store, &facts, page)?;
        let (shares, blocks) = self.add_page(store, put, PageOrigin::new(place, facts.captured_at), &facts)?;
        self.archive(place.archive).sums.blocks += u64::from(blocks);
        Ok(Put::Page { replaced, shares })
    }

    /// Adds a page of another store with its place, without an entry in the ledger; gives the page whose tree it shares.
    pub(super) fn copy_page(
        &mut self,
        store: &Store,
        put: PagePut,
        origin: PageOrigin,
    ) -> Result<Option<PageId>, StoreError> {
        let facts = put.facts();
        Ok(self.add_page(store, put, origin, &facts)?.0)
    }

    /// Adds records of another ledger, without counting them.
    pub(super) fn copy_records(&mut self, archive: &ArchiveKey, records: Vec<RecordEntry>) {
        self.archive(archive).entries.extend(records);
    }

    /// Adds the sums over records that were copied.
    pub(super) fn copy_sums(&mut self, archive: &ArchiveKey, sums: &RecordSums) {
        self.archive(archive).sums.add(sums);
    }

    pub(super) fn copy_row(&mut self, key: Vec<u8>, value: Vec<u8>) {
        self.size_bytes += key.len() + value.len();
        self.changes.push(Change::Copy { key, value });
    }

    /// Adds the page; gives the one whose tree it shares, and the number of its blocks, which are those of the tree.
    fn add_page(
        &mut self,
        store: &Store,
        mut put: PagePut,
        origin: PageOrigin,
        facts: &RecordFacts,
    ) -> Result<(Option<PageId>, u32), StoreError> {
        let shared = self.seen.same_content(store, facts)?;
        if let Some((_, seen)) = &shared {
            put.page.main_blocks = seen.main_blocks;
        }
        let (shares, main_blocks) = (shared.map(|(page, _)| page), put.page.main_blocks);
        self.size_bytes += put.size_bytes();
        self.epoch = self.epoch.max(Some(put.epoch));
        self.pages += 1;
        let (digest, html_bytes) = (facts.digest, put.page.html_bytes);
        self.seen.add(facts, SeenPage { digest, origin: origin.clone(), main_blocks, html_bytes }, shares);
        if shares.is_none() {
            self.own_trees.insert(facts.id, self.changes.len());
        }
        self.changes.push(Change::Put { put: Box::new(put), origin, shares });
        Ok((shares, main_blocks))
    }

    /// Adds a record whose page need not be analysed, since it is a duplicate of the page given; `None`, and nothing is added, when it is
    /// no duplicate. A capture that another archive has given already is [skipped](SkipReason::KnownCapture), as a revisit is.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`], [`StoreError::Io`].
    pub fn duplicate(
        &mut self,
        store: &Store,
        place: &RecordPlace<'_>,
        facts: &RecordFacts,
    ) -> Result<Option<PageId>, StoreError> {
        let Some(digest) = facts.digest else { return Ok(None) };
        let origin = PageOrigin::new(place, facts.captured_at);
        if self.seen.page(store, facts.id)?.is_some_and(|page| page.origin.is_same_record(&origin)) {
            return Ok(None);
        }
        let Some(original) = self.seen.content(store, digest, url_hash(&facts.canonical_url))? else {
            return Ok(None);
        };
        // Revisits may name the digest that this record alone declares.
        self.declare(store, facts, original)?;
        if self.seen.is_known(store, &facts.canonical_url, &origin, original)? {
            self.skip(place, SkipReason::KnownCapture);
            return Ok(Some(original));
        }
        self.note(place, None, RecordState::Duplicate { page: original });
        self.capture(&facts.canonical_url, &origin, original, CaptureKind::Duplicate);
        Ok(Some(original))
    }

    /// What became of the record of `archive` that was added last.
    pub fn last_state(&self, archive: &ArchiveKey) -> Option<&RecordState> {
        Some(&self.archives.get(&archive.id)?.entries.last()?.state)
    }

    /// Notes that the record at `place` gave no page although nothing is broken.
    pub fn skip(&mut self, place: &RecordPlace<'_>, reason: SkipReason) {
        self.note(place, None, RecordState::Skipped { reason });
    }

    /// Notes that the record at `place` failed.
    pub fn fail(
        &mut self,
        place: &RecordPlace<'_>,
        record_id: Option<String>,
        code: FailureCode,
        message: impl Into<String>,
    ) {
        self.note(place, record_id, RecordState::failed(code, message));
    }

    /// Notes that this batch holds all records of `archive` up to `checkpoint`.
    pub fn checkpoint(&mut self, archive: &ArchiveKey, checkpoint: Checkpoint) {
        self.archive(archive).checkpoint = Some(checkpoint);
    }

    /// Notes that the run goes on after this batch, and by which epoch its next batch is weighed: when the run does not go on, the next one
    /// knows that it was cut off, and where.
    pub fn within_run(&mut self, next_batch_epoch: u64) {
        self.run = Run::GoesOn(next_batch_epoch);
    }

    /// Notes that the run ends with this batch. One that says nothing of a run leaves it as it was.
    pub fn end_run(&mut self) {
        self.run = Run::Ends;
    }

    /// The newest epoch by which a page of the batch was weighed; `None` without pages.
    pub fn epoch(&self) -> Option<u64> {
        self.epoch
    }

    /// Pages put.
    pub fn pages(&self) -> usize {
        self.pages
    }

    /// Whether there is nothing to commit.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.archives.is_empty()
    }

    /// Memory that the pages take, about; the ingest commits when it is large.
    pub fn size_bytes(&self) -> usize {
        self.size_bytes
    }

    /// The tree of a page that this batch puts.
    pub fn tree_bytes(&self, id: PageId) -> Option<Vec<u8>> {
        match self.changes.get(*self.own_trees.get(&id)?)? {
            Change::Put { put, .. } => put.tree_bytes(),
            _ => None,
        }
    }

    pub(super) fn note(&mut self, place: &RecordPlace<'_>, record_id: Option<String>, state: RecordState) {
        let delta = self.archive(place.archive);
        delta.sums.count(&state);
        delta.entries.push(RecordEntry::new(place.ordinal, place.offset_bytes, record_id, state));
    }

    pub(super) fn capture(&mut self, canonical_url: &str, origin: &PageOrigin, page: PageId, kind: CaptureKind) {
        let url_hash = url_hash(canonical_url);
        let row = CaptureRow {
            captured_at: origin.captured_at,
            page: page.0.to_be_bytes(),
            kind,
            archive_id: origin.archive_id,
            offset_bytes: origin.offset_bytes,
        };
        self.seen.add_capture(url_hash, origin, page);
        self.changes.push(Change::Capture { url_hash, origin_hash: origin.hash(), row });
    }

    /// Notes the payload digest under which revisits find the page.
    fn declare(&mut self, store: &Store, facts: &RecordFacts, page: PageId) -> Result<(), StoreError> {
        let Some(declared) = &facts.declared_digest else { return Ok(()) };
        let digest_hash = declared_digest_hash(declared);
        if self.seen.declared(store, digest_hash)?.is_none() {
            self.seen.add_declared(digest_hash, page);
            self.changes.push(Change::Declared { digest_hash, page });
        }
        Ok(())
    }

    fn archive(&mut self, archive: &ArchiveKey) -> &mut ArchiveDelta {
        let delta = self.archives.entry(archive.id).or_default();
        if delta.key.is_none() {
            delta.key = Some(archive.clone());
        }
        delta
    }
}
