//! Listings of LaTeXML (arXiv): a division a line, with its number, behind a link to the text as its author wrote it.

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use crate::dom::{AttributeName, Dom, DomId, classes};

/// What the address of the text begins with.
const DATA: &str = "data:text/plain;base64,";

/// Bytes of the longest such address that is read.
const DATA_BYTES_MAX: usize = 1 << 20;

/// Base64 as browsers read it: with padding or without.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// Elements of a listing among which the link is looked for.
const LINK_NODES_MAX: usize = 8;

/// Whether a division is such a listing.
pub(super) fn is_listing(dom: &Dom, element: DomId) -> bool {
    dom.has_class(element, classes!["ltx_lstlisting"])
}

/// Its text to the letter: what its link has, else what its lines say. `None` for what is no listing.
pub(super) fn text_of(dom: &Dom, element: DomId) -> Option<String> {
    if !is_listing(dom, element) {
        return None;
    }
    let text = written(dom, element).unwrap_or_else(|| shown(dom, element));
    Some(text.trim_end().trim_start_matches('\n').to_owned())
}

fn written(dom: &Dom, element: DomId) -> Option<String> {
    let mut first = dom.descendants(element).take(LINK_NODES_MAX);
    let href = first.find_map(|id| dom.attribute(id, AttributeName::Href)?.strip_prefix(DATA));
    let bytes = BASE64.decode(href.filter(|data| data.len() <= DATA_BYTES_MAX)?).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    (!text.trim().is_empty()).then_some(text)
}

fn shown(dom: &Dom, element: DomId) -> String {
    let mut text = String::new();
    let is_line = |id: &DomId| dom.has_class(*id, classes!["ltx_listingline"]);
    for line in dom.descendants(element).filter(is_line) {
        let mut at = dom.first_child(line);
        while let Some(node) = at {
            let is_number = dom.has_class(node, classes!["ltx_tag_listingline"]);
            text.extend(dom.text(node).unwrap_or("").chars().filter(|sign| *sign != '\n'));
            let below = dom.first_child(node).filter(|_| !is_number);
            at = below.or_else(|| dom.following_after(node, line));
        }
        text.push('\n');
    }
    text.replace('\u{a0}', " ")
}

#[cfg(test)]
mod tests {
    use super::super::tests::markdown;

    #[test]
    fn listings_are_code_to_the_letter() {
        let line = |number: u8, text: &str| {
            let tag = format!("<span class='ltx_tag ltx_tag_listingline'>{number}</span>");
            format!("<div class=ltx_listingline>\n{tag}{text}\n</div>\n")
        };
        let lines = line(1, "<span>def</span><span class='ltx_text ltx_lst_space'> </span>f(”x”):")
            + &line(2, "<span class=ltx_lst_space>    </span>return 1");
        let page = |link: &str| {
            let data =
                format!("<div class=ltx_listing_data><a href='data:text/plain;base64,{link}' download>⬇</a></div>");
            markdown(&format!(
                "<div class='ltx_listing ltx_lst_language_Python ltx_lstlisting'>\n{data}\n{lines}</div>"
            ))
        };
        assert_eq!(page("ZGVmIGYoIngiKToKICAgIHJldHVybiAx"), "```python\ndef f(\"x\"):\n    return 1\n```\n");
        assert_eq!(page("?"), "```python\ndef f(”x”):\n    return 1\n```\n", "no text behind the link");
    }
}
