//! Members of programs in references, each described in an element of its own, which stay whole.
//!
//! A reference says of each function how it is called, what it takes and what it gives. To the model what is short of that is hardly
//! content, so of many members some lose a line, or their signature. A member is told by its name, as code has it (`open(file)`,
//! `port: number`), at the beginning of an element that something at its beginning names so too: its `id`, that of its heading, or a link
//! that leads to the member. Generators agree on that, whatever they call their elements (ExDoc, pdoc, TypeDoc, YARD). Where names are
//! made of numbers (Doxygen), the member begins with what is called a signature.

use super::content::classes::own_names;
use super::repeated::WordedRuns;
use super::sections::Sums;
use super::signatures::is_signature_of_member;
use crate::cst::{ContentStructureTree, NodeId, NodeKind, RunId};
use crate::dom::{AttributeName, Dom, DomId, Tag};

/// Fewest members of a page that is a reference.
const MEMBERS_MIN: usize = 2;

/// Share of the text of all members that is kept, above which each is.
const KEPT_SHARE: f64 = 0.5;

/// Least probability of a run that is kept with its member.
const PROBABILITY_MIN: f32 = 0.1;

/// Nodes at the beginning of a member among which its name is looked for, and bytes of its text.
const NODES_MAX: usize = 8;
const TEXT_BYTES_MAX: usize = 300;

/// Bytes of an `id` or link; longer ones name nothing.
const NAME_BYTES_MAX: usize = 200;

/// Keeps all of each member but code, which has its own rules, and links to other pages that stand alone. `kept` and `probability` are by
/// run. O(nodes).
pub(super) fn keep_whole(
    dom: &Dom,
    tree: &ContentStructureTree,
    units: WordedRuns<'_>,
    probability: &[f32],
    kept: &mut [bool],
) {
    if !kept.contains(&true) {
        return;
    }
    let members = members(dom, tree);
    if members.len() < MEMBERS_MIN {
        return;
    }
    if Sums::new(tree, units, probability, kept).kept_share(tree, &members) <= KEPT_SHARE {
        return;
    }
    for run in members.into_iter().flat_map(|member| tree.runs_within(member)) {
        let is_code = || tree.ancestors(tree.runs()[run].item).take(2).any(|id| tree.tag(id) == Tag::Pre);
        kept[run] = kept[run] || (probability[run] >= PROBABILITY_MIN && !is_code() && !leads_elsewhere(tree, run));
    }
}

/// Whether a run is nothing but a link to another page, in no paragraph or list: one to the source.
fn leads_elsewhere(tree: &ContentStructureTree, run: RunId) -> bool {
    let of_run = &tree.runs()[run];
    if matches!(tree.tag(of_run.item), Tag::P | Tag::Li | Tag::Dd | Tag::Td) {
        return false;
    }
    let mut links = of_run.nodes.clone().map(NodeId).filter_map(|node| tree.link(node));
    let is_elsewhere = |href: &str| !href.starts_with('#');
    links.next().is_some_and(|link| is_elsewhere(tree.attribute_text(link.href)))
        && tree.linked_bytes(of_run) == of_run.text.len()
}

/// The members of a page, none of which holds another.
fn members(dom: &Dom, tree: &ContentStructureTree) -> Vec<NodeId> {
    let mut members: Vec<NodeId> = Vec::new();
    for item in tree.ids().filter(|id| tree.kind(*id) == NodeKind::HtmlItem && is_member(dom, tree, *id)) {
        if members.last().is_some_and(|last| item < tree.subtree_end(*last)) {
            members.pop();
        }
        members.push(item);
    }
    members
}

/// Whether an item is a member: its name, and something besides.
fn is_member(dom: &Dom, tree: &ContentStructureTree, item: NodeId) -> bool {
    if !matches!(tree.tag(item), Tag::Div | Tag::Section | Tag::Article | Tag::Details) {
        return false;
    }
    let Some(element) = tree.source(item).filter(|_| tree.runs_within(item).len() > 1) else { return false };
    if tree.child_items(item).take(2).any(|inner| is_signature_of_member(dom, tree, inner)) {
        return true;
    }
    let mut names = dom.descendants(element).take(NODES_MAX).flat_map(|id| names(dom, id));
    let Some(first) = names.next() else { return false };
    let text = beginning(tree.subtree_text(item));
    if !text.bytes().any(may_begin_sign) {
        return false;
    }
    std::iter::once(first).chain(names).any(|name| calls(text, name))
}

/// What an element is named, and what it leads to on the page, if it is a link.
fn names(dom: &Dom, element: DomId) -> impl Iterator<Item = &str> {
    let leads_to = dom.attribute(element, AttributeName::Href).and_then(|href| href.strip_prefix('#'));
    own_names(dom, element).chain(leads_to)
}

fn beginning(text: &str) -> &str {
    &text[..text.floor_char_boundary(TEXT_BYTES_MAX)]
}

/// Whether a text has a word of a name as code has what it calls or declares. In names of GTK-Doc a hyphen stands for
/// the sign that joins words in C.
fn calls(text: &str, name: &str) -> bool {
    if name.len() > NAME_BYTES_MAX {
        return false;
    }
    let is_word = |word: &&str| word.len() > 1 && !word.starts_with(|first: char| first.is_ascii_digit());
    let mut words = name.split(|letter: char| !is_of_word(letter)).filter(is_word);
    // A name of words with hyphens may be that of a heading in prose: `Top pick: The mill`.
    let is_prose = name.contains('-');
    words.any(|word| is_called(text, word, is_prose)) || (is_prose && is_called(text, &name.replace('-', "_"), false))
}

fn is_called(text: &str, word: &str, is_prose: bool) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let behind = &text[at + word.len()..];
        let is_whole = !text[..at].ends_with(is_of_word) && !behind.starts_with(is_of_word);
        // `open(`, `open<T>(`, `open = `, `open ⇒ `, `open?: `, `open : `
        let sign = behind.trim_start_matches(['?', '!', ' ']);
        let may_be_declared = !is_prose || sign.len() < behind.len();
        is_whole
            && (behind.starts_with(['(', '<', '['])
                || sign.starts_with(['=', '⇒', '→'])
                || (behind.starts_with(" (") && !is_prose)
                || (may_be_declared && is_declared(sign)))
    })
}

/// Whether a byte may begin a sign of which one stands behind a name that is called or declared: `⇒` and `→` begin with the last.
fn may_begin_sign(byte: u8) -> bool {
    matches!(byte, b'(' | b'<' | b'[' | b'=' | b':' | 0xe2)
}

/// Whether a type follows: `: number`, which the end of a line is not.
fn is_declared(sign: &str) -> bool {
    sign.strip_prefix(':')
        .is_some_and(|behind| behind.trim_start_matches([':', ' ']).starts_with(|c: char| !c.is_control()))
}

fn is_of_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    fn left(html: &str, probability: f32) -> Vec<String> {
        testing::left(html, probability, keep_whole)
    }

    /// Two members, of which the first lacks its signature and the second a parameter.
    fn two(open: &str, close: &str) -> String {
        format!(
            "<h1>Mill</h1>{open}<p>plain words that describe it at length</p></div>\
            {close}<p>plain words, as many</p><p>The gate</p></div><p>Footer</p>"
        )
    }

    #[test]
    fn members_stay_whole() {
        let whole = [
            "open(gate): void",
            "plain words that describe it at length",
            "close(gate)",
            "plain words, as many",
            "The gate",
        ];
        for (from, html) in [
            ("id", two("<div id=Mill.open><p>open(gate): void</p>", "<div id=Mill.close><p>close(gate)</p>")),
            ("heading", two("<div><h3 id=open-1>open(gate): void</h3>", "<div><h3 id=method-i-close>close(gate)</h3>")),
            (
                "link",
                two(
                    "<div><p><a href='#open/1'>open(gate): void</a></p>",
                    "<div><p><a href='#close/1'>close(gate)</a></p>",
                ),
            ),
        ] {
            assert_eq!(left(&html, 0.15).iter().filter(|text| whole.contains(&text.as_str())).count(), 5, "{from}");
            assert_eq!(left(&html, 0.05).len(), 2, "the model is sure of it: {from}");
        }
        let signature = |text: &str| format!("<div><div class=memproto>{text}</div>");
        assert_eq!(left(&two(&signature("void open(int)"), &signature("void close()")), 0.15).len(), 5, "Doxygen");
    }

    #[test]
    fn other_parts_of_pages_are_no_members() {
        let prose = two("<div id=a-way-in><p>The way: in (by boat)</p>", "<div id=top-pick><p>Top pick: a mill</p>");
        assert_eq!(left(&prose, 0.15).len(), 2);
        let one = "<div id=open><p>open(gate)</p><p>plain words</p></div>";
        assert_eq!(left(one, 0.15), ["plain words"], "a page of one");
        let guide = two(
            "<div id=open><p>open(gate)</p>",
            "<div id=close><p>close(gate)</p><div><a href=/source>View Source</a></div>",
        );
        assert_eq!(left(&guide, 0.15).len(), 5, "a link to another page");
        let dropped = two("<div id=open><p>open(gate)</p>", "<div id=close><p>close(gate)</p>")
            .replace("plain words", "many words");
        assert_eq!(left(&format!("{dropped}<p>plain</p>"), 0.15), ["plain"], "most is dropped");
        let around =
            format!("<div id=open>{}</div>", two("<div id=open><p>open(gate)</p>", "<div id=close><p>close(gate)</p>"));
        assert!(!left(&around, 0.15).contains(&"Footer".to_owned()), "what holds members is none");
    }
}
