//! What of the kept text the page says twice, which is kept once.
//!
//! Decisions about runs one by one cannot see it: a copy of a text is as likely content as the text.
//!
//! 1. *Lists of contents*: what stands in them stands again as headings. Told by their links, which lead within the page.
//! 2. *Repeated runs*: an article's other copy, earlier posts that a later one quotes. What repeats in tables, lists,
//!    definitions and code is meant to, and so are what is said of another function, and a refrain.

use std::collections::HashMap;

use xxhash_rust::xxh3::xxh3_64;

use super::PageView;
use super::content::called_for::leads_on;
use super::content::furniture::summary_cell;
use super::signatures::is_signature;
use crate::cst::{ContentStructureTree, NodeId, Run, RunId};
use crate::dom::{AttributeName, Tag};

/// Fewest links that are a list of contents.
const CONTENTS_LINKS_MIN: usize = 3;

/// Share of a run's text that is links within the page, from which it is of a list of contents.
const CONTENTS_SHARE: f64 = 0.8;

/// Most words of what stands above a list of contents to name it, unless it is a heading.
const LABEL_WORDS_MAX: f32 = 6.0;

/// Fewest words that are a repetition.
const REPEATED_WORDS_MIN: f32 = 8.0;

/// The lowest headings that begin the description of something: a function.
const HEADING_LEVEL_MAX: u8 = 4;

/// Elements from a run on among which the code or signature is looked for that it is of.
const CODE_LEVELS: usize = 2;

/// Paragraphs of a refrain at most: what repeats more in a row is a copy.
const REFRAIN_RUNS_MAX: u32 = 4;

/// How often a text is said of other functions at most: what is said of very many is the page's own.
const TIMES_MAX: u32 = 16;

/// Runs with words, and how many each has.
#[derive(Debug, Clone, Copy)]
pub(super) struct WordedRuns<'a> {
    pub(super) runs: &'a [RunId],
    pub(super) words: &'a [f32],
}

impl WordedRuns<'_> {
    /// Takes some runs out of what is kept, by unit. Tells whether any of them was.
    pub(super) fn take_out(self, kept: &mut [bool], runs: &[RunId]) -> bool {
        let units = runs.iter().filter_map(|run| self.runs.binary_search(run).ok());
        let mut was_kept = false;
        for unit in units {
            was_kept |= std::mem::take(&mut kept[unit]);
        }
        was_kept
    }

    /// Leaves some runs out of what is kept, by run, unless nothing would be left. Tells whether it did.
    pub(super) fn leave_out(self, kept: &mut Vec<bool>, runs: &[RunId]) -> bool {
        let mut left = kept.clone();
        for run in runs {
            left[*run] = false;
        }
        self.keep_unless_nothing(kept, left)
    }

    /// Leaves some runs out likewise, which are no content to whoever asks: their `probability`, by run, is 0 then. Gives those that went.
    pub(super) fn pass_over(self, kept: &mut Vec<bool>, probability: &mut [f32], runs: Vec<RunId>) -> Vec<RunId> {
        if !self.leave_out(kept, &runs) {
            return Vec::new();
        }
        for run in &runs {
            probability[*run] = 0.0;
        }
        runs
    }

    /// Puts `left` in the place of what is kept, by run, unless nothing would be left. Tells whether it did.
    pub(super) fn keep_unless_nothing(self, kept: &mut Vec<bool>, left: Vec<bool>) -> bool {
        let is_any_left = self.runs.iter().any(|run| left[*run]);
        if is_any_left {
            *kept = left;
        }
        is_any_left
    }
}

/// Takes out of `kept`, by run, what is said twice; nothing where nothing would be left. O(nodes).
pub(super) fn keep_once(page: &PageView<'_>, units: WordedRuns<'_>, kept: &mut Vec<bool>) {
    let tree = page.tree;
    let mut once = kept.clone();
    drop_contents(tree, units, &mut once);
    drop_repeated(page, units, &mut once);
    units.keep_unless_nothing(kept, once);
}

/// Drops lists of contents with what names them.
fn drop_contents(tree: &ContentStructureTree, units: WordedRuns<'_>, kept: &mut [bool]) {
    let links: Vec<usize> = units.runs.iter().map(|run| contents_links(tree, &tree.runs()[*run])).collect();
    let mut start = 0;
    while start < links.len() {
        let end = start + links[start..].iter().take_while(|count| **count > 0).count();
        if links[start..end].iter().sum::<usize>() >= CONTENTS_LINKS_MIN {
            let first = if start > 0 && is_label(tree, units, start - 1, end) { start - 1 } else { start };
            for run in &units.runs[first..end] {
                kept[*run] = false;
            }
        }
        start = end.max(start + 1);
    }
}

/// The links within the page that a run consists of; 0 if it does not.
fn contents_links(tree: &ContentStructureTree, run: &Run) -> usize {
    if matches!(tree.tag(run.item), Tag::Td | Tag::Th | Tag::Pre) {
        return 0;
    }
    let (mut links, mut bytes) = (0, 0);
    for node in run.nodes.clone().map(NodeId) {
        let leads_within = |href: &str| href.len() > 1 && href.starts_with('#') && !href[1..].starts_with(['/', '!']);
        if tree.link(node).is_some_and(|link| leads_within(tree.attribute_text(link.href))) {
            links += 1;
            bytes += tree.text(node).len();
        }
    }
    if bytes as f64 >= run.text.len() as f64 * CONTENTS_SHARE { links } else { 0 }
}

/// Whether a unit names the list of contents in the units behind it up to `end`: a heading with nothing else below it, or a few words
/// that stand in one element with the list alone.
fn is_label(tree: &ContentStructureTree, units: WordedRuns<'_>, label: usize, end: usize) -> bool {
    let item = |unit: usize| tree.runs()[units.runs[unit]].item;
    let level = |unit: usize| tree.tag(item(unit)).heading_level();
    let of_label = item(label);
    let own = tree.runs_within(of_label);
    let around = std::iter::successors(tree.parent(of_label), |id| tree.parent(*id));
    let Some(container) = around.into_iter().find(|id| tree.runs_within(*id) != own) else { return false };
    let ends_with_list = units.runs.get(end).is_none_or(|run| !tree.runs_within(container).contains(run));
    match level(label) {
        Some(1) => false,
        Some(_) => ends_with_list || level(end).is_some(),
        None => {
            let begins_with_label = label == 0 || !tree.runs_within(container).contains(&units.runs[label - 1]);
            begins_with_label && ends_with_list && units.words[label] <= LABEL_WORDS_MAX
        }
    }
}

/// Where a text was said last, and how often it was.
#[derive(Debug, Clone, Copy)]
struct Said {
    /// The heading above, and its run.
    heading: u64,
    below: RunId,
    run: RunId,
    times: u32,
}

/// What stands above a run.
#[derive(Debug, Default)]
struct Above {
    /// The heading, with the signature below it: functions of one name have signatures of their own.
    heading: u64,
    /// The run of the heading.
    below: RunId,
    /// Whether the heading names a function, or code follows it: then what comes is said of that.
    has_code: bool,
    /// The kept run right before.
    last: Option<RunId>,
}

impl Above {
    /// Takes in what a run says of those behind it, if it is a heading, a signature or code.
    fn take_in(&mut self, page: &PageView<'_>, run: RunId, is_kept: bool) {
        let tree = page.tree;
        let item = tree.runs()[run].item;
        if is_kept && tree.tag(item).heading_level().is_some_and(|level| level <= HEADING_LEVEL_MAX) {
            (self.heading, self.below) = (hash(tree, run), run);
            self.has_code = names_function(tree.run_text(&tree.runs()[run]));
        }
        if tree.ancestors(item).take(CODE_LEVELS).any(|id| is_signature(page.dom, tree, id)) {
            (self.heading, self.has_code) = (self.heading ^ hash(tree, run), true);
        }
        let is_code = || tree.ancestors(item).take(CODE_LEVELS).any(|id| tree.tag(id) == Tag::Pre);
        self.has_code = self.has_code || is_kept && is_code();
    }
}

fn hash(tree: &ContentStructureTree, run: RunId) -> u64 {
    xxh3_64(tree.run_text(&tree.runs()[run]).as_bytes())
}

/// Drops kept runs that say what an earlier kept one says. An overview in a table or list says first what is told in
/// full below.
fn drop_repeated(page: &PageView<'_>, units: WordedRuns<'_>, kept: &mut [bool]) {
    let tree = page.tree;
    let mut said: HashMap<u64, Said> = HashMap::new();
    let mut above = Above::default();
    // Texts in a row that were said before.
    let mut repeated = 0;
    for (run, words) in units.runs.iter().copied().zip(units.words) {
        above.take_in(page, run, kept[run]);
        let before = if kept[run] { above.last.replace(run) } else { above.last };
        if !kept[run] || *words < REPEATED_WORDS_MIN {
            continue;
        }
        let item = tree.runs()[run].item;
        let hash = hash(tree, run);
        let same = said.get(&hash).copied();
        repeated = if same.is_some() { repeated + 1 } else { 0 };
        let is_meant = |same: Said| {
            let is_of_other = above.has_code && same.heading != above.heading;
            // The heading stands there again too.
            let is_of_copy = same.heading == above.heading && same.below != above.below;
            let may_be_refrain = repeated <= REFRAIN_RUNS_MAX && !is_of_copy && before != Some(same.run);
            let may_be_meant = same.times < TIMES_MAX && !leads_on(tree, run) && !is_of_quote(tree, item);
            may_be_meant && (is_of_other || may_be_refrain && is_refrain(page, same.run, run))
        };
        let is_new = same.is_none_or(is_meant);
        if is_new && !is_of_overview(page, item) {
            let times = same.map_or(0, |same| same.times) + 1;
            said.insert(hash, Said { heading: above.heading, below: above.below, run, times });
        }
        kept[run] = is_new || may_repeat(page, item);
    }
}

/// Whether two runs that say the same are paragraphs of one make in one element, without links: verses of a song, the
/// same line below each question. What a page shows twice for its own sake stands elsewhere, or leads elsewhere.
fn is_refrain(page: &PageView<'_>, first: RunId, again: RunId) -> bool {
    let tree = page.tree;
    let [first, again] = [first, again].map(|run| &tree.runs()[run]);
    let class = |item: NodeId| page.dom.attribute(tree.source(item)?, AttributeName::Class);
    tree.parent(first.item) == tree.parent(again.item)
        && tree.tag(first.item) == tree.tag(again.item)
        && class(first.item) == class(again.item)
        && tree.linked_bytes(again) == 0
}

/// Whether a text has a name with its parameters: `open(file)`.
fn names_function(text: &str) -> bool {
    let mut names = text.match_indices('(').map(|(at, _)| (&text[..at], &text[at + 1..]));
    names.any(|(before, inner)| {
        let is_name = before.ends_with(|letter: char| letter.is_ascii_alphanumeric() || letter == '_');
        // `Comment(s)`, `Comments(3)`
        is_name && !inner.starts_with("s)") && !inner.starts_with(|first: char| first.is_ascii_digit())
    })
}

/// Whether an item is of a quotation.
fn is_of_quote(tree: &ContentStructureTree, item: NodeId) -> bool {
    /// Elements around the item that are looked at.
    const LEVELS: usize = 4;
    tree.ancestors(item).take(LEVELS).any(|id| tree.tag(id) == Tag::Blockquote)
}

/// Whether an item stands in a cell, entry or definition, with little around it.
fn is_of_overview(page: &PageView<'_>, item: NodeId) -> bool {
    /// Elements around the item that are looked at.
    const LEVELS: usize = 2;
    let mut around = std::iter::successors(Some(item), |id| page.tree.parent(*id)).take(LEVELS + 1);
    around.any(|id| may_repeat(page, id) && page.tree.tag(id) != Tag::Pre)
}

/// Whether what stands in an item may be there again on purpose.
fn may_repeat(page: &PageView<'_>, item: NodeId) -> bool {
    match page.tree.tag(item) {
        Tag::Pre | Tag::Td | Tag::Th | Tag::Li | Tag::Dt | Tag::Dd => true,
        Tag::Div => page.tree.source(item).is_some_and(|element| summary_cell(page.dom, element).is_some()),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cst::{self, Profile};
    use crate::dom;
    use crate::limits::Limits;

    /// The texts that stay when all runs are kept.
    fn once(html: &str) -> Vec<String> {
        let limits = Limits::default();
        let dom = dom::parse(html, &limits);
        let tree = cst::build(&dom, Profile::Modern, &limits);
        let runs: Vec<RunId> = (0..tree.runs().len()).filter(|run| !tree.runs()[*run].text.is_empty()).collect();
        let text = |run: &RunId| tree.run_text(&tree.runs()[*run]);
        let words: Vec<f32> = runs.iter().map(|run| text(run).split_whitespace().count() as f32).collect();
        let mut kept = vec![true; tree.runs().len()];
        keep_once(&PageView::new(&dom, &tree, ""), WordedRuns { runs: &runs, words: &words }, &mut kept);
        runs.iter().filter(|run| kept[**run]).map(|run| text(run).to_owned()).collect()
    }

    const LIST: &str = "<ul><li><a href=#a>Sails</a><li><a href=#b>Stones</a><li>1. <a href=#c>Millers and Co</a></ul>";

    #[test]
    fn lists_of_contents_go_with_what_names_them() {
        for html in [
            format!("<p>Before<h2>Contents</h2>{LIST}<h2>Sails</h2><p>Text"),
            format!("<p>Before<div><p>On this page</p>{LIST}</div><h2>Sails</h2><p>Text"),
            format!("<p>Before<div><div><h3>Contents</h3></div>{LIST}</div><h2>Sails</h2><p>Text"),
        ] {
            assert_eq!(once(&html), ["Before", "Sails", "Text"], "{html}");
        }
        assert_eq!(once(&format!("<h1>Mills</h1>{LIST}<p>Text")), ["Mills", "Text"]);
        assert_eq!(once(&format!("<h2>Mills</h2>{LIST}<p>Text")), ["Mills", "Text"]);
        assert_eq!(once(&format!("<p>Of mills</p>{LIST}<p>Text")), ["Of mills", "Text"]);
    }

    #[test]
    fn other_links_stay() {
        for list in [
            LIST.replace('#', "p.html#"),
            LIST.replace('#', "#/"),
            LIST.replace("</a>", "</a> with a word on each of them"),
            LIST.replacen("href=#a", "href=a", 1),
            LIST.replace("<ul>", "<table>").replace("<li>", "<tr><td>"),
        ] {
            assert_eq!(once(&format!("{list}<p>Text")).len(), 4, "{list}");
        }
        assert_eq!(once(LIST).len(), 3, "nothing would be left");
    }

    #[test]
    fn repeated_runs_are_kept_once_unless_they_are_meant_to_repeat() {
        let long = "one two three four five six seven eight";
        assert_eq!(once(&format!("<p>{long}<p>short<div><p>{long}</div><p>short")), [long, "short", "short"]);
        let html = format!("<p>{long}<pre>{long}</pre><ul><li>{long}</ul><table><tr><td>{long}<td>a</table>");
        assert_eq!(once(&html).len(), 5);
        let functions = format!(
            "<h3>get(key)</h3><p>{long}<h3>put(key)</h3><p>{long}
             <div><h3>On mills (all)</h3><p>{long}<p>{long}</div>"
        );
        assert_eq!(once(&functions), ["get(key)", long, "put(key)", long, "On mills (all)"]);
        let quoted = format!("<h3>get(key)</h3><p>{long}<h3>put(key)</h3><blockquote><p>{long}</blockquote>");
        assert_eq!(once(&quoted), ["get(key)", long, "put(key)"]);
        for heading in ["Comment(s)", "Comments(3)", "コメント(3)"] {
            let counted = format!("<h3>A {heading}</h3><p>{long}<div><h3>B {heading}</h3><p>{long}</div>");
            assert_eq!(once(&counted).len(), 3, "{heading}");
        }
        let code = format!("<h3>get</h3><pre>get k</pre><p>{long}<h3>put</h3><pre>put k</pre><p>{long}<p>{long}");
        assert_eq!(once(&code), ["get", "get k", long, "put", "put k", long], "each is of another function");
        let overview = format!("<table><tr><td>get<td><div>{long}</div></table><h3>get</h3><div>{long}</div>");
        assert_eq!(once(&overview), ["get", long, "get", long], "what is told below an overview stays");
    }

    #[test]
    fn what_a_summary_of_divisions_says_first_is_told_again() {
        let long = "Opens the broker on a port, which must be free.";
        let overview = format!(
            "<div class=summary-table><div class='col-first even'>open</div><div class='col-last even'>
             <div class=block>{long}</div></div></div>"
        );
        let told = format!("<h3>open</h3><div class=member-signature>open(int a)</div><div class=block>{long}</div>");
        assert_eq!(once(&format!("{overview}{told}")), ["open", long, "open", "open(int a)", long], "Javadoc");
        let other = told.replace("int a", "long a");
        assert_eq!(once(&format!("{told}{other}")), ["open", "open(int a)", long, "open", "open(long a)", long]);
        assert_eq!(once(&format!("{told}<div>{long}</div>")), ["open", "open(int a)", long], "the same one's");
        let bare = format!("<section>{}</section>", told.replace("class=member-signature", ""));
        assert_eq!(once(&format!("{bare}{}", bare.replace("<h3>open", "<h3>close"))).len(), 5);
    }

    #[test]
    fn refrains_stay() {
        let long = "We are rolling down the river on a raft tonight.";
        let song = format!("<div><p>One<p>{long}<p>Two<p>{long}</div>");
        assert_eq!(once(&song), ["One", long, "Two", long]);
        let below = format!("<div><h2>One</h2><p>{long}<h2>Two</h2><p>{long}</div>");
        assert_eq!(once(&below), ["One", long, "Two", long]);
        assert_eq!(once(&below.replace("Two", "One")), ["One", long, "One"], "a copy of the section");
        let lines: Vec<String> = (1..9).map(|line| format!("<p>{line}. {long}")).collect();
        let copied = format!("<div>{}{}</div>", lines.concat(), lines.concat());
        assert_eq!(once(&copied).len(), 8 + REFRAIN_RUNS_MAX as usize, "too much to be a refrain");
        for other in [
            format!("<div><p>One<p>{long}<p>{long}<p>Two</div>"),
            format!("<div><p>One<p>{long}<p>Two</div><div><p>{long}</div>"),
            format!("<div><p>One<p>{long}<p>Two<p class=again>{long}</div>"),
            song.replace("tonight", "<a href=/tonight>tonight</a>"),
        ] {
            assert_eq!(once(&other), ["One", long, "Two"], "{other}");
        }
    }
}
