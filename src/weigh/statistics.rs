//! What weighing needs to know of the whole collection.

/// How often terms occur over the collection's pages: the paper's `N` and `n_i`.
pub trait TermStatistics {
    /// `N`: pages in the collection.
    fn pages(&self) -> u64;

    /// `n_i`: pages that hold `term`, from 0 to [`pages`](Self::pages). An implementation may estimate, but never below
    /// the truth.
    fn pages_with(&self, term: &str) -> u64;
}
