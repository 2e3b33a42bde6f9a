//! Who points to whom among the blocks of a query.
//!
//! A block that answers uses what others define, and links to it. So what the best blocks link to is found even where it shares few
//! words with the query, and ranks higher: feedback as of relevance models (Lavrenko and Croft 2001), by links in place of words.

use std::collections::{HashMap, HashSet};

use tantivy::schema::IndexRecordOption;
use tantivy::{DocAddress, DocId, DocSet, Searcher, TERMINATED, TantivyError, Term};

use super::Part;
use super::gather::Candidates;
use super::scorer::{BlendScorer, ScoredBlock};
use super::segment::{Columns, RankWord, total_idf};
use crate::schema::Fields;
use crate::word_set::WordSet;

/// Blocks whose links are followed: the best ones.
const POINTING: usize = 48;

/// The rank at which a block's links count half.
const HALF_RANK: f32 = 8.0;

/// Targets that are looked for.
const TARGETS_MAX: usize = 40;

impl BlendScorer<'_> {
    /// Adds what the best of `scored`, best first, point to, and tells of every block how much they do.
    pub(super) fn follow_links(&self, scored: &mut Vec<ScoredBlock>) -> Result<(), TantivyError> {
        let columns = &self.view.columns;
        let votes = Votes::of(scored, columns, &LinkWords::of(self.words));
        if self.follows_links {
            let known: HashSet<DocAddress> = scored.iter().map(|block| block.address).collect();
            for (segment, mut docs) in votes.targets(self.searcher, self.fields, columns)? {
                docs.retain(|doc| !known.contains(&DocAddress::new(segment, *doc)));
                docs.sort_unstable();
                docs.dedup();
                self.score_segment(segment, &docs, scored)?;
            }
        }
        for ScoredBlock { address, evidence, .. } in scored {
            let columns = &columns[address.segment_ord as usize];
            let most = |doc: DocId| columns.link_keys(doc).map(|key| votes.get(key)).fold(Vote::default(), Vote::max);
            let (own, page) = (most(address.doc_id), columns.page_of(address.doc_id).map_or(Vote::default(), most));
            evidence.set(Part::Pointed, own.plain);
            evidence.set(Part::PagePointed, page.plain);
            evidence.set(Part::Anchors, own.by_words);
            evidence.set(Part::PageAnchors, page.by_words);
        }
        Ok(())
    }
}

/// Votes for what links lead to.
struct Votes {
    /// By link key, each in (0, 1]: the share of the best blocks' weight that points there.
    of: HashMap<u64, Vote>,
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
struct LinkWords {
    /// The forms of each word, and what it weighs.
    words: Vec<(WordSet, f32)>,
}

impl LinkWords {
    fn of(words: &[RankWord]) -> Self {
        let total = total_idf(words);
        let set = |word: &RankWord| {
            let mut set = WordSet::default();
            word.forms.iter().filter(|form| !form.is_further).for_each(|form| set.add(&form.form.term));
            (set, word.idf / total)
        };
        Self { words: words.iter().map(set).collect() }
    }

    /// The share of the query's weight that a link's text has, in [0, 1].
    fn share(&self, text: WordSet) -> f32 {
        self.words.iter().filter(|(forms, _)| forms.meets(text)).map(|(_, share)| share).sum()
    }
}

impl Votes {
    /// Of the best of `scored`, best first. A page's blocks count once for a target.
    fn of(scored: &[ScoredBlock], columns: &[Columns], words: &LinkWords) -> Self {
        let mut votes: HashMap<u64, Vote> = HashMap::new();
        let mut counted: HashSet<(u64, u64)> = HashSet::new();
        let mut total = 0.0;
        for (rank, block) in scored.iter().take(POINTING).enumerate() {
            let weight = HALF_RANK / (HALF_RANK + rank as f32);
            total += weight;
            for (key, text) in columns[block.address.segment_ord as usize].pointers(block.address.doc_id) {
                if counted.insert((block.page_order, key)) {
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

    /// The blocks that got most votes, wherever they are; of a page its first one.
    fn targets(&self, searcher: &Searcher, fields: &Fields, columns: &[Columns]) -> Result<Candidates, TantivyError> {
        let mut keys: Vec<(f32, u64)> = self.of.iter().map(|(key, vote)| (vote.plain, *key)).collect();
        keys.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        keys.truncate(TARGETS_MAX);
        let mut targets = Candidates::new();
        for (segment, reader) in (0..).zip(searcher.segment_readers()) {
            let inverted = reader.inverted_index(fields.link_key)?;
            for (_, key) in &keys {
                let term = Term::from_field_u64(fields.link_key, *key);
                let Some(mut docs) = inverted.read_postings(&term, IndexRecordOption::Basic)? else { continue };
                while docs.doc() != TERMINATED {
                    let is_block = columns[segment as usize].ordinal(docs.doc()).is_some();
                    let block = if is_block { docs.doc() } else { docs.doc() + 1 };
                    if block < reader.max_doc() && !reader.is_deleted(block) {
                        targets.entry(segment).or_default().push(block);
                    }
                    docs.advance();
                }
            }
        }
        Ok(targets)
    }
}
