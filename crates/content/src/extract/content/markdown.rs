//! Markdown (CommonMark with tables).

use std::fmt::Write;

use super::{Content, ContentBlock, Inline, Shape, Style};

/// The content as Markdown. Signs that Markdown would read are escaped.
pub fn to_markdown(content: &Content) -> String {
    let mut out = String::new();
    let mut before: Option<Shape> = None;
    let mut columns = 0;
    for block in &content.blocks {
        let shape = block.shape;
        match (before, shape) {
            (Some(Shape::Cell { table: a, row: x, .. }), Shape::Cell { table: b, row: y, continued, .. }) if a == b => {
                if x != y {
                    end_row(&mut out, columns, x == 0);
                    columns = 1;
                } else if continued {
                    out.push(' ');
                } else {
                    out.push_str(" | ");
                    columns += 1;
                }
            }
            _ => {
                end_table(&mut out, before, columns);
                columns = 1;
                out.push_str(before.map_or("", |before| separator(before, shape)));
            }
        }
        out.push_str(&rendered(block, columns > 1));
        before = Some(shape);
    }
    end_table(&mut out, before, columns);
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
    out
}

fn separator(before: Shape, after: Shape) -> &'static str {
    match (before, after) {
        (Shape::Item { .. }, Shape::Item { .. })
        | (Shape::Term | Shape::Definition, Shape::Definition)
        | (Shape::Cell { .. }, _) => "\n",
        _ => "\n\n",
    }
}

fn end_row(out: &mut String, columns: usize, first: bool) {
    out.push_str(" |\n");
    if first {
        out.push('|');
        out.push_str(&" --- |".repeat(columns));
        out.push('\n');
    }
}

fn end_table(out: &mut String, before: Option<Shape>, columns: usize) {
    if let Some(Shape::Cell { row, .. }) = before {
        end_row(out, columns, row == 0);
    }
}

/// A block; `in_row` when a cell of its row stands before it.
fn rendered(block: &ContentBlock, in_row: bool) -> String {
    let words = match block.shape {
        Shape::Preformatted => block.plain_text(),
        _ => inlines(block),
    };
    let text = match block.shape {
        Shape::Heading(level) => format!("{} {}", "#".repeat(usize::from(level)), one_line(&words)),
        Shape::Item { depth, continued: true, .. } => {
            format!("{}{}", "  ".repeat(usize::from(depth)), one_line(&words))
        }
        Shape::Item { depth, number, .. } => {
            let mark = number.map_or_else(|| "-".to_owned(), |number| format!("{number}."));
            format!("{}{mark} {}", "  ".repeat(usize::from(depth) - 1), one_line(&words))
        }
        Shape::Cell { continued, .. } => {
            let cell = one_line(&words).replace('|', "\\|");
            if in_row || continued { cell } else { format!("| {cell}") }
        }
        Shape::Preformatted => fenced(&words),
        Shape::Term => format!("**{}**", one_line(&words)),
        Shape::Definition => format!(": {}", one_line(&words)),
        Shape::Caption => format!("*{}*", one_line(&words)),
        Shape::Paragraph => words,
    };
    quoted(&text, block.quotes)
}

fn quoted(text: &str, depth: u8) -> String {
    if depth == 0 {
        return text.to_owned();
    }
    let mark = "> ".repeat(usize::from(depth));
    text.lines().map(|line| format!("{mark}{line}")).collect::<Vec<_>>().join("\n")
}

/// A fence longer than any run of backticks inside.
fn fenced(code: &str) -> String {
    let longest = code.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}\n{code}\n{fence}")
}

fn one_line(text: &str) -> String {
    text.split("  \n").map(str::trim).collect::<Vec<_>>().join(" ")
}

fn inlines(block: &ContentBlock) -> String {
    let mut out = String::new();
    let mut rest = block.inlines.as_slice();
    while let Some((first, tail)) = rest.split_first() {
        rest = tail;
        match first {
            Inline::Break => out.push_str("  \n"),
            Inline::Image { url, alt } => {
                if !out.is_empty() && !out.ends_with([' ', '\n']) {
                    out.push(' ');
                }
                let _ = write!(out, "![{}]({})", escaped(alt), target(url));
            }
            Inline::Text { text, style, link: None } => out.push_str(&styled(text, *style)),
            Inline::Text { link: Some(url), .. } => {
                let same = |inline: &&Inline| matches!(inline, Inline::Text { link: Some(other), .. } if other == url);
                let more = tail.iter().take_while(same).count();
                let anchor = std::iter::once(first).chain(&tail[..more]).map(|inline| match inline {
                    Inline::Text { text, style, .. } => styled(text, *style),
                    _ => String::new(),
                });
                out.push_str(&linked(&anchor.collect::<String>(), url));
                rest = &tail[more..];
            }
        }
    }
    out
}

/// Blanks at the ends stay outside of the brackets.
fn linked(anchor: &str, url: &str) -> String {
    let words = anchor.trim();
    if words.is_empty() {
        return anchor.to_owned();
    }
    let start = anchor.len() - anchor.trim_start().len();
    let end = anchor.trim_end().len();
    format!("{}[{words}]({}){}", &anchor[..start], target(url), &anchor[end..])
}

fn target(url: &str) -> String {
    url.replace('(', "%28").replace(')', "%29").replace(' ', "%20")
}

fn styled(text: &str, style: Style) -> String {
    let words = text.trim();
    if words.is_empty() {
        return text.to_owned();
    }
    let inner = match style {
        Style { code: true, .. } => format!("`{}`", words.replace('`', "'")),
        Style { strong: true, emphasis: true, .. } => format!("***{}***", escaped(words)),
        Style { strong: true, .. } => format!("**{}**", escaped(words)),
        Style { emphasis: true, .. } => format!("*{}*", escaped(words)),
        _ => escaped(words),
    };
    let start = text.len() - text.trim_start().len();
    format!("{}{inner}{}", &text[..start], &text[text.trim_end().len()..])
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if "\\`*_[]<>#".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
