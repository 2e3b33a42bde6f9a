//! Two words of a query that the collection has as one too, `file name`, or as one alone, `thermo stat`.

use super::ast::Node;
use super::leaves::{all_of, has_common_language, resolved_word};
use super::note::{Correction, QueryNote};
use super::resolve::Resolution;
use super::resolved::TextField;
use super::words::surfaces;
use crate::engine::EngineError;
use lopper_analysis::{Language, Surface, TermForm};

/// Characters of each of the two, and of both, at least.
const CHARS_MIN: usize = 3;
const CHARS_OF_BOTH_MIN: usize = 6;

/// The same of two that are also found as one.
const CHARS_ALSO_MIN: usize = 2;
const CHARS_ALSO_OF_BOTH_MIN: usize = 5;

/// Blocks with the rarer one to each with the two as one, at most: `sort` is on thousands where `tosort` is a slip.
const ALSO_BLOCKS_SHARE: u64 = 200;

/// Characters of a word that may be an ending.
const ENDING_CHARS: usize = 2;

/// Words that begin as the two as one do that are looked at.
const ALIKE_MAX: usize = 64;

/// What the two as one count for each of them.
const ALSO_FACTOR: f32 = 0.8;

/// Pairs of a query that are looked into.
const PAIRS_MAX: usize = 16;

impl Resolution<'_> {
    /// The word that two parts side by side are, where no block has the two in a row, and more have them as one than have both of them
    /// anywhere. That is told.
    pub(super) fn joined(&mut self, parts: &[Node]) -> Result<Option<Node>, EngineError> {
        let [
            Node::Word { text: first, is_prefix: false, place },
            Node::Word { text: second, is_prefix: false, .. },
            ..,
        ] = parts
        else {
            return Ok(None);
        };
        let Some(pair) = pair(first, second).filter(|_| self.is_asked(first, second)) else { return Ok(None) };
        self.pairs += 1;
        if self.pairs > PAIRS_MAX || self.vocabulary.budget().is_spent() {
            return Ok(None);
        }
        let text = format!("{first}{second}");
        let (_, blocks) = self.forms_as_one(first, second)?;
        if blocks == 0
            || self.side_by_side(&pair, TextField::All, 1)? > 0
            || self.blocks_with_both(&pair, blocks)? >= blocks
            // What was counted then is not to be trusted.
            || self.vocabulary.budget().is_spent()
        {
            return Ok(None);
        }
        let correction = Correction {
            position_bytes: place.start,
            given: format!("{first} {second}"),
            suggested: text.clone(),
            applied: true,
        };
        self.notes.push(QueryNote::Correction(correction));
        Ok(Some(Node::Word { text, is_prefix: false, place: *place }))
    }

    /// Notes what neighbouring words of a list are as one, where the collection has that.
    pub(super) fn note_neighbours(&mut self, parts: &[Node]) -> Result<(), EngineError> {
        for pair in parts.windows(2).take(PAIRS_MAX) {
            let [Node::Word { text: first, is_prefix: false, .. }, Node::Word { text: second, is_prefix: false, .. }] =
                pair
            else {
                continue;
            };
            if !self.is_asked(first, second) || !may_be_one(first, second) || self.vocabulary.budget().is_spent() {
                continue;
            }
            let (mut forms, blocks) = self.forms_as_one(first, second)?;
            if blocks == 0 || blocks < self.rarer_of(first, second)? / ALSO_BLOCKS_SHARE {
                continue;
            }
            for form in &mut forms {
                form.factor *= ALSO_FACTOR;
            }
            for word in [first, second] {
                let known = self.neighbours.entry(word.clone()).or_default();
                known.extend(forms.iter().filter(|form| !known.contains(form)).cloned().collect::<Vec<_>>());
            }
        }
        Ok(())
    }

    /// Whether two words say what is asked for: what a question begins with does not.
    fn is_asked(&self, first: &str, second: &str) -> bool {
        [first, second].iter().all(|word| !self.opening.has(word))
    }

    /// The forms of two words written as one, and the blocks that have it so; none where that is no one word. A stem that one of the two
    /// has by itself, as Catalan's of `getits` is that of `get`, says nothing of both.
    fn forms_as_one(&mut self, first: &str, second: &str) -> Result<(Vec<TermForm>, u64), EngineError> {
        let text = format!("{first}{second}");
        let [whole] = &surfaces(&text)[..] else { return Ok((Vec::new(), 0)) };
        let mut forms = self.words.forms(whole);
        let of_one = [self.words.forms_of(first), self.words.forms_of(second)].concat();
        forms.retain(|form| !form.is_further() && of_one.iter().all(|own| own.term != form.term));
        let blocks = self.words.document_frequency(TextField::All, &forms)?;
        let written = self.words.analyzer.term(whole, Language::UNDETERMINED).to_owned();
        if blocks == 0 || !self.is_written(&written, &forms)? {
            return Ok((Vec::new(), 0));
        }
        Ok((forms, blocks))
    }

    /// Whether pages have a word as it is written, or in another form of one language: a stem alone may be that of any other word, in a
    /// language that neither the query nor the pages are in.
    fn is_written(&mut self, word: &str, forms: &[TermForm]) -> Result<bool, EngineError> {
        if self.vocabulary.pages_with(word)? != Some(0) {
            return Ok(true);
        }
        let most = word.chars().count() + ENDING_CHARS;
        let Some((end, _)) = word.char_indices().rev().nth(ENDING_CHARS - 1) else { return Ok(false) };
        for (other, _) in self.vocabulary.words_beginning_with(&word[..end])?.iter().take(ALIKE_MAX) {
            let is_form =
                |form: &TermForm| forms.iter().any(|known| known.term == form.term && has_common_language(known, form));
            if other.chars().count() <= most && self.words.forms_of(other).iter().any(is_form) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Blocks that have the rarer one of two words, as far as its most frequent form tells.
    fn rarer_of(&mut self, first: &str, second: &str) -> Result<u64, EngineError> {
        let mut least = u64::MAX;
        for word in [first, second] {
            let forms = self.words.forms_of(word);
            least = least.min(self.words.document_frequency(TextField::All, &forms)?);
        }
        Ok(least)
    }

    /// Blocks that have two words anywhere, at most `most`.
    fn blocks_with_both(&mut self, pair: &[Surface<'_>; 2], most: u64) -> Result<u64, EngineError> {
        let words = pair.iter().map(|word| resolved_word(word.text, self.words.forms(word), TextField::All));
        let clause = all_of(words.collect());
        clause.map_or(Ok(0), |clause| self.blocks_that_meet(clause, most))
    }
}

/// Whether two words of letters are long enough to be known as one.
fn may_be_one(first: &str, second: &str) -> bool {
    letters(first)
        .zip(letters(second))
        .is_some_and(|(left, right)| left.min(right) >= CHARS_ALSO_MIN && left + right >= CHARS_ALSO_OF_BOTH_MIN)
}

/// How many letters a word has that has nothing else.
fn letters(text: &str) -> Option<usize> {
    text.chars().all(char::is_alphabetic).then(|| text.chars().count())
}

/// The two as words in a row; nothing unless both are of letters alone and the second is no name.
fn pair<'t>(first: &'t str, second: &'t str) -> Option<[Surface<'t>; 2]> {
    let (left, right) = (letters(first)?, letters(second)?);
    if left.min(right) < CHARS_MIN || left + right < CHARS_OF_BOTH_MIN || second.starts_with(char::is_uppercase) {
        return None;
    }
    let only = |text: &'t str| surfaces(text).into_iter().find(|surface| surface.text == text && !surface.is_pair);
    let (left, right) = (only(first)?, only(second)?);
    Some([left, Surface { position: left.position + 1, ..right }])
}

#[cfg(test)]
mod tests {
    use super::{may_be_one, pair};

    #[test]
    fn letters_alone_are_joined() {
        for (first, second, joins) in [
            ("thermo", "stat", true),
            ("dish", "washer", true),
            ("new", "York", false),
            ("to", "be", false),
            ("a", "wayward", false),
            ("utf", "8bit", false),
            ("C++", "code", false),
        ] {
            assert_eq!(pair(first, second).is_some(), joins, "{first} {second}");
        }
        for (first, second, is_long) in [
            ("log", "in", true),
            ("host", "name", true),
            ("to", "be", false),
            ("a", "wayward", false),
            ("utf", "8", false),
        ] {
            assert_eq!(may_be_one(first, second), is_long, "{first} {second}");
        }
    }
}
