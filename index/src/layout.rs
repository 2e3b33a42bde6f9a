//! Where the parts of a joined field begin, and how long they are.
//!
//! A block's words stand in one field, part behind part, and so do those of a page's title, description and URL. The layout of each
//! document tells the parts apart again: a word is read once, and its positions say where it stands.

use tantivy::TantivyDocument;
use tantivy::schema::Field;

/// A part of the joined field of blocks, in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BlockPart {
    /// The title of the page.
    Title,
    /// The headings above the block, but for the last. Its length is that of all of them.
    Headings,
    /// The last heading.
    OwnHeading,
    Images,
    Lead,
    Body,
}

impl BlockPart {
    pub(crate) const COUNT: usize = 6;
}

/// A part of the joined field of a page's head, in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PagePart {
    Title,
    Description,
    Url,
}

impl PagePart {
    pub(crate) const COUNT: usize = 3;
}

/// The parts of one document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Layout<const PARTS: usize> {
    /// The position at which each part begins; they do not decrease.
    pub(crate) starts: [u32; PARTS],
    /// Words of each part.
    pub(crate) lengths: [u32; PARTS],
}

impl<const PARTS: usize> Default for Layout<PARTS> {
    fn default() -> Self {
        Self { starts: [0; PARTS], lengths: [0; PARTS] }
    }
}

impl<const PARTS: usize> Layout<PARTS> {
    pub(crate) fn set(&mut self, part: usize, start: usize, length: usize) {
        self.starts[part] = u32::try_from(start).unwrap_or(u32::MAX);
        self.lengths[part] = u32::try_from(length).unwrap_or(u32::MAX);
    }

    /// The part that a position is in.
    pub(crate) fn part_of(&self, position: u32) -> usize {
        self.starts[1..].iter().take_while(|start| **start <= position).count()
    }

    /// Writes it into a document: starts, then lengths. The first part begins at 0.
    pub(crate) fn add_to(&self, document: &mut TantivyDocument, field: Field) {
        for number in self.starts[1..].iter().chain(&self.lengths) {
            document.add_u64(field, u64::from(*number));
        }
    }

    /// From the numbers that [`add_to`](Self::add_to) wrote; where some are missing, they are 0.
    pub(crate) fn read(mut numbers: impl Iterator<Item = u64>) -> Self {
        let mut layout = Self::default();
        for number in layout.starts[1..].iter_mut().chain(&mut layout.lengths) {
            *number = numbers.next().and_then(|number| u32::try_from(number).ok()).unwrap_or(0);
        }
        layout
    }
}

#[cfg(test)]
mod tests {
    use tantivy::schema::document::Value;
    use tantivy::schema::{FAST, Schema};

    use super::*;

    #[test]
    fn parts_are_told_by_their_starts() {
        // The second part is empty.
        let layout = Layout { starts: [0, 5, 5, 9], lengths: [5, 0, 4, 2] };
        assert_eq!([0, 4, 5, 8, 9, 100].map(|position| layout.part_of(position)), [0, 0, 2, 2, 3, 3]);
    }

    #[test]
    fn a_layout_comes_back() {
        let mut schema = Schema::builder();
        let field = schema.add_u64_field("layout", FAST);
        let mut layout = Layout::<3>::default();
        layout.set(1, 7, 3);
        layout.set(2, 110, usize::MAX);
        let mut document = TantivyDocument::default();
        layout.add_to(&mut document, field);
        let numbers = document.get_all(field).filter_map(|number| number.as_u64());
        assert_eq!(Layout::read(numbers), layout);
        assert_eq!(Layout::<3>::read(std::iter::empty()), Layout::default());
    }
}
