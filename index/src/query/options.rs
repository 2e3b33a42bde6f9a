//! Options of commands, whose hyphen would exclude them: `grep -v`, `find -mtime`.

use super::ast::{Node, Place};
use super::leaves::resolved_word;
use super::note::QueryNote;
use super::resolve::Resolution;
use super::resolved::{Clause, TextField};
use super::words::surfaces;
use crate::engine::EngineError;
use lopper_analysis::{ExtraWord, TermForm, extra_words};

/// Share of a word's blocks that have it with a hyphen before it, from which the hyphen belongs to it.
const NAME_SHARE: f64 = 0.1;

impl Resolution<'_> {
    /// The option that is meant by an exclusion: one letter or a number, a word that stands behind a hyphen in a tenth of the blocks that have
    /// it or in one with the word that the query begins with, which may be its command, or one with a colon whose parts some have in a row:
    /// `-filter:v`. What some blocks have as an option and is excluded all the same is told.
    pub(super) fn option(&mut self, excluded: &Node) -> Result<Option<Node>, EngineError> {
        let Node::Word { text, is_prefix: false, place } = excluded else { return Ok(None) };
        if !place.is_after_hyphen {
            return Ok(None);
        }
        let name = format!("-{text}");
        let option = || {
            Some(Node::Word { text: name.clone(), is_prefix: false, place: Place { is_after_hyphen: false, ..*place } })
        };
        if text.chars().count() == 1 || text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok(option());
        }
        let forms = self.forms_of_name(&name);
        let blocks = self.words.document_frequency(TextField::All, &forms)?;
        if blocks == 0 {
            return Ok(self.has_in_a_row(text)?.then(|| Node::Phrase { text: text.clone(), slop: 0, place: *place }));
        }
        let mut rarest = u64::MAX;
        for surface in surfaces(text) {
            let forms = self.words.forms(&surface);
            rarest = rarest.min(self.words.document_frequency(TextField::All, &forms)?);
        }
        if blocks as f64 >= NAME_SHARE * rarest as f64 {
            return Ok(option());
        }
        let (position_bytes, word) = (place.start, text.clone());
        if self.stands_with_first_word(&name, forms)? {
            self.notes.push(QueryNote::Option { position_bytes, word });
            return Ok(option());
        }
        self.notes.push(QueryNote::Excluded { position_bytes, word });
        Ok(None)
    }

    /// Whether a text is of parts with a colon between them that some block has in a row. Dots are in names that are excluded: `-node.js`.
    fn has_in_a_row(&mut self, text: &str) -> Result<bool, EngineError> {
        let surfaces = surfaces(text);
        let is_in_parts = surfaces.len() > 1
            && text.contains(':')
            && text.chars().all(|sign| sign.is_alphanumeric() || ".:_-".contains(sign));
        if !is_in_parts {
            return Ok(false);
        }
        let phrase = self.words.any_sequence(TextField::All, &surfaces, 0)?;
        Ok(!phrase.sequences.is_empty() && self.blocks_that_meet(Clause::Phrase(phrase), 1)? > 0)
    }

    /// Whether some block has a name and the first word of the query.
    fn stands_with_first_word(&mut self, name: &str, forms: Vec<TermForm>) -> Result<bool, EngineError> {
        let Some(first) = self.plain.first().cloned() else { return Ok(false) };
        let of_first =
            surfaces(&first).into_iter().map(|surface| (surface.text.to_owned(), self.words.forms(&surface)));
        let words = of_first
            .chain([(name.to_owned(), forms)])
            .map(|(surface, forms)| Clause::AnyWord(vec![resolved_word(&surface, forms, TextField::All)]));
        let both = Clause::all(words.collect());
        Ok(self.blocks_that_meet(both, 1)? > 0)
    }

    /// The forms of a name with all of its signs: `-__init__` has none, since `__init__` is one by itself.
    fn forms_of_name(&mut self, name: &str) -> Vec<TermForm> {
        let is_all = |extra: &ExtraWord| extra.has_signs() && extra.source == name;
        let extra = extra_words(name).into_iter().find(is_all);
        extra.map_or_else(Vec::new, |extra| self.words.analyzer.extra_forms(&extra, self.words.languages))
    }
}
