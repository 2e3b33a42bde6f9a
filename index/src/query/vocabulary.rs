//! What the index's dictionary knows of words.

use std::cmp::Reverse;
use std::collections::HashMap;

use lopper_analysis::Analyzer;
use tantivy::query::FuzzyTermQuery;
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocAddress, DocSet, Searcher, SegmentReader, TERMINATED, TantivyDocument, TantivyError, Term};
use tantivy_fst::Automaton;

use super::automata::Family;
use super::words::surfaces;
use crate::document::BlockDocument;
use crate::schema::{Fields, decode};

/// Terms that are looked at for the prefixes of one query, over all segments.
const SCAN_TERMS_MAX: usize = 500_000;

/// Blocks in which the words behind a term are looked up.
const SAMPLE_BLOCKS: usize = 2;

/// Segments, the largest, in which spellings are looked for: what is frequent is in all of them.
const SAMPLE_SEGMENTS: usize = 8;

/// How far apart the codes of an alphabet's letters stand.
const ALPHABET_SPAN: u32 = 32;

/// A term of the dictionary with the number of blocks that have it, deleted ones included.
pub(super) type TermCount = (String, u64);

/// The dictionary of one state of the index.
pub(super) struct Vocabulary<'a> {
    pub(super) searcher: &'a Searcher,
    pub(super) fields: &'a Fields,
    /// Terms that may still be looked at.
    pub(super) scan_left: usize,
    sample: Vec<&'a SegmentReader>,
}

impl<'a> Vocabulary<'a> {
    pub(super) fn new(searcher: &'a Searcher, fields: &'a Fields) -> Self {
        let mut sample: Vec<&SegmentReader> = searcher.segment_readers().iter().collect();
        sample.sort_by_key(|segment| Reverse(segment.max_doc()));
        sample.truncate(SAMPLE_SEGMENTS);
        Self { searcher, fields, scan_left: SCAN_TERMS_MAX, sample }
    }

    /// Terms that begin with `prefix`, most frequent first.
    pub(super) fn beginning_with(&mut self, field: Field, prefix: &str) -> Result<Vec<TermCount>, TantivyError> {
        let mut counts = HashMap::new();
        for segment in self.searcher.segment_readers() {
            let inverted = segment.inverted_index(field)?;
            let mut terms = inverted.terms().range().ge(prefix).into_stream()?;
            while self.scan_left > 0 && terms.advance() && terms.key().starts_with(prefix.as_bytes()) {
                count(&mut counts, terms.key(), terms.value().doc_freq);
                self.scan_left -= 1;
            }
        }
        Ok(most_frequent_first(counts))
    }

    /// Terms that may be the stem of `word` or of a word that begins with it, of so many bytes at least.
    pub(super) fn family(&self, field: Field, word: &str, bytes_min: usize) -> Result<Vec<TermCount>, TantivyError> {
        accepted(self.searcher.segment_readers(), field, "", &Family { word, bytes_min })
    }

    /// The same in the largest segments.
    pub(super) fn sampled_family(&self, word: &str, bytes_min: usize) -> Result<Vec<TermCount>, TantivyError> {
        accepted(self.sample.iter().copied(), self.fields.all, "", &Family { word, bytes_min })
    }

    /// Terms of the largest segments at most `distance` changes of a character away, none of which is in the first one: it makes it quick.
    /// Changing places of two is one.
    pub(super) fn near(&self, field: Field, term: &str, distance: u8) -> Result<Vec<TermCount>, TantivyError> {
        let query = FuzzyTermQuery::new(Term::from_field_text(field, term), distance, true);
        let first_len = term.chars().next().map_or(0, char::len_utf8);
        accepted(self.sample.iter().copied(), field, &term[..first_len], &query.automaton()?)
    }

    /// Terms of the largest segments that are `term` but for their beginning: without its first character, with another one, with one
    /// more, or with the first two swapped. Other characters are letters that stand near to the second one in the code, as those of one
    /// alphabet do.
    pub(super) fn with_other_first(&self, field: Field, term: &str) -> Result<Vec<TermCount>, TantivyError> {
        let mut chars = term.chars();
        let (Some(first), Some(second)) = (chars.next(), chars.next()) else { return Ok(Vec::new()) };
        let (without, behind) = (&term[first.len_utf8()..], chars.as_str());
        let mut texts = vec![without.to_owned(), format!("{second}{first}{behind}")];
        let codes = u32::from(second).saturating_sub(ALPHABET_SPAN)..=u32::from(second).saturating_add(ALPHABET_SPAN);
        let letters = codes.filter_map(char::from_u32).filter(|char| char.is_alphabetic() && !char.is_uppercase());
        texts.extend(letters.flat_map(|letter| [format!("{letter}{without}"), format!("{letter}{term}")]));
        let mut counts = HashMap::new();
        for segment in &self.sample {
            let inverted = segment.inverted_index(field)?;
            for text in texts.iter().filter(|text| *text != term) {
                if let Some(info) = inverted.get_term_info(&Term::from_field_text(field, text))? {
                    count(&mut counts, text.as_bytes(), info.doc_freq);
                }
            }
        }
        Ok(most_frequent_first(counts))
    }

    /// Words, as they stand in the first blocks that have it, whose term is `term`; each once, the most frequent first.
    pub(super) fn words_behind(&self, analyzer: &mut Analyzer, term: &str) -> Result<Vec<String>, TantivyError> {
        let mut counts = HashMap::new();
        for address in self.first_blocks(&Term::from_field_text(self.fields.all, term))? {
            let encoded: TantivyDocument = self.searcher.doc(address)?;
            let block = decode(self.fields, &encoded);
            for text in texts(&block) {
                for surface in surfaces(text) {
                    if analyzer.term(&surface, block.language) == term {
                        *counts.entry(surface.text.to_owned()).or_insert(0) += 1;
                    }
                }
            }
        }
        Ok(most_frequent_first(counts).into_iter().map(|(word, _)| word).collect())
    }

    fn first_blocks(&self, term: &Term) -> Result<Vec<DocAddress>, TantivyError> {
        let mut blocks = Vec::new();
        for (segment, reader) in self.searcher.segment_readers().iter().enumerate() {
            let inverted = reader.inverted_index(term.field())?;
            let Some(mut postings) = inverted.read_postings(term, IndexRecordOption::Basic)? else { continue };
            while postings.doc() != TERMINATED {
                if blocks.len() == SAMPLE_BLOCKS {
                    return Ok(blocks);
                }
                if !reader.is_deleted(postings.doc()) {
                    blocks.push(DocAddress::new(segment as u32, postings.doc()));
                }
                postings.advance();
            }
        }
        Ok(blocks)
    }
}

/// Terms that begin with `first` and that the automaton accepts, most frequent first.
fn accepted<'s, A: Automaton>(
    segments: impl IntoIterator<Item = &'s SegmentReader>,
    field: Field,
    first: &str,
    automaton: &A,
) -> Result<Vec<TermCount>, TantivyError>
where
    A::State: Clone,
{
    let mut counts = HashMap::new();
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
    Ok(most_frequent_first(counts))
}

/// The searched texts of a block.
fn texts(block: &BlockDocument) -> impl Iterator<Item = &str> {
    let single = [&block.title, &block.lead, &block.body, &block.image_text];
    single.into_iter().chain(&block.heading_path).map(String::as_str)
}

/// Terms that begin with a control character stand for no word as it is written.
fn count(counts: &mut HashMap<String, u64>, term: &[u8], blocks: u32) {
    if term.first().is_some_and(u8::is_ascii_control) {
        return;
    }
    let term = String::from_utf8_lossy(term).into_owned();
    *counts.entry(term).or_insert(0) += u64::from(blocks);
}

fn most_frequent_first(counts: HashMap<String, u64>) -> Vec<TermCount> {
    let mut terms: Vec<TermCount> = counts.into_iter().collect();
    terms.sort_unstable_by(|(a, a_count), (b, b_count)| b_count.cmp(a_count).then_with(|| a.cmp(b)));
    terms
}
