//! Making index, statistics and trees anew from what is kept.

use std::collections::BTreeSet;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use lopper_archive::page::{Page, PageId};
use lopper_content::limits::Limits;
use lopper_content::pipeline::{ExtractParams, PageAnalyser, StoredTree};
use lopper_content::statistics::StatisticsSnapshot;
use lopper_faults::failpoint;
use lopper_store::{BodyPlace, KeptBodies, OpenMode, PageBatch, PagePut, PageSource, Store, StoreError};
use serde::Serialize;

use super::known::follow_moved;
use super::rebuild_source::{Referred, ReferredPage, referred};
use super::{Bodies, IngestOptions, PageBundle};
use crate::{CollectionError, DataFolder};

/// Pages of the first batch: few, so that there are soon statistics to weigh by.
const FIRST_BATCH_PAGES: usize = 200;

/// Pages of a batch.
const BATCH_PAGES: usize = 2000;

/// Bytes of pages and trees of a batch.
const BATCH_BYTES: usize = 64 << 20;

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
        self.from_trees + self.from_bodies + self.from_archives + self.not_found
    }
}

/// Makes the index and the statistics in `data` anew, and with [`RebuildFrom::Bodies`] the trees too, with the parameters given. A crash on the
/// way leaves the folder as it was. When the database is lost or damaged, the kept bodies still give their pages.
///
/// # Errors
///
/// [`CollectionError`] when the folder is absent, cannot be read or written, or is in use.
pub fn rebuild(
    data: &Path,
    from: RebuildFrom,
    params: ExtractParams,
    options: &IngestOptions,
) -> Result<RebuildReport, CollectionError> {
    let started = Instant::now();
    Store::must_exist(data)?;
    let mut report = match Store::open(data, OpenMode::Write) {
        Ok(old) => from_store(old, from, params, options)?,
        Err(StoreError::Damaged { what, .. }) if from == RebuildFrom::Bodies => {
            tracing::warn!(data = %data.display(), what, "the data is damaged");
            from_damaged(data, params, options)?
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
) -> Result<RebuildReport, CollectionError> {
    if from == RebuildFrom::Bodies {
        follow_moved(&old)?;
    }
    let mut rebuilder = Rebuilder::new(old.begin_rebuild()?, params, options)?;
    rebuilder.sites = Some(old.snapshot());
    match from {
        RebuildFrom::Trees => rebuilder.take_over_all(&old)?,
        RebuildFrom::Bodies => rebuilder.analyse_all(&old)?,
    }
    rebuilder.commit()?;
    old.copy_captures_to(rebuilder.new.store())?;
    old.copy_archives_to(rebuilder.new.store())?;
    rebuilder.finish(old)
}

/// Copies all that counts into new files, so that what deleted and replaced pages left is gone.
pub(super) fn copied(old: Store, params: ExtractParams, options: &IngestOptions) -> Result<(), CollectionError> {
    let mut rebuilder = Rebuilder::new(old.begin_compaction()?, params, options)?;
    for page in old.pages() {
        if let Some((put, source)) = old.whole_put(page?.id)? {
            rebuilder.put(put, &source)?;
        }
    }
    rebuilder.commit()?;
    // The ledger first: an archive's row is begun anew without its open revisits.
    old.copy_ledger_to(rebuilder.new.store())?;
    old.copy_captures_to(rebuilder.new.store())?;
    rebuilder.finish(old).map(drop)
}

/// With its database, a folder keeps all pages whose tree or HTML can be read; without it, those whose HTML was kept.
fn from_damaged(data: &Path, params: ExtractParams, options: &IngestOptions) -> Result<RebuildReport, CollectionError> {
    // Where the files tell each other what is lost, nothing of it is.
    Store::repair_files(data, false)?;
    match Store::open_damaged(data) {
        Ok(old) => from_store(old, RebuildFrom::Bodies, params, options),
        Err(StoreError::Damaged { what, .. }) => {
            tracing::warn!(data = %data.display(), what, "the database is lost; the kept bodies are read");
            from_kept_bodies(data, params, options)
        }
        Err(error) => Err(error.into()),
    }
}

fn from_kept_bodies(
    data: &Path,
    params: ExtractParams,
    options: &IngestOptions,
) -> Result<RebuildReport, CollectionError> {
    let kept = KeptBodies::open(data)?;
    let mut rebuilder = Rebuilder::new(kept.begin_rebuild()?, params, options)?;
    for page in kept.pages() {
        let (page, source) = page?;
        rebuilder.analyse(page, source)?;
        rebuilder.report.from_bodies += 1;
    }
    rebuilder.commit()?;
    let stored = rebuilder.new.store().stats().distinct_pages;
    rebuilder.report.from_bodies = stored;
    rebuilder.report.database_lost = true;
    rebuilder.finish(kept)
}

/// Fills a new collection.
struct Rebuilder<'a> {
    new: DataFolder,
    options: &'a IngestOptions,
    /// What was known before, for its memory of sites: more than the new collection knows until its end.
    sites: Option<StatisticsSnapshot>,
    report: RebuildReport,
    batch: PageBatch,
    /// Pages that wait for their analysis.
    waiting: Vec<(Page, PageSource)>,
    waiting_bytes: usize,
    commits: u64,
}

impl<'a> Rebuilder<'a> {
    fn new(store: Store, params: ExtractParams, options: &'a IngestOptions) -> Result<Self, CollectionError> {
        Ok(Self {
            new: DataFolder::with_store(store, params)?,
            options,
            sites: None,
            report: RebuildReport::default(),
            batch: PageBatch::new(),
            waiting: Vec::new(),
            waiting_bytes: 0,
            commits: 0,
        })
    }

    fn take_over_all(&mut self, old: &Store) -> Result<(), CollectionError> {
        for page in old.pages() {
            if self.take_over(old, page?.id)? {
                self.report.from_trees += 1;
            }
        }
        Ok(())
    }

    /// Pages whose rows are damaged, where their HTML was kept. `damaged` is their number.
    fn analyse_damaged(&mut self, old: &Store, damaged: u64) -> Result<(), CollectionError> {
        if damaged == 0 {
            return Ok(());
        }
        let mut found = BTreeSet::new();
        for (page, source) in old.bodies_of_damaged()? {
            found.insert(page.id);
            self.analyse(page, source)?;
        }
        let found = found.len() as u64;
        self.report.from_bodies += found;
        self.report.lost += damaged.saturating_sub(found);
        Ok(())
    }

    /// Takes a page over with its old tree; `false`, and the page is counted as lost, when that is damaged.
    fn take_over(&mut self, old: &Store, id: PageId) -> Result<bool, CollectionError> {
        let read = old.stored_put(id).and_then(|put| Ok((put, old.tree_bytes(id)?, old.source(id)?)));
        let tree = match &read {
            Ok((_, Some(bytes), _)) => StoredTree::decode(bytes).ok(),
            _ => None,
        };
        let (Ok((Some(put), _, Some(source))), Some(tree)) = (read, tree) else {
            self.report.lost += 1;
            return Ok(false);
        };
        let blocks = tree.blocks(&self.new.params()).len();
        self.put(put.with_main_blocks(blocks as u32), &source)?;
        Ok(true)
    }

    fn analyse_all(&mut self, old: &Store) -> Result<(), CollectionError> {
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
            match page.body {
                BodyPlace::Kept => match (old.body(page.id), old.source(page.id)?) {
                    (Ok(Some(body)), Some(source)) => {
                        self.report.from_bodies += 1;
                        self.analyse(body, source)?;
                    }
                    _ => self.keep_old(old, page.id)?,
                },
                BodyPlace::Archive => elsewhere.add(old.archive_path(&page)?, &page),
                BodyPlace::None => self.keep_old(old, page.id)?,
            }
        }
        self.analyse_damaged(old, damaged)?;
        for found in referred(elsewhere, &self.options.limits) {
            match found {
                ReferredPage::Page(page) => match old.source(page.id)? {
                    Some(source) => {
                        self.report.from_archives += 1;
                        self.analyse(*page, source)?;
                    }
                    None => self.report.lost += 1,
                },
                ReferredPage::Missing(id) => self.keep_old(old, id)?,
            }
        }
        Ok(())
    }

    fn keep_old(&mut self, old: &Store, id: PageId) -> Result<(), CollectionError> {
        if self.take_over(old, id)? {
            self.report.not_found += 1;
        }
        Ok(())
    }

    fn put(&mut self, put: PagePut, source: &PageSource) -> Result<(), CollectionError> {
        let page = put.page().clone();
        let shares = self.new.store().copy_page(&mut self.batch, put, source)?;
        let documents = self.new.documents_of(&self.batch, &page, shares.unwrap_or(page.id))?;
        self.new.with_writer(|writer| {
            writer.delete_page(&page.id.to_string())?;
            writer.add_page(&documents.page, &documents.blocks)
        })?;
        if self.batch.pages() >= BATCH_PAGES || self.batch.size_bytes() >= BATCH_BYTES {
            self.commit_batch()?;
        }
        Ok(())
    }

    /// Takes a page to analyse; several are analysed at once.
    fn analyse(&mut self, page: Page, source: PageSource) -> Result<(), CollectionError> {
        self.waiting_bytes += page.html.len();
        self.waiting.push((page, source));
        let pages_max = if self.commits == 0 { FIRST_BATCH_PAGES } else { BATCH_PAGES };
        if self.waiting.len() >= pages_max || self.waiting_bytes >= BATCH_BYTES {
            self.commit()?;
        }
        Ok(())
    }

    /// Analyses what waits and commits it.
    fn commit(&mut self) -> Result<(), CollectionError> {
        let waiting = std::mem::take(&mut self.waiting);
        self.waiting_bytes = 0;
        let terms = self.new.store().snapshot();
        let statistics = self.sites.as_ref().map_or_else(|| terms.clone(), |sites| terms.with_sites_of(sites));
        for (put, source) in analysed(&waiting, &statistics, self.new.params(), self.options)? {
            self.put(put, &source)?;
        }
        self.commit_batch()
    }

    fn commit_batch(&mut self) -> Result<(), CollectionError> {
        if !self.batch.is_empty() {
            self.new.commit(std::mem::take(&mut self.batch))?;
            self.commits += 1;
        }
        Ok(())
    }

    /// Commits the index and puts the new store in the place of `old`.
    fn finish<T>(self, old: T) -> Result<RebuildReport, CollectionError> {
        self.new.commit_index(self.new.store().sequence())?;
        failpoint::pass("rebuild.filled");
        let store = self.new.into_store()?;
        drop(old);
        store.replace_old()?;
        Ok(self.report)
    }
}

/// Analyses pages on several threads; the result is in their order.
fn analysed(
    pages: &[(Page, PageSource)],
    statistics: &StatisticsSnapshot,
    params: ExtractParams,
    options: &IngestOptions,
) -> Result<Vec<(PagePut, PageSource)>, CollectionError> {
    let share = pages.len().div_ceil(options.threads.max(1)).max(1);
    let analyse = |pages: &[(Page, PageSource)]| -> Result<Vec<(PagePut, PageSource)>, StoreError> {
        // What was taken in stays.
        let limits = Limits { terms_max: usize::MAX, page_steps_max: u64::MAX, ..options.limits };
        let mut analyser = PageAnalyser::new(params, limits);
        let mut put =
            |page| PageBundle::analyse(page, statistics, &mut analyser, Bodies::Refer).map(|bundle| bundle.put);
        pages.iter().map(|(page, source)| Ok((put(page)?, source.clone()))).collect()
    };
    let shares: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = pages.chunks(share).map(|share| scope.spawn(move || analyse(share))).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    let shares: Vec<Vec<_>> = shares.into_iter().collect::<Result<_, StoreError>>()?;
    Ok(shares.into_iter().flatten().collect())
}
