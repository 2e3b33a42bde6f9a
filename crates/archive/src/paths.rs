//! From the paths that a user gives to the archive files to read.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::container::{Container, name_says};
use super::member::split_member;
use super::open::{STANDARD_INPUT, sniff_file};

/// How the names of parts end, which were made of archives and stand for them.
pub const PART_ENDING: &str = ".part.ndjson.zst";

/// Why paths give no files.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PathsError {
    /// Nothing is there.
    #[error("{} does not exist; give the path of an archive, an HTML file or a folder of them", path.display())]
    Missing {
        /// The path as given.
        path: PathBuf,
    },
    /// The path, or something in the folder, cannot be read.
    #[error("cannot read {}", path.display())]
    Io {
        /// What cannot be read.
        path: PathBuf,
        /// Cause.
        #[source]
        source: io::Error,
    },
    /// A folder holds nothing to index.
    #[error("no archive or HTML file in the folder {}; give a folder that holds some, or the files themselves", path.display())]
    NothingInFolder {
        /// The folder as given.
        path: PathBuf,
    },
}

/// Lists the files to read: files, `-` for standard input and files within files as given, folders walked to any depth.
///
/// Within a folder, files come sorted by path, and those count that have the name or the content of an archive or an HTML
/// file. What of it cannot be read or looked at is listed as a file, so that it is told with those that cannot be read. A folder that links
/// lead to again is walked once. A file that is given twice is listed once.
///
/// # Errors
///
/// [`PathsError`] for a path that is missing or unreadable, and for a folder without anything to index.
pub fn expand(paths: &[PathBuf]) -> Result<Vec<PathBuf>, PathsError> {
    let mut files = Vec::new();
    for path in paths {
        if path == Path::new(STANDARD_INPUT) || (!path.exists() && split_member(path).is_some()) {
            files.push(path.clone());
            continue;
        }
        let metadata = fs::metadata(path).map_err(|source| path_error(path, source))?;
        if metadata.is_dir() {
            files.extend(walk(path)?);
        } else {
            files.push(path.clone());
        }
    }
    let mut seen = HashSet::new();
    files.retain(|file| seen.insert(file.clone()));
    Ok(files)
}

fn path_error(path: &Path, source: io::Error) -> PathsError {
    let path = path.to_owned();
    if source.kind() == io::ErrorKind::NotFound {
        PathsError::Missing { path }
    } else {
        PathsError::Io { path, source }
    }
}

fn walk(folder: &Path) -> Result<Vec<PathBuf>, PathsError> {
    let mut files = Vec::new();
    let mut visited = HashSet::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        let identity = next.canonicalize().map_err(|source| path_error(&next, source));
        let listed = identity
            .and_then(|identity| if visited.insert(identity) { list(&next, &mut folders, &mut files) } else { Ok(()) });
        match listed {
            Err(error) if next == folder => return Err(error),
            Err(_) => files.push(next),
            Ok(()) => {}
        }
    }
    if files.is_empty() {
        return Err(PathsError::NothingInFolder { path: folder.to_owned() });
    }
    files.sort();
    Ok(files)
}

/// Sorts a folder's entries into folders and files. Links that lead nowhere are passed over.
fn list(folder: &Path, folders: &mut Vec<PathBuf>, files: &mut Vec<PathBuf>) -> Result<(), PathsError> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(|source| path_error(folder, source))? {
        let path = entry.map_err(|source| path_error(folder, source))?.path();
        match fs::metadata(&path) {
            Ok(metadata) if metadata.is_dir() => found.push(path),
            Ok(metadata) if metadata.is_file() && is_readable_container(&path) => files.push(path),
            Ok(_) => {}
            Err(error) if leads_nowhere(&path, &error) => {}
            Err(_) => files.push(path),
        }
    }
    // The stack gives the last first: of two ways to one folder, the first by name is walked.
    found.sort_by(|a, b| b.cmp(a));
    folders.append(&mut found);
    Ok(())
}

/// Whether an entry of a folder that could not be looked at is not there any more, or a link that leads nowhere.
fn leads_nowhere(path: &Path, error: &io::Error) -> bool {
    let may_be_there = error.kind() == io::ErrorKind::PermissionDenied || !path.is_symlink();
    error.kind() == io::ErrorKind::NotFound || !may_be_there
}

/// Whether a file of a folder is to be read. Zips, tars and lines of JSON have many uses: there the name must agree.
fn is_readable_container(path: &Path) -> bool {
    if path.to_string_lossy().ends_with(PART_ENDING) {
        return true;
    }
    let named = name_says(path);
    let of_many_uses = |container| matches!(container, Container::Zip | Container::Tar | Container::Ndjson);
    if named.is_some_and(|container| !of_many_uses(container)) {
        return true;
    }
    matches!(sniff_file(path), Ok(Some(found)) if !of_many_uses(found) || named == Some(found))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        folder
    }

    fn names(folder: &Path) -> Vec<String> {
        let files = expand(&[folder.to_owned()]).unwrap();
        files.iter().map(|file| file.strip_prefix(folder).unwrap().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn folders_give_their_pages_in_order() {
        let folder = folder(&[
            ("b/page.HTML", b"words"),
            ("a.warc.gz.open", b""),
            ("no-name", b"WARC/1.0\r\n"),
            ("b/c/deep.xhtml.gz", b""),
            ("readme.txt", b"nothing"),
            ("style.css", b"p { }"),
            ("a.warc.cdx", b" CDX a b"),
            ("html", b"words"),
        ]);
        assert_eq!(names(folder.path()), ["a.warc.gz.open", "b/c/deep.xhtml.gz", "b/page.HTML", "no-name"]);
    }

    #[cfg(unix)]
    #[test]
    fn loops_of_links_end() {
        let folder = folder(&[("a/x.html", b"")]);
        std::os::unix::fs::symlink(folder.path(), folder.path().join("a/up")).unwrap();
        std::os::unix::fs::symlink("nowhere", folder.path().join("a/dead.html")).unwrap();
        std::os::unix::fs::symlink("self.html", folder.path().join("a/self.html")).unwrap();
        assert_eq!(names(folder.path()), ["a/x.html"]);
    }

    #[test]
    fn files_are_taken_as_given_and_once() {
        let folder = folder(&[("x.txt", b"words")]);
        let file = folder.path().join("x.txt");
        assert_eq!(expand(&[file.clone(), file.clone()]).unwrap(), [file]);
    }

    #[test]
    fn what_is_not_there_is_named() {
        let folder = folder(&[("x.txt", b"words")]);
        let error = expand(&[folder.path().join("gone.warc")]).unwrap_err();
        assert!(error.to_string().contains("gone.warc does not exist; give"), "{error}");
        let error = expand(&[folder.path().to_owned()]).unwrap_err();
        assert!(matches!(error, PathsError::NothingInFolder { .. }));
    }
}
