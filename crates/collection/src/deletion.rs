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
    ArchiveEntry, PageBatch, Removed, Store, StoreError, Takedown, TakedownScope, scope_of_host, scope_of_prefix,
    scope_of_url,
};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use crate::CollectionError;
use crate::listing::{POSTED, POSTED_ID, archive_id, entries_of};
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
    /// All pages that were last read from an archive, and its captures of others. The path is that of the ledger, or its end; the archive's id
    /// stands for it too. That of the [posted pages](crate::POSTED_ID) stands for each of them.
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
        Selection::Archive(path) if is_posted(path) => scope_of_posted(store, path)?,
        Selection::Archive(path) => {
            let entry = archive_named(store.archives(), path)?;
            TakedownScope::of_archive(entry.key.id, &entry.key.path)
        }
        Selection::Query(query) => store.scope_of_pages(engine.matching_pages(query)?)?,
    };
    let pages = store.pages_in(&scope)?;
    Ok((scope, pages))
}

/// Whether it stands for the pages that were posted, as archives are listed.
fn is_posted(path: &Path) -> bool {
    path == Path::new(POSTED) || path.to_str().and_then(archive_id) == Some(POSTED_ID)
}

/// The pages that were posted: each by itself, so that others can be posted.
fn scope_of_posted(store: &Store, path: &Path) -> Result<TakedownScope, DeleteError> {
    let entries = entries_of(store, POSTED_ID)?;
    if entries.is_empty() {
        return Err(DeleteError::NoArchive { path: path.to_owned() });
    }
    let pages = store.pages_of_archives(&entries.iter().map(|entry| entry.key.id).collect())?;
    if pages.is_empty() {
        return Err(DeleteError::Selection("no page that was posted is there any more".to_owned()));
    }
    Ok(store.scope_of_pages(pages.into_keys())?)
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

#[cfg(test)]
mod tests {
    use lopper_content::limits::Limits;

    use super::*;
    use crate::Collection;
    use crate::ingest::IngestOptions;
    use crate::testing::posted;

    #[test]
    fn the_posted_pages_are_deleted_by_the_id_and_the_name_that_the_list_gives_them() {
        let folder = tempfile::tempdir().unwrap();
        let (data, file) = (folder.path().join("data"), folder.path().join("kept.html"));
        std::fs::write(&file, "<title>Ash</title><p>The ash grows old by the river.").unwrap();
        let collection = Collection::open(data).unwrap();
        let posts = |text: &str| {
            ["http://a.example/", "http://b.example/"].map(|url| {
                let mut page = posted(url, &format!("<p>The {text} grows old."));
                page.provenance.archive = POSTED.into();
                page
            })
        };
        for (round, name) in [format!("{POSTED_ID:032x}"), POSTED.to_owned()].iter().enumerate() {
            let named = Selection::Archive(name.into());
            let none = collection.delete(&named, None).unwrap_err().to_string();
            assert!(none.contains(if round == 0 { "no archive" } else { "no page that was posted" }), "{none}");
            collection.ingest(std::slice::from_ref(&file), &IngestOptions::default()).unwrap();
            collection.add(&posts(name), &Limits::default()).unwrap();
            let deleted = collection.delete(&named, None).unwrap();
            assert_eq!((deleted.pages, collection.folder().stats().distinct_pages), (2, 1));
            let refused = collection.add(&posts(name), &Limits::default()).unwrap();
            assert!(refused.iter().all(|page| matches!(page, Err(CollectionError::TakenDown { .. }))), "{refused:?}");
            assert!(collection.lift_takedown(deleted.takedown.unwrap().number).unwrap());
        }
    }
}
