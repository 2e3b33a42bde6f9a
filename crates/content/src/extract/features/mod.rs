//! What the default method knows of each run before it decides: numbers, each with a name.
//!
//! The unit is a run with words in it. Counts are made once for each unit and summed up along the page, so that any block's
//! totals are the difference of two running sums; hints and distances are handed down from block to block.

mod candidates;
pub mod context;
pub(in crate::extract) mod hints;
mod items;
mod levels;
mod lexicon;
mod neighbours;
mod own;
mod page;
mod place;
mod repetition;
mod sink;
mod text;
mod units;
mod wordset;

use std::ops::Range;

use rustc_hash::{FxBuildHasher, FxHashMap};

use self::candidates::Candidates;
use self::hints::{HintBits, Hinter};
use self::items::Items;
use self::levels::Levels;
use self::neighbours::Headings;
use self::place::Landmarks;
use self::repetition::Repetition;
use self::sink::{Names, Sink, Values};
use self::units::Units;
use self::wordset::PageWords;
use super::PageView;
use super::row::{ROW_FEATURES_MAX, Row};
use crate::cst::{NodeId, NodeKind, RunId};

pub use self::page::PageInfo;

/// The features of a page's units.
#[derive(Debug)]
pub struct Features {
    /// Features of one unit.
    pub width: usize,
    /// A row a unit.
    pub values: Vec<Row>,
    /// The run of each unit.
    pub runs: Vec<RunId>,
    /// Words of each unit.
    pub words: Vec<f32>,
    /// Which units share a make, a block and so on, for the second pass.
    pub links: UnitLinks,
    /// What the page says of itself.
    pub info: PageInfo,
    /// Word pairs of the page that are in the texts of its metadata too.
    pub(crate) described_pairs: f32,
}

/// How units hang together.
#[derive(Debug, Default)]
pub struct UnitLinks {
    /// A number for the make of each unit: the same for those whose block and its surroundings have the same tags and classes.
    pub make: Vec<u32>,
    /// For each unit, the units of the surrounding blocks: the block next above with more units, the one above that …
    pub blocks: Vec<[(u32, u32); BLOCK_LEVELS]>,
}

/// Surrounding blocks that the second pass looks at.
pub const BLOCK_LEVELS: usize = 4;

/// Names of the features, in the order of their values.
pub fn names() -> Vec<String> {
    let limits = crate::limits::Limits::default();
    let dom = crate::dom::parse("<p>a</p>", &limits);
    let tree = crate::cst::build(&dom, crate::cst::Profile::Modern, &limits);
    let mut names = Names::default();
    let page = PageView::new(&dom, &tree, "");
    let info = PageInfo::new(&dom, "");
    let reading = FeatureReading::new(&page, &info);
    reading.put_unit(&mut names, 0);
    page::put(&mut names, &info, &reading.units, &reading.items);
    names.0
}

/// Computes the features of a page.
pub fn compute(page: &PageView<'_>) -> Features {
    let description = describe(page);
    let values = description.values(0..description.features.runs.len());
    Features { values, ..description.features }
}

/// Reads a page, so that its units' features can be had piece by piece.
pub fn describe<'a>(page: &PageView<'a>) -> Description<'a> {
    let info = PageInfo::new(page.dom, page.url);
    let reading = FeatureReading::new(page, &info);
    let runs = reading.units.list.iter().map(|unit| unit.run).collect();
    let words = reading.units.list.iter().map(|unit| unit.text.words).collect();
    let links = reading.links();
    let described_pairs = reading.units.list.iter().map(|unit| unit.text.described_pairs).sum();
    let features = Features { width: 0, values: Vec::new(), runs, words, links, info, described_pairs };
    let mut description = Description { features, reading };
    if !description.features.runs.is_empty() {
        description.features.width = description.reading.write(0, &mut [0.0; ROW_FEATURES_MAX]);
    }
    description
}

/// A page that was read.
pub struct Description<'a> {
    /// All of its features but the values.
    pub features: Features,
    reading: FeatureReading<'a>,
}

impl Description<'_> {
    /// The values of some units, a row each.
    pub fn values(&self, units: Range<usize>) -> Vec<Row> {
        let mut rows = vec![[0.0; ROW_FEATURES_MAX]; units.len()];
        for (unit, row) in units.zip(&mut rows) {
            self.reading.write(unit, row);
        }
        rows
    }

    /// The values of one unit.
    pub fn row(&self, unit: usize) -> Row {
        let mut row = [0.0; ROW_FEATURES_MAX];
        self.reading.write(unit, &mut row);
        row
    }
}

/// Everything that is read from a page before its units are described.
struct FeatureReading<'a> {
    units: Units<'a>,
    items: Items,
    levels: Levels,
    repetition: Repetition,
    candidates: Candidates,
    landmarks: Landmarks,
    headings: Headings,
    inline_hints: Vec<HintBits>,
    page: Vec<f32>,
}

impl<'a> FeatureReading<'a> {
    fn new(page: &PageView<'a>, info: &PageInfo) -> Self {
        let titles = [info.title.as_str(), info.headline.as_str(), info.description.as_str()];
        let described = info.structured.texts.iter().map(|(_, text)| text.as_str()).chain([info.description.as_str()]);
        let words = PageWords::new(titles.into_iter(), described);
        let units = Units::new(page.tree, &words);
        let hinter = Hinter::new(page);
        let items = Items::new(page.dom, page.tree, &units, &hinter);
        let levels = Levels::new(&units, &items);
        let repetition = Repetition::new(&units, &items);
        let candidates = Candidates::new(&units, &items);
        let landmarks = Landmarks::new(&units, &items, info);
        let headings = Headings::new(&units, &items);
        let inline_hints = (0..units.len()).map(|unit| inline_hints(page, &units, unit, &hinter)).collect();
        let mut row = [0.0; ROW_FEATURES_MAX];
        let mut values = Values::new(&mut row, 0);
        page::put(&mut values, info, &units, &items);
        let width = values.next();
        let page = row[..width].to_vec();
        Self { units, items, levels, repetition, candidates, landmarks, headings, inline_hints, page }
    }

    /// Writes a unit's features, and those of its page behind them; gives their number.
    fn write(&self, unit: usize, row: &mut Row) -> usize {
        let mut values = Values::new(row, 0);
        self.put_unit(&mut values, unit);
        let own = values.next();
        let width = own + self.page.len();
        row[own..width].copy_from_slice(&self.page);
        width
    }

    fn put_unit(&self, sink: &mut impl Sink, unit: usize) {
        let (units, items) = (&self.units, &self.items);
        own::put(sink, &units.list[unit]);
        place::put_tags(sink, items, unit, self.inline_hints[unit]);
        self.landmarks.put(sink, units, items, unit);
        self.levels.put(sink, units, items, unit);
        neighbours::put(sink, units, items, unit);
        self.headings.put(sink, units, items, unit);
        self.repetition.put(sink, units, items, unit);
        self.candidates.put(sink, units, items, unit);
    }

    fn links(&self) -> UnitLinks {
        let mut links = UnitLinks::default();
        let mut numbers: FxHashMap<u64, u32> = FxHashMap::with_capacity_and_hasher(self.units.len(), FxBuildHasher);
        for unit in 0..self.units.len() {
            let next = numbers.len() as u32;
            links.make.push(*numbers.entry(Repetition::group_key(&self.items, unit)).or_insert(next));
            let mut item = self.items.of(unit);
            if item.end - item.first == 1 {
                item = &self.items.list[item.wider as usize];
            }
            links.blocks.push(std::array::from_fn(|_| {
                let range = (item.first, item.end);
                item = &self.items.list[item.wider as usize];
                range
            }));
        }
        links
    }
}

/// The hints of the inline elements between a unit's first text and its block.
fn inline_hints(page: &PageView<'_>, units: &Units, unit: usize, hinter: &Hinter<'_>) -> HintBits {
    let run = &page.tree.runs()[units.list[unit].run];
    let mut hints = 0;
    let block = page.tree.source(run.item);
    let first =
        run.nodes.clone().map(NodeId).find(|node| matches!(page.tree.kind(*node), NodeKind::Text | NodeKind::Link));
    let mut at = first.and_then(|node| page.tree.source(node));
    for _ in 0..INLINE_DEPTH_MAX {
        let Some(id) = at.filter(|id| Some(*id) != block) else { break };
        hints |= hinter.hints(id);
        at = page.dom.parent(id);
    }
    hints
}

/// Inline elements above a text that are looked at.
const INLINE_DEPTH_MAX: usize = 6;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cst::{self, Profile};
    use crate::dom;
    use crate::limits::Limits;

    fn features(html: &str) -> Features {
        let limits = Limits::default();
        let dom = dom::parse(html, &limits);
        let tree = cst::build(&dom, Profile::Modern, &limits);
        compute(&PageView::new(&dom, &tree, "https://example.org/forum/t/1"))
    }

    fn value(features: &Features, unit: usize, name: &str) -> f32 {
        let at = names().iter().position(|known| known == name).unwrap();
        features.values[unit][at]
    }

    #[test]
    fn every_feature_has_a_name_of_its_own() {
        let mut names = names();
        assert_eq!(features("<p>a").width, names.len());
        names.sort();
        names.dedup();
        assert_eq!(features("<p>a").width, names.len());
    }

    #[test]
    fn a_small_page_is_described() {
        let features = features(
            "<title>Red kites</title><nav><a href=/>Home</a></nav>
             <div class=post-content><h1>Red kites</h1><p>Kites, red ones, fly.</p><ul><li>x</li><li>y</li><li>z</li></ul></div>",
        );
        assert_eq!(features.runs.len(), 6);
        let of = |unit, name| value(&features, unit, name);
        assert_eq!((of(0, "link_share"), of(0, "in_nav"), of(0, "class_navigation")), (1.0, 1.0, 1.0));
        assert_eq!((of(1, "heading_level"), of(1, "title_words"), of(1, "hint_content")), (1.0, 1.0, 2.0));
        assert_eq!((of(2, "words"), of(2, "commas"), of(2, "end"), of(2, "headline_distance")), (4.0, 2.0, 1.0, 1.0));
        assert_eq!((of(4, "in_li"), of(4, "in_ul"), of(4, "series_0_steps")), (1.0, 2.0, 0.0));
        assert!((of(4, "series_0_members") - 3.0_f32.ln()).abs() < 1e-6);
        assert_eq!((of(2, "url_forum"), of(2, "url_product")), (1.0, 0.0));
        assert_eq!(features.links.make[3], features.links.make[5]);
    }

    #[test]
    fn the_same_page_has_the_same_features() {
        let html = "<main><p>One, two.</p><div class=comment>Three</div></main>".repeat(20);
        assert_eq!(features(&html).values, features(&html).values);
    }
}
