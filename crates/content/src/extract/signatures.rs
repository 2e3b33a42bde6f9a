//! Signatures of members in references of programs, which stay with what describes them.
//!
//! To the model a line of types alone, `flagName :: Lens' Flag FlagName`, is hardly content, so of a long list of members some lose it.
//! What the element is called says what it is: `member-signature` (Javadoc), `memproto` (Doxygen), `src` of a paragraph (Haddock), `rust` of
//! preformatted text that is no example (rustdoc), `symbol` in one width (Dokka), `signature` in a head (Scaladoc), preformatted text right in
//! the entry of a member (Javadoc 7 to 15). So does what introduces a page or a command: `textblock`
//! (Doxygen), `refnamediv` (DocBook).

use std::ops::Range;

use super::content::{haddock, is_declaration, is_signature_of_javadoc, is_symbol};
use super::repeated::WordedRuns;
use super::sections::{Sums, container};
use crate::cst::{ContentStructureTree, NodeId, NodeKind, RunId};
use crate::dom::{ClassNames, Dom, Tag, classes};

/// What an element is called that is a signature.
const NAMES: &ClassNames = classes!["member-signature", "memproto"];

/// What introduces a page or a command.
const LEADS: &ClassNames = classes!["textblock", "refnamediv"];

/// Least probability, the mean over its text, of one that is kept.
const PROBABILITY_MIN: f64 = 0.05;

/// Bytes of the text of one; an element that was left open may swallow a page.
const BYTES_MAX: f64 = 4000.0;

/// Share of the text behind it that is kept, above which it is.
const BEHIND_SHARE: f64 = 0.5;

/// Keeps signatures with the text behind them in the nearest element that holds more, where anything is kept; other signatures count as
/// kept there. `kept` and `probability` are by run. O(nodes · depth).
pub(super) fn keep_with_descriptions(
    dom: &Dom,
    tree: &ContentStructureTree,
    units: WordedRuns<'_>,
    probability: &[f32],
    kept: &mut [bool],
) {
    let signatures = signatures(dom, tree);
    if signatures.is_empty() || !kept.contains(&true) {
        return;
    }
    let mut with_signatures = kept.to_vec();
    for (own, _) in &signatures {
        with_signatures[own.clone()].fill(true);
    }
    let sums = Sums::new(tree, units, probability, &with_signatures);
    for (own, behind) in signatures {
        let (signature, behind) = (sums.of(&own), sums.of(&behind));
        let may_be_one = signature.all <= BYTES_MAX && signature.probable > signature.all * PROBABILITY_MIN;
        if may_be_one && behind.kept > behind.all * BEHIND_SHARE {
            kept[own].fill(true);
        }
    }
}

/// The runs of each signature, and those behind it.
fn signatures(dom: &Dom, tree: &ContentStructureTree) -> Vec<(Range<RunId>, Range<RunId>)> {
    let is_one = |id: &NodeId| is_signature(dom, tree, *id) || is_lead(dom, tree, *id);
    let items = tree.ids().filter(|id| tree.kind(*id) == NodeKind::HtmlItem).filter(is_one);
    let with_behind = items.filter_map(|item| {
        let own = tree.runs_within(item);
        let behind = own.end..container(tree, item, &own)?.end;
        Some((own, behind))
    });
    with_behind.collect()
}

/// Whether an item is called a signature.
pub(super) fn is_signature(dom: &Dom, tree: &ContentStructureTree, item: NodeId) -> bool {
    let is_named = |element| {
        dom.has_class(element, classes!["rust"]) && !dom.has_class(element, classes!["rust-example-rendered"])
    };
    is_signature_of_member(dom, tree, item) || (tree.tag(item) == Tag::Pre && tree.source(item).is_some_and(is_named))
}

/// Whether an item is called what introduces others.
fn is_lead(dom: &Dom, tree: &ContentStructureTree, item: NodeId) -> bool {
    tree.tag(item) == Tag::Div && tree.has_class(dom, item, LEADS)
}

/// Whether an item is called the signature of a member.
pub(super) fn is_signature_of_member(dom: &Dom, tree: &ContentStructureTree, item: NodeId) -> bool {
    let is_named = |element| match tree.tag(item) {
        Tag::Div => dom.has_class(element, NAMES) || is_symbol(dom, element) || is_declaration(dom, element),
        Tag::Pre => is_signature_of_javadoc(dom, element),
        Tag::P => haddock::signature(dom, element).is_some(),
        _ => false,
    };
    tree.source(item).is_some_and(is_named)
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    fn left(html: &str, probability: f32) -> Vec<String> {
        testing::left(html, probability, keep_with_descriptions)
    }

    #[test]
    fn a_signature_stays_with_what_describes_it() {
        let source = "<a class=link href=M>Source</a>";
        let member = |text: &str| format!("<div><p class=src>grind :: Corn {source}</p><div><p>{text}</p></div></div>");
        assert_eq!(left(&member("plain words"), 0.1), ["grind :: Corn Source", "plain words"]);
        assert_eq!(left(&member("plain words"), 0.04), ["plain words"], "the model is sure of it");
        let dropped = format!("<div>{}</div><p>plain</p>", member("words"));
        assert_eq!(left(&dropped, 0.1), ["plain"], "its description is dropped");
        assert_eq!(left(&member("plain words").replace("src", "lead"), 0.1), ["plain words"], "it is called otherwise");
        assert_eq!(left(&member("plain words").replace("link", "a"), 0.1), ["plain words"], "a photo's source");
        let alone = format!("<div><p class=src>sail :: Wind {source}</p></div>");
        assert_eq!(left(&format!("<div>{alone}{}</div>", member("plain words")), 0.1).len(), 3, "with the next");
        let java =
            "<section><h3>turn</h3><div class=member-signature>void turn()</div><div>plain words</div></section>";
        assert_eq!(left(java, 0.1), ["void turn()", "plain words"]);
        let kotlin = "<div><div class='symbol monospace'>fun turn()</div><div>plain words</div></div>";
        assert_eq!(left(kotlin, 0.1), ["fun turn()", "plain words"]);
        assert_eq!(left(&kotlin.replace("monospace", "stock"), 0.1), ["plain words"]);
        let scala =
            "<div><div class='header monospace'><div class=signature>def turn: F</div></div><p>plain words</p></div>";
        assert_eq!(left(scala, 0.1), ["def turn: F", "plain words"]);
        let eight = "<ul><li class=blockList><h4>turn</h4><pre>void turn()</pre><div>plain words</div></li></ul>";
        assert_eq!(left(eight, 0.1), ["void turn()", "plain words"]);
        assert_eq!(left(&eight.replace("blockList", "entry"), 0.1), ["plain words"]);
        let lead = "<div><div class=textblock><p>Turns.</p><dl><dt>Examples<dd>mill.c</dl></div><h2>Functions</h2><p>plain words</p></div>";
        assert_eq!(left(lead, 0.1), ["Turns.", "Examples", "mill.c", "plain words"]);
        let command =
            "<div><div class=refnamediv><h2>Name</h2><p>ls — lists</p></div><div><p>plain words</p></div></div>";
        assert_eq!(left(command, 0.1), ["Name", "ls — lists", "plain words"]);
        let rust = "<section><pre class='rust fn'><code>pub fn turn()</code></pre><div>plain words</div></section>";
        assert_eq!(left(rust, 0.1), ["pub fn turn()", "plain words"]);
        assert_eq!(left(&rust.replace("fn", "rust-example-rendered"), 0.1), ["plain words"]);
    }
}
