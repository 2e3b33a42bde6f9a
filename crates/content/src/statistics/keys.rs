//! What a page is counted by.

use serde::{Deserialize, Serialize};

use crate::weigh::distinct_hashes;

/// What is counted. The numbers are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Kind {
    /// Terms of a page's text.
    Term = 0,
    /// Pages and elements of pages that a page links to.
    Link = 1,
    /// Blocks of a page as its site repeats them, and the page's host.
    Site = 2,
    /// Keys of all kinds together, of pages from a data folder of version 3, which did not keep them apart.
    Mixed = 3,
}

impl Kind {
    /// All kinds, in the order of their numbers.
    pub const ALL: [Self; 4] = [Self::Term, Self::Link, Self::Site, Self::Mixed];

    /// The kind with that number.
    pub(crate) fn from_number(number: u32) -> Option<Self> {
        Self::ALL.get(number as usize).copied()
    }
}

/// `hashes` ascending, each once.
fn distinct(mut hashes: Vec<u64>) -> Vec<u64> {
    hashes.sort_unstable();
    hashes.dedup();
    hashes.shrink_to_fit();
    hashes
}

/// The keys of one page: distinct hashes, ascending.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageKeys(Keys);

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
enum Keys {
    /// Terms, links, sites.
    ByKind([Vec<u64>; 3]),
    Mixed(Vec<u64>),
}

impl Default for PageKeys {
    fn default() -> Self {
        Self::new(Vec::new(), Vec::new(), Vec::new())
    }
}

impl PageKeys {
    /// Of a page with these hashes, in any order.
    pub fn new(terms: Vec<u64>, links: Vec<u64>, sites: Vec<u64>) -> Self {
        Self(Keys::ByKind([distinct(terms), distinct(links), distinct(sites)]))
    }

    /// Of a page that has only terms; a term counts once, however often it is given.
    pub fn of_terms<'a>(terms: impl IntoIterator<Item = &'a str>) -> Self {
        Self(Keys::ByKind([distinct_hashes(terms), Vec::new(), Vec::new()]))
    }

    /// Of a page whose keys were kept together.
    pub fn mixed(hashes: Vec<u64>) -> Self {
        Self(Keys::Mixed(distinct(hashes)))
    }

    /// The hashes of a kind.
    pub fn of(&self, kind: Kind) -> &[u64] {
        match (&self.0, kind) {
            (Keys::ByKind(lists), _) => lists.get(kind as usize).map_or(&[], Vec::as_slice),
            (Keys::Mixed(hashes), Kind::Mixed) => hashes,
            (Keys::Mixed(_), _) => &[],
        }
    }

    /// Whether they were kept together, so that their kinds are not known.
    pub fn is_mixed(&self) -> bool {
        matches!(self.0, Keys::Mixed(_))
    }

    /// Hashes of all kinds.
    pub fn len(&self) -> usize {
        Kind::ALL.into_iter().map(|kind| self.of(kind).len()).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
