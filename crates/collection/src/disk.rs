//! What a data folder takes on disk.

use std::fs;
use std::path::Path;

use crate::DataFolder;

/// Bytes of a data folder's files, as they are now.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DiskBytes {
    /// Pages, trees, statistics and the ledger.
    pub store: u64,
    /// Blocks and their words.
    pub index: u64,
    /// The rest: archives that were sent, keys, and other collections that lie within.
    pub rest: u64,
}

impl DataFolder {
    /// What the folder takes on disk. Looks at every file; one that goes meanwhile counts nothing.
    pub fn disk_bytes(&self) -> DiskBytes {
        let data = self.store().data();
        let (store, index) = (bytes_of(&data.join("store")), bytes_of(&data.join("index")));
        DiskBytes { store, index, rest: bytes_of(data).saturating_sub(store + index) }
    }
}

/// Bytes of a file, or of all files below a folder.
pub(crate) fn bytes_of(path: &Path) -> u64 {
    let mut bytes = 0;
    let mut open = vec![path.to_owned()];
    while let Some(path) = open.pop() {
        match fs::read_dir(&path) {
            Ok(entries) => open.extend(entries.flatten().map(|entry| entry.path())),
            Err(_) => bytes += fs::metadata(&path).map_or(0, |metadata| metadata.len()),
        }
    }
    bytes
}
