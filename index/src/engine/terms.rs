//! Looking terms up by pattern, for prefixes and spelling.

/// A term with the number of blocks, or a word with the number of pages, that have it; those that are deleted but not yet cleared away may count.
pub type TermCount = (String, u64);

/// Which terms are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TermPattern<'a> {
    /// Those that begin so.
    Prefix(&'a str),
    /// Those at most `distance` changes of a character away, none of which is in the first one. Changing places of two is one.
    Near {
        /// The term.
        term: &'a str,
        /// Changes at most.
        distance: u8,
    },
    /// Those that are one of these.
    AnyOf(&'a [String]),
}

/// Where terms are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TermScope {
    /// In the whole collection.
    Whole,
    /// In a large part of it at least, which has what is frequent: enough for spellings.
    Sample,
}

impl TermPattern<'_> {
    /// Whether it accepts a term: for engines that look through their terms one by one.
    pub fn accepts(&self, candidate: &str) -> bool {
        match *self {
            Self::Prefix(prefix) => candidate.starts_with(prefix),
            Self::Near { term, distance } => {
                term.chars().next() == candidate.chars().next()
                    && edit_distance(term, candidate) <= usize::from(distance)
            }
            Self::AnyOf(terms) => terms.iter().any(|term| term == candidate),
        }
    }
}

/// Changes of one character, or of the places of two neighbours, that make `b` of `a`; no place is changed twice.
pub(crate) fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let change = usize::from(a[i - 1] != b[j - 1]);
            row[j] = (last[j - 1] + change).min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_by_hand() {
        for (a, b, expected) in [
            ("", "", 0),
            ("tree", "tree", 0),
            ("tree", "", 4),
            ("tree", "tere", 1),
            ("mooderation", "moderation", 1),
            ("häuser", "hauser", 1),
            ("ca", "abc", 3),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!((edit_distance(a, b), edit_distance(b, a)), (expected, expected), "{a} {b}");
        }
    }

    #[test]
    fn near_terms_keep_their_first_character() {
        let near = TermPattern::Near { term: "tree", distance: 1 };
        assert!(["tree", "tere", "trees", "tre"].iter().all(|term| near.accepts(term)));
        assert!(!["free", "ree", "street", ""].iter().any(|term| near.accepts(term)));
    }
}
