//! Ingredients and steps of a recipe, which a page's data names line by line.
//!
//! To the model `2 cloves of garlic` in a list is hardly content, so of many recipes it drops some or all ingredients. What schema.org calls
//! `recipeIngredient` and `recipeInstructions` (JSON-LD, microdata), or a microformat `p-ingredient`, is what the page is there for.
//!
//! 1. *Found*: a line is found where up to [`WINDOW`] runs beside each other have its words, in any order and without numbers, which one
//!    writes as `½` and the other as `0.5`.
//! 2. *Kept*: where most lines stand together, with the headings among and before them.
//! 3. *Once*: of the copies of a list (for another screen, for print) one is kept.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64;

use super::structured::is_list_of_recipe;
use crate::cst::{ContentStructureTree, NodeId, NodeKind, RunId};
use crate::dom::{AttributeName, ClassNames, Dom, DomId, classes};

/// Runs that may make up a line: amount, unit, name, note.
const WINDOW: usize = 8;

/// Words between two lines that stand together.
const GAP_WORDS_MAX: usize = 40;

/// Fewest lines of a list, and the share of them that must stand together.
const LINES_MIN: usize = 2;
const TOGETHER_SHARE: f64 = 0.5;

/// Share of the lines of the fullest copy that another one must have to be as good.
const COPY_SHARE: f64 = 0.8;

/// Words of what stands among the lines and is kept with them.
const AMONG_WORDS_MAX: usize = 12;

/// Runs before a list among which its heading is looked for.
const HEADING_RUNS_MAX: usize = 8;

/// Lines of a list that markup names.
const LINES_MAX: usize = 500;

/// What a line is to the index, which goes by probabilities.
const PROBABILITY: f32 = 0.5;

/// What microformats call an ingredient.
const INGREDIENT: &ClassNames = classes!["p-ingredient"];

/// Keeps the lines of `lists` and of those that markup names, each once, where anything is kept. `kept` and `probability` are by run.
/// O(nodes · lists).
pub(super) fn keep_lines(
    dom: &Dom,
    tree: &ContentStructureTree,
    lists: &[Vec<String>],
    probability: &mut [f32],
    kept: &mut [bool],
) {
    let marked = marked(dom, tree);
    let lists = lists.iter().chain(&marked).filter(|list| list.len() >= LINES_MIN);
    let bags: Vec<Bag> = match lists.clone().next() {
        Some(_) if kept.contains(&true) => tree.runs().iter().map(|run| Bag::of(tree.run_text(run))).collect(),
        _ => return,
    };
    for list in lists {
        let copies = copies(&bags, list);
        let Some(best) = best(&copies, list.len(), kept) else { continue };
        let heading = heading_before(tree, best.runs.start);
        for copy in copies.iter().filter(|copy| copy.is_copy_of(best)) {
            let of_copy = heading_before(tree, copy.runs.start);
            if let (Some(of_copy), Some(heading)) = (of_copy, heading)
                && bags[of_copy] == bags[heading]
            {
                kept[of_copy] = false;
            }
            copy.lines.iter().for_each(|runs| kept[runs.clone()].fill(false));
        }
        let with_it = best.runs.clone().filter(|run| best.holds(*run) || is_among(tree, &bags, *run));
        for run in with_it.chain(heading) {
            kept[run] = true;
            probability[run] = probability[run].max(PROBABILITY);
        }
    }
}

/// The words of a text, in any order, without numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Bag {
    sum: u64,
    words: usize,
}

impl Bag {
    fn of(text: &str) -> Self {
        let words = text.split(|letter: char| !letter.is_alphabetic()).filter(|word| !word.is_empty());
        words.fold(Self::default(), |bag, word| {
            bag.with(Self { sum: xxh3_64(word.to_lowercase().as_bytes()), words: 1 })
        })
    }

    fn with(self, other: Self) -> Self {
        Self { sum: self.sum.wrapping_add(other.sum), words: self.words + other.words }
    }
}

/// A place where lines of a list stand together.
#[derive(Debug)]
struct Copy {
    /// The runs of each line, ascending.
    lines: Vec<Range<RunId>>,
    /// From the first to the last.
    runs: Range<RunId>,
    /// The first line.
    first: u64,
}

impl Copy {
    fn holds(&self, run: RunId) -> bool {
        let behind = self.lines.partition_point(|line| line.end <= run);
        self.lines.get(behind).is_some_and(|line| line.contains(&run))
    }

    /// Runs that the lines are made of.
    fn line_runs(&self) -> usize {
        self.lines.iter().map(Range::len).sum()
    }

    fn is_copy_of(&self, best: &Self) -> bool {
        self.runs != best.runs && self.lines.len() as f64 >= best.lines.len() as f64 * COPY_SHARE
    }
}

/// The places where lines of a list stand.
fn copies(bags: &[Bag], list: &[String]) -> Vec<Copy> {
    let wanted: HashMap<u64, usize> = list.iter().map(|line| Bag::of(line)).map(|bag| (bag.sum, bag.words)).collect();
    let longest = wanted.values().copied().max().unwrap_or_default();
    let mut copies: Vec<Copy> = Vec::new();
    let (mut run, mut gap) = (0, 0);
    while run < bags.len() {
        let Some((end, line)) = line_at(bags, run, &wanted, longest) else {
            gap += bags[run].words;
            run += 1;
            continue;
        };
        match copies.last_mut().filter(|copy| gap <= GAP_WORDS_MAX && copy.first != line) {
            Some(copy) => {
                copy.lines.push(run..end);
                copy.runs.end = end;
            }
            None => copies.push(Copy { lines: std::iter::once(run..end).collect(), runs: run..end, first: line }),
        }
        (run, gap) = (end, 0);
    }
    copies
}

/// The end of the longest line that begins at a run, and the line.
fn line_at(bags: &[Bag], run: RunId, wanted: &HashMap<u64, usize>, longest: usize) -> Option<(RunId, u64)> {
    let (mut all, mut found) = (Bag::default(), None);
    for (at, bag) in bags.iter().enumerate().skip(run).take(WINDOW) {
        all = all.with(*bag);
        if all.words > longest {
            break;
        }
        if bag.words > 0 && wanted.get(&all.sum) == Some(&all.words) {
            found = Some((at + 1, all.sum));
        }
    }
    found
}

/// The copy that has most of the lines; of several, the one of which most is kept, in the fewest runs, the first.
fn best<'c>(copies: &'c [Copy], lines: usize, kept: &[bool]) -> Option<&'c Copy> {
    let most = copies.iter().map(|copy| copy.lines.len()).max()?;
    if most < LINES_MIN || (most as f64) < lines as f64 * TOGETHER_SHARE {
        return None;
    }
    let as_good = copies.iter().filter(|copy| copy.lines.len() as f64 >= most as f64 * COPY_SHARE);
    let is_kept = |line: &&Range<RunId>| kept[(*line).clone()].contains(&true);
    let rank = |copy: &&Copy| (copy.lines.iter().filter(is_kept).count(), Reverse(copy.line_runs()));
    as_good.rev().max_by_key(rank)
}

/// Whether a run among the lines is of their list: a heading, a few words in an element as the lines have it, a number.
fn is_among(tree: &ContentStructureTree, bags: &[Bag], run: RunId) -> bool {
    let tag = |run: RunId| tree.tag(tree.runs()[run].item);
    bags[run].words <= AMONG_WORDS_MAX && (tag(run).heading_level().is_some() || (run > 0 && tag(run) == tag(run - 1)))
}

/// The heading of what begins at a run.
fn heading_before(tree: &ContentStructureTree, run: RunId) -> Option<RunId> {
    let is_heading = |run: &RunId| {
        let of_run = &tree.runs()[*run];
        tree.tag(of_run.item).heading_level().is_some() && !of_run.text.is_empty()
    };
    (run.saturating_sub(HEADING_RUNS_MAX)..run).rev().find(is_heading)
}

/// The lists that markup names: ingredients, steps.
fn marked(dom: &Dom, tree: &ContentStructureTree) -> Vec<Vec<String>> {
    let mut lists: Vec<(&str, Vec<String>)> = Vec::new();
    for item in tree.ids().filter(|id| tree.kind(*id) == NodeKind::HtmlItem) {
        let Some(name) = tree.source(item).and_then(|element| property(dom, element)) else { continue };
        let at = lists.iter().position(|(known, _)| *known == name).unwrap_or(lists.len());
        if at == lists.len() {
            lists.push((name, Vec::new()));
        }
        let found = &mut lists[at].1;
        let room = LINES_MAX.saturating_sub(found.len());
        found.extend(lines(tree, item).take(room));
    }
    lists.into_iter().map(|(_, lines)| lines).collect()
}

/// The lines of a marked element: all of it, or its runs where it holds a list.
fn lines(tree: &ContentStructureTree, item: NodeId) -> impl Iterator<Item = String> {
    let runs = tree.runs_within(item);
    let is_line = runs.len() <= WINDOW && tree.child_items(item).next().is_none();
    let whole = is_line.then(|| tree.subtree_text(item).to_owned());
    let parts = runs.filter(move |_| !is_line).map(|run| tree.run_text(&tree.runs()[run]).to_owned());
    whole.into_iter().chain(parts)
}

/// What an element is of a recipe, if markup says so.
fn property(dom: &Dom, element: DomId) -> Option<&str> {
    let properties = dom.attribute(element, AttributeName::Itemprop).unwrap_or_default();
    let named = properties.split_whitespace().find(|property| *property != "step" && is_list_of_recipe(property));
    named.or_else(|| dom.has_class(element, INGREDIENT).then_some("ingredients"))
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    const LINES: [&str; 4] = ["2 cups flour", "½ tsp. salt", "3 eggs, beaten", "Butter"];

    /// What stays of a page whose text with `plain` is kept, beside the lines of a recipe.
    fn left(html: &str) -> Vec<String> {
        let list: Vec<String> = LINES.iter().map(|line| (*line).to_owned()).collect();
        with_lists(html, &[list])
    }

    fn with_lists(html: &str, lists: &[Vec<String>]) -> Vec<String> {
        testing::left(html, 0.01, |dom, tree, _, probability, kept| {
            keep_lines(dom, tree, lists, &mut probability.to_vec(), kept);
        })
    }

    #[test]
    fn ingredients_stay_with_their_headings() {
        let html = "<h2>Ingredients</h2><ul><li>2 cups flour<li>0.5 tsp salt</ul><h3>Glaze</h3><ul><li><b>Eggs</b>, beaten <i>3</i>\
            <li>Milk, if you like<li>butter</ul><p>Print</p><p>plain</p>";
        let all =
            ["Ingredients", "2 cups flour", "0.5 tsp salt", "Glaze", "Eggs, beaten 3", "Milk, if you like", "butter"];
        assert_eq!(left(html), [&all[..], &["plain"]].concat());
        assert_eq!(left(&html.replace("plain", "other")), [""; 0], "nothing is kept");
        assert_eq!(with_lists(html, &[]), ["plain"], "no data");
    }

    #[test]
    fn a_line_may_be_parted() {
        let html = "<p>plain</p><table><tr><td>2<td>cups<td>flour<tr><td>1/2 tsp<td>salt<tr><td>eggs<td>3 beaten</table><p>menu</p>";
        assert_eq!(left(html).len(), 8);
        let few = "<p>plain</p><p>butter</p><p>sugar</p>";
        assert_eq!(left(few), ["plain"], "one line of four");
    }

    #[test]
    fn of_two_copies_one_stays() {
        let copy = |class: &str| {
            format!("<div><h2>Ingredients</h2><p>2 cups flour{class}</p><p>½ tsp. salt</p><p>3 eggs, beaten</p></div>")
        };
        let html = format!("{}<p>plain</p>{}", copy(""), copy(""));
        let once = ["Ingredients", "2 cups flour", "½ tsp. salt", "3 eggs, beaten"];
        assert_eq!(left(&html), [&once[..], &["plain"]].concat());
        let parts = "<div><p>2</p><p>cups</p><p>flour</p><p>½ tsp.</p><p>salt</p><p>3 eggs, beaten</p></div>";
        assert_eq!(
            left(&format!("{parts}<p>plain</p>{}", copy(""))),
            [&["plain"], &once[..]].concat(),
            "in one piece each"
        );
    }

    #[test]
    fn markup_names_lines_too() {
        for name in ["itemprop=recipeIngredient", "itemprop='a ingredients'", "class=p-ingredient"] {
            let html = format!("<p>plain</p><h3>For it</h3><ul><li {name}>1 egg<li {name}>salt</ul><ul><li>menu</ul>");
            assert_eq!(with_lists(&html, &[]), ["plain", "For it", "1 egg", "salt"], "{name}");
        }
        let steps = "<p>plain</p><div itemprop=recipeInstructions><ol><li>Mix.<li>Bake.</ol></div><p>menu</p>";
        assert_eq!(with_lists(steps, &[]), ["plain", "Mix.", "Bake."]);
    }
}
