//! What a folder is, told from its marker file.

use std::collections::hash_map::RandomState;
use std::fs::{self, File};
use std::hash::{BuildHasher, Hasher};
use std::io::{ErrorKind, Write};
use std::path::Path;

use crate::{DATA_VERSION, MigrationError};

/// Name of the marker file. Its first line is the data version, its second says what the folder is, its third names the collection.
pub const MARKER: &str = "LOPPER";

/// The marker while it is written; a folder that holds nothing else counts as fresh.
const MARKER_UNFINISHED: &str = "LOPPER.tmp";

const DESCRIPTION: &str = "A data folder of lopper, the block index of web archives. The number above is its data version. \
     Everything here is made by lopper and can be made again from the archives; please do not edit it.";

/// What stands before a collection's name.
const COLLECTION: &str = "Collection ";

/// What a folder is to this program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Absent or empty: may be initialised.
    Fresh,
    /// Of this program's version: may be opened.
    Current,
    /// Of an earlier version: `lopper migrate` upgrades it.
    Older {
        /// The folder's version.
        found: u32,
    },
    /// Of a later version: only a newer program reads it.
    Newer {
        /// The folder's version.
        found: u32,
    },
    /// Holds files but no marker: not ours, nothing may be written into it.
    Foreign,
}

/// Tells what `data` is. Writes nothing.
///
/// # Errors
///
/// [`MigrationError::NotAFolder`], [`MigrationError::Marker`] for an unreadable version, [`MigrationError::Io`].
pub fn check(data: &Path) -> Result<State, MigrationError> {
    check_against(data, DATA_VERSION)
}

/// Makes `data` a data folder of the current version. A folder that is one already is left as it is.
///
/// ```
/// use lopper_migrations::{State, check, initialise};
///
/// let parent = tempfile::tempdir().unwrap();
/// let data = parent.path().join("data");
/// assert_eq!(check(&data).unwrap(), State::Fresh);
/// initialise(&data).unwrap();
/// assert_eq!(check(&data).unwrap(), State::Current);
/// ```
///
/// # Errors
///
/// As [`check`]; [`MigrationError::Foreign`] for a folder with other files, in which nothing is written.
pub fn initialise(data: &Path) -> Result<(), MigrationError> {
    match check(data)? {
        State::Fresh => {
            fs::create_dir_all(data).map_err(io("make", data))?;
            write_version(data, DATA_VERSION)
        }
        State::Foreign => Err(MigrationError::Foreign { data: data.to_owned() }),
        State::Current | State::Older { .. } | State::Newer { .. } => Ok(()),
    }
}

pub(crate) fn check_against(data: &Path, current: u32) -> Result<State, MigrationError> {
    match fs::metadata(data) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(State::Fresh),
        Err(error) => return Err(io("read", data)(error)),
        Ok(metadata) if !metadata.is_dir() => {
            return Err(MigrationError::NotAFolder { data: data.to_owned() });
        }
        Ok(_) => {}
    }
    match read_version(data)? {
        Some(found) if found == current => Ok(State::Current),
        Some(found) if found < current => Ok(State::Older { found }),
        Some(found) => Ok(State::Newer { found }),
        None if is_empty(data)? => Ok(State::Fresh),
        None => Ok(State::Foreign),
    }
}

fn read_version(data: &Path) -> Result<Option<u32>, MigrationError> {
    let marker = data.join(MARKER);
    let bytes = match fs::read(&marker) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(io("read", &marker)(error)),
    };
    let version = String::from_utf8_lossy(&bytes)
        .lines()
        .next()
        .and_then(|line| line.trim().parse().ok())
        .filter(|&version: &u32| version > 0);
    version.map(Some).ok_or(MigrationError::Marker { marker })
}

/// By which a collection and its backups know each other: the name in a folder's marker. Folders that earlier versions made have none.
pub fn collection_name(marker: &[u8]) -> Option<String> {
    let marker = String::from_utf8_lossy(marker);
    marker.lines().nth(2)?.strip_prefix(COLLECTION).map(|name| name.trim().to_owned())
}

/// A name that no other collection has.
fn new_name() -> String {
    format!("{:016x}", RandomState::new().build_hasher().finish())
}

/// Writes the marker so that a crash leaves the former one or the new one.
pub(crate) fn write_version(data: &Path, version: u32) -> Result<(), MigrationError> {
    let unfinished = data.join(MARKER_UNFINISHED);
    let former = fs::read(data.join(MARKER)).unwrap_or_default();
    let name = collection_name(&former).unwrap_or_else(new_name);
    let write = || {
        let mut file = File::create(&unfinished)?;
        write!(file, "{version}\n{DESCRIPTION}\n{COLLECTION}{name}\n")?;
        file.sync_all()?;
        fs::rename(&unfinished, data.join(MARKER))?;
        sync_folder(data)
    };
    write().map_err(io("write", &data.join(MARKER)))
}

#[cfg(unix)]
fn sync_folder(folder: &Path) -> std::io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps)] // As on Unix.
fn sync_folder(_folder: &Path) -> std::io::Result<()> {
    Ok(())
}

fn is_empty(data: &Path) -> Result<bool, MigrationError> {
    for entry in fs::read_dir(data).map_err(io("read", data))? {
        if entry.map_err(io("read", data))?.file_name() != MARKER_UNFINISHED {
            return Ok(false);
        }
    }
    Ok(true)
}

pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> MigrationError + use<> {
    let path = path.to_owned();
    move |source| MigrationError::Io { action, path, source }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder_with(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in files {
            fs::write(folder.path().join(name), content).unwrap();
        }
        folder
    }

    #[test]
    fn absent_and_empty_folders_are_fresh() {
        let folder = folder_with(&[]);
        assert_eq!(check(folder.path()).unwrap(), State::Fresh);
        assert_eq!(check(&folder.path().join("new")).unwrap(), State::Fresh);
    }

    #[test]
    fn an_interrupted_initialise_is_fresh() {
        let folder = folder_with(&[(MARKER_UNFINISHED, "")]);
        assert_eq!(check(folder.path()).unwrap(), State::Fresh);
    }

    #[test]
    fn an_initialised_folder_is_current_and_says_what_it_is() {
        let folder = folder_with(&[]);
        let data = folder.path().join("a/b");
        initialise(&data).unwrap();
        initialise(&data).unwrap();
        assert_eq!(check(&data).unwrap(), State::Current);
        let marker = fs::read_to_string(data.join(MARKER)).unwrap();
        assert!(marker.starts_with("4\n"), "{marker}");
        assert!(marker.contains("data folder of lopper"), "{marker}");
        let name = collection_name(marker.as_bytes()).unwrap();
        write_version(&data, 5).unwrap();
        assert_eq!(collection_name(&fs::read(data.join(MARKER)).unwrap()), Some(name.clone()));
        initialise(&folder.path().join("other")).unwrap();
        assert_ne!(collection_name(&fs::read(folder.path().join("other").join(MARKER)).unwrap()), Some(name));
        assert_eq!(collection_name(b"4\nA data folder of lopper.\n"), None);
    }

    #[test]
    fn versions_are_told_apart() {
        let folder = folder_with(&[(MARKER, "5\nwhatever\n")]);
        assert_eq!(check_against(folder.path(), 5).unwrap(), State::Current);
        let older = check_against(folder.path(), 7).unwrap();
        assert_eq!(older, State::Older { found: 5 });
        let newer = check_against(folder.path(), 4).unwrap();
        assert_eq!(newer, State::Newer { found: 5 });
    }

    #[test]
    fn a_folder_with_other_files_is_refused_and_left_alone() {
        let folder = folder_with(&[("thesis.tex", "words")]);
        assert_eq!(check(folder.path()).unwrap(), State::Foreign);
        let error = initialise(folder.path()).unwrap_err();
        assert!(matches!(error, MigrationError::Foreign { .. }));
        assert!(error.to_string().contains("--data"), "{error}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_file_in_place_of_the_folder_is_an_error() {
        let folder = folder_with(&[("data", "words")]);
        let error = check(&folder.path().join("data")).unwrap_err();
        assert!(matches!(error, MigrationError::NotAFolder { .. }));
    }

    #[test]
    fn a_marker_without_version_is_an_error() {
        for content in ["", "one\n", "0\n", "-1\n", "99999999999\n", "\u{0}\u{1}"] {
            let folder = folder_with(&[(MARKER, content)]);
            let error = check(folder.path()).unwrap_err();
            assert!(matches!(error, MigrationError::Marker { .. }), "{content:?}");
        }
    }
}
