//! Reading all that a backup holds.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::BackupError;
use crate::chunk::Chunk;
use crate::destination::Destination;
use crate::manifest::{chunk_names, list};

/// What was read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Verified {
    /// Snapshots whose manifests can be read.
    pub snapshots: u64,
    /// Chunks that they consist of.
    pub chunks: u64,
    /// Bytes of these.
    pub bytes: u64,
    /// Pieces that no snapshot needs: of what was cut off. Pruning removes them.
    pub unused: u64,
    /// What is not as it was written.
    pub damaged: Vec<Damage>,
}

/// A piece that is not as it was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Damage {
    /// Which, and what is wrong.
    pub what: String,
    /// Files of snapshots that it is in, as `ID: NAME`.
    pub files: Vec<String>,
}

impl Verified {
    /// Whether everything is as it was written.
    pub fn is_sound(&self) -> bool {
        self.damaged.is_empty()
    }
}

/// Reads every manifest and every chunk of `destination`, each once, and compares their digests.
///
/// # Errors
///
/// [`BackupError::Destination`] where something cannot be read at all; damage is in the result.
pub fn verify(destination: &dyn Destination) -> Result<Verified, BackupError> {
    let mut verified = Verified::default();
    let mut wanted: BTreeMap<Chunk, Vec<String>> = BTreeMap::new();
    for read in list(destination)? {
        match read {
            Ok(manifest) => {
                verified.snapshots += 1;
                for file in &manifest.files {
                    let name = format!("{}: {}", manifest.id, file.name);
                    file.chunks.iter().for_each(|chunk| wanted.entry(*chunk).or_default().push(name.clone()));
                }
            }
            Err(BackupError::Damaged { what }) => verified.damaged.push(Damage { what, files: Vec::new() }),
            Err(error) => return Err(error),
        }
    }
    for (chunk, files) in &wanted {
        match chunk.read(destination) {
            Ok(bytes) => verified.bytes += bytes.len() as u64,
            Err(BackupError::Damaged { what }) => {
                let mut files = files.clone();
                files.dedup();
                verified.damaged.push(Damage { what, files });
            }
            Err(error) => return Err(error),
        }
    }
    verified.chunks = wanted.len() as u64;
    let names: BTreeSet<String> = wanted.keys().map(Chunk::name).collect();
    verified.unused = chunk_names(destination)?.keys().filter(|name| !names.contains(*name)).count() as u64;
    Ok(verified)
}
