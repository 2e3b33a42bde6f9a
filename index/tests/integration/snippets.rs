//! Laws of the snippet for any text and query.

use lopper_index::analysis::{Analyzer, Language};
use lopper_index::{QueryTerms, snippet};
use proptest::prelude::*;

fn texts() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), "[ab森林\u{301} é.\n]{0,80}", "(tree|trees|prune|long words|森林公園| |, ){0,30}"]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn a_snippet_is_a_part_with_its_marks_inside(text in texts(), query in texts(), max_chars in 0usize..60) {
        let mut analyzer = Analyzer::with_cache_entries(64);
        let language = Language::from_code("en");
        let terms = QueryTerms::of_text(&mut analyzer, &query, language);
        let found = snippet(&mut analyzer, &text, language, &terms, max_chars);
        prop_assert!(found.text.chars().count() <= max_chars);
        prop_assert!(text.contains(&found.text));
        prop_assert_eq!(found.text.trim(), &found.text);
        let mut end = 0;
        for range in &found.highlights {
            prop_assert!(range.start >= end && !range.is_empty());
            prop_assert!(found.text.get(range.clone()).is_some());
            end = range.end;
        }
        if text.trim().chars().count() <= max_chars && text.trim() == text {
            prop_assert_eq!((found.text, found.leading_ellipsis, found.trailing_ellipsis), (text, false, false));
        }
    }

    #[test]
    fn a_word_that_fits_is_shown(before in texts(), after in texts()) {
        let mut analyzer = Analyzer::with_cache_entries(64);
        let language = Language::from_code("en");
        let terms = QueryTerms::of_text(&mut analyzer, "needle", language);
        let text = format!("{before} needle {after}");
        let found = snippet(&mut analyzer, &text, language, &terms, 30);
        prop_assert!(found.highlights.iter().any(|range| &found.text[range.clone()] == "needle"));
    }
}
