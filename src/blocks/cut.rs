//! From surviving runs to passages: cut at headings, bounded by length.

use serde::{Deserialize, Serialize};

use super::MainBlock;
use super::headings::{HeadingTrail, without_permalink};
use crate::cst::{BlockPaths, ContentStructureTree, NodeId, NodeKind, Run, RunId};
use crate::prune::PrunedTree;

/// How long passages get.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BlockParams {
    /// A passage takes in neighbours until it has this many words. Default 60.
    pub words_min: usize,
    /// A passage of `words_min` takes in no run that would bring it above this many words. Default 200.
    pub words_max: usize,
}

impl Default for BlockParams {
    fn default() -> Self {
        Self { words_min: 60, words_max: 200 }
    }
}

/// Longest lead line, in bytes.
const LEAD_BYTES_MAX: usize = 200;

/// What a block's terms say of it.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct BlockMeasure {
    /// Cosine similarity to the query that the page was pruned by, in [0, 1].
    pub similarity: f32,
    /// Sum of the content weights of its nodes.
    pub weight: f32,
    /// Length of its vector of term frequencies.
    pub norm: f32,
}

/// Cuts the surviving runs of a page into main blocks, in document order. Runs without text join the passage they stand in.
pub fn cut(pruned: &PrunedTree, params: BlockParams) -> Vec<MainBlock> {
    let measure = |_: usize, runs: &[RunId]| {
        let nodes = || runs.iter().flat_map(|id| pruned.tree().runs()[*id].nodes.clone()).map(NodeId);
        let weight = nodes().map(|node| pruned.weighted().weight(node).total()).sum();
        BlockMeasure { similarity: pruned.similarity(nodes()), weight, norm: pruned.norm(nodes()) }
    };
    cut_tree(pruned.tree(), &|item| pruned.survives(item), &measure, params)
}

/// [`cut`] for a tree whose judgements come from elsewhere: which items survive, and the measure of each block by its ordinal
/// and runs.
pub fn cut_tree(
    tree: &ContentStructureTree,
    survives: &dyn Fn(NodeId) -> bool,
    measure: &dyn Fn(usize, &[RunId]) -> BlockMeasure,
    params: BlockParams,
) -> Vec<MainBlock> {
    let paths = BlockPaths::new(tree);
    let mut cutter =
        Cutter { tree, measure, params, paths, blocks: Vec::new(), open: Passage::default(), images: Vec::new() };
    let mut trail = HeadingTrail::default();
    for (id, run) in tree.runs().iter().enumerate() {
        let is_heading = trail.visit(tree, run);
        if survives(run.item) {
            cutter.take(id, run, is_heading, &trail);
        }
    }
    let rest = std::mem::take(&mut cutter.images);
    cutter.open.runs.extend(rest);
    cutter.close();
    cutter.blocks
}

/// The passage that is being filled.
#[derive(Default)]
struct Passage {
    runs: Vec<RunId>,
    words: usize,
    /// Whether something else than headings is in it.
    has_body: bool,
    heading_path: Vec<String>,
}

struct Cutter<'a> {
    tree: &'a ContentStructureTree,
    measure: &'a dyn Fn(usize, &[RunId]) -> BlockMeasure,
    params: BlockParams,
    paths: BlockPaths,
    blocks: Vec<MainBlock>,
    open: Passage,
    /// Runs of images alone that wait for the text after them.
    images: Vec<RunId>,
}

impl Cutter<'_> {
    fn take(&mut self, id: RunId, run: &Run, is_heading: bool, trail: &HeadingTrail) {
        let words = word_count(self.tree.run_text(run));
        if run.text.is_empty() {
            self.take_images(id, run);
            return;
        }
        let path = trail.path();
        if self.must_close(words, is_heading, &path) {
            self.close();
        }
        self.open.runs.append(&mut self.images);
        self.open.runs.push(id);
        self.open.words += words;
        self.open.has_body |= !is_heading && words > 0;
        self.open.heading_path = path;
    }

    /// Images stay with the passage that has text of their container before them; else they go with the text after them.
    fn take_images(&mut self, id: RunId, run: &Run) {
        let container = self.tree.ancestors(run.item).find(|item| !self.tree.subtree_text(*item).is_empty());
        let begin = container.unwrap_or(ContentStructureTree::ROOT).0;
        let last = self.open.runs.iter().rev().map(|id| &self.tree.runs()[*id]).find(|run| !run.text.is_empty());
        if self.images.is_empty() && last.is_some_and(|last| last.nodes.start > begin) {
            self.open.runs.push(id);
        } else {
            self.images.push(id);
        }
    }

    fn must_close(&self, words: usize, is_heading: bool, path: &[String]) -> bool {
        let open = &self.open;
        if !open.has_body || words == 0 {
            return false;
        }
        let overflows = open.words >= self.params.words_min && open.words + words > self.params.words_max;
        is_heading || overflows || open.heading_path != path
    }

    fn close(&mut self) {
        let passage = std::mem::take(&mut self.open);
        let tree = self.tree;
        let with_text = passage.runs.iter().map(|id| &tree.runs()[*id]).find(|run| !run.text.is_empty());
        let Some(first) = with_text else { return };
        let text = join(passage.runs.iter().map(|id| tree.run_text(&tree.runs()[*id])));
        let nodes = || passage.runs.iter().flat_map(|id| tree.runs()[*id].nodes.clone()).map(NodeId);
        let of_kind = |kind| nodes().filter(move |node| tree.kind(*node) == kind);
        let image_texts = of_kind(NodeKind::Image).filter_map(|node| tree.image(node));
        let measure = (self.measure)(self.blocks.len(), &passage.runs);
        let lead = without_permalink(text.lines().next().unwrap_or(""));
        self.blocks.push(MainBlock {
            ordinal: self.blocks.len() as u32,
            path: self.block_path(first),
            css_path: tree.css_path(first.item),
            anchor: tree.ancestors(first.item).find_map(|item| tree.element_id(item)).map(str::to_owned),
            item: first.item,
            heading_path: passage.heading_path,
            lead: lead[..lead.floor_char_boundary(LEAD_BYTES_MAX)].to_owned(),
            link_text: join(of_kind(NodeKind::Link).map(|node| tree.text(node))),
            image_text: join(
                image_texts.flat_map(|image| [image.alt, image.title]).map(|span| tree.attribute_text(span)),
            ),
            similarity: measure.similarity,
            weight: measure.weight,
            norm: measure.norm,
            text,
            runs: passage.runs,
        });
    }

    fn block_path(&self, run: &Run) -> String {
        let tree = self.tree;
        let first = tree.runs_within(run.item).start;
        let own = tree.runs()[first..].iter().take_while(|other| other.nodes.start < run.nodes.start);
        let place = own.filter(|other| other.item == run.item).count();
        format!("{}:{place}", self.paths.path(tree, run.item))
    }
}

/// Words of a text; every two characters of scripts without blanks count as one.
fn word_count(text: &str) -> usize {
    let spaced = text.split_whitespace().count();
    let unspaced =
        if text.is_ascii() { 0 } else { text.chars().filter(|c| ('\u{2e80}'..='\u{9fff}').contains(c)).count() };
    spaced + unspaced / 2
}

fn join<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let mut joined = String::new();
    for line in lines.filter(|line| !line.is_empty()) {
        if !joined.is_empty() {
            joined.push('\n');
        }
        joined.push_str(line);
    }
    joined
}

#[cfg(test)]
mod tests {
    use lopper_index::analysis::Language;

    use super::*;
    use crate::cst::{self, Profile};
    use crate::dom;
    use crate::limits::Limits;
    use crate::prune::{PruneRule, QueryVector, prune};
    use crate::weigh::{WeighParams, Weigher};

    fn blocks(html: &str) -> Vec<MainBlock> {
        let limits = Limits::default();
        let tree = cst::build(&dom::parse(html, &limits), Profile::Modern, &limits);
        let mut weigher = Weigher::new();
        let weighted = weigher.weigh_alone(tree, Language::from_code("en"), WeighParams::default());
        let query = QueryVector::new(&mut weigher, &weighted, "mill");
        cut(&prune(weighted, query, PruneRule::Everything, &[]), BlockParams::default())
    }

    #[test]
    fn a_block_is_a_passage_under_its_headings() {
        let html =
            "<main id=m><header><h1>Mills</h1><p>by Ann</p></header><h2>Wind</h2><p>Sails <a href=/s>turn</a>.</p>
            <p>More.</p><h2>Water</h2><p>Wheels.</p></main><p>Outside</p>";
        let blocks = blocks(html);
        let texts: Vec<_> = blocks.iter().map(|block| block.text.as_str()).collect();
        assert_eq!(texts, ["Mills\nby Ann", "Wind\nSails turn.\nMore.", "Water\nWheels.", "Outside"]);
        assert_eq!(blocks[1].heading_path, ["Mills", "Wind"]);
        assert_eq!(blocks[1].lead, "Wind");
        assert_eq!(blocks[1].link_text, "turn");
        assert_eq!(blocks[1].anchor.as_deref(), Some("m"));
        assert_eq!(blocks[1].css_path, "#m > h2:nth-child(2)");
        assert_eq!(blocks[1].path, "0.1:0");
    }

    #[test]
    fn passages_are_bounded() {
        let paragraph = format!("<p>{}</p>", "word ".repeat(70));
        let blocks = blocks(&paragraph.repeat(10));
        assert!(blocks.iter().all(|block| word_count(&block.text) <= 200), "{}", blocks.len());
        assert_eq!(blocks.len(), 5);
    }

    #[test]
    fn paths_are_unique() {
        let blocks = blocks("<div>a <h2>b</h2> c <h2>d</h2> e</div>");
        let mut paths: Vec<_> = blocks.iter().map(|block| block.path.as_str()).collect();
        assert_eq!(paths, ["0:0", "0.0:0", "0.1:0"]);
        paths.dedup();
        assert_eq!(paths.len(), blocks.len());
    }
}
