//! What is not parted: terms go with what they lead to.

use super::headings::Role;
use super::piece::Piece;
use crate::cst::NodeId;

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
    fn leads_on(&self, words_max: usize) -> bool {
        self.role == Role::Term && self.words <= words_max
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
    /// Whether they lead to `entry`: not to another section.
    pub(super) fn lead_to(&self, entry: &Entry<'a>) -> bool {
        let Some(last) = self.entries.last() else { return true };
        entry.role != Role::Heading && !entry.opens_section && entry.is_in_section_of(last)
    }

    /// Takes `entry` where it leads on, else gives it back.
    pub(super) fn hold(&mut self, entry: Entry<'a>, words_max: usize) -> Option<Entry<'a>> {
        if !entry.leads_on(words_max.saturating_sub(self.words)) {
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
