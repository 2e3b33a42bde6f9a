//! Laws of the snippet for any text and query.

use lopper_analysis::{Analyzer, Language};
use lopper_index::{FRAGMENTS_MAX, FoundWords, QueryTerms, fragments, snippet};
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

    #[test]
    fn fragments_are_parts_in_order_with_more_words_than_one(
        text in texts(), query in texts(), max_chars in 0usize..60,
    ) {
        let mut analyzer = Analyzer::with_cache_entries(64);
        let language = Language::from_code("en");
        let terms = QueryTerms::of_text(&mut analyzer, &query, language);
        let found = fragments(&text, &FoundWords::new(&mut analyzer, &text, language, &terms), max_chars);
        prop_assert!((1..=FRAGMENTS_MAX).contains(&found.len()));
        prop_assert!(found.iter().map(|part| part.text.chars().count()).sum::<usize>() <= max_chars + 2);
        let mut rest = text.as_str();
        for part in &found {
            let at = rest.find(&part.text);
            prop_assert!(at.is_some(), "{:?} is not in order in {:?}", part, text);
            rest = &rest[at.unwrap_or(0) + part.text.len()..];
            prop_assert!(part.highlights.iter().all(|range| part.text.get(range.clone()).is_some()));
        }
    }
}

#[test]
fn words_far_apart_are_each_shown() {
    let mut analyzer = Analyzer::new();
    let language = Language::from_code("en");
    let terms = QueryTerms::of_text(&mut analyzer, "mill river", language);
    let text = format!("The mill grinds. {}The river flows.", "Nothing of it is said in here. ".repeat(20));
    let found = fragments(&text, &FoundWords::new(&mut analyzer, &text, language, &terms), 90);
    let marked: Vec<&str> =
        found.iter().flat_map(|part| part.highlights.iter().map(|at| &part.text[at.clone()])).collect();
    assert_eq!((found.len(), marked), (2, vec!["mill", "river"]));
}

#[test]
fn a_long_gap_of_blanks_is_not_shown() {
    let mut analyzer = Analyzer::new();
    let (language, text) = (Language::from_code("en"), "森\u{301}\n \n森é 林.");
    let terms = QueryTerms::of_text(&mut analyzer, "林é森\u{301}.森", language);
    let found = fragments(text, &FoundWords::new(&mut analyzer, text, language, &terms), 6);
    assert!(found.iter().map(|part| part.text.chars().count()).sum::<usize>() <= 8, "{found:?}");
}
