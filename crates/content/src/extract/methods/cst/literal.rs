//! Figure 5 to the letter, by the stages that index pages: weigh, then prune.

use lopper_analysis::Language;

use super::super::outline::clear_text_len_chars;
use super::super::verdict::Tally;
use super::super::{PageView, Verdict};
use super::query;
use crate::cst::{self, ContentStructureTree, NodeId, Profile};
use crate::limits::Limits;
use crate::prune::{BlockEvidence, PruneRule, PrunedTree, QueryVector, prune};
use crate::weigh::{WeighParams, Weigher};

/// Of the items on a floor only the most similar stays: `body`, `div` and `table` are items, text, links and images are weighed.
///
/// Differs from the paper: 1) `N` and `n_i` are counted over the page's runs, since there is no data set; 2) the query is what the page
/// says of itself; 3) equal similarities stay together. More of it stands with [`Weigher::weigh`] and [`prune`]. O(terms · depth).
pub(super) fn decide(page: &PageView<'_>) -> Verdict {
    let tree = cst::build(page.dom, Profile::Paper, &Limits::default());
    let texts = tree.source_texts().to_vec();
    let mut weigher = Weigher::new();
    let weighted = weigher.weigh_alone(tree, Language::UNDETERMINED, WeighParams::default());
    let query = QueryVector::new(&mut weigher, &weighted, &query::pieces(page.dom).join("\n"));
    let pruned = prune(weighted, query, PruneRule::Paper, BlockEvidence::default());
    let scores = scores(&pruned);
    let mut tally = Tally::new(page.tree);
    for (text, paper_run) in texts {
        let Some(run) = page.outline().run_of(text) else { continue };
        let item = pruned.tree().runs()[paper_run].item;
        let chars = clear_text_len_chars(page.dom.text(text).unwrap_or(""));
        tally.add(run, chars, pruned.survives(item), scores[item.index()]);
    }
    tally.settle()
}

/// By node: the lowest share of the best similarity on the way down to it.
fn scores(pruned: &PrunedTree) -> Vec<f64> {
    let tree = pruned.tree();
    let mut scores = vec![1f64; tree.len()];
    let share = |id: NodeId| match pruned.decision(id) {
        Some(decision) if decision.best > 0.0 => f64::from(decision.similarity / decision.best),
        _ => 1.0,
    };
    for id in tree.ids().filter(|id| *id != ContentStructureTree::ROOT) {
        let around = tree.parent(id).map_or(1.0, |parent| scores[parent.index()]);
        scores[id.index()] = around.min(share(id));
    }
    scores
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // What is worked out by hand is exact.
mod tests {
    use super::super::super::testing::with_page;
    use super::*;

    /// The page of figure 2 with words of its own; the query is its title.
    fn figure_2(title: &str) -> String {
        format!(
            "<title>{title}</title><body><div id=wrapper><a href=#>menu</a><img src=i.png><span>red apples</span></div>\
             <img src=j.png><a href=#>top</a><table><tr><td>blue plums</td></tr></table><span>tail</span></body>"
        )
    }

    #[test]
    fn of_figure_2s_floor_only_the_most_similar_item_stays() {
        // The floor of body has two items, div and table; what stands in body itself has no sibling item.
        for (title, kept) in [("plums", [false, true, true, true]), ("apples", [true, true, false, true])] {
            with_page(&figure_2(title), |page| {
                assert_eq!(page.tree.runs().len(), 4);
                let verdict = decide(page);
                assert_eq!(verdict.kept, kept, "{title}");
                assert_eq!(verdict.score[1], 1.0);
            });
        }
    }

    #[test]
    fn where_nothing_is_similar_nothing_goes() {
        with_page(&figure_2("pears"), |page| assert_eq!(decide(page).kept, [true; 4]));
    }
}
