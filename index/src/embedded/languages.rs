//! How many blocks of each language have a term.

use std::collections::BTreeMap;

use lopper_analysis::Language;
use tantivy::postings::BlockSegmentPostings;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, SegmentOrdinal, TantivyError};

use super::columns::Columns;
use super::lexicon::LexiconTerm;
use super::snapshot::State;
use crate::engine::Budget;
use crate::searcher::LanguageCount;

/// Documents with a frequent term that are looked at in a segment, about.
const SAMPLE: u32 = 8192;

/// A term is frequent if more documents of a segment have it than so many, and more than one in so many.
const FREQUENT: (u32, u32) = (65_536, 16);

/// Documents that are looked at in a row: few, since neighbours are of one language.
const WINDOW: DocId = 16;

/// The blocks that have a term, by language; of those of a frequent term an estimate. None where the collection has one
/// language, and where the budget is spent.
pub(super) fn languages_of(
    state: &State,
    entry: &LexiconTerm,
    budget: &Budget,
) -> Result<Vec<LanguageCount>, TantivyError> {
    if !state.view.facts.has_languages() {
        return Ok(Vec::new());
    }
    // What is known already is charged alike, so that a query goes as far whatever was asked before.
    if !budget.spend(entry.documents.min(u64::from(FREQUENT.0))) {
        return Ok(Vec::new());
    }
    if let Some(known) = entry.languages.get() {
        return Ok(known.clone());
    }
    let mut counts: BTreeMap<Language, u64> = BTreeMap::new();
    for ord in 0..state.view.columns.len() as SegmentOrdinal {
        add(state, entry, ord, &mut counts)?;
    }
    let counts = counts.into_iter().map(|(language, blocks)| LanguageCount { language, blocks }).collect();
    Ok(entry.languages.get_or_init(|| counts).clone())
}

/// Adds those of a segment.
fn add(
    state: &State,
    entry: &LexiconTerm,
    ord: SegmentOrdinal,
    counts: &mut BTreeMap<Language, u64>,
) -> Result<(), TantivyError> {
    let Some(info) = entry.in_segment(ord) else { return Ok(()) };
    let segment = state.searcher.segment_reader(ord);
    let columns = &state.view.columns[ord as usize];
    let inverted = segment.inverted_index(state.fields.all)?;
    let postings = inverted.read_block_postings_from_terminfo(info, IndexRecordOption::Basic)?;
    let documents = segment.max_doc();
    let is_frequent = info.doc_freq > FREQUENT.0 && info.doc_freq > documents / FREQUENT.1;
    let windows =
        if is_frequent { (WINDOW, (info.doc_freq / SAMPLE).saturating_mul(WINDOW)) } else { (documents, documents) };
    let seen = seen(postings, columns, documents, windows);
    let all: u64 = seen.iter().sum();
    for (language, count) in columns.languages().iter().zip(seen).filter(|(_, count)| *count > 0) {
        *counts.entry(*language).or_default() += (count * u64::from(info.doc_freq)).div_ceil(all.max(1));
    }
    Ok(())
}

/// The documents in the windows, of which one begins each `step` documents, by number of language.
fn seen(
    mut postings: BlockSegmentPostings,
    columns: &Columns,
    documents: DocId,
    (window, step): (DocId, DocId),
) -> Vec<u64> {
    let mut seen = vec![0; columns.languages().len()];
    let mut begin = 0;
    while begin < documents {
        let end = begin.saturating_add(window).min(documents);
        postings.seek(begin);
        loop {
            let docs = postings.docs();
            let of_window = docs.iter().filter(|doc| (begin..end).contains(*doc));
            for number in of_window.filter_map(|doc| columns.language_number(*doc)) {
                seen[number] += 1;
            }
            if docs.last().is_none_or(|last| *last >= end) {
                break;
            }
            postings.advance();
        }
        begin = begin.saturating_add(step);
    }
    seen
}
