//! Removing old snapshots.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use serde::Serialize;

use crate::BackupError;
use crate::chunk::Chunk;
use crate::destination::Destination;
use crate::manifest::{Manifest, chunk_names, list, unfinished_names};

/// What was removed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Pruned {
    /// Ids of the snapshots.
    pub snapshots: Vec<String>,
    /// Chunks that only these had, and what was cut off.
    pub chunks: u64,
    /// Bytes of these.
    pub bytes: u64,
}

/// Removes all snapshots but the newest `keep`, and what no other one needs. Manifests go first: a cut-off leaves chunks that nobody needs,
/// and no snapshot without its chunks.
///
/// # Errors
///
/// [`BackupError::Damaged`] where a manifest cannot be read, since it is not known then what it needs: nothing is removed.
/// [`BackupError::InUse`], [`BackupError::LockLost`], [`BackupError::Destination`].
pub fn prune(destination: &dyn Destination, keep: NonZeroUsize) -> Result<Pruned, BackupError> {
    let lock = destination.lock().map_err(BackupError::of_lock)?;
    let manifests: Vec<Manifest> = list(destination)?.into_iter().collect::<Result<_, _>>()?;
    let (old, kept) = manifests.split_at(manifests.len().saturating_sub(keep.get()));
    let needed: BTreeSet<String> = kept.iter().flat_map(Manifest::chunks).map(|chunk: Chunk| chunk.name()).collect();
    let mut pruned = Pruned::default();
    for manifest in old {
        lock.check().map_err(BackupError::of_check)?;
        manifest.remove(destination)?;
        pruned.snapshots.push(manifest.id.clone());
    }
    for name in unfinished_names(destination)? {
        destination.remove(&name).map_err(BackupError::destination("remove", &name))?;
    }
    for (name, bytes) in chunk_names(destination)? {
        if !needed.contains(&name) {
            lock.check().map_err(BackupError::of_check)?;
            destination.remove(&name).map_err(BackupError::destination("remove", &name))?;
            pruned.chunks += 1;
            pruned.bytes += bytes;
        }
    }
    Ok(pruned)
}
