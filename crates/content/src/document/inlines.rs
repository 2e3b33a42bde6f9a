//! What is asked of inlines and blocks in common.

use super::{Block, Inline};

/// The words of inlines as they read: images left out, formulas as TeX in dollars, line breaks as line feeds.
pub fn plain_text(inlines: &[Inline]) -> String {
    let mut plain = String::new();
    push_plain(inlines, &mut plain);
    plain
}

pub(super) fn push_plain(inlines: &[Inline], plain: &mut String) {
    for inline in inlines {
        match inline {
            Inline::Text { text } | Inline::Code { text } => plain.push_str(text),
            Inline::Formula { tex } => {
                plain.push('$');
                plain.push_str(tex);
                plain.push('$');
            }
            Inline::Note { label } => {
                plain.push('[');
                plain.push_str(label);
                plain.push(']');
            }
            Inline::LineBreak => plain.push('\n'),
            Inline::Image { .. } => {}
            Inline::Emphasis { content }
            | Inline::Strong { content }
            | Inline::Deleted { content }
            | Inline::Link { content, .. }
            | Inline::Superscript { content }
            | Inline::Subscript { content } => push_plain(content, plain),
        }
    }
}

/// Whether any of the inlines is more than an image.
pub fn has_words(inlines: &[Inline]) -> bool {
    inlines.iter().any(|inline| match inline {
        Inline::Text { text } | Inline::Code { text } => !text.trim().is_empty(),
        Inline::Formula { .. } | Inline::Note { .. } => true,
        Inline::LineBreak | Inline::Image { .. } => false,
        Inline::Emphasis { content }
        | Inline::Strong { content }
        | Inline::Deleted { content }
        | Inline::Link { content, .. }
        | Inline::Superscript { content }
        | Inline::Subscript { content } => has_words(content),
    })
}

/// Whether any of the inlines is more than white space: words or an image.
pub fn has_content(inlines: &[Inline]) -> bool {
    inlines.iter().any(|inline| match inline {
        Inline::Image { .. } => true,
        Inline::Emphasis { content }
        | Inline::Strong { content }
        | Inline::Deleted { content }
        | Inline::Link { content, .. }
        | Inline::Superscript { content }
        | Inline::Subscript { content } => has_content(content),
        other => has_words(std::slice::from_ref(other)),
    })
}

/// Visits all inlines of blocks, outer before inner ones.
pub(super) fn for_each_inline<'a>(blocks: &'a [Block], visit: &mut impl FnMut(&'a Inline)) {
    for block in blocks {
        match block {
            Block::Heading { content, .. } | Block::Paragraph { content } => visit_all(content, visit),
            Block::List(list) => list.entries.iter().for_each(|entry| for_each_inline(&entry.blocks, visit)),
            Block::Definitions { entries } => {
                for entry in entries {
                    entry.terms.iter().for_each(|term| visit_all(term, visit));
                    entry.definitions.iter().for_each(|blocks| for_each_inline(blocks, visit));
                }
            }
            Block::Table(table) => {
                visit_all(&table.caption, visit);
                let cells = table.rows.iter().flat_map(|row| &row.cells);
                cells.for_each(|cell| for_each_inline(&cell.blocks, visit));
            }
            Block::Quote { blocks } | Block::Footnote { blocks, .. } => for_each_inline(blocks, visit),
            Block::Figure { blocks, caption } => {
                for_each_inline(blocks, visit);
                visit_all(caption, visit);
            }
            Block::Code { .. } | Block::Formula { .. } | Block::Rule => {}
        }
    }
}

fn visit_all<'a>(inlines: &'a [Inline], visit: &mut impl FnMut(&'a Inline)) {
    for inline in inlines {
        visit(inline);
        if let Inline::Emphasis { content }
        | Inline::Strong { content }
        | Inline::Deleted { content }
        | Inline::Link { content, .. }
        | Inline::Superscript { content }
        | Inline::Subscript { content } = inline
        {
            visit_all(content, visit);
        }
    }
}
