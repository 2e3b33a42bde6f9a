//! Equation (1) between a query's words, as they were compiled, and a text.

use lopper_analysis::Language;
use lopper_analysis::vector::{TermVector, cosine_similarity};
use xxhash_rust::xxh3::xxh3_64;

use crate::ranked::QueryWord;
use crate::reading::{ReadWord, TextReading};

/// A query as a vector: its words by their numbers.
#[derive(Debug, Clone, Copy)]
pub struct WordVector<'a>(pub &'a [QueryWord]);

impl WordVector<'_> {
    /// Cosine similarity of the query and a text, in [0, 1]: `w_i = tf_i · idf(term_i)`, the idf by the term's hash (`xxh3_64`).
    ///
    /// A word's forms are one dimension, with the idf of the most frequent of its terms, so that a corrected word, another
    /// spelling, or a stem counts as what was meant, and filters and exclusions count nothing.
    pub fn similarity(&self, text: &TextReading, idf: &dyn Fn(u64) -> f32) -> f32 {
        let idfs: Vec<f32> = self.0.iter().map(|word| word_idf(word, text.language, idf)).collect();
        let query = TermVector::new(idfs.iter().enumerate().map(|(word, idf)| (word as u64, *idf)));
        if query.is_empty() {
            return 0.0;
        }
        let mut words = text.words.clone();
        words.sort_unstable();
        let entry = |alike: &[ReadWord]| {
            let (term, idf) = match alike[0] {
                ReadWord::OfQuery(word) => (u64::from(word), idfs.get(word as usize).copied().unwrap_or_default()),
                ReadWord::Other(hash) => (hash.saturating_add(self.0.len() as u64), idf(hash)),
            };
            (term, alike.len() as f32 * idf)
        };
        cosine_similarity(&TermVector::new(words.chunk_by(|a, b| a == b).map(entry)), &query) as f32
    }
}

/// The least idf among the terms of a word that pages are weighed by; where there is none, of a term that no page has.
fn word_idf(word: &QueryWord, language: Language, idf: &dyn Fn(u64) -> f32) -> f32 {
    let counts = |languages: &[Language]| languages.is_empty() || languages.contains(&language);
    let plain = word.forms.iter().filter(|form| !form.is_further && counts(&form.languages));
    let least = plain.map(|form| idf(xxh3_64(form.term.as_bytes()))).fold(f32::INFINITY, f32::min);
    word.weight * if least.is_finite() { least } else { idf(xxh3_64(b"")) }
}
