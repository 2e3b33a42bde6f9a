//! What a block's terms say of it.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::Piece;
use crate::judge::JudgedRuns;
use crate::prune::PrunedTree;

/// What a block's terms say of it.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct BlockMeasure {
    /// Cosine similarity to the query that the page was pruned by, in [0, 1].
    pub similarity: f32,
    /// Sum of the content weights of its nodes.
    pub weight: f32,
    /// Length of its vector of term frequencies.
    pub norm: f32,
    /// Mean probability of being content, by the bytes of its runs, in [0, 1]; 1 where no judge was asked.
    pub content: f32,
}

/// Measures the blocks of a page.
///
/// A text node that several blocks have a part of counts in each with all of its terms: for the similarity the whole, for weight and
/// norm the block's share of its nodes' text. So the blocks of a long text have the same terms, which are summed up once.
pub(crate) struct BlockMeter<'a> {
    pruned: &'a PrunedTree,
    judged: Option<&'a JudgedRuns>,
    /// The measures of the nodes of blocks that have a part of a run, by the nodes of their pieces.
    ///
    /// The nodes of a run differ from block to block only where a block begins or ends it, or has more pieces of it than another, so a
    /// node is in a handful of these, however many blocks its text gives.
    of_cut_nodes: RefCell<HashMap<Vec<Range<u32>>, BlockMeasure>>,
}

impl<'a> BlockMeter<'a> {
    /// A meter for the blocks of `pruned`, whose runs a judge has seen or not.
    pub(crate) fn new(pruned: &'a PrunedTree, judged: Option<&'a JudgedRuns>) -> Self {
        Self { pruned, judged, of_cut_nodes: RefCell::default() }
    }

    /// The measure of the block of these pieces. O(terms of its nodes), or O(pieces) for nodes that were measured before.
    pub(crate) fn measure(&self, pieces: &[Piece]) -> BlockMeasure {
        if !pieces.iter().any(|piece| self.is_part(piece)) {
            return self.measure_nodes(pieces);
        }
        let nodes = pieces.iter().map(|piece| piece.nodes.clone()).collect();
        let mut known = self.of_cut_nodes.borrow_mut();
        let whole = known.entry(nodes).or_insert_with(|| self.measure_nodes(pieces));
        let share = self.share_of_text(pieces);
        BlockMeasure { weight: whole.weight * share, norm: whole.norm * share, content: self.content(pieces), ..*whole }
    }

    fn measure_nodes(&self, pieces: &[Piece]) -> BlockMeasure {
        let nodes = || pieces.iter().flat_map(Piece::nodes);
        BlockMeasure {
            similarity: self.pruned.similarity(nodes()),
            weight: nodes().map(|node| self.pruned.weighted().weight(node).total()).sum(),
            norm: self.pruned.norm(nodes()),
            content: self.content(pieces),
        }
    }

    fn content(&self, pieces: &[Piece]) -> f32 {
        let runs = pieces.iter().map(|piece| piece.run);
        self.judged.map_or(1.0, |judged| judged.mean(self.pruned.tree(), runs))
    }

    fn is_part(&self, piece: &Piece) -> bool {
        let tree = self.pruned.tree();
        piece.text.len() < tree.run_text(&tree.runs()[piece.run]).len()
    }

    /// How much of the text of its nodes a block has.
    fn share_of_text(&self, pieces: &[Piece]) -> f32 {
        let tree = self.pruned.tree();
        let own: usize = pieces.iter().map(|piece| piece.text.len()).sum();
        let all: usize = pieces.iter().flat_map(Piece::nodes).map(|node| tree.text(node).len()).sum();
        (own as f32 / all.max(1) as f32).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use lopper_analysis::Language;

    use super::super::{BlockParams, MainBlock, cut_tree};
    use super::*;
    use crate::cst::{self, Profile};
    use crate::dom;
    use crate::limits::Limits;
    use crate::prune::{BlockEvidence, PruneRule, QueryVector, prune};
    use crate::weigh::{WeighParams, Weigher};

    fn pruned(html: &str) -> PrunedTree {
        let limits = Limits::default();
        let tree = cst::build(&dom::parse(html, &limits), Profile::Modern, &limits);
        let mut weigher = Weigher::new();
        let weighted = weigher.weigh_alone(tree, Language::from_code("en"), WeighParams::default());
        let query = QueryVector::new(&mut weigher, &weighted, "word7 word8");
        prune(weighted, query, PruneRule::Everything, BlockEvidence::default())
    }

    fn blocks(pruned: &PrunedTree, meter: &BlockMeter<'_>) -> Vec<MainBlock> {
        cut_tree(pruned.tree(), &|_| true, &|_, pieces| meter.measure(pieces), BlockParams::default())
    }

    /// Different words, with sentences of different lengths.
    fn text(words: usize) -> String {
        let mut text = String::new();
        for word in 0..words {
            let end = if word % 97 == 0 || word % 61 == 0 { ". The" } else { "" };
            write!(text, "word{word}{end} ").unwrap();
        }
        text
    }

    #[test]
    fn a_long_text_is_summed_up_a_few_times() {
        for around in ["<p>#", "<table><tr><td>#", "<p>a <a href=/>link</a> # <img alt=b src=b> c"] {
            let summed = [2_000, 20_000].map(|words| {
                let pruned = pruned(&around.replace('#', &text(words)));
                let meter = BlockMeter::new(&pruned, None);
                let blocks = blocks(&pruned, &meter).len();
                assert!(blocks > words / 500, "{around}: {blocks}");
                meter.of_cut_nodes.borrow().len()
            });
            assert!(summed[1] <= 8 && summed[1] <= summed[0] + 2, "{around}: {summed:?}");
        }
    }

    #[test]
    fn what_is_remembered_is_what_is_summed_up() {
        let pruned = pruned(&format!("<h1>word7</h1><p>a <a href=/>word8</a> {0}<br>{0}<p>b", text(3_000)));
        let meter = BlockMeter::new(&pruned, None);
        let anew = |_: usize, pieces: &[Piece]| BlockMeter::new(&pruned, None).measure(pieces);
        let expected = cut_tree(pruned.tree(), &|_| true, &anew, BlockParams::default());
        assert_eq!(blocks(&pruned, &meter), expected);
        assert!(expected.len() > 20 && expected.iter().all(|block| block.norm > 0.0));
    }
}
