//! Headings that stand above nothing: of what they head only links were there, and these went.

use std::ops::Range;

use super::{ContentStructureTree, NodeId, Run, RunId};
use crate::dom::Tag;

/// Share of the text of a section that is links, from which on it only leads on.
const LINKS_SHARE: f64 = 0.8;

/// Links of such a section, at least: one belongs to what is said above it.
const LINKS_MIN: usize = 2;

/// Words of what names it: `Table of contents`. Longer headings say something themselves, and those that are links lead somewhere.
const HEADING_WORDS_MAX: usize = 5;

/// Words of a line that names the list behind it: `Subsections`, `On this page`.
const LABEL_WORDS_MAX: usize = 3;

/// Elements from a run outwards among which its heading is looked for.
pub(crate) const HEADING_DEPTH_MAX: usize = 3;

impl ContentStructureTree {
    /// The runs, ascending, that are kept and name nothing but lists of links of which nothing is kept: short headings but for the page's first,
    /// with the lower ones below them, and lines of a few words right before such a list. O(runs), times six where headings nest.
    pub(crate) fn heads_of_nothing(&self, is_kept: impl Fn(RunId) -> bool) -> Vec<RunId> {
        let runs = self.runs();
        let first = (0..runs.len()).find(|run| self.heading_of(&runs[*run]).is_some());
        let mut heads: Vec<RunId> = Vec::new();
        let mut is_left: Vec<bool> = (0..runs.len()).map(&is_kept).collect();
        for run in (0..runs.len()).rev().filter(|run| is_kept(*run) && !runs[*run].text.is_empty()) {
            let Some(next) = runs.get(run + 1) else { continue };
            let (own, of_next) = (self.heading_of(&runs[run]), self.heading_of(next));
            // As a rule what comes next is kept. Of a heading's runs the last one is looked at.
            if own.is_some() && own == of_next || of_next.is_none() && is_left[run + 1] {
                continue;
            }
            let section = match own {
                Some(_) if first == Some(run) || !self.is_label(run, HEADING_WORDS_MAX) => continue,
                Some(heading) => self.section(heading),
                None => match self.list_behind(run) {
                    Some(list) => list,
                    None => continue,
                },
            };
            // What comes later was looked at before.
            if !is_left[section.clone()].contains(&true) && self.leads_on(section) {
                is_left[run] = false;
                heads.push(run);
            }
        }
        heads.reverse();
        heads
    }

    /// Whether a run is a heading or stands right within one.
    pub(crate) fn is_in_heading(&self, run: &Run) -> bool {
        self.ancestors(run.item).take(HEADING_DEPTH_MAX).any(|item| self.tag(item).heading_level().is_some())
    }

    fn heading_of(&self, run: &Run) -> Option<NodeId> {
        self.tag(run.item).heading_level().map(|_| run.item)
    }

    /// The runs that a heading stands above: up to the next one of its level or a higher one, in the nearest element that holds more than the
    /// heading.
    fn section(&self, heading: NodeId) -> Range<RunId> {
        let own = self.runs_within(heading);
        let around = self.ancestors(heading).map(|id| self.runs_within(id)).find(|runs| *runs != own);
        let end = around.map_or(own.end, |around| around.end);
        let level = self.tag(heading).heading_level();
        let is_next = |run: &RunId| {
            let other = self.heading_of(&self.runs()[*run]);
            other.is_some_and(|other| other != heading && self.tag(other).heading_level() <= level)
        };
        let start = own.end.min(end);
        start..(start..end).find(is_next).unwrap_or(end)
    }

    /// The list that a few words name which stand right before it.
    fn list_behind(&self, run: RunId) -> Option<Range<RunId>> {
        if !self.is_label(run, LABEL_WORDS_MAX) {
            return None;
        }
        let behind = self.runs().get(run + 1)?.item;
        let before = self.runs()[run].item;
        let is_list = |item: &NodeId| matches!(self.tag(*item), Tag::Ul | Tag::Ol) && *item > before;
        let list = self.ancestors(behind).filter(is_list).last()?;
        let runs = self.runs_within(list);
        (runs.start == run + 1 && !self.is_of_its_own(before, list)).then_some(runs)
    }

    /// Whether an item is an entry, or stands in a cell or code, that ends before the list: what is said there names nothing behind it.
    fn is_of_its_own(&self, item: NodeId, list: NodeId) -> bool {
        let is_one = |id: NodeId| match self.tag(id) {
            Tag::Td | Tag::Th | Tag::Dd | Tag::Pre => true,
            Tag::Li => id == item,
            _ => false,
        };
        self.ancestors(item).any(|id| is_one(id) && self.subtree_end(id) <= list)
    }

    /// Whether a run is a few words without a link, and no sentence.
    fn is_label(&self, run: RunId, words_max: usize) -> bool {
        let run = &self.runs()[run];
        let text = self.run_text(run);
        let is_link =
            |node: NodeId| self.link(node).is_some_and(|link| !self.attribute_text(link.href).starts_with('#'));
        text.split_whitespace().nth(words_max).is_none()
            && !text.ends_with(['.', '!', '?', '。'])
            && !run.nodes.clone().map(NodeId).any(is_link)
    }

    /// Whether some runs have several links, and without headings nearly all of their text is that of links.
    fn leads_on(&self, runs: Range<RunId>) -> bool {
        let (mut all, mut linked, mut links) = (0, 0, 0);
        for run in self.runs()[runs].iter().filter(|run| self.heading_of(run).is_none()) {
            all += run.text.len();
            linked += self.linked_bytes(run);
            links += run.nodes.clone().map(NodeId).filter(|node| self.link(*node).is_some()).count();
        }
        links >= LINKS_MIN && linked as f64 >= all as f64 * LINKS_SHARE
    }
}

#[cfg(test)]
mod tests {
    use crate::cst::{self, ContentStructureTree, Profile};
    use crate::dom;
    use crate::limits::Limits;

    /// The texts of heads where nothing is kept that has this in it.
    fn heads(html: &str, dropped: &str) -> Vec<String> {
        let limits = Limits::default();
        let tree = cst::build(&dom::parse(html, &limits), Profile::Modern, &limits);
        let text = |tree: &ContentStructureTree, run: usize| tree.run_text(&tree.runs()[run]).to_owned();
        let found = tree.heads_of_nothing(|run| !text(&tree, run).contains(dropped));
        found.into_iter().map(|run| text(&tree, run)).collect()
    }

    #[test]
    fn headings_go_with_the_links_below_them() {
        let list = "<ul><li><a href=a>Go to wind</a><li><a href=b>Go to water</a></ul>";
        let page = |section: &str| format!("<h1>Mills</h1><p>They turn.<h2>Use</h2><p>Corn.{section}");
        assert_eq!(heads(&page(&format!("<h2>See also</h2>{list}")), "Go"), ["See also"]);
        assert_eq!(
            heads(&page(&format!("<h2>More</h2><h3>Wind</h3>{list}<h3>Water</h3>{list}")), "Go"),
            ["More", "Wind", "Water"]
        );
        assert_eq!(heads(&page(&format!("<div><div><h2>More</h2></div>{list}</div><p>Sails.")), "Go"), ["More"]);
        assert_eq!(heads(&page(&format!("</p>Subsections{list}<p>Sails.")), "Go"), ["Subsections"]);
        for kept in [
            page(&format!("<h2>See also</h2>{list}<p>Sails.")),
            page(&format!("<h2>More</h2><h3>Wind</h3>{list}<h3>Water</h3><p>Flows.")).replace("<h3>Wind</h3>", ""),
            page("<h2>Empty</h2><h2>Going</h2><p>Go to the mill, and take corn with you."),
            page(&format!("<h2>All that the millers of the valley make</h2>{list}")),
            page(&format!("<h2><a href=m>More</a></h2>{list}")),
            page("<h2>Sails</h2><p><a href=s>Go on</a>"),
            page(&format!("<p>It is shown in all of these:{list}<p>Sails.")),
            page(&format!("<p>More<p>Sails.{list}")),
            page(&format!("<table><tr><td>Sails<td>4</table>{list}<p>Sails.")),
            page(&format!("<ol><li>Wind<li>Water</ol><nav>{list}</nav><p>Sails.")),
            page(&format!("<pre>make mill</pre>{list}<p>Sails.")),
            format!("<h1>Mills</h1>{list}"),
        ] {
            assert!(heads(&kept, "Go").is_empty(), "{kept}: {:?}", heads(&kept, "Go"));
        }
    }
}
