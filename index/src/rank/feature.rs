//! What speaks for a block: named numbers.
//!
//! A feature is added here: its name, and where it is computed from a [`Candidate`](crate::engine::Candidate) and its counts. Whatever can
//! be computed from these needs no other index. A weight for it, in a file or built in, makes it count.

use serde::{Deserialize, Serialize};

use crate::query::QueryShape;

/// A feature of a block for a query: a number in about [0, 1]; 1 speaks most for the block. [`Feature::LeadsOn`] alone speaks against it.
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
    /// The second best of them: one block alone may have the words by chance. 0 where a page has one candidate.
    SecondOfPage,
    /// The best [`Feature::Bm25f`] of the tenth best page among the candidates of the page's site: how much the site is about the query. 0
    /// where a site has fewer.
    TenthOfSite,
    /// How surely the query names the site: `1 / √s` for a word that is in the addresses of all candidates of the page's site, and of
    /// `s` sites so. 0 where the candidates are on fewer than three pages.
    SiteNamed,
    /// Paper, eq. (1): cosine of the TF-IDF vectors of query and block.
    Cosine,
    /// Share of the query's weight (sum of idf) in the block.
    Coverage,
    /// Most of the query's weight that stands in one window of words.
    Window,
    /// Share of the query's neighbouring words that are neighbours in the block, by weight.
    Pairs,
    /// Whether the query is quoted from the block, as a message of an error is: the greatest share of its weight in words in a row, to the
    /// fourth power.
    Verbatim,
    /// Share of the query's weight in the heading path.
    Headings,
    /// How much the last heading is the query: coverage × precision.
    OwnHeading,
    /// How much the first line is the query: coverage × precision.
    Lead,
    /// Whether the query is asked there, nearly word for word: the greater of [`Feature::OwnHeading`] and [`Feature::Lead`] to the sixth
    /// power, of two words or more.
    Asked,
    /// Whether the block is headed by what a definition question asks for: 1.25 times [`Feature::OwnHeading`], at most 1, to the third power, so
    /// that a heading may have a word besides, as `index (relation)`; words that are parts of a name count half. It counts for such questions
    /// alone.
    Definition,
    /// Share of the query's weight in the page's title.
    TitleCoverage,
    /// How much the title is the query: coverage × precision.
    Title,
    /// Whether the query is the page's name: twice [`Feature::Title`], at most 1, so that a title may have as many words besides, as a
    /// site's name or the number of a chapter.
    PageName,
    /// Share of the query's weight in the page's description.
    Description,
    /// Share of the query's weight in the page's URL.
    UrlCoverage,
    /// How much the URL is the query: coverage × precision.
    Url,
    /// How much the names of what opens in the block are the query: coverage × precision.
    Names,
    /// Whether the block says what one thing is, and is about the query: [`Feature::Bm25f`] divided by the words of the names of what opens in
    /// it, and less the longer the block is. 0 where its first line is not its heading or term, or nothing named opens.
    Defines,
    /// `ln(1 + n) / 10` of the pages that link to the page, as far as the page is about the query beside the others.
    PageLinks,
    /// The same of the pages that link to the block itself, as far as the headings above it are the query: they link to it for what these say.
    BlockLinks,
    /// The most that the links to a block of the page leave of this, as far as the block has the words beside the others of the page: the page
    /// answers, but which block of it does the words tell.
    LinksWithin,
    /// `ln(1 + n) / 10 · page`: a page that many link to, and that has the words.
    LinkedPage,
    /// How much the best blocks point to the block: what answers uses it.
    Pointed,
    /// How much the best blocks point to the page.
    PagePointed,
    /// How much the best blocks point to the block by the query's words: a link counts by its text's share of the query's weight.
    Anchors,
    /// How much the best blocks point to the page by the query's words.
    PageAnchors,
    /// How much further links lift the best block of another site than that of the page's own; less of it the more of the site's candidates
    /// are linked to. It balances what links are worth between sites that link much and those that do not, so that links decide within a site.
    LinksElsewhere,
    /// What a list of links leaves to a page that one of them leads to, below 0: [`Feature::Bm25f`] times the greatest share of the query's weight
    /// in a link's text and on its page. 0 where all of these words name the block, too.
    LeadsOn,
    /// Share of the block's words outside links.
    Prose,
    /// Probability that the block is content, by the judge of the page.
    Content,
    /// How likely the query is in the block's language, as a share of the likeliest. 0 where all blocks are in one language.
    Language,
}

/// Words up to which a query is a name or a few words, and from which on it is a sentence.
const FEW_WORDS: (usize, usize) = (4, 8);

/// The same of the name of a page.
const NAME_WORDS: (usize, usize) = (2, 4);

/// The same of links to a block, which know nothing of the query: a long question has a small share of its words in common with any block,
/// and links would decide.
const LINKED_WORDS: (usize, usize) = (12, 24);

/// The same of a query that is asked there: from three words on, since a name alone stands above many blocks.
const ASKED_WORDS: (usize, usize) = (3, 1);

/// The same of a query that is quoted: a few words stand in a row by chance.
const QUOTED_WORDS: (usize, usize) = (5, 3);

/// Words of a query up to which it is looked for as a quotation; reading the places of more takes too long.
const QUOTED_WORDS_MAX: usize = 40;

/// Number of [`Feature`]s.
pub const FEATURES: usize = 38;

impl Feature {
    /// All of them, in the order of [`Features`].
    pub const ALL: [Self; FEATURES] = [
        Self::Bm25f,
        Self::Page,
        Self::PageBeyondBlock,
        Self::BestOfPage,
        Self::SecondOfPage,
        Self::TenthOfSite,
        Self::SiteNamed,
        Self::Cosine,
        Self::Coverage,
        Self::Window,
        Self::Pairs,
        Self::Verbatim,
        Self::Headings,
        Self::OwnHeading,
        Self::Lead,
        Self::Asked,
        Self::Definition,
        Self::TitleCoverage,
        Self::Title,
        Self::PageName,
        Self::Description,
        Self::UrlCoverage,
        Self::Url,
        Self::Names,
        Self::Defines,
        Self::PageLinks,
        Self::BlockLinks,
        Self::LinksWithin,
        Self::LinkedPage,
        Self::Pointed,
        Self::PagePointed,
        Self::Anchors,
        Self::PageAnchors,
        Self::LinksElsewhere,
        Self::LeadsOn,
        Self::Prose,
        Self::Content,
        Self::Language,
    ];

    /// How much of its weight it has for such a query, in [0, 1].
    ///
    /// Features that compare the query with headings, names and the like, or ask its words to stand together, say much of a name or a few
    /// words and little of a sentence: they count in full up to 4 words, not at all from 8 on. A page is named by fewer: 2 and 4. What links to
    /// a block counts less for more than 12 words, not from 24 on. That the query is asked counts from 3 words on, half for two; that it is
    /// quoted from 5 words on, half for four, and not beyond 40.
    ///
    /// ```
    /// use lopper_index::{Feature, QueryShape};
    ///
    /// let shares = |feature: Feature, words: [usize; 4]| words.map(|words| feature.share_for(QueryShape::of(words)));
    /// assert_eq!(shares(Feature::Window, [1, 4, 6, 8]), [1.0, 1.0, 0.5, 0.0]);
    /// assert_eq!(shares(Feature::PageName, [1, 2, 3, 4]), [1.0, 1.0, 0.5, 0.0]);
    /// assert_eq!(shares(Feature::Asked, [1, 2, 3, 100]), [0.0, 0.5, 1.0, 1.0]);
    /// assert_eq!(shares(Feature::Verbatim, [3, 4, 40, 41]), [0.0, 0.5, 1.0, 0.0]);
    /// assert_eq!(shares(Feature::Bm25f, [1, 4, 8, 100]), [1.0; 4]);
    /// let definition = QueryShape { words: 1, asks_definition: true };
    /// assert_eq!([definition, QueryShape::of(1)].map(|shape| Feature::Definition.share_for(shape)), [1.0, 0.0]);
    /// ```
    pub fn share_for(self, QueryShape { words, asks_definition }: QueryShape) -> f32 {
        if self == Self::Definition {
            return f32::from(u8::from(asks_definition));
        }
        if self == Self::Verbatim && words > QUOTED_WORDS_MAX {
            return 0.0;
        }
        let Some((all, none)) = self.words_counted() else { return 1.0 };
        let counts = words.cmp(&none) == all.cmp(&none);
        if counts { (words.abs_diff(none) as f32 / all.abs_diff(none) as f32).min(1.0) } else { 0.0 }
    }

    /// How many words of a query it counts in full for, and how many not at all for, with those beyond.
    fn words_counted(self) -> Option<(usize, usize)> {
        match self {
            Self::Coverage
            | Self::Window
            | Self::Pairs
            | Self::Headings
            | Self::OwnHeading
            | Self::Lead
            | Self::TitleCoverage
            | Self::Description
            | Self::UrlCoverage
            | Self::Names => Some(FEW_WORDS),
            Self::PageName => Some(NAME_WORDS),
            Self::BlockLinks | Self::LinksWithin => Some(LINKED_WORDS),
            Self::Asked => Some(ASKED_WORDS),
            Self::Verbatim => Some(QUOTED_WORDS),
            _ => None,
        }
    }

    /// Whether it is made of links.
    pub(super) fn is_of_links(self) -> bool {
        matches!(
            self,
            Self::PageLinks
                | Self::BlockLinks
                | Self::LinksWithin
                | Self::LinkedPage
                | Self::Pointed
                | Self::PagePointed
                | Self::Anchors
                | Self::PageAnchors
        )
    }

    /// Whether it is made of the places of words.
    pub(super) fn is_of_places(self) -> bool {
        matches!(self, Self::Window | Self::Pairs | Self::Verbatim | Self::PageBeyondBlock)
    }

    /// Its name, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bm25f => "bm25f",
            Self::Page => "page",
            Self::PageBeyondBlock => "page_beyond_block",
            Self::BestOfPage => "best_of_page",
            Self::SecondOfPage => "second_of_page",
            Self::TenthOfSite => "tenth_of_site",
            Self::SiteNamed => "site_named",
            Self::Cosine => "cosine",
            Self::Coverage => "coverage",
            Self::Window => "window",
            Self::Pairs => "pairs",
            Self::Verbatim => "verbatim",
            Self::Headings => "headings",
            Self::OwnHeading => "own_heading",
            Self::Lead => "lead",
            Self::Asked => "asked",
            Self::Definition => "definition",
            Self::TitleCoverage => "title_coverage",
            Self::Title => "title",
            Self::PageName => "page_name",
            Self::Description => "description",
            Self::UrlCoverage => "url_coverage",
            Self::Url => "url",
            Self::Names => "names",
            Self::Defines => "defines",
            Self::PageLinks => "page_links",
            Self::BlockLinks => "block_links",
            Self::LinksWithin => "links_within",
            Self::LinkedPage => "linked_page",
            Self::Pointed => "pointed",
            Self::PagePointed => "page_pointed",
            Self::Anchors => "anchors",
            Self::PageAnchors => "page_anchors",
            Self::LinksElsewhere => "links_elsewhere",
            Self::LeadsOn => "leads_on",
            Self::Prose => "prose",
            Self::Content => "content",
            Self::Language => "language",
        }
    }
}

/// One number a [`Feature`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Features([f32; FEATURES]);

impl Default for Features {
    fn default() -> Self {
        Self([0.0; FEATURES])
    }
}

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
