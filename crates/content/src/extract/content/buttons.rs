//! Buttons that are no text of the document: those beside code, those behind a heading, and rows of buttons between
//! paragraphs.
//!
//! A button may also be a question with its answer below, or the heading of a part that it opens. It stays where it
//! stands alone, or is as long as words are that say something.

use super::code_language::is_name_of_language;
use super::joined_lists::element_before;
use crate::dom::{Dom, DomId, Tag};

/// Characters of what a button says that is for those who browse.
const BUTTON_CHARS_MAX: usize = 20;

/// What such buttons say.
const KNOWN: &[&str] = &[
    "copy",
    "copy code",
    "copy link",
    "wrap",
    "toggle word wrap",
    "expand",
    "collapse",
    "download",
    "raw",
    "run",
    "edit",
    "listen",
    "share",
    "save",
    "follow",
    "print",
    "like",
    "bookmark",
    "subscribe",
    "view source",
];

/// Bytes of text in the bar that a button stands in above code: the name of a file or language beside it.
const BAR_BYTES_MAX: usize = 80;

/// Nodes of such a bar.
const BAR_NODES_MAX: usize = 32;

/// Nodes of an element that is looked at for whether it holds buttons alone.
const PARTS_MAX: usize = 32;

/// Elements around a button that are looked at, and siblings for what stands beside it.
const LEVELS_MAX: usize = 3;
const SIBLINGS_MAX: usize = 8;

/// Whether a button is for those who browse.
pub(super) fn is_for_browsing(dom: &Dom, button: DomId) -> bool {
    let is_of_code = || is_beside_code(dom, button) && (is_lone(dom, button) || is_known(dom, button));
    is_short(dom, button) && (is_of_code() || is_behind_heading(dom, button) || is_in_row(dom, button))
}

/// Whether no other button stands beside one: several may be choices.
fn is_lone(dom: &Dom, button: DomId) -> bool {
    let Some(around) = dom.parent(button) else { return true };
    dom.children(around).take(PARTS_MAX).filter(|id| dom.tag(*id) == Some(Tag::Button)).nth(1).is_none()
}

/// Whether an element holds a heading and, behind it, one button, or some that everybody knows. Others may be choices.
pub(super) fn is_heading_with_buttons(dom: &Dom, element: DomId) -> bool {
    let is_heading = |id: DomId| dom.tag(id).is_some_and(|tag| tag.heading_level().is_some());
    let parts = parts(dom, element);
    let Some((_, rest)) = parts.split_first().filter(|(first, _)| is_heading(**first)) else { return false };
    let buttons: Option<Vec<Vec<DomId>>> = rest.iter().map(|id| buttons_in(dom, *id)).collect();
    let buttons = buttons.unwrap_or_default().concat();
    buttons.len() == 1 || (!buttons.is_empty() && buttons.iter().all(|id| is_known(dom, *id)))
}

/// Whether an element is a bar above code that holds a button and, perhaps, the name of a language.
pub(super) fn is_bar_above_code(dom: &Dom, element: DomId) -> bool {
    if !is_followed_by_code(dom, element) {
        return false;
    }
    let (mut has_button, mut label, mut nodes) = (false, String::new(), 0);
    let mut next = dom.first_child(element);
    while let Some(node) = next {
        nodes += 1;
        if nodes > BAR_NODES_MAX || label.len() > BAR_BYTES_MAX {
            return false;
        }
        let is_button = dom.tag(node) == Some(Tag::Button);
        let is_more = matches!(dom.tag(node), Some(Tag::Img | Tag::Input | Tag::Select | Tag::Picture | Tag::Video));
        if is_more || is_button && (!is_short(dom, node) || has_button && !is_known(dom, node)) {
            return false;
        }
        has_button |= is_button;
        label.push_str(dom.text(node).unwrap_or_default().trim());
        next = if is_button { dom.following_after(node, element) } else { dom.following(node, element) };
    }
    has_button && (label.is_empty() || is_name_of_language(&label))
}

/// The parts of an element that are more than white space; none of one that has many.
fn parts(dom: &Dom, element: DomId) -> Vec<DomId> {
    let children: Vec<DomId> = dom.children(element).take(PARTS_MAX + 1).collect();
    if children.len() > PARTS_MAX {
        return Vec::new();
    }
    children.into_iter().filter(|id| !dom.is_blank(*id)).collect()
}

/// Whether a button says little, and asks nothing.
fn is_short(dom: &Dom, button: DomId) -> bool {
    let mut nodes = dom.descendants(button);
    let mut text = String::new();
    for node in nodes.by_ref().take(BAR_NODES_MAX) {
        text.push_str(dom.text(node).unwrap_or_default().trim());
        if text.chars().nth(BUTTON_CHARS_MAX).is_some() {
            return false;
        }
    }
    !text.ends_with('?') && nodes.next().is_none()
}

/// The short buttons that an element is or holds; `None` of one that holds anything else.
fn buttons_in(dom: &Dom, element: DomId) -> Option<Vec<DomId>> {
    let is_button = |id: &DomId| dom.tag(*id) == Some(Tag::Button) && is_short(dom, *id);
    if is_button(&element) {
        return Some(vec![element]);
    }
    let inner = parts(dom, element);
    let are_buttons = dom.tag(element) == Some(Tag::Div) && !inner.is_empty() && inner.iter().all(is_button);
    are_buttons.then_some(inner)
}

/// Whether an element says what a button for those who browse does.
pub(super) fn is_short_and_known(dom: &Dom, element: DomId) -> bool {
    is_short(dom, element) && is_known(dom, element)
}

/// Whether a button does what those of many pages do, or says how many: `2x`.
fn is_known(dom: &Dom, button: DomId) -> bool {
    let text = dom.text_content(button).trim().to_lowercase();
    KNOWN.contains(&text.as_str()) || text.strip_suffix(['x', '×']).is_some_and(|many| many.parse::<u8>().is_ok())
}

/// Whether a button, or its division, stands behind a heading in an element that holds nothing else.
fn is_behind_heading(dom: &Dom, button: DomId) -> bool {
    let around = std::iter::successors(dom.parent(button), |id| dom.parent(*id)).take(2);
    around.into_iter().any(|around| dom.tag(around) == Some(Tag::Div) && is_heading_with_buttons(dom, around))
}

/// Whether a button stands beside others in a division between two paragraphs that holds nothing else. Such rows
/// elsewhere are choices: the sizes of a shoe, the kinds of a list.
fn is_in_row(dom: &Dom, button: DomId) -> bool {
    let row = dom.parent(button).filter(|row| dom.tag(*row) == Some(Tag::Div));
    let is_paragraph = |beside: Option<DomId>| beside.is_some_and(|id| dom.tag(id) == Some(Tag::P));
    row.is_some_and(|row| {
        is_paragraph(next_element(dom, row))
            && is_paragraph(element_before(dom, row))
            && buttons_in(dom, row)
                .is_some_and(|buttons| buttons.len() > 1 && buttons.iter().all(|id| is_known(dom, *id)))
    })
}

/// Whether a button, or the bar that it stands in, is right before code or right behind it.
fn is_beside_code(dom: &Dom, button: DomId) -> bool {
    let bars = std::iter::successors(dom.parent(button), |id| dom.parent(*id)).take(LEVELS_MAX);
    let mut bars = bars.take_while(|id| is_bar(dom, *id));
    is_followed_by_pre(dom, button) || bars.any(|bar| is_followed_by_code(dom, bar))
}

fn is_bar(dom: &Dom, element: DomId) -> bool {
    let mut nodes = dom.descendants(element);
    let bytes: usize =
        nodes.by_ref().take(BAR_NODES_MAX).filter_map(|id| dom.text(id)).map(|text| text.trim().len()).sum();
    matches!(dom.tag(element), Some(Tag::Div | Tag::Span | Tag::Header | Tag::Figcaption))
        && bytes <= BAR_BYTES_MAX
        && nodes.next().is_none()
}

fn next_element(dom: &Dom, element: DomId) -> Option<DomId> {
    let mut behind = std::iter::successors(dom.next_sibling(element), |id| dom.next_sibling(*id)).take(SIBLINGS_MAX);
    behind.find(|id| !dom.is_blank(*id) && dom.tag(*id) != Some(Tag::Button))
}

fn is_followed_by_pre(dom: &Dom, element: DomId) -> bool {
    next_element(dom, element).is_some_and(|next| dom.tag(next) == Some(Tag::Pre))
}

/// Whether code comes right behind an element, perhaps in a division of its own.
fn is_followed_by_code(dom: &Dom, element: DomId) -> bool {
    let holds_code = |id: DomId| matches!(dom.tag(id), Some(Tag::Div | Tag::Figure));
    let inner = |id: &DomId| if holds_code(*id) { parts(dom, *id).first().copied() } else { None };
    let Some(next) = next_element(dom, element) else { return false };
    std::iter::successors(Some(next), inner).take(LEVELS_MAX).any(|id| dom.tag(id) == Some(Tag::Pre))
}

#[cfg(test)]
mod tests {
    use super::super::tests::markdown;

    #[test]
    fn buttons_beside_code_are_no_text() {
        let pre = "<pre><code class=language-bash>run</code></pre>";
        for bar in [
            "<div class=bar><span>bash</span><button>Copy code</button></div>",
            "<div class=bar><div><button>Copy</button><button>Wrap</button></div></div>",
            "<button>Copy</button>",
        ] {
            assert_eq!(markdown(&format!("<div>{bar}{pre}</div>")), "```bash\nrun\n```\n", "{bar}");
            let within = format!("<div>{bar}<div>{pre}</div></div>");
            assert_eq!(markdown(&within).contains("Copy"), !bar.starts_with("<div"), "{bar}");
        }
        for kept in [
            "<div><button>Linux</button><button>macOS</button></div>",
            "<div><button>How do I install the tool?</button></div>",
            "<div><img src=d.png alt=DIAGRAM><button>Zoom</button></div>",
        ] {
            let words = markdown(&format!("<p>Before.</p>{kept}<div>{pre}</div>"));
            assert!(["Linux", "install", "DIAGRAM"].iter().any(|word| words.contains(word)), "{words}");
        }
        let named = "<div><div>config.json</div><button>Copy</button></div><pre>{}</pre>";
        assert_eq!(markdown(named), "config.json\n\n```\n{}\n```\n");
    }

    #[test]
    fn buttons_behind_headings_are_no_text() {
        let head = |heading: &str| {
            format!("<p>Text.<div><div><h3>{heading}</h3><button>2x DROP</button></div><ul><li>leeks</ul></div>")
        };
        assert_eq!(markdown(&head("Ingredients")), "Text.\n\n### Ingredients\n\n- leeks\n");
        assert_eq!(markdown(&head("DROP")), "Text.\n\n### DROP\n\n- leeks\n", "with its list");
        let group = "<div><h3>Steps</h3><div><button>1x</button> <button>2x</button></div></div><p>Cook.";
        assert_eq!(markdown(group), "### Steps\n\nCook.\n");
    }

    #[test]
    fn rows_of_buttons_between_paragraphs_are_no_text() {
        let row = "<div><button>Listen</button> <button>Share</button></div>";
        assert_eq!(markdown(&format!("<p>One.</p>{row}<p>Two.</p>")), "One.\n\nTwo.\n");
        let sizes = "<h2>Size</h2><div><button>S</button><button>M</button></div><p>Wool.</p>";
        assert_eq!(markdown(sizes), "## Size\n\nS M\n\nWool.\n");
        assert_eq!(markdown("<p>One.</p><div><button>More</button></div><p>Two."), "One.\n\nMore\n\nTwo.\n");
        let choices = "<p>Take one.</p><div><button>Yes</button><button>No</button></div><p>Then go.";
        assert_eq!(markdown(choices), "Take one.\n\nYes No\n\nThen go.\n");
        let within = "<div><h3>Choose a size</h3><button>Small</button><button>Large</button></div><p>Wool.";
        assert!(markdown(within).contains("Small"), "{}", markdown(within));
    }

    #[test]
    fn questions_stay() {
        let faq = "<div><h2>Questions</h2><button>How do I pay for it?</button></div><div>By card.</div>";
        assert_eq!(markdown(faq), "## Questions\n\nHow do I pay for it?\n\nBy card.\n");
        let parts = "<div><h2>Questions</h2><button>Payment</button><div>By card.</div>\
            <button>Delivery</button><div>By boat.</div></div>";
        assert!(markdown(parts).contains("Payment\n\nBy card.\n\nDelivery"), "{}", markdown(parts));
        let code = "<button>How do I install it?</button><pre>install</pre>\
            <button>Removal</button><div><pre>remove</pre></div>";
        assert_eq!(markdown(code), "How do I install it?\n\n```\ninstall\n```\n\nRemoval\n\n```\nremove\n```\n");
    }
}
