//! Making a snapshot.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use lopper_collection::snapshot::{Snapshot, SnapshotFile};
use lopper_faults::failpoint;
use time::OffsetDateTime;
use time::macros::format_description;

use crate::BackupError;
use crate::chunk::{CHUNK_BYTES_MAX, Chunk};
use crate::destination::Destination;
use crate::manifest::{Manifest, ManifestFile, chunk_names, ids, list};

/// Copies the last commit of `data` to `destination`, while others go on reading and writing. Of what the destination has already nothing is
/// written again. `private` names files of the folder besides the collection's, which are copied where they are there.
///
/// A snapshot that is cut off is none; what it has copied, the next one need not. O(bytes of the folder) read, since all is compared.
///
/// # Errors
///
/// [`BackupError::OtherCollection`] where the newest one is, [`BackupError::InUse`] while another one writes to the destination,
/// [`BackupError::LockLost`], [`BackupError::Data`], [`BackupError::Destination`].
pub fn create(data: &Path, destination: &dyn Destination, private: &[&str]) -> Result<Manifest, BackupError> {
    let lock = destination.lock().map_err(BackupError::of_lock)?;
    let mut made: Vec<Manifest> = list(destination)?.into_iter().filter_map(Result::ok).collect();
    let snapshot = Snapshot::open(data)?;
    let collection = snapshot.collection.clone();
    refuse_other(collection.as_deref(), &made)?;
    let former = made.pop();
    let mut copying = Copying { destination, present: chunk_names(destination)?, new_bytes: 0 };
    let mut files = Vec::with_capacity(snapshot.files.len());
    for file in &snapshot.files {
        files.push(copying.file(file, former.as_ref(), false)?);
    }
    for name in private {
        if let Some(file) = private_file(data, name)? {
            files.push(copying.file(&file, former.as_ref(), true)?);
        }
    }
    failpoint::pass("backup.chunks");
    let created_at = OffsetDateTime::now_utc();
    let manifest = Manifest {
        id: new_id(destination, created_at, snapshot.sequence.0)?,
        created_at: created_at.unix_timestamp(),
        lopper: env!("CARGO_PKG_VERSION").to_owned(),
        data_version: snapshot.data_version,
        collection,
        sequence: snapshot.sequence.0,
        pages: snapshot.pages,
        blocks: snapshot.blocks,
        bytes: files.iter().map(ManifestFile::bytes).sum(),
        new_bytes: copying.new_bytes,
        files,
    };
    lock.check().map_err(BackupError::of_check)?;
    manifest.write(destination)?;
    failpoint::pass("backup.manifest");
    // Who pruned meanwhile, thinking that nobody writes, may have removed chunks of it.
    if let Err(error) = lock.check() {
        manifest.remove(destination)?;
        return Err(BackupError::of_check(error));
    }
    Ok(manifest)
}

/// The newest backup would be another collection's for one of the two, and pruning would remove by the age of both. Of those that were
/// `made`, oldest first, the newest that has a name tells.
fn refuse_other(collection: Option<&str>, made: &[Manifest]) -> Result<(), BackupError> {
    match made.iter().rev().find(|manifest| manifest.collection.is_some()) {
        Some(named) if collection.is_some() && collection != named.collection.as_deref() => {
            Err(BackupError::OtherCollection { id: named.id.clone() })
        }
        _ => Ok(()),
    }
}

fn private_file(data: &Path, name: &str) -> Result<Option<SnapshotFile>, BackupError> {
    let path = data.join(name);
    match fs::read(&path) {
        Ok(bytes) => Ok(Some(SnapshotFile::of_bytes(name, bytes))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(BackupError::io("read", &path)(error)),
    }
}

/// The time, and the number of the commit; later ids come later in order.
fn new_id(destination: &dyn Destination, at: OffsetDateTime, sequence: u64) -> Result<String, BackupError> {
    let time = at.format(format_description!("[year][month][day]T[hour][minute][second]Z"));
    let id = format!("{}-{sequence:06}", time.expect("the format has what a time has"));
    let known = ids(destination)?;
    let further = (2..).map(|number| format!("{id}.{number}"));
    let mut ids = [id.clone()].into_iter().chain(further);
    Ok(ids.find(|id| !known.contains(id)).unwrap_or(id))
}

struct Copying<'a> {
    destination: &'a dyn Destination,
    /// Chunks that are there, by name, with their lengths.
    present: BTreeMap<String, u64>,
    new_bytes: u64,
}

impl Copying<'_> {
    fn file(
        &mut self,
        file: &SnapshotFile,
        former: Option<&Manifest>,
        private: bool,
    ) -> Result<ManifestFile, BackupError> {
        let former = former.and_then(|former| former.files.iter().find(|other| other.name == file.name));
        let lengths = former.map(|former| kept_lengths(&former.chunks, file.bytes)).unwrap_or_default();
        let (mut chunks, mut at) = (Vec::new(), 0);
        let mut lengths = lengths.into_iter();
        while at < file.bytes {
            let length = lengths.next().unwrap_or(CHUNK_BYTES_MAX as u64).min(file.bytes - at);
            let bytes = file.read(at, length as usize).map_err(BackupError::io("read", Path::new(&file.name)))?;
            chunks.push(self.chunk(&bytes)?);
            at += length;
        }
        Ok(ManifestFile { name: file.name.clone(), private, chunks })
    }

    fn chunk(&mut self, bytes: &[u8]) -> Result<Chunk, BackupError> {
        let chunk = Chunk::of(bytes);
        let name = chunk.name();
        // One of another length is damaged.
        if self.present.get(&name) != Some(&chunk.bytes) {
            self.destination.write(&name, bytes).map_err(BackupError::destination("write", &name))?;
            failpoint::pass("backup.chunk");
            self.present.insert(name, chunk.bytes);
            self.new_bytes += chunk.bytes;
        }
        Ok(chunk)
    }
}

/// Where a file that grew to `bytes` is cut: as it was, but small chunks at its end go together with what is new, so that their number stays
/// that of the doublings. A byte is written again only into a chunk half of which at least is new, or up to the full length of one.
fn kept_lengths(former: &[Chunk], bytes: u64) -> Vec<u64> {
    let mut lengths: Vec<u64> = former.iter().map(|chunk| chunk.bytes).collect();
    let mut new = bytes.saturating_sub(lengths.iter().sum());
    while new > 0
        && let Some(last) = lengths.last()
        && *last < CHUNK_BYTES_MAX as u64
        && *last < 2 * new
    {
        new += last;
        lengths.pop();
    }
    lengths
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths_after(growths: impl IntoIterator<Item = u64>) -> (Vec<u64>, u64) {
        let (mut lengths, mut bytes, mut written) = (Vec::<u64>::new(), 0, 0);
        for growth in growths {
            bytes += growth;
            let former: Vec<Chunk> = lengths.iter().map(|length| Chunk { bytes: *length, ..Chunk::of(b"") }).collect();
            let mut kept = kept_lengths(&former, bytes);
            let mut at: u64 = kept.iter().sum();
            while at < bytes {
                let next = (bytes - at).min(CHUNK_BYTES_MAX as u64);
                (at, written) = (at + next, written + next);
                kept.push(next);
            }
            lengths = kept;
        }
        assert_eq!(lengths.iter().sum::<u64>(), bytes);
        (lengths, written)
    }

    #[test]
    fn a_growing_file_has_few_chunks_and_is_written_a_few_times_in_all() {
        let (lengths, written) = lengths_after(std::iter::repeat_n(1000, 10_000));
        assert!(lengths.len() < 2 + 10_000_000 / CHUNK_BYTES_MAX + 14, "{} chunks", lengths.len());
        assert!(written < 10_000_000 * 10, "{written} bytes");
        let (lengths, written) = lengths_after([40 << 20, 1 << 10]);
        assert_eq!((lengths.len(), written), (11, (40 << 20) + (1 << 10)), "little that is new costs little");
        assert_eq!(lengths_after([5, 0, 0]), (vec![5], 5));
    }

    #[test]
    fn a_file_that_is_shorter_now_is_read_to_its_end() {
        let former = [Chunk { bytes: 100, ..Chunk::of(b"") }];
        assert_eq!(kept_lengths(&former, 50), [100], "and cut where it ends");
    }
}
