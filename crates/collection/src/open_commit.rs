//! The one way into a commit of store and index.
//!
//! What is added to the index's writer goes with whatever commit comes next, and that must be the commit of the store that it belongs to. So who
//! wants to commit takes a [turn](crate::turns), adds to batch and index together, and commits both. What is not committed, since something
//! failed or panicked on the way, is taken back from the index's writer before the next one has its turn.

use std::collections::BTreeSet;

use lopper_archive::page::PageId;
use lopper_faults::failpoint;
use lopper_index::{BlockWriter, EncodedPage};
use lopper_store::{PageBatch, PagePut, Put, RecordPlace, Removed, StoredPage, StoredSource, TakedownScope};

use crate::documents::PageDocuments;
use crate::turns::Turn;
use crate::{CollectionError, DataFolder};

/// A commit that is being filled.
pub(crate) struct OpenCommit<'a> {
    folder: &'a DataFolder,
    /// Absent only while others have theirs.
    turn: Option<Turn<'a>>,
    /// For what concerns the store alone. Pages are put and removed by the methods here, which tell the index too.
    pub(crate) batch: PageBatch,
    /// Whether the index's writer has something of the batch.
    is_dirty: bool,
}

impl<'a> OpenCommit<'a> {
    /// Waits for its turn.
    pub(crate) fn begin(folder: &'a DataFolder) -> Self {
        Self { folder, turn: Some(folder.turns().take()), batch: PageBatch::new(), is_dirty: false }
    }

    /// Whether others wait for their turn.
    pub(crate) fn is_waited_for(&self) -> bool {
        self.folder.turns().are_wanted()
    }

    /// Lets others commit who wait to. All that was put is committed before.
    pub(crate) fn give_way(&mut self) {
        debug_assert!(self.batch.is_empty() && !self.is_dirty);
        self.turn = None;
        self.turn = Some(self.folder.turns().take());
    }

    /// Puts a page, as [`PageBatch::put`] decides; gives what became of it and the number of its blocks that are indexed.
    pub(crate) fn put(
        &mut self,
        place: &RecordPlace<'_>,
        put: PagePut,
        encoded: EncodedPage,
    ) -> Result<(Put, usize), CollectionError> {
        let page = put.page().clone();
        let became = self.batch.put(self.folder.store(), place, put)?;
        Ok((became, self.index(&page, became, encoded)?))
    }

    /// The same for a page that is indexed also when another one of its URL has the same HTML.
    pub(crate) fn put_own(
        &mut self,
        place: &RecordPlace<'_>,
        put: PagePut,
        encoded: EncodedPage,
    ) -> Result<(), CollectionError> {
        let page = put.page().clone();
        let became = self.batch.put_own(self.folder.store(), place, put)?;
        self.index(&page, became, encoded).map(drop)
    }

    /// Puts a page of another store, without an entry in the ledger. `replaced`: one of its identity is there already.
    pub(crate) fn copy(
        &mut self,
        put: PagePut,
        source: &StoredSource,
        encoded: EncodedPage,
        replaced: bool,
    ) -> Result<(), CollectionError> {
        let page = put.page().clone();
        let shares = self.folder.store().copy_page(&mut self.batch, put, source)?;
        self.index(&page, Put::Page { replaced, shares }, encoded).map(drop)
    }

    /// Removes pages, as [`PageBatch::remove`] does.
    pub(crate) fn remove(
        &mut self,
        pages: &BTreeSet<PageId>,
        scope: Option<&TakedownScope>,
    ) -> Result<Removed, CollectionError> {
        let removed = self.batch.remove(self.folder.store(), pages, scope)?;
        self.is_dirty |= !pages.is_empty();
        self.folder.with_writer(|writer| pages.iter().try_for_each(|page| writer.delete_page(&page.to_string())))?;
        Ok(removed)
    }

    /// Gives the index what became of the page in the store. One that shares a tree has the blocks of that.
    fn index(&mut self, page: &StoredPage, became: Put, encoded: EncodedPage) -> Result<usize, CollectionError> {
        let Put::Page { replaced, shares } = became else { return Ok(0) };
        let shared = shares.map(|owner| self.documents_of(page, owner)).transpose()?.flatten();
        self.is_dirty = true;
        self.folder.with_writer(|writer| {
            let encoded = shared.map_or(encoded, |shared| writer.encode(&shared.page, &shared.blocks));
            if replaced {
                writer.delete_page(&page.id.to_string())?;
            }
            let blocks = encoded.blocks();
            writer.add_encoded(encoded).map(|()| blocks)
        })
    }

    /// The documents of `page` with the tree of `owner`, a page of the batch or the store.
    fn documents_of(&self, page: &StoredPage, owner: PageId) -> Result<Option<PageDocuments>, CollectionError> {
        let tree = match self.batch.tree_bytes(owner) {
            Some(bytes) => Some(self.folder.decoded(owner, &bytes)?),
            None => self.folder.tree(owner)?,
        };
        Ok(tree.map(|tree| PageDocuments::of(page, &tree, &self.folder.params())))
    }

    /// Commits first the store, then the index with the store's sequence, and is empty again. Cut off in between, the index is brought up to
    /// date when the folder is next opened for writing.
    pub(crate) fn commit(&mut self) -> Result<(), CollectionError> {
        let _stage = tracing::debug_span!(target: crate::STAGES, "commit").entered();
        let sequence = self.folder.store().commit(std::mem::take(&mut self.batch))?;
        // The store has it: should the index fail now, it is behind, and its writer takes nothing more.
        self.is_dirty = false;
        failpoint::pass("collection.between");
        self.folder.commit_index(sequence)?;
        failpoint::pass("collection.committed");
        Ok(())
    }
}

impl Drop for OpenCommit<'_> {
    fn drop(&mut self) {
        if self.is_dirty
            && let Err(error) = self.folder.with_writer(BlockWriter::rollback)
        {
            tracing::error!(%error, "what was not committed cannot be taken back: open the folder again to write to it");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::path::Path;

    use lopper_archive::page::Page;
    use lopper_content::limits::Limits;

    use super::*;
    use crate::search::SearchRequest;
    use crate::testing::posted;
    use crate::{Collection, Error, Selection};

    fn page(url: &str, text: &str) -> Page {
        posted(url, &format!("<title>{text}</title><p>The {text} grows old by the river."))
    }

    fn add(collection: &Collection, pages: &[&Page]) -> Result<(), Error> {
        let pages: Vec<Page> = pages.iter().map(|page| (*page).clone()).collect();
        collection.add(&pages, &Limits::default()).map(drop)
    }

    /// Documents that the index has of a page, its own among them.
    fn documents(collection: &Collection, page: &Page) -> u64 {
        let counts = collection.folder().index().searcher().documents_by_page().unwrap();
        counts.get(&page.id.to_string()).copied().unwrap_or(0)
    }

    fn flip_last_tree(data: &Path) {
        let path = data.join("trees.bin");
        let mut bytes = fs::read(&path).unwrap();
        *bytes.last_mut().unwrap() ^= 0x10;
        fs::write(path, bytes).unwrap();
    }

    #[test]
    fn pages_of_a_failed_commit_are_not_found_and_can_be_added_again() {
        let folder = tempfile::tempdir().unwrap();
        let collection = Collection::open(folder.path()).unwrap();
        let (oak, elm, ash) = (page("http://a.example/", "oak"), page("http://b.example/", "elm"), "ash");
        add(&collection, &[&page("http://c.example/", ash)]).unwrap();
        flip_last_tree(folder.path());
        let error = add(&collection, &[&oak, &page("http://d.example/", ash)]).unwrap_err();
        assert!(
            matches!(error, Error::Folder(CollectionError::Store(_))),
            "its tree is that of a damaged page: {error}"
        );
        add(&collection, &[&elm]).unwrap();
        let found = collection.search(&SearchRequest::new("oak")).unwrap();
        assert!(found.total_blocks == 0 && collection.page(oak.id).unwrap().is_none());
        assert_eq!((documents(&collection, &oak), documents(&collection, &elm)), (0, 2));
        add(&collection, &[&oak]).unwrap();
        assert_eq!((documents(&collection, &oak), documents(&collection, &elm)), (2, 2));
    }

    #[test]
    fn what_a_panic_left_is_taken_back() {
        let folder = tempfile::tempdir().unwrap();
        let collection = Collection::open(folder.path()).unwrap();
        let (oak, elm) = (page("http://a.example/", "oak"), page("http://b.example/", "elm"));
        add(&collection, &[&oak]).unwrap();
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            let mut open = OpenCommit::begin(collection.folder());
            open.remove(&BTreeSet::from([oak.id]), None).unwrap();
            panic!("in the middle");
        }));
        assert!(panicked.is_err());
        add(&collection, &[&elm]).unwrap();
        assert_eq!((documents(&collection, &oak), documents(&collection, &elm)), (2, 2));
    }

    #[test]
    fn a_run_goes_on_as_it_would_have_after_a_deletion_or_a_page_in_its_middle() {
        let folder = tempfile::tempdir().unwrap();
        let collection = Collection::open(folder.path()).unwrap();
        let oak = page("http://a.example/", "oak");
        add(&collection, &[&oak]).unwrap();
        let store = collection.folder().store();
        let mut open = OpenCommit::begin(collection.folder());
        open.batch.within_run(1);
        open.commit().unwrap();
        drop(open);
        assert_eq!(store.next_batch_epoch(), Some(1));
        collection.delete(&Selection::Page(oak.id), None).unwrap();
        assert_eq!(store.next_batch_epoch(), Some(1));
        add(&collection, &[&page("http://b.example/", "elm")]).unwrap();
        assert_eq!((store.next_batch_epoch(), store.snapshot().epoch()), (Some(1), 3));
        let mut open = OpenCommit::begin(collection.folder());
        open.batch.end_run();
        open.commit().unwrap();
        assert!(!store.is_within_run());
    }
}
