//! A backup in a folder.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use lopper_faults::disk::sync_folder;

use crate::BackupError;
use crate::destination::{Destination, Held};

/// Says what the folder is, and in which format.
pub(crate) const MARKER: &str = "LOPPER-BACKUP";

/// Version of the format.
pub(crate) const FORMAT: &str = "1";

/// Held by who writes.
pub(crate) const LOCK: &str = "lock";

/// Ending of what is being written.
pub(crate) const UNFINISHED: &str = ".tmp";

/// A folder for backups.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Opens a folder of backups.
    ///
    /// # Errors
    ///
    /// [`BackupError::NoBackup`], [`BackupError::OtherFormat`], [`BackupError::Destination`].
    pub fn open(path: &Path) -> Result<Self, BackupError> {
        let folder = Self { path: path.to_owned() };
        check_marker(&folder, path)?;
        Ok(folder)
    }

    /// The same; an absent or empty folder is made one.
    ///
    /// # Errors
    ///
    /// As of [`open`](Self::open); [`BackupError::NoBackup`] for a folder with other files.
    pub fn make(path: &Path) -> Result<Self, BackupError> {
        fs::create_dir_all(path).map_err(BackupError::io("make", path))?;
        let mut entries = fs::read_dir(path).map_err(BackupError::io("read", path))?;
        // What a first try that was cut off leaves counts for nothing.
        let is_other = |name: &std::ffi::OsStr| name.to_str() != Some(&format!("{MARKER}{UNFINISHED}"));
        if !entries.any(|entry| entry.map_or(true, |entry| is_other(&entry.file_name()))) {
            let folder = Self { path: path.to_owned() };
            let marker = format!("{FORMAT}\n");
            folder.write(MARKER, marker.as_bytes()).map_err(BackupError::destination("write", MARKER))?;
        }
        Self::open(path)
    }

    fn add_to(&self, names: &mut BTreeMap<String, u64>, prefix: &str) -> io::Result<()> {
        let entries = match fs::read_dir(self.path.join(prefix)) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            entries => entries?,
        };
        for entry in entries {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            let name = format!("{prefix}{name}");
            match entry.metadata() {
                Ok(metadata) if metadata.is_dir() => self.add_to(names, &format!("{name}/"))?,
                Ok(metadata) => drop(names.insert(name, metadata.len())),
                // Others may be removing.
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

impl Destination for Folder {
    fn list(&self, prefix: &str) -> io::Result<BTreeMap<String, u64>> {
        let mut names = BTreeMap::new();
        self.add_to(&mut names, prefix)?;
        Ok(names)
    }

    fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        match fs::read(self.path.join(name)) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            read => read.map(Some),
        }
    }

    fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let path = self.path.join(name);
        let unfinished = self.path.join(format!("{name}{UNFINISHED}"));
        let parent = path.parent().unwrap_or(&self.path);
        fs::create_dir_all(parent)?;
        let mut file = File::create(&unfinished)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&unfinished, &path)?;
        // The folders that were made, too.
        parent.ancestors().take_while(|folder| folder.starts_with(&self.path)).try_for_each(sync_folder)
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        match fs::remove_file(self.path.join(name)) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn lock(&self) -> io::Result<Box<dyn Held>> {
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(self.path.join(LOCK))?;
        match file.try_lock() {
            Ok(()) => Ok(Box::new(file)),
            Err(TryLockError::WouldBlock) => Err(ErrorKind::WouldBlock.into()),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
}

/// The system takes it back when the file is closed, and never before.
impl Held for File {
    fn check(&self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether `destination`, which is at `place`, holds backups of this format.
pub(crate) fn check_marker(destination: &dyn Destination, place: &Path) -> Result<(), BackupError> {
    let marker = destination.read(MARKER).map_err(BackupError::destination("read", MARKER))?;
    let marker = marker.ok_or_else(|| BackupError::NoBackup { folder: place.to_owned() })?;
    let found = String::from_utf8_lossy(&marker).trim().to_owned();
    if found == FORMAT { Ok(()) } else { Err(BackupError::OtherFormat { folder: place.to_owned(), found }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_keeps_pieces_and_refuses_what_is_none() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("new/backups");
        assert!(matches!(Folder::open(&path), Err(BackupError::NoBackup { .. })));
        let folder = Folder::make(&path).unwrap();
        folder.write("chunks/ab/abcd", b"oak").unwrap();
        folder.write("chunks/ff/ffff", b"").unwrap();
        folder.write("chunks/ab/abcd", b"elms").unwrap();
        let names = folder.list("chunks/").unwrap();
        assert_eq!(names.into_iter().collect::<Vec<_>>(), [("chunks/ab/abcd".into(), 4), ("chunks/ff/ffff".into(), 0)]);
        assert_eq!(folder.read("chunks/ab/abcd").unwrap().as_deref(), Some(&b"elms"[..]));
        folder.remove("chunks/ab/abcd").unwrap();
        folder.remove("chunks/ab/abcd").unwrap();
        assert_eq!((folder.read("chunks/ab/abcd").unwrap(), folder.list("none/").unwrap().len()), (None, 0));
        let held = folder.lock().unwrap();
        assert_eq!(Folder::make(&path).unwrap().lock().err().map(|error| error.kind()), Some(ErrorKind::WouldBlock));
        drop(held);
        drop(folder.lock().unwrap());
        fs::write(path.join(MARKER), "2\n").unwrap();
        assert!(matches!(Folder::make(&path), Err(BackupError::OtherFormat { .. })));
        assert!(matches!(Folder::make(place.path()), Err(BackupError::NoBackup { .. })), "it has another folder in it");
    }
}
