//! A document written as Markdown and read by another parser is the same document.

mod support;

use lopper_content::document::{Block, Cell, Definition, Document, Inline, List, ListEntry, Row, Table, to_markdown};
use proptest::prelude::*;
use support::{common, extended, push_text, read};

/// Words with all signs that Markdown reads.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[a-z]{1,5}",
        3 => r"[a-z*_`\\\[\]()<>&#!|~$+.=:^{}@,;'-]{1,7}",
        1 => r"[0-9]{1,3}[.)]",
        1 => prop::sample::select(vec!["-", "+", ">", "#", "---", "===", "```", "[a]:", "&amp;", "<b>", "](x)", "!", "é", "語", "«a»", "1.", "|", ":", "[^1]", "~~~", "\\"])
            .prop_map(str::to_owned),
    ]
}

/// A piece of a line: whether a blank stands before it, and what it is.
type Piece = (bool, Inline);

fn leaf(math: bool) -> BoxedStrategy<Inline> {
    let text = word().prop_map(|text| Inline::Text { text });
    let code = "[a-z`|*<\\\\]{1,6}".prop_map(|text| Inline::Code { text });
    let image = (word(), "[a-z/()&=_*]{1,8}").prop_map(|(alt, url)| Inline::Image { url: encoded(&url), alt });
    if math {
        let tex = r"[a-z^_|+]{1,6}|\\[a-z]{2}\{[a-z|]\} \\?[a-z|]".prop_map(|tex| Inline::Formula { tex });
        let note = "[0-9]".prop_map(|label| Inline::Note { label });
        return prop_oneof![6 => text, 2 => code, 1 => image, 2 => tex, 1 => note].boxed();
    }
    prop_oneof![6 => text, 2 => code, 1 => image].boxed()
}

/// What a URL with signs that end it becomes.
fn encoded(url: &str) -> String {
    url.replace('(', "%28").replace(')', "%29")
}

fn pieces(inline: BoxedStrategy<Inline>) -> impl Strategy<Value = Vec<Inline>> {
    prop::collection::vec((any::<bool>(), inline), 1..5).prop_map(|pieces: Vec<Piece>| joined(pieces))
}

/// Pieces as a line: texts in a row are one, stretches of code and equal settings have something between them.
fn joined(pieces: Vec<Piece>) -> Vec<Inline> {
    let mut line: Vec<Inline> = Vec::new();
    for (blank, inline) in pieces {
        push(&mut line, blank, inline);
    }
    line
}

fn push(line: &mut Vec<Inline>, blank: bool, inline: Inline) {
    let same_kind = line.last().is_some_and(|last| std::mem::discriminant(last) == std::mem::discriminant(&inline));
    let is_image = matches!(inline, Inline::Image { .. });
    let is_text = matches!(inline, Inline::Text { .. });
    let after_note = matches!(line.last(), Some(Inline::Note { .. }));
    if !line.is_empty() && (blank || after_note || is_image || (same_kind && !is_text)) {
        push_text(line, " ");
    }
    match inline {
        Inline::Text { text } => push_text(line, &text),
        other => line.push(other),
    }
}

fn inlines(math: bool) -> BoxedStrategy<Vec<Inline>> {
    let set = |content: BoxedStrategy<Vec<Inline>>| {
        (0..6_u8, content, "[a-z/?=&_]{1,6}").prop_map(|(kind, content, url)| match kind {
            0 => Inline::Emphasis { content },
            1 => Inline::Strong { content },
            2 => Inline::Superscript { content },
            3 => Inline::Subscript { content },
            5 => Inline::Deleted { content },
            _ => Inline::Link { url, content },
        })
    };
    let inner = prop_oneof![4 => leaf(math), 1 => set(pieces(leaf(math)).boxed())].boxed();
    let outer = prop_oneof![4 => leaf(math), 2 => set(pieces(inner).boxed())].boxed();
    pieces(outer).prop_map(without_repeats).boxed()
}

/// A setting within the same setting is left out, as is a link without words.
fn without_repeats(line: Vec<Inline>) -> Vec<Inline> {
    let mut out = Vec::new();
    for inline in line {
        if let Some(inline) = flat(inline, &[]) {
            push(&mut out, false, inline);
        }
    }
    out
}

fn flat(inline: Inline, around: &[u8]) -> Option<Inline> {
    let (kind, content) = match inline {
        Inline::Emphasis { content } => (0, content),
        Inline::Strong { content } => (1, content),
        Inline::Superscript { content } => (2, content),
        Inline::Subscript { content } => (3, content),
        Inline::Deleted { content } => (5, content),
        Inline::Link { ref url, ref content } => {
            let inner = inner(content.clone(), &[around, &[4]].concat());
            let url = url.clone();
            return (!inner.is_empty() && !around.contains(&4)).then_some(Inline::Link { url, content: inner });
        }
        other => return Some(other),
    };
    if around.contains(&kind) {
        return None;
    }
    let content = inner(content, &[around, &[kind]].concat());
    if content.is_empty() {
        return None;
    }
    Some(match kind {
        0 => Inline::Emphasis { content },
        1 => Inline::Strong { content },
        2 => Inline::Superscript { content },
        5 => Inline::Deleted { content },
        _ => Inline::Subscript { content },
    })
}

fn inner(content: Vec<Inline>, around: &[u8]) -> Vec<Inline> {
    let mut out = Vec::new();
    for inline in content {
        let is_note = matches!(inline, Inline::Note { .. });
        if let Some(inline) = flat(inline, around).filter(|_| !(is_note && around.contains(&4))) {
            push(&mut out, false, inline);
        }
    }
    trimmed(out)
}

/// Without blanks at the ends.
fn trimmed(mut line: Vec<Inline>) -> Vec<Inline> {
    if let Some(Inline::Text { text }) = line.first_mut() {
        *text = text.trim_start().to_owned();
    }
    if let Some(Inline::Text { text }) = line.last_mut() {
        *text = text.trim_end().to_owned();
    }
    line.retain(|inline| !matches!(inline, Inline::Text { text } if text.is_empty()));
    line
}

fn line(math: bool) -> BoxedStrategy<Vec<Inline>> {
    inlines(math).prop_map(trimmed).prop_filter("empty", |line| !line.is_empty()).boxed()
}

/// A paragraph of one or two lines.
fn paragraph(math: bool) -> BoxedStrategy<Vec<Inline>> {
    let two = (line(math), line(math)).prop_map(|(mut first, second)| {
        first.push(Inline::LineBreak);
        first.extend(second);
        first
    });
    prop_oneof![4 => line(math), 1 => two].boxed()
}

fn table(math: bool) -> impl Strategy<Value = Block> {
    let cell =
        prop_oneof![1 => Just(Vec::new()), 3 => paragraph(math).prop_map(|content| vec![Block::Paragraph { content }])];
    (1..4_usize, 1..4_usize, any::<bool>()).prop_flat_map(move |(columns, rows, headed)| {
        prop::collection::vec(prop::collection::vec(cell.clone(), columns), rows).prop_map(move |rows| {
            let cell = |blocks: Vec<Block>| Cell { blocks, ..Cell::default() };
            let rows: Vec<Row> =
                rows.into_iter().map(|row| Row { cells: row.into_iter().map(cell).collect() }).collect();
            let head = rows[0].cells.iter().any(|cell| !cell.blocks.is_empty());
            Block::Table(Table { caption: Vec::new(), head_rows: u32::from(headed && head), rows })
        })
    })
}

fn blocks(math: bool) -> impl Strategy<Value = Vec<Block>> {
    let code = ("[a-z]{0,4}", r"[a-z`~#>*|$ \\-]{0,6}(\n[a-z`~#>*|$ \\-]{0,6}){0,3}").prop_map(|(language, text)| {
        Block::Code { language: Some(language).filter(|language| !language.is_empty()), text }
    });
    let simple = prop_oneof![
        4 => paragraph(math).prop_map(|content| Block::Paragraph { content }),
        2 => (1..7_u8, line(math)).prop_map(|(level, content)| Block::Heading { level, content }),
        2 => code,
        2 => table(math),
        1 => Just(Block::Rule),
    ];
    let block = simple.prop_recursive(3, 24, 4, |inner| {
        let inside = || prop::collection::vec(inner.clone(), 1..4);
        prop_oneof![
            2 => inside().prop_map(|blocks| Block::Quote { blocks }),
            3 => (any::<bool>(), 0..2000_u32, prop::collection::vec((inside(), prop::option::weighted(0.2, any::<bool>())), 1..4)).prop_map(|(ordered, start, entries)| {
                let entry = |(blocks, done): (Vec<Block>, Option<bool>)| {
                    let done = done.filter(|_| matches!(blocks.first(), Some(Block::Paragraph { .. })));
                    ListEntry { blocks, done }
                };
                let entries = entries.into_iter().map(entry).collect();
                Block::List(List { ordered, start: if ordered { start } else { 1 }, entries, ..List::default() })
            }),
        ]
    });
    prop::collection::vec(block, 1..5)
}

/// Documents in which a line of words is what Markdown can say.
fn documents(math: bool) -> impl Strategy<Value = Document> {
    blocks(math).prop_map(|blocks| Document { blocks })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_document_is_read_back_by_common_mark_with_tables(document in documents(false)) {
        let markdown = to_markdown(&document);
        prop_assert_eq!(&read(&markdown, common()), &document, "{}", markdown);
    }

    #[test]
    fn a_document_with_formulas_is_read_back(document in documents(true)) {
        let mut document = document;
        document.blocks.push(Block::Formula { tex: r"- \frac{a}{b} |x|".to_owned() });
        document.blocks.extend((0..10).map(|label| Block::Footnote {
            label: label.to_string(),
            blocks: vec![Block::Paragraph { content: vec![Inline::Text { text: "a note".to_owned() }] }],
        }));
        let markdown = to_markdown(&document);
        let notes = |document: &Document| document.blocks.iter().filter(|b| matches!(b, Block::Footnote { .. })).count();
        prop_assert_eq!(notes(&document), 10);
        document.blocks.retain(|block| !matches!(block, Block::Footnote { .. }));
        prop_assert_eq!(&read(&markdown, extended()), &document, "{}", markdown);
    }
}

#[test]
fn definitions_are_read_back() {
    let words = |text: &str| vec![Inline::Text { text: text.to_owned() }];
    let paragraph = |text: &str| Block::Paragraph { content: words(text) };
    let entries = vec![
        Definition { terms: vec![words("a")], definitions: vec![vec![paragraph("c")]] },
        Definition {
            terms: vec![words("d")],
            definitions: vec![vec![paragraph("e"), paragraph("f")], vec![paragraph("g")]],
        },
    ];
    let document = Document { blocks: vec![Block::Definitions { entries }, paragraph(": x")] };
    assert_eq!(read(&to_markdown(&document), extended()), document);
}
