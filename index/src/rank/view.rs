//! What all queries of one commit share.

use std::collections::BTreeSet;

use lopper_analysis::Language;
use tantivy::collector::Count;
use tantivy::query::TermQuery;
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{Searcher, TantivyError, Term};

use super::segment::Columns;
use crate::lexicon::KnownTerms;
use crate::schema::{BLOCK, Fields, PAGE};
use crate::searcher::LanguageCount;

/// One commit as ranking sees it. It is made once a commit, since opening columns costs more than reading a few values.
pub(crate) struct CommitView {
    /// By segment.
    pub(crate) columns: Vec<Columns>,
    pub(crate) counts: IndexCounts,
    pub(super) means: MeanLengths,
    /// Terms that queries looked up.
    pub(crate) terms: KnownTerms,
    /// Blocks by language, most first, then by code.
    pub(crate) languages: Vec<LanguageCount>,
}

/// How much there is in the index, deleted documents included.
#[derive(Debug, Clone, Copy)]
pub(crate) struct IndexCounts {
    pub(crate) blocks: u64,
    pub(crate) pages: u64,
}

/// Mean lengths of joined fields, in words.
pub(super) struct MeanLengths {
    pub(super) blocks: f32,
    pub(super) pages: f32,
}

impl CommitView {
    pub(crate) fn open(searcher: &Searcher, fields: &Fields) -> Result<Self, TantivyError> {
        let columns: Result<_, _> = searcher.segment_readers().iter().map(Columns::open).collect();
        let of_kind = |kind| searcher.doc_freq(&Term::from_field_text(fields.kind, kind));
        let counts = IndexCounts { blocks: of_kind(BLOCK)?, pages: of_kind(PAGE)? };
        Ok(Self {
            columns: columns?,
            terms: KnownTerms::default(),
            counts,
            means: MeanLengths::read(searcher, fields, counts)?,
            languages: count_languages(searcher, fields.language)?,
        })
    }
}

impl MeanLengths {
    fn read(searcher: &Searcher, fields: &Fields, counts: IndexCounts) -> Result<Self, TantivyError> {
        let mean = |field: Field, count: u64| -> Result<f32, TantivyError> {
            let mut words = 0;
            for segment in searcher.segment_readers() {
                words += segment.inverted_index(field)?.total_num_tokens();
            }
            Ok((words as f32 / count.max(1) as f32).max(1.0))
        };
        Ok(Self { blocks: mean(fields.all, counts.blocks)?, pages: mean(fields.page.all, counts.pages)? })
    }
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
