//! Features of a unit's place: its tag and those above, the hints it stands under, its position on the page.

use super::hints::{HINT_NAMES, HintBits};
use super::items::{ANCESTORS, Item, Items};
use super::page::PageInfo;
use super::sink::{Name, Sink, UNNUMBERED, share};
use super::units::Units;
use crate::dom::Tag;

/// Tags in the order from running text to page furniture; any other comes behind them.
const TAG_ORDER: [Tag; 28] = [
    Tag::P,
    Tag::Pre,
    Tag::Blockquote,
    Tag::Dd,
    Tag::Dt,
    Tag::H1,
    Tag::H2,
    Tag::H3,
    Tag::H4,
    Tag::H5,
    Tag::H6,
    Tag::Li,
    Tag::Td,
    Tag::Th,
    Tag::Article,
    Tag::Section,
    Tag::Main,
    Tag::Div,
    Tag::Body,
    Tag::Figcaption,
    Tag::Summary,
    Tag::Header,
    Tag::Fieldset,
    Tag::Legend,
    Tag::Form,
    Tag::Aside,
    Tag::Footer,
    Tag::Nav,
];

fn tag_number(tag: Tag) -> f32 {
    TAG_ORDER.iter().position(|known| *known == tag).map_or(TAG_ORDER.len() as f32, |index| index as f32)
}

/// Writes the features of tags and hints. `inline` are the hints of the inline elements between the unit's text and its block.
#[inline]
pub(super) fn put_tags(sink: &mut impl Sink, items: &Items, unit: usize, inline: HintBits) {
    let item = items.of(unit);
    let parent = &items.list[item.parent as usize];
    let grandparent = &items.list[parent.parent as usize];
    sink.put("tag", tag_number(item.tag));
    sink.put("parent_tag", tag_number(parent.tag));
    sink.put("grandparent_tag", tag_number(grandparent.tag));
    sink.put("heading_level", f32::from(item.tag.heading_level().unwrap_or(0)));
    sink.put("depth", f32::from(item.depth));
    for (tag, steps) in ANCESTORS.into_iter().zip(item.tag_steps) {
        sink.put(Name("in", UNNUMBERED, tag.name()), f32::from(steps));
    }
    for (category, name) in HINT_NAMES.into_iter().enumerate() {
        let steps = if inline >> category & 1 != 0 { 1 } else { item.hint_steps[category] };
        sink.put(Name("hint", UNNUMBERED, name), f32::from(steps));
    }
}

/// The items that positions are measured in.
#[derive(Debug)]
pub(super) struct Landmarks {
    headline: Option<usize>,
    main: Option<u32>,
}

impl Landmarks {
    /// Finds the headline (the first `h1`, or the unit that the title begins with) and the largest `main` or `article`.
    pub(super) fn new(units: &Units, items: &Items, info: &PageInfo) -> Self {
        let headline = (0..units.len()).find(|unit| items.of(*unit).tag == Tag::H1);
        let title = info.title.trim();
        let is_title = |unit: &usize| {
            let text = units.text(*unit).trim();
            text.len() > 12 && title.starts_with(text)
        };
        let headline = headline.or_else(|| (0..units.len()).find(is_title));
        let is_main = |item: &Item| matches!(item.tag, Tag::Main | Tag::Article) || item.hints >> 21 & 1 != 0;
        let mains = (1..items.list.len()).filter(|index| is_main(&items.list[*index]));
        let words = |index: &usize| units.words(items.list[*index].first, items.list[*index].end);
        let main = mains.max_by(|a, b| words(a).total_cmp(&words(b)).then(b.cmp(a)));
        Self { headline, main: main.map(|main| main as u32) }
    }

    /// Writes the features of position.
    #[inline]
    pub(super) fn put(&self, sink: &mut impl Sink, units: &Units, items: &Items, unit: usize) {
        let count = units.len() as f32;
        let before = units.sums[unit];
        let total = units.sums[units.len()];
        let at = unit as f32;
        sink.put("place", at / count);
        sink.put("place_words", share(before.words as f32, total.words as f32));
        sink.put("place_prose", share(before.prose as f32, total.prose as f32));
        sink.put("unit", at);
        sink.put("units_after", count - 1.0 - at);
        sink.put("headline_distance", self.headline.map_or(-999.0, |headline| at - headline as f32));
        let words_since = |headline: usize| (before.words - units.sums[headline].words) as f32;
        sink.put("headline_words", self.headline.map_or(-9999.0, words_since));
        let inside = |main: u32| {
            let main = &items.list[main as usize];
            f32::from(u8::from((main.first as usize..main.end as usize).contains(&unit)))
        };
        sink.put("main_inside", self.main.map_or(-1.0, inside));
        let place_in_main = |main: u32| {
            let main = &items.list[main as usize];
            (at - main.first as f32) / (main.end - main.first).max(1) as f32
        };
        sink.put("main_place", self.main.map_or(-9.0, place_in_main).clamp(-9.0, 9.0));
    }
}
