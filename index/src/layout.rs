//! Where the parts of a joined field begin, and how long they are.
//!
//! A block's words stand in one field, part behind part, and so do those of a page's title, description and URL. The layout of each
//! document tells the parts apart again: a word is read once, and its positions say where it stands.

/// A part of the joined field of blocks, in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockPart {
    /// The title of the page.
    Title,
    /// The headings above the block, but for the last. Its length is that of all of them.
    Headings,
    /// The last heading.
    OwnHeading,
    /// Texts of images.
    Images,
    /// The block's first line.
    Lead,
    /// Its text.
    Body,
}

impl BlockPart {
    /// Number of parts.
    pub const COUNT: usize = 6;
}

/// A part of the joined field of a page's head, in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PagePart {
    /// Its title.
    Title,
    /// Its description.
    Description,
    /// The words of its URL.
    Url,
}

impl PagePart {
    /// Number of parts.
    pub const COUNT: usize = 3;
}

/// The parts of one document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout<const PARTS: usize> {
    /// The position at which each part begins; they do not decrease.
    pub starts: [u32; PARTS],
    /// Words of each part.
    pub lengths: [u32; PARTS],
}

impl<const PARTS: usize> Default for Layout<PARTS> {
    fn default() -> Self {
        Self { starts: [0; PARTS], lengths: [0; PARTS] }
    }
}

impl<const PARTS: usize> Layout<PARTS> {
    /// Its [`numbers`](Self::numbers) are so many.
    pub(crate) const NUMBERS: usize = 2 * PARTS - 1;

    pub(crate) fn set(&mut self, part: usize, start: usize, length: usize) {
        self.starts[part] = u32::try_from(start).unwrap_or(u32::MAX);
        self.lengths[part] = u32::try_from(length).unwrap_or(u32::MAX);
    }

    /// The part that a position is in.
    pub fn part_of(&self, position: u32) -> usize {
        self.starts[1..].iter().take_while(|start| **start <= position).count()
    }

    /// Its numbers: starts, then lengths. The first part begins at 0.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = u32> {
        self.starts[1..].iter().chain(&self.lengths).copied()
    }

    /// From the numbers that [`numbers`](Self::numbers) gave; where some are missing, they are 0.
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
    use super::*;

    #[test]
    fn parts_are_told_by_their_starts() {
        // The second part is empty.
        let layout = Layout { starts: [0, 5, 5, 9], lengths: [5, 0, 4, 2] };
        assert_eq!([0, 4, 5, 8, 9, 100].map(|position| layout.part_of(position)), [0, 0, 2, 2, 3, 3]);
    }

    #[test]
    fn a_layout_comes_back() {
        let mut layout = Layout::<3>::default();
        layout.set(1, 7, 3);
        layout.set(2, 110, usize::MAX);
        assert_eq!(Layout::read(layout.numbers().map(u64::from)), layout);
        assert_eq!(Layout::<3>::read(std::iter::empty()), Layout::default());
    }
}
