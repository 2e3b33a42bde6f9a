//! Features of what stands before and behind a unit: neighbours, windows, and the headings it stands under.

use super::items::Items;
use super::lexicon::{CLASS_NAMES, CLASSES};
use super::sink::{Name, Sink, UNNUMBERED, share};
use super::units::{Unit, Units};
use crate::dom::Tag;

/// Neighbours on each side.
const REACH: i16 = 3;

/// Half widths of the windows.
const WINDOWS: [usize; 3] = [3, 8, 20];

/// Longest unit, in words, that can be a heading.
const HEADING_WORDS_MAX: f32 = 14.0;

/// Ancestors whose first unit is read as their heading.
const HEADED_LEVELS: usize = 6;

/// Writes the features of neighbours and windows.
#[inline]
pub(super) fn put(sink: &mut impl Sink, units: &Units, items: &Items, unit: usize) {
    for offset in (-REACH..=REACH).filter(|offset| *offset != 0) {
        put_neighbour(sink, units, items, unit, offset);
    }
    for width in WINDOWS {
        let first = unit.saturating_sub(width);
        let end = (unit + width + 1).min(units.len());
        let sums = units.between(first as u32, end as u32);
        let name = |part| Name("window", width as i16, part);
        sink.put(name("words"), sums.words as f32 / (end - first) as f32);
        sink.put(name("link_share"), share(sums.link_chars as f32, sums.chars as f32));
        sink.put(name("prose"), share(sums.prose as f32, sums.words as f32));
        sink.put(name("function_words"), share(sums.function_words as f32, sums.words as f32));
    }
}

fn put_neighbour(sink: &mut impl Sink, units: &Units, items: &Items, unit: usize, offset: i16) {
    let name = |part| Name("next", offset, part);
    let at = unit.checked_add_signed(isize::from(offset)).filter(|at| *at < units.len());
    let Some(at) = at else {
        for part in ["words", "link_share", "prose_end", "alike"] {
            sink.put(name(part), -1.0);
        }
        return;
    };
    let (item, own) = (items.of(at), items.of(unit));
    let alike = u8::from(item.tag == own.tag) + u8::from(item.path_signature == own.path_signature);
    let neighbour = &units.list[at];
    sink.put(name("words"), neighbour.text.words);
    sink.put(name("link_share"), neighbour.link_share);
    sink.put(name("prose_end"), f32::from(u8::from(neighbour.text.end > 0.0)) + neighbour.text.function_words.min(3.0));
    sink.put(name("alike"), f32::from(alike));
}

/// For each unit the heading before it.
#[derive(Debug)]
pub(super) struct Headings {
    last: Vec<Option<u32>>,
}

impl Headings {
    /// Finds the headings of a page.
    pub(super) fn new(units: &Units, items: &Items) -> Self {
        let mut last = Vec::with_capacity(units.len());
        let mut heading = None;
        for unit in 0..units.len() {
            last.push(heading);
            if is_heading(&units.list[unit], items.of(unit).tag) {
                heading = Some(unit as u32);
            }
        }
        Self { last }
    }

    /// Writes a unit's features.
    #[inline]
    pub(super) fn put(&self, sink: &mut impl Sink, units: &Units, items: &Items, unit: usize) {
        let heading = self.last[unit].map(|heading| heading as usize);
        let level = heading.map_or(-1.0, |heading| f32::from(items.of(heading).tag.heading_level().unwrap_or(7)));
        sink.flag("heading", is_heading(&units.list[unit], items.of(unit).tag));
        sink.put("heading_before_level", level);
        sink.put("heading_before_units", heading.map_or(-1.0, |heading| (unit - heading) as f32));
        let words = heading.map_or(-1.0, |heading| units.words(heading as u32, unit as u32));
        sink.put("heading_before_words", words);
        let title = heading.map_or(0.0, |heading| units.list[heading].text.title_words);
        sink.put("heading_before_title_words", title);
        let before = heading.map_or([0; CLASSES], |heading| units.list[heading].text.classes);
        let around = heads_of_blocks(units, items, unit);
        for class in 0..CLASSES {
            let value = u8::from(before[class] > 0) + 2 * around[class];
            sink.put(Name("headed", UNNUMBERED, CLASS_NAMES[class]), f32::from(value));
        }
    }
}

fn is_heading(unit: &Unit, tag: Tag) -> bool {
    let is_short = unit.text.words <= HEADING_WORDS_MAX;
    tag.heading_level().is_some()
        || (is_short && (unit.bold > 0.9 || matches!(tag, Tag::Legend | Tag::Dt | Tag::Caption)))
}

/// Classes of the words in the first units of the blocks around a unit: in how many of the blocks each is met, at most 3.
fn heads_of_blocks(units: &Units, items: &Items, unit: usize) -> [u8; CLASSES] {
    let mut classes = [0_u8; CLASSES];
    let mut at = items.of_unit[unit];
    let mut seen = unit as u32;
    for _ in 0..HEADED_LEVELS {
        let item = &items.list[at as usize];
        let head = &units.list[item.first as usize];
        if item.first != seen && head.text.words <= HEADING_WORDS_MAX {
            for (class, count) in classes.iter_mut().enumerate() {
                *count = (*count + u8::from(head.text.classes[class] > 0)).min(3);
            }
        }
        seen = item.first;
        if at == 0 {
            break;
        }
        at = item.wider;
    }
    classes
}
