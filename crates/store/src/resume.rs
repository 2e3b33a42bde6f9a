//! How far an archive was read, and where its reading can go on.

use lopper_archive::ResumePoint;
use serde::{Deserialize, Serialize};

use super::{Store, StoreError, keys};

/// How far an archive was read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Checkpoint {
    /// Bytes of its file that were read.
    pub position_bytes: u64,
    /// Whether that is its end.
    pub finished: bool,
    /// A place at or before that at which reading can begin; without one, reading begins at the beginning and passes over what was read.
    pub resume_point: Option<ResumePoint>,
}

/// [`ResumePoint`] as it is on disk.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ResumeRow {
    offset_bytes: u64,
    ordinal: u64,
}

impl From<ResumePoint> for ResumeRow {
    fn from(point: ResumePoint) -> Self {
        Self { offset_bytes: point.offset_bytes, ordinal: point.ordinal }
    }
}

impl Store {
    /// Where reading the archive with that id can go on without what was read before.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`], [`StoreError::Io`].
    pub fn resume_point(&self, archive: u128) -> Result<Option<ResumePoint>, StoreError> {
        let Some(row) = self.database.get(&keys::resume(archive))? else { return Ok(None) };
        let row: ResumeRow = self.decoded(&row, "where an archive goes on")?;
        Ok(Some(ResumePoint { offset_bytes: row.offset_bytes, ordinal: row.ordinal }))
    }
}
