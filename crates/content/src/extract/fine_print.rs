//! Fine print: what a page calls a disclaimer, below or among what it is for.
//!
//! It is prose, often more than the rest of a product's page, so to the model it is content. What is asked of the whole page still finds it:
//! it is left out of what is extracted, not of the index.

use super::paratext::runs_of_named;
use super::repeated::WordedRuns;
use crate::cst::ContentStructureTree;
use crate::dom::{ClassNames, Dom, Tag, classes};

/// What fine print is called, in one of the parts of a name: `offer-disclaimer__text`.
const PARTS: &ClassNames = classes!["disclaimer", "disclaimers"];

/// Share of the kept words that it has at most: a page may be about its terms.
const SHARE_MAX: f32 = 0.6;

/// Takes fine print out of `kept`, by run. O(nodes).
pub(super) fn drop_fine_print(dom: &Dom, tree: &ContentStructureTree, units: WordedRuns<'_>, kept: &mut Vec<bool>) {
    let of_class: Vec<bool> = dom.distinct_classes().map(|class| PARTS.are_parts_of(class.text())).collect();
    let is_whole = |element| matches!(dom.tag(element), Some(Tag::Body | Tag::Main | Tag::Article));
    let found = runs_of_named(tree, |element| of_class[dom.class_id(element).index()] && !is_whole(element));
    let (mut all, mut printed) = (0.0, 0.0);
    for (run, words) in units.runs.iter().zip(units.words).filter(|(run, _)| kept[**run]) {
        all += words;
        printed += if found.binary_search(run).is_ok() { *words } else { 0.0 };
    }
    if printed <= all * SHARE_MAX {
        units.leave_out(kept, &found);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    fn left(html: &str) -> Vec<String> {
        testing::left(html, 0.9, |dom, tree, units, _, kept| {
            let mut all = vec![true; kept.len()];
            drop_fine_print(dom, tree, units, &mut all);
            kept.copy_from_slice(&all);
        })
    }

    #[test]
    fn what_is_called_a_disclaimer_goes() {
        for name in ["disclaimer", "offer-disclaimer", "product_Disclaimers"] {
            let html = format!("<p>A mill.<p>It grinds.<div class='x {name}'><p>Not legal advice.</div>");
            assert_eq!(left(&html).len(), 2, "{name}");
            assert_eq!(left(&format!("<p>A mill.<div class='{name}'><p>One.<p>Two.<p>Three.</div>")).len(), 4, "most");
            assert_eq!(left(&format!("<p>A mill.<p>It grinds.<article class='{name}'>Words</article>")).len(), 3);
        }
        assert_eq!(left("<p>A mill.<p>It grinds.<div class='disclaims'>We disclaim.</div>").len(), 3);
    }
}
