//! Blocks that are called navigation: the head and foot of a manual's page, bars with menus, the way to a page.
//!
//! They name the page and those beside it, and a menu that opens when it is pointed at is all there in the page's text, so to the model some
//! of them are content. What they are called says what they are. They are told before the page is cut into content and the rest, so that a
//! long menu does not stand for the content of a page that has little.

use super::repeated::WordedRuns;
use super::sections::{Sums, Text};
use crate::cst::{ContentStructureTree, NodeId, NodeKind, RunId};
use crate::dom::{AttributeName, ClassNames, Dom, DomId, Tag, classes};

/// What nothing but the head and the foot of a page is called (DocBook).
const SURE: &ClassNames = classes!["navheader", "navfooter"];

/// What bars, and the way to a page, are called, in one of the parts of a name: `t-navbar-head`.
const PARTS: &ClassNames = classes!["navbar", "navigationbar", "breadcrumb", "breadcrumbs", "subpages"];

/// Mean probability from which on such a block is what the page is for.
const PROBABILITY_MAX: f64 = 0.5;

/// Share of the text of a block that is links.
const LINKS_SHARE: f64 = 0.5;

/// Words of what stands aside and names a list that is not there.
const LABEL_WORDS_MAX: usize = 2;

/// Bytes of the page's other text.
const REST_BYTES_MIN: f64 = 100.0;

/// Gives the runs of such blocks, ascending, where the page has other text that is as likely. They are no content to whoever asks:
/// their `probability`, by unit, is 0 then. O(nodes).
pub(super) fn called_navigation(
    dom: &Dom,
    tree: &ContentStructureTree,
    units: WordedRuns<'_>,
    probability: &mut [f32],
) -> Vec<RunId> {
    let items = tree.ids().filter(|id| tree.kind(*id) == NodeKind::HtmlItem);
    let called = items.filter_map(|item| {
        let name = if is_label(tree, item) { Some(Name::Sure) } else { name(dom, tree.source(item)?) };
        Some((item, name?))
    });
    let called: Vec<(NodeId, Name)> = called.collect();
    if called.is_empty() {
        return Vec::new();
    }
    let mut by_run = vec![0.0; tree.runs().len()];
    for (run, probability) in units.runs.iter().zip(probability.iter()) {
        by_run[*run] = *probability;
    }
    let sums = Sums::new(tree, units, &by_run, &by_run.iter().map(|_| false).collect::<Vec<_>>());
    let page = sums.of(&(0..tree.runs().len()));
    let (mut found, mut end, mut bytes) = (Vec::new(), 0, 0.0);
    for (item, name) in called {
        let runs = tree.runs_within(item);
        let block = sums.of(&runs);
        let rest = page.all - block.all - bytes;
        if item.0 >= end && rest >= REST_BYTES_MIN && (name == Name::Sure || is_likely(block, page)) {
            end = tree.subtree_end(item).0;
            bytes += block.all;
            found.extend(runs);
        }
    }
    for run in &found {
        if let Ok(unit) = units.runs.binary_search(run) {
            probability[unit] = 0.0;
        }
    }
    found
}

/// Whether an item stands aside and is no more than the name of a list that scripts would show there.
fn is_label(tree: &ContentStructureTree, item: NodeId) -> bool {
    tree.tag(item) == Tag::Aside && tree.subtree_text(item).split_whitespace().nth(LABEL_WORDS_MAX).is_none()
}

/// How sure a name is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Name {
    Sure,
    Likely,
}

fn name(dom: &Dom, element: DomId) -> Option<Name> {
    if dom.has_class(element, SURE) {
        return Some(Name::Sure);
    }
    let parts_name = |byte: &u8| matches!(byte, b'-' | b'_');
    let parts_class = |byte: &u8| parts_name(byte) || byte.is_ascii_whitespace();
    let id = dom.attribute(element, AttributeName::Id).unwrap_or("");
    let is_likely = dom.class(element).as_bytes().split(parts_class).any(|part| PARTS.contains(part))
        || id.as_bytes().split(parts_name).any(|part| PARTS.contains(part));
    is_likely.then_some(Name::Likely)
}

/// Whether a block is mostly links, and no likelier to be content than the rest of the page.
fn is_likely(block: Text, page: Text) -> bool {
    let rest = (page.probable - block.probable) / (page.all - block.all);
    let mean = block.probable / block.all.max(1.0);
    block.links >= block.all * LINKS_SHARE && mean < PROBABILITY_MAX.min(rest)
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    fn left(html: &str, likely: f32) -> Vec<String> {
        testing::left(html, 0.4, |dom, tree, units, _, kept| {
            let text = |run: &RunId| tree.run_text(&tree.runs()[*run]);
            let mut probability: Vec<f32> =
                units.runs.iter().map(|run| if text(run).contains("turn") { 0.6 } else { likely }).collect();
            kept.fill(true);
            let found = called_navigation(dom, tree, units, &mut probability);
            assert!(found.is_sorted() && found.iter().all(|run| probability[*run] == 0.0));
            for run in found {
                kept[run] = false;
            }
        })
    }

    const TEXT: &str =
        "The mills at the river turn by day and by night, and grind what the farmers of the valley bring to them.";

    #[test]
    fn what_is_called_the_head_of_a_page_goes() {
        let head = "<div class=navheader><table><tr><th>1.2. Mills<tr><td><a href=a>Zurück</a></table></div>";
        assert_eq!(left(&format!("{head}<p>{TEXT}</p>"), 0.9), [TEXT]);
        let aside = "<aside><label>Index 🔎︎ </label><nav></nav></aside>";
        assert_eq!(
            left(&format!("{aside}<p>{TEXT}</p><aside>They turn by day.</aside>"), 0.9).len(),
            2,
            "an empty list"
        );
        assert_eq!(left(&format!("{head}<p>They turn.</p>"), 0.9).len(), 3, "next to nothing else is there");
    }

    #[test]
    fn bars_of_links_go_where_the_rest_is_likelier() {
        let links = "<p><a href=a>Wind mills</a></p><p><a href=b>Water mills</a> <i>(new)</i></p>".repeat(9);
        let page = |class: &str| format!("<div class='{class}'><div>{links}</div></div><p>{TEXT}</p>");
        assert_eq!(left(&page("t-navbar"), 0.4), [TEXT]);
        assert_eq!(left(&page("x Breadcrumbs"), 0.4), [TEXT]);
        assert_eq!(left(&page("t-navbar"), 0.7).len(), 19, "content to the model");
        assert_eq!(left(&page("navbarish"), 0.4).len(), 19, "another name");
        let plain = page("t-navbar").replace("<a href", "<b title").replace("</a>", "</b>");
        assert_eq!(left(&plain, 0.4).len(), 19, "no links");
    }
}
