//! Words that touch where one element ends and another begins, and that the elements' classes tell to be two.
//!
//! What letters alone tell is parted in the tree already ([`Seam`](crate::cst::Seam)).

use super::classes::class;
use super::line::Line;
use crate::dom::{Dom, DomId, Tag};

/// Digits of the number of a section.
const NUMBER_CHARS_MAX: usize = 4;

/// Whether a text is another word than what `line` ends with: its element and the one right before it have different
/// classes, and the line so far is signs of a numbered paragraph, as in `4(1)The harbour`, or the one before is a label
/// in code, as in TypeDoc's `Optionaloptions`.
pub(super) fn begins_word(dom: &Dom, id: DomId, line: &Line, text: &str) -> bool {
    let Some(opened) = dom.parent(id).filter(|_| dom.previous_sibling(id).is_none()) else { return false };
    let Some(closed) = dom.previous_sibling(opened) else { return false };
    let is_told = dom.tag(opened) == Some(Tag::Span)
        && !class(dom, opened).is_empty()
        && !class(dom, closed).is_empty()
        && class(dom, opened) != class(dom, closed);
    match dom.tag(closed) {
        Some(Tag::Span) if is_told => line.only_text().is_some_and(|before| parts_sign(before, text)),
        Some(Tag::Code) if is_told => {
            let is_word = text.chars().take_while(|c| c.is_alphabetic()).nth(1).is_some();
            is_word && line.last_text().ends_with(char::is_alphabetic)
        }
        _ => false,
    }
}

/// Whether signs of a numbered paragraph end before a text: behind one without brackets another sign comes, no `th`.
fn parts_sign(before: &str, text: &str) -> bool {
    let is_numbers = before.split(' ').all(|sign| is_number(sign) || is_enclosed(sign));
    let is_bare = before.split(' ').next_back().is_some_and(is_number);
    is_numbers && text.starts_with(|c: char| c == '(' || (!is_bare && c.is_alphabetic()))
}

fn is_number(sign: &str) -> bool {
    let digits = sign.trim_end_matches(|c: char| c.is_ascii_uppercase());
    !digits.is_empty() && sign.len() <= NUMBER_CHARS_MAX && digits.bytes().all(|c| c.is_ascii_digit())
}

/// Whether a sign is like `(1)`, `(a)` and `(iv)`.
fn is_enclosed(sign: &str) -> bool {
    let inner = sign.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    inner.is_some_and(|inner| !inner.is_empty() && inner.len() <= 6 && inner.chars().all(char::is_alphanumeric))
}

#[cfg(test)]
mod tests {
    use super::super::tests::markdown;

    #[test]
    fn signs_of_paragraphs_are_words() {
        let html = "<p><span class=no>4</span><span class='ds no2'>(1)</span><span class=text>the harbour</span>";
        assert_eq!(markdown(html), "4 (1) the harbour\n");
        assert_eq!(markdown("<p><span class=no>(a)</span><span class=text>engineers</span>"), "(a) engineers\n");
        for whole in [
            "<p><span class=a>4</span><span class=a>th</span>",
            "<p><span class=n>log2</span><span class=p>(x)</span>",
            "<p><span class=n>(re)</span><span class=n>order</span>",
            "<p>So <span class=n>(re)</span><span class=m>order</span>",
        ] {
            let words = markdown(whole);
            assert!(["4th\n", "log2(x)\n", "(re)order\n", "So (re)order\n"].contains(&words.as_str()), "{words}");
        }
    }

    #[test]
    fn labels_in_code_are_words() {
        let html = "<p><code class=tag>Optional</code><span class=name>options</span>: Options";
        assert_eq!(markdown(html), "`Optional` options: Options\n");
        assert_eq!(markdown("<p><code class=tag>Type</code><span class=x>s</span>"), "`Type`s\n");
        assert_eq!(markdown("<p><code>a</code><span>bc</span>"), "`a`bc\n");
    }
}
