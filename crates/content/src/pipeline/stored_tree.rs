//! The judged tree as it is kept in the store: compact, versioned, enough to show the page's blocks and to index them again.

use std::cell::RefCell;

use serde::{Deserialize, Serialize};

use super::{AnalysedPage, ExtractParams, PageOutline};
use crate::blocks::{BlockMeasure, MainBlock, Piece, cut_tree};
use crate::cst::whole::{self, TreeWithButtons, TreeWithPlaces, WholeTree};
use crate::cst::{ContentStructureTree, NodeId, NodeKind, RunId};
use crate::judge::JudgedRuns;
use crate::prune::{PruneDecision, PruneRule, survivors};

/// First byte of the encoding.
const ENCODING_VERSION: u8 = 7;

/// The first encoding whose outline stands before the tree.
const ENCODING_WITH_OUTLINE: u8 = 4;

/// A page's tree with its judgements.
#[derive(Debug, Clone)]
pub struct StoredTree {
    /// The tree.
    pub tree: ContentStructureTree,
    /// The rule that it was pruned by.
    pub rule: PruneRule,
    /// The text that it was pruned by.
    pub topic: String,
    /// Decisions about HtmlItems, by node, in document order.
    decisions: Vec<(NodeId, PruneDecision)>,
    /// Measures of the main blocks, by ordinal.
    measures: Vec<BlockMeasure>,
    /// What the content judge said of the runs, where one was asked.
    pub judged: Option<JudgedRuns>,
    /// Runs of surviving blocks that went all the same, ascending.
    dropped_runs: Vec<u32>,
    /// Template scores that are not 0, by node.
    templates: Vec<(NodeId, f32)>,
}

/// A stored tree's bytes: the outline, then the rest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncodedTree {
    /// All of them.
    pub bytes: Vec<u8>,
    /// How many at the start are enough for [`StoredTree::decode_outline`].
    pub outline_bytes: usize,
}

/// What stands behind the outline. Encodings 4 to 6 know less of the tree.
#[derive(Deserialize)]
struct BehindOutline<Tree> {
    tree: Tree,
    rule: PruneRule,
    topic: String,
    measures: Vec<BlockMeasure>,
    dropped_runs: Vec<u32>,
    templates: Vec<(NodeId, f32)>,
}

/// The same, borrowed to be written.
#[derive(Serialize)]
struct BehindOutlineRef<'a> {
    #[serde(serialize_with = "whole::serialize")]
    tree: &'a ContentStructureTree,
    rule: PruneRule,
    topic: &'a str,
    measures: &'a [BlockMeasure],
    dropped_runs: &'a [u32],
    templates: &'a [(NodeId, f32)],
}

impl<Tree: Into<ContentStructureTree>> BehindOutline<Tree> {
    /// With the judgements of the outline; nothing where they are not of this tree's items.
    fn with(self, outline: PageOutline) -> Option<StoredTree> {
        let Self { tree, rule, topic, measures, dropped_runs, templates } = self;
        let tree: ContentStructureTree = tree.into();
        let (by_item, judged) = outline.into_judgements();
        let items: Vec<NodeId> = tree.ids().filter(|id| tree.kind(*id) == NodeKind::HtmlItem).collect();
        let is_of_tree = items.len() == by_item.len();
        let decisions = items.into_iter().zip(by_item).filter_map(|(id, decision)| Some((id, decision?))).collect();
        is_of_tree.then_some(StoredTree { tree, rule, topic, decisions, measures, judged, dropped_runs, templates })
    }
}

/// Encoding 3: the decisions by node, no outline.
#[derive(Deserialize)]
struct Encoding3 {
    tree: ContentStructureTree,
    rule: PruneRule,
    topic: String,
    decisions: Vec<(NodeId, PruneDecision)>,
    measures: Vec<BlockMeasure>,
    judged: Option<JudgedRuns>,
    dropped_runs: Vec<u32>,
    templates: Vec<(NodeId, f32)>,
}

impl From<Encoding3> for StoredTree {
    fn from(old: Encoding3) -> Self {
        let Encoding3 { tree, rule, topic, decisions, measures, judged, dropped_runs, templates } = old;
        Self { tree, rule, topic, decisions, measures, judged, dropped_runs, templates }
    }
}

/// Encoding 2: no judgement of runs; template scores stand behind it, if there are any.
#[derive(Deserialize)]
struct Encoding2 {
    tree: ContentStructureTree,
    rule: PruneRule,
    topic: String,
    decisions: Vec<(NodeId, PruneDecision)>,
    /// Similarity, weight and norm.
    measures: Vec<(f32, f32, f32)>,
}

impl From<Encoding2> for StoredTree {
    fn from(old: Encoding2) -> Self {
        let Encoding2 { tree, rule, topic, decisions, measures } = old;
        let measure = |(similarity, weight, norm)| BlockMeasure { similarity, weight, norm, content: 1.0 };
        let measures = measures.into_iter().map(measure).collect();
        Self { tree, rule, topic, decisions, measures, judged: None, dropped_runs: Vec::new(), templates: Vec::new() }
    }
}

/// Encoding 1: measures without a norm.
#[derive(Deserialize)]
struct Encoding1 {
    tree: ContentStructureTree,
    rule: PruneRule,
    topic: String,
    decisions: Vec<(NodeId, PruneDecision)>,
    /// Similarity and weight.
    measures: Vec<(f32, f32)>,
}

impl From<Encoding1> for StoredTree {
    fn from(old: Encoding1) -> Self {
        let Encoding1 { tree, rule, topic, decisions, measures } = old;
        let measures = measures.into_iter().map(|(similarity, weight)| (similarity, weight, 0.0)).collect();
        Encoding2 { tree, rule, topic, decisions, measures }.into()
    }
}

/// A stored tree that cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoredTreeError {
    /// It was written by a newer version.
    #[error("the stored tree has encoding {found}, this version reads {ENCODING_VERSION}")]
    OtherVersion {
        /// The version found.
        found: u8,
    },
    /// Its bytes are not a tree.
    #[error("the stored tree is damaged; ingest the page again")]
    Damaged {
        /// Cause.
        #[source]
        source: postcard::Error,
    },
    /// Nothing is stored.
    #[error("the stored tree is empty; ingest the page again")]
    Empty,
}

impl StoredTree {
    /// What is kept of an analysed page.
    pub fn of(page: AnalysedPage) -> Self {
        Self::with_blocks(page).0
    }

    /// The same, and the page's blocks, which it tells again as [`blocks`](Self::blocks).
    pub fn with_blocks(page: AnalysedPage) -> (Self, Vec<MainBlock>) {
        let AnalysedPage { metadata, pruned, blocks, judged, .. } = page;
        let items = pruned.tree().ids().filter_map(|id| pruned.decision(id).map(|decision| (id, *decision)));
        let decisions: Vec<(NodeId, PruneDecision)> = items.collect();
        let scored = decisions.iter().filter(|(_, decision)| decision.template > 0.0);
        let tree = Self {
            templates: scored.map(|(id, decision)| (*id, decision.template)).collect(),
            decisions,
            measures: blocks.iter().map(measure_of).collect(),
            rule: pruned.rule(),
            topic: metadata.topic(),
            judged,
            dropped_runs: pruned.dropped_runs().to_vec(),
            tree: pruned.into_tree(),
        };
        (tree, blocks)
    }

    /// The bytes to store.
    pub fn encode(&self) -> EncodedTree {
        let Self { tree, rule, topic, measures, dropped_runs, templates, .. } = self;
        let behind = BehindOutlineRef { tree, rule: *rule, topic, measures, dropped_runs, templates };
        // Encoding into memory fails only for sequences of unknown length, of which there are none.
        let outline = postcard::to_extend(&PageOutline::of(self), vec![ENCODING_VERSION]);
        let outline = outline.expect("all sequences have a length");
        let outline_bytes = outline.len();
        EncodedTree {
            bytes: postcard::to_extend(&behind, outline).expect("all sequences have a length"),
            outline_bytes,
        }
    }

    /// Reads stored bytes back. Trees of encodings 1 and 2 have no judgement of runs, and blocks of encoding 1 the norm 0.
    ///
    /// # Errors
    ///
    /// [`StoredTreeError`] for bytes that [`encode`](Self::encode) of this version or an earlier one did not give.
    pub fn decode(bytes: &[u8]) -> Result<Self, StoredTreeError> {
        let decoded = match bytes.split_first() {
            None => return Err(StoredTreeError::Empty),
            Some((&ENCODING_VERSION, rest)) => Self::decode_behind::<WholeTree>(rest),
            Some((6, rest)) => Self::decode_behind::<TreeWithPlaces>(rest),
            Some((5, rest)) => Self::decode_behind::<TreeWithButtons>(rest),
            Some((&ENCODING_WITH_OUTLINE, rest)) => Self::decode_behind::<ContentStructureTree>(rest),
            Some((3, rest)) => postcard::from_bytes(rest).map(|old: Encoding3| old.into()),
            Some((2, rest)) => Self::decode_2(rest),
            Some((1, rest)) => postcard::from_bytes(rest).map(|old: Encoding1| old.into()),
            Some((&found, _)) => return Err(StoredTreeError::OtherVersion { found }),
        };
        decoded.map(Self::restored).map_err(|source| StoredTreeError::Damaged { source })
    }

    /// The outline alone, from the start of such bytes; earlier encodings have none and are read as a whole.
    ///
    /// # Errors
    ///
    /// As [`decode`](Self::decode), and where the bytes end within the outline.
    pub fn decode_outline(bytes: &[u8]) -> Result<PageOutline, StoredTreeError> {
        let Some((ENCODING_WITH_OUTLINE..=ENCODING_VERSION, rest)) = bytes.split_first() else {
            return Self::decode(bytes).map(|tree| PageOutline::of(&tree));
        };
        let outline = postcard::take_from_bytes(rest).map(|(outline, _): (PageOutline, _)| outline.restored());
        outline.map_err(|source| StoredTreeError::Damaged { source })
    }

    fn decode_behind<'a, Tree>(bytes: &'a [u8]) -> Result<Self, postcard::Error>
    where
        Tree: Into<ContentStructureTree> + Deserialize<'a>,
    {
        let (outline, rest): (PageOutline, _) = postcard::take_from_bytes(bytes)?;
        let behind: BehindOutline<Tree> = postcard::from_bytes(rest)?;
        behind.with(outline).ok_or(postcard::Error::DeserializeBadEncoding)
    }

    fn decode_2(bytes: &[u8]) -> Result<Self, postcard::Error> {
        let (old, rest): (Encoding2, _) = postcard::take_from_bytes(bytes)?;
        let templates = if rest.is_empty() { Vec::new() } else { postcard::from_bytes(rest)? };
        Ok(Self { templates, ..old.into() })
    }

    /// With each decision's template score in its place, and without what is not of this tree.
    fn restored(mut self) -> Self {
        for (id, score) in &self.templates {
            if let Ok(place) = self.decisions.binary_search_by_key(id, |(id, _)| *id) {
                self.decisions[place].1.template = *score;
            }
        }
        let runs = self.tree.runs().len();
        self.judged = self.judged.filter(|judged| judged.is_of(runs));
        self
    }

    /// The decision about an HtmlItem.
    pub fn decision(&self, item: NodeId) -> Option<&PruneDecision> {
        let place = self.decisions.binary_search_by_key(&item, |(id, _)| *id).ok()?;
        Some(&self.decisions[place].1)
    }

    /// Whether each node, and every block around it, stayed; by node.
    pub fn survivors(&self) -> Vec<bool> {
        survivors(&self.tree, |id| self.decision(id))
    }

    /// Whether each run, and every block around it, stayed; by run.
    pub fn surviving_runs(&self) -> Vec<bool> {
        let items = self.survivors();
        let mut runs: Vec<bool> = self.tree.runs().iter().map(|run| items[run.item.index()]).collect();
        for run in &self.dropped_runs {
            if let Some(stays) = runs.get_mut(*run as usize) {
                *stays = false;
            }
        }
        runs
    }

    /// The main blocks, as they were when the page was ingested with the same parameters. Where a later version cuts the page into more or
    /// fewer blocks, their similarity, weight and norm are not known, and 0.
    pub fn blocks(&self, params: &ExtractParams) -> Vec<MainBlock> {
        self.blocks_with_runs(params).0
    }

    /// The same, and the runs that each of them has text of, ascending.
    pub fn blocks_with_runs(&self, params: &ExtractParams) -> (Vec<MainBlock>, Vec<Vec<RunId>>) {
        let survives = self.surviving_runs();
        let runs = RefCell::new(Vec::new());
        let measure = |ordinal: usize, pieces: &[Piece]| {
            runs.borrow_mut().push(pieces.iter().map(|piece| piece.run).collect::<Vec<_>>());
            self.measures.get(ordinal).copied().unwrap_or_default()
        };
        let mut blocks = cut_tree(&self.tree, &|run| survives[run], &measure, params.blocks);
        if blocks.len() != self.measures.len() {
            for block in &mut blocks {
                (block.similarity, block.weight, block.norm, block.content) = (0.0, 0.0, 0.0, 1.0);
            }
        }
        debug_assert_eq!(blocks.len(), runs.borrow().len());
        (blocks, runs.into_inner())
    }
}

fn measure_of(block: &MainBlock) -> BlockMeasure {
    let MainBlock { similarity, weight, norm, content, .. } = *block;
    BlockMeasure { similarity, weight, norm, content }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use crate::pipeline::{PageAnalyser, PageText};

    fn page() -> PageText<'static> {
        let html =
            "<title>Mills</title><nav><a href=/>Home</a></nav><main><h1>Mills</h1><p>Old mills grind.</p></main>";
        PageText { url: "http://e.org/", html, ..PageText::default() }
    }

    #[test]
    fn a_stored_tree_gives_back_the_same_blocks() {
        let params = ExtractParams::default();
        let analysed = PageAnalyser::new(params, Limits::default()).analyse(page(), None).unwrap();
        let blocks = analysed.blocks.clone();
        let stored = StoredTree::decode(&StoredTree::of(analysed).encode().bytes).unwrap();
        assert_eq!(stored.blocks(&params), blocks);
        assert_eq!(blocks.len(), 1, "{blocks:?}");
    }

    #[test]
    fn a_tree_of_encoding_1_is_read_without_norms() {
        let params = ExtractParams::default();
        let analysed = PageAnalyser::new(params, Limits::default()).analyse(page(), None).unwrap();
        let new = StoredTree::of(analysed);
        let measures: Vec<_> = new.measures.iter().map(|measure| (measure.similarity, measure.weight)).collect();
        let old = (&new.tree, new.rule, &new.topic, &new.decisions, measures);
        let read = StoredTree::decode(&postcard::to_extend(&old, vec![1]).unwrap()).unwrap();
        let (old, new) = (read.blocks(&params), new.blocks(&params));
        assert_eq!(old.len(), 1);
        assert_eq!((&old[0].text, old[0].similarity, old[0].norm), (&new[0].text, new[0].similarity, 0.0));
    }

    #[test]
    fn a_tree_of_encoding_3_is_read_as_it_was() {
        let params = ExtractParams::default();
        let new = StoredTree::of(PageAnalyser::new(params, Limits::default()).analyse(page(), None).unwrap());
        let old = (&new.tree, new.rule, &new.topic, &new.decisions, &new.measures, &new.judged);
        let old = postcard::to_extend(&(old, &new.dropped_runs, &new.templates), vec![3]).unwrap();
        let read = StoredTree::decode(&old).unwrap();
        assert_eq!(read.encode(), new.encode());
        let outline = StoredTree::decode_outline(&old).unwrap();
        assert_eq!(outline.child_items(crate::pipeline::ItemId::ROOT).count(), 2, "nav and main");
    }

    #[test]
    fn trees_of_encodings_4_and_5_have_no_names_of_places() {
        let params = ExtractParams::default();
        let html = "<main><h2><a name=mill></a>Mills</h2><p>They grind the corn of the village.</p></main>";
        let analysed = PageAnalyser::new(params, Limits::default()).analyse(PageText { html, ..page() }, None).unwrap();
        let new = StoredTree::of(analysed);
        let outline = |encoding| postcard::to_extend(&PageOutline::of(&new), vec![encoding]).unwrap();
        let behind = (new.rule, &new.topic, &new.measures, &new.dropped_runs, &new.templates);
        let no_buttons: [crate::cst::Span; 0] = [];
        let old_5 = postcard::to_extend(&((&new.tree, &no_buttons[..]), behind), outline(5)).unwrap();
        let old_4 = postcard::to_extend(&(&new.tree, behind), outline(4)).unwrap();
        for old in [old_4, old_5] {
            let read = StoredTree::decode(&old).unwrap();
            let (old, new) = (&read.blocks(&params)[0], &new.blocks(&params)[0]);
            assert_eq!((&old.text, &old.anchor, old.places.len()), (&new.text, &None, 0));
            assert_eq!((new.anchor.as_deref(), new.places.as_slice()), (Some("mill"), &["mill".to_owned()][..]));
            assert_eq!(
                StoredTree::decode_outline(&read.encode().bytes)
                    .unwrap()
                    .child_items(crate::pipeline::ItemId::ROOT)
                    .count(),
                1
            );
        }
    }

    #[test]
    fn a_tree_of_encoding_6_declares_no_languages() {
        let params = ExtractParams::default();
        let html = "<main><div lang=de><p><a name=m></a>Alte Mühlen mahlen.</p></div></main>";
        let analysed = PageAnalyser::new(params, Limits::default()).analyse(PageText { html, ..page() }, None).unwrap();
        let new = StoredTree::of(analysed);
        let behind = (new.rule, &new.topic, &new.measures, &new.dropped_runs, &new.templates);
        let (no_buttons, no_places): ([crate::cst::Span; 0], [(u32, crate::cst::Span); 0]) = ([], []);
        let outline = postcard::to_extend(&PageOutline::of(&new), vec![6]).unwrap();
        let old = postcard::to_extend(&((&new.tree, &no_buttons[..], &no_places[..]), behind), outline).unwrap();
        let language = |tree: &StoredTree| tree.blocks(&params)[0].language;
        assert_eq!(language(&StoredTree::decode(&old).unwrap()), None);
        assert_eq!(language(&StoredTree::decode(&new.encode().bytes).unwrap()), Some("de"));
    }

    #[test]
    fn an_outline_says_what_the_tree_says_and_needs_its_own_bytes_only() {
        let mut analyser = PageAnalyser::new(ExtractParams::default(), Limits::default());
        let stored = StoredTree::of(analyser.analyse(page(), None).unwrap());
        let EncodedTree { bytes, outline_bytes } = stored.encode();
        let outline = StoredTree::decode_outline(&bytes[..outline_bytes]).unwrap();
        assert!(StoredTree::decode_outline(&bytes[..outline_bytes - 1]).is_err());
        let tree = &stored.tree;
        let paths = crate::cst::BlockPaths::new(tree);
        let items: Vec<NodeId> = tree.ids().filter(|id| tree.kind(*id) == NodeKind::HtmlItem).collect();
        for item in items {
            let line = outline.line(&paths.path(tree, item)).unwrap();
            let id = *line.last().unwrap();
            assert_eq!((outline.tag(id), outline.decision(id)), (tree.tag(item), stored.decision(item)));
            assert_eq!(outline.child_items(id).count(), tree.child_items(item).count());
            let judged = stored.judged.as_ref().unwrap();
            assert_eq!(outline.content(id), Some(judged.mean(tree, tree.runs_within(item))));
        }
        assert!(outline.line("7").is_none() && outline.line("x").is_none());
    }

    #[test]
    fn an_outline_of_another_tree_is_damage() {
        let mut analyser = PageAnalyser::new(ExtractParams::default(), Limits::default());
        let one = StoredTree::of(analyser.analyse(page(), None).unwrap()).encode();
        let other = PageText { html: "<main><p>Old mills grind.</p></main>", ..page() };
        let other = StoredTree::of(analyser.analyse(other, None).unwrap()).encode();
        let mixed = [&one.bytes[..one.outline_bytes], &other.bytes[other.outline_bytes..]].concat();
        assert!(matches!(StoredTree::decode(&mixed), Err(StoredTreeError::Damaged { .. })));
    }

    #[test]
    fn measures_of_other_blocks_are_not_taken() {
        let params = ExtractParams::default();
        let analysed = PageAnalyser::new(params, Limits::default()).analyse(page(), None).unwrap();
        let mut stored = StoredTree::of(analysed);
        assert!(stored.blocks(&params)[0].weight > 0.0);
        stored.measures.push(stored.measures[0]);
        let blocks = stored.blocks(&params);
        assert_eq!((blocks.len(), blocks[0].similarity, blocks[0].weight, blocks[0].norm), (1, 0.0, 0.0, 0.0));
    }

    #[test]
    fn template_scores_are_kept() {
        let analysed = PageAnalyser::new(ExtractParams::default(), Limits::default()).analyse(page(), None).unwrap();
        let mut stored = StoredTree::of(analysed);
        let without = stored.encode().bytes.len();
        let (item, decision) = &mut stored.decisions[1];
        decision.template = 0.75;
        let (item, decision) = (*item, *decision);
        stored.templates.push((item, 0.75));
        assert!(stored.encode().bytes.len() > without);
        assert_eq!(StoredTree::decode(&stored.encode().bytes).unwrap().decision(item), Some(&decision));
    }

    #[test]
    fn bytes_of_another_version_and_damaged_ones_are_refused() {
        assert!(matches!(StoredTree::decode(&[9]), Err(StoredTreeError::OtherVersion { found: 9 })));
        assert!(matches!(StoredTree::decode(&[2, 255, 3]), Err(StoredTreeError::Damaged { .. })));
        assert!(matches!(StoredTree::decode_outline(&[9]), Err(StoredTreeError::OtherVersion { found: 9 })));
        assert!(matches!(StoredTree::decode_outline(&[4, 255, 3]), Err(StoredTreeError::Damaged { .. })));
        assert!(matches!(StoredTree::decode(&[]), Err(StoredTreeError::Empty)));
    }
}
