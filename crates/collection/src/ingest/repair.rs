//! Repairing a data folder: one command, whatever is damaged.

use std::path::Path;
use std::time::{Duration, Instant};

use lopper_content::pipeline::ExtractParams;
use lopper_store::{FileRepair, KeptBodies, Store, StoreError};
use serde::Serialize;

use super::IngestOptions;
use super::rebuild::{RebuildFrom, RebuildReport, rebuild};
use super::verify::{Fault, FaultKind, VerifyReport, verify};
use crate::CollectionError;

/// How far a repair goes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RepairOptions {
    /// Only say what would be done.
    pub dry_run: bool,
    /// Where trees or rows of pages are lost, make them anew from the pages' HTML. Where the database is, only what was kept comes back.
    pub from_bodies: bool,
}

/// What a repair found and did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct RepairReport {
    /// The store's files.
    pub files: FileRepair,
    /// Everything checked against everything, the index put right; absent where the store cannot be opened yet.
    pub verified: Option<VerifyReport>,
    /// Where the files do not tell enough: pages whose HTML was kept, from which the folder can be made anew.
    pub kept_pages: Option<u64>,
    /// What was made anew from them.
    pub rebuilt: Option<RebuildReport>,
    /// Wall time.
    pub duration: Duration,
}

impl RepairReport {
    /// Whether there are pages that can be had from their HTML alone.
    fn has_lost_pages(&self) -> bool {
        let is_of_pages = |fault: &Fault| !fault.mended && matches!(fault.kind, FaultKind::Store | FaultKind::Tree);
        self.files.beyond.is_some() || self.verified.iter().any(|verified| verified.faults.iter().any(is_of_pages))
    }

    /// Whether all is as it should be now.
    pub fn is_sound(&self) -> bool {
        let is_whole = self.files.beyond.is_none() || self.rebuilt.is_some();
        let is_done = self.files.steps.iter().all(|step| step.done);
        is_whole && is_done && self.verified.as_ref().is_some_and(|verified| verified.faults_left() == 0)
    }
}

/// Puts right what is damaged in `data`, as far as the other files tell: headers, the number of the last commit and the statistics first, then the
/// index from the stored trees. O(all data), since all of it is checked.
///
/// # Errors
///
/// [`CollectionError`] when the folder is in use, absent or of another version. Damage is not an error but in the report.
pub fn repair(
    data: &Path,
    params: ExtractParams,
    ingest: &IngestOptions,
    options: RepairOptions,
) -> Result<RepairReport, CollectionError> {
    let started = Instant::now();
    Store::must_exist(data)?;
    let mut report = RepairReport { files: Store::repair_files(data, options.dry_run)?, ..RepairReport::default() };
    if report.files.beyond.is_some() {
        report.kept_pages = kept_pages(data)?;
    } else if report.files.steps.iter().all(|step| step.done) {
        report.verified = Some(verify(data, params, !options.dry_run)?);
    }
    if options.from_bodies && !options.dry_run && report.has_lost_pages() {
        report.rebuilt = Some(rebuild(data, RebuildFrom::Bodies, params, ingest)?);
        report.verified = Some(verify(data, params, true)?);
    }
    report.duration = started.elapsed();
    Ok(report)
}

/// Pages that a rebuild without the database would give; none where the file of bodies cannot be read either.
fn kept_pages(data: &Path) -> Result<Option<u64>, CollectionError> {
    match KeptBodies::open(data) {
        Ok(kept) => Ok(Some(kept.pages().flatten().count() as u64)),
        Err(StoreError::Damaged { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
