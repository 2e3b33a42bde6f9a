//! What is not parted: terms and lines that end with a colon go with what they lead to.

use super::headings::Role;
use super::piece::Piece;
use crate::cst::{ContentStructureTree, NodeId};

/// A piece with text, as passages take it.
pub(super) struct Entry<'a> {
    /// Images and names of places that waited for it, itself, and images behind it in its container.
    pub(super) pieces: Vec<Piece>,
    /// Names of places among them.
    pub(super) place_names: usize,
    /// Its words, without those of these names.
    pub(super) words: usize,
    /// The words of these names.
    pub(super) words_before: usize,
    pub(super) role: Role,
    /// First node of its run.
    pub(super) first_node: u32,
    /// The headings above it.
    pub(super) path: Vec<String>,
    /// How many of them open the section that it stands in.
    pub(super) section_len: usize,
    /// The innermost name of these headings, and where it stands.
    pub(super) heading_name: Option<(NodeId, &'a str)>,
    /// The record that it stands in.
    pub(super) record: Option<NodeId>,
    /// Whether an entry of a list or another record begins with it.
    pub(super) enters: bool,
    /// Whether a section begins with it, whose heading holds nothing.
    pub(super) opens_section: bool,
}

impl Entry<'_> {
    /// Whether it says little without what comes next. Longer ones stand by themselves.
    fn leads_on(&self, tree: &ContentStructureTree, words_max: usize) -> bool {
        let text = || self.pieces.iter().rev().map(|piece| piece.text(tree).trim_end()).find(|text| !text.is_empty());
        let ends_with_colon = || text().is_some_and(|text| text.ends_with([':', '：']));
        self.words <= words_max && (self.role == Role::Term || self.role == Role::Body && ends_with_colon())
    }

    fn is_in_section_of(&self, other: &Self) -> bool {
        self.section_len == other.section_len
            && self.path.get(..self.section_len) == other.path.get(..other.section_len)
    }
}

/// Entries that lead to one that has not come yet, and have no more than some words.
#[derive(Default)]
pub(super) struct Leads<'a> {
    entries: Vec<Entry<'a>>,
    words: usize,
}

impl<'a> Leads<'a> {
    /// Whether they lead to `entry`: not to another section, and from a line within a record not out of that.
    pub(super) fn lead_to(&self, tree: &ContentStructureTree, entry: &Entry<'a>) -> bool {
        let Some(last) = self.entries.last() else { return true };
        let is_within = |record| entry.record.is_some_and(|item| tree.ancestors(item).any(|item| item == record));
        entry.role != Role::Heading
            && !entry.opens_section
            && entry.is_in_section_of(last)
            && (last.role == Role::Term || last.record.is_none_or(is_within))
    }

    /// Takes `entry` where it leads on, else gives it back. O(text of the entry).
    pub(super) fn hold(
        &mut self,
        tree: &ContentStructureTree,
        entry: Entry<'a>,
        words_max: usize,
    ) -> Option<Entry<'a>> {
        if !entry.leads_on(tree, words_max.saturating_sub(self.words)) {
            return Some(entry);
        }
        self.words += entry.words;
        self.entries.push(entry);
        None
    }

    /// The last of them.
    pub(super) fn last_mut(&mut self) -> Option<&mut Entry<'a>> {
        self.entries.last_mut()
    }

    /// All of them, in order.
    pub(super) fn take(&mut self) -> Vec<Entry<'a>> {
        self.words = 0;
        std::mem::take(&mut self.entries)
    }
}
