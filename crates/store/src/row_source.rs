//! Where rows are read from: the database, or what it published for readers.

use super::StoreError;
use super::database::{Database, Row, RowBatch};
use super::published::PublishedRows;

/// Rows in key order.
pub(super) type Rows<'a> = Box<dyn Iterator<Item = Result<Row, StoreError>> + 'a>;

/// The rows of an open store.
#[derive(Debug)]
pub(super) enum RowSource {
    /// Those of the process that has the folder.
    Database(Database),
    /// Those of a commit, beside it.
    Published(PublishedRows),
}

impl RowSource {
    pub(super) fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        match self {
            Self::Database(database) => database.get(key),
            Self::Published(rows) => rows.get(key),
        }
    }

    pub(super) fn contains(&self, key: &[u8]) -> Result<bool, StoreError> {
        Ok(self.get(key)?.is_some())
    }

    /// Rows whose key begins with `prefix`, in key order. Ends after an error.
    pub(super) fn scan(&self, prefix: &[u8]) -> Rows<'_> {
        match self {
            Self::Database(database) => Box::new(database.scan(prefix)),
            Self::Published(rows) => Box::new(rows.scan(prefix)),
        }
    }

    /// Applies `batch` and returns when it is on disk. Only the database takes one.
    pub(super) fn apply(&self, batch: &RowBatch) -> Result<(), StoreError> {
        match self {
            Self::Database(database) => database.apply(batch),
            Self::Published(rows) => Err(StoreError::ReadOnly { data: rows.data().to_owned() }),
        }
    }
}
