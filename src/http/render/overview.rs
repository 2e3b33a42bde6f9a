//! What is there to be searched.

use std::cmp::Reverse;

use lopper_index::LanguageCount;
use lopper_store::{StoreError, StoreStatistics, StoredPage};

/// Pages whose titles are looked at for examples.
const PAGES_LOOKED_AT: usize = 200;

/// Examples shown.
const EXAMPLES_MAX: usize = 5;

/// Characters of an example.
const EXAMPLE_CHARS_MAX: usize = 48;

/// What stands between a page's subject and its site's name.
const SEPARATORS: &[&str] = &[" - ", " | ", " — ", " – ", " · ", " :: ", ": "];

/// Languages shown.
const LANGUAGES_MAX: usize = 8;

/// The collection in figures, with queries that it answers.
pub(in crate::http) struct Overview {
    pub(super) stats: StoreStatistics,
    pub(super) languages: Vec<LanguageCount>,
    pub(super) examples: Vec<String>,
}

impl Overview {
    /// Takes examples from the titles of the pages with most blocks among the first, one a host.
    pub(in crate::http) fn new(
        stats: StoreStatistics,
        mut languages: Vec<LanguageCount>,
        pages: impl Iterator<Item = Result<StoredPage, StoreError>>,
    ) -> Result<Self, StoreError> {
        let pages: Result<Vec<StoredPage>, StoreError> = pages.take(PAGES_LOOKED_AT).collect();
        languages.truncate(LANGUAGES_MAX);
        Ok(Self { stats, languages, examples: examples(pages?) })
    }
}

fn examples(mut pages: Vec<StoredPage>) -> Vec<String> {
    pages.sort_by_key(|page| Reverse(page.main_blocks));
    let mut hosts = Vec::new();
    let mut examples = Vec::new();
    for page in pages {
        let Some(example) = example(&page.title) else { continue };
        if examples.len() < EXAMPLES_MAX && !hosts.contains(&page.host) && !examples.contains(&example) {
            hosts.push(page.host);
            examples.push(example);
        }
    }
    examples
}

/// The part of a title that names its subject: what stands before the first separator. `None` where that is one word or none.
fn example(title: &str) -> Option<String> {
    let ends = SEPARATORS.iter().filter_map(|separator| title.find(separator));
    let words: Vec<&str> = title[..ends.min().unwrap_or(title.len())].split_whitespace().collect();
    let example = words.join(" ");
    let is_short = example.chars().count() <= EXAMPLE_CHARS_MAX;
    (words.len() >= 2 && is_short && example.chars().any(char::is_alphabetic)).then_some(example)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_subjects() {
        assert_eq!(example("Root zone  management | IANA - x").as_deref(), Some("Root zone management"));
        assert_eq!((example("Home"), example("1 2"), example(&"long ".repeat(20))), (None, None, None));
    }
}
