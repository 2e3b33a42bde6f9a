//! Options of commands, whose hyphen would exclude them: `grep -v`, `find -mtime`.

use super::ast::{Node, Place};
use super::note::QueryNote;
use super::resolve::Resolution;
use super::resolved::TextField;
use super::words::surfaces;
use crate::engine::EngineError;
use lopper_analysis::{ExtraWord, extra_words};

/// Share of a word's blocks that have it with a hyphen before it, from which the hyphen belongs to it.
const NAME_SHARE: f64 = 0.1;

impl Resolution<'_> {
    /// The option that is meant by an exclusion: one letter or a number, or a word that stands behind a hyphen in a tenth of the blocks that
    /// have it. What some blocks have as an option and is excluded all the same is told.
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
        let blocks = self.blocks_with_name(&name)?;
        if blocks == 0 {
            return Ok(None);
        }
        let mut rarest = u64::MAX;
        for surface in surfaces(text) {
            let forms = self.words.forms(&surface);
            rarest = rarest.min(self.words.document_frequency(TextField::All, &forms)?);
        }
        if blocks as f64 >= NAME_SHARE * rarest as f64 {
            return Ok(option());
        }
        self.notes.push(QueryNote::Excluded { position_bytes: place.start, word: text.clone() });
        Ok(None)
    }

    /// Blocks that have a name with all of its signs: `-__init__` is none, since `__init__` is one by itself.
    fn blocks_with_name(&mut self, name: &str) -> Result<u64, EngineError> {
        let is_all = |extra: &ExtraWord| extra.has_signs() && extra.source == name;
        let Some(extra) = extra_words(name).into_iter().find(is_all) else { return Ok(0) };
        let forms = self.words.analyzer.extra_forms(&extra, self.words.languages);
        self.words.document_frequency(TextField::All, &forms)
    }
}
