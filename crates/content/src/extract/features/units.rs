//! The units of decision: the runs that have words, with their counts and running sums.

use super::text::{TextStats, stats};
use super::wordset::PageWords;
use crate::cst::{ContentStructureTree, NodeId, NodeKind, Run, RunId};
use crate::dom::Tag;

/// What one run holds.
#[derive(Debug, Clone, Default)]
pub(super) struct Unit {
    /// The run.
    pub(super) run: RunId,
    /// Its node's tag: that of the block it stands in.
    pub(super) text: TextStats,
    /// Share of its text inside links.
    pub(super) link_share: f32,
    /// Links in it.
    pub(super) links: f32,
    /// Images in it, and in runs without words between it and the former unit.
    pub(super) images: f32,
    /// Share of its text in bold, in a button or label, and in small print.
    pub(super) bold: f32,
    /// See `bold`.
    pub(super) control: f32,
    /// See `bold`.
    pub(super) small: f32,
}

/// Columns of the running sums.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sums {
    /// Words.
    pub(super) words: f64,
    /// Characters.
    pub(super) chars: f64,
    /// Characters in links.
    pub(super) link_chars: f64,
    /// Words in units of running text: long, hardly linked.
    pub(super) prose: f64,
    /// Words in `p`, `pre` and `blockquote`.
    pub(super) paragraph: f64,
    /// Commas.
    pub(super) commas: f64,
    /// Function words.
    pub(super) function_words: f64,
    /// Headings.
    pub(super) headings: f64,
    /// Links.
    pub(super) links: f64,
    /// Images.
    pub(super) images: f64,
    /// Sentences' ends.
    pub(super) sentences: f64,
}

impl Sums {
    /// Both together.
    pub(super) fn plus(self, o: &Self) -> Self {
        self.zip(o, |a, b| a + b)
    }

    /// What was added between two points.
    pub(super) fn minus(self, o: &Self) -> Self {
        self.zip(o, |a, b| a - b)
    }

    fn zip(self, o: &Self, f: impl Fn(f64, f64) -> f64) -> Self {
        Self {
            words: f(self.words, o.words),
            chars: f(self.chars, o.chars),
            link_chars: f(self.link_chars, o.link_chars),
            prose: f(self.prose, o.prose),
            paragraph: f(self.paragraph, o.paragraph),
            commas: f(self.commas, o.commas),
            function_words: f(self.function_words, o.function_words),
            headings: f(self.headings, o.headings),
            links: f(self.links, o.links),
            images: f(self.images, o.images),
            sentences: f(self.sentences, o.sentences),
        }
    }
}

/// All units of a page.
#[derive(Debug)]
pub(super) struct Units<'a> {
    tree: &'a ContentStructureTree,
    /// The units, in document order.
    pub(super) list: Vec<Unit>,
    /// `sums[i]`: totals over the units before `i`.
    pub(super) sums: Vec<Sums>,
}

impl<'a> Units<'a> {
    /// Reads the units of a page.
    pub(super) fn new(tree: &'a ContentStructureTree, words: &PageWords) -> Self {
        let mut list = Vec::with_capacity(tree.runs().len());
        let mut sums = vec![Sums::default()];
        let mut images_before = 0.0;
        for (id, run) in tree.runs().iter().enumerate() {
            let Some(mut unit) = unit(tree, id, run, words) else {
                images_before +=
                    run.nodes.clone().filter(|node| tree.kind(NodeId(*node)) == NodeKind::Image).count() as f32;
                continue;
            };
            unit.images += std::mem::take(&mut images_before);
            let total = sums[sums.len() - 1].plus(&sums_of(&unit, tree.tag(run.item)));
            sums.push(total);
            list.push(unit);
        }
        Self { tree, list, sums }
    }

    /// Number of units.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// First content node of a unit.
    pub(super) fn first_node(&self, unit: usize) -> u32 {
        self.tree.runs()[self.list[unit].run].nodes.start
    }

    /// The HtmlItem that a unit stands in.
    pub(super) fn item_node(&self, unit: usize) -> NodeId {
        self.tree.runs()[self.list[unit].run].item
    }

    /// The text of a unit.
    pub(super) fn text(&self, unit: usize) -> &'a str {
        self.tree.run_text(&self.tree.runs()[self.list[unit].run])
    }

    /// The first unit, from `from` on, that begins at or behind a node.
    pub(super) fn before_node(&self, from: usize, node: u32) -> usize {
        let later = &self.list[from..];
        from + later.partition_point(|unit| self.tree.runs()[unit.run].nodes.start < node)
    }

    /// Totals over the units `first..end`.
    pub(super) fn between(&self, first: u32, end: u32) -> Sums {
        self.sums[end as usize].minus(&self.sums[first as usize])
    }

    /// Words in the units `first..end`.
    pub(super) fn words(&self, first: u32, end: u32) -> f32 {
        (self.sums[end as usize].words - self.sums[first as usize].words) as f32
    }
}

/// A run's counts; `None` when it has no words.
fn unit(tree: &ContentStructureTree, id: RunId, run: &Run, words: &PageWords) -> Option<Unit> {
    let text = tree.run_text(run);
    if text.is_empty() {
        return None;
    }
    let text_stats = stats(text, words);
    if text_stats.words <= 0.0 {
        return None;
    }
    let mut unit = Unit { run: id, text: text_stats, ..Unit::default() };
    let bytes = text.len() as f32;
    for node in run.nodes.clone().map(NodeId) {
        let part = tree.text_span(node).len() as f32 / bytes;
        match tree.kind(node) {
            NodeKind::Link => {
                unit.links += 1.0;
                unit.link_share += part;
            }
            NodeKind::Image => unit.images += 1.0,
            NodeKind::Text => add_inline(&mut unit, tree.tag(node), part),
            NodeKind::HtmlItem | NodeKind::Element => {}
        }
    }
    unit.link_share = unit.link_share.min(1.0);
    Some(unit)
}

fn add_inline(unit: &mut Unit, tag: Tag, part: f32) {
    match tag {
        Tag::B | Tag::Strong | Tag::Em | Tag::I => unit.bold += part,
        Tag::Button | Tag::Label => unit.control += part,
        Tag::Small | Tag::Time | Tag::Sup | Tag::Cite => unit.small += part,
        _ => {}
    }
}

/// Whether a unit reads as running text.
pub(super) fn is_prose(unit: &Unit) -> bool {
    unit.text.words >= 15.0 && unit.link_share < 0.3
}

fn sums_of(unit: &Unit, tag: Tag) -> Sums {
    let words = f64::from(unit.text.words);
    let is_paragraph = matches!(tag, Tag::P | Tag::Pre | Tag::Blockquote);
    let is_heading = tag.heading_level().is_some_and(|level| level <= 4);
    Sums {
        words,
        chars: f64::from(unit.text.chars),
        link_chars: f64::from(unit.text.chars * unit.link_share),
        prose: if is_prose(unit) { words } else { 0.0 },
        paragraph: if is_paragraph { words } else { 0.0 },
        commas: f64::from(unit.text.commas),
        function_words: f64::from(unit.text.function_words),
        headings: f64::from(u8::from(is_heading)),
        links: f64::from(unit.links),
        images: f64::from(unit.images),
        sentences: f64::from(unit.text.sentence_ends),
    }
}
