//! Pages that do nothing but send a reader on, by `<meta http-equiv=refresh content="0; url=…">`.

use lopper_content::cst::{self, Profile};
use lopper_content::dom::{self, AttributeName, Dom, DomId, Tag};
use lopper_content::limits::Limits;
use memchr::memmem;

/// Bytes of the longest page that is looked at.
const HTML_BYTES_MAX: usize = 1 << 16;

/// Seconds after which a reader has seen the page that sends him on.
const DELAY_SECONDS_MAX: u32 = 10;

/// Words of the text of such a page: `The node you are looking for is at`.
const WORDS_MAX: usize = 40;

/// Whether a page sends its reader on at once and has next to no text.
pub(crate) fn is_redirect(html: &str, limits: &Limits) -> bool {
    // Either case of the first letter.
    if html.len() > HTML_BYTES_MAX || !(has(html, "efresh") || has(html, "EFRESH")) {
        return false;
    }
    let dom = dom::parse(html, limits);
    let sends_on = dom.descendants(Dom::DOCUMENT).any(|element| sends_on(&dom, element));
    sends_on && {
        let tree = cst::build(&dom, Profile::Modern, limits);
        tree.visible_text().split_whitespace().nth(WORDS_MAX).is_none()
    }
}

fn has(html: &str, word: &str) -> bool {
    memmem::find(html.as_bytes(), word.as_bytes()).is_some()
}

/// Whether an element sends a reader on, with scripts or without.
fn sends_on(dom: &Dom, element: DomId) -> bool {
    let is_refresh = || dom.attribute(element, AttributeName::HttpEquiv);
    dom.tag(element) == Some(Tag::Meta)
        && is_refresh().is_some_and(|value| value.trim().eq_ignore_ascii_case("refresh"))
        && dom.attribute(element, AttributeName::Content).is_some_and(leads_elsewhere)
        && !std::iter::successors(dom.parent(element), |id| dom.parent(*id))
            .any(|id| dom.tag(id) == Some(Tag::Noscript))
}

/// Whether the content of such an element is a short delay and an address: without one, a page loads itself again.
fn leads_elsewhere(content: &str) -> bool {
    let (delay, address) = content.split_once([';', ',']).unwrap_or((content, ""));
    let seconds = delay.trim().split('.').next().and_then(|whole| whole.parse::<u32>().ok());
    let address = address.trim();
    let address = match address.get(..3) {
        Some(name) if name.eq_ignore_ascii_case("url") => address[3..].trim_start().strip_prefix('=').unwrap_or(""),
        _ => address,
    };
    let address = address.trim_matches(|letter: char| letter.is_whitespace() || matches!(letter, '"' | '\''));
    seconds.is_some_and(|seconds| seconds <= DELAY_SECONDS_MAX) && !address.is_empty() && !address.starts_with('#')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_one(head: &str, body: &str) -> bool {
        is_redirect(
            &format!("<html><head><title>Mills</title>{head}</head><body>{body}</body></html>"),
            &Limits::default(),
        )
    }

    #[test]
    fn a_page_that_sends_on_is_a_redirect() {
        let text = "<p>The node you are looking for is at <a href=Mills.html#wind>wind</a>.</p>";
        for head in [
            "<meta http-equiv=\"Refresh\" content=\"0; url=Mills.html#wind\">",
            "<META HTTP-EQUIV=REFRESH CONTENT=\"3;URL='Mills.html'\">",
            "<meta http-equiv=refresh content='0.5, Mills.html'>",
        ] {
            assert!(is_one(head, text), "{head}");
            assert!(is_one(head, ""), "{head}");
        }
    }

    #[test]
    fn other_pages_are_none() {
        let refresh = "<meta http-equiv=refresh content='0; url=b.html'>";
        assert!(!is_one(refresh, &"They turn. ".repeat(40)), "it has a text");
        assert!(!is_one(&format!("<noscript>{refresh}</noscript>"), "They turn."), "of a page of scripts");
        assert!(!is_one("<meta http-equiv=refresh content=5>", "They turn."), "it is loaded again");
        assert!(!is_one("<meta http-equiv=refresh content='600; url=b.html'>", "They turn."), "much later");
        assert!(!is_one("<meta name=refresh content='0; url=b.html'>", "They turn."));
        assert!(!is_one("", "A refresh."));
    }
}
