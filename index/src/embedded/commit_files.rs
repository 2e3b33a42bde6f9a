//! The files of the last commit, held open: for copying them while a writer goes on.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use tantivy::{Index, IndexMeta};

use super::commits::{FORMAT_FILE, META_FILE, between_commits, check_format, too_fast};
use super::read_only::ReadOnlyDirectory;
use super::{BlockIndex, IndexError, engine};

/// By which the engine knows which files are its own.
const MANAGED_FILE: &str = ".managed.json";

/// All that an index consists of at a commit. Put into an empty directory, it is that index.
#[derive(Debug)]
pub struct CommitFiles {
    /// What the commit carries.
    pub payload: Option<String>,
    /// Files that are never changed, by their names. They can be read after a writer has removed them.
    pub open: Vec<(String, File)>,
    /// What the files hold that every commit writes anew, by their names.
    pub written: Vec<(String, Vec<u8>)>,
}

impl CommitFiles {
    /// Those of the last commit of the index in `dir`. Takes no lock and writes nothing.
    ///
    /// # Errors
    /// As of [`BlockIndex::open`].
    pub fn open(dir: &Path) -> Result<Self, IndexError> {
        let opened = between_commits(dir, |meta_file| {
            check_format(dir)?;
            Self::of_commit(dir, meta_file)
        })?;
        opened.ok_or_else(|| too_fast(dir))
    }

    fn of_commit(dir: &Path, meta_file: &[u8]) -> Result<Self, IndexError> {
        let index = BlockIndex::open_in(dir, |mapped| Index::open(ReadOnlyDirectory(mapped)))?;
        let meta = engine(|| index.index.load_metas()).map_err(|error| IndexError::from_engine(dir, error))?;
        let mut open = Vec::new();
        for name in segment_files(&meta) {
            match File::open(dir.join(&name)) {
                Ok(file) => open.push((name, file)),
                // Not every segment has every file.
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(IndexError::io(dir, error)),
            }
        }
        let format = fs::read(dir.join(FORMAT_FILE)).map_err(|error| IndexError::io(dir, error))?;
        let managed = managed_file(open.iter().map(|(name, _)| name.as_str()));
        let written = [(FORMAT_FILE, format), (MANAGED_FILE, managed), (META_FILE, meta_file.to_vec())];
        let written = written.map(|(name, bytes)| (name.to_owned(), bytes)).into();
        Ok(Self { payload: meta.payload, open, written })
    }
}

/// The names that segments of the commit may have, in order.
fn segment_files(meta: &IndexMeta) -> Vec<String> {
    let is_kept = |path: &PathBuf| path.extension().is_none_or(|ending| ending != "temp");
    let name = |path: PathBuf| path.to_str().map(str::to_owned);
    let mut names: Vec<String> = meta.list_segment_files().into_iter().filter(is_kept).filter_map(name).collect();
    names.sort();
    names
}

/// A JSON list of the files. Their names are hexadecimal digits with an ending.
fn managed_file<'a>(names: impl Iterator<Item = &'a str>) -> Vec<u8> {
    let names: Vec<String> = names.chain([META_FILE]).map(|name| format!("\"{name}\"")).collect();
    format!("[{}]\n", names.join(",")).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::super::WriterOptions;
    use super::*;
    use crate::document::{BlockDocument, PageDocument};

    #[test]
    fn the_files_of_a_commit_are_its_index_whatever_follows() {
        let (folder, copied) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let index = BlockIndex::create(folder.path()).unwrap();
        let mut writer = index.writer(WriterOptions::default()).unwrap();
        let mut add = |page: u32, commit: &str| {
            let page_id = format!("{page:032x}");
            let block_id = format!("{page_id}.1");
            let body = "old mills grind slowly".to_owned();
            let block = BlockDocument { block_id, page_id: page_id.clone(), body, ..BlockDocument::default() };
            writer.delete_page(&page_id).unwrap();
            writer.add_page(&PageDocument { page_id, ..PageDocument::default() }, &[block]).unwrap();
            writer.commit(commit).unwrap();
        };
        for page in 0..3 {
            add(page, "first");
        }
        // A file of deletions, too.
        add(1, "first");
        let files = CommitFiles::open(folder.path()).unwrap();
        for page in 3..30 {
            add(page, "second");
        }
        assert_eq!(files.payload.as_deref(), Some("first"));
        for (name, mut file) in files.open {
            std::io::copy(&mut file, &mut File::create(copied.path().join(name)).unwrap()).unwrap();
        }
        for (name, bytes) in files.written {
            fs::write(copied.path().join(name), bytes).unwrap();
        }
        let copy = BlockIndex::open(copied.path()).unwrap();
        assert_eq!((copy.searcher().count(), copy.committed_payload().unwrap().as_deref()), (3, Some("first")));
        assert_eq!(copy.damaged_files().unwrap(), Vec::<PathBuf>::new());
        // The engine knows them as its own: what a merge leaves behind is removed.
        let names = |dir: &Path| fs::read_dir(dir).unwrap().count();
        let before = names(copied.path());
        let mut writer = copy.writer(WriterOptions::default()).unwrap();
        for page in 0..3 {
            writer.delete_page(&format!("{page:032x}")).unwrap();
        }
        writer.commit("third").unwrap();
        writer.wait_for_merges().unwrap();
        assert_eq!(BlockIndex::open(copied.path()).unwrap().searcher().count(), 0);
        assert!(names(copied.path()) < before, "{before} files, {} now", names(copied.path()));
    }
}
