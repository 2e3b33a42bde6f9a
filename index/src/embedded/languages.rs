//! How many blocks of each language have a term.

use std::collections::BTreeMap;

use lopper_analysis::Language;
use tantivy::postings::BlockSegmentPostings;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, SegmentOrdinal, TERMINATED, TantivyError};

use super::columns::Columns;
use super::lexicon::LexiconTerm;
use super::snapshot::State;
use crate::engine::Budget;
use crate::searcher::LanguageCount;

/// Of a term that more documents of a segment have than this eight times, about so many are looked at.
const SAMPLE: u32 = 8192;

/// Documents that are looked at in a row.
const WINDOW: DocId = 256;

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
    if let Some(known) = entry.languages.get() {
        return Ok(known.clone());
    }
    let mut counts: BTreeMap<Language, u64> = BTreeMap::new();
    let looked_at = entry.documents.min(u64::from(SAMPLE) * 8 * state.view.columns.len() as u64);
    if !budget.spend(looked_at) {
        return Ok(Vec::new());
    }
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
    let every = info.doc_freq / SAMPLE;
    let window = if every < 8 { segment.max_doc() } else { WINDOW };
    let seen = seen(postings, columns, segment.max_doc(), (window, every.saturating_mul(WINDOW)));
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
            if docs.last().is_none_or(|last| *last >= end || *last == TERMINATED) {
                break;
            }
            postings.advance();
        }
        begin = begin.saturating_add(step.max(window));
    }
    seen
}
