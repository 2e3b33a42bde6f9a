//! Which batches count.
//!
//! A commit is one document: it names the batches that it makes count, and the pages whose blocks of former batches do not count any more. Commits
//! form a chain, each naming the one before it; of two that name the same one, the first by number is in the chain and the other is not. So
//! what a writer left that was cut off is nowhere, and two writers cannot mix.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::{Deserialize, Serialize};

use crate::document::Sums;

/// Kind of the documents that are commits.
pub(crate) const COMMIT: &str = "commit";

/// A commit.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Commit {
    /// Its number, which is that of its last batch.
    pub(crate) number: u64,
    /// Number of the commit before it; 0 for none.
    pub(crate) after: u64,
    /// Of the chain, from 1.
    pub(crate) place: u64,
    pub(crate) batches: Vec<u64>,
    /// Batches that a former writer left; they are known not to count.
    #[serde(default)]
    pub(crate) left: Vec<u64>,
    /// Pages with the batch before which nothing of them counts any more.
    #[serde(default)]
    pub(crate) gone: BTreeMap<String, u64>,
    /// What its pages add to the facts.
    #[serde(default)]
    pub(crate) sums: Sums,
    /// Documents that the engine refused.
    #[serde(default)]
    pub(crate) refused: u64,
    pub(crate) checkpoint: String,
}

/// The commits of a generation up to one of them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Log {
    pub(crate) last: u64,
    pub(crate) place: u64,
    pub(crate) checkpoint: Option<String>,
    batches: HashSet<u64>,
    pub(crate) left: Vec<u64>,
    pub(crate) gone: HashMap<String, u64>,
    pub(crate) sums: Sums,
}

impl Log {
    /// Adds the commits that go on from here; they increase by number.
    pub(crate) fn extend(&mut self, commits: impl IntoIterator<Item = Commit>) {
        for commit in commits {
            if commit.after == self.last && commit.number > self.last {
                self.add(commit);
            }
        }
    }

    fn add(&mut self, commit: Commit) {
        (self.last, self.place, self.checkpoint) = (commit.number, commit.place, Some(commit.checkpoint));
        self.batches.extend(commit.batches);
        self.left.extend(commit.left);
        self.gone.extend(commit.gone);
        self.sums.add(&commit.sums);
    }

    pub(crate) fn has(&self, batch: u64) -> bool {
        self.batches.contains(&batch)
    }

    /// Whether a document of a page counts.
    pub(crate) fn is_live(&self, page_id: &str, batch: u64) -> bool {
        self.has(batch) && self.gone.get(page_id).is_none_or(|before| batch >= *before)
    }
}

/// The first number of a writer that goes on behind `last`: no other writer has the same.
pub(crate) fn next_batch(last: u64, random: u64) -> u64 {
    /// Numbers that are chosen from.
    const CHOICE_BITS: u32 = 24;
    let choice = random & ((1 << CHOICE_BITS) - 1);
    (((last >> CHOICE_BITS) + 1) << CHOICE_BITS) | choice
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commit(number: u64, after: u64, gone: &[(&str, u64)]) -> Commit {
        let gone = gone.iter().map(|(page, before)| ((*page).to_owned(), *before)).collect();
        Commit { number, after, gone, batches: vec![number], checkpoint: number.to_string(), ..Commit::default() }
    }

    #[test]
    fn a_chain_takes_the_first_of_two_writers() {
        let mut log = Log::default();
        log.extend([commit(3, 0, &[]), commit(4, 0, &[]), commit(9, 4, &[]), commit(10, 3, &[("p", 10)])]);
        assert_eq!((log.last, log.checkpoint.as_deref()), (10, Some("10")));
        assert!(log.has(3) && log.has(10) && !log.has(4) && !log.has(9));
        assert!(!log.is_live("p", 3) && log.is_live("p", 10) && log.is_live("q", 3) && !log.is_live("q", 4));
    }

    #[test]
    fn batches_grow_whatever_is_drawn() {
        let mut last = 0;
        for random in [u64::MAX, 0, 7] {
            let next = next_batch(last, random);
            assert!(next > last);
            last = next;
        }
        assert!(last < 1 << 60);
    }
}
