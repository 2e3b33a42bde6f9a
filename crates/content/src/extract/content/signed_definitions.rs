//! Lists whose entries are definitions, each with its number, letter or dash as the term (the laws of Gesetze im Internet).

use crate::document::{List, Numbering};
use crate::dom::{Dom, DomId, Tag};

/// Characters of a sign, and elements of a list that are looked at.
const SIGN_CHARS_MAX: usize = 8;
const ELEMENTS_MAX: usize = 1024;

/// The list, without its entries, that a list of definitions is by its terms; `None` where a term is more than a number, a letter or a dash,
/// or has no definition. It is numbered where the terms are those by which it numbers its entries itself. O(entries).
pub(super) fn signed_list(dom: &Dom, list: DomId) -> Option<List> {
    let mut signs: Vec<String> = Vec::new();
    let mut is_open = false;
    for child in dom.children(list).take(ELEMENTS_MAX) {
        match dom.tag(child) {
            Some(Tag::Dt) if !is_open => {
                signs.push(sign_of(dom, child)?);
                is_open = true;
            }
            Some(Tag::Dd) if is_open => is_open = false,
            None if dom.is_blank(child) => {}
            _ => return None,
        }
    }
    if signs.is_empty() || is_open {
        return None;
    }
    let bare: Vec<&str> = signs.iter().map(|sign| sign.trim_matches(['(', ')', '.'])).collect();
    let are_marks = |list: &List| bare.iter().enumerate().all(|(place, sign)| *sign == list.mark(place));
    let plain = List { start: 1, ..List::default() };
    let mut numbered = [None, Some(Numbering::LowerLetters)]
        .map(|numbering| List { ordered: true, numbering, ..plain.clone() })
        .into_iter();
    Some(numbered.find(are_marks).unwrap_or(plain))
}

/// The sign that a term is: `2.`, `(3)`, `a)`, `aa)`, `1a.`, `–`.
pub(super) fn sign_of(dom: &Dom, term: DomId) -> Option<String> {
    let mut text = String::new();
    for node in dom.descendants(term).take(SIGN_CHARS_MAX) {
        text.push_str(dom.text(node).unwrap_or_default());
    }
    let sign = text.trim();
    let is_set_off = sign.ends_with(['.', ')']);
    let bare = sign.trim_start_matches('(').trim_end_matches(['.', ')']);
    let figures = bare.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_number = figures.len() < bare.len() && figures.chars().count() <= 2 && is_letters(figures);
    let is_letter = !bare.is_empty() && is_letters(bare) && is_repeated(bare);
    let is_dash = matches!(sign, "-" | "–" | "—");
    ((is_set_off && (is_number || is_letter) && sign.chars().count() <= SIGN_CHARS_MAX) || is_dash)
        .then(|| sign.to_owned())
}

fn is_letters(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_lowercase())
}

/// Whether a text is one letter, once or more: `aaa`.
fn is_repeated(text: &str) -> bool {
    let first = text.chars().next();
    text.chars().all(|c| Some(c) == first)
}

#[cfg(test)]
mod tests {
    use super::super::tests::markdown;

    fn list(entries: &[(&str, &str)]) -> String {
        let entry = |(sign, text): &(&str, &str)| format!("<dt>{sign}</dt><dd><div>{text}</div></dd>");
        format!("<dl>{}</dl>", entries.iter().map(entry).collect::<String>())
    }

    #[test]
    fn definitions_of_numbers_are_entries() {
        let inner = list(&[("a)", "by day or"), ("b)", "by night,")]);
        let nested = format!("the stream{inner}");
        let html = format!("<div>Who moves {} pays.</div>", list(&[("1.", "the weir or"), ("2.", &nested)]));
        let expected = "Who moves\n\n1. the weir or\n2. the stream\n   - a. by day or\n   - b. by night,\n\npays.\n";
        assert_eq!(markdown(&html), expected);
        assert_eq!(markdown(&list(&[("–", "wind"), ("–", "water")])), "- wind\n- water\n");
        assert_eq!(markdown(&list(&[("1a.", "wind"), ("2.", "water")])), "- 1a. wind\n- 2\\. water\n");
        assert_eq!(markdown(&list(&[("aa)", "wind"), ("bb)", "water")])), "- aa) wind\n- bb) water\n");
    }

    #[test]
    fn other_definitions_stay() {
        for terms in [["sail", "1."], ["1.", "v"], ["1", "2"], ["-v.", "-x."], ["ab)", "ac)"]] {
            let html = list(&[(terms[0], "wind"), (terms[1], "water")]);
            assert!(markdown(&html).contains("\n: wind\n"), "{html}");
        }
        assert_eq!(markdown("<dl><dt>1.<dt>2.<dd>both</dl>"), "**1.**\n\n**2.**\n\nboth\n");
    }
}
