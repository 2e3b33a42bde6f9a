//! A compound that the collection has nowhere, but whose parts stand in one block: `Druckerpatrone` where a drawer holds the `Patrone` of a
//! `Drucker`.

use super::leaves::resolved_word;
use super::resolve::Resolution;
use super::resolved::{Clause, Filter, ResolvedWord, TextField};
use super::words::surfaces;
use crate::engine::EngineError;
use lopper_analysis::{Surface, TermForm};

/// Languages that write compounds as one word.
const COMPOUNDING: [&str; 8] = ["de", "nl", "sv", "da", "no", "fi", "et", "is"];

/// What may stand between the parts of a compound: `Arbeits|fläche`, `Tasten|druck`.
const JOINTS: [&str; 7] = ["", "s", "n", "e", "en", "es", "er"];

/// Characters of each part, at least.
const CHARS_MIN: usize = 4;

/// Bytes of a compound, at most: what is longer is no word.
const BYTES_MAX: usize = 64;

/// Ways to take a word apart that are looked for in one block: those whose rarer part is most frequent.
const WAYS_MAX: usize = 3;

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
        let mut best: Option<(u64, [ResolvedWord; 2])> = None;
        for parts in self.likely_parts(surface.text, field)? {
            let both = parts.iter().map(|part| Clause::AnyWord(vec![part.clone()]));
            let blocks = self.blocks_that_meet(Clause::all(both.chain([in_one.clone()]).collect()), u64::MAX)?;
            if blocks > best.as_ref().map_or(0, |(most, _)| *most) {
                best = Some((blocks, parts));
            }
        }
        let best = best.filter(|_| !self.vocabulary.budget().is_spent());
        Ok(best.map(|(_, parts)| parts))
    }

    /// The two words that a compound may be made of, in the ways whose rarer one is most frequent.
    fn likely_parts(&mut self, word: &str, field: TextField) -> Result<Vec<[ResolvedWord; 2]>, EngineError> {
        let mut ways: Vec<(u64, [ResolvedWord; 2])> = Vec::new();
        for parts in ways_apart(word) {
            let parts = parts.map(|part| resolved_word(part, self.own_forms(part), field));
            let mut rarer = u64::MAX;
            for part in &parts {
                rarer = rarer.min(self.words.document_frequency(field, &part.forms)?);
            }
            ways.extend((rarer > 0).then_some((rarer, parts)));
        }
        ways.sort_by(|(a, _), (b, _)| b.cmp(a));
        Ok(ways.into_iter().take(WAYS_MAX).map(|(_, parts)| parts).collect())
    }

    /// The forms of a word without its further spellings.
    fn own_forms(&mut self, word: &str) -> Vec<TermForm> {
        let mut forms = self.words.forms_of(word);
        forms.retain(|form| !form.is_further());
        forms
    }
}

/// The two words that a compound may be made of, in all ways.
fn ways_apart(word: &str) -> Vec<[&str; 2]> {
    let is_word =
        |part: &str| part.chars().count() >= CHARS_MIN && matches!(&surfaces(part)[..], [only] if only.text == part);
    let mut ways = Vec::new();
    for (at, _) in word.char_indices() {
        let (left, right) = word.split_at(at);
        let firsts = JOINTS.iter().filter_map(|joint| left.strip_suffix(joint));
        ways.extend(firsts.map(|first| [first, right]).filter(|parts| parts.iter().all(|part| is_word(part))));
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_may_be_joined_by_letters() {
        let ways = ways_apart("Arbeitsplatz");
        assert!(ways.contains(&["Arbeit", "platz"]) && ways.contains(&["Arbeits", "platz"]), "{ways:?}");
        assert!(ways.iter().flatten().all(|part| part.len() >= 4), "{ways:?}");
        assert!(ways_apart("Einsatz").is_empty() && ways_apart("").is_empty());
    }
}
