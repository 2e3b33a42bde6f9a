//! Features of the blocks around a unit: at each level the next block that holds more units, and blocks counted from the root.

use super::items::{Item, Items};
use super::sink::{Name, Sink, share};
use super::units::{Sums, Units};

/// Levels above the unit.
const LEVELS: i16 = 5;

/// Levels below the root.
const TOP_LEVELS: usize = 4;

/// What is told of a block.
const PARTS: [&str; 12] = [
    "link_share",
    "prose",
    "commas",
    "function_words",
    "words",
    "share",
    "prose_share",
    "units",
    "words_per_unit",
    "paragraph",
    "headings",
    "images",
];

/// Of a unit's own block only the first: the others are told of the unit itself, or by its surroundings.
const OWN_PARTS: usize = 4;

/// Places in [`PARTS`].
const LINK_SHARE: usize = 0;
const SHARE: usize = 5;
const PROSE_SHARE: usize = 6;

/// What the units have in common that stand in the same block, by item.
#[derive(Debug)]
pub(super) struct Levels {
    parts: Vec<[f32; PARTS.len()]>,
    /// The item's blocks below the root, widest first, one for each time that fewer units are held; the item itself where there are no more.
    top: Vec<[u32; TOP_LEVELS]>,
    /// Blocks from the root to the item that differ in the units they hold, both included.
    heights: Vec<u32>,
}

impl Levels {
    /// Reads the items of a page.
    pub(super) fn new(units: &Units, items: &Items) -> Self {
        let total = units.sums[units.len()];
        let mut levels = Self {
            parts: items.list.iter().map(|item| parts(item, units, &total)).collect(),
            top: Vec::with_capacity(items.list.len()),
            heights: Vec::with_capacity(items.list.len()),
        };
        for (index, item) in items.list.iter().enumerate() {
            let above = if index == 0 { 0 } else { levels.heights[item.wider as usize] };
            levels.heights.push(above + 1);
            levels.top.push(std::array::from_fn(|level| {
                let is_higher = level + 1 < above as usize;
                if is_higher { levels.top[item.wider as usize][level] } else { index as u32 }
            }));
        }
        levels
    }

    /// Writes the features of a unit's surrounding blocks.
    #[inline]
    pub(super) fn put(&self, sink: &mut impl Sink, units: &Units, items: &Items, unit: usize) {
        let own = items.of_unit[unit];
        for (part, value) in PARTS.into_iter().zip(self.parts[own as usize]).take(OWN_PARTS) {
            sink.put(Name("level", 0, part), value);
        }
        let mut at = own;
        for level in 1..=LEVELS {
            at = items.list[at as usize].wider;
            for (part, value) in PARTS.into_iter().zip(self.parts[at as usize]) {
                sink.put(Name("level", level, part), value);
            }
            let item = &items.list[at as usize];
            let count = (item.end - item.first) as f32;
            sink.put(Name("level", level, "place"), (unit as f32 - item.first as f32) / count);
        }
        self.put_top(sink, units, items, own);
    }

    fn put_top(&self, sink: &mut impl Sink, units: &Units, items: &Items, own: u32) {
        for (level, at) in self.top[own as usize].into_iter().enumerate() {
            let parts = &self.parts[at as usize];
            let name = |part| Name("top", level as i16 + 1, part);
            sink.put(name("share"), parts[SHARE]);
            sink.put(name("link_share"), parts[LINK_SHARE]);
            sink.put(name("prose_share"), parts[PROSE_SHARE]);
            sink.put(name("place"), items.list[at as usize].first as f32 / units.len() as f32);
        }
        sink.put("wider_levels", self.heights[own as usize] as f32);
    }
}

fn parts(item: &Item, units: &Units, total: &Sums) -> [f32; PARTS.len()] {
    let sums = units.between(item.first, item.end);
    let (words, count) = (sums.words as f32, (item.end - item.first) as f32);
    [
        share(sums.link_chars as f32, sums.chars as f32),
        share(sums.prose as f32, words),
        share(sums.commas as f32, words),
        share(sums.function_words as f32, words),
        words.ln_1p(),
        share(words, total.words as f32),
        share(sums.prose as f32, total.prose as f32),
        count.ln(),
        share(words, count),
        share(sums.paragraph as f32, words),
        share(sums.headings as f32, count),
        share(sums.images as f32, count).min(10.0),
    ]
}
