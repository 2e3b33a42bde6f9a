//! The files that a run has come to.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use lopper_archive::page::PageId;

/// Messages that are kept about files that were given twice.
const MESSAGES_MAX: usize = 10;

/// What a run has come to, whether it was read or known.
#[derive(Debug, Default)]
pub(super) struct SeenFiles {
    /// By the archives' ids.
    pub(super) archives: HashSet<u128>,
    /// The pages that their first records stand for.
    pub(super) pages: HashSet<PageId>,
    /// The files by their real paths, as they were given.
    paths: HashMap<PathBuf, PathBuf>,
    /// Whether pages of a site were tied to files of the run that other files had before.
    pub(super) has_taken_over: bool,
    /// Names of files that the run had come to by another name.
    pub(super) same: u64,
    /// Which the first of them are.
    pub(super) same_messages: Vec<String>,
}

impl SeenFiles {
    /// Notes a file; `false` where it was noted by another name, whose address counts.
    pub(super) fn add(&mut self, given: &Path, real: &Path, archive: u128, page: Option<PageId>) -> bool {
        if let Some(first) = self.paths.get(real) {
            self.same += 1;
            if self.same_messages.len() < MESSAGES_MAX {
                let (given, first) = (given.display(), first.display());
                self.same_messages.push(format!("{given} is the same file as {first}, which gives the address"));
            }
            return false;
        }
        self.paths.insert(real.to_owned(), given.to_owned());
        self.archives.insert(archive);
        self.pages.extend(page);
        true
    }
}
