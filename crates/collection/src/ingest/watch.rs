//! Finding files that came into folders and are complete.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use lopper_archive::paths::{PathsError, expand};

/// What a look sees of a file.
type Looks = (u64, Option<SystemTime>);

/// The files in some folders that two looks in a row saw with the same length and time, each once, and again after it has changed.
#[derive(Debug)]
pub struct StableFiles {
    paths: Vec<PathBuf>,
    seen: HashMap<PathBuf, Looks>,
    given: HashMap<PathBuf, Looks>,
    /// Those of `paths` that could not be read at the last look.
    unreadable: HashSet<PathBuf>,
}

impl StableFiles {
    /// Watches `paths`, folders or files.
    ///
    /// # Errors
    ///
    /// [`PathsError`] for a path that is missing or cannot be read; an empty folder is none.
    pub fn new(paths: &[PathBuf]) -> Result<Self, PathsError> {
        for path in paths {
            match expand(std::slice::from_ref(path)) {
                Ok(_) | Err(PathsError::NothingInFolder { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Self { paths: paths.to_owned(), seen: HashMap::new(), given: HashMap::new(), unreadable: HashSet::new() })
    }

    /// The files that are complete since the last look. A folder that cannot be read for the moment has none; that is logged once.
    pub fn look(&mut self) -> Vec<PathBuf> {
        let unreadable = &mut self.unreadable;
        let found = self.paths.iter().flat_map(|path| files_in(path, unreadable));
        let looks = |path: PathBuf| {
            let metadata = fs::metadata(&path).ok()?;
            Some((path, (metadata.len(), metadata.modified().ok())))
        };
        let now: HashMap<PathBuf, Looks> = found.filter_map(looks).collect();
        let is_new =
            |path: &PathBuf, looks: &Looks| self.seen.get(path) == Some(looks) && self.given.get(path) != Some(looks);
        let mut stable: Vec<PathBuf> =
            now.iter().filter(|(path, looks)| is_new(path, looks)).map(|(path, _)| path.clone()).collect();
        stable.sort();
        self.given.extend(stable.iter().map(|path| (path.clone(), now[path])));
        self.given.retain(|path, _| now.contains_key(path));
        self.seen = now;
        stable
    }
}

fn files_in(path: &Path, unreadable: &mut HashSet<PathBuf>) -> Vec<PathBuf> {
    match expand(&[path.to_owned()]) {
        Err(error) if !matches!(error, PathsError::NothingInFolder { .. }) => {
            if unreadable.insert(path.to_owned()) {
                tracing::warn!(watched.path = %path.display(), %error, "a watched path cannot be read");
            }
            Vec::new()
        }
        found => {
            unreadable.remove(path);
            found.unwrap_or_default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_went_away_is_noticed_and_found_again() {
        let folder = tempfile::tempdir().unwrap();
        let watched = folder.path().join("in");
        fs::create_dir(&watched).unwrap();
        let mut files = StableFiles::new(std::slice::from_ref(&watched)).unwrap();
        fs::remove_dir(&watched).unwrap();
        assert!(files.look().is_empty());
        assert!(files.unreadable.contains(&watched));
        fs::create_dir(&watched).unwrap();
        fs::write(watched.join("a.html"), "<p>one").unwrap();
        assert!(files.look().is_empty(), "seen once");
        assert_eq!(files.look(), [watched.join("a.html")]);
        assert!(files.unreadable.is_empty());
    }

    #[test]
    fn files_are_given_once_when_they_stopped_growing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.html");
        let mut files = StableFiles::new(&[folder.path().to_owned()]).unwrap();
        assert!(files.look().is_empty());
        fs::write(&path, "<p>one").unwrap();
        assert!(files.look().is_empty(), "seen once");
        fs::write(&path, "<p>one, two").unwrap();
        assert!(files.look().is_empty(), "it has grown");
        assert_eq!(files.look(), std::slice::from_ref(&path));
        assert!(files.look().is_empty(), "given before");
        fs::write(&path, "<p>another page").unwrap();
        files.look();
        assert_eq!(files.look(), [path]);
        assert!(StableFiles::new(&[folder.path().join("gone")]).is_err());
    }
}
