//! Filling a new collection with the pages of another one: workers read, analyse and encode, one thread writes beside them, in order.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use lopper_archive::page::{Page, PageId};
use lopper_content::limits::Limits;
use lopper_content::pipeline::{ExtractParams, PageAnalyser, StoredTree, StoredTreeError};
use lopper_content::statistics::StatisticsSnapshot;
use lopper_faults::failpoint;
use lopper_index::{EncodedPage, PageEncoder};
use lopper_store::{DamagedPart, PagePut, Store, StoreError, StoredSource};

use super::rebuild::{PagesDone, RebuildReport};
use super::{Bodies, IngestOptions, PageBundle};
use crate::documents::PageDocuments;
use crate::open_commit::OpenCommit;
use crate::{CollectionError, DataFolder};

/// Pages of the first batch: few, so that there are soon statistics to weigh by.
const FIRST_BATCH_PAGES: usize = 200;

/// Bytes of pages and trees of a batch.
const BATCH_BYTES: usize = 64 << 20;

/// Results of a worker that wait for the writer.
const RESULTS_WAITING_MAX: usize = 16;

/// A page that the new collection is to have.
pub(super) enum Wanted {
    /// Analysed from its HTML.
    Page(Box<Page>, StoredSource, Counted),
    /// With its old tree.
    Tree(PageId, Counted),
    /// With all that is kept of it.
    Copy(PageId),
}

/// What a page is counted as once it is there.
#[derive(Debug, Clone, Copy)]
pub(super) enum Counted {
    Tree,
    Body,
    Archive,
    NotFound,
    /// By others, or not at all.
    Nowhere,
}

/// What a worker made of a wanted page.
enum Ready {
    Page(Box<ReadyPage>),
    /// Its tree is damaged, and its HTML has not been looked for.
    Damaged(PageId),
    /// Its tree is damaged, and its HTML was not found.
    Lost,
    /// It is no longer there.
    Gone,
}

struct ReadyPage {
    put: PagePut,
    source: StoredSource,
    encoded: EncodedPage,
    counted: Counted,
}

type Prepared = Result<Ready, StoreError>;

/// Fills a new collection.
pub(super) struct Filler<'a, 'd> {
    new: &'a DataFolder,
    old: Option<&'a Store>,
    options: &'a IngestOptions,
    pub(super) report: RebuildReport,
    /// Pages whose trees are damaged, which their HTML may bring back.
    pub(super) damaged: BTreeSet<PageId>,
    open: OpenCommit<'a>,
    /// Pages that wait for the workers.
    waiting: Vec<Wanted>,
    waiting_bytes: usize,
    /// Pages that are in the new index: of a page that comes twice the later one stays.
    there: HashSet<PageId>,
    commits: u64,
    done: &'a mut PagesDone<'d>,
    done_pages: u64,
}

impl<'a, 'd> Filler<'a, 'd> {
    /// Fills `new`; trees and copies are those of `old`, as is the memory of sites: it knows more than the new collection does until its end.
    pub(super) fn new(
        new: &'a DataFolder,
        old: Option<&'a Store>,
        options: &'a IngestOptions,
        done: &'a mut PagesDone<'d>,
    ) -> Result<Self, CollectionError> {
        let there = new.store().page_ids().collect::<Result<HashSet<_>, StoreError>>()?;
        Ok(Self {
            new,
            old,
            options,
            report: RebuildReport::default(),
            damaged: BTreeSet::new(),
            open: OpenCommit::begin(new),
            waiting: Vec::new(),
            waiting_bytes: 0,
            commits: there.len().min(1) as u64,
            there,
            done,
            done_pages: 0,
        })
    }

    /// Whether a rebuild that was cut off has made the page; then it is counted here.
    pub(super) fn has_already(&mut self, id: PageId) -> bool {
        let is_there = self.there.contains(&id);
        if is_there {
            self.report.resumed += 1;
            self.count_done();
        }
        is_there
    }

    /// Takes a page; many are prepared at once.
    pub(super) fn add(&mut self, wanted: Wanted) -> Result<(), CollectionError> {
        if let Wanted::Page(page, ..) = &wanted {
            self.waiting_bytes += page.html.len();
        }
        self.waiting.push(wanted);
        let first_max = if self.commits == 0 { FIRST_BATCH_PAGES } else { usize::MAX };
        let pages_max = first_max.min(usize::try_from(self.options.batch_records_max).unwrap_or(usize::MAX));
        if self.waiting.len() >= pages_max || self.waiting_bytes >= BATCH_BYTES {
            self.commit()?;
        }
        Ok(())
    }

    /// Prepares what waits and commits it.
    pub(super) fn commit(&mut self) -> Result<(), CollectionError> {
        let waiting = std::mem::take(&mut self.waiting);
        self.waiting_bytes = 0;
        let terms = self.new.store().snapshot();
        let statistics = match self.old {
            Some(old) => terms.with_sites_of(&old.snapshot()),
            None => terms,
        };
        let work = Work {
            waiting: &waiting,
            next: AtomicUsize::new(0),
            old: self.old,
            statistics,
            params: self.new.params(),
            limits: self.options.limits,
        };
        let threads = self.options.threads.clamp(1, waiting.len().max(1));
        thread::scope(|scope| {
            let (sender, results) = sync_channel(threads * RESULTS_WAITING_MAX);
            for _ in 0..threads {
                let (work, sender) = (&work, sender.clone());
                scope.spawn(move || work.run(&sender));
            }
            drop(sender);
            self.write_all(&results)
        })?;
        self.commit_batch()
    }

    /// Writes the results in the order of their pages.
    fn write_all(&mut self, results: &Receiver<(usize, Prepared)>) -> Result<(), CollectionError> {
        let (mut early, mut next) = (BTreeMap::new(), 0);
        for (number, prepared) in results {
            early.insert(number, prepared);
            while let Some(prepared) = early.remove(&next) {
                next += 1;
                self.write(prepared?)?;
            }
        }
        Ok(())
    }

    fn write(&mut self, ready: Ready) -> Result<(), CollectionError> {
        match ready {
            Ready::Page(page) => self.put(*page)?,
            Ready::Damaged(id) => {
                self.damaged.insert(id);
                return Ok(());
            }
            Ready::Lost => self.report.lost += 1,
            Ready::Gone => {}
        }
        self.count_done();
        Ok(())
    }

    fn count_done(&mut self) {
        self.done_pages += 1;
        let all = self.old.map_or(self.done_pages, |old| old.stats().distinct_pages);
        (self.done)(self.done_pages, all);
    }

    fn put(&mut self, ready: ReadyPage) -> Result<(), CollectionError> {
        let ReadyPage { put, source, encoded, counted } = ready;
        let is_again = !self.there.insert(put.page().id);
        self.open.copy(put, &source, encoded, is_again)?;
        match counted {
            Counted::Tree => self.report.from_trees += 1,
            Counted::Body => self.report.from_bodies += 1,
            Counted::Archive => self.report.from_archives += 1,
            Counted::NotFound => self.report.not_found += 1,
            Counted::Nowhere => {}
        }
        // Pages that are analysed are weighed by the batches before theirs, so a rebuild that goes on must find whole ones.
        if self.open.batch.size_bytes() >= BATCH_BYTES && matches!(counted, Counted::Tree | Counted::Nowhere) {
            self.commit_batch()?;
        }
        Ok(())
    }

    fn commit_batch(&mut self) -> Result<(), CollectionError> {
        if !self.open.batch.is_empty() {
            self.open.commit()?;
            self.commits += 1;
        }
        Ok(())
    }

    /// Commits the index. The new store is to be put in the place of the old one, once that is closed.
    pub(super) fn finish(self) -> Result<RebuildReport, CollectionError> {
        self.new.commit_index(self.new.store().sequence())?;
        failpoint::pass("rebuild.filled");
        Ok(self.report)
    }
}

/// What the workers share: the pages of a batch, and what they are prepared by.
struct Work<'a> {
    waiting: &'a [Wanted],
    /// The next page that no worker has taken.
    next: AtomicUsize,
    old: Option<&'a Store>,
    statistics: StatisticsSnapshot,
    params: ExtractParams,
    limits: Limits,
}

impl Work<'_> {
    /// Prepares pages until there are none, or nobody takes the results.
    fn run(&self, results: &SyncSender<(usize, Prepared)>) {
        // What was taken in stays.
        let limits = Limits { terms_max: usize::MAX, page_steps_max: u64::MAX, ..self.limits };
        let (mut analyser, mut encoder) = (PageAnalyser::new(self.params, limits), PageEncoder::default());
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(wanted) = self.waiting.get(number) else { return };
            let prepared = catch_unwind(AssertUnwindSafe(|| self.prepared(wanted, &mut analyser, &mut encoder)));
            // No page is known to stop its analysis by a panic. Should one, its tree stands for it.
            let prepared = prepared.unwrap_or_else(|reason| {
                (analyser, encoder) = (PageAnalyser::new(self.params, limits), PageEncoder::default());
                match wanted {
                    Wanted::Page(page, ..) => self.taken_over(page.id, Counted::NotFound, &mut analyser, &mut encoder),
                    Wanted::Tree(id, Counted::Tree) => Ok(Ready::Damaged(*id)),
                    Wanted::Tree(..) => Ok(Ready::Lost),
                    // A copy is to lose nothing.
                    Wanted::Copy(_) => resume_unwind(reason),
                }
            });
            if results.send((number, prepared)).is_err() {
                return;
            }
        }
    }

    fn prepared(&self, wanted: &Wanted, analyser: &mut PageAnalyser, encoder: &mut PageEncoder) -> Prepared {
        match wanted {
            Wanted::Page(page, source, counted) => self.analysed(page, source, *counted, analyser, encoder),
            Wanted::Tree(id, counted) => self.taken_over(*id, *counted, analyser, encoder),
            Wanted::Copy(id) => self.copied(*id, analyser, encoder),
        }
    }

    fn analysed(
        &self,
        page: &Page,
        source: &StoredSource,
        counted: Counted,
        analyser: &mut PageAnalyser,
        encoder: &mut PageEncoder,
    ) -> Prepared {
        let PageBundle { put, documents, .. } = PageBundle::analyse(page, &self.statistics, analyser, Bodies::Refer)?;
        let encoded = documents.encoded(encoder, analyser);
        Ok(Ready::Page(Box::new(ReadyPage { put, source: source.clone(), encoded, counted })))
    }

    /// The page with its old tree, unless that is damaged.
    fn taken_over(
        &self,
        id: PageId,
        counted: Counted,
        analyser: &mut PageAnalyser,
        encoder: &mut PageEncoder,
    ) -> Prepared {
        let Some(old) = self.old else { return Ok(Ready::Lost) };
        let read = undamaged(old.stored_put(id).and_then(|put| Ok(put.zip(old.source(id)?))))?;
        let (Some((put, source)), Some(tree)) = (read.flatten(), tree_of(old, id)?) else {
            return Ok(if matches!(counted, Counted::Tree) { Ready::Damaged(id) } else { Ready::Lost });
        };
        let (encoded, blocks) = self.encoded(&put, &tree, analyser, encoder);
        Ok(Ready::Page(Box::new(ReadyPage { put: put.with_main_blocks(blocks), source, encoded, counted })))
    }

    /// The page with all that is kept of it.
    fn copied(&self, id: PageId, analyser: &mut PageAnalyser, encoder: &mut PageEncoder) -> Prepared {
        let Some(old) = self.old else { return Ok(Ready::Gone) };
        let Some((put, source)) = old.whole_put(id)? else { return Ok(Ready::Gone) };
        let tree = old.tree_bytes(id)?.as_deref().map(StoredTree::decode).transpose();
        let damaged = |error: StoredTreeError| StoreError::Damaged {
            data: old.data().to_owned(),
            part: DamagedPart::Records,
            what: format!("the tree of page {id}"),
            source: Some(error.into()),
        };
        let Some(tree) = tree.map_err(damaged)? else { return Ok(Ready::Gone) };
        let (encoded, _) = self.encoded(&put, &tree, analyser, encoder);
        Ok(Ready::Page(Box::new(ReadyPage { put, source, encoded, counted: Counted::Nowhere })))
    }

    /// What the index gets of a page with this tree, and the number of its blocks.
    fn encoded(
        &self,
        put: &PagePut,
        tree: &StoredTree,
        analyser: &mut PageAnalyser,
        encoder: &mut PageEncoder,
    ) -> (EncodedPage, u32) {
        let documents = PageDocuments::of(put.page(), tree, &self.params);
        (documents.encoded(encoder, analyser), documents.blocks.len() as u32)
    }
}

/// A page's tree; none where it is damaged.
fn tree_of(store: &Store, id: PageId) -> Result<Option<StoredTree>, StoreError> {
    let bytes = undamaged(store.tree_bytes(id))?.flatten();
    Ok(bytes.and_then(|bytes| StoredTree::decode(&bytes).ok()))
}

/// What was read; none where it is damaged. Other trouble, such as a disk that cannot be read, says nothing of the data.
fn undamaged<T>(read: Result<T, StoreError>) -> Result<Option<T>, StoreError> {
    match read {
        Err(StoreError::Damaged { .. }) => Ok(None),
        read => read.map(Some),
    }
}
