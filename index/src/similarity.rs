//! Equation (1) between a query's words, as they were compiled, and a text.

use xxhash_rust::xxh3::xxh3_64;

use crate::analysis::{Analyzer, Language, is_further_form};
use crate::highlight::QueryTerms;
use crate::ranked::QueryWord;
use crate::vector::{TermVector, cosine_similarity};

/// A query as a vector: its words by their numbers in `terms`.
#[derive(Debug, Clone, Copy)]
pub struct WordVector<'a> {
    /// What to find the words by.
    pub terms: &'a QueryTerms,
    /// The words.
    pub words: &'a [QueryWord],
}

impl WordVector<'_> {
    /// Cosine similarity of the query and `text`, in [0, 1]: `w_i = tf_i · idf(term_i)`.
    ///
    /// A word's forms are one dimension, with the idf of the most frequent of its terms, so that a corrected word, another
    /// spelling, or a stem counts as what was meant, and filters and exclusions count nothing.
    pub fn similarity(
        &self,
        analyzer: &mut Analyzer,
        text: &str,
        language: Language,
        idf: &dyn Fn(&str) -> f32,
    ) -> f32 {
        let idfs: Vec<f32> = self.words.iter().map(|word| word_idf(word, language, idf)).collect();
        let query = TermVector::new(idfs.iter().enumerate().map(|(word, idf)| (word as u64, *idf)));
        if query.is_empty() {
            return 0.0;
        }
        let block = self.text_vector(analyzer, text, language, &idfs, idf);
        cosine_similarity(&block, &query) as f32
    }

    fn text_vector(
        &self,
        analyzer: &mut Analyzer,
        text: &str,
        language: Language,
        idfs: &[f32],
        idf: &dyn Fn(&str) -> f32,
    ) -> TermVector {
        let mut weights: Vec<(u64, f32)> = Vec::new();
        let mut last_place = (usize::MAX, usize::MAX);
        analyzer.analyze_for_index(text, language, |token| {
            let place = (token.start, token.end);
            let is_first = !is_further_form(token.term);
            match self.terms.word_of(token.term, language) {
                Some(word) => {
                    let entry = (u64::from(word), idfs.get(word as usize).copied().unwrap_or_default());
                    // A further form that is the query's word stands in place of the word as it was written.
                    match weights.last_mut() {
                        Some(last) if !is_first && place == last_place && last.0 >= self.words.len() as u64 => {
                            *last = entry;
                        }
                        Some(_) if !is_first && place == last_place => {}
                        _ => weights.push(entry),
                    }
                    last_place = place;
                }
                None if is_first => {
                    let other = xxh3_64(token.term.as_bytes()).saturating_add(self.words.len() as u64);
                    weights.push((other, idf(token.term)));
                    last_place = place;
                }
                None => {}
            }
        });
        TermVector::new(weights)
    }
}

/// The least idf among the terms of a word that pages are weighed by; where there is none, of a term that no page has.
fn word_idf(word: &QueryWord, language: Language, idf: &dyn Fn(&str) -> f32) -> f32 {
    let counts = |languages: &[Language]| languages.is_empty() || languages.contains(&language);
    let plain = word.forms.iter().filter(|form| !form.is_further && counts(&form.languages));
    let least = plain.map(|form| idf(&form.term)).fold(f32::INFINITY, f32::min);
    word.weight * if least.is_finite() { least } else { idf("") }
}
