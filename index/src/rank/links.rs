//! Who points to whom among the blocks of a query.
//!
//! A block that answers uses what others define, and links to it. So what the best blocks link to is found even where it shares few
//! words with the query, and ranks higher: feedback as of relevance models (Lavrenko and Croft 2001), by links in place of words.

use std::collections::HashSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::feature::Feature;
use super::leads_on::leave_to_targets;
use super::scorer::{MASKED_WORDS, Scored, Scorer};
use crate::engine::{BlockHandle, EngineError, PointerWords, RankWord, total_weight};
use crate::word_set::WordSet;

/// Blocks whose links are followed: the best ones.
const POINTING: usize = 48;

/// The rank at which a block's links count half.
const HALF_RANK: f32 = 8.0;

/// Targets that are looked for.
const TARGETS_MAX: usize = 40;

impl Scorer<'_> {
    /// Adds what the best of `scored`, best first, point to, and tells of every block how much they do.
    pub(super) fn follow_links(&self, scored: &mut Scored) -> Result<(), EngineError> {
        let best: Vec<BlockHandle> = scored.blocks.iter().take(POINTING).map(|block| block.handle).collect();
        let pages = scored.blocks.iter().map(|block| block.standing.page_order);
        let (words, pointers) = (LinkWords::of(self.words), self.query.pointers(&best)?);
        let votes = Votes::of(pages.zip(&pointers), &words);
        if self.follows_links {
            let known: HashSet<BlockHandle> = scored.blocks.iter().map(|block| block.handle).collect();
            scored.add(self, self.query.linked(self.words, &votes.most(), &known)?);
        }
        leave_to_targets(scored, &pointers, &words);
        let Scored { blocks, link_keys, .. } = scored;
        for block in blocks {
            let own = link_keys[block.link_keys.clone()].iter().map(|key| votes.get(*key));
            let own = own.fold(Vote::default(), Vote::max);
            let page = block.page_link_key.map_or(Vote::default(), |key| votes.get(key));
            block.features.set(Feature::Pointed, own.plain);
            block.features.set(Feature::PagePointed, page.plain);
            block.features.set(Feature::Anchors, own.by_words);
            block.features.set(Feature::PageAnchors, page.by_words);
        }
        Ok(())
    }
}

/// Votes for what links lead to.
struct Votes {
    /// By link key, each in (0, 1]: the share of the best blocks' weight that points there.
    of: FxHashMap<u64, Vote>,
}

/// How much of the best blocks' weight points to one target.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Vote {
    plain: f32,
    /// Each link by its text's share of the query.
    by_words: f32,
}

impl Vote {
    fn max(self, other: Self) -> Self {
        Self { plain: self.plain.max(other.plain), by_words: self.by_words.max(other.by_words) }
    }
}

/// The words of a query, as links' texts are compared with them.
pub(super) struct LinkWords {
    /// The forms of each word, and what it weighs.
    words: Vec<(WordSet, f32)>,
}

impl LinkWords {
    fn of(words: &[RankWord]) -> Self {
        let total = total_weight(words);
        let set = |word: &RankWord| {
            let mut set = WordSet::default();
            word.forms.iter().filter(|known| known.form.counts_as_word()).for_each(|known| set.add(&known.form.term));
            (set, word.weight / total)
        };
        Self { words: words.iter().map(set).collect() }
    }

    /// Which of the first [`MASKED_WORDS`] a link's text has, a bit each.
    pub(super) fn of_text(&self, text: WordSet) -> u64 {
        let has = |(w, (forms, _)): (usize, &(WordSet, f32))| u64::from(forms.meets(text)) << w;
        self.words.iter().take(MASKED_WORDS).enumerate().map(has).fold(0, |mask, bit| mask | bit)
    }

    /// The share of the query's weight that some of the first [`MASKED_WORDS`] have.
    pub(super) fn share_of(&self, mask: u64) -> f32 {
        let held = self.words.iter().take(MASKED_WORDS).enumerate().filter(|(w, _)| mask >> w & 1 == 1);
        held.map(|(_, (_, share))| share).sum()
    }

    /// The share of the query's weight that a link's text has, in [0, 1].
    fn share(&self, text: WordSet) -> f32 {
        self.words.iter().filter(|(forms, _)| forms.meets(text)).map(|(_, share)| share).sum()
    }
}

impl Votes {
    /// Of the best blocks, best first: the page of each, and what its links lead to. A page's blocks count once for a target.
    fn of<'p>(best: impl Iterator<Item = (u64, &'p Vec<PointerWords>)>, words: &LinkWords) -> Self {
        let mut votes: FxHashMap<u64, Vote> = FxHashMap::default();
        let mut counted: FxHashSet<(u64, u64)> = FxHashSet::default();
        let mut total = 0.0;
        for (rank, (page, pointers)) in best.enumerate() {
            let weight = HALF_RANK / (HALF_RANK + rank as f32);
            total += weight;
            for &(key, text) in pointers {
                if counted.insert((page, key)) {
                    let vote = votes.entry(key).or_default();
                    vote.plain += weight;
                    vote.by_words += weight * words.share(text);
                }
            }
        }
        for vote in votes.values_mut() {
            vote.plain /= total;
            vote.by_words /= total;
        }
        Self { of: votes }
    }

    fn get(&self, key: u64) -> Vote {
        self.of.get(&key).copied().unwrap_or_default()
    }

    /// The keys that got most votes.
    fn most(&self) -> Vec<u64> {
        let mut keys: Vec<(f32, u64)> = self.of.iter().map(|(key, vote)| (vote.plain, *key)).collect();
        keys.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        keys.truncate(TARGETS_MAX);
        keys.into_iter().map(|(_, key)| key).collect()
    }
}
