//! A directory of the engine whose files all have the rights that the system gives to new ones.
//!
//! The engine's own writes its two files of names through temporary ones that only their owner may read, so that nobody else could search an
//! index whose other files anybody may read.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    Directory, DirectoryLock, FileHandle, Lock, MmapDirectory, WatchCallback, WatchHandle, WritePtr,
};

/// What is added to the name of a file while it is written.
const UNFINISHED: &str = ".tmp";

#[derive(Debug, Clone)]
pub(super) struct SharedDirectory {
    files: MmapDirectory,
    dir: PathBuf,
}

impl SharedDirectory {
    pub(super) fn new(files: MmapDirectory, dir: &Path) -> Self {
        Self { files, dir: dir.to_owned() }
    }
}

impl Directory for SharedDirectory {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.files.get_file_handle(path)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.files.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.files.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        self.files.open_write(path)
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.files.atomic_read(path)
    }

    /// A crash leaves the former file or the new one.
    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        let whole = self.dir.join(path);
        let mut unfinished = whole.clone().into_os_string();
        unfinished.push(UNFINISHED);
        let mut file = File::create(&unfinished)?;
        file.write_all(data)?;
        file.sync_data()?;
        fs::rename(&unfinished, &whole)
    }

    fn sync_directory(&self) -> io::Result<()> {
        self.files.sync_directory()
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        self.files.acquire_lock(lock)
    }

    fn watch(&self, watch_callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.files.watch(watch_callback)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::super::{BlockIndex, WriterOptions};
    use super::*;

    #[test]
    fn all_files_have_the_rights_of_new_ones() {
        let folder = tempfile::tempdir().unwrap();
        let other = folder.path().join("other");
        File::create(&other).unwrap();
        let rights = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let index = folder.path().join("index");
        BlockIndex::create(&index).unwrap().writer(WriterOptions::default()).unwrap().commit("x").unwrap();
        let files: Vec<PathBuf> = fs::read_dir(&index).unwrap().map(|file| file.unwrap().path()).collect();
        assert!(files.iter().any(|file| file.ends_with("meta.json")), "{files:?}");
        for file in files {
            assert_eq!(rights(&file), rights(&other), "{}", file.display());
        }
    }
}
