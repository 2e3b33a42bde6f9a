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
            let end = run.text.start + range.end as u32;
            let mut nodes = first..first;
            while nodes.end < run.nodes.end {
                let span = tree.text_span(NodeId(nodes.end));
                if !span.is_empty() && span.start >= end {
                    break;
                }
                nodes.end += 1;
                if span.end > end {
                    break;
                }
            }
            // The last node may go on in the next piece.
            let goes_on = nodes.end > first && tree.text_span(NodeId(nodes.end - 1)).end > end;
            first = nodes.end - u32::from(goes_on);
            let words = word_count(&text[range.clone()]);
            Self { run: id, text: range, nodes, place, words }
        };
        ranges.into_iter().enumerate().map(piece).collect()
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
