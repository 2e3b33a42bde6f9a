//! Words of the query that no shown passage of a page has.

use std::collections::HashSet;

use lopper_analysis::{Analyzer, Language};
use lopper_collection::search::{PageHit, SearchResponse};
use lopper_index::QueryNote;

use super::filters::plain_words;

/// Words of a query that are looked for.
const WORDS_MAX: usize = 12;

/// Looks for the words of a query in hits.
pub(super) struct MissingWords {
    words: Vec<String>,
    analyzer: Analyzer,
}

impl MissingWords {
    /// Of the query as it was understood: with the corrections that were applied.
    pub(super) fn new(response: &SearchResponse) -> Self {
        let corrected = |word: &str| {
            let applied = response.notes.iter().find_map(|note| match note {
                QueryNote::Correction(one) if one.applied && one.given == word => Some(one.suggested.clone()),
                _ => None,
            });
            applied.unwrap_or_else(|| word.to_owned())
        };
        let words = plain_words(&response.query).into_iter().take(WORDS_MAX).map(corrected).collect();
        Self { words, analyzer: Analyzer::new() }
    }

    /// The words that neither the title nor a shown passage has in any form; none where all or nothing is missing.
    pub(super) fn of(&mut self, page: &PageHit) -> Vec<&str> {
        if self.words.len() < 2 {
            return Vec::new();
        }
        let language = Language::from_code(&page.language);
        let mut terms = HashSet::new();
        let mut add = |analyzer: &mut Analyzer, text: &str| {
            analyzer.analyze(text, language, |token| {
                terms.insert(token.term.to_owned());
            });
        };
        add(&mut self.analyzer, &page.title);
        for block in &page.blocks {
            block.heading_path.iter().chain([&block.text]).for_each(|text| add(&mut self.analyzer, text));
        }
        let mut missing = Vec::new();
        for word in &self.words {
            let mut is_there = false;
            self.analyzer.analyze(word, language, |token| is_there |= terms.contains(token.term));
            if !is_there {
                missing.push(word.as_str());
            }
        }
        if missing.len() == self.words.len() { Vec::new() } else { missing }
    }
}
