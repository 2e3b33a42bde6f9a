//! What speaks for a block: named numbers.
//!
//! A feature is added here: its name, and where it is computed from a [`Candidate`](crate::engine::Candidate) and its counts. Whatever can
//! be computed from these needs no other index. A weight for it, in a file or built in, makes it count.

use serde::{Deserialize, Serialize};

/// A feature of a block for a query: a number in about [0, 1]; 1 speaks most for the block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Feature {
    /// BM25F of the block over heading path, lead, body, image text, names, and the page's title, description and URL, as a
    /// share of the most that the query could give.
    Bm25f,
    /// BM25 of the whole page, as such a share.
    Page,
    /// What the page has where the block lacks the query's words: `page · (1 − window)`.
    PageBeyondBlock,
    /// The best [`Feature::Bm25f`] of the page's candidates.
    BestOfPage,
    /// Paper, eq. (1): cosine of the TF-IDF vectors of query and block.
    Cosine,
    /// Share of the query's weight (sum of idf) in the block.
    Coverage,
    /// Most of the query's weight that stands in one window of words.
    Window,
    /// Share of the query's neighbouring words that are neighbours in the block.
    Pairs,
    /// Share of the query's weight in the heading path.
    Headings,
    /// How much the last heading is the query: coverage × precision.
    OwnHeading,
    /// How much the first line is the query: coverage × precision.
    Lead,
    /// Share of the query's weight in the page's title.
    TitleCoverage,
    /// How much the title is the query: coverage × precision.
    Title,
    /// Share of the query's weight in the page's description.
    Description,
    /// Share of the query's weight in the page's URL.
    UrlCoverage,
    /// How much the URL is the query: coverage × precision.
    Url,
    /// How much the names of what opens in the block are the query: coverage × precision.
    Names,
    /// `ln(1 + n) / 10` of the pages that link to the page.
    PageLinks,
    /// The same of the pages that link to the block itself.
    BlockLinks,
    /// `page_links · page`: a page that many link to, and that has the words.
    LinkedPage,
    /// How much the best blocks point to the block: what answers uses it.
    Pointed,
    /// How much the best blocks point to the page.
    PagePointed,
    /// How much the best blocks point to the block by the query's words: a link counts by its text's share of the query's weight.
    Anchors,
    /// How much the best blocks point to the page by the query's words.
    PageAnchors,
    /// Share of the block's words outside links.
    Prose,
    /// Probability that the block is content, by the judge of the page.
    Content,
}

/// Number of [`Feature`]s.
pub const FEATURES: usize = 26;

impl Feature {
    /// All of them, in the order of [`Features`].
    pub const ALL: [Self; FEATURES] = [
        Self::Bm25f,
        Self::Page,
        Self::PageBeyondBlock,
        Self::BestOfPage,
        Self::Cosine,
        Self::Coverage,
        Self::Window,
        Self::Pairs,
        Self::Headings,
        Self::OwnHeading,
        Self::Lead,
        Self::TitleCoverage,
        Self::Title,
        Self::Description,
        Self::UrlCoverage,
        Self::Url,
        Self::Names,
        Self::PageLinks,
        Self::BlockLinks,
        Self::LinkedPage,
        Self::Pointed,
        Self::PagePointed,
        Self::Anchors,
        Self::PageAnchors,
        Self::Prose,
        Self::Content,
    ];

    /// Whether it compares the query with headings, names and the like, or asks its words to stand together: of a name or a few words
    /// that says much, of a sentence little.
    pub fn is_of_few_words(self) -> bool {
        matches!(
            self,
            Self::Coverage
                | Self::Window
                | Self::Pairs
                | Self::Headings
                | Self::OwnHeading
                | Self::Lead
                | Self::TitleCoverage
                | Self::Description
                | Self::UrlCoverage
                | Self::Names
        )
    }

    /// Whether it is made of the places of words.
    pub(super) fn is_of_places(self) -> bool {
        matches!(self, Self::Window | Self::Pairs | Self::PageBeyondBlock)
    }

    /// Its name, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bm25f => "bm25f",
            Self::Page => "page",
            Self::PageBeyondBlock => "page_beyond_block",
            Self::BestOfPage => "best_of_page",
            Self::Cosine => "cosine",
            Self::Coverage => "coverage",
            Self::Window => "window",
            Self::Pairs => "pairs",
            Self::Headings => "headings",
            Self::OwnHeading => "own_heading",
            Self::Lead => "lead",
            Self::TitleCoverage => "title_coverage",
            Self::Title => "title",
            Self::Description => "description",
            Self::UrlCoverage => "url_coverage",
            Self::Url => "url",
            Self::Names => "names",
            Self::PageLinks => "page_links",
            Self::BlockLinks => "block_links",
            Self::LinkedPage => "linked_page",
            Self::Pointed => "pointed",
            Self::PagePointed => "page_pointed",
            Self::Anchors => "anchors",
            Self::PageAnchors => "page_anchors",
            Self::Prose => "prose",
            Self::Content => "content",
        }
    }
}

/// One number a [`Feature`].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Features([f32; FEATURES]);

impl Features {
    /// The number of a feature.
    pub fn of(&self, feature: Feature) -> f32 {
        self.0[feature as usize]
    }

    pub(crate) fn set(&mut self, feature: Feature, value: f32) {
        self.0[feature as usize] = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_numbered_in_their_order() {
        assert!(Feature::ALL.iter().enumerate().all(|(place, feature)| *feature as usize == place));
    }

    #[test]
    fn names_are_those_of_json() {
        for feature in Feature::ALL {
            assert_eq!(serde_json::to_value(feature).unwrap(), feature.name());
        }
    }
}
