//! What weighing needs to know of the whole collection.

use std::collections::HashMap;

/// How often terms occur over the collection's pages: the paper's `N` and `n_i`.
pub trait TermStatistics {
    /// `N`: pages in the collection.
    fn pages(&self) -> u64;

    /// `n_i`: pages that hold `term`, from 0 to [`pages`](Self::pages). An implementation may estimate it.
    fn pages_with(&self, term: &str) -> u64;

    /// Pages of a host, or of those the ones with a block that the site repeats, by its key. 0 where none are counted.
    fn pages_with_site_key(&self, key: u64) -> u64 {
        let _ = key;
        0
    }

    /// Pages by which the counts of sites may be off: where counts are exact 0.
    fn site_noise_pages(&self) -> u64 {
        0
    }
}

/// The statistics of an empty collection: every term weighs the same.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoStatistics;

impl TermStatistics for NoStatistics {
    fn pages(&self) -> u64 {
        0
    }

    fn pages_with(&self, _term: &str) -> u64 {
        0
    }
}

/// Statistics counted exactly over a few texts, for a page that stands alone: its runs take the place of the
/// collection's pages.
#[derive(Debug, Clone, Default)]
pub struct PageStatistics {
    texts: u64,
    texts_with: HashMap<String, u64>,
}

impl PageStatistics {
    /// Adds a text by its distinct terms.
    pub fn add(&mut self, distinct_terms: impl IntoIterator<Item = String>) {
        self.texts += 1;
        for term in distinct_terms {
            *self.texts_with.entry(term).or_default() += 1;
        }
    }
}

impl TermStatistics for PageStatistics {
    fn pages(&self) -> u64 {
        self.texts
    }

    fn pages_with(&self, term: &str) -> u64 {
        self.texts_with.get(term).copied().unwrap_or(0)
    }
}
