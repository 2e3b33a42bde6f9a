//! What changed between two captures of a page, block by block.

use std::collections::HashMap;

use lopper_content::cst::Run;
use lopper_content::pipeline::StoredTree;
use xxhash_rust::xxh3::xxh3_64;

/// Runs of a capture that are compared; what is behind them counts as unchanged.
const RUNS_MAX: usize = 5000;

/// Share of words that two runs must have in common to be one that changed.
const ALIKE_MIN: f32 = 0.5;

/// Words of a run that are compared.
const WORDS_MAX: usize = 200;

/// Earlier runs that a later one is looked for among.
const AHEAD_MAX: usize = 50;

/// One step from the earlier capture to the later one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Change<'a> {
    /// Both have it.
    Same(&'a str),
    /// Only the later one has it.
    Added(&'a str),
    /// Only the earlier one has it.
    Removed(&'a str),
    /// The earlier one's text, and the later one's.
    Changed(&'a str, &'a str),
}

/// The steps from the `earlier` capture to the `later` one, in the order of the page.
pub(crate) fn changes<'a>(earlier: &'a StoredTree, later: &'a StoredTree) -> Vec<Change<'a>> {
    let texts = |stored: &'a StoredTree| -> Vec<&'a str> {
        let with_text = stored.tree.runs().iter().filter(|run| !run.text.is_empty());
        with_text.map(|run: &Run| stored.tree.run_text(run)).take(RUNS_MAX).collect()
    };
    steps(&texts(earlier), &texts(later))
}

fn steps<'a>(earlier: &[&'a str], later: &[&'a str]) -> Vec<Change<'a>> {
    let mut steps = Vec::new();
    let (mut old, mut new) = (0, 0);
    for (same_old, same_new) in anchors(earlier, later).into_iter().chain([(earlier.len(), later.len())]) {
        between(&earlier[old..same_old], &later[new..same_new], &mut steps);
        if let Some(text) = later.get(same_new) {
            steps.push(Change::Same(text));
        }
        (old, new) = (same_old + 1, same_new + 1);
    }
    steps
}

/// Pairs of places with the same text, ascending in both: first what is the same at both ends, then, within, the longest row of texts that
/// each have once (as in a patience diff), and what is the same beside these. O(n log n).
fn anchors(earlier: &[&str], later: &[&str]) -> Vec<(usize, usize)> {
    let mut pairs = vec![];
    let (mut old, mut new) = (0, 0);
    for (unique_old, unique_new) in
        rising(&unique_pairs(earlier, later)).into_iter().chain([(earlier.len(), later.len())])
    {
        // Forward from the last anchor, then backward from this one.
        while old < unique_old && new < unique_new && earlier[old] == later[new] {
            pairs.push((old, new));
            (old, new) = (old + 1, new + 1);
        }
        let mut behind = Vec::new();
        let (mut old_end, mut new_end) = (unique_old, unique_new);
        while old_end > old && new_end > new && earlier[old_end - 1] == later[new_end - 1] {
            (old_end, new_end) = (old_end - 1, new_end - 1);
            behind.push((old_end, new_end));
        }
        pairs.extend(behind.into_iter().rev());
        if unique_old < earlier.len() && unique_new < later.len() {
            pairs.push((unique_old, unique_new));
        }
        (old, new) = (unique_old + 1, unique_new + 1);
    }
    pairs
}

/// Places of the texts that both have exactly once, by the earlier place.
fn unique_pairs(earlier: &[&str], later: &[&str]) -> Vec<(usize, usize)> {
    let once = |texts: &[&str]| {
        let mut places: HashMap<String, Option<usize>> = HashMap::new();
        for (place, text) in texts.iter().enumerate() {
            places.entry((*text).to_owned()).and_modify(|known| *known = None).or_insert(Some(place));
        }
        places
    };
    let later = once(later);
    let unique = once(earlier).into_iter().filter_map(|(text, old)| Some((old?, (*later.get(&text)?)?)));
    let mut pairs: Vec<(usize, usize)> = unique.collect();
    pairs.sort_unstable();
    pairs
}

/// The longest part of some pairs whose second numbers rise.
fn rising(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut ends: Vec<usize> = Vec::new();
    let mut before = vec![None; pairs.len()];
    for (at, (_, new)) in pairs.iter().enumerate() {
        let place = ends.partition_point(|end| pairs[*end].1 < *new);
        before[at] = place.checked_sub(1).map(|place| ends[place]);
        if place == ends.len() {
            ends.push(at);
        } else {
            ends[place] = at;
        }
    }
    let mut row: Vec<_> = std::iter::successors(ends.last().copied(), |at| before[*at]).map(|at| pairs[at]).collect();
    row.reverse();
    row
}

/// What stands between two anchors: texts that are alike are one that changed, if they are not far apart.
fn between<'a>(earlier: &[&'a str], later: &[&'a str], steps: &mut Vec<Change<'a>>) {
    let old_words: Vec<Words> = earlier.iter().map(|text| Words::of(text)).collect();
    let mut place = 0;
    for new in later {
        let words = Words::of(new);
        let ahead = old_words[place..].iter().take(AHEAD_MAX);
        match ahead.into_iter().position(|old| old.are_alike(&words)) {
            Some(skipped) => {
                let changed = place + skipped;
                steps.extend(earlier[place..changed].iter().map(|old| Change::Removed(old)));
                steps.push(Change::Changed(earlier[changed], new));
                place = changed + 1;
            }
            None => steps.push(Change::Added(new)),
        }
    }
    steps.extend(earlier[place..].iter().map(|old| Change::Removed(old)));
}

/// The different words of a text's beginning, as sorted digests.
struct Words(Vec<u64>);

impl Words {
    fn of(text: &str) -> Self {
        let words = text.split_whitespace().take(WORDS_MAX);
        let mut digests: Vec<u64> = words.map(|word| xxh3_64(word.to_lowercase().as_bytes())).collect();
        digests.sort_unstable();
        digests.dedup();
        Self(digests)
    }

    fn are_alike(&self, other: &Self) -> bool {
        let (mut one, mut two, mut both) = (0, 0, 0_usize);
        while let (Some(left), Some(right)) = (self.0.get(one), other.0.get(two)) {
            both += usize::from(left == right);
            one += usize::from(left <= right);
            two += usize::from(right <= left);
        }
        both as f32 >= ALIKE_MIN * self.0.len().max(other.0.len()) as f32
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Change::{Added, Changed, Removed, Same};
    use super::*;

    #[test]
    fn texts_are_added_removed_and_changed() {
        let earlier = ["Menu", "Old mills grind slowly", "Gone with the wind", "Footer", "x", "x"];
        let later = ["Menu", "New here", "Old mills grind fast", "Footer", "x"];
        let expected = [
            Same("Menu"),
            Added("New here"),
            Changed("Old mills grind slowly", "Old mills grind fast"),
            Removed("Gone with the wind"),
            Same("Footer"),
            Same("x"),
            Removed("x"),
        ];
        assert_eq!(steps(&earlier, &later), expected);
    }

    #[test]
    fn many_texts_that_all_differ_take_no_time() {
        let texts = |of: &str| (0..5000).map(|number| format!("{of}{number} ").repeat(50)).collect::<Vec<_>>();
        let (earlier, later) = (texts("a"), texts("b"));
        let earlier: Vec<&str> = earlier.iter().map(String::as_str).collect();
        let later: Vec<&str> = later.iter().map(String::as_str).collect();
        let started = std::time::Instant::now();
        assert_eq!(steps(&earlier, &later).len(), 10_000);
        assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
    }

    proptest! {
        #[test]
        fn both_captures_are_told_whole(earlier in "[abcd]{0,12}", later in "[abcd]{0,12}") {
            let texts = |of: &str| of.chars().map(|c| c.to_string()).collect::<Vec<_>>();
            let (earlier, later) = (texts(&earlier), texts(&later));
            let earlier: Vec<&str> = earlier.iter().map(String::as_str).collect();
            let later: Vec<&str> = later.iter().map(String::as_str).collect();
            let steps = steps(&earlier, &later);
            let old: Vec<&str> = steps.iter().filter_map(|step| match step { Same(text) | Removed(text) | Changed(text, _) => Some(*text), Added(_) => None }).collect();
            let new: Vec<&str> = steps.iter().filter_map(|step| match step { Same(text) | Added(text) | Changed(_, text) => Some(*text), Removed(_) => None }).collect();
            prop_assert_eq!(old, earlier);
            prop_assert_eq!(new, later);
        }
    }
}
