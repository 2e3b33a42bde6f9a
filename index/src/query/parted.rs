//! A word that the collection has nowhere, and that is two words which stand side by side in it: `prefixstr`.

use super::leaves::resolved_word;
use super::resolve::Resolution;
use super::resolved::{Clause, ResolvedQuery, ResolvedWord, TextField};
use super::words::surfaces;
use crate::engine::EngineError;
use lopper_analysis::{Surface, TermForm};

/// Characters of each of the two, at least.
const CHARS_MIN: usize = 3;

/// The same where a letter and a digit touch.
const CHARS_BESIDE_DIGIT_MIN: usize = 1;

/// Ways to take a word apart whose words are looked for together: those whose rarer word is most frequent.
const WAYS_MAX: usize = 3;

impl Resolution<'_> {
    /// The two words that a word is which the collection has nowhere: side by side, or as the parts of a compound in one block.
    pub(super) fn as_two(
        &mut self,
        surface: &Surface<'_>,
        field: TextField,
    ) -> Result<Option<[ResolvedWord; 2]>, EngineError> {
        let parted = self.parted(surface, field)?;
        if parted.is_some() { Ok(parted) } else { self.taken_apart(surface, field) }
    }

    /// The two words, those which most blocks have side by side. Names, which begin with a capital, are parted before another capital alone.
    fn parted(&mut self, surface: &Surface<'_>, field: TextField) -> Result<Option<[ResolvedWord; 2]>, EngineError> {
        if surface.is_pair || self.vocabulary.budget().is_spent() {
            return Ok(None);
        }
        let is_name = surface.text.starts_with(char::is_uppercase);
        let places = surface.text.char_indices().map(|(at, _)| at);
        let places = places.filter(|at| !is_name || is_inner_capital(surface.text, *at));
        let pairs = places.filter_map(|at| pair(surface.text, at));
        let best = self.most_met(pairs, field, |this, pair| this.side_by_side(pair, field, u64::MAX))?;
        Ok(best.map(|pair| pair.map(|word| resolved_word(word.text, self.words.forms(&word), field))))
    }

    /// Of the ways to take a word apart that which most blocks meet; nothing where none does, or the budget is spent.
    pub(super) fn most_met<'w>(
        &mut self,
        ways: impl Iterator<Item = [Surface<'w>; 2]>,
        field: TextField,
        blocks_of: impl Fn(&mut Self, &[Surface<'w>; 2]) -> Result<u64, EngineError>,
    ) -> Result<Option<[Surface<'w>; 2]>, EngineError> {
        let mut likely: Vec<(u64, [Surface<'w>; 2])> = Vec::new();
        for way in ways {
            let rarer = self.rarer(&way, field)?;
            likely.extend((rarer > 0).then_some((rarer, way)));
        }
        likely.sort_by(|(a, _), (b, _)| b.cmp(a));
        let mut best = None;
        for (_, way) in likely.into_iter().take(WAYS_MAX) {
            let blocks = blocks_of(self, &way)?;
            if blocks > best.as_ref().map_or(0, |(most, _)| *most) {
                best = Some((blocks, way));
            }
        }
        let best = best.filter(|_| !self.vocabulary.budget().is_spent());
        Ok(best.map(|(_, way)| way))
    }

    /// Blocks that have the rarer one of two words.
    fn rarer(&mut self, pair: &[Surface<'_>; 2], field: TextField) -> Result<u64, EngineError> {
        let mut least = u64::MAX;
        for word in pair {
            let forms = self.own_forms(word);
            least = least.min(self.words.document_frequency(field, &forms)?);
            if least == 0 {
                break;
            }
        }
        Ok(least)
    }

    /// The forms of a word without its further spellings.
    pub(super) fn own_forms(&mut self, word: &Surface<'_>) -> Vec<TermForm> {
        let mut forms = self.words.forms(word);
        forms.retain(|form| !form.is_further());
        forms
    }

    /// Blocks that have two words side by side, at most `most`.
    pub(super) fn side_by_side(
        &mut self,
        pair: &[Surface<'_>; 2],
        field: TextField,
        most: u64,
    ) -> Result<u64, EngineError> {
        let phrase = self.words.any_sequence(field, pair, 0)?;
        self.blocks_that_meet(Clause::Phrase(phrase), most)
    }

    /// Blocks that meet a clause, at most `most`.
    pub(super) fn blocks_that_meet(&self, clause: Clause, most: u64) -> Result<u64, EngineError> {
        let query = ResolvedQuery { constraint: Some(clause), ..ResolvedQuery::default() };
        self.words.snapshot.prepare(&query, self.vocabulary.budget())?.count_up_to(most)
    }
}

/// Whether a capital stands at `at` behind a small letter, as in `BorrowChecker`.
fn is_inner_capital(word: &str, at: usize) -> bool {
    let (left, right) = word.split_at(at);
    left.ends_with(char::is_lowercase) && right.starts_with(char::is_uppercase)
}

/// The two words that `word` is when it is parted at `at`; nothing where one would be too short, or none of its own.
fn pair(word: &str, at: usize) -> Option<[Surface<'_>; 2]> {
    let (left, right) = word.split_at(at);
    let (last, first) = (left.chars().next_back()?, right.chars().next()?);
    let is_beside_digit = last.is_numeric() != first.is_numeric();
    let least = if is_beside_digit { CHARS_BESIDE_DIGIT_MIN } else { CHARS_MIN };
    if [left, right].iter().any(|part| part.chars().count() < least) {
        return None;
    }
    let whole = |part| surfaces(part).into_iter().find(|surface| surface.text == part);
    let (left, right) = (whole(left)?, whole(right)?);
    Some([left, Surface { position: left.position + 1, ..right }])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_words() {
        let pairs = |word: &str| -> Vec<String> {
            let at = word.char_indices().map(|(at, _)| at);
            at.filter_map(|at| pair(word, at)).map(|pair| pair.map(|part| part.text.to_owned()).join(" ")).collect()
        };
        assert_eq!(pairs("prefixs"), ["pre fixs", "pref ixs"]);
        assert_eq!(pairs("km420"), ["km 420"]);
        assert_eq!(pairs("a_bcdbool"), ["a_b cdbool", "a_bc dbool", "a_bcd bool", "a_bcdb ool"]);
        assert_eq!(pairs("short"), [""; 0]);
        assert!(
            is_inner_capital("BorrowChecker", 6) && !is_inner_capital("HTML", 1) && !is_inner_capital("Einstein", 3)
        );
    }
}
