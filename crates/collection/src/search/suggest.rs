//! What a query that is being typed could become: words of the index, and titles of its pages.

use lopper_index::Budget;
use serde::Serialize;

use super::{SearchEngine, SearchError, SearchRequest};

/// Characters that the last word must have before it is completed.
const CHARS_MIN: usize = 2;

/// Most suggestions of each kind.
const EACH_MAX: usize = 5;

/// Bytes of a query that is still completed.
const QUERY_BYTES_MAX: usize = 200;

/// How a query could go on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Suggestions {
    /// The query as it was given.
    pub query: String,
    /// The query with its last word completed, the most frequent word first.
    pub queries: Vec<String>,
    /// Titles of pages that have the words, each with its page.
    pub titles: Vec<TitleSuggestion>,
}

/// A page whose title has the words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TitleSuggestion {
    /// The title.
    pub title: String,
    /// Identity of the page.
    pub page_id: String,
    /// Its host.
    pub host: String,
}

impl SearchEngine {
    /// How a query that ends in the middle of a word could go on. A query that ends with a space, has signs, fields or quotes in its last
    /// word, or is very long, gets no suggestions.
    ///
    /// # Errors
    ///
    /// [`SearchError::Index`] when the index cannot be read.
    pub fn suggest(&self, query: &str, budget: &Budget) -> Result<Suggestions, SearchError> {
        let given = Suggestions { query: query.to_owned(), ..Suggestions::default() };
        let start = query.rfind(char::is_whitespace).map_or(0, |space| space + 1);
        let (before, last) = query.split_at(query.ceil_char_boundary(start));
        let is_word = last.chars().all(|c| c.is_alphanumeric() || matches!(c, '\'' | '’'));
        if !is_word || last.chars().count() < CHARS_MIN || query.len() > QUERY_BYTES_MAX {
            return Ok(given);
        }
        let words = self.searcher().words_beginning_with(last, EACH_MAX, budget)?;
        let queries = words.into_iter().filter(|word| word.as_str() != last).map(|word| format!("{before}{word}"));
        let queries = queries.take(EACH_MAX).collect();
        Ok(Suggestions { queries, titles: self.titles(before, last, budget)?, ..given })
    }

    /// Pages whose titles have the words before, and one that begins as the last one does.
    fn titles(&self, before: &str, last: &str, budget: &Budget) -> Result<Vec<TitleSuggestion>, SearchError> {
        let words = before.split_whitespace().filter(|word| word.chars().all(char::is_alphanumeric));
        let words: Vec<String> = words.map(|word| format!("title:{word}")).collect();
        let query = format!("{} title:{last}*", words.join(" "));
        let request = SearchRequest { pages: 2 * EACH_MAX, blocks_per_page: 1, ..SearchRequest::new(query) };
        let mut titles: Vec<TitleSuggestion> = Vec::new();
        for page in self.search_within(&request, budget)?.pages {
            let is_new = titles.len() < EACH_MAX && titles.iter().all(|known| known.title != page.title);
            if is_new && !page.title.trim().is_empty() {
                titles.push(TitleSuggestion { title: page.title, page_id: page.page_id, host: page.host });
            }
        }
        Ok(titles)
    }
}
