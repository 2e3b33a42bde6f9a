//! The fields of blocks and pages that ranking tells apart.

use tantivy::schema::Field;

use crate::schema::Fields;

/// A field of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BlockField {
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

    pub(super) fn of(self, fields: &Fields) -> Field {
        match self {
            Self::Headings => fields.parts.headings,
            Self::OwnHeading => fields.own_heading,
            Self::Lead => fields.parts.lead,
            Self::Body => fields.parts.body,
            Self::Images => fields.parts.images,
            Self::Names => fields.name_terms,
        }
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

    /// Whether it has the words alone, without further forms of them.
    pub(super) fn has_words_alone(self) -> bool {
        matches!(self, Self::OwnHeading | Self::Lead | Self::Names)
    }
}

impl PageField {
    /// All of them, by number.
    pub(super) const ALL: [Self; 4] = [Self::All, Self::Title, Self::Description, Self::Url];

    pub(super) fn of(self, fields: &Fields) -> Field {
        match self {
            Self::All => fields.page.all,
            Self::Title => fields.page.title,
            Self::Description => fields.page.description,
            Self::Url => fields.page.url,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::All => "page_text",
            Self::Title => "page_title",
            Self::Description => "page_description",
            Self::Url => "page_url",
        }
    }
}
