//! Words that may be slips of others: which are put in their place, and which are asked about.

use lopper_index::{BlockQuery, Correction, QueryNote};

use crate::support::{TestIndex, block};

/// What is told of a query's spelling: each suggestion, and whether it was searched for.
fn told(test: &TestIndex, text: &str) -> Vec<(String, bool)> {
    let notes = test.searcher().search(&BlockQuery::new(text, 10)).unwrap().notes;
    let corrections = notes.into_iter().filter_map(|note| match note {
        QueryNote::Correction(Correction { suggested, applied, .. }) => Some((suggested, applied)),
        _ => None,
    });
    corrections.collect()
}

fn suggested(words: &[(&str, bool)]) -> Vec<(String, bool)> {
    words.iter().map(|(word, applied)| ((*word).to_owned(), *applied)).collect()
}

#[test]
fn words_that_are_nearly_as_likely_are_asked_about_too() {
    let texts = [("Skip the first step.", 8), ("The skin is dry.", 4), ("He skits.", 3), ("A skit.", 3), ("Skids", 2)];
    let texts = texts.iter().flat_map(|(text, times)| vec![*text; *times]);
    let test = TestIndex::of(&(1..).zip(texts).map(|(page, text)| block(page, 0, "en", text)).collect::<Vec<_>>());
    assert_eq!(told(&test, "skib"), suggested(&[("skip", true), ("skin", false), ("skit", false)]));
    assert_eq!(told(&test, "skni"), suggested(&[("skin", true)]), "no other is nearly as likely");
}

#[test]
fn swapped_first_letters_of_a_word_on_one_page_are_put_right() {
    let test = TestIndex::of(&[block(1, 0, "en", "An elliptic curve."), block(2, 0, "en", "The mill.")]);
    assert_eq!(told(&test, "leliptic"), suggested(&[("elliptic", true)]));
    assert_eq!(told(&test, "alliptic"), suggested(&[]));
}

#[test]
fn another_form_of_what_is_put_is_not_asked_about() {
    let of_mill = (1..9).map(|page| block(page, 0, "en", "The miller grinds corn."));
    let of_mills = (9..15).map(|page| block(page, 0, "en", "The millers grind corn."));
    let test = TestIndex::of(&of_mill.chain(of_mills).collect::<Vec<_>>());
    assert_eq!(told(&test, "millerq"), suggested(&[("miller", true)]));
}

#[test]
fn what_stands_with_the_others_by_chance_alone_is_asked_about() {
    let text = |page: u32| match page % 10 {
        0..=3 => "A bucket is being filled.",
        4..=7 => "The mill is being built.",
        8 => "A bucket of corn.",
        _ => "The end.",
    };
    let test = TestIndex::of(&(0..40).map(|page| block(page, 0, "en", text(page))).collect::<Vec<_>>());
    assert_eq!(told(&test, "bring bucket"), suggested(&[("being", false)]));
    assert_eq!(told(&test, "bieng filled"), suggested(&[("being", true)]));
    assert_eq!(told(&test, "bring"), suggested(&[("being", true)]), "nothing else is asked for");
}
