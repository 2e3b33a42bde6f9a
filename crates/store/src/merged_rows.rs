//! Rows of several layers as those of one.

use super::StoreError;
use super::database::RowBatch;
use super::row_layer::LayerRow;

pub(super) type BoxedRows<'a> = Box<dyn Iterator<Item = Result<LayerRow, StoreError>> + 'a>;

pub(super) fn boxed<'a>(rows: impl Iterator<Item = Result<LayerRow, StoreError>> + 'a) -> BoxedRows<'a> {
    Box::new(rows)
}

pub(super) fn changed(changes: &RowBatch) -> impl Iterator<Item = Result<LayerRow, StoreError>> {
    changes.changes().map(|(key, row)| Ok((key.to_vec(), row.map(<[u8]>::to_vec))))
}

pub(super) fn is_removed(row: &Result<LayerRow, StoreError>) -> bool {
    matches!(row, Ok((_, None)))
}

/// Rows of several layers, oldest first, in key order; of rows with one key the newest, removed ones too.
pub(super) struct Merged<I> {
    parts: Vec<I>,
    /// The next row of each part.
    heads: Vec<Option<Result<LayerRow, StoreError>>>,
    is_over: bool,
}

impl<I: Iterator<Item = Result<LayerRow, StoreError>>> Merged<I> {
    pub(super) fn new(mut parts: Vec<I>) -> Self {
        let heads = parts.iter_mut().map(Iterator::next).collect();
        Self { parts, heads, is_over: false }
    }

    /// The newest of the parts with the least key; an error comes first of all.
    fn first(&self) -> Option<usize> {
        let mut first: Option<(usize, &[u8])> = None;
        for (number, head) in self.heads.iter().enumerate() {
            match head {
                None => {}
                Some(Err(_)) => return Some(number),
                Some(Ok((key, _))) => {
                    let is_first = first.is_none_or(|(_, least)| key[..] <= *least);
                    first = if is_first { Some((number, key)) } else { first };
                }
            }
        }
        first.map(|(number, _)| number)
    }

    fn take(&mut self, number: usize) -> Option<Result<LayerRow, StoreError>> {
        std::mem::replace(&mut self.heads[number], self.parts[number].next())
    }
}

impl<I: Iterator<Item = Result<LayerRow, StoreError>>> Iterator for Merged<I> {
    type Item = Result<LayerRow, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let first = self.first()?;
        let row = self.take(first)?;
        match &row {
            Ok((key, _)) => {
                for older in 0..first {
                    if matches!(&self.heads[older], Some(Ok((other, _))) if other == key) {
                        self.take(older);
                    }
                }
            }
            Err(_) => self.is_over = true,
        }
        Some(row)
    }
}
