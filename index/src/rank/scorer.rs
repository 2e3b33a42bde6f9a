//! From candidates to scored blocks.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::closeness::{Closeness, closeness_of};
use super::feature::{Feature, Features};
use super::page_and_site::add_page_and_site;
use super::word_features::WordFeatures;
use super::{LinkCounts, RankingWeights};
use crate::engine::{
    BlockField, BlockHandle, Candidate, CandidatePart, Candidates, CollectionFacts, EngineError, EngineQuery,
    PageField, QueryLanguage, RankWord, Standing, WordRow,
};

/// Blocks whose words' places are looked at: the best without that.
const CLOSE_LOOKS: usize = 64;

/// Inverse document frequency from which on a word can name a site: that of words in less than four blocks of ten.
const NAME_IDF_MIN: f32 = 1.0;

/// A block with its score.
#[derive(Debug, Clone)]
pub(crate) struct ScoredBlock {
    pub(crate) handle: BlockHandle,
    pub(crate) standing: Standing,
    /// [`Candidate::site`].
    pub(super) site: u64,
    pub(crate) features: Features,
    pub(crate) score: f32,
    /// Its own, in [`Scored::link_keys`].
    pub(super) link_keys: Range<usize>,
    pub(super) page_link_key: Option<u64>,
    pub(super) links: Links,
    pub(super) words: WordsHeld,
    /// Whether the places of the words in it are known.
    is_looked_at: bool,
}

/// How often pages link to a block: `ln(1 + pages) / 10`.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Links {
    /// To its page.
    pub(super) page: f32,
    /// To the block itself.
    pub(super) block: f32,
}

/// Words of a query that a mask has a bit for: the first ones.
pub(super) const MASKED_WORDS: usize = u64::BITS as usize;

/// Which words of the query, of the first [`MASKED_WORDS`], are where: a bit each.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct WordsHeld {
    /// In the page's address; of those that can name a site.
    pub(super) url: u64,
    /// In the page's title or in the headings above the block.
    pub(super) names: u64,
    /// In the page's text.
    pub(super) page: u64,
}

/// The blocks of one query.
#[derive(Debug, Default)]
pub(crate) struct Scored {
    pub(crate) blocks: Vec<ScoredBlock>,
    pub(super) link_keys: Vec<u64>,
    /// Parts of the engine that did not answer.
    pub(crate) failed_parts: usize,
}

/// Scores candidates by [`RankingWeights`].
pub(crate) struct Scorer<'a> {
    pub(crate) query: &'a dyn EngineQuery,
    pub(crate) words: &'a [RankWord],
    pub(crate) query_language: Option<&'a QueryLanguage>,
    pub(crate) facts: &'a CollectionFacts,
    pub(crate) links: &'a dyn LinkCounts,
    pub(crate) weights: &'a RankingWeights,
    /// Whether a block without any of the words is no answer, whatever else brought it here.
    pub(crate) needs_word: bool,
    /// Whether blocks may be found by what points to them.
    pub(crate) follows_links: bool,
}

impl Scorer<'_> {
    /// The candidates that hold a word of the query, best first; equal scores by page name, then by place in the page.
    pub(crate) fn score(&self, candidates: Candidates) -> Result<Scored, EngineError> {
        let mut scored = Scored::default();
        scored.add(self, candidates);
        self.rank(&mut scored.blocks)?;
        self.follow_links(&mut scored)?;
        self.rank(&mut scored.blocks)?;
        Ok(scored)
    }

    /// Puts the best first.
    fn rank(&self, blocks: &mut [ScoredBlock]) -> Result<(), EngineError> {
        add_page_and_site(blocks, self.weights);
        sort(blocks, usize::MAX);
        if !self.weights.use_places() {
            return Ok(());
        }
        self.look_closely(blocks)?;
        // What was looked at can only have risen, so the others stay behind it.
        sort(blocks, CLOSE_LOOKS);
        Ok(())
    }

    /// Many candidates are of one page, so those are remembered.
    fn links(&self, part: &CandidatePart, candidate: &Candidate, of_pages: &mut FxHashMap<u64, f32>) -> Links {
        let links = |keys: &[u64]| (self.links.most_linking_to(keys) as f32).ln_1p() / 10.0;
        let page = candidate.page_link_key.map(|key| *of_pages.entry(key).or_insert_with(|| links(&[key])));
        Links { page: page.unwrap_or(0.0), block: links(&part.link_keys[candidate.link_keys.clone()]) }
    }

    /// Adds the features that need the places of words, for the best blocks; for the others they count nothing, so none of them
    /// can pass one of the best by it.
    fn look_closely(&self, blocks: &mut [ScoredBlock]) -> Result<(), EngineError> {
        let new = blocks.iter_mut().take(CLOSE_LOOKS).filter(|block| !block.is_looked_at);
        let mut wanted: Vec<&mut ScoredBlock> = new.collect();
        let handles: Vec<BlockHandle> = wanted.iter().map(|block| block.handle).collect();
        for (block, places) in wanted.iter_mut().zip(self.query.places(self.words, &handles)?) {
            let Closeness { window, pairs, verbatim } = closeness_of(places, self.words);
            let features = &mut block.features;
            features.set(Feature::Window, window);
            features.set(Feature::Pairs, pairs);
            features.set(Feature::Verbatim, verbatim);
            features.set(Feature::PageBeyondBlock, features.of(Feature::Page) * (1.0 - window));
            block.score = self.weights.score(features);
            block.is_looked_at = true;
        }
        Ok(())
    }
}

impl Scored {
    /// Adds candidates that may answer; their scores are known when all are there.
    pub(super) fn add(&mut self, scorer: &Scorer<'_>, candidates: Candidates) {
        self.failed_parts += candidates.failed_parts;
        let of_words = WordFeatures::new(scorer.words, scorer.facts);
        let of_names = words_of_names(scorer.words);
        let words = scorer.words.len().min(MASKED_WORDS);
        let mut of_pages = FxHashMap::default();
        self.blocks.reserve(candidates.parts.iter().map(|part| part.candidates.len()).sum());
        for part in candidates.parts {
            let begin = self.link_keys.len();
            let pages = (0..part.pages.rows()).map(|page| part.pages.row(page));
            let held: Vec<WordsHeld> = pages.map(|page| WordsHeld::of(page, of_names, words)).collect();
            for (row, candidate) in part.candidates.iter().enumerate() {
                let mut features = features_of(&of_words, &part, row);
                let likely =
                    scorer.query_language.map_or(0.0, |query_language| query_language.likely(candidate.language));
                features.set(Feature::Language, likely);
                let is_found = features.of(Feature::Bm25f) + features.of(Feature::Page) > 0.0;
                if is_found || !scorer.needs_word {
                    let links = scorer.links(&part, candidate, &mut of_pages);
                    let mut held = candidate.page_row.map_or_else(WordsHeld::default, |page| held[page]);
                    held.names |= words_in(part.blocks.row(row), BlockField::Headings as usize, words);
                    self.blocks.push(ScoredBlock::new(candidate, features, links, begin, held));
                }
            }
            self.link_keys.extend(part.link_keys);
        }
    }
}

impl ScoredBlock {
    /// The candidate's link keys begin at `begin`.
    fn new(candidate: &Candidate, features: Features, links: Links, begin: usize, words: WordsHeld) -> Self {
        let Candidate { handle, standing, site, ref link_keys, page_link_key, .. } = *candidate;
        let link_keys = begin + link_keys.start..begin + link_keys.end;
        Self {
            handle,
            standing,
            site,
            features,
            score: 0.0,
            link_keys,
            page_link_key,
            links,
            words,
            is_looked_at: false,
        }
    }
}

/// The words that can name a site, a bit each.
fn words_of_names(words: &[RankWord]) -> u64 {
    mask((0..words.len().min(MASKED_WORDS)).filter(|w| words[*w].own_idf >= NAME_IDF_MIN))
}

/// A bit for each of some words.
fn mask(words: impl Iterator<Item = usize>) -> u64 {
    words.fold(0, |mask, w| mask | 1 << w)
}

impl WordsHeld {
    /// Of a page.
    fn of(page: WordRow<'_>, of_sites: u64, words: usize) -> Self {
        let of_field = |field: PageField| words_in(page, field as usize, words);
        Self {
            url: of_field(PageField::Url) & of_sites,
            names: of_field(PageField::Title),
            page: of_field(PageField::All),
        }
    }
}

/// Which of the first `words` are in a field, a bit each.
fn words_in(row: WordRow<'_>, field: usize, words: usize) -> u64 {
    mask((0..words).filter(|w| row.count(field, *w) > 0.0))
}

/// The features that lie in the candidate alone, and in the counts of its words and those of its page.
fn features_of(of_words: &WordFeatures<'_>, part: &CandidatePart, row: usize) -> Features {
    let candidate = &part.candidates[row];
    let page: Option<WordRow<'_>> = candidate.page_row.map(|page| part.pages.row(page));
    let mut features = of_words.of(part.blocks.row(row), page, candidate.norm);
    features.set(Feature::Prose, 1.0 - candidate.link_share);
    features.set(Feature::Content, candidate.content);
    features
}

/// Puts the first of them, at most `count`, in order: their places first, since blocks are large.
fn sort(blocks: &mut [ScoredBlock], count: usize) {
    let count = count.min(blocks.len());
    let place = |(at, block): (usize, &ScoredBlock)| {
        let Standing { page_order, ordinal, .. } = block.standing;
        (descending(block.score), page_order, ordinal, block.handle, at)
    };
    let mut places: Vec<(u32, u64, u64, BlockHandle, usize)> = blocks[..count].iter().enumerate().map(place).collect();
    places.sort_unstable();
    // Each swap brings a block to its place; what stood there is followed to where it went.
    for at in 0..count {
        let mut from = places[at].4;
        while from < at {
            from = places[from].4;
        }
        blocks.swap(at, from);
    }
}

/// A number that is less the greater the score is, in the order of [`f32::total_cmp`].
fn descending(score: f32) -> u32 {
    let bits = score.to_bits();
    if bits >> 31 == 0 { !bits & !(1 << 31) } else { bits }
}
