//! Repetition: blocks of the same make (cards, posts, rows), and texts that stand on the page more than once.

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::items::Items;
use super::sink::{Sink, share};
use super::units::{Sums, Units};

/// Siblings of one make, from which on they are a series.
const SERIES_MIN: u32 = 3;

/// The blocks of one make.
#[derive(Debug, Clone, Copy, Default)]
struct Group {
    members: u32,
    units: u32,
    sums: Sums,
}

/// All groups of a page.
#[derive(Debug)]
pub(super) struct Repetition {
    /// Units by the make of their item and the three above.
    by_path: FxHashMap<u64, Group>,
    /// Units by the tags from the root.
    by_tags: FxHashMap<u64, u32>,
    /// For each item: the closest item, itself included, that is one of a series of siblings.
    series_of: Vec<Option<u32>>,
    /// For each item: its series and its place there.
    place: Vec<(u32, u32)>,
    series: Vec<Group>,
    texts: FxHashMap<u32, u32>,
}

impl Repetition {
    /// Counts the groups of a page.
    pub(super) fn new(units: &Units, items: &Items) -> Self {
        let mut repetition = Self {
            by_path: FxHashMap::with_capacity_and_hasher(units.len(), FxBuildHasher),
            by_tags: FxHashMap::with_capacity_and_hasher(units.len(), FxBuildHasher),
            series_of: vec![None; items.list.len()],
            place: vec![(0, 0); items.list.len()],
            series: Vec::new(),
            texts: FxHashMap::with_capacity_and_hasher(units.len(), FxBuildHasher),
        };
        repetition.count_units(units, items);
        repetition.count_siblings(units, items);
        repetition
    }

    fn count_units(&mut self, units: &Units, items: &Items) {
        for index in 0..units.len() {
            let item = items.of(index);
            let group = self.by_path.entry(item.path_signature).or_default();
            group.members += 1;
            add(&mut group.sums, &units.between(index as u32, index as u32 + 1));
            *self.by_tags.entry(item.tag_path).or_default() += 1;
            *self.texts.entry(units.list[index].text.hash).or_default() += 1;
        }
    }

    fn count_siblings(&mut self, units: &Units, items: &Items) {
        let mut index_of: FxHashMap<(u32, u64), u32> =
            FxHashMap::with_capacity_and_hasher(items.list.len(), FxBuildHasher);
        for (index, item) in items.list.iter().enumerate() {
            let next = self.series.len() as u32;
            let series = *index_of.entry((item.parent, item.signature)).or_insert(next);
            if series == next {
                self.series.push(Group::default());
            }
            let group = &mut self.series[series as usize];
            self.place[index] = (series, group.members);
            group.members += 1;
            group.units += item.end - item.first;
            add(&mut group.sums, &units.between(item.first, item.end));
        }
        for (index, item) in items.list.iter().enumerate().skip(1) {
            let own = self.series[self.place[index].0 as usize].members >= SERIES_MIN;
            self.series_of[index] = if own { Some(index as u32) } else { self.series_of[item.parent as usize] };
        }
    }

    /// The key of the units that share a unit's make.
    pub(super) fn group_key(items: &Items, unit: usize) -> u64 {
        items.of(unit).path_signature
    }

    /// Writes a unit's features.
    #[inline]
    pub(super) fn put(&self, sink: &mut impl Sink, units: &Units, items: &Items, unit: usize) {
        let item = items.of(unit);
        let group = self.by_path.get(&item.path_signature).copied().unwrap_or_default();
        let total = units.words(0, units.len() as u32);
        sink.put("same_make_units", (group.members as f32).ln());
        sink.put("same_make_words", share(group.sums.words as f32, group.members as f32));
        sink.put("same_make_share", share(group.sums.words as f32, total));
        sink.put("same_make_link_share", share(group.sums.link_chars as f32, group.sums.chars as f32));
        sink.put("same_make_prose", share(group.sums.prose as f32, group.sums.words as f32));
        sink.put("same_make_sentences", share(group.sums.sentences as f32, group.members as f32));
        let alike = self.by_tags.get(&item.tag_path).copied().unwrap_or(0);
        sink.put("same_tags_share", share(alike as f32, units.len() as f32));
        let copies = self.texts.get(&units.list[unit].text.hash).copied().unwrap_or(1);
        sink.put("copies", copies.min(50) as f32);
        self.put_series(sink, units, items, unit, 0);
        self.put_series(sink, units, items, unit, 1);
    }

    /// The series that a unit is in (`level` 0), and the one around that (1).
    fn put_series(&self, sink: &mut impl Sink, units: &Units, items: &Items, unit: usize, level: i16) {
        use super::sink::Name;
        let mut member = self.series_of[items.of_unit[unit] as usize];
        if level == 1 {
            member = member.and_then(|member| self.series_of[items.list[member as usize].parent as usize]);
        }
        let Some(member) = member else {
            for part in SERIES_PARTS {
                sink.put(Name("series", level, part), -1.0);
            }
            return;
        };
        let item = &items.list[member as usize];
        let (series, place) = self.place[member as usize];
        let group = self.series[series as usize];
        let members = group.members as f32;
        let own = units.words(item.first, item.end);
        let total = units.words(0, units.len() as u32);
        let values = [
            f32::from(items.of(unit).depth - item.depth),
            members.ln(),
            place as f32 / members,
            share(group.sums.words as f32, members),
            share(group.sums.words as f32, total),
            share(group.sums.link_chars as f32, group.sums.chars as f32),
            share(group.sums.prose as f32, group.sums.words as f32),
            group.units as f32 / members,
            share(own * members, group.sums.words as f32).min(20.0),
            share(group.sums.images as f32, members).min(20.0),
            unit as f32 - item.first as f32,
            share(group.sums.headings as f32, members).min(5.0),
        ];
        for (part, value) in SERIES_PARTS.into_iter().zip(values) {
            sink.put(Name("series", level, part), value);
        }
    }
}

const SERIES_PARTS: [&str; 12] = [
    "steps",
    "members",
    "place",
    "words",
    "share",
    "link_share",
    "prose",
    "units",
    "relative_words",
    "images",
    "unit",
    "headings",
];

fn add(to: &mut Sums, more: &Sums) {
    *to = to.plus(more);
}
