//! What heads the columns of a table, for the blocks that begin further down in it.

use std::collections::HashMap;

use lopper_analysis::CELL_BORDER;

use crate::cst::{ContentStructureTree, NodeId};
use crate::dom::Tag;

/// Rows that head a table, at most.
const ROWS_MAX: usize = 3;

/// Longest head, in bytes; further columns are left out.
const BYTES_MAX: usize = 400;

/// The heads of the tables that were asked for.
#[derive(Default)]
pub(super) struct TableHeads {
    by_table: HashMap<NodeId, Head>,
}

/// The rows that a table begins with whose cells are all `th`, or that are in its `thead`.
#[derive(Default)]
struct Head {
    /// A row a line, its cells apart by [`CELL_BORDER`].
    text: String,
    /// Its last row.
    last_row: Option<NodeId>,
}

impl TableHeads {
    /// The head of the table that `item` stands in, where it stands below that; else nothing. Each table is gone through once.
    pub(super) fn above(&mut self, tree: &ContentStructureTree, item: NodeId) -> &str {
        let mut around = tree.ancestors(item);
        let Some(row) = around.find(|item| tree.tag(*item) == Tag::Tr) else { return "" };
        let Some(table) = around.find(|item| tree.tag(*item) == Tag::Table) else { return "" };
        let head = self.by_table.entry(table).or_insert_with(|| Head::of(tree, table));
        if head.last_row.is_some_and(|last| last < row) { &head.text } else { "" }
    }
}

impl Head {
    fn of(tree: &ContentStructureTree, table: NodeId) -> Self {
        let mut head = Self::default();
        for row in first_rows(tree, table).take_while(|row| is_of_heads(tree, *row)) {
            let line = row_line(tree, row);
            if !line.is_empty() && head.text.len() + line.len() <= BYTES_MAX {
                head.text.extend(if head.text.is_empty() { [""] } else { ["\n"] });
                head.text.push_str(&line);
            }
            head.last_row = Some(row);
        }
        head
    }
}

/// The first rows of a table, itself or in its groups of rows.
fn first_rows(tree: &ContentStructureTree, table: NodeId) -> impl Iterator<Item = NodeId> {
    let groups = tree.child_items(table);
    let rows = groups.flat_map(|group| {
        let is_row = tree.tag(group) == Tag::Tr;
        let within = if is_row { None } else { Some(tree.child_items(group)) };
        is_row.then_some(group).into_iter().chain(within.into_iter().flatten())
    });
    rows.filter(|row| tree.tag(*row) == Tag::Tr).take(ROWS_MAX)
}

fn is_of_heads(tree: &ContentStructureTree, row: NodeId) -> bool {
    let is_in_thead = tree.parent(row).is_some_and(|group| tree.tag(group) == Tag::Thead);
    let mut cells = tree.child_items(row).peekable();
    is_in_thead || cells.peek().is_some() && cells.all(|cell| tree.tag(cell) == Tag::Th)
}

/// The texts of a row's cells on one line, as far as they fit.
fn row_line(tree: &ContentStructureTree, row: NodeId) -> String {
    let mut line = String::new();
    for cell in tree.child_items(row) {
        let text = tree.subtree_text(cell);
        let words = text.split_whitespace();
        let bytes: usize = words.clone().map(|word| word.len() + 1).take(BYTES_MAX).sum();
        if line.len() + CELL_BORDER.len() + bytes > BYTES_MAX {
            break;
        }
        for (place, word) in words.enumerate() {
            line.push_str(if place > 0 {
                " "
            } else if line.is_empty() {
                ""
            } else {
                CELL_BORDER
            });
            line.push_str(word);
        }
    }
    line
}
