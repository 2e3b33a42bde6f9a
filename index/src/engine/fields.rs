//! The fields of blocks and pages that ranking tells apart.

use crate::layout::{BlockPart, PagePart};

/// A field of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockField {
    /// All headings above the block.
    Headings,
    /// The last of them.
    OwnHeading,
    /// The block's first line.
    Lead,
    /// Its text.
    Body,
    /// Texts of its images.
    Images,
    /// Names of what opens in it.
    Names,
}

/// A field of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageField {
    /// Title, description, URL and the bodies of all blocks.
    All,
    /// Its title.
    Title,
    /// Its description.
    Description,
    /// The words of its URL.
    Url,
}

impl BlockField {
    /// Number of fields.
    pub const COUNT: usize = 6;

    /// All of them, by number.
    pub const ALL: [Self; Self::COUNT] =
        [Self::Headings, Self::OwnHeading, Self::Lead, Self::Body, Self::Images, Self::Names];

    /// The parts of the joined text that it is made of. Names are not in it.
    pub fn parts(self) -> &'static [BlockPart] {
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
    pub fn length_part(self) -> Option<BlockPart> {
        self.parts().first().copied()
    }

    /// Its name, as in JSON.
    pub fn name(self) -> &'static str {
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
    pub fn has_words_alone(self) -> bool {
        matches!(self, Self::OwnHeading | Self::Lead | Self::Names)
    }
}

impl PageField {
    /// Number of fields.
    pub const COUNT: usize = 4;

    /// All of them, by number.
    pub const ALL: [Self; Self::COUNT] = [Self::All, Self::Title, Self::Description, Self::Url];

    /// The field that a part of a page's head is. In these words alone count, and acronyms, without other further forms.
    pub const HEAD: [(Self, PagePart); PagePart::COUNT] =
        [(Self::Title, PagePart::Title), (Self::Description, PagePart::Description), (Self::Url, PagePart::Url)];

    /// Its name, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::All => "page_text",
            Self::Title => "page_title",
            Self::Description => "page_description",
            Self::Url => "page_url",
        }
    }
}
