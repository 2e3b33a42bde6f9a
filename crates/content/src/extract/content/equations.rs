//! Tables that lay out formulas with their numbers (LaTeXML, latex2html, wikis).

use super::formula;
use crate::dom::{ClassNames, Dom, DomId, Tag, classes};

/// Rows and nodes of a table that are looked at.
const ROWS_MAX: usize = 256;
const NODES_MAX: usize = 8192;

/// Characters of an equation's number.
const NUMBER_CHARS_MAX: usize = 12;

/// Class names that say it.
pub(super) const EQUATIONS: &ClassNames = classes!["ltx_equation", "ltx_equationgroup", "ltx_eqn_table"];
const NUMBERS: &ClassNames = classes!["ltx_eqn_eqno", "eqno"];

/// A row of such a table.
#[derive(Debug, Default)]
struct Equation {
    tex: String,
    number: String,
    /// Formulas in it.
    formulas: usize,
}

/// What a cell is.
enum Cell {
    Empty,
    Formula(String),
    Number(String),
}

/// The formulas of a table that only lays them out, each row's as TeX with its number as `\tag`; `None` when it holds anything else.
/// Without a class name that says so it is told by the numbers, or by holding one formula alone.
pub(super) fn of_table(dom: &Dom, table: DomId) -> Option<Vec<String>> {
    let mut equations = Vec::new();
    let mut says_so = dom.has_class(table, EQUATIONS);
    let mut next = dom.following(table, table);
    for _ in 0..NODES_MAX {
        let Some(node) = next else { break };
        next = dom.following(node, table);
        match dom.tag(node) {
            Some(Tag::Tr) if equations.len() == ROWS_MAX => return None,
            Some(Tag::Tr) => equations.push(Equation::default()),
            Some(Tag::Td) => {
                says_so |= dom.has_class(node, NUMBERS);
                add(equations.last_mut()?, cell(dom, node)?)?;
                next = dom.following_after(node, table);
            }
            Some(Tag::Tbody | Tag::Thead | Tag::Tfoot | Tag::Colgroup | Tag::Col) => {}
            Some(_) => return None,
            None if dom.text(node).is_some_and(|text| !text.trim().is_empty()) => return None,
            None => {}
        }
    }
    if next.is_some() {
        return None;
    }
    equations.retain(|equation| equation.formulas > 0 || !equation.number.is_empty());
    let is_numbered = equations.iter().any(|equation| !equation.number.is_empty());
    let is_single = equations.len() == 1 && equations.iter().all(|equation| equation.formulas == 1);
    let is_whole = !equations.is_empty() && equations.iter().all(|equation| equation.formulas > 0);
    (is_whole && (says_so || is_numbered || is_single)).then(|| equations.into_iter().map(Equation::tagged).collect())
}

impl Equation {
    fn tagged(self) -> String {
        tagged(self.tex, Some(self.number).filter(|number| !number.is_empty()))
    }
}

/// A formula with its number, unless it has one; within the environment that numbers are of.
pub(super) fn tagged(tex: String, number: Option<String>) -> String {
    const NUMBERED: [&str; 3] = ["\\end{align}", "\\end{gather}", "\\end{equation}"];
    let Some(number) = number.filter(|_| !tex.contains("\\tag")) else { return tex };
    let end = NUMBERED.iter().find(|end| tex.ends_with(*end)).map_or("", |end| end);
    let inner = tex.strip_suffix(end).unwrap_or(&tex).trim_end();
    format!("{inner} \\tag{{{number}}}{end}")
}

/// Whether a table lays out a formula in words (HeVeA).
pub(super) fn is_laid_out(dom: &Dom, table: DomId) -> bool {
    dom.has_class(table, classes!["display"]) && dom.has_class(table, classes!["dcenter", "dleft"])
}

/// The number in an element that is called so, right before a formula (Sphinx).
pub(super) fn number_before(dom: &Dom, element: DomId) -> Option<String> {
    let is_formula = |id: DomId| {
        let text = dom.text(id).unwrap_or_default().trim_start();
        text.starts_with("\\[") || text.starts_with("$$") || dom.tag(id) == Some(Tag::Img)
    };
    if !dom.has_class(element, classes!["eqno"]) || !dom.next_sibling(element).is_some_and(is_formula) {
        return None;
    }
    let words: String = dom.children(element).filter_map(|id| dom.text(id)).collect();
    number(words.trim())
}

/// `None` for a second number, and for one between formulas.
fn add(row: &mut Equation, cell: Cell) -> Option<()> {
    match cell {
        Cell::Empty => {}
        Cell::Formula(_) if row.formulas > 0 && !row.number.is_empty() => return None,
        Cell::Formula(tex) => {
            if !row.tex.is_empty() {
                row.tex.push(' ');
            }
            row.tex.push_str(&tex);
            row.formulas += 1;
        }
        Cell::Number(number) if row.number.is_empty() => row.number = number,
        Cell::Number(_) => return None,
    }
    Some(())
}

/// What a cell is; `None` for anything else than formulas, a number, and signs between.
fn cell(dom: &Dom, cell: DomId) -> Option<Cell> {
    let mut tex = String::new();
    let mut words = String::new();
    let mut next = dom.first_child(cell);
    while let Some(node) = next {
        next = dom.following(node, cell);
        if let Some(text) = dom.text(node) {
            let text = text.trim_matches(|sign: char| sign.is_whitespace() || sign == '\u{a0}');
            if !tex.is_empty() && text.chars().all(is_sign) {
                tex.push_str(text);
            } else {
                words.push_str(text);
            }
            continue;
        }
        // Neither text nor element: a comment.
        let Some(tag) = dom.tag(node) else { continue };
        let found = match tag {
            Tag::Img => Some(formula::of_image(dom, node)?),
            Tag::Script => formula::of_script(dom, node),
            Tag::Style => None,
            Tag::Table | Tag::Ul | Tag::Ol | Tag::Pre | Tag::Svg | Tag::Video | Tag::Object | Tag::Input => {
                return None;
            }
            _ => formula::of_element(dom, node, tag),
        };
        let is_script = matches!(tag, Tag::Script | Tag::Style);
        if found.is_some() || is_script {
            next = dom.following_after(node, cell);
        }
        if let Some(found) = found {
            if !tex.is_empty() {
                tex.push(' ');
            }
            tex.push_str(inline(&found.tex));
        }
    }
    if tex.is_empty() {
        return if words.is_empty() { Some(Cell::Empty) } else { number(&words).map(Cell::Number) };
    }
    words.is_empty().then_some(Cell::Formula(tex))
}

/// Whether it may stand behind a formula on its line.
fn is_sign(sign: char) -> bool {
    matches!(sign, '.' | ',' | ';' | ':')
}

/// TeX without what says that it is a display, which the whole row is.
fn inline(tex: &str) -> &str {
    tex.strip_prefix("\\displaystyle").map_or(tex, str::trim_start)
}

/// The number of an equation, without its brackets: `(3.1a)`.
fn number(words: &str) -> Option<String> {
    let inner = words.strip_prefix('(')?.strip_suffix(')')?.trim();
    let is_number = inner.chars().count() <= NUMBER_CHARS_MAX
        && inner.chars().any(|char| char.is_ascii_digit())
        && inner.chars().all(|char| char.is_alphanumeric() || matches!(char, '.' | '-' | '\'' | '*'));
    is_number.then(|| inner.to_owned())
}
