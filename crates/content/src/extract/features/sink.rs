//! One definition gives both a feature's name and its value: a [`Sink`] takes what it needs of the two.

use crate::extract::row::{ROW_FEATURES_MAX, Row};

/// A feature's name in up to three parts: `level_2_tokens` is `("level", 2, "tokens")`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Name(pub &'static str, pub i16, pub &'static str);

/// Number of a name that has none.
pub(super) const UNNUMBERED: i16 = i16::MIN;

impl From<&'static str> for Name {
    fn from(name: &'static str) -> Self {
        Self(name, UNNUMBERED, "")
    }
}

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)?;
        if self.1 != UNNUMBERED {
            write!(f, "_{}", self.1)?;
        }
        if self.2.is_empty() { Ok(()) } else { write!(f, "_{}", self.2) }
    }
}

/// Takes features one after the other.
pub(super) trait Sink {
    /// Takes the next feature.
    fn put(&mut self, name: impl Into<Name>, value: f32);

    /// Takes a yes or no as 1 or 0.
    fn flag(&mut self, name: impl Into<Name>, value: bool) {
        self.put(name, f32::from(u8::from(value)));
    }
}

/// Writes the values into a row.
#[derive(Debug)]
pub(super) struct Values<'a> {
    row: &'a mut Row,
    next: usize,
}

impl<'a> Values<'a> {
    /// Writes from a feature's number on.
    pub(super) fn new(row: &'a mut Row, next: usize) -> Self {
        Self { row, next }
    }

    /// The number of the next feature.
    pub(super) fn next(&self) -> usize {
        self.next
    }
}

impl Sink for Values<'_> {
    #[inline]
    fn put(&mut self, _name: impl Into<Name>, value: f32) {
        debug_assert!(value.is_finite() && self.next < ROW_FEATURES_MAX);
        self.row[self.next % ROW_FEATURES_MAX] = value;
        self.next += 1;
    }
}

/// Collects the names.
#[derive(Debug, Default)]
pub(super) struct Names(pub Vec<String>);

impl Sink for Names {
    fn put(&mut self, name: impl Into<Name>, _value: f32) {
        self.0.push(name.into().to_string());
    }
}

/// `part / whole`, 0 when there is no whole.
#[inline]
pub(super) fn share(part: f32, whole: f32) -> f32 {
    if whole > 0.0 { part / whole } else { 0.0 }
}
