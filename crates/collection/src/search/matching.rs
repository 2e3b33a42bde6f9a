//! All pages that match a query to the letter.

use std::collections::{BTreeSet, HashSet};

use lopper_content::PageId;
use lopper_index::{BlockQuery, QueryNote, Ranking, parse_query};

use super::{SearchEngine, SearchError};

impl SearchEngine {
    /// The pages with a block that matches every part of the query, words in any of their forms; alternatives of `OR` stay alternatives.
    /// Nothing is corrected, and nothing left out. O(blocks that match).
    ///
    /// # Errors
    ///
    /// [`SearchError::Query`]; [`SearchError::NotToTheLetter`] when a search would mend the query; [`SearchError::Index`].
    pub(crate) fn matching_pages(&self, text: &str) -> Result<BTreeSet<PageId>, SearchError> {
        let parsed = parse_query(text)?;
        let text = parsed.root.map_or_else(String::new, |root| root.demanding().to_string());
        let count = BlockQuery { text, ranking: Ranking::Bm25, limit: 1, ..BlockQuery::default() };
        let counted = self.ranked_as_is(&count)?;
        if let Some(note) = parsed.notes.into_iter().chain(counted.notes).find(is_in_doubt) {
            return Err(SearchError::NotToTheLetter { note });
        }
        let ranked = self.ranked_as_is(&BlockQuery { limit: counted.total as usize, ..count })?;
        let mut known = HashSet::new();
        let mut pages = BTreeSet::new();
        for found in ranked.found.iter().filter(|found| known.insert(found.page_order)) {
            pages.extend(ranked.fetch(found)?.page_id.parse::<PageId>().ok());
        }
        Ok(pages)
    }
}

/// Whether what a query found is not what it asks for, word by word.
fn is_in_doubt(note: &QueryNote) -> bool {
    match note {
        QueryNote::NothingHas { .. }
        | QueryNote::AbsentWords { .. }
        | QueryNote::Excluded { .. }
        | QueryNote::UndatedLeftOut { .. } => false,
        QueryNote::Correction(correction) => correction.applied,
        _ => true,
    }
}
