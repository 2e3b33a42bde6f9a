//! Figures and images beside kept text.

use std::collections::HashSet;
use std::ops::Range;

use super::runs::Neighbours;
use crate::cst::{ContentStructureTree, NodeId, NodeKind, RunId};
use crate::dom::Tag;

/// Share of the other text of an element, above which a figure at its beginning or end is kept.
const AROUND_SHARE: f64 = 0.5;

/// Elements around a figure that are looked at for text.
const AROUND_LEVELS_MAX: usize = 4;

/// Keeps images beside kept text, and figures within it or beside it. O(nodes · depth).
pub(super) fn keep_figures(tree: &ContentStructureTree, kept: &mut [bool]) {
    let neighbours = Neighbours::of(tree);
    let sums = KeptSums::of(tree, kept);
    keep_images(tree, &neighbours, kept);
    let is_figure = |id: &NodeId| tree.kind(*id) == NodeKind::HtmlItem && tree.tag(*id) == Tag::Figure;
    for figure in tree.ids().filter(is_figure) {
        keep_figure(tree, figure, &neighbours, &sums, kept);
    }
}

/// Keeps runs of images alone beside kept text of the same element, each image once; no pictures that stand for others.
fn keep_images(tree: &ContentStructureTree, neighbours: &Neighbours, kept: &mut [bool]) {
    const STANDS_FOR_ANOTHER: [&str; 7] = ["loading", "blank", "spacer", "placeholder", "1x1", "trans.", "pixel"];
    let around = |run: RunId| tree.parent(tree.runs()[run].item);
    let sources = |run: RunId| {
        let nodes = tree.runs()[run].nodes.clone().map(NodeId);
        nodes.filter_map(|node| tree.image(node)).map(|image| tree.attribute_text(image.src))
    };
    let mut seen: HashSet<&str> = (0..kept.len()).filter(|run| kept[*run]).flat_map(sources).collect();
    for run in (0..kept.len()).filter(|run| tree.runs()[*run].text.is_empty()) {
        let beside = [neighbours.before[run], neighbours.behind[run + 1]];
        let is_beside = || beside.into_iter().flatten().any(|other| kept[other] && around(other) == around(run));
        let is_new =
            |source: &str| !seen.contains(source) && !STANDS_FOR_ANOTHER.iter().any(|name| source.contains(name));
        if !kept[run] && is_beside() && sources(run).all(is_new) && !are_icons(sources(run)) {
            kept[run] = true;
            seen.extend(sources(run));
        }
    }
}

/// Whether images are the icons of a bar, as old manuals have them to lead on: three or more, all GIFs.
fn are_icons<'a>(mut sources: impl Iterator<Item = &'a str>) -> bool {
    /// Fewest images of a bar.
    const ICONS_MIN: usize = 3;
    let mut count = 0;
    let mut is_icon = |source: &str| {
        count += 1;
        source.rsplit_once('.').is_some_and(|(_, kind)| kind.eq_ignore_ascii_case("gif"))
    };
    sources.all(&mut is_icon) && count >= ICONS_MIN
}

/// What is kept of the text, by sums from the page's beginning on.
struct KeptSums {
    all: Vec<usize>,
    kept: Vec<usize>,
}

impl KeptSums {
    fn of(tree: &ContentStructureTree, kept: &[bool]) -> Self {
        let (mut all, mut of_kept) = (vec![0], vec![0]);
        for (run, is_kept) in tree.runs().iter().zip(kept) {
            let bytes = run.text.len();
            all.push(all.last().unwrap_or(&0) + bytes);
            of_kept.push(of_kept.last().unwrap_or(&0) + if *is_kept { bytes } else { 0 });
        }
        Self { all, kept: of_kept }
    }

    /// Bytes of the text of some runs, and of what is kept of it.
    fn bytes(&self, runs: &Range<RunId>) -> (usize, usize) {
        (self.all[runs.end] - self.all[runs.start], self.kept[runs.end] - self.kept[runs.start])
    }

    fn is_kept(&self, run: Option<RunId>) -> bool {
        run.is_some_and(|run| self.bytes(&(run..run + 1)).1 > 0)
    }
}

/// Keeps a figure, with its caption, that stands within kept text, or beside it in an element of whose other text most is kept. `sums` are
/// of what was kept before any figure.
fn keep_figure(
    tree: &ContentStructureTree,
    figure: NodeId,
    neighbours: &Neighbours,
    sums: &KeptSums,
    kept: &mut [bool],
) {
    let own = tree.runs_within(figure);
    let (before, behind) = (sums.is_kept(neighbours.before[own.start]), sums.is_kept(neighbours.behind[own.end]));
    if (before && behind) || ((before || behind) && is_of_content(tree, figure, sums)) {
        kept[own].fill(true);
    }
}

/// Whether most of the other text is kept of the nearest element around an item that has some, below the page itself.
fn is_of_content(tree: &ContentStructureTree, item: NodeId, sums: &KeptSums) -> bool {
    let (own, own_kept) = sums.bytes(&tree.runs_within(item));
    let around = tree.ancestors(item).skip(1).take(AROUND_LEVELS_MAX);
    let around = around.take_while(|id| *id != ContentStructureTree::ROOT);
    let mut others = around.map(|id| sums.bytes(&tree.runs_within(id))).map(|(all, kept)| (all - own, kept - own_kept));
    others.find(|(all, _)| *all > 0).is_some_and(|(all, kept)| kept as f64 > all as f64 * AROUND_SHARE)
}

#[cfg(test)]
mod tests {
    use crate::extract::testing::written;

    #[test]
    fn figures_of_the_content_stay_beside_what_is_dropped() {
        let figure = "<figure><img src=/a.jpg><figcaption>A mill</figcaption></figure>";
        let text = "<p>Words that are kept here</p>";
        let shown = "![](/a.jpg)\n\n*A mill*";
        let first = format!("<article><div>Share this</div>{figure}{text}{text}</article>");
        assert_eq!(written(&first).matches(shown).count(), 1, "{}", written(&first));
        let last = format!("<article>{text}{text}{figure}<div>Related</div></article>");
        assert!(written(&last).contains(shown), "{}", written(&last));
        let within = format!("<article>{text}<div><p>Much of an advert without end</p>{figure}</div></article>");
        assert!(!written(&within).contains("a.jpg"), "most around it is dropped: {}", written(&within));
    }

    #[test]
    fn images_stay_beside_text_of_the_same_element() {
        let images =
            written("<div><p>This is kept</p><p><img src=/a.jpg></p></div><div><img src=/b.jpg></div><p>Related</p>");
        assert_eq!(images, "This is kept\n\n![](/a.jpg)\n");
    }
}
