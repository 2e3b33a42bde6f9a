//! What says what a page is about, at its beginning, and is too short or too oddly placed to look like content to the model:
//!
//! 1. *First sentences that lead on*: `A mill grinds corn. More...`, as Doxygen and Qt have above their lists of members.
//! 2. *The line of a manual page*: below the heading "Name", `grind - make flour of corn`.
//! 3. *The comment on a class* behind its signature (Scaladoc), which is called as readers' comments are.

use super::content::anchors::leads_on;
use crate::cst::{ContentStructureTree, NodeId, NodeKind, RunId};
use crate::dom::{AttributeName, Dom, DomId, Tag};

/// Least probability of a first sentence that is kept.
const PROBABILITY_MIN: f32 = 0.1;

/// What the heading of the first section of a manual page is called, in lower case.
const NAME: [&str; 18] = [
    "name",
    "nom",
    "nombre",
    "nome",
    "bezeichnung",
    "nazwa",
    "naam",
    "navn",
    "namn",
    "nimi",
    "név",
    "název",
    "názov",
    "имя",
    "название",
    "名前",
    "名称",
    "이름",
];

/// Least probability of the line below it, and most of its bytes.
const LINE_PROBABILITY_MIN: f32 = 0.05;
const LINE_BYTES_MAX: usize = 400;

/// Words that it may have before the dash.
const LINE_NAMES_MAX: usize = 12;

/// What a comment on a class is to the index, which goes by probabilities.
const COMMENT_PROBABILITY: f32 = 0.5;

/// Keeps these, where anything is kept: runs that end with a link to more on the page, the line of a manual page with its heading, the
/// comment on a class. `kept` and `probability` are by run. O(nodes).
pub(super) fn keep_leads(dom: &Dom, tree: &ContentStructureTree, probability: &mut [f32], kept: &mut [bool]) {
    if !kept.contains(&true) {
        return;
    }
    keep_line_of_manual(tree, probability, kept);
    for run in comments_on_classes(dom, tree) {
        kept[run] = true;
        probability[run] = probability[run].max(COMMENT_PROBABILITY);
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

/// Keeps the first line `name - what it does` behind a heading that is called so, with the heading.
fn keep_line_of_manual(tree: &ContentStructureTree, probability: &[f32], kept: &mut [bool]) {
    let text = |run: RunId| tree.run_text(&tree.runs()[run]).trim();
    let is_heading = |run: RunId| {
        let level = tree.tag(tree.runs()[run].item).heading_level();
        level.is_some() && text(run).len() <= LINE_BYTES_MAX && NAME.contains(&text(run).to_lowercase().as_str())
    };
    let line = (1..tree.runs().len()).find(|line| is_heading(*line - 1));
    if let Some(line) = line.filter(|line| names_and_tells(text(*line)) && probability[*line] >= LINE_PROBABILITY_MIN) {
        kept[line - 1..=line].fill(true);
    }
}

/// Whether a text is names, a dash, and words.
fn names_and_tells(text: &str) -> bool {
    let dash = [" - ", " – ", " — ", " -- "].iter().find_map(|dash| text.split_once(dash));
    let is_line = |(names, tells): (&str, &str)| {
        names.split_whitespace().count() <= LINE_NAMES_MAX && tells.contains(char::is_alphabetic)
    };
    text.len() <= LINE_BYTES_MAX && dash.is_some_and(is_line)
}

/// The runs of paragraphs and code in the element `comment` behind the element `signature`.
fn comments_on_classes(dom: &Dom, tree: &ContentStructureTree) -> Vec<RunId> {
    let has_id = |element: DomId, id: &str| dom.attribute(element, AttributeName::Id) == Some(id);
    let is_behind_signature = |element: DomId| {
        let mut before = std::iter::successors(dom.previous_sibling(element), |id| dom.previous_sibling(*id));
        before.find(|id| dom.tag(*id).is_some()).is_some_and(|before| has_id(before, "signature"))
    };
    let is_comment = |item: &NodeId| {
        let element = tree.source(*item).filter(|element| has_id(*element, "comment"));
        element.is_some_and(is_behind_signature)
    };
    let mut items = tree.ids().filter(|id| tree.kind(*id) == NodeKind::HtmlItem);
    let Some(comment) = items.find(is_comment) else { return Vec::new() };
    let is_text = |run: &RunId| {
        let mut around = tree.ancestors(tree.runs()[*run].item).take_while(|id| *id != comment);
        matches!(tree.tag(tree.runs()[*run].item), Tag::P | Tag::Pre | Tag::Li)
            && !around.any(|id| tree.tag(id) == Tag::Dl)
    };
    tree.runs_within(comment).filter(is_text).collect()
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
        testing::left(html, probability, |dom, tree, _, probability, kept| {
            keep_leads(dom, tree, &mut probability.to_vec(), kept);
        })
    }

    #[test]
    fn the_line_of_a_manual_page_stays_with_its_heading() {
        let page = |name: &str, line: &str| {
            format!("<h1>grind(1)</h1><h2>{name}</h2><p>{line}</p><h2>Use</h2><p>plain text</p>")
        };
        assert_eq!(left(&page("NAME", "grind - make flour"), 0.1), ["NAME", "grind - make flour", "plain text"]);
        assert_eq!(left(&page("Имя", "grind — мелет"), 0.1).len(), 3);
        assert_eq!(left(&page("NAME", "grind - make flour"), 0.01), ["plain text"], "the model is sure of it");
        assert_eq!(left(&page("NAME", "Write it down here."), 0.1), ["plain text"], "no dash");
        assert_eq!(left(&page("Mills", "grind - make flour"), 0.1), ["plain text"], "another heading");
    }

    #[test]
    fn the_comment_on_a_class_stays() {
        let comment =
            "<div id=comment><div class=comment><p>Grinds corn.</p></div><dl><dt>Since<dd><p>2.0</p></dl></div>";
        let page = |id: &str| format!("<h4 id={id}>class Mill</h4>{comment}<p>plain text</p>");
        assert_eq!(left(&page("signature"), 0.03), ["Grinds corn.", "plain text"]);
        assert_eq!(left(&page("title"), 0.03), ["plain text"]);
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
