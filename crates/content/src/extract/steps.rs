//! Links to the pages before and after, which lead through a manual: `Next: Numbers, Previous: Description, Up: Introduction`.
//!
//! A page on which a whole manual stands has them above each of its sections, so often and so near to the text that they look like it. They
//! say by `rel` what they are.

use super::PageView;
use super::repeated::WordedRuns;
use crate::cst::{NodeId, Run};
use crate::dom::AttributeName;

/// What the links of such a run may be by their `rel`.
const STEPS: [&str; 9] = ["next", "prev", "previous", "up", "contents", "index", "first", "last", "start"];

/// Fewest such links in a run.
const LINKS_MIN: usize = 2;

/// Words outside of links that a run may have for each: `Previous:`.
const WORDS_BESIDE_MAX: usize = 2;

/// Drops kept runs of nothing but such links and what names them; nothing where nothing would be left. O(nodes).
pub(super) fn drop_steps(page: &PageView<'_>, units: WordedRuns<'_>, kept: &mut Vec<bool>) {
    let mut left = kept.clone();
    for run in units.runs.iter().filter(|run| kept[**run]) {
        left[*run] = !is_steps(page, &page.tree.runs()[*run]);
    }
    units.keep_unless_nothing(kept, left);
}

fn is_steps(page: &PageView<'_>, run: &Run) -> bool {
    let nodes = || run.nodes.clone().map(NodeId);
    let links = nodes().filter(|node| page.tree.link(*node).is_some()).count();
    if links < LINKS_MIN || !nodes().all(|node| page.tree.link(node).is_none() || is_step(page, node)) {
        return false;
    }
    let beside = nodes().filter(|node| page.tree.link(*node).is_none());
    let words = beside.flat_map(|node| page.tree.text(node).split_whitespace());
    words.filter(|word| word.contains(char::is_alphanumeric)).count() <= links * WORDS_BESIDE_MAX
}

fn is_step(page: &PageView<'_>, link: NodeId) -> bool {
    let rel = page.tree.source(link).and_then(|element| page.dom.attribute(element, AttributeName::Rel));
    let is_one = |word: &str| STEPS.iter().any(|step| word.eq_ignore_ascii_case(step));
    rel.is_some_and(|rel| rel.split_ascii_whitespace().any(is_one))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cst::{self, Profile, RunId};
    use crate::dom;
    use crate::limits::Limits;

    fn left(html: &str) -> Vec<String> {
        let limits = Limits::default();
        let dom = dom::parse(html, &limits);
        let tree = cst::build(&dom, Profile::Modern, &limits);
        let runs: Vec<RunId> = (0..tree.runs().len()).collect();
        let words = vec![1.0; runs.len()];
        let mut kept = vec![true; runs.len()];
        drop_steps(&PageView::new(&dom, &tree, ""), WordedRuns { runs: &runs, words: &words }, &mut kept);
        runs.iter().filter(|run| kept[**run]).map(|run| tree.run_text(&tree.runs()[*run]).to_owned()).collect()
    }

    #[test]
    fn links_through_a_manual_are_dropped() {
        let steps = "<p>Next: <a href=#b rel=next>Numbers</a>, Previous: <a href=#a rel=prev>Top</a>, Up: <a href=#t rel=up>bc</a> \
                     [<a href=#c rel=contents>Contents</a>]</p>";
        assert_eq!(left(&format!("{steps}<h2>Mills</h2>{steps}<p>They turn.</p>")), ["Mills", "They turn."]);
        assert_eq!(left(steps).len(), 1, "nothing else is there");
        for kept in [
            steps.replace("rel=up", ""),
            steps.replace("Next:", "The next of the many chapters of this manual tells of"),
            "<p><a href=#b rel=next>Numbers</a></p>".to_owned(),
            "<p>A <a href=/tag rel=tag>mill</a> and <a href=x rel=nofollow>more</a></p>".to_owned(),
        ] {
            assert_eq!(left(&format!("{kept}<p>They turn.</p>")).len(), 2, "{kept}");
        }
    }
}
