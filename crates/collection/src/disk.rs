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
        let mut disk = DiskBytes::default();
        for entry in fs::read_dir(self.store().data()).into_iter().flatten().flatten() {
            let bytes = bytes_of(&entry.path());
            match entry.file_name().to_str() {
                Some("store") => disk.store += bytes,
                Some("index") => disk.index += bytes,
                _ => disk.rest += bytes,
            }
        }
        disk
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
