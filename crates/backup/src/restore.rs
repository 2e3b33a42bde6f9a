//! Making a data folder of a snapshot.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use lopper_collection::ingest::verify;
use lopper_collection::{CollectionError, DataFolder};
use lopper_content::pipeline::ExtractParams;
use lopper_migrations::{DATA_VERSION, MARKER};
use lopper_store::Store;
use serde::Serialize;

use crate::BackupError;
use crate::destination::Destination;
use crate::manifest::{Manifest, ManifestFile, ids};
use lopper_faults::disk::sync_folder;

/// What was restored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Restored {
    /// The snapshot.
    pub id: String,
    /// Its files.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Pages that the folder has now.
    pub pages: u64,
    /// Blocks of these.
    pub blocks: u64,
}

/// Makes the new or empty folder `data` what it was in the snapshot `id`, or in the newest one. Every chunk is compared with its digest, the
/// database is made of the rows that readers have, and the whole folder is [verified](verify) in the end.
///
/// A restoration that is cut off leaves a folder that is not opened as one of data.
///
/// # Errors
///
/// [`BackupError::NotEmpty`], [`BackupError::NoSnapshot`], [`BackupError::Damaged`], [`BackupError::OtherDataVersion`],
/// [`BackupError::Unsound`], [`BackupError::Io`].
pub fn restore(destination: &dyn Destination, id: Option<&str>, data: &Path) -> Result<Restored, BackupError> {
    let manifest = match id {
        Some(id) => Manifest::read(destination, id)?,
        None => Manifest::read(destination, ids(destination)?.last().ok_or(BackupError::Empty)?)?,
    };
    if manifest.data_version != DATA_VERSION {
        let (id, found, lopper) = (manifest.id, manifest.data_version, manifest.lopper);
        return Err(BackupError::OtherDataVersion { id, found, wanted: DATA_VERSION, lopper });
    }
    make_empty(data)?;
    // Last of all what says that it is a data folder.
    let (markers, files): (Vec<_>, Vec<_>) = manifest.files.iter().partition(|file| file.name == MARKER);
    for file in files {
        write_file(destination, file, data)?;
    }
    sync_folders(&manifest, data)?;
    for file in markers {
        write_file(destination, file, data)?;
    }
    sync_folders(&manifest, data)?;
    finish(data)?;
    let (files, bytes) = (manifest.files.len() as u64, manifest.bytes);
    Ok(Restored { id: manifest.id, files, bytes, pages: manifest.pages, blocks: manifest.blocks })
}

fn make_empty(data: &Path) -> Result<(), BackupError> {
    match fs::read_dir(data).map(Iterator::count) {
        Ok(0) => Ok(()),
        Ok(_) => Err(BackupError::NotEmpty { folder: data.to_owned() }),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            fs::create_dir_all(data).map_err(BackupError::io("make", data))
        }
        Err(error) => Err(BackupError::io("read", data)(error)),
    }
}

fn write_file(destination: &dyn Destination, file: &ManifestFile, data: &Path) -> Result<(), BackupError> {
    let path = data.join(&file.name);
    let folder = path.parent().unwrap_or(data);
    fs::create_dir_all(folder).map_err(BackupError::io("make", folder))?;
    let mut written = new_file(&path, file.private).map_err(BackupError::io("make", &path))?;
    for chunk in &file.chunks {
        written.write_all(&chunk.read(destination)?).map_err(BackupError::io("write", &path))?;
    }
    written.sync_all().map_err(BackupError::io("sync", &path))
}

fn new_file(path: &Path, private: bool) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if private {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    #[cfg(not(unix))]
    let _ = private;
    options.open(path)
}

fn sync_folders(manifest: &Manifest, data: &Path) -> Result<(), BackupError> {
    let below = manifest.files.iter().filter_map(|file| data.join(&file.name).parent().map(Path::to_owned));
    let mut folders: Vec<PathBuf> = below.filter(|folder| folder != data).collect();
    folders.sort();
    folders.dedup();
    folders.push(data.to_owned());
    folders.iter().try_for_each(|folder| sync_folder(folder).map_err(BackupError::io("sync", folder)))
}

/// Makes the database of the rows, brings store and index together where a crash had parted them, and checks everything.
fn finish(data: &Path) -> Result<(), BackupError> {
    let unsound = |what: String| BackupError::Unsound { folder: data.to_owned(), what };
    let repair = Store::repair_files(data, false).map_err(CollectionError::from)?;
    if let Some(what) = repair.beyond {
        return Err(unsound(what));
    }
    drop(DataFolder::open_to_write(data, ExtractParams::default())?);
    let report = verify(data, ExtractParams::default(), false)?;
    match report.faults.into_iter().find(|fault| !fault.mended) {
        Some(fault) => Err(unsound(fault.message)),
        None => Ok(()),
    }
}
