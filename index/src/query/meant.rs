//! What is put in place of a word that the collection does not have, or asked about: another spelling, or two words.

use super::ast::Place;
use super::leaves::{has_common_language, resolved_word};
use super::note::{Correction, QueryNote};
use super::resolve::Resolution;
use super::resolved::{Clause, ResolvedWord, TextField};
use super::spelling::{self, Known, NEARLY, SLIP_PAGES_MAX, suggestions};
use super::words::surfaces;
use crate::engine::EngineError;
use lopper_analysis::{Language, Surface, TermForm};

/// Words that are asked about beside the likeliest, at most.
const OTHERS_MAX: usize = 2;

/// Other spellings of a word.
struct Meant {
    /// The likeliest.
    word: String,
    /// Whether to search for it unasked.
    is_sure: bool,
    /// Others that are nearly as likely and find other blocks.
    others: Vec<String>,
}

impl Resolution<'_> {
    /// The word, or in place of one that the index does not have, the one that was meant, or two.
    pub(super) fn corrected(
        &mut self,
        surface: &Surface<'_>,
        place: Place,
        field: TextField,
    ) -> Result<Vec<ResolvedWord>, EngineError> {
        let word = self.lookup(surface, field)?;
        let lookups = self.lookups;
        let Some(meant) = self.meant(surface, &word)? else {
            let is_absent = self.lookups > lookups && self.words.document_frequency(TextField::All, &word.forms)? == 0;
            let parted = if is_absent { self.as_two(surface, field)? } else { None };
            let Some(parted) = parted else { return Ok(vec![word]) };
            let both = parted.each_ref().map(|word| word.surface.as_str()).join(" ");
            self.note_correction(surface, place, &both, true);
            return Ok(parted.into());
        };
        self.note_meant(surface, place, &meant, meant.is_sure);
        let found = surfaces(&meant.word);
        let Some(meant) = found.first().filter(|_| meant.is_sure) else { return Ok(vec![word]) };
        let word = self.lookup(meant, field)?;
        self.known.insert((field, surface.text.to_owned()), word.clone());
        Ok(vec![word])
    }

    /// Asks whether another word was meant by one of a phrase.
    pub(super) fn suggest(
        &mut self,
        surface: &Surface<'_>,
        word: &ResolvedWord,
        place: Place,
    ) -> Result<(), EngineError> {
        if let Some(meant) = self.meant(surface, word)? {
            self.note_meant(surface, place, &meant, false);
        }
        Ok(())
    }

    fn note_meant(&mut self, surface: &Surface<'_>, place: Place, meant: &Meant, applied: bool) {
        self.note_correction(surface, place, &meant.word, applied);
        for other in &meant.others {
            self.note_correction(surface, place, other, false);
        }
    }

    fn note_correction(&mut self, surface: &Surface<'_>, place: Place, suggested: &str, applied: bool) {
        let (given, suggested) = (surface.text.to_owned(), suggested.to_owned());
        let correction = Correction { position_bytes: place.start + surface.start, given, suggested, applied };
        self.notes.push(QueryNote::Correction(correction));
    }

    /// The word that was meant by one that the index does not have, or hardly has.
    fn meant(&mut self, surface: &Surface<'_>, word: &ResolvedWord) -> Result<Option<Meant>, EngineError> {
        let is_known = self.is_scored(word) || self.opening.has(surface.text);
        if surface.is_pair || self.lookups >= spelling::LOOKUPS_MAX || is_known {
            return Ok(None);
        }
        let normal = self.words.analyzer.term(surface, Language::UNDETERMINED).to_owned();
        let pages = self.vocabulary.pages_with(&normal)?;
        if pages.is_some_and(|pages| pages > SLIP_PAGES_MAX) {
            return Ok(None);
        }
        let mut blocks = self.words.document_frequency(TextField::All, &word.forms)?;
        // Where words as they are written are not known, one that is nowhere may be two all the same.
        self.lookups += usize::from(pages.is_some() || blocks == 0);
        let Some(pages) = pages else { return Ok(None) };
        let anywhere = resolved_word(surface.text, word.forms.clone(), TextField::All);
        if pages == 0 && blocks > 0 {
            // Its stem in one language may be that of a word of another one, which it does not find.
            blocks = self.blocks_that_meet(Clause::AnyWord(vec![anywhere.clone()]), u64::MAX)?;
        }
        let is_small = surface.text.chars().all(char::is_lowercase);
        let known = Known { pages, blocks };
        let found = suggestions(&self.vocabulary, &normal, is_small, known)?;
        if found.is_empty() {
            return Ok(None);
        }
        let beside = self.rarest_beside(surface)?;
        let mut likeliest = self.likeliest_beside(&beside, found)?.into_iter();
        let Some(found) = likeliest.next() else { return Ok(None) };
        if let Some(of_given) = known.likelihood()
            && self.is_at_home(surface, of_given, &beside, &found)?
        {
            return Ok(None);
        }
        let word = &found.suggestion.word;
        let may_replace = known.is_surely_not(&found.suggestion) && !self.is_acronym(surface);
        let is_sure = may_replace && self.fits_beside(&beside, &found);
        if !is_sure && self.is_found_by(&anywhere, word)? {
            return Ok(None);
        }
        let least = found.likelihood() - NEARLY;
        let next = likeliest.take_while(|next| next.likelihood() >= least).map(|next| next.suggestion.word);
        let others = self.others(word, next)?;
        Ok(Some(Meant { word: found.suggestion.word, is_sure, others }))
    }

    /// Those of `next` that find other blocks than `word` and each other do; the first few.
    fn others(&mut self, word: &str, next: impl Iterator<Item = String>) -> Result<Vec<String>, EngineError> {
        let mut others: Vec<String> = Vec::new();
        for next in next {
            if others.len() == OTHERS_MAX {
                break;
            }
            let mut is_new = !self.is_form_of(word, &next)?;
            for other in &others {
                is_new = is_new && !self.is_form_of(other, &next)?;
            }
            if is_new {
                others.push(next);
            }
        }
        Ok(others)
    }

    /// Whether a word that the collection has finds most of the blocks of another one too.
    fn is_form_of(&mut self, word: &str, other: &str) -> Result<bool, EngineError> {
        let forms = self.words.forms_of(word);
        self.is_found_by(&resolved_word(word, forms, TextField::All), other)
    }

    /// Whether a word finds most of the blocks of another one too, since they have a stem in common.
    fn is_found_by(&mut self, word: &ResolvedWord, other: &str) -> Result<bool, EngineError> {
        let others = self.words.forms_of(other);
        let is_form =
            |form: &TermForm| others.iter().any(|other| other.term == form.term && has_common_language(other, form));
        if !word.forms.iter().any(is_form) {
            return Ok(false);
        }
        let other = resolved_word(other, others, TextField::All);
        let [word, other] = [word.clone(), other].map(|word| Clause::AnyWord(vec![word]));
        let of_other = self.blocks_that_meet(other.clone(), u64::MAX)?;
        let of_both = self.blocks_that_meet(Clause::all(vec![word, other]), u64::MAX)?;
        Ok(2 * of_both >= of_other)
    }
}
