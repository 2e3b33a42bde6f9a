//! What is committed together.

use std::cell::RefCell;
use std::collections::BTreeMap;

use zstd::bulk::Compressor;

use super::blobs::Blob;
use super::ledger::{ArchiveKey, FailedRecord, RecordSums};
use super::{StoreError, StoredPage};
use crate::page::SkipReason;

/// Bytes of a page's tree, before compression. Page texts end at 16 MiB.
const TREE_BYTES_MAX: usize = 256 << 20;

const TREE_COMPRESSION_LEVEL: i32 = 3;

/// A page on its way into the store: metadata, tree and terms. Made where the page was read, since it compresses the tree.
#[derive(Debug, Clone)]
pub struct PagePut {
    pub(super) page: StoredPage,
    pub(super) blob: Blob,
}

impl PagePut {
    /// `tree` is whatever the caller wants back from [`Store::tree_bytes`](super::Store::tree_bytes); `terms` are the
    /// [`term_hash`](super::term_hash)es of the page's terms, in any order, for the collection's statistics.
    ///
    /// # Errors
    ///
    /// [`StoreError::TreeTooLarge`] above 256 MiB.
    pub fn new(mut page: StoredPage, tree: &[u8], mut terms: Vec<u64>) -> Result<Self, StoreError> {
        page.shorten();
        terms.sort_unstable();
        terms.dedup();
        let tree_compressed = (tree.len() <= TREE_BYTES_MAX).then(|| compress(tree)).flatten().ok_or_else(|| {
            StoreError::TreeTooLarge { url: page.url.clone(), bytes: tree.len(), max: TREE_BYTES_MAX }
        })?;
        let blob = Blob { terms, tree_compressed, tree_bytes: tree.len() as u32 };
        Ok(Self { page, blob })
    }

    /// The page's metadata.
    pub fn page(&self) -> &StoredPage {
        &self.page
    }

    /// Memory that it takes, about.
    pub fn size_bytes(&self) -> usize {
        let page = &self.page;
        let texts = [&page.url, &page.canonical_url, &page.title, &page.description];
        size_of::<Self>()
            + texts.map(String::len).into_iter().sum::<usize>()
            + self.blob.tree_compressed.len()
            + size_of_val(&self.blob.terms[..])
    }
}

/// Compresses with the thread's compressor: making one for each page takes longer than to compress a small tree.
fn compress(tree: &[u8]) -> Option<Vec<u8>> {
    thread_local! {
        static COMPRESSOR: RefCell<Option<Compressor<'static>>> =
            RefCell::new(Compressor::new(TREE_COMPRESSION_LEVEL).ok());
    }
    COMPRESSOR.with_borrow_mut(|compressor| compressor.as_mut()?.compress(tree).ok())
}

/// Changes that are committed together: pages, what became of each record, and how far each archive was read.
#[derive(Debug, Clone, Default)]
pub struct PageBatch {
    pub(super) puts: Vec<(ArchiveKey, PagePut)>,
    pub(super) archives: BTreeMap<ArchiveKey, ArchiveDelta>,
    size_bytes: usize,
}

/// An archive's part of a batch, besides its pages.
#[derive(Debug, Clone, Default)]
pub(super) struct ArchiveDelta {
    pub(super) restart: bool,
    /// Without the pages, whose state is known only at the commit.
    pub(super) sums: RecordSums,
    pub(super) failures: Vec<FailedRecord>,
    /// Position and whether it is the end.
    pub(super) checkpoint: Option<(u64, bool)>,
}

impl PageBatch {
    /// Without changes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Begins `archive` anew: sums, failures and checkpoint of an earlier reading are forgotten; its pages stay.
    pub fn restart(&mut self, archive: &ArchiveKey) {
        self.archive(archive).restart = true;
    }

    /// Adds a page read from `archive`. It replaces the page of the same identity, also one put before in this batch.
    pub fn put(&mut self, archive: &ArchiveKey, put: PagePut) {
        self.archive(archive);
        self.size_bytes += put.size_bytes();
        self.puts.push((archive.clone(), put));
    }

    /// Notes that the record at `offset_bytes` of `archive` gave no page. Only the sum by reason is kept so far.
    pub fn skip(&mut self, archive: &ArchiveKey, _offset_bytes: u64, reason: SkipReason) {
        let skipped = &mut self.archive(archive).sums.skipped;
        *skipped.entry(reason).or_default() += 1;
    }

    /// Notes that the record at `offset_bytes` of `archive` failed; `code` is a stable name of the reason.
    pub fn fail(
        &mut self,
        archive: &ArchiveKey,
        offset_bytes: u64,
        code: impl Into<String>,
        message: impl Into<String>,
    ) {
        let failure = FailedRecord::new(offset_bytes, code.into(), message.into());
        let delta = self.archive(archive);
        delta.sums.failed += 1;
        delta.failures.push(failure);
    }

    /// Notes that this batch holds all records of `archive` up to `position_bytes`, or to its end when `finished`.
    pub fn checkpoint(&mut self, archive: &ArchiveKey, position_bytes: u64, finished: bool) {
        self.archive(archive).checkpoint = Some((position_bytes, finished));
    }

    /// Pages put.
    pub fn pages(&self) -> usize {
        self.puts.len()
    }

    /// Whether there is nothing to commit.
    pub fn is_empty(&self) -> bool {
        self.puts.is_empty() && self.archives.is_empty()
    }

    /// Memory that the pages take, about; the ingest commits when it is large.
    pub fn size_bytes(&self) -> usize {
        self.size_bytes
    }

    fn archive(&mut self, archive: &ArchiveKey) -> &mut ArchiveDelta {
        self.archives.entry(archive.clone()).or_default()
    }
}
