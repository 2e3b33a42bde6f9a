//! Found blocks by page, pages by rank.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashSet};

use lopper_index::{Found, Order, Ranked};
use rustc_hash::FxHashMap;

use super::history::Histories;
use super::{Collapse, Documents, SearchError, SearchRequest};

/// Share of the best capture's score from which on a newer capture is shown in its place. A changed figure or sentence moves scores by a few
/// parts in a hundred; without a word of the query they fall by much more.
const NEARLY_AS_GOOD: f32 = 0.9;

/// A page's found blocks, best first.
#[derive(Debug, Clone)]
pub(super) struct PageGroup {
    pub(super) blocks: Vec<Found>,
    pub(super) score: f32,
    /// How the score came from those of the blocks.
    pub(super) documents: Documents,
    /// Other captures of the page, best first.
    pub(super) captures: Vec<PageGroup>,
    /// Pages whose best block is nearly the same as this one's.
    pub(super) similar: Vec<PageGroup>,
}

impl PageGroup {
    fn of(block: Found) -> Self {
        Self {
            blocks: vec![block],
            score: block.score,
            documents: Documents::Max,
            captures: Vec::new(),
            similar: Vec::new(),
        }
    }

    /// Shows the newest of the captures that answer nearly as well as the best one: what a page says now counts. `newest` tells the place of
    /// the newest of these.
    fn show_newest<E>(&mut self, newest: impl FnOnce(&[&Found]) -> Result<usize, E>) -> Result<(), E> {
        let best = self.best().score;
        let least = best - best.abs() * (1.0 - NEARLY_AS_GOOD);
        let places: Vec<usize> =
            (0..self.captures.len()).filter(|at| self.captures[*at].best().score >= least).collect();
        if places.is_empty() {
            return Ok(());
        }
        let others = places.iter().map(|at| self.captures[*at].best());
        let captures: Vec<&Found> = [self.best()].into_iter().chain(others).collect();
        if let Some(place) = newest(&captures)?.checked_sub(1) {
            let mut captures = std::mem::take(&mut self.captures);
            let shown = captures.remove(places[place]);
            captures.insert(0, std::mem::replace(self, shown));
            self.captures = captures;
        }
        Ok(())
    }

    /// The best block.
    pub(super) fn best(&self) -> &Found {
        &self.blocks[0]
    }
}

/// The pages of a ranking, best first. Pages with blocks in the ranking's head are scored as the request says; those behind follow in
/// the order of their best blocks, with their scores. Of the captures of each of the first `wanted` the newest that is nearly as good as the
/// best stands for all.
pub(super) fn group(
    ranked: &Ranked,
    request: &SearchRequest,
    histories: &Histories<'_>,
    wanted: usize,
) -> Result<Vec<PageGroup>, SearchError> {
    let (head, rest) = ranked.found.split_at(ranked.head.min(ranked.found.len()));
    let mut groups = by_page(head);
    for group in &mut groups {
        group.documents = request.documents;
        group.score = request.documents.score(group.blocks.iter().map(|block| block.score));
    }
    let known: HashSet<u64> = groups.iter().map(|group| group.best().page_order).collect();
    groups.sort_by(|a, b| b.score.total_cmp(&a.score));
    let newest = |captures: &[&Found]| newest(ranked, request, histories, captures);
    // Pages that are like others give their places to those behind.
    let wanted = if request.collapse == Collapse::Similar { usize::MAX } else { wanted };
    if request.collapse != Collapse::None {
        groups = with_newest(without_captures(groups), wanted, newest)?;
    }
    let of_head = groups.len();
    let rest: Vec<Found> = rest.iter().filter(|block| !known.contains(&block.page_order)).copied().collect();
    groups.extend(by_page(&rest));
    if request.collapse != Collapse::None {
        groups = without_captures(groups);
        for group in groups.iter_mut().take(wanted).skip(of_head) {
            group.show_newest(newest)?;
        }
    }
    Ok(groups)
}

/// The groups, best first, where the newest captures of the first `wanted` are shown. A newer capture has no better score than the best one,
/// so a group's place is sure once it is the best of all after its newest was shown, and of the others none is asked for theirs.
fn with_newest<E>(
    groups: Vec<PageGroup>,
    wanted: usize,
    mut newest: impl FnMut(&[&Found]) -> Result<usize, E>,
) -> Result<Vec<PageGroup>, E> {
    let (mut ordered, mut rest) = (Vec::with_capacity(groups.len()), BinaryHeap::with_capacity(groups.len()));
    rest.extend(groups.into_iter().enumerate().map(|(place, group)| Placed { group, place, is_sure: false }));
    while let Some(Placed { mut group, place, is_sure }) = rest.pop() {
        if is_sure || ordered.len() >= wanted {
            ordered.push(group);
        } else {
            group.show_newest(&mut newest)?;
            rest.push(Placed { group, place, is_sure: true });
        }
    }
    Ok(ordered)
}

/// A group by its score; of equal ones the first is the greatest.
struct Placed {
    group: PageGroup,
    place: usize,
    /// Whether its newest capture is shown.
    is_sure: bool,
}

impl Ord for Placed {
    fn cmp(&self, other: &Self) -> Ordering {
        self.group.score.total_cmp(&other.group.score).then(other.place.cmp(&self.place))
    }
}

impl PartialOrd for Placed {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Placed {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Placed {}

/// The place of the newest capture, the first of several. A page is as new as its address' last capture that repeated it. One without a time
/// is the newest: a file of a site, or a posted page, is what is there now; by date it comes last.
fn newest(
    ranked: &Ranked,
    request: &SearchRequest,
    histories: &Histories<'_>,
    captures: &[&Found],
) -> Result<usize, SearchError> {
    let history = histories.of(&ranked.fetch(captures[0])?.url)?;
    let of_undated = if request.sort == Order::Date { i64::MIN } else { i64::MAX };
    let mut times = Vec::with_capacity(captures.len());
    for capture in captures {
        let time = ranked.captured_at(capture)?;
        let last = |time| history.as_ref().map_or(time, |history| history.last_of(capture.page_order, time));
        times.push(time.map_or(of_undated, last));
    }
    Ok(first_greatest(&times))
}

fn first_greatest(times: &[i64]) -> usize {
    (0..times.len()).rev().max_by_key(|at| times[*at]).unwrap_or(0)
}

/// Blocks by page, pages in the order of their first block.
fn by_page(blocks: &[Found]) -> Vec<PageGroup> {
    let mut groups: Vec<PageGroup> = Vec::new();
    let mut place: FxHashMap<u64, usize> = FxHashMap::default();
    for block in blocks {
        if let Some(&at) = place.get(&block.page_order) {
            groups[at].blocks.push(*block);
        } else {
            place.insert(block.page_order, groups.len());
            groups.push(PageGroup::of(*block));
        }
    }
    groups
}

/// Puts captures under the first one of their page.
fn without_captures(groups: Vec<PageGroup>) -> Vec<PageGroup> {
    let mut first: Vec<PageGroup> = Vec::with_capacity(groups.len());
    let mut place: FxHashMap<u64, usize> = FxHashMap::default();
    for group in groups {
        let key = group.best().page_key;
        if let Some(&at) = place.get(&key) {
            first[at].captures.push(group);
        } else {
            place.insert(key, first.len());
            first.push(group);
        }
    }
    first
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use lopper_index::Basis;
    use lopper_index::engine::BlockHandle;

    use super::*;

    /// A capture whose handle is its time.
    fn capture(time: u64, score: f32) -> PageGroup {
        let basis = Basis::Bm25 { value: score, weight: 1.0 };
        let handle = BlockHandle::new(time);
        PageGroup::of(Found { handle, page_order: time, page_key: 1, ordinal: 0, score, basis })
    }

    /// The times of captures, the one that is shown first.
    fn shown(captures: &[(u64, f32)]) -> Vec<u64> {
        let captures = captures.iter().map(|(time, score)| capture(*time, *score));
        let mut groups = without_captures(captures.collect());
        let mut page = groups.remove(0);
        let time = |block: &&Found| if block.page_order > 0 { block.page_order as i64 } else { i64::MAX };
        page.show_newest(|found| Ok::<_, Infallible>(first_greatest(&found.iter().map(time).collect::<Vec<_>>())))
            .unwrap();
        assert!(page.captures.iter().all(|capture| capture.captures.is_empty()));
        [page.best().page_order].into_iter().chain(page.captures.iter().map(|other| other.best().page_order)).collect()
    }

    #[test]
    fn the_newest_capture_that_is_nearly_as_good_is_shown() {
        assert_eq!(shown(&[(2024, 8.0)]), [2024]);
        assert_eq!(shown(&[(2024, 8.0), (2026, 8.0)]), [2026, 2024]);
        assert_eq!(shown(&[(2026, 8.0), (2021, 8.0), (2023, 8.0)]), [2026, 2021, 2023]);
        assert_eq!(shown(&[(2021, 8.0), (2026, 7.9), (2023, 7.8)]), [2026, 2021, 2023]);
        assert_eq!(shown(&[(2021, 8.0), (2023, 7.5), (2026, 5.0)]), [2023, 2021, 2026]);
        assert_eq!(shown(&[(2021, 8.0), (2026, 5.0)]), [2021, 2026]);
        assert_eq!(shown(&[(0, 8.0), (2001, 8.0)]), [0, 2001]);
        assert_eq!(shown(&[(2001, 8.0), (0, 7.9), (2003, 8.0)]), [0, 2001, 2003]);
        assert_eq!(shown(&[(2021, 0.0), (2026, 0.0)]), [2026, 2021]);
        assert_eq!(shown(&[(2021, -2.0), (2026, -2.1)]), [2026, 2021]);
    }

    /// Groups of two captures whose newer one is somewhat worse: as many are ordered by it as are wanted, as if all had been.
    #[test]
    fn the_first_groups_are_those_of_all() {
        let of_site = |site: u64| {
            let score = 10.0 - (site % 40) as f32 / 10.0;
            [(2001, score), (2002, score * (0.9 + (site % 7) as f32 / 80.0))].map(|(time, score)| {
                let mut group = capture(time, score);
                group.blocks[0].page_key = site;
                group
            })
        };
        let newest = |asked: &mut usize, captures: &[&Found]| {
            *asked += 1;
            Ok::<_, Infallible>(captures.len() - 1)
        };
        let ordered = |wanted: usize| {
            let mut asked = 0;
            let groups = without_captures((0..100).flat_map(of_site).collect());
            let groups = with_newest(groups, wanted, |captures| newest(&mut asked, captures)).unwrap();
            (groups.iter().map(|group| (group.best().page_key, group.score)).collect::<Vec<_>>(), asked)
        };
        let (all, of_all) = ordered(100);
        assert!(all.is_sorted_by(|a, b| a.1 >= b.1) && of_all == 100);
        for wanted in [0, 1, 10, 40] {
            let (some, asked) = ordered(wanted);
            assert_eq!(some[..wanted], all[..wanted]);
            assert!(some.len() == 100 && (wanted > 10 || asked < 50), "{wanted}: {asked}");
        }
    }
}
