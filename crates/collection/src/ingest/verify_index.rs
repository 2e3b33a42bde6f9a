//! The index's side of a check, and mending it from the stored trees.

use lopper_analysis::bare_words;
use lopper_archive::page::PageId;
use lopper_content::pipeline::ExtractParams;
use lopper_index::{BlockDocument, BlockIndex, BlockSearcher, IndexError, SearchError};
use lopper_store::{CatchUp, Sequence, Store, StoredPage};

use super::verify::{FaultKind, VerifyReport, chain};
use super::verify_store::tree;
use crate::checkpoint::{agreed_params, read_checkpoint};
use crate::documents::PageDocuments;
use crate::index_folder::{clear, index_path};
use crate::{CollectionError, DataFolder};

/// What of an index must be made again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum IndexTrouble {
    None,
    /// All of it.
    Whole,
    /// Pages, and documents of pages that the store does not have.
    Some {
        pages: Vec<PageId>,
        orphans: Vec<String>,
    },
}

/// The parameters that the index was made with, as far as it tells them; else `params`.
///
/// # Errors
///
/// [`CollectionError::OtherParameters`].
pub(super) fn own_params(store: &Store, params: ExtractParams) -> Result<ExtractParams, CollectionError> {
    let index = BlockIndex::open_to_read(index_path(store.data())).ok();
    let checkpoint = index.and_then(|index| read_checkpoint(store.data(), &index).ok()).flatten();
    agreed_params(store.data(), checkpoint.as_ref(), params)
}

/// Checks the files and the commit of the index, the one that is open or the last, and then its documents.
pub(super) fn check_index(
    store: &Store,
    open: Option<&BlockIndex>,
    params: ExtractParams,
    report: &mut VerifyReport,
) -> Result<IndexTrouble, CollectionError> {
    match opened(store, open)? {
        Ok(index) => check_commit(store, &index, params, report),
        Err(message) => {
            report.fault(FaultKind::Index, message);
            Ok(IndexTrouble::Whole)
        }
    }
}

/// The index with sound files, or what is wrong with them.
fn opened(store: &Store, open: Option<&BlockIndex>) -> Result<Result<BlockIndex, String>, CollectionError> {
    let opened = open.map_or_else(|| BlockIndex::open_to_read(index_path(store.data())), |open| Ok(open.clone()));
    let index = match opened {
        Ok(index) => index,
        Err(error @ IndexError::Damaged { .. }) => return Ok(Err(cause(&error))),
        Err(IndexError::NotFound { .. }) => return Ok(Err("there is no index".to_owned())),
        Err(IndexError::OtherFormat { found, .. }) => return Ok(Err(format!("the index has format {found}"))),
        Err(error) => return Err(error.into()),
    };
    match index.damaged_files() {
        Ok(damaged) if damaged.is_empty() => Ok(Ok(index)),
        Ok(damaged) => {
            let names: Vec<String> = damaged.iter().map(|path| path.display().to_string()).collect();
            Ok(Err(format!("wrong checksum of {}", names.join(", "))))
        }
        Err(error @ IndexError::Damaged { .. }) => Ok(Err(cause(&error))),
        Err(error) => Err(error.into()),
    }
}

/// The engine's words, without the advice of the error itself.
fn cause(error: &IndexError) -> String {
    let source = std::error::Error::source(error);
    format!("the index is damaged: {}", source.map_or_else(|| error.to_string(), chain))
}

fn check_commit(
    store: &Store,
    index: &BlockIndex,
    params: ExtractParams,
    report: &mut VerifyReport,
) -> Result<IndexTrouble, CollectionError> {
    let checkpoint = match read_checkpoint(store.data(), index) {
        Err(error @ CollectionError::Checkpoint { .. }) => {
            report.fault(FaultKind::Index, chain(&error));
            return Ok(IndexTrouble::Whole);
        }
        checkpoint => checkpoint?,
    };
    let (found, wanted) = (checkpoint.map_or(Sequence(0), |checkpoint| checkpoint.sequence), store.sequence());
    let behind = store.catch_up(found)?;
    if behind != CatchUp::Nothing {
        report.fault(FaultKind::Index, format!("the index is at commit {found}, the store at {wanted}"));
    }
    match behind {
        CatchUp::Nothing => check_documents(store, &index.searcher(), params, report),
        CatchUp::Pages(pages) => Ok(IndexTrouble::Some { pages, orphans: Vec::new() }),
        CatchUp::Everything => Ok(IndexTrouble::Whole),
    }
}

/// Compares the documents of each page with its tree.
fn check_documents(
    store: &Store,
    searcher: &BlockSearcher,
    params: ExtractParams,
    report: &mut VerifyReport,
) -> Result<IndexTrouble, CollectionError> {
    let mut counts = searcher.documents_by_page()?;
    let mut pages = Vec::new();
    report.blocks = 0;
    for id in store.page_ids() {
        let id = id?;
        let documents = counts.remove(&id.to_string()).unwrap_or(0);
        // A row that is damaged is a fault of the store's side.
        let Ok(Some(page)) = store.page(id) else { continue };
        if let Err(message) = check_page(store, searcher, &page, params, documents, report)? {
            report.fault(FaultKind::Blocks, format!("{}: {message}", page.url));
            pages.push(id);
        }
    }
    for (page, documents) in &counts {
        let message = format!("{documents} documents of page {page}, which the store does not have");
        report.fault(FaultKind::Blocks, message);
    }
    let orphans: Vec<String> = counts.into_keys().collect();
    let is_sound = pages.is_empty() && orphans.is_empty();
    Ok(if is_sound { IndexTrouble::None } else { IndexTrouble::Some { pages, orphans } })
}

/// Whether the index, which has `found` documents of the page, has just the blocks of its tree. A page whose tree is damaged is passed over: that is a fault of the store's side.
fn check_page(
    store: &Store,
    searcher: &BlockSearcher,
    page: &StoredPage,
    params: ExtractParams,
    found: u64,
    report: &mut VerifyReport,
) -> Result<Result<(), String>, SearchError> {
    let Ok(tree) = tree(store, page) else { return Ok(Ok(())) };
    let expected = PageDocuments::of(page, &tree, &params).blocks;
    report.blocks += expected.len() as u64;
    // A page without blocks is not in the index; else it is a document too.
    let wanted = if expected.is_empty() { 0 } else { expected.len() as u64 + 1 };
    if found != wanted {
        return Ok(Err(format!("the index has {found} documents of {wanted}")));
    }
    let blocks = searcher.blocks_of_page(&page.id.to_string())?;
    // By words: earlier versions had each cell of a table's row on a line of its own.
    let is_same = |(indexed, cut): (&BlockDocument, &BlockDocument)| {
        (&indexed.block_id, &indexed.url) == (&cut.block_id, &cut.url)
            && bare_words(&indexed.body).eq(bare_words(&cut.body))
    };
    let is_same = blocks.len() == expected.len() && blocks.iter().zip(&expected).all(is_same);
    Ok(if is_same { Ok(()) } else { Err("the index has other blocks than its tree".to_owned()) })
}

/// Makes again what is in trouble. Pages that are damaged are left out; they are faults of the store's side.
pub(super) fn mend_index(store: Store, params: ExtractParams, trouble: IndexTrouble) -> Result<Store, CollectionError> {
    let path = index_path(store.data());
    let (index, pages, orphans) = match trouble {
        IndexTrouble::None => return Ok(store),
        IndexTrouble::Whole => {
            let pages = store.page_ids().collect::<Result<_, _>>()?;
            (clear(&path)?, pages, Vec::new())
        }
        IndexTrouble::Some { pages, orphans } => (BlockIndex::open(&path)?, pages, orphans),
    };
    let collection = DataFolder::of_parts(store, index, params)?;
    for orphan in &orphans {
        collection.with_writer(|writer| writer.delete_page(orphan))?;
    }
    pages.into_iter().try_for_each(|page| collection.index_again(page))?;
    collection.commit_index(collection.store().sequence())?;
    collection.into_store()
}
