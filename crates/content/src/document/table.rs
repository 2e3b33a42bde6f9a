//! The grid of a table: which cell stands in each place.

use super::{Block, Cell, Table};

/// Places of a grid, whatever its cells say that they span.
const PLACES_MAX: usize = 1 << 18;

/// Places to a cell: a table with more is written as its cells stand, each once and without the places between them, so
/// that what is written grows with the table and not with what its cells say that they span.
const PLACES_PER_CELL_MAX: usize = 32;

/// Columns that a cell covers.
const COLUMNS_MAX: usize = 1000;

/// Rows of places, `None` where there is no cell.
type Grid<'a> = Vec<Vec<Option<&'a Cell>>>;

/// Rows of places: a cell that spans stands in each place that it covers. The rows are of the same length, unless these
/// were too many places.
pub(super) fn grid(table: &Table) -> Grid<'_> {
    let cells: usize = table.rows.iter().map(|row| row.cells.len()).sum();
    let places_max = cells.saturating_mul(PLACES_PER_CELL_MAX).min(PLACES_MAX);
    let as_they_stand = || table.rows.iter().map(|row| row.cells.iter().map(Some).collect()).collect();
    let mut grid = spanned(table, places_max).unwrap_or_else(as_they_stand);
    let columns = columns(&grid);
    if columns.saturating_mul(grid.len()) <= places_max {
        for row in &mut grid {
            row.resize(columns, None);
        }
    }
    grid
}

/// Places of the longest row.
pub(super) fn columns(grid: &Grid<'_>) -> usize {
    grid.iter().map(Vec::len).max().unwrap_or(0)
}

/// The grid with cells in all places that they cover; `None` for one of more places than that.
fn spanned(table: &Table, places_max: usize) -> Option<Grid<'_>> {
    let mut grid = Vec::with_capacity(table.rows.len());
    let mut left = places_max;
    // For each column, the cell from above and in how many more rows it stands.
    let mut above: Vec<Option<(&Cell, u16)>> = Vec::new();
    for row in &table.rows {
        let mut places = Vec::new();
        for cell in &row.cells {
            take_from_above(&mut above, &mut places);
            for _ in 0..usize::from(cell.columns.max(1)).min(COLUMNS_MAX) {
                let place = places.len();
                places.push(Some(cell));
                if above.len() <= place {
                    above.resize(place + 1, None);
                }
                above[place] = (cell.rows > 1).then_some((cell, cell.rows - 1));
            }
            if places.len() > left {
                return None;
            }
        }
        take_rest(&mut above, &mut places);
        left = left.checked_sub(places.len())?;
        grid.push(places);
    }
    Some(grid)
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
    let end = above.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
    while places.len() < end {
        take_from_above(above, places);
        if places.len() < end {
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
        Block::Table(table) => holds_code(table),
        Block::Heading { .. } | Block::Paragraph { .. } | Block::Formula { .. } | Block::Rule => false,
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
    fn code_of_a_table_in_a_cell_is_code_of_the_table() {
        let inner = table(&[&[("a", 1, 1)]]);
        let within = |blocks| {
            let cell = Cell { blocks, ..Cell::default() };
            Table { rows: vec![Row { cells: vec![cell] }], ..Table::default() }
        };
        let outer = within(vec![Block::Table(inner)]);
        assert!(holds_code(&outer) && !holds_code(&within(vec![Block::Rule])));
        let document = super::super::Document { blocks: vec![Block::Table(outer)] };
        assert_eq!(super::super::to_markdown(&document), "```\na\n```\n");
    }

    #[test]
    fn spans_are_bounded() {
        let places = |rows: &[&[_]]| grid(&table(rows)).iter().map(Vec::len).sum::<usize>();
        assert_eq!(places(&[&[("a", 31, 2)], &[("b", 1, 1)]]), 2 * 32);
        assert_eq!(places(&[&[("a", u16::MAX, u16::MAX)], &[("b", u16::MAX, 1)]]), 2, "as its cells stand");
        let all = [("a", 1000, u16::MAX)];
        assert_eq!(places(&[&all[..]; 262]), 262);
    }

    #[test]
    fn a_wide_row_does_not_widen_very_many_short_ones() {
        let wide = vec![("a", 1, 1); 6000];
        let rows: Vec<&[_]> = std::iter::once(&wide[..]).chain(vec![&wide[..1]; 6000]).collect();
        let table = table(&rows);
        let grid = grid(&table);
        assert_eq!((columns(&grid), grid[1].len()), (6000, 1));
    }

    #[test]
    fn what_reaches_down_in_the_last_column_is_found_at_once() {
        let mut wide = vec![("a", 1, 1); 8000];
        wide[7999].2 = 9;
        let rows: Vec<&[_]> = std::iter::once(&wide[..]).chain(vec![&wide[..1]; 8]).collect();
        assert!(grid(&table(&rows)).iter().all(|row| row.len() == 8000 && row[7999].is_some()));
    }
}
