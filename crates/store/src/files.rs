//! Names of the data folder's files, and writing them so that a crash leaves the former one or the new one.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use lopper_faults::disk::sync_folder;
use lopper_faults::failpoint;

use super::StoreError;

/// The folder of the database.
const DATABASE_NAME: &str = "store";

/// The file that says how many commits there were.
pub(super) const SEQUENCE_NAME: &str = "sequence";

/// The sled folder.
pub(super) fn database_path(data: &Path) -> PathBuf {
    data.join(DATABASE_NAME)
}

/// The append-only file of trees.
pub(super) const TREES_NAME: &str = "trees.bin";

/// The append-only file of pages' rows.
pub(super) const PAGES_NAME: &str = "pages.bin";

/// The append-only file of what became of each record.
pub(super) const LEDGER_NAME: &str = "ledger.bin";

/// The append-only file of kept page bodies.
pub(super) const BODIES_NAME: &str = "bodies.bin";

/// The folder in which a store is made anew.
pub(super) const REBUILD_NAME: &str = "rebuild";

/// The file that says that the store in it is complete.
pub(super) const READY_NAME: &str = "READY";

/// The file that says what is being made in it.
pub(super) const PLAN_NAME: &str = "PLAN";

/// Whether a file or folder in the data folder holds pages, what was read of them, or what they were counted as.
pub(super) fn is_of_store(name: &str) -> bool {
    let names = [DATABASE_NAME, TREES_NAME, PAGES_NAME, BODIES_NAME, LEDGER_NAME, SEQUENCE_NAME];
    is_of_commit(name) || names.contains(&name)
}

/// The names of what a rebuilt store puts in place of the old one's. Bodies and ledger are among them after a compaction only.
pub(super) fn rebuilt_names(rebuilt: &Path) -> Result<Vec<std::ffi::OsString>, StoreError> {
    let is_part = |name: &str| is_of_store(name) || name == "index";
    let mut files = files_of(rebuilt).map_err(StoreError::io("read", rebuilt))?;
    files.retain(|path| is_part(name_of(path)));
    Ok(files.iter().filter_map(|path| path.file_name().map(ToOwned::to_owned)).collect())
}

/// The path of the file of trees.
pub(super) fn trees_path(data: &Path) -> PathBuf {
    data.join(TREES_NAME)
}

/// The newest layer of the statistics of `epoch`.
pub(super) fn statistics_path(data: &Path, epoch: u64) -> PathBuf {
    data.join(format!("statistics-{epoch}.bin"))
}

/// What was deleted and must not come back.
pub(super) fn takedowns_path(data: &Path) -> PathBuf {
    data.join("takedowns.jsonl")
}

/// The layer of rows that commit `sequence` published.
pub(super) fn rows_path(data: &Path, sequence: u64) -> PathBuf {
    data.join(format!("rows-{sequence}.bin"))
}

/// The same before it is published.
pub(super) fn rows_unfinished_path(data: &Path, sequence: u64) -> PathBuf {
    data.join(format!("rows-{sequence}.tmp"))
}

/// The commits that published rows which are there. What cannot be read is not there.
pub(super) fn published_sequences(data: &Path) -> BTreeSet<u64> {
    let names = files_of(data).unwrap_or_default();
    let number = |path: &PathBuf| path.file_name()?.to_str()?.strip_prefix("rows-")?.strip_suffix(".bin")?.parse().ok();
    names.iter().filter_map(number).collect()
}

/// The number of the last commit, as text; written after it.
pub(super) fn sequence_path(data: &Path) -> PathBuf {
    data.join(SEQUENCE_NAME)
}

/// Removes the files of all rows and statistics but of the commits and epochs that are `kept`. What cannot be removed is only logged: it costs
/// space and is tried again after the next commit.
pub(super) fn remove_others(data: &Path, kept_rows: &BTreeSet<u64>, kept_epochs: &BTreeSet<u64>) {
    let rows = kept_rows.iter().map(|sequence| rows_path(data, *sequence));
    let kept: BTreeSet<PathBuf> = kept_epochs.iter().map(|epoch| statistics_path(data, *epoch)).chain(rows).collect();
    let files = files_of(data).unwrap_or_else(|error| {
        tracing::warn!(store.dir = %data.display(), %error, "files of former commits cannot be looked for");
        Vec::new()
    });
    for path in files {
        if is_of_commit(name_of(&path))
            && !kept.contains(&path)
            && let Err(error) = fs::remove_file(&path)
        {
            let path = path.display();
            tracing::warn!(file.path = %path, %error, "a file of a former commit cannot be removed");
        }
    }
}

pub(super) fn files_of(data: &Path) -> io::Result<Vec<PathBuf>> {
    fs::read_dir(data)?.map(|entry| entry.map(|entry| entry.path())).collect()
}

/// Whether a file's name is that of rows or statistics, which commits write anew.
fn is_of_commit(name: &str) -> bool {
    name.starts_with("statistics-") || name.starts_with("rows-")
}

fn name_of(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

/// Writes `path` whole and durably: beside it, synced, renamed, folder synced.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let unfinished = path.with_extension("tmp");
    let write = || {
        let mut file = File::create(&unfinished)?;
        file.write_all(bytes)?;
        failpoint::pass("file.written");
        file.sync_all()?;
        failpoint::pass("file.synced");
        fs::rename(&unfinished, path)?;
        failpoint::pass("file.renamed");
        path.parent().map_or(Ok(()), sync_folder)
    };
    write().map_err(StoreError::io("write", path))
}
