//! The lines of a block's text: a run a line, the cells of a table's row on one, and words whole that the lines of a printed page cut.

use lopper_analysis::CELL_BORDER;

use super::Piece;
use crate::cst::{ContentStructureTree, NodeId, RunId};
use crate::dom::Tag;

/// The texts of pieces. Cells of one row are on one line where each is no more than a run of one line. The parameters of a function, which
/// Doxygen lays out so, have no borders: `void f ( int a,` and `int b`.
pub(super) fn text_of(tree: &ContentStructureTree, pieces: &[Piece], cut_words_left: &mut usize) -> String {
    let mut text = String::new();
    let mut before: Option<Cell<'_>> = None;
    for piece in pieces.iter().filter(|piece| !piece.text(tree).is_empty()) {
        let mut cell = Cell::of(tree, piece);
        if let Some(before) = before.filter(|_| !text.is_empty()) {
            text.push_str(cell.follow(before));
        }
        push_whole(&mut text, tree, piece.run, &tree.without_readings(cell.words), cut_words_left);
        before = Some(cell);
    }
    text
}

/// Letters of a word that two lines have, and of each of its parts.
const CUT_LETTERS_MIN: usize = 5;
const PART_LETTERS_MIN: usize = 2;

/// Cut words that are looked for on a page.
pub(super) const CUT_WORDS_MAX: usize = 256;

/// Adds the text of a run, with the words whole of which the lines of a printed page had a part each: `vil-` and `lage`, where the page has
/// `village` elsewhere. `well-` and `known` stay.
fn push_whole(text: &mut String, tree: &ContentStructureTree, run: RunId, words: &str, left: &mut usize) {
    let mut at = 0;
    for (end, _) in words.match_indices("-\n") {
        if *left == 0 {
            break;
        }
        let before = &words[at..end];
        let behind = &words[end + 2..];
        let first =
            &before[before.rfind(|c: char| !c.is_alphabetic()).map_or(0, |last| before.ceil_char_boundary(last + 1))..];
        let last = &behind[..behind.find(|c: char| !c.is_lowercase()).unwrap_or(behind.len())];
        let [of_first, of_last] = [first, last].map(|part| part.chars().count());
        let is_cut = of_first.min(of_last) >= PART_LETTERS_MIN
            && of_first + of_last >= CUT_LETTERS_MIN
            && !tree.ancestors(tree.runs()[run].item).any(|item| tree.tag(item) == Tag::Pre)
            && contains(tree, &format!("{first}{last}"), left);
        if is_cut {
            text.push_str(before);
            at = end + 2;
        }
    }
    text.push_str(&words[at..]);
}

fn contains(tree: &ContentStructureTree, word: &str, left: &mut usize) -> bool {
    *left -= 1;
    tree.visible_text().contains(word)
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
