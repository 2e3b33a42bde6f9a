//! What is not parted: terms and lines that end with a colon go with what they lead to.

use std::ops::Range;

use super::headings::Role;
use super::piece::Piece;
use super::sentence::last_sentence;
use crate::cst::{ContentStructureTree, NodeId};
use crate::dom::Tag;

/// Words of the last sentences of a paragraph that go to what it leads to.
const TAIL_WORDS: Range<usize> = 8..101;

/// Longest name of a table that stands in a line above it, in words.
const NAME_WORDS_MAX: usize = 12;

/// Longest line of speech, in words: longer ones say something by themselves.
const SPEECH_WORDS_MAX: usize = 40;

/// Signs that speech begins with.
const SPEECH_SIGNS: [char; 12] = ['"', '“', '”', '„', '«', '»', '‘', '「', '『', '—', '–', '―'];

/// A piece with text, as passages take it.
#[allow(clippy::struct_excessive_bools, reason = "they are independent of each other")]
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
    /// Whether a table begins behind it.
    pub(super) heads_table: bool,
    /// Whether it is the end of a paragraph whose beginning was the entry before.
    pub(super) is_tail: bool,
}

impl Entry<'_> {
    /// Whether it says little without what comes next, or is a paragraph whose last sentence does.
    fn leads_on(&self, tree: &ContentStructureTree, words_max: usize) -> bool {
        let text = || self.pieces.iter().rev().map(|piece| piece.text(tree).trim_end()).find(|text| !text.is_empty());
        let ends_with_colon = || text().is_some_and(|text| text.ends_with([':', '：']));
        let is_short = self.words <= words_max;
        let is_name = || self.heads_table && self.words <= NAME_WORDS_MAX;
        is_short && (self.role == Role::Term || is_name())
            || self.role == Role::Body && (is_short || self.is_paragraph(tree)) && ends_with_colon()
    }

    /// Whether it is a line of what somebody says, which a passage that can do without does not begin with.
    pub(super) fn is_speech(&self, tree: &ContentStructureTree) -> bool {
        let begins_so = |piece: &Piece| piece.text(tree).starts_with(SPEECH_SIGNS);
        self.words <= SPEECH_WORDS_MAX
            && self.role == Role::Body
            && self.pieces.iter().find(|piece| !piece.text.is_empty()).is_some_and(begins_so)
    }

    /// Whether it ends a run of prose.
    fn is_paragraph(&self, tree: &ContentStructureTree) -> bool {
        let piece = self.pieces.iter().rev().find(|piece| !piece.text.is_empty());
        let run = piece.map(|piece| (piece, &tree.runs()[piece.run]));
        run.is_some_and(|(piece, run)| piece.text.end == tree.run_text(run).len() && tree.tag(run.item) != Tag::Pre)
    }

    /// It without the last of its sentences, and these, if it has more.
    pub(super) fn parted(mut self, tree: &ContentStructureTree) -> (Self, Option<Self>) {
        let Some(at) = self.pieces.iter().rposition(|piece| !piece.text.is_empty()) else { return (self, None) };
        let piece = &self.pieces[at];
        let text = &tree.run_text(&tree.runs()[piece.run])[piece.text.clone()];
        let Some(start) = last_sentence(text, TAIL_WORDS) else { return (self, None) };
        let start = piece.text.start + start;
        let mut rest = self.pieces.split_off(at);
        let (before, tail) = rest.swap_remove(0).parted(tree, start);
        let words = tail.words;
        rest.insert(0, tail);
        self.pieces.push(before);
        self.words -= words;
        let tail = Self {
            pieces: rest,
            place_names: 0,
            words,
            words_before: 0,
            path: self.path.clone(),
            enters: false,
            opens_section: false,
            is_tail: true,
            ..self
        };
        (self, Some(tail))
    }

    fn is_in_section_of(&self, other: &Self) -> bool {
        self.section_len == other.section_len
            && self.path.get(..self.section_len) == other.path.get(..other.section_len)
    }
}

/// Entries that lead to one that has not come yet: short ones of no more than some words together, and a paragraph behind them.
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
        if self.words > words_max || !entry.leads_on(tree, words_max.saturating_sub(self.words)) {
            return Some(entry);
        }
        self.words += entry.words;
        self.entries.push(entry);
        None
    }

    /// Whether `entry` is taken in no more, but leads on itself.
    pub(super) fn end_before(&self, tree: &ContentStructureTree, entry: &Entry<'a>, words_max: usize) -> bool {
        self.words > words_max && entry.leads_on(tree, words_max)
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
