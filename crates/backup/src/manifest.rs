//! What a snapshot consists of.
//!
//! ```text
//! manifest = JSON of a Manifest, newline, its digest (32 hexadecimal digits), newline
//! ```

use std::path::{Component, Path};

use serde::{Deserialize, Serialize};

use crate::chunk::{CHUNK_BYTES_MAX, Chunk, Digest};
use crate::destination::Destination;
use crate::folder::UNFINISHED;
use crate::{BackupError, chunk};

/// Where manifests are.
const SNAPSHOTS: &str = "snapshots/";

/// A snapshot of a data folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// By which it is named: the time, and the number of the commit.
    pub id: String,
    /// When it was begun, in seconds since 1970-01-01T00:00:00Z.
    pub created_at: i64,
    /// Version of the program that made it.
    pub lopper: String,
    /// Version of the data folder.
    pub data_version: u32,
    /// Name of the collection, where its folder has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collection: Option<String>,
    /// The store's commit.
    pub sequence: u64,
    /// Distinct pages.
    pub pages: u64,
    /// Main blocks.
    pub blocks: u64,
    /// Bytes of all files.
    pub bytes: u64,
    /// Bytes that were not in the backup before.
    pub new_bytes: u64,
    /// All files, in order of their names.
    pub files: Vec<ManifestFile>,
}

/// A file of a snapshot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestFile {
    /// Its path in the data folder, with `/`.
    pub name: String,
    /// Whether only its owner may read it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub private: bool,
    /// What it consists of, from its beginning on.
    pub chunks: Vec<Chunk>,
}

impl ManifestFile {
    /// Its length.
    pub fn bytes(&self) -> u64 {
        self.chunks.iter().map(|chunk| chunk.bytes).sum()
    }

    /// Whether it stays below the folder, and no chunk is larger than any is made.
    fn is_sound(&self) -> bool {
        let mut parts = Path::new(&self.name).components();
        let is_below = !self.name.is_empty() && parts.all(|part| matches!(part, Component::Normal(_)));
        is_below && self.chunks.iter().all(|chunk| chunk.bytes <= CHUNK_BYTES_MAX as u64)
    }
}

impl Manifest {
    /// Chunks of all files, some of them more than once.
    pub fn chunks(&self) -> impl Iterator<Item = Chunk> {
        self.files.iter().flat_map(|file| file.chunks.iter().copied())
    }

    pub(crate) fn write(&self, destination: &dyn Destination) -> Result<(), BackupError> {
        let mut bytes = serde_json::to_vec(self).expect("a manifest is plain data");
        let digest = Digest::of(&bytes);
        bytes.extend_from_slice(format!("\n{digest}\n").as_bytes());
        let name = name_of(&self.id);
        destination.write(&name, &bytes).map_err(BackupError::destination("write", &name))
    }

    pub(crate) fn read(destination: &dyn Destination, id: &str) -> Result<Self, BackupError> {
        let name = name_of(id);
        let is_name = id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'.');
        let bytes =
            if is_name { destination.read(&name).map_err(BackupError::destination("read", &name))? } else { None };
        let bytes = bytes.ok_or_else(|| BackupError::NoSnapshot { id: id.to_owned() })?;
        let damaged = |what: String| BackupError::Damaged { what: format!("{name} {what}") };
        let manifest = parse(&bytes).ok_or_else(|| damaged("is not what was written".to_owned()))?;
        if manifest.id == id && manifest.files.iter().all(ManifestFile::is_sound) {
            Ok(manifest)
        } else {
            Err(damaged("names files that no backup has".to_owned()))
        }
    }

    pub(crate) fn remove(&self, destination: &dyn Destination) -> Result<(), BackupError> {
        let name = name_of(&self.id);
        destination.remove(&name).map_err(BackupError::destination("remove", &name))
    }
}

fn parse(bytes: &[u8]) -> Option<Manifest> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let (json, rest) = bytes.split_at(end);
    let digest: Digest = std::str::from_utf8(rest).ok()?.strip_prefix('\n')?.strip_suffix('\n')?.parse().ok()?;
    if digest == Digest::of(json) { serde_json::from_slice(json).ok() } else { None }
}

fn name_of(id: &str) -> String {
    format!("{SNAPSHOTS}{id}")
}

/// Ids of the snapshots that are there, oldest first. What is being written is none.
pub(crate) fn ids(destination: &dyn Destination) -> Result<Vec<String>, BackupError> {
    let names = destination.list(SNAPSHOTS).map_err(BackupError::destination("list", SNAPSHOTS))?;
    let ids = names.into_keys().filter_map(|name| name.strip_prefix(SNAPSHOTS).map(str::to_owned));
    Ok(ids.filter(|id| !id.ends_with(UNFINISHED)).collect())
}

/// Names of manifests that were cut off.
pub(crate) fn unfinished_names(destination: &dyn Destination) -> Result<Vec<String>, BackupError> {
    let names = destination.list(SNAPSHOTS).map_err(BackupError::destination("list", SNAPSHOTS))?;
    Ok(names.into_keys().filter(|name| name.ends_with(UNFINISHED)).collect())
}

/// The snapshots in `destination`, oldest first; where one cannot be read, the error in its place.
///
/// # Errors
///
/// [`BackupError::Destination`] where the destination cannot be read.
pub fn list(destination: &dyn Destination) -> Result<Vec<Result<Manifest, BackupError>>, BackupError> {
    Ok(ids(destination)?.iter().map(|id| Manifest::read(destination, id)).collect())
}

/// Names of all chunks that are there, with their lengths. What is being written is among them.
pub(crate) fn chunk_names(
    destination: &dyn Destination,
) -> Result<std::collections::BTreeMap<String, u64>, BackupError> {
    destination.list(chunk::CHUNKS).map_err(BackupError::destination("list", chunk::CHUNKS))
}
