//! From a query's text to the engine's query.

use std::collections::HashSet;
use std::fmt;

use serde::{Deserialize, Serialize};
use tantivy::query::{
    BooleanQuery, BoostQuery, ConstScoreQuery, DisjunctionMaxQuery, EmptyQuery, Occur, PhraseQuery, Query, TermQuery,
};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{Searcher, TantivyError, Term};

use crate::analysis::{Analyzer, Form, Language, Surface, extra_words, for_each_surface};
use crate::highlight::QueryTerms;
use crate::rank::RankWord;

/// Bytes of a query's text that are read; the rest is ignored and reported.
pub const QUERY_BYTES_MAX: usize = 10_000;

/// Different words of a query that are searched for; the rest are ignored and reported.
pub const QUERY_TERMS_MAX: usize = 256;

/// Spellings of a phrase that are tried in one language.
const PHRASE_SPELLINGS_MAX: usize = 32;

/// What to search for.
///
/// Any word may match, more and rarer ones rank higher. A part in double quotes, `"` or `“…”`, must occur word by word.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct BlockQuery {
    /// The user's words.
    pub text: String,
    /// Blocks wanted; 0 gives the total only.
    pub limit: usize,
    /// Blocks of the ranking to skip.
    pub offset: usize,
    /// How blocks are ranked.
    pub ranking: Ranking,
}

/// How blocks are ranked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ranking {
    /// The paper's: cosine of the TF-IDF vectors of query and block, eq. (1).
    Cosine,
    /// BM25 (k1 1.2, b 0.75) over title, heading path, lead, body and image text joined.
    Bm25,
    /// All that is known: see [`BlendWeights`](crate::BlendWeights).
    #[default]
    Blend,
}

impl BlockQuery {
    /// A query for the first `limit` blocks.
    pub fn new(text: impl Into<String>, limit: usize) -> Self {
        Self { text: text.into(), limit, ..Self::default() }
    }
}

/// What a searcher tells about how it understood a query.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum QueryNote {
    /// The text holds no word, only spaces and punctuation, so nothing is found.
    NoWords,
    /// The text is longer than [`QUERY_BYTES_MAX`]; its end was ignored.
    TextCut {
        /// Bytes ignored.
        ignored_bytes: usize,
    },
    /// There are more than [`QUERY_TERMS_MAX`] different words; later ones were ignored.
    WordsIgnored {
        /// How many, counting repeated ones.
        count: usize,
    },
}

impl fmt::Display for QueryNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoWords => f.write_str(
                "the query has no word to search for, only spaces, signs or overlong words; nothing can be found",
            ),
            Self::TextCut { ignored_bytes } => {
                write!(f, "the query is longer than {QUERY_BYTES_MAX} bytes; its last {ignored_bytes} were ignored")
            }
            Self::WordsIgnored { count } => {
                write!(f, "the query has more than {QUERY_TERMS_MAX} different words; {count} were ignored")
            }
        }
    }
}

/// A query ready for the engine.
pub(crate) struct CompiledQuery {
    /// Nothing when no word of the query is in the index.
    pub(crate) query: Option<Box<dyn Query>>,
    /// What a block must match; adds nothing to the score of a blend.
    pub(crate) constraint: Option<Box<dyn Query>>,
    /// The words that score.
    pub(crate) words: Vec<RankWord>,
    pub(crate) terms: QueryTerms,
    pub(crate) notes: Vec<QueryNote>,
}

/// A piece of the query's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part<'t> {
    Words(&'t str),
    Phrase(&'t str),
}

/// Compiles queries against one state of the index.
pub(crate) struct QueryCompiler<'a> {
    pub(crate) searcher: &'a Searcher,
    /// The joined field.
    pub(crate) all: Field,
    /// The joined field of pages.
    pub(crate) page_all: Field,
    /// Blocks and pages in the index.
    pub(crate) kinds: (u64, u64),
    /// The field of a block's language.
    pub(crate) language: Field,
    /// Languages to try every word in.
    pub(crate) languages: &'a [Language],
    pub(crate) analyzer: &'a mut Analyzer,
}

/// The terms of a phrase with their places in it.
type Sequence = Vec<(usize, Term)>;

/// What has been gathered from the parts so far.
#[derive(Default)]
struct Gathered<'t> {
    clauses: Vec<(Occur, Box<dyn Query>)>,
    scoring: Vec<RankWord>,
    terms: QueryTerms,
    seen: HashSet<&'t str>,
    words: usize,
    ignored: usize,
}

impl QueryCompiler<'_> {
    pub(crate) fn compile(&mut self, text: &str) -> Result<CompiledQuery, TantivyError> {
        let cut = floor_char_boundary(text, QUERY_BYTES_MAX);
        let mut notes = Vec::new();
        if cut < text.len() {
            notes.push(QueryNote::TextCut { ignored_bytes: text.len() - cut });
        }
        let mut gathered = Gathered::default();
        for part in parts(&text[..cut]) {
            match part {
                Part::Words(words) => self.words(words, &mut gathered)?,
                Part::Phrase(phrase) => self.phrase(phrase, &mut gathered)?,
            }
        }
        if gathered.words == 0 {
            notes.push(QueryNote::NoWords);
        }
        if gathered.ignored > 0 {
            notes.push(QueryNote::WordsIgnored { count: gathered.ignored });
        }
        let must = gathered.clauses.iter().filter(|(occur, _)| *occur == Occur::Must);
        let required: Vec<_> = must.map(|(occur, query)| (*occur, query.box_clone())).collect();
        let boolean = |clauses: Vec<(Occur, Box<dyn Query>)>| -> Option<Box<dyn Query>> {
            (!clauses.is_empty()).then(|| Box::new(BooleanQuery::new(clauses)) as Box<dyn Query>)
        };
        let (query, constraint) = (boolean(gathered.clauses), boolean(required));
        Ok(CompiledQuery { query, constraint, words: gathered.scoring, terms: gathered.terms, notes })
    }

    fn words<'t>(&mut self, text: &'t str, gathered: &mut Gathered<'t>) -> Result<(), TantivyError> {
        for surface in surfaces(text) {
            if gathered.take(surface.text) {
                let forms = self.analyzer.forms(&surface, self.languages);
                self.word(&forms, gathered)?;
            }
        }
        for extra in extra_words(text) {
            if gathered.seen.len() < QUERY_TERMS_MAX && gathered.seen.insert(extra.source) {
                let forms = self.analyzer.extra_forms(&extra, self.languages);
                self.word(&forms, gathered)?;
            }
        }
        Ok(())
    }

    fn word(&mut self, forms: &[Form], gathered: &mut Gathered<'_>) -> Result<(), TantivyError> {
        if let Some(query) = self.any_form(forms)? {
            gathered.clauses.push((Occur::Should, query));
        }
        gathered.terms.push_word(forms);
        gathered.scoring.extend(self.rank_word(forms.to_vec())?);
        Ok(())
    }

    /// A word for ranking; nothing when the index has none of its forms.
    fn rank_word(&self, forms: Vec<Form>) -> Result<Option<RankWord>, TantivyError> {
        let most = |field: Field| -> Result<u64, TantivyError> {
            let mut frequencies =
                forms.iter().map(|form| self.searcher.doc_freq(&Term::from_field_text(field, &form.term)));
            frequencies.try_fold(0, |most, frequency| Ok(most.max(frequency?)))
        };
        let (blocks, pages) = (most(self.all)?, most(self.page_all)?);
        if blocks.max(pages) == 0 {
            return Ok(None);
        }
        let n = blocks.max(1) as f32;
        let idf = (1.0 + (self.kinds.0 as f32 - n + 0.5).max(0.0) / (n + 0.5)).ln();
        let page_idf = (self.kinds.1.max(1) as f32 / pages.max(1) as f32).ln();
        Ok(Some(RankWord { forms, idf, page_idf }))
    }

    /// Requires the words of `text` one after the other, in any one language.
    fn phrase<'t>(&mut self, text: &'t str, gathered: &mut Gathered<'t>) -> Result<(), TantivyError> {
        let mut surfaces = surfaces(text);
        let room = QUERY_TERMS_MAX.saturating_sub(gathered.seen.len());
        gathered.words += surfaces.len();
        gathered.ignored += surfaces.len().saturating_sub(room);
        surfaces.truncate(room);
        gathered.seen.extend(surfaces.iter().map(|surface| surface.text));
        let forms: Vec<Vec<Form>> =
            surfaces.iter().map(|surface| self.analyzer.forms(surface, self.languages)).collect();
        for forms in &forms {
            gathered.terms.push_word(forms);
        }
        for forms in &forms {
            gathered.scoring.extend(self.rank_word(forms.clone())?);
        }
        let query = match &forms[..] {
            [] => return Ok(()),
            [forms] => self.any_form(forms)?.unwrap_or_else(|| Box::new(EmptyQuery)),
            _ => self.any_sequence(&surfaces)?,
        };
        gathered.clauses.push((Occur::Must, query));
        Ok(())
    }

    /// The best of a word's forms that the index has.
    ///
    /// A stem counts in blocks of its language alone: that of another language may be any word here. Every stem counts as rare
    /// as the most frequent one, since its own inverse document frequency would put a stem of a rare language first. Another
    /// spelling counts at most as rare, times its factor; it does not make the word itself count less.
    fn any_form(&self, forms: &[Form]) -> Result<Option<Box<dyn Query>>, TantivyError> {
        let mut known = Vec::with_capacity(forms.len());
        let mut least_idf = f32::INFINITY;
        for form in forms {
            let term = Term::from_field_text(self.all, &form.term);
            let document_frequency = self.searcher.doc_freq(&term)?;
            if document_frequency > 0 {
                let idf = self.idf(document_frequency)?;
                if form.factor >= 1.0 {
                    least_idf = least_idf.min(idf);
                }
                known.push((term, idf, form));
            }
        }
        if known.is_empty() {
            return Ok(None);
        }
        let mut queries = Vec::with_capacity(known.len());
        for (term, idf, form) in known {
            let mut query: Box<dyn Query> = Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs));
            let boost = form.factor * idf.min(least_idf) / idf;
            if boost < 1.0 {
                query = Box::new(BoostQuery::new(query, boost));
            }
            queries.push(self.only_in(&form.languages, query));
        }
        Ok(Some(best_of(queries)))
    }

    /// The best of a phrase's sequences that the index may have: those of each language, no two languages mixed.
    fn any_sequence(&mut self, surfaces: &[Surface<'_>]) -> Result<Box<dyn Query>, TantivyError> {
        let mut sequences: Vec<(Sequence, Vec<Language>)> = Vec::new();
        for language in std::iter::once(Language::UNDETERMINED).chain(self.languages.iter().copied()) {
            for sequence in self.sequences(surfaces, language)? {
                match sequences.iter().position(|(known, _)| *known == sequence) {
                    Some(known) if sequences[known].1.is_empty() => {}
                    Some(known) => sequences[known].1.push(language),
                    None if language == Language::UNDETERMINED => sequences.push((sequence, Vec::new())),
                    None => sequences.push((sequence, vec![language])),
                }
            }
        }
        let mut queries: Vec<Box<dyn Query>> = Vec::new();
        for (sequence, languages) in sequences {
            queries.push(self.only_in(&languages, Box::new(PhraseQuery::new_with_offset(sequence))));
        }
        Ok(best_of(queries))
    }

    /// The sequences of a phrase in one language whose terms are in the index, likely ones first.
    ///
    /// Where most words may be spelled in two ways there are too many; writers keep to one way, so those with fewest words in
    /// the way that is rarer in them are tried.
    fn sequences(&mut self, surfaces: &[Surface<'_>], language: Language) -> Result<Vec<Sequence>, TantivyError> {
        let mut sequences: Vec<(usize, Sequence)> = vec![(0, Vec::new())];
        for (words, surface) in surfaces.iter().enumerate() {
            let offset = (surface.position - surfaces[0].position) as usize;
            let mut longer = Vec::new();
            for (spelling, text) in self.analyzer.spellings(surface, language).into_iter().enumerate() {
                let term = Term::from_field_text(self.all, &text);
                if self.searcher.doc_freq(&term)? > 0 {
                    longer.extend(sequences.iter().map(|(respelled, sequence)| {
                        let term = std::iter::once((offset, term.clone()));
                        (respelled + usize::from(spelling > 0), sequence.iter().cloned().chain(term).collect())
                    }));
                }
            }
            longer.sort_by_key(|(respelled, _)| *respelled.min(&(words + 1 - respelled)));
            longer.truncate(PHRASE_SPELLINGS_MAX);
            sequences = longer;
        }
        Ok(sequences.into_iter().map(|(_, sequence)| sequence).collect())
    }

    /// `query` within blocks of these languages; with none, within all.
    fn only_in(&self, languages: &[Language], query: Box<dyn Query>) -> Box<dyn Query> {
        if languages.is_empty() {
            return query;
        }
        let terms = languages.iter().map(|language| {
            let term = Term::from_field_text(self.language, language.code());
            Box::new(TermQuery::new(term, IndexRecordOption::Basic)) as Box<dyn Query>
        });
        let within = ConstScoreQuery::new(Box::new(BooleanQuery::union(terms.collect())), 0.0);
        Box::new(BooleanQuery::intersection(vec![query, Box::new(within)]))
    }

    /// The engine's inverse document frequency, ln(1 + (N − n + 0.5) / (n + 0.5)).
    fn idf(&self, document_frequency: u64) -> Result<f32, TantivyError> {
        use tantivy::query::Bm25StatisticsProvider;
        let documents = self.searcher.total_num_docs()? as f32;
        let n = document_frequency as f32;
        Ok((1.0 + (documents - n + 0.5) / (n + 0.5)).ln())
    }
}

impl<'t> Gathered<'t> {
    /// Counts a word and tells whether it is new and still has room.
    fn take(&mut self, word: &'t str) -> bool {
        self.words += 1;
        if self.seen.contains(word) {
            return false;
        }
        if self.seen.len() >= QUERY_TERMS_MAX {
            self.ignored += 1;
            return false;
        }
        self.seen.insert(word)
    }
}

/// Matches what any query matches, with the highest of their scores.
fn best_of(mut queries: Vec<Box<dyn Query>>) -> Box<dyn Query> {
    match queries.len() {
        0 => Box::new(EmptyQuery),
        1 => queries.swap_remove(0),
        _ => Box::new(DisjunctionMaxQuery::new(queries)),
    }
}

fn surfaces(text: &str) -> Vec<Surface<'_>> {
    let mut surfaces = Vec::new();
    for_each_surface(text, |surface| surfaces.push(surface));
    surfaces
}

/// The last character border at or before `at`.
fn floor_char_boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// Parts a text at its double quotes; after a quote that is never closed, words are words.
fn parts(text: &str) -> Vec<Part<'_>> {
    let is_quote = |char| matches!(char, '"' | '“' | '”' | '„' | '«' | '»' | '＂');
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((words, quoted)) = rest.split_once(is_quote) {
        parts.push(Part::Words(words));
        let Some((phrase, after)) = quoted.split_once(is_quote) else {
            parts.push(Part::Words(quoted));
            return parts;
        };
        parts.push(Part::Phrase(phrase));
        rest = after;
    }
    parts.push(Part::Words(rest));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_part_the_text() {
        use Part::{Phrase, Words};
        assert_eq!(parts("a b"), [Words("a b")]);
        assert_eq!(parts(r#"a "b c" d"#), [Words("a "), Phrase("b c"), Words(" d")]);
        assert_eq!(parts("“a b”"), [Words(""), Phrase("a b"), Words("")]);
        assert_eq!(parts(r#"a "b c"#), [Words("a "), Words("b c")]);
        assert_eq!(parts(r#""""#), [Words(""), Phrase(""), Words("")]);
    }
}
