//! Headings are kept with what they head.

use super::anchors::leads_to_heading_before;
use super::buttons::is_heading_with_buttons;
use crate::cst::{ContentStructureTree, NodeId, NodeKind, RunId};
use crate::dom::{AttributeName, ClassNames, Dom, DomId, Tag, classes};

/// Share of a section's text from which its heading is kept.
const SECTION_SHARE: f64 = 0.5;

/// Keeps a heading when the next run with text that is no heading is kept, and either the run before it is kept too, or the heading
/// stands in the same container as what it heads; and when half of its section is kept.
pub(super) fn keep_headings(dom: &Dom, tree: &ContentStructureTree, kept: &mut [bool]) {
    let runs = tree.runs();
    let with_headings = runs_with_headings(dom, tree);
    // The first run with text behind each one that is neither a heading nor stands with one.
    let mut behind = vec![None; runs.len()];
    let mut next = None;
    for run in (0..runs.len()).rev().filter(|run| !runs[*run].text.is_empty()) {
        behind[run] = next;
        if heading_of(tree, run).is_none() && !with_headings[run] {
            next = Some(run);
        }
    }
    let mut before = false;
    for run in (0..runs.len()).filter(|run| !runs[*run].text.is_empty()) {
        if let (false, Some(heading), Some(behind)) = (kept[run], heading_of(tree, run), behind[run]) {
            kept[run] = (kept[behind] && (before || heads(dom, tree, heading, runs[behind].item)))
                || section_is_kept(dom, tree, run, heading, kept);
        }
        before = kept[run] || (before && with_headings[run]);
    }
}

/// Runs that stand with a heading in an element of its own: the links to edit a section, as MediaWiki has them.
fn runs_with_headings(dom: &Dom, tree: &ContentStructureTree) -> Vec<bool> {
    let mut with_headings = vec![false; tree.runs().len()];
    for item in tree.ids().filter(|id| tree.kind(*id) == NodeKind::HtmlItem && tree.tag(*id).heading_level().is_some())
    {
        with_headings[tree.runs_within(header_of(dom, tree, item))].fill(true);
        with_headings[tree.runs_within(item)].fill(false);
    }
    with_headings
}

/// The element that holds a heading and what goes with it, as its class says, or where that is
/// buttons or a link to the heading; the heading
/// itself where there is none.
fn header_of(dom: &Dom, tree: &ContentStructureTree, heading: NodeId) -> NodeId {
    /// Names of such elements (MediaWiki, ExDoc).
    const NAMES: &ClassNames = classes!["mw-heading", "detail-header", "heading-with-actions"];
    /// Runs in it besides the heading's.
    const RUNS_MAX: usize = 8;
    let holds_one = |division| {
        dom.has_class(division, NAMES)
            || is_heading_with_buttons(dom, division)
            || is_heading_with_permalink(dom, division)
    };
    let is_header = |element: &NodeId| {
        tree.runs_within(*element).len() <= tree.runs_within(heading).len() + RUNS_MAX
            && tree.source(*element).is_some_and(holds_one)
    };
    tree.parent(heading).filter(is_header).unwrap_or(heading)
}

/// Whether an element holds a heading and a link to it, and nothing else.
fn is_heading_with_permalink(dom: &Dom, division: DomId) -> bool {
    let mut parts = dom.children(division).filter(|id| !dom.is_blank(*id));
    let link = parts.nth(1).filter(|link| dom.tag(*link) == Some(Tag::A) && parts.next().is_none());
    link.is_some_and(|link| {
        dom.attribute(link, AttributeName::Href).is_some_and(|href| leads_to_heading_before(dom, link, href))
    })
}

/// Whether `item` stands in the container whose heading is `heading`.
fn heads(dom: &Dom, tree: &ContentStructureTree, heading: NodeId, item: NodeId) -> bool {
    let header = header_of(dom, tree, heading);
    let Some(container) = tree.parent(header).filter(|id| *id != ContentStructureTree::ROOT) else { return false };
    container < item && item < tree.subtree_end(container)
}

/// Whether at least half of a heading's section is kept: of the text behind it in the nearest element that holds more than the heading,
/// up to the next heading of its level or a higher one.
///
/// The headings whose sections hold a run have different levels, so a run is looked at six times at most.
fn section_is_kept(dom: &Dom, tree: &ContentStructureTree, run: RunId, heading: NodeId, kept: &[bool]) -> bool {
    let header = header_of(dom, tree, heading);
    let own = tree.runs_within(header);
    let mut around = std::iter::successors(tree.parent(header), |id| tree.parent(*id));
    let level = tree.tag(heading).heading_level();
    // A heading right in the page may head what follows there, but one of the first level is the title or the site's name.
    let is_bare = tree.parent(header) == Some(ContentStructureTree::ROOT) && level > Some(1);
    let container = around.find(|id| tree.runs_within(*id) != own);
    let Some(container) = container.filter(|id| is_bare || *id != ContentStructureTree::ROOT) else { return false };
    let (mut all, mut of_kept) = (0, 0);
    let end = tree.runs_within(container).end;
    for (behind, is_kept) in kept.iter().enumerate().take(end).skip(run + 1).filter(|(run, _)| !own.contains(run)) {
        match heading_of(tree, behind) {
            Some(other) if tree.tag(other).heading_level() <= level => break,
            Some(_) => {}
            None => {
                let bytes = tree.runs()[behind].text.len();
                all += bytes;
                of_kept += if *is_kept { bytes } else { 0 };
            }
        }
    }
    of_kept > 0 && of_kept as f64 >= all as f64 * SECTION_SHARE
}

/// The heading that a run is in.
fn heading_of(tree: &ContentStructureTree, run: RunId) -> Option<NodeId> {
    let item = tree.runs()[run].item;
    tree.tag(item).heading_level().map(|_| item)
}

#[cfg(test)]
mod tests {
    use crate::extract::testing::written;

    #[test]
    fn a_heading_right_in_the_page_stays_with_its_section() {
        let page = "<h2>A.16 Errors</h2><p>author</p><p>What is kept of it, all these words.</p>";
        assert_eq!(written(page), "## A.16 Errors\n\nWhat is kept of it, all these words.\n");
        assert!(!written(&page.replace("h2", "h1")).contains("A.16"), "a title, or the site's name");
        let most_is_dropped = page.replace("author", "Of this section most is left out, more than half of its text.");
        assert!(!written(&most_is_dropped).contains("A.16"));
    }

    #[test]
    fn icons_that_lead_on_are_no_images_of_the_text() {
        let icon = |name: &str| format!("<a href=/{name}><img src=/{name}.gif alt={name}></a>");
        let bar = [icon("home"), icon("previous"), icon("next")].concat();
        assert_eq!(written(&format!("<div><p>{bar}</p><p>kept words</p></div>")), "kept words\n");
        let shown = bar.replace(".gif", ".jpg").replace("alt=home", "alt=mill");
        assert!(written(&format!("<div><p>{shown}</p><p>kept words</p></div>")).contains("home.jpg"));
    }
}
