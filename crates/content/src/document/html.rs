//! Clean HTML: structure, links and images, nothing that runs or styles.

use super::{Block, Cell, Definition, Document, Inline, List, Table};

/// The document as HTML of a fixed set of elements; every text and attribute is escaped. Formulas are TeX in the delimiters that MathJax
/// and KaTeX look for. Blocks that are written from right to left say so (`dir`), by their letters.
pub fn to_html(document: &Document) -> String {
    let mut out = String::new();
    for block in &document.blocks {
        let start = out.len();
        write_block(block, &mut out);
        if !matches!(block, Block::Code { .. } | Block::Formula { .. }) && is_right_to_left(&out[start..]) {
            tell_right_to_left(start, &mut out);
        }
        out.push('\n');
    }
    out
}

/// Whether most letters of the texts within `html`, code apart, are of scripts that are written from right to left
/// (bidirectional classes R and AL). Not the first letter, which `dir="auto"` goes by: a paragraph in Arabic may begin with
/// a name in Latin letters. O(html).
fn is_right_to_left(html: &str) -> bool {
    if html.is_ascii() {
        return false;
    }
    let mut balance = 0_i64;
    let mut is_in_code = false;
    for (tag, text) in html.split('<').filter_map(|part| part.split_once('>')) {
        match tag {
            "pre" | "code" => is_in_code = true,
            "/pre" | "/code" => is_in_code = false,
            _ => {}
        }
        if !is_in_code {
            let letters = text.chars().filter(|char| char.is_alphabetic());
            balance += letters.map(|letter| if is_right_to_left_letter(letter) { 1 } else { -1 }).sum::<i64>();
        }
    }
    balance > 0
}

fn is_right_to_left_letter(letter: char) -> bool {
    matches!(letter,
        '\u{590}'..='\u{8FF}'     // Hebrew, Arabic, Syriac, Thaana, N'Ko and their like
        | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}'
        | '\u{10800}'..='\u{10FFF}' | '\u{1E800}'..='\u{1EFFF}')
}

/// Gives the element that begins at `start` its direction. Code and formulas within it keep theirs.
fn tell_right_to_left(start: usize, out: &mut String) {
    let mut html = out.split_off(start);
    for (opened, with_direction) in
        [("<pre>", "<pre dir=\"ltr\">"), ("<div class=\"math\">", "<div class=\"math\" dir=\"ltr\">")]
    {
        if html.contains(opened) {
            html = html.replace(opened, with_direction);
        }
    }
    if let Some(end) = html.find([' ', '>']) {
        html.insert_str(end, " dir=\"rtl\"");
    }
    out.push_str(&html);
}

fn blocks(blocks: &[Block], out: &mut String) {
    for block in blocks {
        write_block(block, out);
        out.push('\n');
    }
}

fn write_block(block: &Block, out: &mut String) {
    match block {
        Block::Heading { level, content } => {
            let tag = ["h1", "h2", "h3", "h4", "h5", "h6"][usize::from(level.clamp(&1, &6) - 1)];
            element(tag, content, out);
        }
        Block::Paragraph { content } => element("p", content, out),
        Block::List(list) => write_list(list, out),
        Block::Definitions { entries } => within("dl", out, |out| {
            out.push('\n');
            for entry in entries {
                write_definition(entry, out);
            }
        }),
        Block::Code { language, text } => {
            out.push_str("<pre><code");
            if let Some(language) = language {
                attribute("class", &format!("language-{language}"), out);
            }
            out.push('>');
            push_escaped(text, out);
            out.push_str("\n</code></pre>");
        }
        Block::Table(table) => within("table", out, |out| write_table(table, out)),
        Block::Quote { blocks } => within("blockquote", out, |out| lines(blocks, out)),
        Block::Formula { tex } => {
            out.push_str("<div class=\"math\">\\[");
            push_escaped(tex, out);
            out.push_str("\\]</div>");
        }
        Block::Figure { blocks, caption } => within("figure", out, |out| {
            lines(blocks, out);
            if !caption.is_empty() {
                element("figcaption", caption, out);
                out.push('\n');
            }
        }),
        Block::Rule => out.push_str("<hr>"),
        Block::Footnote { label, blocks } => {
            out.push_str("<aside role=\"doc-footnote\"");
            attribute("id", &format!("fn-{label}"), out);
            out.push('>');
            lines(blocks, out);
            out.push_str("</aside>");
        }
    }
}

fn lines(inner: &[Block], out: &mut String) {
    out.push('\n');
    blocks(inner, out);
}

fn write_list(list: &List, out: &mut String) {
    let tag = if list.ordered { "ol" } else { "ul" };
    out.push('<');
    out.push_str(tag);
    if list.ordered && list.reversed {
        out.push_str(" reversed");
    }
    if let Some(numbering) = list.numbering.filter(|_| list.ordered) {
        attribute("type", numbering.html(), out);
    }
    // Of one that counts down some entries may be left out, so that the number of them tells nothing.
    if list.ordered && (list.start != 1 || list.reversed) {
        attribute("start", &list.start.to_string(), out);
    }
    out.push_str(">\n");
    for entry in &list.entries {
        within("li", out, |out| {
            match entry.done {
                Some(true) => out.push_str("<input type=\"checkbox\" checked disabled> "),
                Some(false) => out.push_str("<input type=\"checkbox\" disabled> "),
                None => {}
            }
            content_of(&entry.blocks, out);
        });
        out.push('\n');
    }
    out.push_str("</");
    out.push_str(tag);
    out.push('>');
}

/// Blocks of an entry or cell: a first paragraph needs no element.
fn content_of(inner: &[Block], out: &mut String) {
    match inner {
        [Block::Paragraph { content }] => inlines(content, out),
        [Block::Paragraph { content }, rest @ ..] if rest.iter().all(|block| matches!(block, Block::List(_))) => {
            inlines(content, out);
            lines(rest, out);
        }
        [] => {}
        inner => lines(inner, out),
    }
}

fn write_definition(entry: &Definition, out: &mut String) {
    for term in &entry.terms {
        element("dt", term, out);
        out.push('\n');
    }
    for blocks in &entry.definitions {
        within("dd", out, |out| content_of(blocks, out));
        out.push('\n');
    }
}

fn write_table(table: &Table, out: &mut String) {
    out.push('\n');
    if !table.caption.is_empty() {
        element("caption", &table.caption, out);
        out.push('\n');
    }
    let (head, body) = table.rows.split_at(table.rows.len().min(table.head_rows as usize));
    for (tag, rows) in [("thead", head), ("tbody", body)] {
        if rows.is_empty() {
            continue;
        }
        within(tag, out, |out| {
            out.push('\n');
            for row in rows {
                within("tr", out, |out| row.cells.iter().for_each(|cell| write_cell(cell, out)));
                out.push('\n');
            }
        });
        out.push('\n');
    }
}

fn write_cell(cell: &Cell, out: &mut String) {
    let tag = if cell.header { "th" } else { "td" };
    out.push('<');
    out.push_str(tag);
    for (name, count) in [("colspan", cell.columns), ("rowspan", cell.rows)] {
        if count != 1 {
            attribute(name, &count.to_string(), out);
        }
    }
    out.push('>');
    content_of(&cell.blocks, out);
    out.push_str("</");
    out.push_str(tag);
    out.push('>');
}

fn inlines(inlines: &[Inline], out: &mut String) {
    for inline in inlines {
        match inline {
            Inline::Text { text } => push_escaped(text, out),
            Inline::Emphasis { content } => element("em", content, out),
            Inline::Strong { content } => element("strong", content, out),
            Inline::Deleted { content } => element("del", content, out),
            Inline::Superscript { content } => element("sup", content, out),
            Inline::Subscript { content } => element("sub", content, out),
            Inline::Code { text } => within("code", out, |out| push_escaped(text, out)),
            Inline::Link { url, content } => link(url, content, out),
            Inline::Image { url, alt } => {
                out.push_str("<img");
                attribute("src", url, out);
                attribute("alt", alt, out);
                out.push('>');
            }
            Inline::Formula { tex } => {
                out.push_str("<span class=\"math\">\\(");
                push_escaped(tex, out);
                out.push_str("\\)</span>");
            }
            Inline::Note { label } => {
                out.push_str("<sup><a role=\"doc-noteref\"");
                attribute("href", &format!("#fn-{label}"), out);
                out.push('>');
                push_escaped(label, out);
                out.push_str("</a></sup>");
            }
            Inline::LineBreak => out.push_str("<br>"),
        }
    }
}

fn link(url: &str, content: &[Inline], out: &mut String) {
    out.push_str("<a");
    attribute("href", url, out);
    out.push('>');
    inlines(content, out);
    out.push_str("</a>");
}

fn element(tag: &str, content: &[Inline], out: &mut String) {
    within(tag, out, |out| inlines(content, out));
}

fn within(tag: &str, out: &mut String, inner: impl FnOnce(&mut String)) {
    out.push('<');
    out.push_str(tag);
    out.push('>');
    inner(out);
    out.push_str("</");
    out.push_str(tag);
    out.push('>');
}

fn attribute(name: &str, value: &str, out: &mut String) {
    out.push(' ');
    out.push_str(name);
    out.push_str("=\"");
    push_escaped(value, out);
    out.push('"');
}

/// The text with the signs that HTML reads replaced, for contents and quoted attributes.
pub(crate) fn escape_html(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    push_escaped(text, &mut escaped);
    escaped
}

fn push_escaped(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::document::ListEntry;

    use super::*;

    #[test]
    fn what_is_written_from_right_to_left_says_so() {
        let paragraph = |text: &str| Block::Paragraph { content: vec![Inline::Text { text: text.to_owned() }] };
        let code = |text: &str| Block::Code { language: None, text: text.to_owned() };
        let entries = vec![ListEntry { blocks: vec![paragraph("العنصر الأول")], done: None }];
        let list = List { ordered: false, start: 1, reversed: false, numbering: None, entries };
        let link = Inline::Link {
            url: "https://example.org/long/address".to_owned(),
            content: vec![Inline::Text { text: "שלום".to_owned() }],
        };
        for (block, expected) in [
            (paragraph("Linux هو نظام تشغيل"), "<p dir=\"rtl\">Linux هو نظام تشغيل</p>\n"),
            (paragraph("The word سلام is a greeting"), "<p>The word سلام is a greeting</p>\n"),
            (Block::List(list), "<ul dir=\"rtl\">\n<li>العنصر الأول</li>\n</ul>\n"),
            (
                Block::Heading { level: 2, content: vec![link] },
                "<h2 dir=\"rtl\"><a href=\"https://example.org/long/address\">שלום</a></h2>\n",
            ),
            (paragraph("日本語"), "<p>日本語</p>\n"),
            (
                Block::Quote { blocks: vec![paragraph("قال"), code("let long_name = \"א\";")] },
                "<blockquote dir=\"rtl\">\n<p>قال</p>\n<pre dir=\"ltr\"><code>let long_name = &quot;א&quot;;\n</code></pre>\n\
                </blockquote>\n",
            ),
            (code("// تعليق"), "<pre><code>// تعليق\n</code></pre>\n"),
        ] {
            assert_eq!(to_html(&Document { blocks: vec![block] }), expected);
        }
    }
}
