//! Clean HTML: structure, links and images, nothing that runs or styles.

use super::{Content, ContentBlock, Inline, Shape, Style};

/// The content as HTML of a fixed set of elements; every text and attribute is escaped, every URL is `http`, `https` or `mailto`.
pub fn to_html(content: &Content) -> String {
    let mut writer = Writer::default();
    for block in &content.blocks {
        writer.block(block);
    }
    writer.finish()
}

/// An element that stays open over several blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    Quote,
    List { ordered: bool },
    Item,
    Table(u32),
    Row(u32),
    Cell { header: bool },
    Definitions,
}

impl Open {
    fn start(self) -> &'static str {
        match self {
            Self::Quote => "<blockquote>\n",
            Self::List { ordered: true } => "<ol>\n",
            Self::List { ordered: false } => "<ul>\n",
            Self::Item => "<li>",
            Self::Table(_) => "<table>\n",
            Self::Row(_) => "<tr>",
            Self::Cell { header: true } => "<th>",
            Self::Cell { header: false } => "<td>",
            Self::Definitions => "<dl>\n",
        }
    }

    fn end(self) -> &'static str {
        match self {
            Self::Quote => "</blockquote>\n",
            Self::List { ordered: true } => "</ol>\n",
            Self::List { ordered: false } => "</ul>\n",
            Self::Item => "</li>\n",
            Self::Table(_) => "</table>\n",
            Self::Row(_) => "</tr>\n",
            Self::Cell { header: true } => "</th>",
            Self::Cell { header: false } => "</td>",
            Self::Definitions => "</dl>\n",
        }
    }
}

#[derive(Default)]
struct Writer {
    out: String,
    open: Vec<Open>,
}

impl Writer {
    fn block(&mut self, block: &ContentBlock) {
        let wanted = frames(block);
        let common = self.open.iter().zip(&wanted).take_while(|(a, b)| a == b).count();
        let keeps_leaf = is_continued(block.shape) && common == wanted.len();
        self.close_to(if keeps_leaf { common } else { common.min(wanted.len() - usize::from(ends_in_leaf(&wanted))) });
        for frame in &wanted[self.open.len()..] {
            if matches!(frame, Open::List { .. }) && !self.out.ends_with('\n') {
                self.out.push('\n');
            }
            self.out.push_str(frame.start());
            self.open.push(*frame);
        }
        if keeps_leaf {
            self.out.push_str("<br>");
        }
        self.leaf(block);
    }

    fn leaf(&mut self, block: &ContentBlock) {
        let words = inlines(block);
        let text = match block.shape {
            Shape::Heading(level) => format!("<h{level}>{words}</h{level}>\n"),
            Shape::Item { .. } | Shape::Cell { .. } => words,
            Shape::Preformatted => format!("<pre>{}</pre>\n", escape_html(&block.plain_text())),
            Shape::Term => format!("<dt>{words}</dt>\n"),
            Shape::Definition => format!("<dd>{words}</dd>\n"),
            Shape::Caption => format!("<p><em>{words}</em></p>\n"),
            Shape::Paragraph => format!("<p>{words}</p>\n"),
        };
        self.out.push_str(&text);
    }

    fn close_to(&mut self, depth: usize) {
        while self.open.len() > depth {
            if let Some(frame) = self.open.pop() {
                self.out.push_str(frame.end());
            }
        }
    }

    fn finish(mut self) -> String {
        self.close_to(0);
        self.out
    }
}

/// Whether the innermost element belongs to one block alone, so that a second of its kind is another one.
fn ends_in_leaf(frames: &[Open]) -> bool {
    matches!(frames.last(), Some(Open::Item | Open::Cell { .. }))
}

fn is_continued(shape: Shape) -> bool {
    matches!(shape, Shape::Item { continued: true, .. } | Shape::Cell { continued: true, .. })
}

/// The elements around a block.
fn frames(block: &ContentBlock) -> Vec<Open> {
    let mut frames = vec![Open::Quote; usize::from(block.quotes)];
    match block.shape {
        Shape::Item { depth, number, .. } => {
            for level in 1..=depth {
                let ordered = level == depth && number.is_some();
                frames.extend([Open::List { ordered }, Open::Item]);
            }
        }
        Shape::Cell { table, row, header, .. } => {
            frames.extend([Open::Table(table), Open::Row(row), Open::Cell { header }]);
        }
        Shape::Term | Shape::Definition => frames.push(Open::Definitions),
        _ => {}
    }
    frames
}

fn inlines(block: &ContentBlock) -> String {
    block.inlines.iter().map(inline).collect()
}

fn inline(inline: &Inline) -> String {
    match inline {
        Inline::Break => "<br>".to_owned(),
        Inline::Image { url, alt } => format!("<img src=\"{}\" alt=\"{}\">", escape_html(url), escape_html(alt)),
        Inline::Text { text, style, link } => {
            let words = styled(&escape_html(text), *style);
            match link {
                Some(url) => format!("<a href=\"{}\">{words}</a>", escape_html(url)),
                None => words,
            }
        }
    }
}

fn styled(words: &str, style: Style) -> String {
    let mut words = words.to_owned();
    for (set, tag) in [(style.code, "code"), (style.emphasis, "em"), (style.strong, "strong")] {
        if set && !words.trim().is_empty() {
            words = format!("<{tag}>{words}</{tag}>");
        }
    }
    words
}

/// The text with the signs that HTML reads replaced, for contents and quoted attributes.
pub fn escape_html(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}
