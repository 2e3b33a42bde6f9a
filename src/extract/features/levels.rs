//! Features of the blocks around a unit: at each level the next block that holds more units, and blocks counted from the root.

use super::items::{Item, Items};
use super::sink::{Name, Sink, share};
use super::units::Units;

/// Levels above the unit.
const LEVELS: i16 = 5;

/// Levels below the root.
const TOP_LEVELS: usize = 4;

/// Writes the features of a unit's surrounding blocks.
pub(super) fn put(sink: &mut impl Sink, units: &Units, items: &Items, unit: usize) {
    let mut item = items.of(unit);
    put_level(sink, units, item, 0, unit);
    for level in 1..=LEVELS {
        item = &items.list[item.wider as usize];
        put_level(sink, units, item, level, unit);
    }
    put_top(sink, units, items, unit);
}

fn put_level(sink: &mut impl Sink, units: &Units, item: &Item, level: i16, unit: usize) {
    let sums = units.between(item.first, item.end);
    let total = units.sums[units.len()];
    let (words, count) = (sums.words as f32, (item.end - item.first) as f32);
    let name = |part| Name("level", level, part);
    sink.put(name("link_share"), share(sums.link_chars as f32, sums.chars as f32));
    sink.put(name("prose"), share(sums.prose as f32, words));
    sink.put(name("commas"), share(sums.commas as f32, words));
    sink.put(name("function_words"), share(sums.function_words as f32, words));
    if level == 0 {
        return;
    }
    sink.put(name("words"), words.ln_1p());
    sink.put(name("share"), share(words, total.words as f32));
    sink.put(name("prose_share"), share(sums.prose as f32, total.prose as f32));
    sink.put(name("units"), count.ln());
    sink.put(name("words_per_unit"), share(words, count));
    sink.put(name("paragraph"), share(sums.paragraph as f32, words));
    sink.put(name("headings"), share(sums.headings as f32, count));
    sink.put(name("images"), share(sums.images as f32, count).min(10.0));
    sink.put(name("place"), (unit as f32 - item.first as f32) / count);
}

/// The blocks that hold the unit, counted from the root: only those that hold less than the one above.
fn put_top(sink: &mut impl Sink, units: &Units, items: &Items, unit: usize) {
    let mut chain = Vec::with_capacity(32);
    let mut at = items.of_unit[unit];
    loop {
        chain.push(at);
        let wider = items.list[at as usize].wider;
        if wider == at || at == 0 {
            break;
        }
        at = wider;
    }
    let total = units.sums[units.len()];
    for level in 1..=TOP_LEVELS {
        let index = chain[chain.len().saturating_sub(1 + level)];
        let item = &items.list[index as usize];
        let sums = units.between(item.first, item.end);
        let name = |part| Name("top", level as i16, part);
        sink.put(name("share"), share(sums.words as f32, total.words as f32));
        sink.put(name("link_share"), share(sums.link_chars as f32, sums.chars as f32));
        sink.put(name("prose_share"), share(sums.prose as f32, total.prose as f32));
        sink.put(name("place"), item.first as f32 / units.len() as f32);
    }
    sink.put("wider_levels", chain.len() as f32);
}
