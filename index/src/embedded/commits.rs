//! Which commit of an index is the last, and looking at one while others follow.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use super::block_index::{FORMAT_VERSION, IndexError};

/// File beside the engine's that holds [`FORMAT_VERSION`].
pub(super) const FORMAT_FILE: &str = "lopper-index-format";

/// File by which the engine knows an index.
pub(super) const META_FILE: &str = "meta.json";

/// How often a reader looks for the newest commit while others are written, and a writer whether the one before it has ended.
pub(super) const TRIES: usize = 50;

/// Time between two looks.
pub(super) const BETWEEN_TRIES: Duration = Duration::from_millis(20);

/// What `look`, which gets the file that tells the last commit, sees of the index in `dir` when no commit came in between: files of a commit go
/// when others follow. `None` where commits follow each other too fast for a second.
pub(super) fn between_commits<T>(
    dir: &Path,
    mut look: impl FnMut(&[u8]) -> Result<T, IndexError>,
) -> Result<Option<T>, IndexError> {
    for _ in 0..TRIES {
        let before = read_meta(dir)?;
        let seen = look(&before);
        if read_meta(dir)? == before {
            return seen.map(Some);
        }
        sleep(BETWEEN_TRIES);
    }
    Ok(None)
}

/// The error of a reader that found no quiet moment.
pub(super) fn too_fast(dir: &Path) -> IndexError {
    IndexError::Io { dir: dir.to_owned(), source: "commits follow each other too fast to open one".into() }
}

/// The file that says which commit is the last; it is only ever replaced as a whole.
fn read_meta(dir: &Path) -> Result<Vec<u8>, IndexError> {
    match fs::read(dir.join(META_FILE)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(IndexError::NotFound { dir: dir.to_owned() }),
        read => read.map_err(|error| IndexError::io(dir, error)),
    }
}

pub(super) fn write_format(dir: &Path) -> io::Result<()> {
    let mut file = fs::File::create(dir.join(FORMAT_FILE))?;
    writeln!(file, "{FORMAT_VERSION}")?;
    file.sync_all()
}

pub(super) fn check_format(dir: &Path) -> Result<(), IndexError> {
    let found = match fs::read_to_string(dir.join(FORMAT_FILE)) {
        Ok(found) => found.trim().to_owned(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => "unknown".to_owned(),
        Err(error) => return Err(IndexError::io(dir, error)),
    };
    if found == FORMAT_VERSION.to_string() {
        Ok(())
    } else {
        Err(IndexError::OtherFormat { dir: dir.to_owned(), found })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_look_that_a_commit_came_into_is_taken_again() {
        let folder = tempfile::tempdir().unwrap();
        let commit = |number: usize| fs::write(folder.path().join(META_FILE), number.to_string()).unwrap();
        commit(0);
        let failed = || IndexError::AlreadyExists { dir: folder.path().to_owned() };
        let mut looks = 0;
        let seen = between_commits(folder.path(), |meta_file| {
            looks += 1;
            if looks < 3 {
                commit(looks);
                return Err(failed());
            }
            Ok(meta_file.to_vec())
        });
        assert_eq!((seen.unwrap(), looks), (Some(b"2".to_vec()), 3));
        assert!(between_commits::<()>(folder.path(), |_| Err(failed())).is_err());
        let restless = between_commits(folder.path(), |_| {
            looks += 1;
            commit(looks);
            Ok(())
        });
        assert_eq!(restless.unwrap(), None);
    }
}
