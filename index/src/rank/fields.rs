//! The fields of blocks and pages that ranking tells apart.

use crate::layout::{BlockPart, PagePart};

/// A field of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BlockField {
    /// All headings above the block.
    Headings,
    OwnHeading,
    Lead,
    Body,
    Images,
    Names,
}

/// A field of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PageField {
    All,
    Title,
    Description,
    Url,
}

impl BlockField {
    /// All of them, by number.
    pub(super) const ALL: [Self; 6] =
        [Self::Headings, Self::OwnHeading, Self::Lead, Self::Body, Self::Images, Self::Names];

    /// The parts of the joined field that it is made of. Names are not in it.
    pub(super) fn parts(self) -> &'static [BlockPart] {
        match self {
            Self::Headings => &[BlockPart::Headings, BlockPart::OwnHeading],
            Self::OwnHeading => &[BlockPart::OwnHeading],
            Self::Lead => &[BlockPart::Lead],
            Self::Body => &[BlockPart::Body],
            Self::Images => &[BlockPart::Images],
            Self::Names => &[],
        }
    }

    /// The part that tells its length.
    pub(super) fn length_part(self) -> Option<BlockPart> {
        self.parts().first().copied()
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Headings => "headings",
            Self::OwnHeading => "own_heading",
            Self::Lead => "lead",
            Self::Body => "body",
            Self::Images => "images",
            Self::Names => "names",
        }
    }

    /// Whether the words alone count in it, without further forms of them.
    pub(super) fn has_words_alone(self) -> bool {
        matches!(self, Self::OwnHeading | Self::Lead | Self::Names)
    }
}

impl PageField {
    /// All of them, by number.
    pub(super) const ALL: [Self; 4] = [Self::All, Self::Title, Self::Description, Self::Url];

    /// The field that a part of a page's head is.
    pub(super) const HEAD: [(Self, PagePart); PagePart::COUNT] =
        [(Self::Title, PagePart::Title), (Self::Description, PagePart::Description), (Self::Url, PagePart::Url)];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::All => "page_text",
            Self::Title => "page_title",
            Self::Description => "page_description",
            Self::Url => "page_url",
        }
    }
}
