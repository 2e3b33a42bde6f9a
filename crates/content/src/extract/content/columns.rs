//! Columns of a table that only lay it out: empty ones, and those of signs that belong to the number beside them.
//!
//! Reports to the SEC write `$`, `412` and `)` in three columns below a head that spans them; groff sets its lists in
//! between empty columns.

use crate::document::{Block, Cell, Inline, Row, Table, plain_text};

/// Columns of a table; a wider one is left as it is.
const COLUMNS_MAX: usize = 128;

/// Columns that are left at least, for it to be a table.
const LEFT_MIN: usize = 2;

/// Characters of a sign.
const SIGN_CHARS_MAX: usize = 4;

/// Where the cells of each row begin.
struct Places {
    starts: Vec<Vec<usize>>,
    columns: usize,
}

/// What a cell is beside a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Empty,
    /// `$`, before a number.
    Before,
    /// `)` or `%`, behind one.
    Behind,
    Other,
}

/// Puts signs beside their numbers, and takes out columns in which no cell says anything. O(rows · columns).
pub(super) fn tidy(table: &mut Table) {
    let Some(places) = Places::of(table) else { return };
    let roles = roles(table, &places);
    for (row, starts) in table.rows.iter_mut().zip(&places.starts) {
        join_signs(row, starts, &roles);
    }
    let needed = needed(table, &places);
    if !has_empty_column(table, &places, &needed) {
        return;
    }
    let left = needed.iter().filter(|needed| **needed).count();
    if left == places.columns || left < LEFT_MIN {
        return;
    }
    for (row, starts) in table.rows.iter_mut().zip(&places.starts) {
        let mut starts = starts.iter();
        row.cells.retain_mut(|cell| {
            let start = *starts.next().unwrap_or(&0);
            let width = needed[start..start + width(cell)].iter().filter(|needed| **needed).count();
            cell.columns = width as u16;
            width > 0
        });
    }
}

impl Places {
    /// `None` for a table that is too wide.
    fn of(table: &Table) -> Option<Self> {
        // In how many more rows each column is covered from above.
        let mut covered: Vec<u16> = Vec::new();
        let mut starts = Vec::with_capacity(table.rows.len());
        for row in &table.rows {
            let (mut own, mut place) = (Vec::with_capacity(row.cells.len()), 0);
            let mut next: Vec<u16> = covered.iter().map(|rows| rows.saturating_sub(1)).collect();
            for cell in &row.cells {
                while covered.get(place).is_some_and(|rows| *rows > 0) {
                    place += 1;
                }
                own.push(place);
                let end = place + width(cell);
                if end > COLUMNS_MAX {
                    return None;
                }
                next.resize(next.len().max(end), 0);
                next[place..end].fill(cell.rows.saturating_sub(1));
                place = end;
            }
            covered = next;
            starts.push(own);
        }
        Some(Self { starts, columns: covered.len() })
    }

    /// The cells of a table with the columns in which they begin.
    fn cells<'t>(&'t self, table: &'t Table) -> impl Iterator<Item = (usize, &'t Cell)> {
        let rows = table.rows.iter().zip(&self.starts);
        rows.flat_map(|(row, starts)| starts.iter().copied().zip(&row.cells))
    }
}

fn width(cell: &Cell) -> usize {
    usize::from(cell.columns.max(1))
}

/// Whether a column has cells of its own, none of which says anything: columns that others merely span are part of the table.
fn has_empty_column(table: &Table, places: &Places, needed: &[bool]) -> bool {
    places.cells(table).any(|(start, cell)| width(cell) == 1 && !needed[start])
}

/// Which columns are needed: those with a cell that says something, one of those that only cells over several columns
/// stand in, and those with a head between others, which part a table in two.
fn needed(table: &Table, places: &Places) -> Vec<bool> {
    let mut needed = vec![false; places.columns];
    for (start, cell) in places.cells(table).filter(|(_, cell)| !cell.blocks.is_empty() && width(cell) == 1) {
        needed[start] |= !cell.blocks.is_empty();
    }
    for (start, cell) in places.cells(table).filter(|(_, cell)| !cell.blocks.is_empty()) {
        if !needed[start..start + width(cell)].contains(&true) {
            needed[start] = true;
        }
    }
    let (first, last) = (needed.iter().position(|is| *is), needed.iter().rposition(|is| *is));
    for (start, _) in places.cells(table).filter(|(_, cell)| cell.header && width(cell) == 1) {
        needed[start] |= Some(start) > first && Some(start) < last;
    }
    needed
}

/// The role that all cells of a column have that say something; cells over several columns aside.
fn roles(table: &Table, places: &Places) -> Vec<Role> {
    let mut roles = vec![Role::Empty; places.columns];
    for (start, cell) in places.cells(table).filter(|(_, cell)| width(cell) == 1) {
        roles[start] = match (roles[start], role(cell)) {
            (known, Role::Empty) => known,
            (Role::Empty, role) => role,
            (known, role) if known == role => role,
            _ => Role::Other,
        };
    }
    // A sign without a number right beside it is what its cell says.
    for (row, starts) in table.rows.iter().zip(&places.starts) {
        for (place, start) in starts.iter().enumerate() {
            let cell = &row.cells[place];
            if width(cell) == 1 && !cell.blocks.is_empty() && number_beside(row, starts, place, roles[*start]).is_none()
            {
                roles[*start] = Role::Other;
            }
        }
    }
    roles
}

/// The cell in the next column with the number that a cell's sign belongs to.
fn number_beside(row: &Row, starts: &[usize], place: usize, role: Role) -> Option<usize> {
    let beside = match role {
        Role::Before => place + 1,
        Role::Behind => place.checked_sub(1)?,
        Role::Empty | Role::Other => return None,
    };
    let (left, right) = (place.min(beside), place.max(beside));
    let is_next = *starts.get(right)? == starts[left] + width(&row.cells[left]);
    row.cells.get(beside).filter(|cell| is_next && is_number(cell)).map(|_| beside)
}

fn role(cell: &Cell) -> Role {
    if cell.blocks.is_empty() {
        return Role::Empty;
    }
    if cell.header {
        return Role::Other;
    }
    let text = text(cell).unwrap_or_default();
    let text = text.trim();
    if text.is_empty() || text.chars().nth(SIGN_CHARS_MAX).is_some() {
        return Role::Other;
    }
    match () {
        () if text.chars().all(|c| matches!(c, ')' | '%')) => Role::Behind,
        // As in `US$` and `$(`.
        () if text.trim_start_matches(char::is_alphabetic).chars().all(|c| c == '(' || is_currency(c))
            && text.contains(|c| c == '(' || is_currency(c)) =>
        {
            Role::Before
        }
        () => Role::Other,
    }
}

fn is_currency(c: char) -> bool {
    matches!(c, '$' | '€' | '£' | '¥' | '₹' | '₩')
}

/// The words of a cell that is one paragraph.
fn text(cell: &Cell) -> Option<String> {
    match &cell.blocks[..] {
        [Block::Paragraph { content }] => Some(plain_text(content)),
        _ => None,
    }
}

/// Moves the signs of a row into the cells of the numbers beside them.
fn join_signs(row: &mut Row, starts: &[usize], roles: &[Role]) {
    for (place, start) in starts.iter().enumerate() {
        let cell = &row.cells[place];
        let is_sign = width(cell) == 1 && !cell.blocks.is_empty();
        let role = roles.get(*start).copied().filter(|_| is_sign).unwrap_or(Role::Other);
        if let Some(number) = number_beside(row, starts, place, role) {
            let sign = std::mem::take(&mut row.cells[place].blocks);
            add_sign(&mut row.cells[number], sign, number > place);
        }
    }
}

/// Whether a cell says a number, perhaps with signs before it, or a dash in the place of one.
fn is_number(cell: &Cell) -> bool {
    let text = text(cell).unwrap_or_default();
    let rest = text.trim().trim_start_matches(|c: char| is_currency(c) || "(-−–—+ ".contains(c));
    rest.starts_with(|c: char| c.is_ascii_digit()) || (rest.is_empty() && text.contains(['-', '–', '—']))
}

/// Adds the words of a sign to those of a number.
fn add_sign(number: &mut Cell, sign: Vec<Block>, is_before: bool) {
    let (Some(Block::Paragraph { content }), Some(Block::Paragraph { content: sign })) =
        (number.blocks.first_mut(), sign.into_iter().next())
    else {
        return;
    };
    let place = if is_before { 0 } else { content.len() };
    let text = plain_text(&sign).trim().to_owned();
    content.insert(place, Inline::Text { text });
}

#[cfg(test)]
mod tests {
    use super::super::tests::markdown;

    #[test]
    fn empty_columns_go() {
        let html = "<table><tr><td><td>-v<td><td>Print the version<tr><td><td>-q<td><td>Be quiet</table>";
        assert_eq!(markdown(html), "|  |  |\n| --- | --- |\n| -v | Print the version |\n| -q | Be quiet |\n");
        let headed = "<table><tr><th>Name<th>Note<tr><td>Mill<td><tr><td>Kiln<td></table>";
        assert_eq!(markdown(headed), "| Name | Note |\n| --- | --- |\n| Mill |  |\n| Kiln |  |\n");
        let spanned = "<table><tr><th colspan=2>Name<th colspan=3>Year<tr><td>Mill<td><td><td>1890<td>\
            <tr><td>Kiln<td>of lime<td><td>1904<td></table>";
        assert_eq!(
            markdown(spanned),
            "| Name | Name | Year |\n| --- | --- | --- |\n| Mill |  | 1890 |\n| Kiln | of lime | 1904 |\n"
        );
        let halves = "<table><tr><th>A<th>B<th><th>A<th>B<th><tr><td>1<td>2<td><td>3<td>4<td></table>";
        assert_eq!(markdown(halves), "| A | B |  | A | B |\n| --- | --- | --- | --- | --- |\n| 1 | 2 |  | 3 | 4 |\n");
        let spans = "<table><tr><th>Kind<th colspan=2>Type<tr><td>a<td colspan=2>b<tr><td>c<td colspan=2>d</table>";
        assert_eq!(markdown(spans), "| Kind | Type | Type |\n| --- | --- | --- |\n| a | b | b |\n| c | d | d |\n");
        let names = "<table><tr><td><b>freq</b><td><tr><td><b>nanos</b><td></table>";
        assert_eq!(markdown(names), "|  |  |\n| --- | --- |\n| **freq** |  |\n| **nanos** |  |\n");
        let rows = "<table><tr><td rowspan=2><td rowspan=2>Mill<td>old<td>1890<tr><td>new<td>1904</table>";
        assert_eq!(markdown(rows), "|  |  |  |\n| --- | --- | --- |\n| Mill | old | 1890 |\n| Mill | new | 1904 |\n");
    }

    #[test]
    fn signs_stand_beside_their_numbers() {
        let row = |cells: [&str; 4]| cells.map(|cell| format!("<td>{cell}")).concat();
        let html = format!(
            "<table><tr><td><td colspan=3>2022<tr>{}<tr>{}<tr>{}</table>",
            row(["Net", "$", "<b>412</b>", ""]),
            row(["Cost", "", "(201", ")"]),
            row(["Other", "$", "—", ""])
        );
        let expected =
            "|  |  |\n| --- | --- |\n|  | 2022 |\n| Net | \\$**412** |\n| Cost | (201) |\n| Other | \\$— |\n";
        assert_eq!(markdown(&html), expected);
        let signs = "<table><tr><td>$<td>Dollar<tr><td>€<td>Euro</table>";
        assert_eq!(markdown(signs), "|  |  |\n| --- | --- |\n| \\$ | Dollar |\n| € | Euro |\n");
        let mixed = "<table><tr><th>Sign<th>Code<tr><td>$<td>36<tr><td>%<td>37</table>";
        assert_eq!(markdown(mixed), "| Sign | Code |\n| --- | --- |\n| \\$ | 36 |\n| % | 37 |\n");
    }

    #[test]
    fn signs_without_a_number_beside_them_stay() {
        for html in [
            "<table><tr><td>A<td>$<td>5<td>7<tr><td>B<td>$<td><td>7</table>",
            "<table><tr><td>A<td>200<td>5<td>%<tr><td>B<td>200<td><td>%</table>",
            "<table><tr><th>Year<th>%<tr><td>2001<td>%<tr><td>2002<td>%</table>",
        ] {
            let text = markdown(html);
            assert!(!["$7", "200%", "2001%"].iter().any(|joined| text.replace('\\', "").contains(joined)), "{text}");
        }
    }
}
