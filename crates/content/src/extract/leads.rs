//! First sentences that lead on: `A mill grinds corn. More...`, as Doxygen and Qt have above their lists of members.
//!
//! To the model such a sentence, alone between the title and a list, is hardly content; it says what the page is about.

use super::content::anchors::leads_on;
use crate::cst::{ContentStructureTree, NodeId, NodeKind, RunId};
use crate::dom::Dom;

/// Least probability of one that is kept.
const PROBABILITY_MIN: f32 = 0.1;

/// Keeps runs that end with a link to more on the page, where anything is kept. `kept` and `probability` are by run. O(nodes).
pub(super) fn keep_leads(dom: &Dom, tree: &ContentStructureTree, probability: &[f32], kept: &mut [bool]) {
    if !kept.contains(&true) {
        return;
    }
    for (run, found) in tree.runs().iter().enumerate() {
        let last = found.nodes.clone().next_back().map(NodeId);
        let is_link = |node: &NodeId| tree.kind(*node) == NodeKind::Link && tree.text(*node).trim().starts_with("More");
        let link = last.filter(|node| !kept[run] && is_link(node));
        let leads = link.and_then(|node| tree.source(node)).is_some_and(|link| leads_on(dom, link));
        if leads && is_sentence(tree, run) && probability[run] >= PROBABILITY_MIN {
            kept[run] = true;
        }
    }
}

/// Whether most of a run is no link.
fn is_sentence(tree: &ContentStructureTree, run: RunId) -> bool {
    let run = &tree.runs()[run];
    2 * tree.linked_bytes(run) < run.text.len()
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    fn left(html: &str, probability: f32) -> Vec<String> {
        testing::left(html, probability, |dom, tree, _, probability, kept| keep_leads(dom, tree, probability, kept))
    }

    #[test]
    fn a_sentence_that_leads_on_stays() {
        let page = |link: &str| format!("<h1>Mill</h1><p>Grinds corn. {link}</p><p>plain text</p>");
        assert_eq!(left(&page("<a href=#details>More...</a>"), 0.2), ["Grinds corn. More...", "plain text"]);
        assert_eq!(left(&page("<a href=#details>More...</a>"), 0.05), ["plain text"]);
        assert_eq!(left(&page("<a href=/more>More...</a>"), 0.2), ["plain text"], "to another page");
        assert_eq!(left(&page("<a href=#b>Buy</a>"), 0.2), ["plain text"]);
        assert_eq!(left("<p><a href=#details>More...</a></p><p>plain text</p>", 0.2), ["plain text"], "a link alone");
        let menu = "<p><a href=/a>News.</a> <a href=#>More...</a></p><p>plain text</p>";
        assert_eq!(left(menu, 0.2), ["plain text"], "a menu");
        assert_eq!(left("<p>Grinds corn. <a href=#details>More...</a></p>", 0.2).len(), 0, "nothing is kept");
    }
}
