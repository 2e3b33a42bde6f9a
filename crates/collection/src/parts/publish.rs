//! A folder that parts are published in: each is there whole, or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use lopper_faults::disk::sync_folder;
use serde::{Deserialize, Serialize};

use super::PartError;

/// Folder of what is being written; its files may be removed when no worker runs.
const INCOMPLETE: &str = ".incomplete";

/// What became of something that was to be published.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Published {
    /// It was not there, and is now.
    Created,
    /// It was there, and stays as it was.
    Existing,
}

/// The folder.
#[derive(Debug, Clone)]
pub struct PartFolder {
    folder: PathBuf,
}

impl PartFolder {
    /// The folder, made where there is none.
    ///
    /// # Errors
    ///
    /// [`PartError::Io`].
    pub fn open(folder: &Path) -> Result<Self, PartError> {
        let incomplete = folder.join(INCOMPLETE);
        fs::create_dir_all(&incomplete).map_err(PartError::io("make the folder", &incomplete))?;
        Ok(Self { folder: folder.to_owned() })
    }

    /// Where something of that name is, once it is published.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Where something of that name is written by the process `process`.
    pub fn path_incomplete(&self, name: &str, process: u32) -> PathBuf {
        self.folder.join(INCOMPLETE).join(format!("{name}.{process}.tmp"))
    }

    /// Writes a file by `write`, syncs it, and publishes it under `name` unless something is there already. Whatever happens, nobody sees
    /// a part of it.
    ///
    /// # Errors
    ///
    /// [`PartError::Io`], and what `write` gives.
    pub fn publish<T>(
        &self,
        name: &str,
        write: impl FnOnce(&mut BufWriter<File>) -> Result<T, PartError>,
    ) -> Result<(Published, T), PartError> {
        let temporary = self.path_incomplete(name, std::process::id());
        let written = write_synced(&temporary, write);
        let published = written.and_then(|value| {
            let target = self.path(name);
            let published = link(&temporary, &target).map_err(PartError::io("publish", &target))?;
            sync_folder(&self.folder).map_err(PartError::io("sync", &self.folder))?;
            Ok((published, value))
        });
        // Where it is gone already, or stays, nothing is lost: nobody reads it.
        let _ = fs::remove_file(&temporary);
        published
    }
}

fn write_synced<T>(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<T, PartError>,
) -> Result<T, PartError> {
    let file = File::create(path).map_err(PartError::io("make", path))?;
    let mut file = BufWriter::with_capacity(1 << 18, file);
    let value = write(&mut file)?;
    file.flush().map_err(PartError::io("write", path))?;
    file.get_ref().sync_all().map_err(PartError::io("sync", path))?;
    Ok(value)
}

/// Gives `from` the name `to` as well, unless that is taken.
fn link(from: &Path, to: &Path) -> io::Result<Published> {
    match fs::hard_link(from, to) {
        Ok(()) => Ok(Published::Created),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(Published::Existing),
        // A file system without links. Of two workers that come here at once, one replaces the other's part by the same bytes.
        Err(error) if matches!(error.kind(), ErrorKind::Unsupported | ErrorKind::PermissionDenied) => {
            if to.exists() {
                return Ok(Published::Existing);
            }
            fs::rename(from, to).map(|()| Published::Created)
        }
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_one_stays() {
        let folder = tempfile::tempdir().unwrap();
        let parts = PartFolder::open(folder.path()).unwrap();
        let write = |text: &'static str| {
            parts
                .publish("a", move |out| out.write_all(text.as_bytes()).map_err(PartError::io("write", Path::new("a"))))
        };
        assert_eq!(write("one").unwrap().0, Published::Created);
        assert_eq!(write("two").unwrap().0, Published::Existing);
        assert_eq!(fs::read_to_string(parts.path("a")).unwrap(), "one");
    }

    #[test]
    fn what_fails_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let parts = PartFolder::open(folder.path()).unwrap();
        let failed = parts.publish("a", |out| {
            out.write_all(b"half").unwrap();
            Err::<(), _>(PartError::Counts { path: "x".into() })
        });
        assert!(matches!(failed, Err(PartError::Counts { .. })) && !parts.path("a").exists());
        assert_eq!(fs::read_dir(folder.path().join(INCOMPLETE)).unwrap().count(), 0);
    }
}
