//! The lines of a block's text: a run a line, and the cells of a table's row on one.

use lopper_analysis::CELL_BORDER;

use super::Piece;
use crate::cst::{ContentStructureTree, NodeId, RunId};
use crate::dom::Tag;

/// The texts of pieces. Cells of one row are on one line where each is no more than a run of one line. The parameters of a function, which
/// Doxygen lays out so, have no borders: `void f ( int a,` and `int b`.
pub(super) fn text_of(tree: &ContentStructureTree, pieces: &[Piece]) -> String {
    let mut text = String::new();
    let mut before: Option<Cell<'_>> = None;
    for piece in pieces.iter().filter(|piece| !piece.text(tree).is_empty()) {
        let mut cell = Cell::of(tree, piece);
        if let Some(before) = before.filter(|_| !text.is_empty()) {
            text.push_str(cell.follow(before));
        }
        text.push_str(&tree.without_readings(cell.words));
        before = Some(cell);
    }
    text
}

/// A piece as a cell.
#[derive(Clone, Copy)]
struct Cell<'t> {
    words: &'t str,
    run: RunId,
    /// Its row, if it is all of a cell.
    row: Option<NodeId>,
    /// Whether it stands behind the parenthesis that begins parameters.
    is_parameter: bool,
}

impl<'t> Cell<'t> {
    fn of(tree: &'t ContentStructureTree, piece: &Piece) -> Self {
        let words = piece.text(tree);
        let row = if words.contains('\n') { None } else { row_of(tree, piece.run) };
        Self { words, run: piece.run, row, is_parameter: false }
    }

    /// What parts it from the cell before.
    fn follow(&mut self, before: Cell<'_>) -> &'static str {
        let is_list = before.is_parameter && !self.words.starts_with(')');
        if self.row.is_none() || self.row != before.row || self.run == before.run {
            // Parameters go on behind a comma.
            self.is_parameter = is_list && self.row.is_some() && before.words.ends_with(',');
            return "\n";
        }
        self.is_parameter = is_list || self.words == "(";
        if before.is_parameter || self.is_parameter { " " } else { CELL_BORDER }
    }
}

/// The row of the cell that holds this run and no other.
fn row_of(tree: &ContentStructureTree, run: RunId) -> Option<NodeId> {
    let mut around = tree.ancestors(tree.runs()[run].item);
    let cell = around.find(|item| matches!(tree.tag(*item), Tag::Td | Tag::Th))?;
    let row = tree.parent(cell).filter(|row| tree.tag(*row) == Tag::Tr)?;
    (tree.runs_within(cell).len() == 1).then_some(row)
}
