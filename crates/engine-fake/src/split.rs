//! A split: documents with the terms that they are found by, and statistics of their own.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;

use crate::definition::{Definition, Field, Tokens};

pub(crate) const K1: f32 = 1.2;
pub(crate) const B: f32 = 0.75;

/// Documents that have a term: each with the beginning of its places.
#[derive(Debug, Default)]
pub(crate) struct Postings {
    documents: Vec<(u32, u32)>,
    positions: Vec<u32>,
}

impl Postings {
    /// Number of documents.
    pub(crate) fn len(&self) -> usize {
        self.documents.len()
    }

    /// Each document with its places.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &[u32])> {
        let ends = self.documents.iter().skip(1).map(|(_, begin)| *begin).chain([self.positions.len() as u32]);
        self.documents
            .iter()
            .zip(ends)
            .map(|((doc, begin), end)| (*doc, &self.positions[*begin as usize..end as usize]))
    }

    fn add(&mut self, doc: u32, position: u32) {
        if self.documents.last().is_none_or(|(last, _)| *last != doc) {
            self.documents.push((doc, self.positions.len() as u32));
        }
        self.positions.push(position);
    }
}

/// A field of a split.
#[derive(Debug, Default)]
pub(crate) struct Column {
    pub(crate) terms: HashMap<String, Postings>,
    /// Terms of each document.
    pub(crate) lengths: Vec<u32>,
    pub(crate) numbers: Vec<Option<i64>>,
    pub(crate) words: Vec<Option<String>>,
}

pub(crate) struct Split {
    pub(crate) columns: BTreeMap<String, Column>,
    /// What is given back of each document; nothing of a removed one.
    sources: Vec<Option<String>>,
    ids: HashMap<String, u32>,
}

impl Split {
    pub(crate) fn new(definition: &Definition) -> Self {
        let columns = definition.fields.keys().map(|name| (name.clone(), Column::default())).collect();
        Self { columns, sources: Vec::new(), ids: HashMap::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.sources.len()
    }

    pub(crate) fn live(&self) -> usize {
        self.sources.iter().flatten().count()
    }

    pub(crate) fn is_live(&self, doc: u32) -> bool {
        self.sources[doc as usize].is_some()
    }

    pub(crate) fn source(&self, doc: u32) -> Value {
        let source = self.sources[doc as usize].as_deref().unwrap_or("null");
        serde_json::from_str(source).unwrap_or_default()
    }

    pub(crate) fn id(&self, doc: u32) -> Option<&str> {
        self.ids.iter().find(|(_, own)| **own == doc).map(|(id, _)| id.as_str())
    }

    pub(crate) fn remove(&mut self, id: &str) {
        if let Some(doc) = self.ids.remove(id) {
            self.sources[doc as usize] = None;
        }
    }

    pub(crate) fn add(&mut self, definition: &Definition, id: Option<String>, mut document: Value) {
        let doc = self.sources.len() as u32;
        for (name, field) in &definition.fields {
            let value = document.get(name).cloned().unwrap_or_default();
            if let Some(column) = self.columns.get_mut(name) {
                column.add(field, doc, &value);
            }
            if !field.is_stored
                && let Some(object) = document.as_object_mut()
            {
                object.remove(name);
            }
        }
        self.ids.extend(id.map(|id| (id, doc)));
        self.sources.push(Some(document.to_string()));
    }

    /// Mean length of a field.
    pub(crate) fn mean_length(&self, column: &Column) -> f32 {
        column.lengths.iter().map(|length| f64::from(*length)).sum::<f64>() as f32 / self.len().max(1) as f32
    }

    /// ln(1 + (N − n + 0.5) / (n + 0.5)).
    pub(crate) fn idf(&self, having: usize) -> f32 {
        let (all, n) = (self.len() as f32, having as f32);
        (1.0 + (all - n + 0.5) / (n + 0.5)).ln()
    }
}

impl Column {
    fn add(&mut self, field: &Field, doc: u32, value: &Value) {
        let number = value.as_i64().or_else(|| value.as_f64().map(|number| number as i64));
        self.numbers.push(number.filter(|_| !field.is_text));
        self.words.push(value.as_str().filter(|_| field.is_fast).map(str::to_owned));
        let terms = match value.as_str() {
            Some(text) if field.is_indexed => tokens(field.tokens, text),
            _ => Vec::new(),
        };
        self.lengths.push(terms.len() as u32);
        for (position, term) in terms.into_iter().enumerate() {
            self.terms.entry(term).or_default().add(doc, position as u32);
        }
    }
}

/// The terms of a text.
pub(crate) fn tokens(tokens: Tokens, text: &str) -> Vec<String> {
    match tokens {
        Tokens::Raw => vec![text.to_owned()],
        Tokens::Blanks => text.split(' ').filter(|term| !term.is_empty()).map(str::to_owned).collect(),
        Tokens::Default => {
            let words = text.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty());
            words.map(str::to_lowercase).collect()
        }
    }
}

/// A length as coarse as an index keeps it.
pub(crate) fn coarse(length: u32) -> u32 {
    let Some(above) = length.checked_sub(24).filter(|above| *above >= 16) else { return length };
    let dropped = above.ilog2() - 3;
    24 + (above >> dropped << dropped)
}
