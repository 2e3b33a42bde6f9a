//! Deleting: what goes, and what keeps it from coming back.
//!
//! A deletion first notes a [`Takedown`], then removes the pages from the store, then from the index, each durable before the next. Cut off
//! in between, nothing of it comes back with an ingest, and the next writer completes the index. What the pages left on disk goes with
//! [`compact`](crate::ingest::compact).

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use lopper_archive::page::PageId;
use lopper_store::{
    ArchiveEntry, PageBatch, Removed, StoreError, Takedown, TakedownScope, scope_of_host, scope_of_prefix, scope_of_url,
};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use crate::CollectionError;
use crate::open_commit::OpenCommit;
use crate::search::{SearchEngine, SearchError};

/// What is to be deleted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Selection {
    /// A capture.
    Page(PageId),
    /// All captures of an address, whatever form of it is given: by either scheme of the web, with or without `www.` and a closing slash.
    Url(String),
    /// All pages whose canonical URL begins so.
    UrlPrefix(String),
    /// All pages of a host. Hosts below it are others.
    Host(String),
    /// All pages that were last read from an archive, and its captures of others. The path is that of the ledger, or its end.
    Archive(PathBuf),
    /// The pages that match every part of a query.
    Query(String),
}

/// What a deletion did, or would do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeleteReport {
    /// Pages.
    pub pages: u64,
    /// Their main blocks.
    pub blocks: u64,
    /// Captures that stood for them: records of archives.
    pub captures: u64,
    /// What keeps them out from now on; `None` where nothing was done but counting.
    pub takedown: Option<Takedown>,
    /// Wall time.
    pub duration: Duration,
}

/// Ids of archives that a message names.
const IDS_TOLD_MAX: usize = 8;

/// Why nothing was deleted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DeleteError {
    /// The selection names nothing that could be.
    #[error("{0}")]
    Selection(String),
    /// No archive of the ledger has such a path.
    #[error("{} is no archive of this collection; `lopper ingest report` lists them", path.display())]
    NoArchive {
        /// The path given.
        path: PathBuf,
    },
    /// Several archives have it.
    #[error(
        "{} stands for {} archives of this collection; give more of the path, or the id of one in its place: {}",
        path.display(), ids.len(), listed(ids)
    )]
    SeveralArchives {
        /// The path given.
        path: PathBuf,
        /// The ids of the archives that have it, each 32 hexadecimal digits.
        ids: Vec<String>,
    },
    /// The query finds nothing that can be named.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// The folder cannot be read or written.
    #[error(transparent)]
    Folder(#[from] CollectionError),
}

impl From<StoreError> for DeleteError {
    fn from(error: StoreError) -> Self {
        Self::Folder(error.into())
    }
}

/// Counts what [`delete`] would delete. Nothing changes.
///
/// # Errors
///
/// As [`delete`].
pub fn count_deletion(engine: &SearchEngine, selection: &Selection) -> Result<DeleteReport, DeleteError> {
    let started = Instant::now();
    let (scope, pages) = plan(engine, selection)?;
    let removed = PageBatch::new().remove(engine.collection().store(), &pages, Some(&scope))?;
    Ok(report(removed, None, started))
}

/// Deletes what is selected, and keeps it out until the takedown in the report is [lifted](crate::Collection::lift_takedown). When this returns, it
/// is in no answer to a request that begins later, and survives a crash.
///
/// A URL, prefix, host or archive that has no page now keeps out what an ingest would bring.
///
/// # Errors
///
/// [`DeleteError`]. When the store fails after the takedown was noted, that stands; deleting again completes it.
pub fn delete(engine: &SearchEngine, selection: &Selection, note: Option<String>) -> Result<DeleteReport, DeleteError> {
    let started = Instant::now();
    let folder = engine.collection();
    let mut open = OpenCommit::begin(folder);
    let (scope, pages) = plan(engine, selection)?;
    if scope == TakedownScope::Pages(Vec::new()) {
        return Err(DeleteError::Selection("no page matches every part of the query".to_owned()));
    }
    let removed = open.remove(&pages, Some(&scope))?;
    let query = if let Selection::Query(query) = selection { Some(query.clone()) } else { None };
    let takedown = folder.store().take_down(scope, query, note, OffsetDateTime::now_utc().unix_timestamp())?;
    if !open.batch.is_empty() {
        open.commit()?;
        engine.reload()?;
    }
    Ok(report(removed, Some(takedown), started))
}

fn report(removed: Removed, takedown: Option<Takedown>, started: Instant) -> DeleteReport {
    let Removed { pages, blocks, captures } = removed;
    DeleteReport { pages, blocks, captures, takedown, duration: started.elapsed() }
}

/// What a selection comes to: its scope, and the pages in it.
fn plan(engine: &SearchEngine, selection: &Selection) -> Result<(TakedownScope, BTreeSet<PageId>), DeleteError> {
    let store = engine.collection().store();
    let scope = match selection {
        Selection::Page(page) if !store.contains(*page)? => {
            return Err(DeleteError::Selection(format!("no page has the id {page}; answers give the ids of pages")));
        }
        Selection::Page(page) => store.scope_of_pages([*page])?,
        Selection::Url(url) => scope_of_url(url).map_err(DeleteError::Selection)?,
        Selection::UrlPrefix(prefix) if prefix.trim().is_empty() => {
            return Err(DeleteError::Selection(
                "an empty prefix stands for every page; name a part of the URL".to_owned(),
            ));
        }
        Selection::UrlPrefix(prefix) => scope_of_prefix(prefix).map_err(DeleteError::Selection)?,
        Selection::Host(host) => scope_of_host(host).map_err(DeleteError::Selection)?,
        Selection::Archive(path) => {
            let entry = archive_named(store.archives(), path)?;
            TakedownScope::of_archive(entry.key.id, &entry.key.path)
        }
        Selection::Query(query) => store.scope_of_pages(engine.matching_pages(query)?)?,
    };
    let pages = store.pages_in(&scope)?;
    Ok((scope, pages))
}

/// The archive of that id or path, else the only one whose path ends in it.
fn archive_named(
    archives: impl Iterator<Item = Result<ArchiveEntry, StoreError>>,
    path: &Path,
) -> Result<ArchiveEntry, DeleteError> {
    let (mut whole, mut ending) = (Vec::new(), Vec::new());
    for entry in archives {
        let entry = entry?;
        if path.to_str() == Some(&id_of(&entry)) {
            return Ok(entry);
        }
        if entry.key.path == path {
            whole.push(entry);
        } else if entry.key.path.ends_with(path) {
            ending.push(entry);
        }
    }
    let mut found = if whole.is_empty() { ending } else { whole };
    match found.len() {
        0 => Err(DeleteError::NoArchive { path: path.to_owned() }),
        1 => Ok(found.swap_remove(0)),
        _ => Err(DeleteError::SeveralArchives { path: path.to_owned(), ids: found.iter().map(id_of).collect() }),
    }
}

fn id_of(entry: &ArchiveEntry) -> String {
    format!("{:032x}", entry.key.id)
}

/// The first of some ids, for a message.
fn listed(ids: &[String]) -> String {
    let more = ids.len().saturating_sub(IDS_TOLD_MAX);
    let end = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{end}", ids[..ids.len() - more].join(", "))
}
