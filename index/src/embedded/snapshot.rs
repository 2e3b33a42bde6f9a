//! One commit of a tantivy index.

use std::collections::BTreeMap;
use std::sync::Arc;

use tantivy::collector::{Count, DocSetCollector};
use tantivy::query::{BooleanQuery, TermQuery};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocAddress, Searcher, TantivyDocument, TantivyError, Term};

use super::compile::{exact_term, text_field};
use super::inventory::documents_by_page;
use super::lexicon::Lexicon;
use super::query::EmbeddedQuery;
use super::schema::{Fields, decode};
use super::term_search::terms;
use super::view::CommitView;
use crate::document::BlockDocument;
use crate::engine::{
    BlockHandle, BlockSnapshot, Budget, CollectionFacts, EngineError, EngineQuery, TermCount, TermPattern, TermScope,
    TopBlock,
};
use crate::query::{Filter, ResolvedQuery, TextField};

/// What a commit is read by.
pub(super) struct State {
    pub(super) searcher: Searcher,
    pub(super) fields: Fields,
    pub(super) view: Arc<CommitView>,
}

/// A commit.
pub(super) struct EmbeddedSnapshot(pub(super) Arc<State>);

/// A document as others name it.
pub(super) fn handle(address: DocAddress) -> BlockHandle {
    BlockHandle::new(u64::from(address.segment_ord) << 32 | u64::from(address.doc_id))
}

/// The document of a name.
pub(super) fn address(handle: BlockHandle) -> DocAddress {
    DocAddress::new((handle.number() >> 32) as u32, handle.number() as u32)
}

impl State {
    pub(super) fn top_block(&self, address: DocAddress, score: f32) -> TopBlock {
        let standing = self.view.columns[address.segment_ord as usize].place(address.doc_id).standing;
        TopBlock { handle: handle(address), standing, score }
    }

    fn lexicon(&self) -> Lexicon<'_> {
        Lexicon::new(&self.searcher, &self.view.terms)
    }

    fn document(&self, address: DocAddress) -> Result<BlockDocument, TantivyError> {
        let encoded: TantivyDocument = self.searcher.doc(address)?;
        Ok(decode(&self.fields, &encoded))
    }

    fn documents(&self, addresses: &[DocAddress]) -> Result<Vec<BlockDocument>, EngineError> {
        Ok(addresses.iter().map(|address| self.document(*address)).collect::<Result<_, _>>()?)
    }
}

impl BlockSnapshot for EmbeddedSnapshot {
    fn facts(&self) -> &CollectionFacts {
        &self.0.view.facts
    }

    /// Deleted blocks count in frequencies until they are merged away, so they are counted one by one.
    fn blocks(&self) -> Result<u64, EngineError> {
        Ok(self.0.searcher.search(&self.0.fields.every_block(), &Count)? as u64)
    }

    fn document_frequency(&self, field: TextField, term: &str) -> Result<u64, EngineError> {
        Ok(self.0.lexicon().frequency(text_field(&self.0.fields, field), term)?)
    }

    fn terms(
        &self,
        field: TextField,
        pattern: TermPattern<'_>,
        scope: TermScope,
        scan_max: &mut usize,
    ) -> Result<Vec<TermCount>, EngineError> {
        Ok(terms(&self.0.searcher, text_field(&self.0.fields, field), pattern, scope, scan_max)?)
    }

    fn pages_with(&self, word: &str) -> Result<Option<u64>, EngineError> {
        Ok(Some(self.0.lexicon().frequency(self.0.fields.page.words, word)?))
    }

    fn words(
        &self,
        pattern: TermPattern<'_>,
        scope: TermScope,
        scan_max: &mut usize,
    ) -> Result<Option<Vec<TermCount>>, EngineError> {
        Ok(Some(terms(&self.0.searcher, self.0.fields.page.words, pattern, scope, scan_max)?))
    }

    fn may_match(&self, filter: &Filter) -> Result<bool, EngineError> {
        if let Filter::Captured { from, to } = filter {
            return Ok(self.0.view.columns.iter().any(|columns| columns.may_be_captured(*from, *to)));
        }
        let Some((field, text)) = exact_term(&self.0.fields, filter) else { return Ok(true) };
        Ok(self.0.searcher.doc_freq(&Term::from_field_text(field, text))? > 0)
    }

    fn prepare(&self, query: &ResolvedQuery, budget: &Budget) -> Result<Box<dyn EngineQuery>, EngineError> {
        Ok(Box::new(EmbeddedQuery::new(Arc::clone(&self.0), query, budget.clone())?))
    }

    fn fetch(&self, block: BlockHandle) -> Result<BlockDocument, EngineError> {
        Ok(self.0.document(address(block))?)
    }

    fn captured_at(&self, block: BlockHandle) -> Result<Option<i64>, EngineError> {
        let DocAddress { segment_ord, doc_id } = address(block);
        Ok(self.0.view.columns[segment_ord as usize].captured_at(doc_id))
    }

    /// A page's blocks are documents in a row.
    fn beside(&self, block: BlockHandle, distance: i32) -> Result<Option<BlockDocument>, EngineError> {
        let DocAddress { segment_ord, doc_id: own } = address(block);
        let end = self.0.searcher.segment_reader(segment_ord).max_doc();
        let Some(doc_id) = own.checked_add_signed(distance).filter(|doc| *doc < end) else { return Ok(None) };
        let columns = &self.0.view.columns[segment_ord as usize];
        // The page's own document stands before its blocks.
        let is_of_page = columns.page_order(own) == columns.page_order(doc_id) && columns.ordinal(doc_id).is_some();
        Ok(if is_of_page { Some(self.0.document(DocAddress { segment_ord, doc_id })?) } else { None })
    }

    fn find(&self, block_id: &str) -> Result<Option<BlockHandle>, EngineError> {
        let query = TermQuery::new(self.0.fields.block_term(block_id), IndexRecordOption::Basic);
        let found = self.0.searcher.search(&query, &DocSetCollector)?;
        Ok(found.into_iter().next().map(handle))
    }

    fn blocks_of_page(&self, page_id: &str) -> Result<Vec<BlockDocument>, EngineError> {
        let term = Term::from_field_text(self.0.fields.page_id, page_id);
        let query = TermQuery::new(term, IndexRecordOption::Basic);
        let query = BooleanQuery::intersection(vec![Box::new(query), Box::new(self.0.fields.every_block())]);
        let found: Vec<DocAddress> = self.0.searcher.search(&query, &DocSetCollector)?.into_iter().collect();
        let mut documents = self.0.documents(&found)?;
        documents.sort_by(|a, b| (a.ordinal, &a.block_id).cmp(&(b.ordinal, &b.block_id)));
        Ok(documents)
    }

    fn documents_by_page(&self) -> Result<BTreeMap<String, u64>, EngineError> {
        Ok(documents_by_page(&self.0.searcher, &self.0.fields)?)
    }
}
