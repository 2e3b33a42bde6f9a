//! Finding a query's words in a text.

use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64;

use lopper_analysis::{Analyzer, Language, TermForm};

/// A word that more than three in ten blocks have says little beside a word that has three times its weight.
const SLIGHT_IDF: f32 = 1.2;
const SLIGHT_SHARE: f32 = 0.35;

/// The terms a query looks for, each with the number of the query word it is a form of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QueryTerms {
    /// By increasing hash.
    forms: Vec<QueryForm>,
    /// Of each word the number that it is found by: its own, or that of an earlier word that has one of its forms, as `line` and `lines`.
    words: Vec<u32>,
    /// Numbers of the words that say little beside the others, ascending.
    slight: Vec<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct QueryForm {
    /// Of the term, by [`xxh3_64`].
    hash: u64,
    term: String,
    word: u32,
    /// Languages that it is a form in; none for all.
    languages: Vec<Language>,
}

impl QueryTerms {
    /// The terms of `text` in one language, for callers that highlight without searching.
    pub fn of_text(analyzer: &mut Analyzer, text: &str, language: Language) -> Self {
        let mut terms = Self::default();
        analyzer.analyze(text, language, |token| {
            terms.push_word(&[TermForm { term: token.term.to_owned(), languages: Vec::new(), factor: 1.0 }]);
        });
        terms
    }

    /// The terms of a query's words, each word with its forms.
    pub(crate) fn of_words<'f>(words: impl Iterator<Item = &'f [TermForm]>) -> Self {
        let mut terms = Self::default();
        words.for_each(|forms| terms.push_word(forms));
        terms
    }

    /// Adds the terms that are forms of one more query word.
    pub(crate) fn push_word(&mut self, forms: &[TermForm]) {
        let word = self.words.len() as u32;
        let alike = |form: &TermForm| self.forms.iter().find(|known| known.term == form.term).map(|known| known.word);
        let word = forms.iter().filter(|form| !form.is_further()).find_map(alike).unwrap_or(word);
        self.words.push(word);
        for TermForm { term, languages, .. } in forms {
            let hash = xxh3_64(term.as_bytes());
            if let Some(known) = self.forms.iter_mut().find(|known| known.term == *term) {
                if languages.is_empty() {
                    known.languages.clear();
                }
                continue;
            }
            let place = self.forms.partition_point(|known| known.hash < hash);
            let form = QueryForm { hash, term: term.clone(), word, languages: languages.clone() };
            self.forms.insert(place, form);
        }
    }

    /// Whether a word is among those found, whose numbers increase.
    pub(crate) fn is_among(&self, word: u32, found: &[u32]) -> bool {
        self.words.get(word as usize).is_some_and(|number| found.binary_search(number).is_ok())
    }

    /// Tells which words say little, from the inverse document frequency of each over blocks.
    pub(crate) fn weigh(&mut self, idfs: impl Iterator<Item = f32> + Clone) {
        let slight = SLIGHT_IDF.min(idfs.clone().fold(0.0, f32::max) * SLIGHT_SHARE);
        self.slight = (0..).zip(idfs).filter(|(_, idf)| *idf < slight).map(|(word, _)| word).collect();
    }

    /// A word of the query at its place.
    pub(crate) fn found(&self, word: u32, place: Range<usize>) -> Match {
        Match { start: place.start, end: place.end, word, is_slight: self.slight.binary_search(&word).is_ok() }
    }

    /// The number of the query word that `term` is a form of in a text of that language.
    pub(crate) fn word_of(&self, term: &str, language: Language) -> Option<u32> {
        self.word_of_hashed(xxh3_64(term.as_bytes()), term, language)
    }

    /// The same, with the hash of the term.
    pub(crate) fn word_of_hashed(&self, hash: u64, term: &str, language: Language) -> Option<u32> {
        let place = self.forms.partition_point(|form| form.hash < hash);
        let alike = self.forms[place..].iter().take_while(|form| form.hash == hash);
        let form = alike.into_iter().find(|form| form.term == term)?;
        (form.languages.is_empty() || form.languages.contains(&language)).then_some(form.word)
    }

    /// All terms, in no order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.forms.iter().map(|form| form.term.as_str())
    }

    /// Whether there is no term.
    pub fn is_empty(&self) -> bool {
        self.forms.is_empty()
    }
}

/// A query word at its place in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Match {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) word: u32,
    /// Whether the word says little beside others of the query.
    pub(crate) is_slight: bool,
}

/// Where a query's words stand in a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FoundWords(pub(crate) Vec<Match>);

impl FoundWords {
    /// Looks for them.
    pub fn new(analyzer: &mut Analyzer, text: &str, language: Language, terms: &QueryTerms) -> Self {
        Self(matches(analyzer, text, language, terms))
    }

    /// Adds a place behind the others. A further form of a word that was found there already tells nothing new.
    pub(crate) fn add(&mut self, found: Match) {
        let place = |found: &Match| (found.start, found.end, found.word);
        if self.0.last().is_none_or(|last| place(last) != place(&found)) {
            self.0.push(found);
        }
    }

    /// The different words in each of some parts of the text that follow each other.
    pub(crate) fn by_part(&self, parts: &[Range<usize>]) -> Vec<Vec<u32>> {
        let mut left = &self.0[..];
        let mut words_in = |part: &Range<usize>| {
            let (inside, behind) = left.split_at(left.partition_point(|found| found.start < part.end));
            left = behind;
            distinct(inside.iter().map(|found| found.word))
        };
        parts.iter().map(&mut words_in).collect()
    }
}

/// Words, each once, by number.
pub(crate) fn distinct(words: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut words: Vec<u32> = words.collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// Every place where `text`, analysed in `language`, has a term of the query; by start, each place once.
pub(crate) fn matches(analyzer: &mut Analyzer, text: &str, language: Language, terms: &QueryTerms) -> Vec<Match> {
    let mut found = FoundWords::default();
    if terms.is_empty() {
        return found.0;
    }
    analyzer.analyze_for_index(text, language, |token| {
        if let Some(word) = terms.word_of(token.term, language) {
            found.add(terms.found(word, token.start..token.end));
        }
    });
    found.0
}

/// The byte ranges of matches, overlapping ones (pairs of characters) joined. Words that say little are marked only between others.
pub(crate) fn joined_ranges(matches: &[Match]) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::with_capacity(matches.len());
    for row in matches.chunk_by(|one, next| next.start <= one.end + 1) {
        let Some(first) = row.iter().position(|found| !found.is_slight) else { continue };
        let behind = row.iter().rposition(|found| !found.is_slight).map_or(0, |last| last + 1);
        for found in &row[first..behind] {
            match ranges.last_mut() {
                Some(last) if found.start < last.end => last.end = last.end.max(found.end),
                _ => ranges.push(found.start..found.end),
            }
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_are_found_and_overlaps_joined() {
        let mut analyzer = Analyzer::new();
        let english = Language::from_code("en");
        let terms = QueryTerms::of_text(&mut analyzer, "pruning 森林公園", english);
        let text = "Prune 森林公園, pruned.";
        let found = matches(&mut analyzer, text, english, &terms);
        let texts: Vec<&str> = joined_ranges(&found).into_iter().map(|range| &text[range]).collect();
        assert_eq!(texts, ["Prune", "森林公園", "pruned"]);
    }

    #[test]
    fn words_of_one_stem_are_found_by_either() {
        let mut analyzer = Analyzer::new();
        let english = Language::from_code("en");
        let form = |term: &str, languages: &[Language]| TermForm {
            term: term.to_owned(),
            languages: languages.to_vec(),
            factor: 1.0,
        };
        let crates = [form("crates", &[]), form("crate", &[english])];
        for words in [[&[form("crate", &[])][..], &crates], [&crates, &[form("crate", &[])]]] {
            let terms = QueryTerms::of_words(words.into_iter());
            let found =
                distinct(matches(&mut analyzer, "Publish crates", english, &terms).iter().map(|found| found.word));
            assert!((0..2).all(|word| terms.is_among(word, &found)), "{found:?}");
        }
    }

    #[test]
    fn words_that_say_little_are_marked_between_others_only() {
        let mut analyzer = Analyzer::new();
        let english = Language::from_code("en");
        let mut terms = QueryTerms::of_text(&mut analyzer, "deeds of the mill", english);
        terms.weigh([4.0, 0.9, 0.6, 3.0].into_iter());
        let marked = |terms: &QueryTerms, text: &str| -> Vec<String> {
            let found = matches(&mut Analyzer::new(), text, english, terms);
            joined_ranges(&found).into_iter().map(|range| text[range].to_owned()).collect()
        };
        assert_eq!(marked(&terms, "Of deeds of the mill: the deeds."), ["deeds", "of", "the", "mill", "deeds"]);
        assert_eq!(marked(&terms, "Of the time."), [""; 0]);
        terms.weigh([1.0, 0.9, 0.6, 0.5].into_iter());
        assert_eq!(marked(&terms, "Of the time."), ["Of", "the"], "all are as common as each other");
    }
}
