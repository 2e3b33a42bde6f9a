//! Blocks that say no more than what stands above them: a heading alone, a page's title with where it stands on the site.

use std::collections::HashSet;

use lopper_index::BlockDocument;

/// Words of a block that its headings and its page's title lack, from which on it says something of its own.
const OWN_WORDS_MIN: usize = 5;

/// Whether a block says no more than the headings above it and the title of its page.
pub(super) fn is_bare(block: &BlockDocument) -> bool {
    let above = block.heading_path.iter().chain([&block.title]);
    let known: HashSet<String> = above.flat_map(|text| words(text)).collect();
    words(&block.body).filter(|word| !known.contains(word)).take(OWN_WORDS_MIN).count() < OWN_WORDS_MIN
}

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_says_no_more_than_itself() {
        let block = |body: &str| BlockDocument {
            title: "Garlic Butter Shrimp – A Kitchen".to_owned(),
            heading_path: vec!["Garlic Butter Shrimp".to_owned()],
            body: body.to_owned(),
            ..BlockDocument::default()
        };
        for (body, expected) in [
            ("Garlic Butter Shrimp", true),
            ("Garlic butter shrimp\nRecipes › Fast dinners › Garlic butter shrimp", true),
            ("", true),
            ("Garlic Butter Shrimp\nMelt the butter in a pan, and add the shrimp to it.", false),
        ] {
            assert_eq!(is_bare(&block(body)), expected, "{body}");
        }
    }
}
