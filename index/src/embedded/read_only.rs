//! A directory of the engine that is only read: it takes no locks and writes nothing.
//!
//! The engine's own takes a lock file to open an index, which cannot be made on a read-only mount or a full disk, and which an open writer may
//! hold. The lock keeps the writer from removing files that a reader is about to open. Without it such a file may be gone; then the
//! reader looks for the newest commit once more ([`BlockIndex::open_to_read`](super::BlockIndex::open_to_read)).

use std::io;
use std::path::Path;
use std::sync::Arc;

use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    Directory, DirectoryLock, FileHandle, Lock, MmapDirectory, WatchCallback, WatchHandle, WritePtr,
};

#[derive(Debug, Clone)]
pub(super) struct ReadOnlyDirectory(pub(super) MmapDirectory);

fn refused() -> io::Error {
    io::Error::new(io::ErrorKind::ReadOnlyFilesystem, "the index was opened for reading only")
}

impl Directory for ReadOnlyDirectory {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.0.get_file_handle(path)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        Err(DeleteError::IoError { io_error: Arc::new(refused()), filepath: path.to_owned() })
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.0.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        Err(OpenWriteError::IoError { io_error: Arc::new(refused()), filepath: path.to_owned() })
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.0.atomic_read(path)
    }

    fn atomic_write(&self, _path: &Path, _data: &[u8]) -> io::Result<()> {
        Err(refused())
    }

    fn sync_directory(&self) -> io::Result<()> {
        Ok(())
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        if lock.is_blocking {
            // That of a reader. That of a writer waits for nobody.
            Ok(DirectoryLock::from(Box::new(())))
        } else {
            Err(LockError::IoError(Arc::new(refused())))
        }
    }

    fn watch(&self, _watch_callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        Ok(WatchHandle::empty())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::super::{BlockIndex, WriterOptions};
    use crate::document::{BlockDocument, PageDocument};

    fn blocks(page: u32, blocks: u32) -> (PageDocument, Vec<BlockDocument>) {
        let page_id = format!("{page:032x}");
        let block = |ordinal| BlockDocument {
            block_id: format!("{page_id}.{ordinal}"),
            page_id: page_id.clone(),
            body: format!("old mills grind slowly {ordinal}"),
            ordinal,
            ..BlockDocument::default()
        };
        let blocks = (0..blocks).map(block).collect();
        (PageDocument { page_id, ..PageDocument::default() }, blocks)
    }

    /// Readers open whole commits while a writer merges segments and removes their files, and leave nothing in the directory.
    #[test]
    fn readers_open_one_commit_beside_a_writer() {
        let folder = tempfile::tempdir().unwrap();
        let index = BlockIndex::create(folder.path()).unwrap();
        let mut writer = index.writer(WriterOptions::default()).unwrap();
        writer.commit("0").unwrap();
        let is_over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let reader = scope.spawn(|| {
                let mut opened = 0;
                while !is_over.load(Ordering::Acquire) {
                    let reader = BlockIndex::open_to_read(folder.path()).unwrap();
                    let pages: u64 = reader.committed_payload().unwrap().unwrap().parse().unwrap();
                    assert_eq!(reader.searcher().count(), pages * 3);
                    assert_eq!(reader.damaged_files().unwrap(), Vec::<std::path::PathBuf>::new());
                    reader.searcher().reload().unwrap();
                    assert_eq!(reader.searcher().count(), pages * 3, "it stays at its commit");
                    opened += 1;
                }
                opened
            });
            for page in 1..40 {
                let (page_document, blocks) = blocks(page, 3);
                writer.add_page(&page_document, &blocks).unwrap();
                writer.commit(&page.to_string()).unwrap();
            }
            is_over.store(true, Ordering::Release);
            assert!(reader.join().unwrap() > 0);
        });
        assert!(BlockIndex::open_to_read(folder.path()).unwrap().writer(WriterOptions::default()).is_err());
    }

    #[test]
    fn an_empty_index_finds_nothing() {
        let index = BlockIndex::empty("/nowhere").unwrap();
        assert_eq!((index.searcher().count(), index.committed_payload().unwrap()), (0, None));
    }
}
