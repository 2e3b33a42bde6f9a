//! Control characters, which a terminal obeys: no text of a document holds any but tabs and the ends of lines.

use super::{Block, Document, Inline};

/// Whether a text holds control characters that are no white space between words.
pub(crate) fn has_controls(text: &str) -> bool {
    may_have_controls(text) && text.contains(|c: char| c.is_control() && !c.is_whitespace())
}

/// All bytes are looked at without a branch, since nearly no text holds any. Those of two bytes begin with `0xC2`.
fn may_have_controls(text: &str) -> bool {
    let may_be = |byte: u8| matches!(byte, 0..=0x08 | 0x0b..=0x1f | 0x7f | 0xc2);
    text.bytes().fold(false, |found, byte| found | may_be(byte))
}

/// The text without control characters but tabs and line feeds.
pub(super) fn drop_controls_of(text: &mut String) {
    if may_have_controls(text) {
        text.retain(|c| !c.is_control() || matches!(c, '\n' | '\t'));
    }
}

impl Document {
    /// Leaves control characters out of all texts.
    pub(crate) fn drop_controls(&mut self) {
        of_blocks(&mut self.blocks);
    }
}

fn of_blocks(blocks: &mut [Block]) {
    for block in blocks {
        match block {
            Block::Heading { content, .. } | Block::Paragraph { content } => of_inlines(content),
            Block::List(list) => list.entries.iter_mut().for_each(|entry| of_blocks(&mut entry.blocks)),
            Block::Definitions { entries } => {
                for entry in entries {
                    entry.terms.iter_mut().for_each(|term| of_inlines(term));
                    entry.definitions.iter_mut().for_each(|blocks| of_blocks(blocks));
                }
            }
            Block::Table(table) => {
                of_inlines(&mut table.caption);
                let cells = table.rows.iter_mut().flat_map(|row| &mut row.cells);
                cells.for_each(|cell| of_blocks(&mut cell.blocks));
            }
            Block::Quote { blocks } => of_blocks(blocks),
            Block::Footnote { label, blocks } => {
                drop_controls_of(label);
                of_blocks(blocks);
            }
            Block::Figure { blocks, caption } => {
                of_blocks(blocks);
                of_inlines(caption);
            }
            Block::Code { text, .. } | Block::Formula { tex: text } => drop_controls_of(text),
            Block::Rule => {}
        }
    }
}

fn of_inlines(inlines: &mut [Inline]) {
    for inline in inlines {
        match inline {
            Inline::Text { text }
            | Inline::Code { text }
            | Inline::Formula { tex: text }
            | Inline::Note { label: text } => {
                drop_controls_of(text);
            }
            Inline::Link { url, content } => {
                drop_controls_of(url);
                of_inlines(content);
            }
            Inline::Image { url, alt } => {
                drop_controls_of(url);
                drop_controls_of(alt);
            }
            Inline::Emphasis { content }
            | Inline::Strong { content }
            | Inline::Deleted { content }
            | Inline::Superscript { content }
            | Inline::Subscript { content } => of_inlines(content),
            Inline::LineBreak => {}
        }
    }
}
