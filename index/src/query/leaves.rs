//! Words, phrases and values of a query, looked up in the index.

use super::ast::{Field, Node, Place};

use super::filter::{filter, value};
use super::note::QueryNote;
use super::resolve::{Matching, Part, Resolution, Role, Within};
use super::resolved::{Clause, ResolvedWord, TextField};
use super::words::surfaces;
use super::{PREFIX_TERMS_MAX, QUERY_PHRASE_WORDS_MAX, QUERY_TERMS_MAX};
use crate::engine::EngineError;
use lopper_analysis::{ExtraWord, Language, Surface, TermForm, extra_words};

/// Prefixes of a query whose stems are looked for; each may cost some milliseconds.
const FAMILIES_MAX: usize = 6;

/// Words that are looked into for one prefix, those of most pages.
const FAMILY_WORDS_MAX: usize = 64;

/// Stems that are taken for one prefix.
const FAMILY_TERMS_MAX: usize = 16;

impl Resolution<'_> {
    pub(super) fn leaf(&mut self, node: &Node, within: Within) -> Result<Option<Part>, EngineError> {
        match within.field {
            None | Some(Field::Title | Field::Heading) => self.text(node, within),
            Some(Field::InUrl) => self.in_url(node, within),
            Some(field) => self.filter(field, node, within).map(Some),
        }
    }

    fn filter(&mut self, field: Field, node: &Node, within: Within) -> Result<Part, EngineError> {
        let (value, place) = value(node);
        let filter = filter(field, &value);
        if !self.words.snapshot.may_match(&filter)? {
            let filter = format!("{}:{value}", field.name());
            self.notes.push(QueryNote::NothingHas { position_bytes: place.start, filter });
        }
        let role = if within.is_operand { Role::Must } else { Role::Should };
        Ok(Part { matching: Matching::Clause(Clause::Filter(filter)), role, is_textual: false })
    }

    /// Words of the URL; of several in a row all must match.
    fn in_url(&mut self, node: &Node, within: Within) -> Result<Option<Part>, EngineError> {
        let (text, is_prefix, place) = match node {
            Node::Word { text, is_prefix, place } => (text, *is_prefix, *place),
            Node::Phrase { text, place, .. } => (text, false, *place),
            _ => return Ok(None),
        };
        let text = text.replace('_', " ");
        let within = Within { scored: false, ..within };
        let words = self.resolved(&text, place, is_prefix, TextField::Url, within)?;
        let role = if within.is_operand { Role::Must } else { Role::Should };
        let clause = all_of(words);
        Ok(clause.map(|clause| Part { matching: Matching::Clause(clause), role, is_textual: false }))
    }

    fn text(&mut self, node: &Node, within: Within) -> Result<Option<Part>, EngineError> {
        let field = match within.field {
            Some(Field::Title) => TextField::Title,
            Some(Field::Heading) => TextField::Headings,
            _ => TextField::All,
        };
        match node {
            Node::Phrase { text, slop, place } => self.phrase(text, *place, field, *slop, within),
            Node::Word { text, is_prefix, place } if !within.is_operand => {
                let words = self.resolved(text, *place, *is_prefix, field, within)?;
                let part = Part { matching: Matching::AnyOf(words), role: Role::Should, is_textual: true };
                Ok(Some(part).filter(Part::has_words))
            }
            Node::Word { text, is_prefix: true, place } => {
                let words = self.resolved(text, *place, true, field, within)?;
                let clause = all_of(words);
                Ok(clause.map(|clause| Part { matching: Matching::Clause(clause), role: Role::Must, is_textual: true }))
            }
            Node::Word { text, place, .. } if surfaces(text).len() > 1 => self.phrase(text, *place, field, 0, within),
            Node::Word { text, place, .. } => {
                let words = match self.as_written(text, field, within)? {
                    Some(written) => vec![written],
                    None => self.resolved(text, *place, false, field, within)?,
                };
                let part = Part { matching: Matching::AnyOf(words), role: Role::Must, is_textual: true };
                Ok(Some(part).filter(Part::has_words))
            }
            _ => Ok(None),
        }
    }

    /// The words of `text` must stand one after the other, in any one language.
    fn phrase(
        &mut self,
        text: &str,
        place: Place,
        field: TextField,
        slop: u32,
        within: Within,
    ) -> Result<Option<Part>, EngineError> {
        let mut surfaces = surfaces(text);
        surfaces.retain(|surface| self.has_room(surface.text));
        let mut words = Vec::with_capacity(surfaces.len());
        for surface in &surfaces {
            let word = self.lookup(surface, field)?;
            if within.scored {
                self.suggest(surface, &word, place)?;
                self.score(&word, 1.0);
            }
            words.push(word);
        }
        if surfaces.len() > QUERY_PHRASE_WORDS_MAX {
            let left_out = surfaces.len() - QUERY_PHRASE_WORDS_MAX;
            self.notes.push(QueryNote::PhraseCut { position_bytes: place.start, left_out });
            surfaces.truncate(QUERY_PHRASE_WORDS_MAX);
        }
        let matching = match &surfaces[..] {
            [] => return Ok(None),
            [_] => Matching::AnyOf(self.as_written(text, field, within)?.map_or(words, |written| vec![written])),
            _ => Matching::Clause(Clause::Phrase(self.words.any_sequence(field, &surfaces, slop)?)),
        };
        Ok(Some(Part { matching, role: Role::Must, is_textual: true }))
    }

    /// The name of one word that must be there as it is written, where the index has it: an acronym, or one to which signs belong. Then `UPS`
    /// is no `up`, and `C++` not any `C`.
    fn as_written(
        &mut self,
        text: &str,
        field: TextField,
        within: Within,
    ) -> Result<Option<ResolvedWord>, EngineError> {
        let Some(name) = extra_words(text).into_iter().find(ExtraWord::has_signs) else {
            return self.as_acronym(text, field, within);
        };
        if surfaces(text).len() > 1 || !self.has_room(name.source) {
            return Ok(None);
        }
        let forms = self.words.analyzer.extra_forms(&name, self.words.languages);
        if self.words.document_frequency(field, &forms)? == 0 {
            return Ok(None);
        }
        let word = resolved_word(name.source, forms, field);
        if within.scored {
            self.score(&word, 1.0);
        }
        Ok(Some(word))
    }

    /// The acronym that must be there in capitals, or in small letters where a text's language has no stems.
    fn as_acronym(
        &mut self,
        text: &str,
        field: TextField,
        within: Within,
    ) -> Result<Option<ResolvedWord>, EngineError> {
        let surfaces = surfaces(text);
        let [surface] = &surfaces[..] else { return Ok(None) };
        let Some(forms) = self.acronym(surface, field)? else { return Ok(None) };
        if !self.has_room(surface.text) {
            return Ok(None);
        }
        let word = resolved_word(surface.text, forms, field);
        if within.scored {
            self.score(&word, 1.0);
        }
        Ok(Some(word))
    }

    /// The words of `text`, looked up in the index, and counted in the ranking where they are to be.
    fn resolved(
        &mut self,
        text: &str,
        place: Place,
        is_prefix: bool,
        field: TextField,
        within: Within,
    ) -> Result<Vec<ResolvedWord>, EngineError> {
        let surfaces = surfaces(text);
        let mut words = Vec::with_capacity(surfaces.len());
        let weights = if within.scored { self.pair_weights(&surfaces)? } else { Vec::new() };
        for (index, surface) in surfaces.iter().enumerate() {
            if !self.has_room(surface.text) {
                continue;
            }
            let is_last_prefix = is_prefix && index + 1 == surfaces.len();
            let mut found = match is_last_prefix {
                true => vec![self.prefix(surface, place, field)?],
                false if within.scored && place.is_quoted => {
                    let word = self.lookup(surface, field)?;
                    self.suggest(surface, &word, place)?;
                    vec![word]
                }
                false if within.scored => self.corrected(surface, place, field)?,
                false => vec![self.lookup(surface, field)?],
            };
            let as_one = self.neighbours.get(surface.text).filter(|_| within.joins && !is_last_prefix);
            if let ([word], Some(forms)) = (&mut found[..], as_one) {
                word.forms.extend(forms.iter().cloned());
            }
            if within.scored {
                for word in &found {
                    self.score(word, weights[index]);
                }
            }
            words.extend(found);
        }
        if within.scored && !within.is_operand && !is_prefix {
            self.add_extra_words(text, field, &mut words);
        }
        Ok(words)
    }

    /// Adds what the text's names may also be written as, and their parts; they rank a little, and find what nothing else does.
    fn add_extra_words(&mut self, text: &str, field: TextField, words: &mut Vec<ResolvedWord>) {
        for extra in extra_words(text) {
            if !self.has_room(extra.source) {
                continue;
            }
            let forms = self.words.analyzer.extra_forms(&extra, self.words.languages);
            let word = resolved_word(extra.source, forms, field);
            self.score(&word, 1.0);
            words.push(word);
        }
    }

    /// Counts a word and tells whether it was met or still has room.
    fn has_room(&mut self, word: &str) -> bool {
        if self.met.contains(word) {
            return true;
        }
        if self.met.len() >= QUERY_TERMS_MAX {
            self.ignored += 1;
            return false;
        }
        self.met.insert(word.to_owned())
    }

    pub(super) fn lookup(&mut self, surface: &Surface<'_>, field: TextField) -> Result<ResolvedWord, EngineError> {
        let key = (field, surface.text.to_owned());
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let acronym = if self.is_acronym(surface) { self.acronym(surface, field)? } else { None };
        let forms = acronym.unwrap_or_else(|| self.words.forms(surface));
        let word = resolved_word(surface.text, forms, field);
        self.known.insert(key, word.clone());
        Ok(word)
    }

    /// What an acronym is looked up by as it is written, where the index has that.
    fn acronym(&mut self, surface: &Surface<'_>, field: TextField) -> Result<Option<Vec<TermForm>>, EngineError> {
        let Some(forms) = self.words.analyzer.acronym_forms(surface) else { return Ok(None) };
        let [_, written] = &forms;
        let is_known = self.words.snapshot.document_frequency(field, &written.term)? > 0;
        Ok(is_known.then(|| forms.into()))
    }

    pub(super) fn is_scored(&self, word: &ResolvedWord) -> bool {
        self.scored.contains(&scored_as(word))
    }

    /// Counts a word in the ranking, with that weight unless it is a question's own.
    fn score(&mut self, word: &ResolvedWord, weight: f32) {
        if self.scored.insert(scored_as(word)) {
            let opening = self.opening.weight_of(&word.surface);
            let weight = word.weight * opening.unwrap_or(weight);
            let asks_in = self.opening.asks_in(&word.surface).to_vec();
            self.resolved.words.push(ResolvedWord {
                weight,
                is_of_opening: opening.is_some(),
                asks_in,
                ..word.clone()
            });
        }
    }

    /// The terms that begin with a prefix as one word, and those that are the stem of a word that does.
    fn prefix(&mut self, surface: &Surface<'_>, place: Place, field: TextField) -> Result<ResolvedWord, EngineError> {
        let shown = format!("{}*", surface.text);
        if let Some(known) = self.known.get(&(field, shown.clone())) {
            return Ok(known.clone());
        }
        let prefix = self.words.analyzer.term(surface, Language::UNDETERMINED).to_owned();
        let mut terms = self.vocabulary.beginning_with(field, &prefix)?;
        if terms.len() > PREFIX_TERMS_MAX {
            let left_out = terms.len() - PREFIX_TERMS_MAX;
            let prefix = surface.text.to_owned();
            self.notes.push(QueryNote::PrefixCut { position_bytes: place.start + surface.start, prefix, left_out });
            terms.truncate(PREFIX_TERMS_MAX);
        }
        let mut forms: Vec<TermForm> =
            terms.into_iter().map(|(term, _)| TermForm { term, languages: Vec::new(), factor: 1.0 }).collect();
        if !surface.is_pair && field != TextField::Url {
            forms.extend(self.stems(&prefix, field)?);
        }
        if forms.is_empty() {
            forms.push(TermForm { term: prefix, languages: Vec::new(), factor: 1.0 });
        }
        let word = resolved_word(&shown, forms, field);
        self.known.insert((field, shown), word.clone());
        Ok(word)
    }

    /// Stems that do not begin with `prefix` but stand for words that do: `organ` for `organization`, `muhl` for `Mühlen`.
    fn stems(&mut self, prefix: &str, field: TextField) -> Result<Vec<TermForm>, EngineError> {
        let mut stems: Vec<TermForm> = Vec::new();
        self.families += 1;
        if self.families > FAMILIES_MAX || !self.words.languages.iter().any(Language::has_stemmer) {
            return Ok(stems);
        }
        let words = self.vocabulary.words_beginning_with(prefix)?;
        for (word, _) in words.iter().take(FAMILY_WORDS_MAX) {
            for form in self.words.forms_of(word) {
                let is_new = stems.iter().all(|known| known.term != form.term) && !form.is_further();
                let is_other = is_new && !form.term.starts_with(prefix);
                if is_other && self.words.snapshot.document_frequency(field, &form.term)? > 0 {
                    stems.push(TermForm { languages: Vec::new(), ..form });
                }
            }
            if stems.len() >= FAMILY_TERMS_MAX {
                break;
            }
        }
        Ok(stems)
    }
}

/// Words that all must match, each in one of its forms.
pub(super) fn all_of(words: Vec<ResolvedWord>) -> Option<Clause> {
    let clauses: Vec<Clause> = words.into_iter().map(|word| Clause::AnyWord(vec![word])).collect();
    (!clauses.is_empty()).then_some(Clause::all(clauses))
}

pub(super) fn resolved_word(surface: &str, forms: Vec<TermForm>, field: TextField) -> ResolvedWord {
    ResolvedWord { surface: surface.to_owned(), forms, weight: 1.0, is_of_opening: false, asks_in: Vec::new(), field }
}

/// Whether two forms count in one language at least; without languages they count in all.
pub(super) fn has_common_language(a: &TermForm, b: &TermForm) -> bool {
    let (a, b) = (&a.languages, &b.languages);
    a.is_empty() || b.is_empty() || a.iter().any(|language| b.contains(language))
}

fn scored_as(word: &ResolvedWord) -> (TextField, String) {
    (word.field, word.surface.to_lowercase())
}
