//! The folder of the index within a data folder: opened, or made anew.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use lopper_index::{BlockIndex, FORMAT_VERSION, IndexError};
use lopper_store::{Sequence, Store};

use crate::CollectionError;

/// Where the index of a data folder is.
pub fn index_path(data: &Path) -> PathBuf {
    data.join("index")
}

/// The index at its last commit; an empty one where the first run was cut off before it made one.
pub(crate) fn open_index_to_read(data: &Path) -> Result<BlockIndex, CollectionError> {
    let path = index_path(data);
    match BlockIndex::open_to_read(&path) {
        Err(IndexError::NotFound { .. }) if Store::published_sequence(data).unwrap_or_default() == Sequence(0) => {
            Ok(BlockIndex::empty(&path)?)
        }
        Err(IndexError::NotFound { .. }) => Err(CollectionError::IndexLost { data: data.to_owned() }),
        opened => Ok(opened?),
    }
}

/// The index, made when there is none; one of an earlier format is thrown away for a new one.
pub(crate) fn open_index(path: &Path) -> Result<BlockIndex, CollectionError> {
    match BlockIndex::open_or_create(path) {
        Err(IndexError::OtherFormat { found, .. }) if is_earlier(&found) => {
            tracing::info!(index.dir = %path.display(), found, "the index has an earlier format: it is made anew");
            clear(path)
        }
        opened => Ok(opened?),
    }
}

fn is_earlier(format: &str) -> bool {
    format.parse::<u32>().is_ok_and(|found| found < FORMAT_VERSION)
}

pub(crate) fn recreate(index: BlockIndex, path: &Path) -> Result<BlockIndex, CollectionError> {
    drop(index);
    clear(path)
}

/// An empty index in place of whatever is there.
pub(crate) fn clear(path: &Path) -> Result<BlockIndex, CollectionError> {
    match fs::remove_dir_all(path) {
        Err(source) if source.kind() != ErrorKind::NotFound => {
            return Err(CollectionError::Clear { path: path.to_owned(), source });
        }
        _ => {}
    }
    Ok(BlockIndex::create(path)?)
}
