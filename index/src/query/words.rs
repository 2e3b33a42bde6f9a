//! Words of a query: their forms in the languages of the collection.

use super::resolved::{Phrase, TermSequence, TextField};
use crate::engine::{BlockSnapshot, EngineError};
use lopper_analysis::{Analyzer, Language, Surface, TermForm, for_each_surface};

/// Looks words up in one state of an engine.
pub(super) struct WordForms<'a> {
    pub(super) snapshot: &'a dyn BlockSnapshot,
    /// Languages to try every word in.
    pub(super) languages: &'a [Language],
    pub(super) analyzer: &'a mut Analyzer,
}

/// Spellings of a phrase that are tried in one language.
const PHRASE_SPELLINGS_MAX: usize = 32;

/// The terms of a phrase with their places in it.
type Sequence = Vec<(usize, String)>;

impl WordForms<'_> {
    /// The different forms of a word in all languages, the plain one first.
    pub(super) fn forms(&mut self, surface: &Surface<'_>) -> Vec<TermForm> {
        self.analyzer.forms(surface, self.languages)
    }

    /// The same of the first word of a text.
    pub(super) fn forms_of(&mut self, text: &str) -> Vec<TermForm> {
        surfaces(text).first().map(|surface| self.forms(surface)).unwrap_or_default()
    }

    /// Blocks in which the most frequent form of a word stands.
    pub(super) fn document_frequency(&self, field: TextField, forms: &[TermForm]) -> Result<u64, EngineError> {
        let mut most = 0;
        for form in forms {
            most = most.max(self.snapshot.document_frequency(field, &form.term)?);
        }
        Ok(most)
    }

    /// The best of a phrase's sequences that the index may have: those of each language, no two languages mixed.
    pub(super) fn any_sequence(
        &mut self,
        field: TextField,
        surfaces: &[Surface<'_>],
        slop: u32,
    ) -> Result<Phrase, EngineError> {
        let mut sequences: Vec<(Sequence, Vec<Language>)> = Vec::new();
        for language in std::iter::once(Language::UNDETERMINED).chain(self.languages.iter().copied()) {
            for sequence in self.sequences(field, surfaces, language)? {
                match sequences.iter().position(|(known, _)| *known == sequence) {
                    Some(known) if sequences[known].1.is_empty() => {}
                    Some(known) => sequences[known].1.push(language),
                    None if language == Language::UNDETERMINED => sequences.push((sequence, Vec::new())),
                    None => sequences.push((sequence, vec![language])),
                }
            }
        }
        let sequence = |(terms, languages)| TermSequence { terms, languages };
        Ok(Phrase { field, sequences: sequences.into_iter().map(sequence).collect(), slop })
    }

    /// The sequences of a phrase in one language whose terms are in the index, likely ones first.
    ///
    /// Where most words may be spelled in two ways there are too many; writers keep to one way, so those with fewest words in
    /// the way that is rarer in them are tried.
    fn sequences(
        &mut self,
        field: TextField,
        surfaces: &[Surface<'_>],
        language: Language,
    ) -> Result<Vec<Sequence>, EngineError> {
        let mut floors: Vec<Vec<Step>> = Vec::with_capacity(surfaces.len());
        for (words, surface) in surfaces.iter().enumerate() {
            let mut longer = Vec::new();
            for (spelling, text) in self.analyzer.spellings(surface, language).into_iter().enumerate() {
                if self.snapshot.document_frequency(field, &text)? > 0 {
                    let respelled = usize::from(spelling > 0);
                    match floors.last() {
                        None => longer.push(Step { respelled, before: 0, text }),
                        Some(shorter) => longer.extend(shorter.iter().enumerate().map(|(before, step)| {
                            let respelled = step.respelled + respelled;
                            Step { respelled, before, text: text.clone() }
                        })),
                    }
                }
            }
            longer.sort_by_key(|step| step.respelled.min(words + 1 - step.respelled));
            longer.truncate(PHRASE_SPELLINGS_MAX);
            floors.push(longer);
        }
        let ends = 0..floors.last().map_or(0, Vec::len);
        Ok(ends.map(|end| sequence_to(end, &floors, surfaces)).collect())
    }
}

/// A term of a sequence, and which of the shorter sequences it goes on from.
struct Step {
    /// Words of the sequence that are not in their first spelling.
    respelled: usize,
    before: usize,
    text: String,
}

/// The sequence that ends with the step `end` of the last floor.
fn sequence_to(end: usize, floors: &[Vec<Step>], surfaces: &[Surface<'_>]) -> Sequence {
    let mut sequence = Sequence::with_capacity(floors.len());
    let mut at = end;
    for (floor, surface) in floors.iter().zip(surfaces).rev() {
        let step = &floor[at];
        sequence.push(((surface.position - surfaces[0].position) as usize, step.text.clone()));
        at = step.before;
    }
    sequence.reverse();
    sequence
}

pub(super) fn surfaces(text: &str) -> Vec<Surface<'_>> {
    let mut surfaces = Vec::new();
    for_each_surface(text, |surface| surfaces.push(surface));
    surfaces
}
