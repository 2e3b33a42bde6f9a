//! What a data folder takes on disk.

use std::fs;
use std::path::Path;

use lopper_store::Store;

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
                Some("index") => disk.index += bytes,
                Some(name) if Store::has_file(name) => disk.store += bytes,
                _ => disk.rest += bytes,
            }
        }
        disk
    }
}

/// Bytes of a file, or of all files below a folder, as far as they can be read. Links are not followed.
pub(crate) fn bytes_of(path: &Path) -> u64 {
    let mut bytes = 0;
    let mut open = vec![path.to_owned()];
    while let Some(path) = open.pop() {
        let Ok(metadata) = fs::symlink_metadata(&path) else { continue };
        if metadata.is_dir() {
            open.extend(fs::read_dir(&path).into_iter().flatten().flatten().map(|entry| entry.path()));
        } else {
            bytes += metadata.len();
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use lopper_content::pipeline::ExtractParams;

    use super::*;

    #[test]
    fn each_file_counts_where_it_belongs() {
        let dir = tempfile::tempdir().unwrap();
        let collection = DataFolder::open_to_write(dir.path(), ExtractParams::default()).unwrap();
        let before = collection.disk_bytes();
        for (name, bytes) in [("trees.bin", 100), ("ledger.bin", 20), ("index/x", 3000), ("uploads/a.warc", 40_000)] {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, vec![0; bytes]).unwrap();
        }
        let after = collection.disk_bytes();
        assert_eq!(after.rest - before.rest, 40_000);
        assert_eq!(after.index - before.index, 3000);
        assert!(after.store < before.store + 200 && after.store >= 120, "{before:?} {after:?}");
    }
}
