//! Rows of tables that belong together: a declaration that is laid out as a table, a line a row; a name and what it is.
//!
//! To the model a cell of a word or two, `l: LongInt`, is hardly content, and the cell beside it is.

use super::repeated::WordedRuns;
use super::sections::Sums;
use crate::cst::{ContentStructureTree, NodeId, NodeKind};
use crate::dom::Tag;

/// Least probability of a run that is kept with its row or between two rows.
const PROBABILITY_MIN: f32 = 0.2;

/// Share of the text of a row that is kept, from which the row counts as kept.
const ROW_SHARE: f64 = 0.5;

/// Most bytes of the text of such a row.
const ROW_BYTES_MAX: usize = 400;

/// Most rows that are kept between two others.
const BETWEEN_MAX: usize = 16;

/// Keeps what is likely enough in tables that hold no other: a link that begins a row of which most is kept, and the rows of a declaration
/// between one that opens a bracket and the next that is kept. `kept` and `probability` are by run. O(nodes).
pub(super) fn keep_rows(tree: &ContentStructureTree, units: WordedRuns<'_>, probability: &[f32], kept: &mut [bool]) {
    if !kept.contains(&true) {
        return;
    }
    let sums = Sums::new(tree, units, probability, kept);
    let rows = rows(tree);
    let mut open: Option<usize> = None;
    for (at, row) in rows.iter().enumerate() {
        open = open.filter(|open| rows[*open].table == row.table && at - open <= BETWEEN_MAX);
        let runs = tree.runs_within(row.item);
        let text = sums.of(&runs);
        if text.all == 0.0 || text.kept < text.all * ROW_SHARE || tree.subtree_text(row.item).len() > ROW_BYTES_MAX {
            continue;
        }
        let between = open.map_or(&[][..], |open| &rows[open + 1..at]);
        let likely = between.iter().flat_map(|row| tree.runs_within(row.item)).chain(name(tree, runs));
        for run in likely {
            kept[run] |= probability[run] >= PROBABILITY_MIN;
        }
        open = opens_bracket(tree.subtree_text(row.item)).then_some(at);
    }
}

/// The first run of a row, if it is a link alone.
fn name(tree: &ContentStructureTree, mut runs: std::ops::Range<usize>) -> Option<usize> {
    let first = runs.find(|run| !tree.runs()[*run].text.is_empty())?;
    let run = &tree.runs()[first];
    (tree.linked_bytes(run) == run.text.len()).then_some(first)
}

/// Whether a text ends within a bracket.
fn opens_bracket(text: &str) -> bool {
    text.trim_end().ends_with(['(', ',']) && text.matches('(').count() > text.matches(')').count()
}

/// A row and its table.
struct Row {
    item: NodeId,
    table: NodeId,
}

/// The rows of tables that hold no other, in document order.
fn rows(tree: &ContentStructureTree) -> Vec<Row> {
    let (mut rows, mut table, mut first) = (Vec::new(), None, 0);
    for item in tree.ids().filter(|id| tree.kind(*id) == NodeKind::HtmlItem) {
        if tree.tag(item) == Tag::Table {
            if table.is_some_and(|table| item < tree.subtree_end(table)) {
                rows.truncate(first);
            }
            (table, first) = (Some(item), rows.len());
        }
        let within = table.filter(|table| item < tree.subtree_end(*table));
        if let (Tag::Tr, Some(table)) = (tree.tag(item), within) {
            rows.push(Row { item, table });
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    fn left(html: &str, probability: f32) -> Vec<String> {
        testing::left(html, probability, |_, tree, units, probability, kept| keep_rows(tree, units, probability, kept))
    }

    #[test]
    fn a_declaration_stays_whole() {
        let table = "<table><tr><td>plain turn(<tr><td>wind: Integer<tr><td>): plain</table><p>other</p>";
        assert_eq!(left(table, 0.3), ["plain turn(", "wind: Integer", "): plain"]);
        assert_eq!(left(table, 0.1), ["plain turn(", "): plain"], "the model is sure of it");
        let open = "<table><tr><td>plain turn(<tr><td>wind: Integer</table>";
        assert_eq!(left(open, 0.3), ["plain turn("], "nothing is kept behind it");
        let plain = table.replace('(', "");
        assert_eq!(left(&plain, 0.3), ["plain turn", "): plain"], "no declaration");
        let around = format!("<table><tr><td>{table}<td>menu</table>");
        assert_eq!(left(&around, 0.3), ["plain turn(", "wind: Integer", "): plain"], "rows of the table within");
    }

    #[test]
    fn a_name_stays_with_what_it_is() {
        let row = "<table><tr><td><a href=m>Mill</a><td>grinds corn in plain words</table><p>other</p>";
        assert_eq!(left(row, 0.3), ["Mill", "grinds corn in plain words"]);
        assert_eq!(left(&row.replace("a href", "b title").replace("/a", "/b"), 0.3).len(), 1, "no link");
        let most = row.replace("Mill", "Mills that stand at the river and turn by day and night");
        assert_eq!(left(&most, 0.3), ["grinds corn in plain words"], "less than half is kept");
    }
}
