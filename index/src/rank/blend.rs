//! The ranking function: one sum, its parts and their weights.

use serde::{Deserialize, Serialize};

use super::Evidence;

/// What speaks for a block. Each part is a number in about [0, 1]; 1 speaks most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// BM25F of the block over heading path, lead, body, image text, names, and the page's title, description and URL, as a
    /// share of the most that the query could give.
    Bm25f,
    /// BM25 of the whole page, as such a share.
    Page,
    /// The page's evidence where the block lacks the query's words: `page · (1 − window)`.
    PageBeyondBlock,
    /// The best [`Part::Bm25f`] of the page's candidates.
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
}

/// Number of [`Part`]s.
pub const PARTS: usize = 25;

impl Part {
    /// All parts, in the order of [`Evidence`].
    pub const ALL: [Self; PARTS] = [
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
    ];

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
        }
    }
}

/// The weight of each part, in the order of [`Part::ALL`]; all ≥ 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BlendWeights(pub [f32; PARTS]);

impl Default for BlendWeights {
    /// Fitted on judged queries by coordinate ascent and random steps; `docs/RANKING.md` tells how, and what they give.
    fn default() -> Self {
        Self([
            1.0, 0.8, 0.0, 0.0, 0.0, 0.07, 0.6, 0.23, 0.3, 0.0, 0.0, 0.31, 0.61, 0.08, 0.0, 0.71, 0.6, 0.43, 1.26,
            0.07, 1.7, 0.65, 0.1, 0.1, 0.0,
        ])
    }
}

impl BlendWeights {
    /// The cosine alone.
    pub(crate) fn cosine() -> Self {
        let mut weights = [0.0; PARTS];
        weights[Part::Cosine as usize] = 1.0;
        Self(weights)
    }

    /// The score of a block: `Σ weight_p · evidence_p`. Summed in the order of the parts, in `f64`.
    pub fn score(&self, evidence: &Evidence) -> f32 {
        self.contributions(evidence).map(|(_, contribution)| f64::from(contribution)).sum::<f64>() as f32
    }

    /// What each part adds to the score; those that add nothing are left out.
    pub fn contributions<'a>(&'a self, evidence: &'a Evidence) -> impl Iterator<Item = (Part, f32)> + 'a {
        let weighed = Part::ALL.into_iter().zip(&self.0).map(|(part, weight)| (part, weight * evidence.of(part)));
        weighed.filter(|(_, contribution)| *contribution != 0.0)
    }
}
