//! Lists whose entries are definitions, each with its number, letter or dash as the term (the laws of Gesetze im Internet).

use crate::document::Numbering;
use crate::dom::{Dom, DomId, Tag};

/// Characters of a sign, and elements of a list that are looked at.
const SIGN_CHARS_MAX: usize = 8;
const ELEMENTS_MAX: usize = 1024;

/// How a list's entries are marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Signs {
    /// Whether they are numbered from 1 or a on, as lists show it by themselves.
    pub(super) ordered: bool,
    /// The kind of these numbers.
    pub(super) numbering: Option<Numbering>,
}

/// How the entries of a list of definitions are marked; `None` where a term is more than a number, a letter or a dash, or has no
/// definition. O(entries).
pub(super) fn signs_of(dom: &Dom, list: DomId) -> Option<Signs> {
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
    let counts = |first: &str, next: fn(&str) -> String| {
        bare[0] == first && bare.windows(2).all(|pair| next(pair[0]) == pair[1])
    };
    let has_letters = counts("a", next_letter);
    let numbering = has_letters.then_some(Numbering::LowerLetters);
    Some(Signs { ordered: has_letters || counts("1", next_number), numbering })
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

fn next_number(number: &str) -> String {
    number.parse::<u32>().map_or_else(|_| String::new(), |number| number.saturating_add(1).to_string())
}

fn next_letter(letter: &str) -> String {
    match letter.as_bytes() {
        [letter @ b'a'..=b'y'] => char::from(letter + 1).to_string(),
        _ => String::new(),
    }
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
