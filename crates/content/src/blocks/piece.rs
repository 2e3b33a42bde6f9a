//! Runs as passages take them: whole, or in parts.

use std::ops::Range;

use super::cut::BlockParams;
use super::headings::bare_text;
use super::pieces::{pieces, word_count};
use crate::cst::{ContentStructureTree, NodeId, RunId};

/// A run, or a part of one that is too long for a passage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// The run.
    pub run: RunId,
    /// Bytes of the run's text.
    pub text: Range<usize>,
    /// The content nodes that it has text or images of.
    pub nodes: Range<u32>,
    /// Place among the run's pieces.
    pub place: usize,
    /// Words of its text.
    pub(super) words: usize,
}

impl Piece {
    /// The pieces of a run.
    pub(super) fn all(tree: &ContentStructureTree, id: RunId, params: BlockParams) -> Vec<Self> {
        let run = &tree.runs()[id];
        let text = tree.run_text(run);
        let words = word_count(text);
        let ranges = pieces(text, words, params);
        if ranges.len() == 1 {
            return vec![Self { run: id, text: 0..text.len(), nodes: run.nodes.clone(), place: 0, words }];
        }
        let mut first = run.nodes.start;
        let piece = |(place, range): (usize, Range<usize>)| {
            let nodes;
            (nodes, first) = nodes_until(tree, first..run.nodes.end, run.text.start + range.end as u32);
            let words = word_count(&text[range.clone()]);
            Self { run: id, text: range, nodes, place, words }
        };
        ranges.into_iter().enumerate().map(piece).collect()
    }

    /// It up to the byte `at` of its run's text, and the rest. It is the last of its run's pieces.
    pub(super) fn parted(self, tree: &ContentStructureTree, at: usize) -> (Self, Self) {
        let run = &tree.runs()[self.run];
        let text = tree.run_text(run);
        let before = self.text.start..self.text.start + text[self.text.start..at].trim_end().len();
        let (nodes, first) = nodes_until(tree, self.nodes.clone(), run.text.start + before.end as u32);
        let words = word_count(&text[before.clone()]);
        let rest = Self {
            text: at..self.text.end,
            nodes: first..self.nodes.end,
            place: self.place + 1,
            words: word_count(&text[at..self.text.end]),
            ..self
        };
        (Self { run: rest.run, text: before, nodes, place: rest.place - 1, words }, rest)
    }

    /// Takes in the piece after it, with what stands between them.
    pub(super) fn join(&mut self, next: &Self) {
        debug_assert!(self.run == next.run && self.place + 1 == next.place);
        self.text.end = next.text.end;
        self.nodes.end = next.nodes.end;
        self.words += next.words;
    }

    /// Its text, without signs that link to it, buttons of headings and links to edit it at its ends.
    pub(super) fn text<'t>(&self, tree: &'t ContentStructureTree) -> &'t str {
        bare_text(tree, &tree.runs()[self.run], self.text.clone(), self.nodes.clone())
    }

    /// The content nodes that it has text or images of.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        self.nodes.clone().map(NodeId)
    }
}

/// Those of `nodes`, from the first on, that have text before the byte `end` of the tree's text, and the first one behind: the last of them
/// where its text goes on.
fn nodes_until(tree: &ContentStructureTree, nodes: Range<u32>, end: u32) -> (Range<u32>, u32) {
    let mut until = nodes.start..nodes.start;
    while until.end < nodes.end {
        let span = tree.text_span(NodeId(until.end));
        if !span.is_empty() && span.start >= end {
            break;
        }
        until.end += 1;
        if span.end > end {
            break;
        }
    }
    let goes_on = !until.is_empty() && tree.text_span(NodeId(until.end - 1)).end > end;
    let next = until.end - u32::from(goes_on);
    (until, next)
}
