//! Repairing a data folder: one command, whatever is damaged.

use std::path::Path;
use std::time::{Duration, Instant};

use lopper_content::pipeline::ExtractParams;
use lopper_store::{FileRepair, KeptBodies, MendedLedger, OpenMode, RepairStep, Store, StoreError};
use serde::Serialize;

use super::IngestOptions;
use super::rebuild::{RebuildFrom, RebuildReport, rebuild};
use super::verify::{Fault, FaultKind, VerifyReport, verify};
use crate::{CollectionError, DataFolder};

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

    /// Checks everything, and puts right what the store and the index tell each other, and what the ledger's own parts do.
    fn check(&mut self, data: &Path, params: ExtractParams, dry_run: bool) -> Result<(), CollectionError> {
        let verified = verify(data, params, !dry_run)?;
        let is_of_ledger = |fault: &Fault| fault.kind == FaultKind::Ledger;
        let mended = verified.faults.iter().any(is_of_ledger).then(|| mend_ledger(data, dry_run)).transpose()?;
        let mended = mended.unwrap_or_default();
        self.verified = Some(if mended.is_empty() || dry_run { verified } else { verify(data, params, true)? });
        self.files.steps.extend(mended.iter().map(|mended| step_of(mended, !dry_run)));
        Ok(())
    }

    /// Whether all is as it should be now.
    pub fn is_sound(&self) -> bool {
        let is_whole = self.files.beyond.is_none() || self.rebuilt.is_some();
        let is_done = self.files.steps.iter().all(|step| step.done);
        is_whole && is_done && self.verified.as_ref().is_some_and(|verified| verified.faults_left() == 0)
    }
}

/// Puts right what is damaged in `data`, as far as the other files tell: headers, the database, the number of the last commit and the statistics first, then the
/// index from the stored trees, and the ledger. O(all data), since all of it is checked.
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
        report.check(data, params, options.dry_run)?;
    }
    if options.from_bodies && !options.dry_run && report.has_lost_pages() {
        report.rebuilt = Some(rebuild(data, RebuildFrom::Bodies, params, ingest, &mut |_, _| {})?);
        report.verified = Some(verify(data, params, true)?);
    }
    report.duration = started.elapsed();
    Ok(report)
}

fn mend_ledger(data: &Path, dry_run: bool) -> Result<Vec<MendedLedger>, CollectionError> {
    let store = Store::open(data, if dry_run { OpenMode::ReadAlone } else { OpenMode::Write })?;
    let mended = store.mend_ledger(dry_run)?;
    drop(store);
    if !dry_run && !mended.is_empty() {
        // The index carries the number of the store's last commit, which is another one now.
        drop(DataFolder::open_to_write(data, ExtractParams::default())?);
    }
    Ok(mended)
}

fn step_of(mended: &MendedLedger, done: bool) -> RepairStep {
    let MendedLedger { archive, fault, read, by_page, lost } = mended;
    let action = format!(
        "the archive's records are written again: {read} that can be read, and {by_page} whose pages tell what became of them"
    );
    let loss = (*lost > 0).then(|| {
        format!("what became of {lost} records; they are listed as failed until `lopper ingest --again` reads the archive anew")
    });
    RepairStep { fault: format!("the records of {}: {fault}", archive.display()), action, loss, takes: None, done }
}

/// Pages that a rebuild without the database would give; none where the file of bodies cannot be read either.
fn kept_pages(data: &Path) -> Result<Option<u64>, CollectionError> {
    match KeptBodies::open(data) {
        Ok(kept) => Ok(Some(kept.pages().flatten().count() as u64)),
        Err(StoreError::Damaged { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
