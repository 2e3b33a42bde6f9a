//! Making index, statistics and trees anew from what is kept.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use lopper_archive::page::PageId;
use lopper_content::pipeline::ExtractParams;
use lopper_index::FORMAT_VERSION;
use lopper_store::{BodyPlace, KeptBodies, OpenMode, Store, StoreError};
use serde::Serialize;

use super::IngestOptions;
use super::known::follow_moved;
use super::rebuild_fill::{Counted, Filler, Wanted};
use super::rebuild_source::{Referred, ReferredPage, referred};
use crate::{CollectionError, DataFolder};

/// What a rebuild begins with.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RebuildFrom {
    /// The stored trees: index and statistics are made anew.
    #[default]
    Trees,
    /// The pages' HTML, kept or in the archives: trees are made anew too.
    Bodies,
}

/// What a rebuild did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct RebuildReport {
    /// Pages that a rebuild of the same kind had made before it was cut off.
    pub resumed: u64,
    /// Pages whose stored tree was taken over, as was asked.
    pub from_trees: u64,
    /// Pages analysed again from their kept HTML.
    pub from_bodies: u64,
    /// Pages analysed again from the archives.
    pub from_archives: u64,
    /// Pages whose HTML was not found any more, or is another one now: their old tree stays.
    pub not_found: u64,
    /// Pages whose tree is damaged and whose HTML was not found: they are gone.
    pub lost: u64,
    /// Whether the database was lost, so that the pages come from the kept bodies alone and the ledger is empty.
    pub database_lost: bool,
    /// Wall time.
    pub duration: Duration,
}

impl RebuildReport {
    /// Pages of the new store.
    pub fn pages(&self) -> u64 {
        self.resumed + self.from_trees + self.from_bodies + self.from_archives + self.not_found
    }
}

/// Called with the pages that are done, and all that there are.
pub type PagesDone<'a> = dyn FnMut(u64, u64) + 'a;

/// Makes the index and the statistics in `data` anew, and with [`RebuildFrom::Bodies`] the trees too, with the parameters given. A crash on the
/// way leaves the folder as it was, and the next rebuild of the same kind goes on from the last commit, unless the folder was written to
/// meanwhile. When the database is lost or damaged, the kept bodies still give their
/// pages. `done` is called after each page.
///
/// # Errors
///
/// [`CollectionError`] when the folder is absent, cannot be read or written, or is in use.
pub fn rebuild(
    data: &Path,
    from: RebuildFrom,
    params: ExtractParams,
    options: &IngestOptions,
    done: &mut PagesDone<'_>,
) -> Result<RebuildReport, CollectionError> {
    let started = Instant::now();
    Store::must_exist(data)?;
    let mut report = match Store::open(data, OpenMode::Write) {
        Ok(old) => from_store(old, from, params, options, done)?,
        Err(StoreError::Damaged { what, .. }) if from == RebuildFrom::Bodies => {
            tracing::warn!(data = %data.display(), what, "the data is damaged");
            from_damaged(data, params, options, done)?
        }
        Err(error) => return Err(error.into()),
    };
    report.duration = started.elapsed();
    Ok(report)
}

fn from_store(
    old: Store,
    from: RebuildFrom,
    params: ExtractParams,
    options: &IngestOptions,
    done: &mut PagesDone<'_>,
) -> Result<RebuildReport, CollectionError> {
    if from == RebuildFrom::Bodies {
        follow_moved(&old)?;
    }
    let new = DataFolder::with_store(old.begin_rebuild(&plan_of(from, &params, options))?, params)?;
    let mut filler = Filler::new(&new, Some(&old), options, done)?;
    match from {
        RebuildFrom::Trees => take_over_all(&mut filler, &old, options)?,
        RebuildFrom::Bodies => analyse_all(&mut filler, &old, options, None)?,
    }
    filler.commit()?;
    old.copy_captures_to(new.store())?;
    old.copy_archives_to(new.store())?;
    let report = filler.finish()?;
    let new = new.into_store()?;
    drop(old);
    new.replace_old()?;
    Ok(report)
}

/// What must be the same for a rebuild to go on with another one. Batches are part of it: pages are weighed by the batches before theirs.
fn plan_of(from: RebuildFrom, params: &ExtractParams, options: &IngestOptions) -> String {
    let (version, batch_records_max) = (env!("CARGO_PKG_VERSION"), options.batch_records_max);
    format!(
        "{from:?} by {version} in index format {FORMAT_VERSION}, {batch_records_max} a batch, {params:?}, {:?}",
        options.limits
    )
}

/// Takes over the trees. Pages whose trees are damaged come from their HTML, as far as that is found.
fn take_over_all(filler: &mut Filler<'_, '_>, old: &Store, options: &IngestOptions) -> Result<(), CollectionError> {
    for id in old.page_ids() {
        let id = id?;
        if !filler.has_already(id) {
            filler.add(Wanted::Tree(id, Counted::Tree))?;
        }
    }
    filler.commit()?;
    let damaged = std::mem::take(&mut filler.damaged);
    if damaged.is_empty() { Ok(()) } else { analyse_all(filler, old, options, Some(&damaged)) }
}

/// Analyses the pages anew, or those that are `wanted`.
fn analyse_all(
    filler: &mut Filler<'_, '_>,
    old: &Store,
    options: &IngestOptions,
    wanted: Option<&BTreeSet<PageId>>,
) -> Result<(), CollectionError> {
    let mut elsewhere = Referred::default();
    let mut damaged = 0;
    for page in old.pages() {
        let page = match page {
            Err(StoreError::Damaged { .. }) => {
                damaged += 1;
                continue;
            }
            page => page?,
        };
        if wanted.is_some_and(|wanted| !wanted.contains(&page.id)) {
            continue;
        }
        if filler.has_already(page.id) {
            continue;
        }
        match page.body {
            BodyPlace::Kept => match (old.body(page.id), old.source(page.id)?) {
                (Ok(Some(body)), Some(source)) => filler.add(Wanted::Page(Box::new(body), source, Counted::Body))?,
                _ => filler.add(Wanted::Tree(page.id, Counted::NotFound))?,
            },
            BodyPlace::Archive => elsewhere.add(old.archive_path(&page)?, &page),
            BodyPlace::None => filler.add(Wanted::Tree(page.id, Counted::NotFound))?,
        }
    }
    analyse_damaged(filler, old, damaged)?;
    for found in referred(elsewhere, old, &options.limits) {
        let (id, page) = match found {
            ReferredPage::Page(page) => (page.id, Some(page)),
            ReferredPage::Missing(id) => (id, None),
        };
        filler.add(match (page, old.source(id)?) {
            (Some(page), Some(source)) => Wanted::Page(page, source, Counted::Archive),
            _ => Wanted::Tree(id, Counted::NotFound),
        })?;
    }
    Ok(())
}

/// Pages whose rows are damaged, where their HTML was kept. `damaged` is their number.
fn analyse_damaged(filler: &mut Filler<'_, '_>, old: &Store, damaged: u64) -> Result<(), CollectionError> {
    if damaged == 0 {
        return Ok(());
    }
    let mut found = BTreeSet::new();
    for (page, source) in old.bodies_of_damaged()? {
        found.insert(page.id);
        filler.add(Wanted::Page(Box::new(page), source, Counted::Nowhere))?;
    }
    let found = found.len() as u64;
    filler.report.from_bodies += found;
    filler.report.lost += damaged.saturating_sub(found);
    Ok(())
}

/// Copies all that counts into new files, so that what deleted and replaced pages left is gone.
pub(super) fn copied(old: Store, params: ExtractParams, options: &IngestOptions) -> Result<(), CollectionError> {
    let silent = &mut |_, _| {};
    let new = DataFolder::with_store(old.begin_compaction()?, params)?;
    let mut filler = Filler::new(&new, Some(&old), options, silent)?;
    old.page_ids().try_for_each(|page| filler.add(Wanted::Copy(page?)))?;
    filler.commit()?;
    // The ledger first: an archive's row is begun anew without its open revisits.
    old.copy_ledger_to(new.store())?;
    old.copy_captures_to(new.store())?;
    filler.finish()?;
    let new = new.into_store()?;
    drop(old);
    Ok(new.replace_old()?)
}

/// With its database, a folder keeps all pages whose tree or HTML can be read; without it, those whose HTML was kept.
fn from_damaged(
    data: &Path,
    params: ExtractParams,
    options: &IngestOptions,
    done: &mut PagesDone<'_>,
) -> Result<RebuildReport, CollectionError> {
    // Where the files tell each other what is lost, nothing of it is.
    Store::repair_files(data, false)?;
    match Store::open_damaged(data) {
        Ok(old) => from_store(old, RebuildFrom::Bodies, params, options, done),
        Err(StoreError::Damaged { what, .. }) => {
            tracing::warn!(data = %data.display(), what, "the database is lost; the kept bodies are read");
            from_kept_bodies(data, params, options, done)
        }
        Err(error) => Err(error.into()),
    }
}

fn from_kept_bodies(
    data: &Path,
    params: ExtractParams,
    options: &IngestOptions,
    done: &mut PagesDone<'_>,
) -> Result<RebuildReport, CollectionError> {
    let kept = KeptBodies::open(data)?;
    let new = DataFolder::with_store(kept.begin_rebuild()?, params)?;
    let mut filler = Filler::new(&new, None, options, done)?;
    for page in kept.pages() {
        let (page, source) = page?;
        filler.add(Wanted::Page(Box::new(page), source, Counted::Nowhere))?;
    }
    filler.commit()?;
    filler.report.from_bodies = new.store().stats().distinct_pages;
    filler.report.database_lost = true;
    let report = filler.finish()?;
    let new = new.into_store()?;
    drop(kept);
    new.replace_old()?;
    Ok(report)
}
