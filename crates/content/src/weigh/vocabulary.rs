//! Numbers for a page's terms.

use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_64;

use super::TermId;

/// Finds the number of a term by its hash. The terms themselves are in the list that the numbers are places of.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    places: FxHashMap<u64, TermId>,
}

impl Vocabulary {
    /// Forgets all terms, and keeps the memory for the next page's.
    pub(super) fn clear(&mut self) {
        self.places.clear();
    }

    /// The number of `term` among `terms`, which it is added to if it is not there. Terms of one hash lie at the hashes behind it.
    pub(super) fn intern(&mut self, terms: &mut Vec<String>, term: &str) -> TermId {
        self.intern_hashed(terms, term, xxh3_64(term.as_bytes()))
    }

    fn intern_hashed(&mut self, terms: &mut Vec<String>, term: &str, mut hash: u64) -> TermId {
        while let Some(id) = self.places.get(&hash) {
            if terms[*id as usize] == term {
                return *id;
            }
            hash = hash.wrapping_add(1);
        }
        let id = terms.len() as TermId;
        self.places.insert(hash, id);
        terms.push(term.to_owned());
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_of_one_hash_keep_their_numbers() {
        let (mut vocabulary, mut terms) = (Vocabulary::default(), Vec::new());
        for _ in 0..2 {
            for (id, term) in ["sea", "tea", "red"].into_iter().enumerate() {
                assert_eq!(vocabulary.intern_hashed(&mut terms, term, u64::MAX), id as TermId);
            }
        }
        assert_eq!(terms, ["sea", "tea", "red"]);
        vocabulary.clear();
        terms.clear();
        assert_eq!(vocabulary.intern(&mut terms, "red"), 0);
    }
}
