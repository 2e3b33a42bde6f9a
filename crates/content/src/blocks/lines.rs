//! The lines of a block's text: a run a line, and the cells of a table's row on one.

use lopper_analysis::CELL_BORDER;

use super::Piece;
use crate::cst::{ContentStructureTree, NodeId, RunId};
use crate::dom::Tag;

/// The texts of pieces. Cells of one row are on one line where each is no more than a run of one line; a row of signs and their words, as the
/// parameters of a function, has no borders: `void f ( int a, int b )`.
pub(super) fn text_of(tree: &ContentStructureTree, pieces: &[Piece]) -> String {
    let mut text = String::new();
    let (mut row, mut before) = (None, "");
    // Whether a parenthesis that is a cell of its own is open.
    let mut is_open = false;
    for piece in pieces {
        let words = piece.text(tree);
        if words.is_empty() {
            continue;
        }
        let row_before = row;
        row = if words.contains('\n') { None } else { row_of(tree, piece.run) };
        is_open &= row.is_some();
        if !text.is_empty() {
            let is_same_row = row.is_some() && row == row_before;
            let is_line = !is_open && !is_sign(before) && !is_sign(words);
            text.push_str(match (is_same_row, is_line) {
                (false, _) => "\n",
                (true, true) => CELL_BORDER,
                (true, false) => " ",
            });
        }
        text.push_str(words);
        is_open = words == "(" || (is_open && !words.starts_with(')'));
        before = words;
    }
    text
}

/// The row of the cell that holds this run and no other.
fn row_of(tree: &ContentStructureTree, run: RunId) -> Option<NodeId> {
    let item = tree.runs()[run].item;
    let mut around = std::iter::once(item).chain(tree.ancestors(item));
    let cell = around.find(|item| matches!(tree.tag(*item), Tag::Td | Tag::Th))?;
    let row = tree.parent(cell).filter(|row| tree.tag(*row) == Tag::Tr)?;
    (tree.runs_within(cell).len() == 1).then_some(row)
}

fn is_sign(text: &str) -> bool {
    !text.contains(char::is_alphanumeric)
}
