//! Fewer and larger segments of the index, for quicker searches.

use std::path::Path;
use std::time::{Duration, Instant};

use lopper_content::pipeline::ExtractParams;
use lopper_store::Store;
use serde::Serialize;

use crate::{CollectionError, DataFolder};

/// What [`compact`] did.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct CompactReport {
    /// Segments before.
    pub segments_before: usize,
    /// Segments now.
    pub segments: usize,
    /// How long it took.
    pub duration: Duration,
}

/// Merges the index in a data folder into at most so many segments.
///
/// # Errors
///
/// [`CollectionError`], as of [`DataFolder::open_to_write`], also when there is no data, or when the disk is full; the index then holds what it held.
pub fn compact(data: &Path, params: ExtractParams, segments: usize) -> Result<CompactReport, CollectionError> {
    let started = Instant::now();
    Store::must_exist(data)?;
    let collection = DataFolder::open_to_write(data, params)?;
    let (segments_before, segments) = collection.with_writer(|writer| writer.compact(segments))?;
    Ok(CompactReport { segments_before, segments, duration: started.elapsed() })
}
