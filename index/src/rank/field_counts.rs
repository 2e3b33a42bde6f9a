//! How often the query's words stand in the fields of a block and its page, for those who ask why.

use serde::Serialize;

use crate::engine::{BlockField, PageField, WordRow};

/// How often the query's words stand in one field.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FieldCounts {
    /// Name of the field; those of the page begin with `page_`.
    pub field: &'static str,
    /// Its length in words, as coarse as the index keeps it.
    pub length: f32,
    /// Occurrences of each word, by its number; of other spellings, what they count.
    pub counts: Vec<f32>,
}

impl FieldCounts {
    /// All fields of a block, and of its page.
    pub(crate) fn of(block: WordRow<'_>, page: Option<WordRow<'_>>) -> Vec<Self> {
        let counts = |name: &'static str, row: WordRow<'_>, field: usize| Self {
            field: name,
            length: row.length(field),
            counts: row.counts(field).to_vec(),
        };
        let mut fields: Vec<_> = BlockField::ALL.map(|field| counts(field.name(), block, field as usize)).into();
        if let Some(page) = page {
            fields.extend(PageField::ALL.map(|field| counts(field.name(), page, field as usize)));
        }
        fields
    }
}
