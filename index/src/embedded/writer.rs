//! Adding and replacing blocks, in commits that carry the caller's checkpoint.

use tantivy::directory::error::LockError;
use tantivy::indexer::{IndexWriterOptions, UserOperation};
use tantivy::merge_policy::MergeCandidate;
use tantivy::{IndexWriter, TantivyError, Term};

use super::block_index::{BlockIndex, IndexError};
use super::commits::{BETWEEN_TRIES, TRIES};
use super::encoder::{EncodedPage, PageEncoder};
use super::engine;
use super::merging::{BoundedMerges, even_parts};
use crate::document::{BlockDocument, PageDocument};
use crate::engine::{BlockEngineWriter, EngineError};
use crate::writer_error::WriterError;
use lopper_analysis::Analyzer;
use lopper_faults::failpoint;

/// The least memory a thread of the engine works with.
const THREAD_BYTES_MIN: usize = 15_000_000;

/// The most memory a thread of the engine can address.
const THREAD_BYTES_MAX: usize = 4_000_000_000;

/// Threads that build segments for each that merges them.
const THREADS_A_MERGE: usize = 4;

/// Resources of a writer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriterOptions {
    /// Memory for blocks not yet written, for all threads together; raised to 15 MB a thread. Default 64 MB.
    pub memory_budget_bytes: usize,
    /// Threads that build segments; at least 1, which makes the index the same in every run. Default 1.
    pub threads: usize,
}

impl Default for WriterOptions {
    fn default() -> Self {
        Self { memory_budget_bytes: 64_000_000, threads: 1 }
    }
}

/// The writer of an index. Nothing added or deleted is seen by searchers, or survives a crash, before [`BlockWriter::commit`].
///
/// After an error it refuses further work with [`WriterError::Poisoned`]. What could not be added is taken back by [`BlockWriter::rollback`];
/// after a failed commit, drop it, open the index again and resume from [`BlockIndex::committed_payload`].
pub struct BlockWriter {
    index: BlockIndex,
    writer: IndexWriter,
    encoder: PageEncoder,
    analyzer: Analyzer,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Sound,
    /// Something could not be added.
    Torn,
    /// What the index holds is known when it is opened again.
    Poisoned,
}

impl std::fmt::Debug for BlockWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BlockWriter").field("dir", &self.index.dir).field("state", &self.state).finish_non_exhaustive()
    }
}

/// The engine's writer. A process that is being killed gives its locks back one after another: who got its folder waits up to
/// a second for the index.
fn when_free(index: &BlockIndex, options: &IndexWriterOptions) -> Result<IndexWriter, TantivyError> {
    for _ in 0..TRIES {
        match index.index.writer_with_options(options.clone()) {
            Err(TantivyError::LockFailure(LockError::LockBusy, _)) => std::thread::sleep(BETWEEN_TRIES),
            result => return result,
        }
    }
    index.index.writer_with_options(options.clone())
}

impl BlockWriter {
    pub(crate) fn new(index: &BlockIndex, options: WriterOptions) -> Result<Self, IndexError> {
        let threads = options.threads.max(1);
        let thread_bytes = (options.memory_budget_bytes / threads).clamp(THREAD_BYTES_MIN, THREAD_BYTES_MAX);
        let engine = IndexWriterOptions::builder()
            .memory_budget_per_thread(thread_bytes)
            .num_worker_threads(threads)
            // Each merge needs memory of its own, beside the budget.
            .num_merge_threads(threads.div_ceil(THREADS_A_MERGE))
            .build();
        let writer = when_free(index, &engine).map_err(|error| IndexError::from_engine(&index.dir, error))?;
        writer.set_merge_policy(Box::new(BoundedMerges::default()));
        let (encoder, analyzer) = (PageEncoder::default(), Analyzer::new());
        let opened = Self { index: index.clone(), writer, encoder, analyzer, state: State::Sound };
        // What a killed commit left has the names of what the next one writes.
        opened.collect_garbage();
        Ok(opened)
    }

    /// Adds a block without its page. One of the same `block_id` is not replaced: delete its page first.
    ///
    /// # Errors
    /// [`WriterError::Add`] when a thread of the engine has failed, for instance for a full disk.
    pub fn add(&mut self, document: &BlockDocument) -> Result<(), WriterError> {
        let encoded = self.encoder.encode_lone_block(&mut self.analyzer, document);
        self.add_encoded(encoded)
    }

    /// Adds a page with its blocks. One of the same `page_id` is not replaced: delete it first.
    ///
    /// # Errors
    /// [`WriterError::Add`], as of [`BlockWriter::add`].
    pub fn add_page(&mut self, page: &PageDocument, blocks: &[BlockDocument]) -> Result<(), WriterError> {
        let encoded = self.encode(page, blocks);
        self.add_encoded(encoded)
    }

    /// Analyses a page with its blocks by the writer's own encoder.
    pub fn encode(&mut self, page: &PageDocument, blocks: &[BlockDocument]) -> EncodedPage {
        self.encoder.encode(&mut self.analyzer, page, blocks)
    }

    /// Adds a page that was encoded by a [`PageEncoder`]. One of the same `page_id` is not replaced: delete it first.
    ///
    /// # Errors
    /// [`WriterError::Add`], as of [`BlockWriter::add`].
    pub fn add_encoded(&mut self, page: EncodedPage) -> Result<(), WriterError> {
        self.check()?;
        if page.documents.is_empty() {
            return Ok(());
        }
        // One call for all of them keeps them together in one segment.
        let operations: Vec<UserOperation> = page.documents.into_iter().map(UserOperation::Add).collect();
        self.writer.run(operations).map(drop).map_err(|source| {
            self.state = State::Torn;
            WriterError::Add { dir: self.index.dir.clone(), page_id: page.page_id, source: source.into() }
        })
    }

    /// Deletes all blocks of a page that were added before this call; replacing a page is deleting it and adding its blocks.
    ///
    /// # Errors
    /// [`WriterError::Poisoned`] only.
    pub fn delete_page(&mut self, page_id: &str) -> Result<(), WriterError> {
        self.check()?;
        self.writer.delete_term(Term::from_field_text(self.index.fields.page_id, page_id));
        Ok(())
    }

    /// Makes everything added and deleted so far durable and visible at once, together with `payload`, and gives the commit's
    /// number, which grows.
    ///
    /// # Errors
    /// [`WriterError::Commit`]; the former commit stays what the index holds.
    pub fn commit(&mut self, payload: &str) -> Result<u64, WriterError> {
        self.check()?;
        match engine(|| self.try_commit(payload)) {
            Ok(opstamp) => {
                self.collect_garbage();
                Ok(opstamp)
            }
            Err(source) => {
                self.state = State::Poisoned;
                Err(WriterError::Commit { dir: self.index.dir.clone(), source: source.into() })
            }
        }
    }

    /// Takes back all that was added and deleted since the last commit, also after an error of that. Merges that run are begun anew.
    ///
    /// # Errors
    /// [`WriterError::Poisoned`] after a failed commit, [`WriterError::Rollback`], after which it is poisoned too.
    pub fn rollback(&mut self) -> Result<(), WriterError> {
        if self.state == State::Poisoned {
            return self.check();
        }
        self.state = State::Poisoned;
        let rolled_back = engine(|| self.writer.rollback());
        rolled_back.map_err(|source| WriterError::Rollback { dir: self.index.dir.clone(), source: source.into() })?;
        self.writer.set_merge_policy(Box::new(BoundedMerges::default()));
        self.state = State::Sound;
        Ok(())
    }

    fn try_commit(&mut self, payload: &str) -> Result<u64, TantivyError> {
        let _span = tracing::debug_span!("index::commit").entered();
        let mut prepared = self.writer.prepare_commit()?;
        prepared.set_payload(payload);
        failpoint::pass("index.prepared");
        let opstamp = prepared.commit()?;
        failpoint::pass("index.committed");
        Ok(opstamp)
    }

    /// Removes files that no commit needs; without it a directory grows by gigabytes. A failure costs room only.
    fn collect_garbage(&self) {
        if let Err(error) = self.writer.garbage_collect_files().wait() {
            tracing::warn!(index.dir = %self.index.dir.display(), %error, "files of former commits could not be removed");
        }
    }

    /// The payload of the last commit.
    ///
    /// # Errors
    /// Those of [`BlockIndex::committed_payload`].
    pub fn committed_payload(&self) -> Result<Option<String>, IndexError> {
        self.index.committed_payload()
    }

    /// Whether an earlier failure makes the writer refuse work.
    pub fn is_poisoned(&self) -> bool {
        self.state != State::Sound
    }

    /// Waits for merges that run in the background and ends the writer. Dropping it ends them instead; both lose what is not
    /// committed.
    ///
    /// # Errors
    /// [`WriterError::Commit`] when a merge failed; the last commit holds.
    pub fn wait_for_merges(self) -> Result<(), WriterError> {
        let dir = self.index.dir.clone();
        self.writer.wait_merging_threads().map_err(|source| WriterError::Commit { dir, source: source.into() })
    }

    /// Segments of what is committed.
    ///
    /// # Errors
    /// [`WriterError::Commit`] when that cannot be read.
    pub fn segments(&self) -> Result<usize, WriterError> {
        let segments = engine(|| self.index.index.searchable_segment_ids());
        let failed = |source: TantivyError| WriterError::Commit { dir: self.index.dir.clone(), source: source.into() };
        Ok(segments.map_err(failed)?.len())
    }

    /// Merges what is committed into at most so many segments (at least one), which makes searches quicker; gives their numbers before and
    /// after. It needs disk space for the index once more, and maps what it merges into memory.
    ///
    /// # Errors
    /// [`WriterError::Commit`]; the index holds what it held.
    pub fn compact(&mut self, segments: usize) -> Result<(usize, usize), WriterError> {
        self.check()?;
        let merged = engine(|| self.try_compact(segments));
        self.collect_garbage();
        merged.map_err(|source| WriterError::Commit { dir: self.index.dir.clone(), source: source.into() })
    }

    fn try_compact(&mut self, segments: usize) -> Result<(usize, usize), TantivyError> {
        let _span = tracing::debug_span!("index::compact").entered();
        let known = self.index.index.searchable_segment_metas()?;
        let before = known.len();
        for MergeCandidate(part) in even_parts(&known, segments.max(1)) {
            self.writer.merge(&part).wait()?;
        }
        Ok((before, self.index.index.searchable_segment_ids()?.len()))
    }

    fn check(&self) -> Result<(), WriterError> {
        if self.is_poisoned() {
            return Err(WriterError::Poisoned { dir: self.index.dir.clone() });
        }
        Ok(())
    }
}

impl BlockEngineWriter for BlockWriter {
    fn add_page(&mut self, page: &PageDocument, blocks: &[BlockDocument]) -> Result<(), WriterError> {
        self.add_page(page, blocks)
    }

    fn delete_page(&mut self, page_id: &str) -> Result<(), WriterError> {
        self.delete_page(page_id)
    }

    fn commit(&mut self, checkpoint: &str) -> Result<u64, WriterError> {
        self.commit(checkpoint)
    }

    fn checkpoint(&self) -> Result<Option<String>, EngineError> {
        self.committed_payload().map_err(EngineError::new)
    }
}
