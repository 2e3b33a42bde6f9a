//! Words of a page as small numbers.

use rustc_hash::FxHashMap;

/// Index of a term of the page.
pub(super) type TermId = u32;

/// Gives terms their numbers, in the order they come. Terms are known by their 64-bit hash.
#[derive(Default)]
pub(super) struct TermTable {
    ids: FxHashMap<u64, TermId>,
    lower: String,
}

impl TermTable {
    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    /// The term's number, a new one if need be.
    pub(super) fn intern(&mut self, word: &str) -> TermId {
        let next = self.ids.len() as TermId;
        let hash = self.hash(word);
        *self.ids.entry(hash).or_insert(next)
    }

    /// The number of a term that is there.
    pub(super) fn find(&mut self, word: &str) -> Option<TermId> {
        let hash = self.hash(word);
        self.ids.get(&hash).copied()
    }

    fn hash(&mut self, word: &str) -> u64 {
        self.lower.clear();
        self.lower.extend(word.chars().flat_map(char::to_lowercase));
        xxhash_rust::xxh3::xxh3_64(self.lower.as_bytes())
    }
}

/// The words of a text: letters and digits in a row. Han characters and kana are words of their own.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
        let first = rest.chars().next()?;
        let length = if is_word_alone(first) {
            first.len_utf8()
        } else {
            rest.find(|c: char| !c.is_alphanumeric() || is_word_alone(c)).unwrap_or(rest.len())
        };
        let (word, after) = rest.split_at(length);
        rest = after;
        Some(word)
    })
}

fn is_word_alone(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_their_numbers() {
        assert_eq!(
            words(" It's 2 wörds, ok天气x").collect::<Vec<_>>(),
            ["It", "s", "2", "wörds", "ok", "天", "气", "x"]
        );
        let mut table = TermTable::default();
        assert_eq!((table.intern("A"), table.intern("b"), table.intern("a")), (0, 1, 0));
        assert_eq!((table.find("B"), table.find("c"), table.len()), (Some(1), None, 2));
    }
}
