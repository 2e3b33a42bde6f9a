//! Plain text that reads.

use super::{Content, ContentBlock, Shape};

/// The content as plain text: an empty line between paragraphs, headings and lists, `-` before items (their numbers are no words of the page), cells of a row
/// apart by ` | `. Words of different blocks are never glued.
pub fn to_text(content: &Content) -> String {
    let mut text = String::new();
    let mut before: Option<&ContentBlock> = None;
    for block in &content.blocks {
        let words = block.plain_text();
        if words.trim().is_empty() {
            continue;
        }
        if let Some(before) = before {
            text.push_str(separator(before.shape, block.shape));
        }
        text.push_str(&prefix(block.shape));
        text.push_str(&words);
        before = Some(block);
    }
    text
}

/// What stands between two blocks.
fn separator(before: Shape, after: Shape) -> &'static str {
    match (before, after) {
        (Shape::Cell { table: a, row: x, .. }, Shape::Cell { table: b, row: y, continued, .. }) if a == b => {
            match (x == y, continued) {
                (true, true) => " ",
                (true, false) => " | ",
                (false, _) => "\n",
            }
        }
        (Shape::Item { .. }, Shape::Item { .. }) | (Shape::Term | Shape::Definition, Shape::Definition) => "\n",
        _ => "\n\n",
    }
}

fn prefix(shape: Shape) -> String {
    match shape {
        Shape::Item { depth, continued: true, .. } => "  ".repeat(usize::from(depth)),
        Shape::Item { depth, .. } => format!("{}- ", "  ".repeat(usize::from(depth) - 1)),
        Shape::Definition => "    ".to_owned(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Inline, content_of, to_html, to_markdown};
    use super::*;
    use crate::cst::{self, Profile};
    use crate::dom;
    use crate::limits::Limits;

    fn content(html: &str) -> Content {
        let limits = Limits::default();
        let dom = dom::parse(html, &limits);
        let tree = cst::build(&dom, Profile::Modern, &limits);
        content_of(&dom, &tree, "https://e.org/a/b", &vec![true; tree.runs().len()])
    }

    const PAGE: &str = "<h1>Mills</h1><p>Old <b>wind</b> mills <a href='../s?a=1&b=2'>turn</a>.<br>Slowly.</p>
        <ul><li>one<li>two<ol><li>first<li>second</ol></ul>
        <table><tr><th>Name<th>Year<tr><td>Red | mill<td>1890</table>
        <pre>let x = 1;\n  y</pre><blockquote><p>Said so</p></blockquote>
        <figure><img src=/m.jpg alt='A mill'><figcaption>The mill</figcaption></figure>
        <dl><dt>sail</dt><dd>a cloth</dd></dl><p><a href='javascript:x()'>bad</a> &lt;b&gt; *star*</p>";

    #[test]
    fn text_reads() {
        let expected = "Mills\n\nOld wind mills turn.\nSlowly.\n\n- one\n- two\n  - first\n  - second\n\nName | Year\n\
            Red | mill | 1890\n\nlet x = 1;\n  y\n\nSaid so\n\nThe mill\n\nsail\n\n    a cloth\n\nbad <b> *star*";
        assert_eq!(to_text(&content(PAGE)), expected.replace("sail\n\n    a", "sail\n    a"));
        assert_eq!(content(PAGE).images(), ["https://e.org/m.jpg"]);
    }

    #[test]
    fn markdown_keeps_structure_and_escapes_signs() {
        let expected = "# Mills\n\nOld **wind** mills [turn](https://e.org/s?a=1&b=2).  \nSlowly.\n\n- one\n- two\n  1. first\n  2. second\n\n\
            | Name | Year |\n| --- | --- |\n| Red \\| mill | 1890 |\n\n```\nlet x = 1;\n  y\n```\n\n> Said so\n\n\
            ![A mill](https://e.org/m.jpg)\n\n*The mill*\n\n**sail**\n: a cloth\n\nbad \\<b\\> \\*star\\*\n";
        assert_eq!(to_markdown(&content(PAGE)), expected);
    }

    #[test]
    fn html_is_clean() {
        let html = to_html(&content(PAGE));
        assert!(html.starts_with("<h1>Mills</h1>\n<p>Old <strong>wind</strong> mills <a href=\"https://e.org/s?a=1&amp;b=2\">turn</a>.<br>Slowly.</p>"));
        assert!(
            html.contains("<ul>\n<li>one</li>\n<li>two\n<ol>\n<li>first</li>\n<li>second</li>\n</ol>\n</li>\n</ul>"),
            "{html}"
        );
        assert!(html.contains("<tr><th>Name</th><th>Year</th></tr>\n<tr><td>Red | mill</td><td>1890</td></tr>"));
        assert!(html.contains("<blockquote>\n<p>Said so</p>\n</blockquote>"));
        assert!(html.contains("<dl>\n<dt>sail</dt>\n<dd>a cloth</dd>\n</dl>"));
        assert!(html.contains("bad &lt;b&gt; *star*") && !html.contains("javascript"));
    }

    #[test]
    fn marked_up_code_keeps_its_lines() {
        let code = content("<pre><span>a</span> <span>b</span>\n<span>  c</span>\n\n<b>d</b></pre>");
        assert_eq!(to_text(&code), "a b\n  c\n\nd");
        assert_eq!(to_markdown(&code), "```\na b\n  c\n\nd\n```\n");
    }

    #[test]
    fn words_are_not_glued() {
        let block = content("<td>a</td><div>b</div>c<span>d</span> <i>e</i>");
        assert_eq!(to_text(&block), "a\n\nb\n\ncd e");
        assert!(matches!(block.blocks[2].inlines[0], Inline::Text { .. }));
    }
}
