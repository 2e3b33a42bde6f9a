//! What all queries of one commit share.

use std::collections::BTreeSet;
use std::sync::Arc;

use lopper_analysis::Language;
use tantivy::collector::Count;
use tantivy::query::TermQuery;
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{Searcher, SegmentReader, TantivyError, Term};

use super::columns::Columns;
use super::lexicon::KnownTerms;
use super::schema::{BLOCK, Fields, PAGE};
use crate::engine::CollectionFacts;
use crate::searcher::LanguageCount;

/// One commit as ranking sees it. It is made once a commit, since opening columns costs more than reading a few values.
pub(crate) struct CommitView {
    /// By segment.
    pub(crate) columns: Vec<Arc<Columns>>,
    pub(crate) facts: CollectionFacts,
    /// Terms that queries looked up.
    pub(crate) terms: KnownTerms,
}

impl CommitView {
    /// What `former`, the view of an earlier commit, has of the same segments is kept.
    pub(crate) fn open(searcher: &Searcher, fields: &Fields, former: Option<&Self>) -> Result<Self, TantivyError> {
        let known = |segment: &SegmentReader| {
            let mut known = former.iter().flat_map(|former| &former.columns);
            known.find(|columns| columns.segment() == segment.segment_id()).map(Arc::clone)
        };
        let columns = searcher.segment_readers().iter().map(|segment| match known(segment) {
            Some(columns) => Ok(columns),
            None => Columns::open(segment).map(Arc::new),
        });
        let columns: Result<_, TantivyError> = columns.collect();
        let of_kind = |kind| searcher.doc_freq(&Term::from_field_text(fields.kind, kind));
        let (blocks, pages) = (of_kind(BLOCK)?, of_kind(PAGE)?);
        let facts = CollectionFacts {
            blocks,
            pages,
            block_length_mean: mean_length(searcher, fields.all, blocks)?,
            page_length_mean: mean_length(searcher, fields.page.all, pages)?,
            languages: count_languages(searcher, fields.language)?,
        };
        Ok(Self { columns: columns?, facts, terms: KnownTerms::default() })
    }
}

/// Mean length of a joined field in words.
fn mean_length(searcher: &Searcher, field: Field, count: u64) -> Result<f32, TantivyError> {
    let mut words = 0;
    for segment in searcher.segment_readers() {
        words += segment.inverted_index(field)?.total_num_tokens();
    }
    Ok((words as f32 / count.max(1) as f32).max(1.0))
}

fn count_languages(searcher: &Searcher, field: Field) -> Result<Vec<LanguageCount>, TantivyError> {
    let mut codes = BTreeSet::new();
    for segment in searcher.segment_readers() {
        let inverted = segment.inverted_index(field)?;
        let mut terms = inverted.terms().stream()?;
        while terms.advance() {
            codes.insert(String::from_utf8_lossy(terms.key()).into_owned());
        }
    }
    let mut counts = Vec::with_capacity(codes.len());
    for code in codes {
        let query = TermQuery::new(Term::from_field_text(field, &code), IndexRecordOption::Basic);
        let blocks = searcher.search(&query, &Count)? as u64;
        if blocks > 0 {
            counts.push(LanguageCount { language: Language::from_code(&code), blocks });
        }
    }
    counts.sort_by(|a, b| b.blocks.cmp(&a.blocks).then_with(|| a.language.code().cmp(b.language.code())));
    Ok(counts)
}
