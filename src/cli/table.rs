//! Tables, for people and as Markdown.

use std::io::{self, Write};

/// Cells in rows of equal length.
#[derive(Debug, Default)]
pub(super) struct Table {
    /// Names of the columns.
    pub(super) head: Vec<String>,
    /// Columns that hold text; the others stand to the right, as figures do.
    pub(super) texts: Vec<usize>,
    /// The rows.
    pub(super) rows: Vec<Vec<String>>,
}

/// Writes a table with its columns one below the other.
pub(super) fn write_table(out: &mut impl Write, table: &Table, is_markdown: bool) -> io::Result<()> {
    let widths = widths(table);
    write_row(out, table, &table.head, &widths, is_markdown)?;
    if is_markdown {
        let rules = widths.iter().enumerate().map(|(column, width)| {
            if table.texts.contains(&column) {
                format!("{}|", "-".repeat(width + 2))
            } else {
                format!("{}:|", "-".repeat(width + 1))
            }
        });
        writeln!(out, "|{}", rules.collect::<String>())?;
    }
    table.rows.iter().try_for_each(|row| write_row(out, table, row, &widths, is_markdown))
}

fn widths(table: &Table) -> Vec<usize> {
    let width = |column: usize| {
        let cells = std::iter::once(&table.head).chain(&table.rows).filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    (0..table.head.len()).map(width).collect()
}

fn write_row(
    out: &mut impl Write,
    table: &Table,
    row: &[String],
    widths: &[usize],
    is_markdown: bool,
) -> io::Result<()> {
    let padded = row.iter().zip(widths).enumerate().map(|(column, (cell, &width))| {
        if table.texts.contains(&column) { format!("{cell:width$}") } else { format!("{cell:>width$}") }
    });
    let padded: Vec<String> = padded.collect();
    if is_markdown {
        writeln!(out, "| {} |", padded.join(" | "))
    } else {
        writeln!(out, "{}", padded.join("  ").trim_end())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_in_line() {
        let row = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        let table =
            Table { head: row(["name", "n"]), texts: vec![0], rows: vec![row(["é", "1"]), row(["long one", "200"])] };
        let written = |is_markdown| {
            let mut out = Vec::new();
            write_table(&mut out, &table, is_markdown).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!(written(false), "name        n\né           1\nlong one  200\n");
        assert_eq!(written(true), "| name     |   n |\n|----------|----:|\n| é        |   1 |\n| long one | 200 |\n");
    }
}
