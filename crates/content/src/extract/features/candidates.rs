//! Verdicts of simple extractors, as features: text intervals, the descent by text distribution, and the best subtree by points
//! that paragraphs give to the blocks around them.

use super::items::Items;
use super::sink::{Name, Sink, share};
use super::units::Units;

/// Longest way up from a unit that gets points.
const POINTS_LEVELS: usize = 5;

/// Below this K the text is spread evenly enough over the subnodes: the descent ends.
const DESCENT_LIMIT: f64 = 10.0;

/// What the simple extractors say of a page.
#[derive(Debug)]
pub(super) struct Candidates {
    /// First and one past the last unit of the best intervals, one for each of [`INTERVAL_COSTS`].
    intervals: [(usize, usize); INTERVAL_COSTS.len()],
    /// Points of the items.
    points: Vec<f32>,
    best: u32,
    /// For each item, whether it is on the way from the root to the best one.
    above_best: Vec<bool>,
    descent: u32,
}

/// Words that a border between units costs in the text intervals.
const INTERVAL_COSTS: [f64; 2] = [6.0, 14.0];

impl Candidates {
    /// Reads the verdicts of a page.
    pub(super) fn new(units: &Units, items: &Items) -> Self {
        let points = points(units, items);
        let best =
            (0..points.len()).max_by(|a, b| points[*a].total_cmp(&points[*b]).then(b.cmp(a))).unwrap_or(0) as u32;
        let mut above_best = vec![false; items.list.len()];
        for at in items.chain(best) {
            above_best[at as usize] = true;
        }
        let intervals = INTERVAL_COSTS.map(|cost| interval(units, cost));
        Self { intervals, points, best, above_best, descent: descent(units, items) }
    }

    /// Writes a unit's features.
    #[inline]
    pub(super) fn put(&self, sink: &mut impl Sink, units: &Units, items: &Items, unit: usize) {
        for (index, (first, end)) in self.intervals.into_iter().enumerate() {
            let distance = if unit < first { first - unit } else { (unit + 1).saturating_sub(end) };
            sink.put(Name("interval", index as i16, "distance"), distance as f32);
        }
        let total = units.words(0, units.len() as u32);
        let descent = &items.list[self.descent as usize];
        sink.flag("descent_inside", (descent.first as usize..descent.end as usize).contains(&unit));
        sink.put("descent_share", share(units.words(descent.first, descent.end), total));
        self.put_best(sink, units, items, unit);
    }

    fn put_best(&self, sink: &mut impl Sink, units: &Units, items: &Items, unit: usize) {
        let best = &items.list[self.best as usize];
        let from = items.of_unit[unit];
        let (mut steps, mut meeting) = (0, from);
        for at in items.chain(from) {
            meeting = at;
            if self.above_best[at as usize] {
                break;
            }
            steps += 1;
        }
        let top = self.points[self.best as usize].max(1e-6);
        let near = items.chain(from).take(POINTS_LEVELS + 1).map(|at| self.points[at as usize]).fold(0.0, f32::max);
        let meeting = &items.list[meeting as usize];
        sink.flag("best_inside", (best.first as usize..best.end as usize).contains(&unit));
        sink.put("best_steps_up", steps as f32);
        sink.put("best_steps_down", f32::from(best.depth - meeting.depth.min(best.depth)));
        sink.put(
            "best_common_share",
            share(units.words(meeting.first, meeting.end), units.words(0, units.len() as u32)),
        );
        sink.put("best_relative_points", near / top);
        let distance = (best.first as f32 - unit as f32).max(unit as f32 - best.end as f32 + 1.0).max(0.0);
        sink.put("best_distance", distance);
        sink.put("best_share", share(units.words(best.first, best.end), units.words(0, units.len() as u32)));
    }
}

/// Points of each item: paragraphs give to their parent in full, to those above it ever less; links and hints weigh.
fn points(units: &Units, items: &Items) -> Vec<f32> {
    let mut points = vec![0.0_f32; items.list.len()];
    for (index, unit) in units.list.iter().enumerate() {
        if unit.text.chars < 25.0 || unit.link_share >= 0.5 {
            continue;
        }
        let given = 1.0 + unit.text.commas + (unit.text.words / 17.0).min(3.0);
        let skip = usize::from(items.of(index).tag != crate::dom::Tag::Div);
        for (level, at) in items.chain(items.of_unit[index]).skip(skip).take(POINTS_LEVELS).enumerate() {
            points[at as usize] += given / [1.0, 2.0, 6.0, 9.0, 12.0][level];
        }
    }
    for (item, points) in items.list.iter().zip(&mut points) {
        let sums = units.between(item.first, item.end);
        *points *= 1.0 - share(sums.link_chars as f32, sums.chars as f32);
        *points *= if item.hints & 0b11 != 0 { 1.25 } else { 1.0 };
        *points *= if item.hints & 0b1110_1111_1100 != 0 { 0.7 } else { 1.0 };
    }
    points
}

/// The units whose unlinked words, less a cost for each border and each linked word, sum to the most.
fn interval(units: &Units, cost: f64) -> (usize, usize) {
    let (mut best, mut at) = ((0.0, 0, 0), (0.0, 0));
    for (index, unit) in units.list.iter().enumerate() {
        if at.0 <= 0.0 {
            at = (0.0, index);
        }
        let words = f64::from(unit.text.words);
        at.0 += words * (1.0 - 2.0 * f64::from(unit.link_share)) - cost;
        if at.0 > best.0 {
            best = (at.0, at.1, index + 1);
        }
    }
    (best.1, best.2)
}

/// From the root to the child with the most text, as long as one child has clearly more than the others.
fn descent(units: &Units, items: &Items) -> u32 {
    let children = Children::of(items);
    let mut at = 0;
    loop {
        let below: Vec<u32> = children.below(at).collect();
        let lengths: Vec<f64> = below.iter().map(|child| length(units, items, *child)).collect();
        let Some(largest) = (0..lengths.len()).max_by(|a, b| lengths[*a].total_cmp(&lengths[*b]).then(b.cmp(a))) else {
            return at;
        };
        let direct = length(units, items, at) - lengths.iter().sum::<f64>();
        if unevenness(&lengths, direct) <= DESCENT_LIMIT && lengths.len() > 1 {
            return at;
        }
        at = below[largest];
    }
}

/// The items right below each item, as chains; 0, the root, ends a chain.
struct Children {
    first: Vec<u32>,
    next: Vec<u32>,
}

impl Children {
    fn of(items: &Items) -> Self {
        let mut children = Self { first: vec![0; items.list.len()], next: vec![0; items.list.len()] };
        for (index, item) in items.list.iter().enumerate().skip(1).rev() {
            children.next[index] = std::mem::replace(&mut children.first[item.parent as usize], index as u32);
        }
        children
    }

    fn below(&self, item: u32) -> impl Iterator<Item = u32> {
        let known = |index: u32| (index != 0).then_some(index);
        std::iter::successors(known(self.first[item as usize]), move |at| known(self.next[*at as usize]))
    }
}

fn length(units: &Units, items: &Items, item: u32) -> f64 {
    let item = &items.list[item as usize];
    units.between(item.first, item.end).chars
}

/// K: the mean deviation of the subnodes' text lengths, in hundredths of the whole text.
fn unevenness(lengths: &[f64], direct: f64) -> f64 {
    let count = lengths.len() as f64 + f64::from(u8::from(direct > 0.5));
    let total: f64 = lengths.iter().sum::<f64>() + direct;
    let mean = total / count.max(1.0);
    let mut deviation: f64 = lengths.iter().map(|length| (length - mean).abs()).sum();
    if direct > 0.5 {
        deviation += (direct - mean).abs();
    }
    100.0 * deviation / count.max(1.0) / total.max(1.0)
}
