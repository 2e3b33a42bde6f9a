//! Entries of references: several in a page, or one, each with its name in a line of its own that heads none of its sections.

use std::ops::Range;

use crate::cst::{ContentStructureTree, NodeId, Run, RunId};
use crate::dom::Tag;

/// Longest name of an entry, in bytes.
const NAME_BYTES_MAX: usize = 120;

/// Runs at the beginning of a part that are looked at.
const RUNS_MAX: usize = 16;

/// What stands between the name and the purpose of an entry.
const DASH: char = '—';

/// An entry that begins with a heading.
pub(super) struct ReferenceEntry<'t> {
    /// What it describes.
    pub(super) name: &'t str,
    /// The name that links can lead to, and where it stands.
    pub(super) place: (NodeId, &'t str),
    /// One past its last node.
    pub(super) end: u32,
}

impl<'t> ReferenceEntry<'t> {
    /// The entry that begins with this heading, as DocBook's `refentry` does: a named `div`, whose first part is the heading and a line
    /// (`printf — prints text`), and whose next part has a heading of the same level and no such line. O(depth).
    pub(super) fn at(
        tree: &'t ContentStructureTree,
        heading: NodeId,
        level_of: impl Fn(&Run) -> Option<u8>,
    ) -> Option<Self> {
        let own = tree.runs_within(heading);
        let line = next_text(tree, own.end..tree.runs().len())?;
        let name = name_of(tree.run_text(&tree.runs()[line]))?;
        let goes_on = |item: NodeId| next_text(tree, line + 1..tree.runs_within(item).end).is_some();
        let first_part = tree.ancestors(heading).find(|item| tree.runs_within(*item).contains(&line))?;
        let entry = tree.ancestors(first_part).find(|item| goes_on(*item)).filter(|entry| *entry != first_part)?;
        let within = tree.runs_within(entry);
        let begins = next_text(tree, within.clone()).is_some_and(|first| own.contains(&first));
        let next = next_text(tree, line + 1..within.end)?;
        let levels = [own.start, next].map(|run| level_of(&tree.runs()[run]));
        let behind = next_text(tree, next + 1..within.end)?;
        let is_list = name_of(tree.run_text(&tree.runs()[behind])).is_some();
        if tree.tag(entry) != Tag::Div || !begins || levels[0].is_none() || levels[0] != levels[1] || is_list {
            return None;
        }
        let place = tree.element_id(entry).map(|id| (entry, id));
        let place = place.or_else(|| tree.places(entry.0..tree.runs()[line].nodes.start).next())?;
        Some(Self { name, place, end: tree.subtree_end(entry).0 })
    }
}

/// The first of some runs that has text.
fn next_text(tree: &ContentStructureTree, runs: Range<RunId>) -> Option<RunId> {
    runs.take(RUNS_MAX).find(|run| tree.runs().get(*run).is_some_and(|run| !run.text.is_empty()))
}

/// What stands before the dash of a line that says what something is for.
fn name_of(line: &str) -> Option<&str> {
    let (name, purpose) = line.split_once(DASH)?;
    let is_apart = name.ends_with(char::is_whitespace) && purpose.starts_with(char::is_whitespace);
    let name = name.trim();
    (is_apart && !name.is_empty() && name.len() <= NAME_BYTES_MAX && !purpose.trim().is_empty()).then_some(name)
}
