//! Laws of the analyzer for any text.

use lopper_analysis::{Analyzer, Language, TOKEN_CHARS_MAX};
use proptest::prelude::*;

fn languages() -> impl Strategy<Value = Language> {
    let all: Vec<Language> = Language::stemmed().chain(["und", "zh", "th", "az"].map(Language::from_code)).collect();
    prop::sample::select(all)
}

fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[a-zA-Z0-9éßİIı'’._: \u{AD}\u{301}]{0,60}",
        "[森林ガカﾊﾞ한국어ภาษาที่ abc12]{0,40}",
        "[α-ωά-ώΑ-Ω ]{0,60}",
        "[\u{B80}-\u{BFF} ]{0,60}",
        "[\u{400}-\u{45F}\u{490}\u{491} ]{0,60}",
        "[\u{531}-\u{587}\u{5D0}-\u{5EA}\u{620}-\u{64A}\u{67E}\u{6A9}\u{6AF}\u{6CC}\u{200C} ]{0,60}",
        "[\u{900}-\u{97F} ]{0,60}",
        "[a-zàáčçďéěęėíïłľńňñóôõöřšśťúůüýžźż·'-]{0,40}",
    ]
}

#[derive(Debug, PartialEq)]
struct OwnedToken {
    term: String,
    start: usize,
    end: usize,
    position: u32,
}

fn analyze(analyzer: &mut Analyzer, text: &str, language: Language) -> Vec<OwnedToken> {
    let mut tokens = Vec::new();
    analyzer.analyze(text, language, |token| {
        let (start, end, position) = (token.start, token.end, token.position);
        tokens.push(OwnedToken { term: token.term.to_owned(), start, end, position });
    });
    tokens
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn offsets_and_positions_are_sound(text in texts(), language in languages()) {
        let tokens = analyze(&mut Analyzer::with_cache_entries(64), &text, language);
        for token in &tokens {
            prop_assert!(token.start < token.end);
            prop_assert!(text.get(token.start..token.end).is_some());
            prop_assert!(!token.term.contains(|char: char| char.is_whitespace() || char.is_control()));
        }
        for pair in tokens.windows(2) {
            prop_assert!(pair[0].start < pair[1].start && pair[0].end <= pair[1].end);
            prop_assert!(pair[0].position < pair[1].position);
        }
    }

    #[test]
    fn words_are_cut_alike_in_all_languages(text in texts(), a in languages(), b in languages()) {
        let mut analyzer = Analyzer::with_cache_entries(64);
        let places = |tokens: Vec<OwnedToken>| -> Vec<(usize, usize, u32)> {
            tokens.iter().map(|token| (token.start, token.end, token.position)).collect()
        };
        prop_assert_eq!(places(analyze(&mut analyzer, &text, a)), places(analyze(&mut analyzer, &text, b)));
    }

    #[test]
    fn the_cache_changes_nothing(texts in prop::collection::vec(texts(), 1..5), language in languages()) {
        let mut shared = Analyzer::with_cache_entries(2);
        for text in &texts {
            let fresh = analyze(&mut Analyzer::with_cache_entries(1024), text, language);
            prop_assert_eq!(analyze(&mut shared, text, language), fresh);
        }
    }
}

#[test]
fn hostile_words_are_dropped_and_quick() {
    let word = "\u{B95}".repeat(100_000);
    let text = format!("{word} {} a", "x".repeat(TOKEN_CHARS_MAX + 1));
    let tokens = analyze(&mut Analyzer::new(), &text, Language::from_code("ta"));
    assert_eq!(tokens.iter().map(|token| token.position).collect::<Vec<_>>(), [2]);
}
