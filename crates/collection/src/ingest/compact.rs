//! Giving space back, and quicker searches: files without what is deleted, fewer and larger segments of the index.

use std::path::Path;
use std::time::{Duration, Instant};

use lopper_content::pipeline::ExtractParams;
use lopper_store::Store;
use serde::Serialize;

use super::IngestOptions;
use super::rebuild::copied;
use crate::disk::bytes_of;
use crate::{CollectionError, DataFolder};

/// What [`compact`] did.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct CompactReport {
    /// Whether the files were written anew, since they held deleted or replaced pages.
    pub rewritten: bool,
    /// Bytes of the folder before.
    pub bytes_before: u64,
    /// Bytes of the folder now.
    pub bytes: u64,
    /// Segments before.
    pub segments_before: usize,
    /// Segments now.
    pub segments: usize,
    /// How long it took.
    pub duration: Duration,
}

/// Writes the files of a data folder anew where deleted or replaced pages left something in them, and merges the index into at most so many
/// segments. A crash leaves the folder as it was, or compacted.
///
/// # Errors
///
/// [`CollectionError`], as of [`DataFolder::open_to_write`], also when there is no data, or when the disk is full; the folder then holds what
/// it held.
pub fn compact(data: &Path, params: ExtractParams, segments: usize) -> Result<CompactReport, CollectionError> {
    let started = Instant::now();
    Store::must_exist(data)?;
    let bytes_before = bytes_of(data);
    let mut collection = DataFolder::open_to_write(data, params)?;
    let segments_before = collection.with_writer(|writer| writer.segments())?;
    let rewritten = collection.store().has_garbage()?;
    if rewritten {
        let params = collection.params();
        copied(collection.into_store()?, params, &IngestOptions::default())?;
        collection = DataFolder::open_to_write(data, params)?;
    }
    let (_, segments) = collection.with_writer(|writer| writer.compact(segments))?;
    drop(collection);
    let (bytes, duration) = (bytes_of(data), started.elapsed());
    Ok(CompactReport { rewritten, bytes_before, bytes, segments_before, segments, duration })
}
