//! A compound that the collection has nowhere, but whose parts stand in one block: `Druckerpatrone` where a drawer holds the `Patrone` of a
//! `Drucker`.

use super::leaves::resolved_word;
use super::resolve::Resolution;
use super::resolved::{Clause, Filter, ResolvedWord, TextField};
use super::words::surfaces;
use crate::engine::EngineError;
use lopper_analysis::Surface;

/// Languages that write compounds as one word.
const COMPOUNDING: [&str; 8] = ["de", "nl", "sv", "da", "no", "fi", "et", "is"];

/// What may stand between the parts of a compound: `Arbeits|fläche`, `Tasten|druck`.
const JOINTS: [&str; 7] = ["", "s", "n", "e", "en", "es", "er"];

/// Characters of each part, at least.
const CHARS_MIN: usize = 4;

/// Bytes of a compound, at most: what is longer is no word.
const BYTES_MAX: usize = 64;

impl Resolution<'_> {
    /// The two parts of a compound, those which most blocks of pages in a language with compounds have.
    pub(super) fn taken_apart(
        &mut self,
        surface: &Surface<'_>,
        field: TextField,
    ) -> Result<Option<[ResolvedWord; 2]>, EngineError> {
        let compounding = self.words.languages.iter().filter(|language| COMPOUNDING.contains(&language.code()));
        let in_one: Vec<Clause> = compounding.map(|language| Clause::Filter(Filter::Language(*language))).collect();
        let is_word = !surface.is_pair && surface.text.len() <= BYTES_MAX;
        if in_one.is_empty() || !is_word || self.vocabulary.budget().is_spent() {
            return Ok(None);
        }
        let in_one = Clause::any(in_one);
        let best = self.most_met(ways_apart(surface.text).into_iter(), field, |this, parts| {
            let both = parts.each_ref().map(|part| Clause::AnyWord(vec![this.part_as_word(part, field)]));
            this.blocks_that_meet(Clause::all(both.into_iter().chain([in_one.clone()]).collect()), u64::MAX)
        })?;
        Ok(best.map(|parts| parts.map(|part| self.part_as_word(&part, field))))
    }

    fn part_as_word(&mut self, part: &Surface<'_>, field: TextField) -> ResolvedWord {
        resolved_word(part.text, self.own_forms(part), field)
    }
}

/// The two words that a compound may be made of, in all ways.
fn ways_apart(word: &str) -> Vec<[Surface<'_>; 2]> {
    let mut ways = Vec::new();
    for (at, _) in word.char_indices() {
        let (left, right) = word.split_at(at);
        let firsts = JOINTS.iter().filter_map(|joint| left.strip_suffix(joint));
        ways.extend(firsts.filter_map(|first| Some([part_of(first)?, part_of(right)?])));
    }
    ways
}

/// What may be a part of a compound: one word, and not a short one.
fn part_of(text: &str) -> Option<Surface<'_>> {
    if text.chars().count() < CHARS_MIN {
        return None;
    }
    let [only] = <[Surface<'_>; 1]>::try_from(surfaces(text)).ok()?;
    (only.text == text).then_some(only)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_may_be_joined_by_letters() {
        let ways: Vec<[&str; 2]> =
            ways_apart("Arbeitsplatz").iter().map(|way| way.each_ref().map(|part| part.text)).collect();
        assert!(ways.contains(&["Arbeit", "platz"]) && ways.contains(&["Arbeits", "platz"]), "{ways:?}");
        assert!(ways.iter().flatten().all(|part| part.len() >= 4), "{ways:?}");
        assert!(ways_apart("Einsatz").is_empty() && ways_apart("").is_empty());
    }
}
