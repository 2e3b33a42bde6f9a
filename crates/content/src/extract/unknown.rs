//! Pages of a make that the model does not know: there the descent by text distribution decides.
//!
//! On such a page no run is likely, and next to nothing is to be expected of any cut. A method that only asks where the text is does
//! better there, and worse everywhere else. A short page of links alone is the head and the foot of one whose text its scripts would have
//! fetched: nothing of it is content.

use super::cut::Cut;
use super::methods::{Method, PageView, Variant};
use super::repeated::WordedRuns;
use crate::cst::{ContentStructureTree, RunId};

/// Expected F1 of the best cut, from which the model knows the page.
const EXPECTED_F1_MIN: f32 = 0.3;

/// Probability of its likeliest run, from which the model knows the page.
const LIKELIEST_MIN: f32 = 0.45;

/// Fewest words of a page whose text has a distribution.
const WORDS_MIN: f32 = 100.0;

/// Words of a page, below which it may be nothing but menus, where the best cut's expected F1 and the probability of the likeliest run are
/// both below what stands beside them. The fewer words, the less the model knows of the page.
const MENUS: [(f32, f32); 2] = [(200.0, 0.65), (500.0, 0.5)];

/// Share of the bytes of such a page that are links, and of those of what would be kept.
const MENUS_LINKS_SHARE: f64 = 0.75;
const MENUS_KEPT_LINKS_SHARE: f64 = 0.5;

/// Whether a page has nothing but menus, of which none is likely to be what it is for; `kept`, by run, is what would be kept of it.
pub(super) fn has_menus_alone(
    tree: &ContentStructureTree,
    units: WordedRuns<'_>,
    probability: &[f32],
    cut: Cut,
    kept: &[bool],
) -> bool {
    let words: f32 = units.words.iter().sum();
    let likeliest = probability.iter().fold(cut.expected_f1, |most, one| most.max(*one));
    if !MENUS.iter().any(|(words_max, likeliest_max)| words < *words_max && likeliest < *likeliest_max) {
        return false;
    }
    has_links(tree, units.runs.iter().copied(), MENUS_LINKS_SHARE)
        && has_links(tree, units.runs.iter().copied().filter(|run| kept[*run]), MENUS_KEPT_LINKS_SHARE)
}

/// Whether links are that share of the bytes of some runs.
fn has_links(tree: &ContentStructureTree, runs: impl Iterator<Item = RunId>, share: f64) -> bool {
    let (mut bytes, mut linked) = (0, 0);
    for run in runs.map(|run| &tree.runs()[run]) {
        bytes += tree.run_text(run).len();
        linked += tree.linked_bytes(run);
    }
    linked as f64 >= bytes as f64 * share
}

/// Puts into `kept`, by run, what the distribution of the text says, on a page that the model does not know; nothing changes
/// where that would keep no words. `probability` is that of each unit, by which `cut` was made.
pub(super) fn keep_by_distribution(
    page: &PageView<'_>,
    units: WordedRuns<'_>,
    probability: &[f32],
    cut: Cut,
    kept: &mut Vec<bool>,
) {
    let is_known = cut.expected_f1 >= EXPECTED_F1_MIN || probability.iter().any(|one| *one >= LIKELIEST_MIN);
    if is_known || units.words.iter().sum::<f32>() < WORDS_MIN {
        return;
    }
    let verdict = Method::Distribution.decide(page, Variant::Best);
    if units.runs.iter().any(|run| verdict.kept[*run]) {
        *kept = verdict.kept;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cst::{self, Profile};
    use crate::dom;
    use crate::limits::Limits;

    /// The runs with text, and the words of each.
    fn units(tree: &ContentStructureTree) -> (Vec<usize>, Vec<f32>) {
        let runs: Vec<usize> = (0..tree.runs().len()).filter(|run| !tree.runs()[*run].text.is_empty()).collect();
        let words = runs.iter().map(|run| tree.run_text(&tree.runs()[*run]).split_whitespace().count() as f32);
        let words = words.collect();
        (runs, words)
    }

    /// How many of the words are kept when none were.
    fn kept(html: &str, likeliest: f32, expected_f1: f32) -> f32 {
        let limits = Limits::default();
        let dom = dom::parse(html, &limits);
        let tree = cst::build(&dom, Profile::Modern, &limits);
        let (runs, words) = units(&tree);
        let mut kept = vec![false; tree.runs().len()];
        let cut = Cut { taken: 0, threshold: 1.0, expected_f1 };
        let units = WordedRuns { runs: &runs, words: &words };
        let probability = vec![likeliest; runs.len()];
        keep_by_distribution(&PageView::new(&dom, &tree, ""), units, &probability, cut, &mut kept);
        runs.iter().zip(&words).filter(|(run, _)| kept[**run]).map(|(_, words)| words).sum()
    }

    #[test]
    fn the_text_decides_on_pages_that_the_model_does_not_know() {
        let card = "<div><b>Mill 7</b><p>It stands by the river and grinds the corn of four villages.</p></div>";
        let page = format!("<nav><a href=/>Home</a></nav><div>{}</div><p><a href=/a>About</a></p>", card.repeat(20));
        assert!(kept(&page, 0.2, 0.2) >= 20.0 * 11.0, "{}", kept(&page, 0.2, 0.2));
        assert!(kept(&page, 0.2, 0.4) < 1.0, "much is to be expected");
        assert!(kept(&page, 0.5, 0.2) < 1.0, "a run is likely");
        assert!(kept(&format!("<nav><a href=/>Home</a></nav>{card}"), 0.2, 0.2) < 1.0, "too few words");
        assert!(kept("", 0.0, 0.0) < 1.0);
    }

    #[test]
    fn a_short_page_of_links_alone_has_no_content() {
        let is_empty = |html: &str, likeliest: f32, expected_f1: f32| {
            let limits = Limits::default();
            let tree = cst::build(&dom::parse(html, &limits), Profile::Modern, &limits);
            let (runs, words) = units(&tree);
            let cut = Cut { taken: 0, threshold: 1.0, expected_f1 };
            let units = WordedRuns { runs: &runs, words: &words };
            let kept: Vec<bool> = tree.runs().iter().map(|run| !tree.run_text(run).contains("keep not")).collect();
            has_menus_alone(&tree, units, &vec![likeliest; runs.len()], cut, &kept)
        };
        let menu = "<ul><li><a href=/help>Help and contact</a><li><a href=/returns>Returns</a></ul><p>(c)";
        assert!(is_empty(menu, 0.6, 0.4));
        assert!(!is_empty(menu, 0.7, 0.4), "a run is likely");
        assert!(!is_empty(menu, 0.6, 0.7), "much is to be expected");
        assert!(is_empty(&menu.repeat(50), 0.4, 0.4) && !is_empty(&menu.repeat(50), 0.6, 0.4), "more words");
        assert!(!is_empty(&menu.repeat(120), 0.4, 0.4), "many words");
        assert!(!is_empty(&format!("{menu}<p>The mill stands by the river."), 0.5, 0.4), "other text");
        let words = "<p>The mill stands.";
        let links = "<li><a href=/b>keep not this</a>".repeat(20);
        assert!(!is_empty(&format!("{words}{links}"), 0.4, 0.4), "what would be kept is no link");
    }
}
