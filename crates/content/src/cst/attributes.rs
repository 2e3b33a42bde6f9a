//! Values of attributes that a tree keeps.

use super::{ContentStructureTree, Span};

/// Longest value kept of an attribute that is words (`alt`, `title`), in bytes.
const WORDS_BYTES_MAX: usize = 1024;

/// Longest URL kept of an attribute, in bytes; `data:` URLs are not kept at all.
const URL_BYTES_MAX: usize = 4096;

impl ContentStructureTree {
    /// Keeps a value that is words or a name, up to [`WORDS_BYTES_MAX`].
    pub(super) fn keep_words(&mut self, value: &str) -> Span {
        // Most are empty.
        let value = if value.is_empty() { value } else { value.trim() };
        self.keep(&value[..value.floor_char_boundary(WORDS_BYTES_MAX)])
    }

    /// Keeps a URL, whole or not at all.
    pub(super) fn keep_url(&mut self, value: &str) -> Span {
        let value = value.trim();
        let is_kept = value.len() <= URL_BYTES_MAX && !value.starts_with("data:");
        self.keep(if is_kept { value } else { "" })
    }

    fn keep(&mut self, value: &str) -> Span {
        let start = self.attribute_text.len() as u32;
        self.attribute_text.push_str(value);
        Span { start, end: self.attribute_text.len() as u32 }
    }
}
