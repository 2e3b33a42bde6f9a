//! From the counts of the query's words in a block and its page to features. Nothing is read here.

use super::feature::{Feature, Features};
use crate::engine::{BlockField, CollectionFacts, PageField, RankWord, WordRow, total_weight};

/// Saturation of the block's term frequencies.
pub(super) const BLOCK_K1: f32 = 1.2;

/// How much a field's length counts, for the block's fields.
const BLOCK_B: f32 = 0.75;

/// Saturation of the page's term frequencies. They count in proportion to its length: a long page has every word somewhere.
const PAGE_K1: f32 = 1.2;

/// Weights of the [`BlockField`]s in BM25F.
const BLOCK_FIELD_WEIGHTS: [f32; BlockField::ALL.len()] = [0.5, 0.5, 1.0, 1.0, 0.5, 4.0];

/// Typical lengths of the [`BlockField`]s, in words; that of the body is the collection's.
const BLOCK_FIELD_LENGTHS: [f32; BlockField::ALL.len()] = [9.0, 3.0, 7.0, 0.0, 3.0, 2.0];

/// Weights of the [`PageField`]s in the BM25F of the page's blocks. A word of the page's text that the block lacks counts a little:
/// it tells of two blocks alike which one stands on a page about the query.
const PAGE_FIELD_WEIGHTS: [f32; PageField::ALL.len()] = [0.025, 4.0, 1.0, 0.5];

/// Typical lengths of the [`PageField`]s, in words; that of its text is the collection's.
const PAGE_FIELD_LENGTHS: [f32; PageField::ALL.len()] = [0.0, 8.0, 25.0, 8.0];

/// How much the lengths of the [`PageField`]s count.
const PAGE_FIELD_B: [f32; PageField::ALL.len()] = [1.0, 1.0, 0.75, 0.75];

/// The least that a field's length divides by.
const LENGTH_NORM_MIN: f32 = 0.05;

/// Words of a block's body at which [`Feature::Defines`] counts half.
const DEFINING_WORDS: f32 = 30.0;

/// What features are made with, for all blocks of a query.
pub(super) struct WordFeatures<'a> {
    words: &'a [RankWord],
    /// Of all words.
    total_weight: f32,
    /// Length of the query's vector.
    query_norm: f32,
    /// Idf of a word on √N of N pages.
    typical_idf: f32,
    /// Typical length of a block's body.
    body_length: f32,
    /// Typical lengths of the [`PageField`]s.
    page_lengths: [f32; PageField::ALL.len()],
}

/// Words of the query that a field has.
#[derive(Clone, Copy, Default)]
struct Held {
    /// What they weigh.
    weight: f32,
    count: f32,
    /// The same, where those that are only parts of a word there count half: `foreign key` in `ForeignKey`.
    count_alone: f32,
}

impl Held {
    /// A word that stands there so often.
    fn add(&mut self, word: &RankWord, count: f32) {
        if count > 0.0 {
            self.weight += word.weight;
            self.count += 1.0;
            self.count_alone += if count < 1.0 { 0.5 } else { 1.0 };
        }
    }

    /// How much a field of `length` words is the query: the share of the query in it times that of the field in the query.
    fn match_of(self, total_weight: f32, length: f32) -> f32 {
        self.weight / total_weight * (self.count / length.max(1.0)).min(1.0)
    }

    /// Whether a heading of `length` words is the query: it may have a word besides, as the number of a chapter.
    fn is_named(self, total_weight: f32, length: f32) -> f32 {
        let alone = Self { count: self.count_alone, ..self };
        (1.25 * alone.match_of(total_weight, length)).min(1.0).powi(3)
    }
}

/// Sums over the words of the query.
#[derive(Default)]
struct Sums {
    bm25f: f32,
    page: f32,
    coverage: Held,
    block: [Held; BlockField::ALL.len()],
    of_page: [Held; PageField::ALL.len()],
    /// Of the cosine.
    dot: f32,
    found: f32,
}

impl<'a> WordFeatures<'a> {
    pub(super) fn new(words: &'a [RankWord], facts: &CollectionFacts) -> Self {
        let mut page_lengths = PAGE_FIELD_LENGTHS;
        page_lengths[PageField::All as usize] = facts.page_length_mean;
        Self {
            words,
            total_weight: total_weight(words),
            query_norm: words.iter().map(|word| word.page_idf * word.page_idf).sum::<f32>().sqrt(),
            typical_idf: (facts.pages as f32).max(1.0).sqrt().ln() + 1.0,
            body_length: facts.block_length_mean,
            page_lengths,
        }
    }

    /// The features of a block that lie in its words and those of its page; `frequency_norm` is the length of its vector.
    pub(super) fn of(&self, block: WordRow<'_>, page: Option<WordRow<'_>>, frequency_norm: f32) -> Features {
        let page = page.unwrap_or_default();
        let sums = self.sums(block, page);
        let share = |held: Held| held.weight / self.total_weight;
        let of_block = |field: BlockField| sums.block[field as usize];
        let of_page = |field: PageField| sums.of_page[field as usize];
        let block_match = |field: BlockField| of_block(field).match_of(self.total_weight, block.length(field as usize));
        let page_match = |field: PageField| of_page(field).match_of(self.total_weight, page.length(field as usize));
        let title = page_match(PageField::Title);
        let bm25f = sums.bm25f / self.total_weight;
        let (own_heading, lead) = (block_match(BlockField::OwnHeading), block_match(BlockField::Lead));
        let heading = BlockField::OwnHeading;
        let definition = of_block(heading).is_named(self.total_weight, block.length(heading as usize));
        let mut features = Features::default();
        for (feature, value) in [
            (Feature::Bm25f, bm25f),
            (Feature::Page, sums.page / self.total_weight),
            (Feature::Cosine, self.cosine(&sums, frequency_norm)),
            (Feature::Coverage, share(sums.coverage)),
            (Feature::Headings, share(of_block(BlockField::Headings))),
            (Feature::OwnHeading, own_heading),
            (Feature::Lead, lead),
            (Feature::Asked, own_heading.max(lead).powi(6)),
            (Feature::Definition, definition),
            (Feature::TitleCoverage, share(of_page(PageField::Title))),
            (Feature::Title, title),
            (Feature::PageName, (2.0 * title).min(1.0)),
            (Feature::Description, share(of_page(PageField::Description))),
            (Feature::UrlCoverage, share(of_page(PageField::Url))),
            (Feature::Url, page_match(PageField::Url)),
            (Feature::Names, block_match(BlockField::Names)),
            (Feature::Defines, bm25f * defining(block)),
        ] {
            features.set(feature, value);
        }
        features
    }

    /// Goes once over the words.
    fn sums(&self, block: WordRow<'_>, page: WordRow<'_>) -> Sums {
        let shares = self.field_shares(block, page);
        let text = PageField::All as usize;
        let page_norm = (page.length(text) / self.page_lengths[text]).max(LENGTH_NORM_MIN);
        let mut sums = Sums::default();
        let (mut in_block, mut in_page) = ([0.0; BlockField::ALL.len()], [0.0; PageField::ALL.len()]);
        for (w, word) in self.words.iter().enumerate() {
            // Loops, since this is done for each word of each candidate, and closures over arrays are called one by one.
            for (field, count) in in_block.iter_mut().enumerate() {
                *count = block.count(field, w);
            }
            for (field, count) in in_page.iter_mut().enumerate() {
                *count = page.count(field, w);
            }
            if in_block.iter().chain(&in_page).all(|count| *count == 0.0) {
                continue; // It adds nothing anywhere.
            }
            for (held, count) in sums.block.iter_mut().zip(in_block) {
                held.add(word, count);
            }
            for (held, count) in sums.of_page.iter_mut().zip(in_page) {
                held.add(word, count);
            }
            let body = in_block[BlockField::Body as usize];
            let head = in_block[BlockField::Headings as usize] + in_block[BlockField::Lead as usize];
            sums.coverage.add(word, body + head);
            sums.bm25f += word.weight * saturated(shares.frequency(&in_block, &in_page), BLOCK_K1);
            let of_page = in_page[PageField::All as usize] + in_page[PageField::Title as usize];
            sums.page += word.weight * saturated(of_page / page_norm, PAGE_K1);
            let weight = body * word.page_idf;
            sums.dot += weight * word.page_idf;
            sums.found += weight * weight;
        }
        sums
    }

    /// BM25F (Robertson, Zaragoza, Taylor 2004): frequencies are weighed over the fields, each by its length, before they saturate:
    /// `Σ weight · f / (k1 + f)`, `f = Σ_f w_f · tf_f / (1 − b_f + b_f · len_f / typical_f)`; divided by `Σ weight`.
    fn field_shares(&self, block: WordRow<'_>, page: WordRow<'_>) -> FieldShares {
        let lengths = &self.page_lengths;
        let of_page = |f: usize| field_share(PAGE_FIELD_WEIGHTS[f], PAGE_FIELD_B[f], page.length(f), lengths[f]);
        FieldShares { block: block_shares(block, self.body_length), page: std::array::from_fn(of_page) }
    }

    /// Paper, eq. (1), with `w = tf · idf` over the block's body.
    ///
    /// Differs from the paper: 1) the idf of today's collection is not known for every term of the block when it is indexed, so in
    /// the block's norm all terms have a typical idf, that of a word on √N pages (`ln √N + 1`); 2) the norm is at least that of the
    /// query's own words in the block, so the cosine is at most 1. What an answer shows as similarity is exact.
    fn cosine(&self, sums: &Sums, frequency_norm: f32) -> f32 {
        let norms = (frequency_norm * self.typical_idf).max(sums.found.sqrt()) * self.query_norm;
        if norms > 0.0 { (sums.dot / norms).min(1.0) } else { 0.0 }
    }
}

/// How much a block is the definition of one thing, in [0, 1]: its first line is its heading or term, a name of one word opens in it, and it
/// is short. What only uses a thing has no name for it, an overview is long, and the cards and comments of a page have names without headings.
fn defining(block: WordRow<'_>) -> f32 {
    let fields = [BlockField::OwnHeading, BlockField::Lead, BlockField::Names, BlockField::Body];
    let [heading, lead, names, words] = fields.map(|field| block.length(field as usize));
    let opens_named = heading > 0.0 && (lead - heading).abs() < 0.5 && names > 0.0;
    if opens_named { DEFINING_WORDS / (DEFINING_WORDS + words) / names } else { 0.0 }
}

/// What an occurrence in a field counts.
fn field_share(weight: f32, b: f32, length: f32, typical: f32) -> f32 {
    weight / (1.0 - b + b * length / typical).max(LENGTH_NORM_MIN)
}

/// The same of the fields of a block, in a collection whose blocks' bodies have so many words on the mean.
pub(super) fn block_shares(block: WordRow<'_>, body_length: f32) -> [f32; BlockField::ALL.len()] {
    let mut lengths = BLOCK_FIELD_LENGTHS;
    lengths[BlockField::Body as usize] = body_length;
    std::array::from_fn(|f| field_share(BLOCK_FIELD_WEIGHTS[f], BLOCK_B, block.length(f), lengths[f]))
}

/// `f / (k1 + f)`.
pub(super) fn saturated(frequency: f32, k1: f32) -> f32 {
    frequency / (k1 + frequency)
}

/// What an occurrence in each field counts: `w_f / (1 − b_f + b_f · len_f / typical_f)`.
struct FieldShares {
    block: [f32; BlockField::ALL.len()],
    page: [f32; PageField::ALL.len()],
}

impl FieldShares {
    fn frequency(&self, in_block: &[f32], in_page: &[f32]) -> f32 {
        let weighed = |shares: &[f32], counts: &[f32]| -> f32 { shares.iter().zip(counts).map(|(s, c)| s * c).sum() };
        weighed(&self.block, in_block) + weighed(&self.page, in_page)
    }
}
