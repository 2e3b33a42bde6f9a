//! Terms by pattern, from the dictionaries of the segments.

use std::cmp::Reverse;
use std::collections::HashMap;

use tantivy::query::FuzzyTermQuery;
use tantivy::schema::Field;
use tantivy::{Searcher, SegmentReader, TantivyError, Term};
use tantivy_fst::Automaton;

use crate::engine::{TermCount, TermPattern, TermScope};

/// Share of the documents in whose segments, the largest, spellings are looked for. Where sites were taken in one by one, each may have a
/// segment of its own.
const SAMPLE_SHARE: f64 = 0.95;

/// Segments of these at most.
const SAMPLE_SEGMENTS_MAX: usize = 48;

/// The terms of one field, most frequent first.
pub(super) fn terms(
    searcher: &Searcher,
    field: Field,
    pattern: TermPattern<'_>,
    scope: TermScope,
    scan_max: &mut usize,
) -> Result<Vec<TermCount>, TantivyError> {
    let segments = segments(searcher, scope);
    let counts = match pattern {
        TermPattern::Prefix(prefix) => beginning_with(&segments, field, prefix, scan_max)?,
        TermPattern::Near { term, distance } => {
            let query = FuzzyTermQuery::new(Term::from_field_text(field, term), distance, true);
            let first_len = term.chars().next().map_or(0, char::len_utf8);
            accepted(&segments, field, &term[..first_len], &query.automaton()?)?
        }
        TermPattern::AnyOf(texts) => any_of(&segments, field, texts)?,
    };
    Ok(most_frequent_first(counts))
}

fn segments(searcher: &Searcher, scope: TermScope) -> Vec<&SegmentReader> {
    let mut segments: Vec<&SegmentReader> = searcher.segment_readers().iter().collect();
    if scope == TermScope::Sample {
        segments.sort_by_key(|segment| Reverse(segment.max_doc()));
        segments.truncate(sample_len(&segments.iter().map(|segment| segment.max_doc()).collect::<Vec<_>>()));
    }
    segments
}

/// How many of the segments with so many documents, the largest first, are the sample.
fn sample_len(documents: &[u32]) -> usize {
    let all: f64 = documents.iter().copied().map(f64::from).sum();
    let mut seen = 0.0;
    let enough = documents.iter().position(|own| {
        seen += f64::from(*own);
        seen >= SAMPLE_SHARE * all
    });
    enough.map_or(documents.len(), |last| last + 1).min(SAMPLE_SEGMENTS_MAX)
}

type Counts = HashMap<String, u64>;

fn beginning_with(
    segments: &[&SegmentReader],
    field: Field,
    prefix: &str,
    scan_max: &mut usize,
) -> Result<Counts, TantivyError> {
    let mut counts = Counts::new();
    for segment in segments {
        let inverted = segment.inverted_index(field)?;
        let mut terms = inverted.terms().range().ge(prefix).into_stream()?;
        while *scan_max > 0 && terms.advance() && terms.key().starts_with(prefix.as_bytes()) {
            count(&mut counts, terms.key(), terms.value().doc_freq);
            *scan_max -= 1;
        }
    }
    Ok(counts)
}

/// Terms that begin with `first` and that the automaton accepts.
fn accepted<A: Automaton>(
    segments: &[&SegmentReader],
    field: Field,
    first: &str,
    automaton: &A,
) -> Result<Counts, TantivyError>
where
    A::State: Clone,
{
    let mut counts = Counts::new();
    let end = first.as_bytes().split_last().map(|(last, before)| [before, &[last + 1]].concat());
    for segment in segments {
        let inverted = segment.inverted_index(field)?;
        let mut terms = inverted.terms().search(automaton).ge(first);
        // Without an end, the search for what comes behind the last one would go through all the rest.
        if let Some(end) = &end {
            terms = terms.lt(end);
        }
        let mut terms = terms.into_stream()?;
        while terms.advance() {
            count(&mut counts, terms.key(), terms.value().doc_freq);
        }
    }
    Ok(counts)
}

fn any_of(segments: &[&SegmentReader], field: Field, texts: &[String]) -> Result<Counts, TantivyError> {
    let mut counts = Counts::new();
    for segment in segments {
        let inverted = segment.inverted_index(field)?;
        for text in texts {
            if let Some(info) = inverted.get_term_info(&Term::from_field_text(field, text))? {
                count(&mut counts, text.as_bytes(), info.doc_freq);
            }
        }
    }
    Ok(counts)
}

/// Terms that begin with a control character stand for no word as it is written.
fn count(counts: &mut Counts, term: &[u8], blocks: u32) {
    if term.first().is_some_and(u8::is_ascii_control) {
        return;
    }
    let term = String::from_utf8_lossy(term).into_owned();
    *counts.entry(term).or_insert(0) += u64::from(blocks);
}

fn most_frequent_first(counts: Counts) -> Vec<TermCount> {
    let mut terms: Vec<TermCount> = counts.into_iter().collect();
    terms.sort_unstable_by(|(a, a_count), (b, b_count)| b_count.cmp(a_count).then_with(|| a.cmp(b)));
    terms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_has_nearly_all_documents() {
        assert_eq!(sample_len(&[]), 0);
        assert_eq!(sample_len(&[96, 1, 1, 1, 1]), 1);
        assert_eq!(sample_len(&[10; 40]), 38);
        assert_eq!(sample_len(&[1; 400]), SAMPLE_SEGMENTS_MAX);
    }
}
