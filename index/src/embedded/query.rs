//! Answering a query from postings and columns.

use std::collections::HashSet;
use std::sync::Arc;

use tantivy::query::Query;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocAddress, DocId, DocSet, SegmentOrdinal, TERMINATED, TantivyError, Term};

use super::any_word::AnyWord;
use super::columns::{BlockFigures, BlockPlace};
use super::compile::{CompiledQuery, Compiler};
use super::count::{Count, count_up_to};
use super::facet_counts::{FacetSums, count_facets};
use super::gather::{Gathering, SegmentDocs};
use super::languages::languages_of;
use super::lexicon::{FormEntries, Lexicon};
use super::probe::Probe;
use super::snapshot::{State, address, handle};
use super::top_blocks::TopBlocks;
use crate::engine::{
    BlockHandle, Budget, Candidate, CandidatePart, CandidateRequest, Candidates, Dates, EngineError, EngineQuery,
    KnownForm, MatchCount, PointerWords, RankWord, TopAndTotal, WordPlace, WordRow,
};
use crate::facets::Facets;
use crate::query::{ResolvedQuery, TextField};

/// A query with all that tantivy needs to answer it.
pub(super) struct EmbeddedQuery {
    state: Arc<State>,
    forms: Vec<Vec<KnownForm>>,
    /// Where each of `forms` is.
    entries: Vec<Vec<FormEntries>>,
    compiled: CompiledQuery,
    needs_word: bool,
    /// Whether any block with one of the words in its joined field matches, and no other.
    is_any_word: bool,
    budget: Budget,
}

impl EmbeddedQuery {
    pub(super) fn new(state: Arc<State>, query: &ResolvedQuery, budget: Budget) -> Result<Self, TantivyError> {
        let lexicon = Lexicon::new(&state.searcher, &state.view.terms);
        let compiled = Compiler { lexicon: &lexicon, fields: &state.fields, budget: &budget }.compile(query)?;
        let (mut forms, mut entries) = (Vec::new(), Vec::new());
        for word in &query.words {
            let (mut known, mut places) = (Vec::new(), Vec::new());
            let factor_max = word.factor_max();
            for form in &word.forms {
                if let Some(found) = lexicon.form(&state.fields, form)? {
                    let (blocks, pages) = (found.blocks.documents, found.pages.documents);
                    let is_best = form.factor >= factor_max;
                    let languages = if is_best { languages_of(&state, &found.blocks, &budget)? } else { Vec::new() };
                    known.push(KnownForm { form: form.clone(), blocks, pages, languages });
                    places.push(found);
                }
            }
            forms.push(known);
            entries.push(places);
        }
        let is_any_word = query.constraint.is_none()
            && query.without.is_none()
            && compiled.matching.is_some()
            && query.words.iter().all(|word| word.field == TextField::All);
        Ok(Self { state, forms, entries, compiled, needs_word: query.needs_word, is_any_word, budget })
    }

    fn probe<'a>(&'a self, words: &'a [RankWord], ord: SegmentOrdinal, docs: &'a [DocId]) -> Probe<'a> {
        let State { searcher, fields, view, .. } = &*self.state;
        let (segment, columns) = (searcher.segment_reader(ord), &view.columns[ord as usize]);
        Probe { segment, ord, fields, words, entries: &self.entries, columns, docs, budget: &self.budget }
    }

    fn parts(&self, words: &[RankWord], docs: &SegmentDocs) -> Result<Candidates, TantivyError> {
        let parts = docs.iter().map(|(segment, docs)| self.part(words, *segment, docs));
        Ok(Candidates { parts: parts.collect::<Result<_, _>>()?, failed_parts: 0 })
    }

    /// `docs` increase.
    fn part(&self, words: &[RankWord], segment: SegmentOrdinal, docs: &[DocId]) -> Result<CandidatePart, TantivyError> {
        let columns = &self.state.view.columns[segment as usize];
        let places: Vec<BlockPlace> = columns.places(docs);
        let mut pages: Vec<DocId> = places.iter().filter_map(|place| place.page).collect();
        pages.dedup();
        self.part_with(words, segment, docs, &places, &pages)
    }

    /// Counts in `docs`, which stand at `places`, and in `pages`; both increase.
    fn part_with(
        &self,
        words: &[RankWord],
        segment: SegmentOrdinal,
        docs: &[DocId],
        places: &[BlockPlace],
        pages: &[DocId],
    ) -> Result<CandidatePart, TantivyError> {
        let probe = self.probe(words, segment, docs);
        let columns = probe.columns;
        let mut link_keys = Vec::new();
        let candidates = docs.iter().zip(places).zip(columns.figures(docs)?).map(|((&doc, place), figures)| {
            let BlockPlace { standing, page, page_link_key } = *place;
            let BlockFigures { site, norm, link_share, content, language } = figures;
            let begin = link_keys.len();
            link_keys.extend(columns.link_keys(doc));
            Candidate {
                handle: handle(DocAddress::new(segment, doc)),
                standing,
                site,
                norm,
                link_share,
                content,
                language: language.unwrap_or_default(),
                link_keys: begin..link_keys.len(),
                page_link_key,
                page_row: page.and_then(|page| pages.binary_search(&page).ok()),
            }
        });
        let candidates = candidates.collect();
        let (blocks, pages) = (probe.blocks()?, Probe { docs: pages, ..probe }.pages()?);
        Ok(CandidatePart { candidates, blocks, pages, link_keys })
    }

    fn try_candidates(&self, request: &CandidateRequest<'_>) -> Result<Candidates, TantivyError> {
        let State { searcher, fields, view, .. } = &*self.state;
        let constraint = self.compiled.constraint.as_deref();
        let (entries, needs_word, request, budget) = (&self.entries, self.needs_word, *request, &self.budget);
        let gathering = Gathering { searcher, fields, view, entries, request, constraint, needs_word, budget };
        self.parts(request.words, &gathering.candidates()?)
    }

    fn try_linked(
        &self,
        words: &[RankWord],
        keys: &[u64],
        known: &HashSet<BlockHandle>,
    ) -> Result<Candidates, TantivyError> {
        let mut targets = SegmentDocs::new();
        for segment in 0..self.state.searcher.segment_readers().len() as SegmentOrdinal {
            let mut docs = self.targets(segment, keys)?;
            docs.retain(|doc| !known.contains(&handle(DocAddress::new(segment, *doc))));
            docs.sort_unstable();
            docs.dedup();
            if !docs.is_empty() {
                targets.insert(segment, docs);
            }
        }
        self.parts(words, &targets)
    }

    /// The blocks that have a key, and of a page that has one the first.
    fn targets(&self, segment: SegmentOrdinal, keys: &[u64]) -> Result<Vec<DocId>, TantivyError> {
        let State { searcher, fields, view, .. } = &*self.state;
        let (reader, columns) = (searcher.segment_reader(segment), &view.columns[segment as usize]);
        let inverted = reader.inverted_index(fields.link_key)?;
        let mut targets = Vec::new();
        for key in keys {
            let term = Term::from_field_u64(fields.link_key, *key);
            let Some(mut docs) = inverted.read_postings(&term, IndexRecordOption::Basic)? else { continue };
            while docs.doc() != TERMINATED {
                let is_block = columns.ordinal(docs.doc()).is_some();
                let block = if is_block { docs.doc() } else { docs.doc() + 1 };
                if block < reader.max_doc() && !reader.is_deleted(block) {
                    targets.push(block);
                }
                docs.advance();
            }
        }
        Ok(targets)
    }

    fn try_of_pages(
        &self,
        words: &[RankWord],
        blocks: &[BlockHandle],
        blocks_max: usize,
    ) -> Result<Candidates, TantivyError> {
        let mut parts = Vec::new();
        for (segment, wanted) in Self::by_segment(blocks) {
            let end = self.state.searcher.segment_reader(segment).max_doc();
            let columns = &self.state.view.columns[segment as usize];
            let of_page = |doc: DocId| match columns.place(doc).page {
                Some(page) => columns.blocks_of(page, end, u32::try_from(blocks_max).unwrap_or(u32::MAX)),
                None => doc..doc + 1,
            };
            let mut docs: Vec<DocId> = wanted.iter().flat_map(|(doc, _)| of_page(*doc)).collect();
            docs.sort_unstable();
            docs.dedup();
            let places: Vec<BlockPlace> = columns.places(&docs);
            parts.push(self.part_with(words, segment, &docs, &places, &[])?);
        }
        Ok(Candidates { parts, failed_parts: 0 })
    }

    /// The places in `blocks` of those of each segment, by document.
    fn by_segment(blocks: &[BlockHandle]) -> Vec<(SegmentOrdinal, Vec<(DocId, usize)>)> {
        let mut wanted: Vec<(SegmentOrdinal, DocId, usize)> = Vec::with_capacity(blocks.len());
        for (place, block) in blocks.iter().enumerate() {
            let DocAddress { segment_ord, doc_id } = address(*block);
            wanted.push((segment_ord, doc_id, place));
        }
        wanted.sort_unstable();
        let segment = |alike: &[(SegmentOrdinal, DocId, usize)]| {
            (alike[0].0, alike.iter().map(|(_, doc, place)| (*doc, *place)).collect())
        };
        wanted.chunk_by(|a, b| a.0 == b.0).map(segment).collect()
    }

    /// What matches, where that is any block with one of the words.
    fn any_word(&self) -> Option<AnyWord<'_>> {
        let Self { state, forms, entries, budget, .. } = self;
        self.is_any_word.then_some(AnyWord { state, forms, entries, budget })
    }

    fn matching(&self) -> Option<&dyn Query> {
        self.compiled.matching.as_deref()
    }
}

impl EngineQuery for EmbeddedQuery {
    fn known_forms(&self) -> &[Vec<KnownForm>] {
        &self.forms
    }

    fn candidates(&self, request: &CandidateRequest<'_>) -> Result<Candidates, EngineError> {
        Ok(self.try_candidates(request)?)
    }

    fn linked(
        &self,
        words: &[RankWord],
        keys: &[u64],
        known: &HashSet<BlockHandle>,
    ) -> Result<Candidates, EngineError> {
        Ok(self.try_linked(words, keys, known)?)
    }

    fn of_pages(
        &self,
        words: &[RankWord],
        blocks: &[BlockHandle],
        blocks_max: usize,
    ) -> Result<Candidates, EngineError> {
        Ok(self.try_of_pages(words, blocks, blocks_max)?)
    }

    fn places(&self, words: &[RankWord], blocks: &[BlockHandle]) -> Result<Vec<Vec<WordPlace>>, EngineError> {
        let mut places = vec![Vec::new(); blocks.len()];
        for (segment, wanted) in Self::by_segment(blocks) {
            let docs: Vec<DocId> = wanted.iter().map(|(doc, _)| *doc).collect();
            let found = self.probe(words, segment, &docs).places()?;
            for ((_, place), found) in wanted.into_iter().zip(found) {
                places[place] = found;
            }
        }
        Ok(places)
    }

    fn pointers(&self, blocks: &[BlockHandle]) -> Result<Vec<Vec<PointerWords>>, EngineError> {
        let pointers = |block: &BlockHandle| {
            let DocAddress { segment_ord, doc_id } = address(*block);
            self.state.view.columns[segment_ord as usize].pointers(doc_id).collect()
        };
        Ok(blocks.iter().map(pointers).collect())
    }

    fn top(&self, limit: usize, dates: Dates) -> Result<TopAndTotal, EngineError> {
        let Some(matching) = self.matching() else {
            return Ok(TopAndTotal { top: Vec::new(), total: MatchCount::whole(0) });
        };
        let found = self.state.searcher.search(matching, &TopBlocks { limit, dates, budget: &self.budget })?;
        let top = found.top.iter().map(|block| self.state.top_block(block.address, block.score)).collect();
        Ok(TopAndTotal { top, total: MatchCount::whole(found.total) })
    }

    fn count(&self) -> Result<MatchCount, EngineError> {
        if let Some(any_word) = self.any_word() {
            let mut count = 0;
            any_word.for_each_segment(|_, _, docs| {
                count += docs.count();
                Ok(())
            })?;
            return Ok(MatchCount::whole(count));
        }
        let Some(matching) = self.matching() else { return Ok(MatchCount::whole(0)) };
        Ok(MatchCount::whole(self.state.searcher.search(matching, &Count { budget: &self.budget })?))
    }

    fn count_up_to(&self, most: u64) -> Result<u64, EngineError> {
        if most == u64::MAX {
            return Ok(self.count()?.blocks);
        }
        let Some(matching) = self.matching() else { return Ok(0) };
        Ok(count_up_to(&self.state.searcher, matching, most, &self.budget)?)
    }

    fn facets(&self) -> Result<Facets, EngineError> {
        let State { searcher, view, .. } = &*self.state;
        if let Some(any_word) = self.any_word() {
            let mut sums = FacetSums::default();
            any_word.for_each_segment(|ord, segment, docs| {
                let column = view.columns[ord as usize].facets(segment)?;
                let mut counts = column.counts();
                docs.for_each(|doc| column.count(doc, &mut counts));
                column.add_to(&counts, &mut sums);
                Ok(())
            })?;
            return Ok(sums.facets(!self.budget.is_spent()));
        }
        let Some(matching) = self.matching() else { return Ok(Facets::default()) };
        Ok(count_facets(searcher, &view.columns, matching, &self.budget)?)
    }

    fn field_counts(
        &self,
        words: &[RankWord],
        blocks: &[BlockHandle],
        visit: &mut dyn FnMut(usize, WordRow<'_>, Option<WordRow<'_>>),
    ) -> Result<(), EngineError> {
        for (segment, wanted) in Self::by_segment(blocks) {
            let docs: Vec<DocId> = wanted.iter().map(|(doc, _)| *doc).collect();
            let part = self.part(words, segment, &docs)?;
            for (row, ((_, place), candidate)) in wanted.into_iter().zip(&part.candidates).enumerate() {
                visit(place, part.blocks.row(row), candidate.page_row.map(|page| part.pages.row(page)));
            }
        }
        Ok(())
    }
}
