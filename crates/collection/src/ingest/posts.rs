//! Pages that come one by one, without an archive: analysed apart, committed together.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};

use lopper_archive::page::{Page, PageId};
use lopper_content::limits::Limits;
use lopper_content::pipeline::PageAnalyser;
use lopper_index::{EncodedPage, PageEncoder};
use lopper_store::{ArchiveKey, Checkpoint, PagePut, RecordPlace, StoredPage};

use super::{Bodies, PageBundle};
use crate::open_commit::OpenCommit;
use crate::{CollectionError, DataFolder};

/// A page that was analysed and is to be committed.
pub struct PreparedPage {
    archive: ArchiveKey,
    offset_bytes: u64,
    put: PagePut,
    encoded: EncodedPage,
}

impl PreparedPage {
    /// Its identity.
    pub fn id(&self) -> PageId {
        self.put.page().id
    }

    /// What the store will know of it.
    pub fn page(&self) -> &StoredPage {
        self.put.page()
    }

    fn is_kept_out(&self, collection: &DataFolder) -> bool {
        let place = RecordPlace { archive: &self.archive, ordinal: 0, offset_bytes: self.offset_bytes };
        collection.store().keeps_out(&place, &self.put.facts())
    }

    /// Memory that it takes, about.
    pub fn size_bytes(&self) -> usize {
        // What the index takes of a page is about as much as its tree and HTML.
        2 * self.put.size_bytes()
    }
}

/// Analyses pages for any number of threads, with what analysers keep between pages.
#[derive(Default)]
pub struct PagePreparer {
    idle: Mutex<Vec<(PageAnalyser, PageEncoder)>>,
}

impl PagePreparer {
    /// Analyses a page by the present statistics of `collection`. Its HTML is kept in the data folder: there is no archive to read it from again.
    ///
    /// # Errors
    ///
    /// [`CollectionError::Store`] for a page that goes beyond the limits.
    pub fn prepare(
        &self,
        collection: &DataFolder,
        page: &Page,
        limits: &Limits,
    ) -> Result<PreparedPage, CollectionError> {
        let _stage = tracing::debug_span!(target: crate::STAGES, "prepare").entered();
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let new = || (PageAnalyser::new(collection.params(), *limits), PageEncoder::default());
        let (mut analyser, mut encoder) = idle.unwrap_or_else(new);
        let statistics = collection.store().snapshot();
        let prepared = PageBundle::analyse(page, &statistics, &mut analyser, Bodies::Keep).map(|bundle| {
            let encoded = bundle.documents.encoded(&mut encoder, &mut analyser);
            let path = page.provenance.archive.clone();
            let archive = ArchiveKey { id: page.id.0, path, fingerprint: page.id.0, site: None };
            PreparedPage { archive, offset_bytes: page.provenance.offset_bytes, put: bundle.put, encoded }
        });
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push((analyser, encoder));
        Ok(prepared?)
    }
}

/// Commits pages together: when this returns, they are on disk, in the store and in the index. Gives each as it is there, in their order; one
/// that a takedown keeps out is an error of its own. Of pages with the same identity the last one counts, and each replaces the page of its
/// identity that is there. An ingest on the same folder gives way for it.
///
/// # Errors
///
/// [`CollectionError`] when the collection cannot be written; then any part of what was given may be there when the folder is opened again.
pub fn commit_pages(
    collection: &DataFolder,
    pages: Vec<PreparedPage>,
) -> Result<Vec<Result<StoredPage, CollectionError>>, CollectionError> {
    let last: HashMap<PageId, usize> = pages.iter().enumerate().map(|(place, page)| (page.id(), place)).collect();
    let asked: Vec<StoredPage> = pages.iter().map(|page| page.page().clone()).collect();
    let mut kept_out = HashSet::new();
    let mut open = OpenCommit::begin(collection);
    for (place, page) in pages.into_iter().enumerate() {
        if page.is_kept_out(collection) {
            kept_out.insert(place);
        } else if last.get(&page.id()) == Some(&place) {
            add(&mut open, page)?;
        }
    }
    if !open.batch.is_empty() {
        open.commit()?;
    }
    let committed = |(place, page): (usize, StoredPage)| {
        if kept_out.contains(&place) {
            return Err(CollectionError::TakenDown { url: page.url });
        }
        Ok(collection.store().page(page.id)?.unwrap_or(page))
    };
    Ok(asked.into_iter().enumerate().map(committed).collect())
}

fn add(open: &mut OpenCommit<'_>, page: PreparedPage) -> Result<(), CollectionError> {
    let PreparedPage { archive, offset_bytes, put, encoded } = page;
    let place = RecordPlace { archive: &archive, ordinal: 0, offset_bytes };
    open.batch.restart(&archive);
    open.put_own(&place, put, encoded)?;
    open.batch.checkpoint(&archive, Checkpoint { finished: true, ..Checkpoint::default() });
    Ok(())
}

/// Ingests one page that is in memory, and commits it. A page of the same URL and capture time is replaced.
///
/// # Errors
///
/// [`CollectionError::TakenDown`]; another [`CollectionError`] when the collection cannot be written.
pub fn ingest_page(collection: &DataFolder, page: &Page, limits: &Limits) -> Result<(), CollectionError> {
    let prepared = PagePreparer::default().prepare(collection, page, limits)?;
    commit_pages(collection, vec![prepared])?.into_iter().try_for_each(|page| page.map(drop))
}
