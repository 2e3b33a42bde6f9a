//! An engine that keeps everything in memory and finds it by looking at each block: slow, and short enough to be seen right.
//!
//! It shares nothing with the engine inside but the terms that blocks are indexed by ([`BlockTerms`](lopper_index::BlockTerms)) and the
//! ranking. So what both say alike is what the contract of `lopper_index::engine` says.

pub(crate) mod agreement;
mod clauses;
mod collection;
mod query;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use lopper_index::engine::{
    BlockEngineWriter, BlockHandle, BlockSnapshot, Capabilities, CollectionFacts, EngineError, EngineQuery, TermCount,
    TermPattern, TermScope,
};
use lopper_index::{BlockDocument, BlockEngine, Budget, Filter, PageDocument, ResolvedQuery, TextField, WriterError};

use self::clauses::meets;
use self::collection::Collection;
use self::query::NaiveQuery;

/// The engine. Clones are the same one.
#[derive(Clone, Default)]
pub(crate) struct NaiveEngine(Arc<Mutex<Committed>>);

#[derive(Default)]
struct Committed {
    collection: Arc<Collection>,
    checkpoint: Option<String>,
    commits: u64,
}

impl NaiveEngine {
    pub(crate) fn writer(&self) -> NaiveWriter {
        let pages = self.0.lock().unwrap().collection.pages();
        NaiveWriter { engine: self.clone(), pages }
    }
}

impl BlockEngine for NaiveEngine {
    fn capabilities(&self) -> Capabilities {
        let mut capabilities = Capabilities::ALL;
        capabilities.has_durable_commit = false;
        capabilities
    }

    fn location(&self) -> &Path {
        Path::new("memory")
    }

    fn snapshot(&self) -> Result<Arc<dyn BlockSnapshot>, EngineError> {
        Ok(Arc::new(NaiveSnapshot(Arc::clone(&self.0.lock().unwrap().collection))))
    }

    fn refresh(&self) -> Result<(), EngineError> {
        Ok(())
    }
}

/// Pages that will be there after the next commit.
pub(crate) struct NaiveWriter {
    engine: NaiveEngine,
    pages: Vec<(PageDocument, Vec<BlockDocument>)>,
}

impl BlockEngineWriter for NaiveWriter {
    fn add_page(&mut self, page: &PageDocument, blocks: &[BlockDocument]) -> Result<(), WriterError> {
        if !blocks.is_empty() {
            self.pages.push((page.clone(), blocks.to_vec()));
        }
        Ok(())
    }

    fn delete_page(&mut self, page_id: &str) -> Result<(), WriterError> {
        self.pages.retain(|(page, _)| page.page_id != page_id);
        Ok(())
    }

    fn commit(&mut self, checkpoint: &str) -> Result<u64, WriterError> {
        let mut committed = self.engine.0.lock().unwrap();
        committed.collection = Arc::new(Collection::new(self.pages.clone()));
        committed.checkpoint = Some(checkpoint.to_owned());
        committed.commits += 1;
        Ok(committed.commits)
    }

    fn checkpoint(&self) -> Result<Option<String>, EngineError> {
        Ok(self.engine.0.lock().unwrap().checkpoint.clone())
    }
}

struct NaiveSnapshot(Arc<Collection>);

impl NaiveSnapshot {
    fn block(&self, handle: BlockHandle) -> &BlockDocument {
        &self.0.blocks[handle.number() as usize].document
    }
}

/// Terms of a pattern without further forms, the most frequent first.
fn matching(frequencies: &BTreeMap<String, u64>, pattern: TermPattern<'_>, scan_max: &mut usize) -> Vec<TermCount> {
    let words = frequencies.iter().filter(|(term, _)| !term.starts_with(|c: char| c.is_control()));
    let mut terms: Vec<TermCount> =
        words.filter(|(term, _)| pattern.accepts(term)).map(|(term, count)| (term.clone(), *count)).collect();
    terms.sort_by(|(a, a_count), (b, b_count)| b_count.cmp(a_count).then_with(|| a.cmp(b)));
    *scan_max = scan_max.saturating_sub(terms.len());
    terms
}

impl BlockSnapshot for NaiveSnapshot {
    fn facts(&self) -> &CollectionFacts {
        &self.0.facts
    }

    fn blocks(&self) -> Result<u64, EngineError> {
        Ok(self.0.blocks.len() as u64)
    }

    fn document_frequency(&self, field: TextField, term: &str) -> Result<u64, EngineError> {
        Ok(self.0.frequency(field, term))
    }

    fn terms(
        &self,
        field: TextField,
        pattern: TermPattern<'_>,
        _scope: TermScope,
        scan_max: &mut usize,
    ) -> Result<Vec<TermCount>, EngineError> {
        Ok(matching(self.0.frequencies(field), pattern, scan_max))
    }

    fn pages_with(&self, word: &str) -> Result<Option<u64>, EngineError> {
        Ok(Some(self.0.word_frequencies.get(word).copied().unwrap_or(0)))
    }

    fn words(
        &self,
        pattern: TermPattern<'_>,
        _scope: TermScope,
        scan_max: &mut usize,
    ) -> Result<Option<Vec<TermCount>>, EngineError> {
        Ok(Some(matching(&self.0.word_frequencies, pattern, scan_max)))
    }

    fn may_match(&self, filter: &Filter) -> Result<bool, EngineError> {
        let is_known = !matches!(filter, Filter::Site(_) | Filter::Language(_) | Filter::PageType(_));
        Ok(is_known || self.0.blocks.iter().any(|block| meets(&block.document, filter)))
    }

    fn prepare(&self, query: &ResolvedQuery, _: &Budget) -> Result<Box<dyn EngineQuery>, EngineError> {
        Ok(Box::new(NaiveQuery::new(Arc::clone(&self.0), query.clone())))
    }

    fn fetch(&self, block: BlockHandle) -> Result<BlockDocument, EngineError> {
        // A search gives back what a block is, not what its links lead to.
        Ok(BlockDocument { pointers: Vec::new(), ..self.block(block).clone() })
    }

    fn beside(&self, block: BlockHandle, distance: i32) -> Result<Option<BlockDocument>, EngineError> {
        let own = self.block(block);
        let Some(ordinal) = own.ordinal.checked_add_signed(distance) else { return Ok(None) };
        let mut all = self.0.blocks.iter().map(|block| &block.document);
        Ok(all.find(|other| other.page_id == own.page_id && other.ordinal == ordinal).cloned())
    }

    fn find(&self, block_id: &str) -> Result<Option<BlockHandle>, EngineError> {
        let place = self.0.blocks.iter().position(|block| block.document.block_id == block_id);
        Ok(place.map(|place| BlockHandle::new(place as u64)))
    }

    fn blocks_of_page(&self, page_id: &str) -> Result<Vec<BlockDocument>, EngineError> {
        let of_page = self.0.blocks.iter().map(|block| &block.document).filter(|block| block.page_id == page_id);
        let mut blocks: Vec<BlockDocument> = of_page.cloned().collect();
        for block in &mut blocks {
            block.pointers.clear();
        }
        blocks.sort_by_key(|block| block.ordinal);
        Ok(blocks)
    }

    fn documents_by_page(&self) -> Result<BTreeMap<String, u64>, EngineError> {
        let mut counts = BTreeMap::new();
        for (page, blocks) in self.0.pages() {
            *counts.entry(page.page_id).or_default() += 1 + blocks.len() as u64;
        }
        Ok(counts)
    }
}
