//! The grid of a table: which cell stands in each place.

use super::{Block, Cell, Table};

/// Places of a grid; a table with more is written as its rows stand.
const PLACES_MAX: usize = 1 << 18;

/// Columns of a grid.
const COLUMNS_MAX: usize = 1000;

/// Rows of places: a cell that spans stands in each place that it covers, `None` where there is none. All rows are of the same length.
pub(super) fn grid(table: &Table) -> Vec<Vec<Option<&Cell>>> {
    let spans = width(table).saturating_mul(table.rows.len()) <= PLACES_MAX;
    let mut grid: Vec<Vec<Option<&Cell>>> = Vec::with_capacity(table.rows.len());
    // For each column, the cell from above and in how many more rows it stands.
    let mut above: Vec<Option<(&Cell, u16)>> = Vec::new();
    for row in &table.rows {
        let mut places = Vec::new();
        for cell in &row.cells {
            take_from_above(&mut above, &mut places);
            let columns = if spans { usize::from(cell.columns.max(1)) } else { 1 };
            for _ in 0..columns.min(COLUMNS_MAX) {
                let place = places.len();
                places.push(Some(cell));
                if above.len() <= place {
                    above.resize(place + 1, None);
                }
                above[place] = (spans && cell.rows > 1).then_some((cell, cell.rows - 1));
            }
        }
        take_rest(&mut above, &mut places);
        grid.push(places);
    }
    let columns = grid.iter().map(Vec::len).max().unwrap_or(0);
    for row in &mut grid {
        row.resize(columns, None);
    }
    grid
}

fn width(table: &Table) -> usize {
    let width = |row: &super::Row| row.cells.iter().map(|cell| usize::from(cell.columns.max(1))).sum::<usize>();
    table.rows.iter().map(width).max().unwrap_or(0).min(COLUMNS_MAX)
}

/// Fills the next places with cells that reach down into this row.
fn take_from_above<'a>(above: &mut [Option<(&'a Cell, u16)>], places: &mut Vec<Option<&'a Cell>>) {
    while let Some(slot) = above.get_mut(places.len())
        && let Some((cell, rows)) = *slot
    {
        *slot = (rows > 1).then_some((cell, rows - 1));
        places.push(Some(cell));
    }
}

/// The same behind the row's last cell, over places that nothing covers.
fn take_rest<'a>(above: &mut [Option<(&'a Cell, u16)>], places: &mut Vec<Option<&'a Cell>>) {
    while above.get(places.len()..).is_some_and(|rest| rest.iter().any(Option::is_some)) {
        take_from_above(above, places);
        if above.get(places.len()..).is_some_and(|rest| rest.iter().any(Option::is_some)) {
            places.push(None);
        }
    }
}

/// Whether a cell holds what cannot stand in a line: then Markdown writes the table's cells one after another.
pub(super) fn holds_code(table: &Table) -> bool {
    let mut cells = table.rows.iter().flat_map(|row| &row.cells);
    cells.any(|cell| blocks_hold_code(&cell.blocks))
}

fn blocks_hold_code(blocks: &[Block]) -> bool {
    blocks.iter().any(|block| match block {
        Block::Code { .. } => true,
        Block::List(list) => list.entries.iter().any(|entry| blocks_hold_code(&entry.blocks)),
        Block::Quote { blocks } | Block::Figure { blocks, .. } | Block::Footnote { blocks, .. } => {
            blocks_hold_code(blocks)
        }
        Block::Definitions { entries } => {
            entries.iter().any(|entry| entry.definitions.iter().any(|blocks| blocks_hold_code(blocks)))
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::super::Row;
    use super::*;

    fn table(rows: &[&[(&str, u16, u16)]]) -> Table {
        let cell = |(text, columns, rows): &(&str, u16, u16)| Cell {
            columns: *columns,
            rows: *rows,
            blocks: vec![Block::Code { language: None, text: (*text).to_owned() }],
            ..Cell::default()
        };
        let rows = rows.iter().map(|row| Row { cells: row.iter().map(cell).collect() });
        Table { rows: rows.collect(), ..Table::default() }
    }

    fn shown(table: &Table) -> Vec<String> {
        let name = |cell: Option<&Cell>| match cell.map(|cell| &cell.blocks[0]) {
            Some(Block::Code { text, .. }) => text.clone(),
            _ => "-".to_owned(),
        };
        grid(table).iter().map(|row| row.iter().map(|cell| name(*cell)).collect()).collect()
    }

    #[test]
    fn a_cell_that_spans_stands_in_each_place() {
        let rows: &[&[_]] = &[&[("a", 1, 2), ("b", 2, 1)], &[("c", 1, 1), ("d", 1, 3)], &[("e", 1, 1)], &[("f", 2, 1)]];
        assert_eq!(shown(&table(rows)), ["abb", "acd", "e-d", "ffd"]);
        assert_eq!(shown(&table(&[&[("a", 1, 1)], &[("b", 1, 1), ("c", 1, 1)]])), ["a-", "bc"]);
    }

    #[test]
    fn spans_are_bounded() {
        let wide = table(&[&[("a", u16::MAX, u16::MAX)], &[("b", u16::MAX, 1)]]);
        assert_eq!(grid(&wide).iter().map(Vec::len).max(), Some(2 * COLUMNS_MAX));
    }
}
