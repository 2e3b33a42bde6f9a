//! MathML that carries no source: its TeX, written from its elements (MathML Core and, of MathML 3, `mfenced`).
//!
//! Deviations from what a browser draws: 1. sizes, colours and spaces are left out; 2. a fraction without a bar is a fraction;
//! 3. of alternatives (`semantics`, `maction`) the first is taken.

use super::mathml_signs::{accent, is_big, is_function, is_relation, sign};
use crate::dom::{Dom, DomId, Tag};

/// Elements within each other.
const DEPTH_MAX: usize = 48;

/// Elements of a formula.
const ELEMENTS_MAX: usize = 4000;

/// Characters of one element that holds text; what has more is no formula.
const TEXT_CHARS_MAX: usize = 1000;

/// Bytes at the end of TeX that are looked at for a command's name.
const COMMAND_BYTES_MAX: usize = 40;

/// The formula as TeX; `None` where there is nothing to read, or too much.
pub(super) fn tex(dom: &Dom, math: DomId) -> Option<String> {
    let mut writer = Writer { dom, elements: ELEMENTS_MAX };
    let tex = writer.row(math, DEPTH_MAX)?;
    (!tex.trim().is_empty()).then(|| tex.trim().to_owned())
}

struct Writer<'a> {
    dom: &'a Dom,
    /// Elements that may still come.
    elements: usize,
}

impl Writer<'_> {
    fn elements_of(&self, parent: DomId) -> Vec<DomId> {
        self.dom.children(parent).filter(|id| self.dom.tag(*id).is_some()).collect()
    }

    /// The children of an element, one after the other.
    fn row(&mut self, parent: DomId, depth: usize) -> Option<String> {
        let depth = depth.checked_sub(1)?;
        let children = self.elements_of(parent);
        let mut out = String::new();
        let mut next = 0;
        while let Some(&child) = children.get(next) {
            if let Some((fenced, taken)) = self.fenced_table(&children[next..], depth)? {
                append(&mut out, &fenced);
                next += taken;
                continue;
            }
            let piece = self.element(child, depth)?;
            let is_operator = self.dom.tag(child) == Some(Tag::Mo);
            if is_operator && stands_between(&out, &piece) {
                out.truncate(out.trim_end().len());
                append(&mut out, &format!(" {piece} "));
            } else {
                append(&mut out, &piece);
            }
            next += 1;
        }
        Some(out)
    }

    /// A table between fences, or behind a brace: a matrix, or cases. With how many elements it takes.
    #[expect(clippy::option_option, reason = "the outer one is for what cannot be read")]
    fn fenced_table(&mut self, from: &[DomId], depth: usize) -> Option<Option<(String, usize)>> {
        let [open, table, ..] = *from else { return Some(None) };
        let is = |id: DomId, tag: Tag| self.dom.tag(id) == Some(tag);
        if !(is(open, Tag::Mo) && is(table, Tag::Mtable)) {
            return Some(None);
        }
        let text = |id: DomId| self.dom.text_content(id).trim().to_owned();
        let close = from.get(2).filter(|id| is(**id, Tag::Mo)).map(|id| text(*id)).unwrap_or_default();
        let (environment, taken) = match (&*text(open), &*close) {
            ("(", ")") => ("pmatrix", 3),
            ("[", "]") => ("bmatrix", 3),
            ("|", "|") | ("∣", "∣") => ("vmatrix", 3),
            ("{", "}") => ("Bmatrix", 3),
            ("{", "") => ("cases", if from.len() > 2 && is(from[2], Tag::Mo) { 3 } else { 2 }),
            _ => return Some(None),
        };
        Some(Some((self.table(table, environment, depth)?, taken)))
    }

    fn element(&mut self, element: DomId, depth: usize) -> Option<String> {
        self.elements = self.elements.checked_sub(1)?;
        let depth = depth.checked_sub(1)?;
        let tag = self.dom.tag(element)?;
        Some(match tag {
            Tag::Mi => name(&self.text(element)?),
            Tag::Mn => escaped(&self.text(element)?),
            Tag::Mo => operator(&self.text(element)?),
            Tag::Mtext | Tag::Ms => text(&self.text(element)?),
            Tag::Annotation | Tag::AnnotationXml | Tag::Mphantom => String::new(),
            Tag::Semantics | Tag::Maction => match self.elements_of(element).first() {
                Some(first) => self.element(*first, depth)?,
                None => String::new(),
            },
            Tag::Msqrt => format!("\\sqrt{{{}}}", self.row(element, depth)?),
            Tag::Mtable => self.table(element, "matrix", depth)?,
            Tag::Mfenced => self.fenced(element, depth)?,
            Tag::Mmultiscripts => self.scripts_around(element, depth)?,
            Tag::Msub
            | Tag::Msup
            | Tag::Msubsup
            | Tag::Munder
            | Tag::Mover
            | Tag::Munderover
            | Tag::Mfrac
            | Tag::Mroot => self.of_parts(element, tag, depth)?,
            _ => self.row(element, depth)?,
        })
    }

    /// An element whose children each have their place in it.
    fn of_parts(&mut self, element: DomId, tag: Tag, depth: usize) -> Option<String> {
        let children = self.elements_of(element);
        let parts = children.iter().map(|child| self.element(*child, depth)).collect::<Option<Vec<_>>>()?;
        let parts: Vec<&str> = parts.iter().map(|part| part.trim()).collect();
        Some(match (tag, &parts[..]) {
            (Tag::Mfrac, [above, below]) => format!("\\frac{{{above}}}{{{below}}}"),
            (Tag::Mroot, [base, index]) => format!("\\sqrt[{index}]{{{base}}}"),
            (Tag::Msub, [base, below]) => with_scripts(base, below, ""),
            (Tag::Msup, [base, above]) => with_scripts(base, "", above),
            (Tag::Msubsup, [base, below, above]) => with_scripts(base, below, above),
            (Tag::Munder, [base, below]) => under_over(base, below, ""),
            (Tag::Mover, [base, above]) => under_over(base, "", above),
            (Tag::Munderover, [base, below, above]) => under_over(base, below, above),
            (_, parts) => parts.concat(),
        })
    }

    fn table(&mut self, table: DomId, environment: &str, depth: usize) -> Option<String> {
        let mut rows = Vec::new();
        for row in self.elements_of(table) {
            let cells = self.elements_of(row);
            let cells = cells.iter().map(|cell| self.row(*cell, depth)).collect::<Option<Vec<_>>>()?;
            rows.push(cells.iter().map(|cell| cell.trim()).collect::<Vec<_>>().join(" & "));
        }
        Some(format!("\\begin{{{environment}}} {} \\end{{{environment}}}", rows.join(" \\\\ ")))
    }

    /// Its children between parentheses; other fences are in attributes that no page of today has.
    fn fenced(&mut self, element: DomId, depth: usize) -> Option<String> {
        let children = self.elements_of(element);
        let parts = children.iter().map(|child| self.element(*child, depth)).collect::<Option<Vec<_>>>()?;
        Some(format!("({})", parts.join(", ")))
    }

    /// `base (below above)* [mprescripts (below above)*]`.
    fn scripts_around(&mut self, element: DomId, depth: usize) -> Option<String> {
        let children = self.elements_of(element);
        let (mut base, mut before, mut behind) = (String::new(), String::new(), String::new());
        let mut scripts = Vec::new();
        let mut is_before = false;
        for (number, child) in children.into_iter().enumerate() {
            if self.dom.tag(child) == Some(Tag::Mprescripts) {
                (is_before, scripts) = (true, Vec::new());
                continue;
            }
            let part = self.element(child, depth)?.trim().to_owned();
            if number == 0 {
                base = part;
                continue;
            }
            scripts.push(part);
            if let [below, above] = &scripts[..] {
                let target = if is_before { &mut before } else { &mut behind };
                target.push_str(&with_scripts("", below, above));
                scripts.clear();
            }
        }
        let before = if before.is_empty() { before } else { format!("{{}}{before}") };
        Some(format!("{before}{}{behind}", grouped_base(&base)))
    }

    fn text(&self, element: DomId) -> Option<String> {
        let text = self.dom.text_content(element).split_whitespace().collect::<Vec<_>>().join(" ");
        (text.chars().count() <= TEXT_CHARS_MAX).then_some(text)
    }
}

/// Puts `piece` behind `out`. A command ends where no letter follows.
fn append(out: &mut String, piece: &str) {
    if piece.starts_with(|c: char| c.is_ascii_alphabetic()) && ends_in_command(out) {
        out.push(' ');
    }
    out.push_str(piece);
}

fn ends_in_command(tex: &str) -> bool {
    let tex = &tex[tex.ceil_char_boundary(tex.len().saturating_sub(COMMAND_BYTES_MAX))..];
    let name = tex.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    name.len() < tex.len() && name.ends_with('\\') && !name.ends_with("\\\\")
}

/// Whether an operator stands between two things, with blanks around it: a relation, or a plus or minus behind something.
fn stands_between(before: &str, operator: &str) -> bool {
    let has_left = before.trim_end().ends_with(|c: char| !"([{,+-=<>&|".contains(c));
    is_relation(operator) || (has_left && matches!(operator, "+" | "-" | "\\pm" | "\\mp" | "\\times" | "\\cdot"))
}

fn name(text: &str) -> String {
    let mut letters = text.chars();
    match (letters.next(), letters.next()) {
        (None, _) => String::new(),
        (Some(only), None) => sign(only).map_or_else(|| escaped(text), |command| format!("\\{command}")),
        _ if is_function(text) => format!("\\{text}"),
        _ if text.chars().all(char::is_alphanumeric) => format!("\\mathrm{{{text}}}"),
        _ => signs(text),
    }
}

fn operator(text: &str) -> String {
    match text {
        _ if is_function(text) => format!("\\{text}"),
        "..." => "\\dots".to_owned(),
        _ if text.chars().count() > 1 && text.chars().all(char::is_alphabetic) => format!("\\operatorname{{{text}}}"),
        _ => signs(text),
    }
}

/// Each character by its command, where it has one. What is not seen is left out.
fn signs(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars().filter(|c| !matches!(c, '\u{2061}'..='\u{2064}' | '\u{200b}' | '\u{feff}')) {
        match sign(c) {
            Some(command) => append(&mut out, &format!("\\{command}")),
            None => append(&mut out, &escaped(c.encode_utf8(&mut [0; 4]))),
        }
    }
    out
}

fn text(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("\\text{{{}}}", escaped(text)) }
}

/// With a backslash before what TeX reads as its own.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '{' | '}' | '%' | '#' | '&' | '_' | '$' => out.extend(['\\', c]),
            '\\' => out.push_str("\\backslash"),
            '−' => out.push('-'),
            '\u{a0}' => out.push(' '),
            _ => out.push(c),
        }
    }
    out
}

/// A script's argument: braces unless it is one character.
fn argument(tex: &str) -> String {
    if tex.chars().count() == 1 { tex.to_owned() } else { format!("{{{tex}}}") }
}

/// What scripts stand at, as one thing.
fn grouped_base(base: &str) -> String {
    let is_command = base.strip_prefix('\\').is_some_and(|name| name.chars().all(|c| c.is_ascii_alphabetic()));
    let is_number = base.chars().all(|c| c.is_ascii_digit());
    let is_group = base.starts_with('\\') && base.ends_with('}') && !base.contains(['^', '_', ' ']);
    if base.chars().count() <= 1 || is_command || is_number || is_group {
        base.to_owned()
    } else {
        format!("{{{base}}}")
    }
}

fn with_scripts(base: &str, below: &str, above: &str) -> String {
    let mut out = grouped_base(base);
    if !below.is_empty() {
        out.push('_');
        out.push_str(&argument(below));
    }
    let is_primes = !above.is_empty() && above.replace("\\prime", "'").chars().all(|c| c == '\'');
    if is_primes {
        out += &above.replace("\\prime", "'");
    } else if !above.is_empty() {
        out.push('^');
        out.push_str(&argument(above));
    }
    out
}

fn under_over(base: &str, below: &str, above: &str) -> String {
    if is_big(base) {
        return with_scripts(base, below, above);
    }
    let mut out = base.to_owned();
    if !above.is_empty() {
        out = match accent(above, base.chars().count() > 1 && !base.starts_with('\\')) {
            Some(command) => format!("\\{command}{{{out}}}"),
            None => format!("\\overset{{{above}}}{{{out}}}"),
        };
    }
    match below {
        "" => out,
        "_" | "\\_" | "¯" | "‾" | "―" | "̲" => format!("\\underline{{{out}}}"),
        "⏟" => format!("\\underbrace{{{out}}}"),
        _ => format!("\\underset{{{below}}}{{{out}}}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom;
    use crate::limits::Limits;

    fn tex_of(math: &str) -> Option<String> {
        let dom = dom::parse(&format!("<p><math>{math}</math>"), &Limits::default());
        let math = dom.descendants(Dom::DOCUMENT).find(|id| dom.tag(*id) == Some(Tag::Math)).unwrap();
        tex(&dom, math)
    }

    #[test]
    fn elements_become_commands() {
        for (math, expected) in [
            (
                "<msup><mi>x</mi><mn>2</mn></msup><mo>+</mo><msup><mi>y</mi><mn>2</mn></msup><mo>=</mo><mn>1</mn>",
                "x^2 + y^2 = 1",
            ),
            ("<mrow><mo>−</mo><mi>b</mi><mo>±</mo><msqrt><mi>c</mi></msqrt></mrow>", "-b \\pm \\sqrt{c}"),
            ("<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mi>c</mi></mfrac>", "\\frac{a + b}{c}"),
            (
                "<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><msub><mi>a</mi><mi>i</mi></msub>",
                "\\sum_{i = 1}^na_i",
            ),
            (
                "<msubsup><mo>∫</mo><mn>0</mn><mi>∞</mi></msubsup><mi>f</mi><mo>\u{2061}</mo><mo>(</mo><mi>t</mi><mo>)</mo>",
                "\\int_0^{\\infty}f(t)",
            ),
            ("<mi>α</mi><mi>b</mi><mo>≤</mo><mi>sin</mi><mi>θ</mi>", "\\alpha b \\le \\sin\\theta"),
            ("<mover><mi>x</mi><mo>¯</mo></mover><mover><mi>v</mi><mo>→</mo></mover>", "\\bar{x}\\vec{v}"),
            ("<munder><mi>lim</mi><mrow><mi>n</mi><mo>→</mo><mi>∞</mi></mrow></munder>", "\\lim_{n \\to \\infty}"),
            ("<mroot><mn>8</mn><mn>3</mn></mroot>", "\\sqrt[3]{8}"),
            ("<msup><mi>f</mi><mo>′</mo></msup><mtext>if 5 %</mtext><mi>Pr</mi>", "f'\\text{if 5 \\%}\\Pr"),
            ("<msup><mrow><mo>(</mo><mi>a</mi><mo>)</mo></mrow><mn>10</mn></msup>", "{(a)}^{10}"),
            (
                "<mo>[</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd><mn>0</mn></mtd><mtd><mn>1</mn></mtd></mtr></mtable><mo>]</mo>",
                "\\begin{bmatrix} 1 & 0 \\\\ 0 & 1 \\end{bmatrix}",
            ),
            ("<mo>{</mo><mtable><mtr><mtd><mi>a</mi></mtd></mtr></mtable>", "\\begin{cases} a \\end{cases}"),
            (
                "<mmultiscripts><mi>C</mi><mn>6</mn><none/><mprescripts/><mn>14</mn><none/></mmultiscripts>",
                "{}_{14}C_6",
            ),
            ("<semantics><mi>a</mi><annotation encoding=x>DROP</annotation></semantics>", "a"),
        ] {
            assert_eq!(tex_of(math).as_deref(), Some(expected), "{math}");
        }
    }

    #[test]
    fn prefixed_elements_are_the_same() {
        let html = "<p>so <mml:math><mml:msup><mml:mi>x</mml:mi><mml:mn>2</mml:mn></mml:msup></mml:math> is";
        let dom = dom::parse(html, &Limits::default());
        let math = dom.descendants(Dom::DOCUMENT).find(|id| dom.tag(*id) == Some(Tag::Math)).unwrap();
        assert_eq!(tex(&dom, math).as_deref(), Some("x^2"));
    }

    #[test]
    fn what_is_too_much_is_left() {
        assert_eq!(tex_of(""), None);
        assert_eq!(tex_of(&format!("{}<mi>a</mi>", "<mrow>".repeat(200))), None);
        assert_eq!(tex_of(&"<mi>a</mi>".repeat(ELEMENTS_MAX + 1)), None);
        let letters = |count: usize| tex_of(&format!("<mi>-{}</mi>", "a".repeat(count)));
        assert_eq!(letters(900).map(|tex| tex.len()), Some(901));
        assert_eq!(letters(TEXT_CHARS_MAX), None);
    }
}
