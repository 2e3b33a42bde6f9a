//! What a server finds of uploads when it begins: parts of files, which go, and whole ones that were not taken in to their end.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use lopper_collection::DataFolder;
use lopper_store::{ArchiveEntry, StoreError};

use super::received::{FOLDER, HELD, PART, folder};

/// Removes files that were not received whole, and gives those that were and are to be gone on with: their job was cut off before the ledger had
/// all of them. For a server that begins: nothing is on its way.
pub(super) fn tidy(collection: &DataFolder) -> Result<Vec<PathBuf>, StoreError> {
    let Ok(files) = fs::read_dir(folder(collection.store().data())) else { return Ok(Vec::new()) };
    let mut ledger: HashMap<OsString, Vec<ArchiveEntry>> = HashMap::new();
    for entry in collection.store().archives() {
        let entry = entry?;
        if let Some(name) = sent_name(&entry.key.path) {
            ledger.entry(name.to_owned()).or_default().push(entry);
        }
    }
    let mut to_go_on = Vec::new();
    for file in files.flatten().map(|file| file.path()).filter(|file| file.is_file()) {
        let entries = file.file_name().and_then(|name| ledger.get(name)).map_or(&[][..], Vec::as_slice);
        if is_to_go_on(&file, entries) {
            to_go_on.push(file);
        }
    }
    to_go_on.sort();
    Ok(to_go_on)
}

/// Whether a job is to go on with the file, whose entries in the ledger are these. What is none of a file goes.
fn is_to_go_on(file: &Path, entries: &[ArchiveEntry]) -> bool {
    match file.extension().and_then(|ending| ending.to_str()) {
        Some(PART) if entries.is_empty() => {
            remove(file, "an upload that was cut off");
            return false;
        }
        Some(HELD) if entries.is_empty() && fs::metadata(file).is_ok_and(|mark| mark.len() == 0) => {
            if !file.with_extension("").exists() {
                remove(file, "the mark of an upload that is gone");
            }
            return false;
        }
        _ if is_held(file) => {
            tracing::info!(file.path = %file.display(), "an upload was not taken in to its end: send it again to go on");
            return false;
        }
        _ => {}
    }
    // Of one that was read to its end all pages may have been deleted since.
    entries.is_empty() || entries.iter().any(|entry| !entry.finished)
}

/// The name of a file that was sent to this collection. Of a copy of a data folder, or one that was moved, the ledger names the files that are
/// or were in the former one; they are taken for its own, lest they go.
fn sent_name(path: &Path) -> Option<&OsStr> {
    let is_sent = path.parent().and_then(Path::file_name).is_some_and(|parent| parent == FOLDER);
    path.file_name().filter(|_| is_sent)
}

/// Whether the ledger's entry is of the file.
fn is_of(entry: &ArchiveEntry, file: &Path) -> bool {
    sent_name(&entry.key.path).is_some_and(|name| Some(name) == file.file_name())
}

/// Whether pages refer to the archive.
fn has_pages(entry: &ArchiveEntry) -> bool {
    entry.sums.indexed + entry.sums.replaced + entry.sums.revisits > 0
}

/// Whether the ledger has an entry of the file.
pub(super) fn is_known(collection: &DataFolder, file: &Path) -> Result<bool, StoreError> {
    for entry in collection.store().archives() {
        if is_of(&entry?, file) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Removes a file that was sent, unless the ledger has pages of it: it is no archive, or one that was read from another file.
pub(super) fn remove_unless_known(collection: &DataFolder, file: &Path) -> Result<(), StoreError> {
    for entry in collection.store().archives() {
        let entry = entry?;
        if has_pages(&entry) && is_of(&entry, file) {
            return Ok(());
        }
    }
    remove(file, "a sent file that nothing refers to");
    Ok(())
}

/// Removes files that are held and are copies of `file`, which the ledger refers to in their place: it was sent again.
pub(super) fn remove_copies(collection: &DataFolder, file: &Path) -> Result<(), StoreError> {
    let Ok(files) = fs::read_dir(folder(collection.store().data())) else { return Ok(()) };
    for other in files.flatten().map(|file| file.path()).filter(|other| other != file && is_held(other)) {
        if !is_known(collection, &other)? && is_same(&other, file).unwrap_or(false) {
            remove(&other, "an upload that was sent again");
            release(&other);
        }
    }
    Ok(())
}

fn is_same(one: &Path, other: &Path) -> io::Result<bool> {
    if fs::metadata(one)?.len() != fs::metadata(other)?.len() {
        return Ok(false);
    }
    let (mut one, mut other) = (BufReader::new(File::open(one)?), BufReader::new(File::open(other)?));
    loop {
        let (left, right) = (one.fill_buf()?, other.fill_buf()?);
        let length = left.len().min(right.len());
        if length == 0 || left[..length] != right[..length] {
            return Ok(left.is_empty() && right.is_empty());
        }
        one.consume(length);
        other.consume(length);
    }
}

fn remove(file: &Path, what: &str) {
    match fs::remove_file(file) {
        Ok(()) => tracing::info!(file.path = %file.display(), "{what} was removed"),
        Err(error) => tracing::warn!(file.path = %file.display(), %error, "{what} cannot be removed"),
    }
}

fn mark(file: &Path) -> PathBuf {
    let mut mark = file.to_owned().into_os_string();
    mark.push(".");
    mark.push(HELD);
    mark.into()
}

fn is_held(file: &Path) -> bool {
    mark(file).exists()
}

/// Marks a file: no server that begins goes on with it by itself.
pub(super) fn hold(file: &Path) {
    if let Err(error) = fs::write(mark(file), "") {
        tracing::warn!(file.path = %file.display(), %error, "an upload cannot be marked: the next start goes on with it");
    }
}

/// Takes the mark away.
pub(super) fn release(file: &Path) {
    let _ = fs::remove_file(mark(file));
}

#[cfg(test)]
mod tests {
    use lopper_content::pipeline::ExtractParams;

    use super::*;
    use crate::http::received::Place;

    #[test]
    fn parts_go_and_whole_files_are_gone_on_with_unless_they_are_held() {
        let data = tempfile::tempdir().unwrap();
        let collection = DataFolder::open_to_write(data.path(), ExtractParams::default()).unwrap();
        let whole = |name: &str| Place::new(data.path(), name).unwrap().0.keep().unwrap();
        let (whole, held, gone) = (whole("whole.warc"), whole("held.warc"), whole("gone.warc"));
        std::mem::forget(Place::new(data.path(), "cut.warc").unwrap());
        hold(&held);
        hold(&gone);
        fs::remove_file(&gone).unwrap();
        assert_eq!(tidy(&collection).unwrap(), std::slice::from_ref(&whole));
        let mut names: Vec<_> = fs::read_dir(folder(data.path())).unwrap().map(|file| file.unwrap().path()).collect();
        names.sort();
        assert_eq!(names, [held.clone(), mark(&held), whole.clone()]);
        release(&held);
        assert_eq!(tidy(&collection).unwrap(), [held, whole]);
    }
}
