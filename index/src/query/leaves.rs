//! Words, phrases and values of a query, looked up in the index.

use lopper_analysis::{Language, Surface, extra_words};
use tantivy::TantivyError;
use tantivy::query::{BooleanQuery, Query};
use tantivy::schema::Field as IndexField;

use super::ast::{Field, Node, Place};
use super::compile::{Compilation, Matching, Part, Role, Within};
use super::filter::{Filter, filter, value};
use super::note::{Correction, QueryNote};
use super::spelling::{self, stem_bytes_min, suggestion};
use super::words::{ScoringWord, surfaces};
use super::{PREFIX_TERMS_MAX, QUERY_TERMS_MAX};
use crate::highlight::Form;

/// Blocks of a word that may be a slip: with more it is spelt as it should be.
const SLIP_BLOCKS_MAX: u64 = 1;

/// How many times more frequent another spelling of such a word is.
const SLIP_RATIO_MIN: u64 = 100;

/// Prefixes of a query whose stems are looked for; each may cost some milliseconds.
const FAMILIES_MAX: usize = 6;

/// Stems that are looked into for one prefix.
const FAMILY_TERMS_MAX: usize = 16;

/// Another spelling of a word.
struct Meant {
    word: String,
    /// Whether to search for it unasked.
    is_sure: bool,
}

impl Compilation<'_> {
    pub(super) fn leaf(&mut self, node: &Node, within: Within) -> Result<Option<Part>, TantivyError> {
        match within.field {
            None | Some(Field::Title | Field::Heading) => self.text(node, within),
            Some(Field::InUrl) => self.in_url(node, within),
            Some(field) => self.filter(field, node, within).map(Some),
        }
    }

    fn filter(&mut self, field: Field, node: &Node, within: Within) -> Result<Part, TantivyError> {
        let (value, place) = value(node);
        let filter = filter(self.fields, field, &value);
        if let Filter::Term(term) = &filter
            && self.vocabulary.searcher.doc_freq(term)? == 0
        {
            let filter = format!("{}:{value}", field.name());
            self.compiled.notes.push(QueryNote::NothingHas { position_bytes: place.0, filter });
        }
        let role = if within.demanded { Role::Demand } else { Role::Wish };
        Ok(Part { matching: Matching::Query(filter.into_query()), role, is_textual: false })
    }

    /// Words of the URL; several in a row are all demanded.
    fn in_url(&mut self, node: &Node, within: Within) -> Result<Option<Part>, TantivyError> {
        let (text, is_prefix, place) = match node {
            Node::Word { text, is_prefix, place } => (text, *is_prefix, *place),
            Node::Phrase { text, place, .. } => (text, false, *place),
            _ => return Ok(None),
        };
        let text = text.replace('_', " ");
        let within = Within { scored: false, ..within };
        let words = self.resolved(&text, place, is_prefix, self.fields.url_terms, within)?;
        let role = if within.demanded { Role::Demand } else { Role::Wish };
        let query = self.all_of(words)?;
        Ok(query.map(|query| Part { matching: Matching::Query(query), role, is_textual: false }))
    }

    fn all_of(&mut self, words: Vec<ScoringWord>) -> Result<Option<Box<dyn Query>>, TantivyError> {
        let mut queries = Vec::with_capacity(words.len());
        for word in words {
            queries.push(self.query_of(Matching::AnyOf(vec![word]))?);
        }
        Ok((!queries.is_empty()).then(|| Box::new(BooleanQuery::intersection(queries)) as Box<dyn Query>))
    }

    fn text(&mut self, node: &Node, within: Within) -> Result<Option<Part>, TantivyError> {
        let field = match within.field {
            Some(Field::Title) => self.fields.title_terms,
            Some(Field::Heading) => self.fields.heading_terms,
            _ => self.fields.all,
        };
        match node {
            Node::Phrase { text, slop, place } => self.phrase(text, *place, field, *slop, within),
            Node::Word { text, is_prefix, place } if !within.demanded => {
                let words = self.resolved(text, *place, *is_prefix, field, within)?;
                let part = Part { matching: Matching::AnyOf(words), role: Role::Wish, is_textual: true };
                Ok(Some(part).filter(Part::has_words))
            }
            Node::Word { text, is_prefix: true, place } => {
                let words = self.resolved(text, *place, true, field, within)?;
                let query = self.all_of(words)?;
                Ok(query.map(|query| Part { matching: Matching::Query(query), role: Role::Demand, is_textual: true }))
            }
            Node::Word { text, place, .. } if surfaces(text).len() > 1 => self.phrase(text, *place, field, 0, within),
            Node::Word { text, place, .. } => {
                let words = self.resolved(text, *place, false, field, within)?;
                let part = Part { matching: Matching::AnyOf(words), role: Role::Demand, is_textual: true };
                Ok(Some(part).filter(Part::has_words))
            }
            _ => Ok(None),
        }
    }

    /// Demands the words of `text` one after the other, in any one language.
    fn phrase(
        &mut self,
        text: &str,
        place: Place,
        field: IndexField,
        slop: u32,
        within: Within,
    ) -> Result<Option<Part>, TantivyError> {
        let mut surfaces = surfaces(text);
        surfaces.retain(|surface| self.has_room(surface.text));
        let mut words = Vec::with_capacity(surfaces.len());
        for surface in &surfaces {
            let word = self.lookup(surface, field);
            if within.scored {
                self.suggest(surface, &word, place)?;
                self.score(&word);
            }
            words.push(word);
        }
        let matching = match &surfaces[..] {
            [] => return Ok(None),
            [_] => Matching::AnyOf(words),
            _ => Matching::Query(self.words.any_sequence(field, &surfaces, slop)?),
        };
        Ok(Some(Part { matching, role: Role::Demand, is_textual: true }))
    }

    /// The words of `text`, looked up in the index, and counted in the ranking where they are to be.
    fn resolved(
        &mut self,
        text: &str,
        place: Place,
        is_prefix: bool,
        field: IndexField,
        within: Within,
    ) -> Result<Vec<ScoringWord>, TantivyError> {
        let surfaces = surfaces(text);
        let mut words = Vec::with_capacity(surfaces.len());
        for (index, surface) in surfaces.iter().enumerate() {
            if !self.has_room(surface.text) {
                continue;
            }
            let word = match is_prefix && index + 1 == surfaces.len() {
                true => self.prefix(surface, place, field)?,
                false if within.scored => self.corrected(surface, place, field)?,
                false => self.lookup(surface, field),
            };
            if within.scored {
                self.score(&word);
            }
            words.push(word);
        }
        if within.scored && !within.demanded && !is_prefix {
            self.add_extra_words(text, field, &mut words);
        }
        Ok(words)
    }

    /// Adds what the text's names may also be written as, and their parts; they rank a little, and find what nothing else does.
    fn add_extra_words(&mut self, text: &str, field: IndexField, words: &mut Vec<ScoringWord>) {
        for extra in extra_words(text) {
            if !self.has_room(extra.source) {
                continue;
            }
            let forms = self.words.analyzer.extra_forms(&extra, self.words.languages);
            let word = self.word(extra.source, forms, field);
            self.score(&word);
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

    fn lookup(&mut self, surface: &Surface<'_>, field: IndexField) -> ScoringWord {
        let key = (field, surface.text.to_owned());
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let forms = self.words.forms(surface);
        let word = self.word(surface.text, forms, field);
        self.known.insert(key, word.clone());
        word
    }

    fn word(&self, surface: &str, forms: Vec<Form>, field: IndexField) -> ScoringWord {
        let field = Some(field).filter(|field| *field != self.fields.all);
        ScoringWord { surface: surface.to_owned(), forms, weight: 1.0, field }
    }

    fn scored_as(&self, word: &ScoringWord) -> (IndexField, String) {
        (word.field.unwrap_or(self.fields.all), word.surface.to_lowercase())
    }

    fn is_scored(&self, word: &ScoringWord) -> bool {
        self.scored.contains(&self.scored_as(word))
    }

    fn score(&mut self, word: &ScoringWord) {
        let key = self.scored_as(word);
        if self.scored.insert(key) {
            self.compiled.terms.push_word(&word.forms);
            self.compiled.scoring.push(word.clone());
        }
    }

    /// The word, or in place of one that the index does not have, the one that was meant.
    fn corrected(
        &mut self,
        surface: &Surface<'_>,
        place: Place,
        field: IndexField,
    ) -> Result<ScoringWord, TantivyError> {
        let word = self.lookup(surface, field);
        let Some(meant) = self.meant(surface, &word)? else { return Ok(word) };
        self.note_correction(surface, place, &meant.word, meant.is_sure);
        let found = surfaces(&meant.word);
        let Some(meant) = found.first().filter(|_| meant.is_sure) else { return Ok(word) };
        let word = self.lookup(meant, field);
        self.known.insert((field, surface.text.to_owned()), word.clone());
        Ok(word)
    }

    /// Asks whether another word was meant by one of a phrase.
    fn suggest(&mut self, surface: &Surface<'_>, word: &ScoringWord, place: Place) -> Result<(), TantivyError> {
        if let Some(meant) = self.meant(surface, word)? {
            self.note_correction(surface, place, &meant.word, false);
        }
        Ok(())
    }

    fn note_correction(&mut self, surface: &Surface<'_>, place: Place, suggested: &str, applied: bool) {
        let (given, suggested) = (surface.text.to_owned(), suggested.to_owned());
        let correction = Correction { position_bytes: place.0 + surface.start, given, suggested, applied };
        self.compiled.notes.push(QueryNote::Correction(correction));
    }

    /// The word that was meant by one that the index does not have, or hardly has.
    fn meant(&mut self, surface: &Surface<'_>, word: &ScoringWord) -> Result<Option<Meant>, TantivyError> {
        if surface.is_pair || self.lookups >= spelling::LOOKUPS_MAX || self.is_scored(word) {
            return Ok(None);
        }
        let blocks = self.words.document_frequency(self.fields.all, &word.forms)?;
        if blocks > SLIP_BLOCKS_MAX {
            return Ok(None);
        }
        self.lookups += 1;
        let found = suggestion(&self.vocabulary, self.words.analyzer, surface.text, &word.forms, blocks > 0)?;
        Ok(found.and_then(|found| {
            let is_slip = blocks == 0 || (found.distance == 1 && found.blocks >= blocks * SLIP_RATIO_MIN);
            is_slip.then_some(Meant { word: found.word, is_sure: blocks == 0 })
        }))
    }

    /// The terms that begin with a prefix as one word, and those that are the stem of a word that does.
    fn prefix(&mut self, surface: &Surface<'_>, place: Place, field: IndexField) -> Result<ScoringWord, TantivyError> {
        let shown = format!("{}*", surface.text);
        if let Some(known) = self.known.get(&(field, shown.clone())) {
            return Ok(known.clone());
        }
        let prefix = self.words.analyzer.term(surface, Language::UNDETERMINED).to_owned();
        let mut terms = self.vocabulary.beginning_with(field, &prefix)?;
        if terms.len() > PREFIX_TERMS_MAX {
            let left_out = terms.len() - PREFIX_TERMS_MAX;
            let prefix = surface.text.to_owned();
            self.compiled.notes.push(QueryNote::PrefixCut {
                position_bytes: place.0 + surface.start,
                prefix,
                left_out,
            });
            terms.truncate(PREFIX_TERMS_MAX);
        }
        let mut forms: Vec<Form> =
            terms.into_iter().map(|(term, _)| Form { term, languages: Vec::new(), factor: 1.0 }).collect();
        if !surface.is_pair && field != self.fields.url_terms {
            forms.extend(self.stems(surface, &prefix, field)?);
        }
        if forms.is_empty() {
            forms.push(Form { term: prefix, languages: Vec::new(), factor: 1.0 });
        }
        let word = self.word(&shown, forms, field);
        self.known.insert((field, shown), word.clone());
        Ok(word)
    }

    /// Stems that do not begin with `prefix` but stand for words that do: `organ` for `organization`, `muhl` for `Mühlen`.
    fn stems(&mut self, surface: &Surface<'_>, prefix: &str, field: IndexField) -> Result<Vec<Form>, TantivyError> {
        let mut stems = Vec::new();
        self.families += 1;
        if self.families > FAMILIES_MAX || !self.words.languages.iter().any(Language::has_stemmer) {
            return Ok(stems);
        }
        let mut family = self.vocabulary.family(field, prefix, stem_bytes_min(prefix))?;
        for form in self.words.forms(surface).into_iter().skip(1) {
            family.extend(self.vocabulary.beginning_with(field, &form.term)?);
        }
        family.retain(|(term, _)| !term.starts_with(prefix));
        family.sort_by(|(a, a_blocks), (b, b_blocks)| b_blocks.cmp(a_blocks).then_with(|| a.cmp(b)));
        family.dedup();
        for (term, _) in family.into_iter().take(FAMILY_TERMS_MAX) {
            let words = self.vocabulary.words_behind(self.words.analyzer, &term)?;
            if words.iter().any(|word| word.to_lowercase().starts_with(prefix)) {
                stems.push(Form { term, languages: Vec::new(), factor: 1.0 });
            }
        }
        Ok(stems)
    }
}
