//! The files of the collection's statistics: one for each layer.
//!
//! ```text
//! file = "LOPPERST" version:u32 former:u32 epoch:u64 pages:u64 checksum:u64 (epoch:u64)*former layer
//! ```
//! Integers are little-endian; the checksum is xxh3_64 of all bytes before and behind it; `layer` is as
//! [`CountLayer::to_bytes`] gives it. The file of an epoch holds the newest layer of that snapshot and names the epochs whose files hold the
//! others, oldest first. So a commit writes what it adds and what is merged with it, and a file is kept for as long as a snapshot that can
//! still be asked for names it.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::sync::Arc;

use lopper_content::statistics::{CountLayer, LayerError, StatisticsSnapshot};
use xxhash_rust::xxh3::Xxh3;

use super::files::{statistics_path, write_whole};
use super::{DamagedPart, StoreError};

const MAGIC: &[u8; 8] = b"LOPPERST";
const VERSION: u32 = 2;
const CHECKSUM_AT: usize = 32;
const HEADER_BYTES: usize = 40;

/// What a file holds.
struct LayerFile {
    pages: u64,
    /// Epochs of the other layers, oldest first.
    former: Vec<u64>,
    layer: CountLayer,
}

/// Reads the snapshot of `epoch`; epoch 0 has no file and is empty.
pub(super) fn read_statistics(data: &Path, epoch: u64) -> Result<StatisticsSnapshot, StoreError> {
    if epoch == 0 {
        return Ok(StatisticsSnapshot::default());
    }
    let LayerFile { pages, former, layer } = read_file(data, epoch)?;
    let mut layers = Vec::with_capacity(former.len() + 1);
    for epoch in former {
        layers.push(Arc::new(read_file(data, epoch)?.layer));
    }
    layers.push(Arc::new(layer));
    Ok(StatisticsSnapshot::from_layers(epoch, pages, layers))
}

/// Writes the newest layer of `statistics`, durably; the others have their files already.
pub(super) fn write_statistics(data: &Path, statistics: &StatisticsSnapshot) -> Result<(), StoreError> {
    let Some((newest, former)) = statistics.layers().split_last() else {
        return write_whole(&statistics_path(data, statistics.epoch()), &file_bytes(statistics, &[], &[0; 4]));
    };
    debug_assert_eq!(newest.epoch(), statistics.epoch(), "each change makes a layer");
    write_whole(&statistics_path(data, newest.epoch()), &file_bytes(statistics, former, &newest.to_bytes()))
}

/// The epochs whose files are needed for the snapshot `newest` and that of the epoch `other`. One that cannot be read needs its own at least.
pub(super) fn needed_epochs(data: &Path, newest: &StatisticsSnapshot, other: Option<u64>) -> BTreeSet<u64> {
    let other = other.filter(|other| *other > 0 && *other != newest.epoch());
    let of_other = other.and_then(|other| read_former(&statistics_path(data, other)).ok());
    let of_newest = newest.layers().iter().map(|layer| layer.epoch());
    of_newest.chain([newest.epoch()]).chain(other).chain(of_other.into_iter().flatten()).collect()
}

/// The epochs of the other layers, from the beginning of a file. What is not our file names none.
fn read_former(path: &Path) -> std::io::Result<Vec<u64>> {
    let mut file = File::open(path)?;
    let mut header = [0; HEADER_BYTES];
    file.read_exact(&mut header)?;
    let former_bytes = if header.starts_with(MAGIC) { number::<4>(&header, 12) * 8 } else { 0 };
    let mut former = Vec::new();
    file.take(former_bytes).read_to_end(&mut former)?;
    Ok(former.as_chunks().0.iter().map(|epoch| u64::from_le_bytes(*epoch)).collect())
}

fn file_bytes(statistics: &StatisticsSnapshot, former: &[Arc<CountLayer>], layer: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER_BYTES + former.len() * 8 + layer.len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&(former.len() as u32).to_le_bytes());
    for number in [statistics.epoch(), statistics.page_count(), 0] {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    for layer in former {
        bytes.extend_from_slice(&layer.epoch().to_le_bytes());
    }
    bytes.extend_from_slice(layer);
    let checksum = checksum(&bytes);
    bytes[CHECKSUM_AT..HEADER_BYTES].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

fn checksum(file: &[u8]) -> u64 {
    let mut hasher = Xxh3::new();
    hasher.update(&file[..CHECKSUM_AT]);
    hasher.update(&file[HEADER_BYTES..]);
    hasher.digest()
}

fn read_file(data: &Path, epoch: u64) -> Result<LayerFile, StoreError> {
    let path = statistics_path(data, epoch);
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let bytes = std::fs::read(&path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => StoreError::damaged(data, DamagedPart::Statistics, format!("{name}: missing"), error),
        _ => StoreError::io("read", &path)(error),
    })?;
    parse(&bytes, epoch).map_err(|what| match what {
        Trouble::Form(what) => StoreError::inconsistent(data, DamagedPart::Statistics, format!("{name}: {what}")),
        Trouble::Layer(error) => StoreError::damaged(data, DamagedPart::Statistics, name, error),
    })
}

/// What is wrong with a file.
enum Trouble {
    Form(&'static str),
    Layer(LayerError),
}

impl From<&'static str> for Trouble {
    fn from(what: &'static str) -> Self {
        Self::Form(what)
    }
}

fn parse(bytes: &[u8], epoch: u64) -> Result<LayerFile, Trouble> {
    let (header, rest) = bytes.split_at_checked(HEADER_BYTES).ok_or("cut off")?;
    if !header.starts_with(MAGIC) {
        return Err("not a statistics file".into());
    }
    if header[CHECKSUM_AT..] != checksum(bytes).to_le_bytes() {
        return Err("wrong checksum".into());
    }
    if number::<4>(header, 8) != u64::from(VERSION) || number::<8>(header, 16) != epoch {
        return Err("another version or epoch".into());
    }
    let former_bytes = number::<4>(header, 12) as usize * 8;
    let (former, layer) = rest.split_at_checked(former_bytes).ok_or("cut off")?;
    let former: Vec<u64> = former.as_chunks().0.iter().map(|epoch| u64::from_le_bytes(*epoch)).collect();
    if !former.is_sorted() || former.last().is_some_and(|last| *last >= epoch) {
        return Err("its layers are not in order".into());
    }
    let layer = CountLayer::from_bytes(epoch, layer).map_err(Trouble::Layer)?;
    Ok(LayerFile { pages: number::<8>(header, 24), former, layer })
}

/// The little-endian number of `N` bytes at `at`.
fn number<const N: usize>(bytes: &[u8], at: usize) -> u64 {
    let bytes = bytes[at..at + N].iter().rev();
    bytes.fold(0, |number, &byte| number << 8 | u64::from(byte))
}

#[cfg(test)]
mod tests {
    use lopper_content::statistics::{PageKeys, StatisticsChange};

    use super::*;

    /// A change with so many keys that it stays a layer of its own beside smaller ones.
    fn change(pages: u64, first: u64) -> StatisticsChange {
        let mut change = StatisticsChange::default();
        for page in 0..pages {
            let hashes = (0..100).map(|at| (first + page * 100 + at) * 7_919).collect();
            change.add(&PageKeys::new(hashes, vec![page], vec![first]));
        }
        change
    }

    /// Epochs 1 to 3, all written: a large layer, a small one, and one more that is merged with that.
    fn written(data: &Path) -> Vec<StatisticsSnapshot> {
        let mut snapshots = vec![StatisticsSnapshot::default()];
        for (pages, first) in [(2000, 0), (3, 900_000), (3, 910_000)] {
            snapshots.push(snapshots[snapshots.len() - 1].with(change(pages, first)));
            write_statistics(data, &snapshots[snapshots.len() - 1]).unwrap();
        }
        snapshots
    }

    #[test]
    fn the_files_give_back_what_was_written() {
        let folder = tempfile::tempdir().unwrap();
        for snapshot in written(folder.path()) {
            let read = read_statistics(folder.path(), snapshot.epoch()).unwrap();
            assert_eq!((read.epoch(), read.layers()), (snapshot.epoch(), snapshot.layers()));
            assert!(read == snapshot);
        }
    }

    #[test]
    fn a_commit_writes_what_it_adds_and_merges() {
        let folder = tempfile::tempdir().unwrap();
        let snapshots = written(folder.path());
        let length = |epoch| std::fs::metadata(statistics_path(folder.path(), epoch)).unwrap().len();
        assert!(length(1) > 300_000 && length(2) < 3_000 && length(3) < 6_000, "{:?}", [1, 2, 3].map(length));
        let needed = |newest: usize, other| needed_epochs(folder.path(), &snapshots[newest], other);
        assert_eq!(needed(3, Some(2)), BTreeSet::from([1, 2, 3]));
        assert_eq!((needed(3, Some(3)), needed(3, None)), (BTreeSet::from([1, 3]), BTreeSet::from([1, 3])));
        assert_eq!((needed(1, Some(0)), needed(1, Some(9))), (BTreeSet::from([1]), BTreeSet::from([1, 9])));
    }

    #[test]
    fn a_damaged_file_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let snapshot = StatisticsSnapshot::default().with(change(1, 7));
        write_statistics(folder.path(), &snapshot).unwrap();
        let path = statistics_path(folder.path(), 1);
        let sound = std::fs::read(&path).unwrap();
        for at in 0..sound.len() {
            let mut bytes = sound.clone();
            bytes[at] ^= 1;
            std::fs::write(&path, &bytes).unwrap();
            assert_damaged(folder.path(), 1, 1);
        }
        for length in [0, 20, HEADER_BYTES, sound.len() - 1] {
            std::fs::write(&path, &sound[..length]).unwrap();
            assert_damaged(folder.path(), 1, 1);
        }
    }

    #[test]
    fn a_missing_or_mixed_up_file_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        written(folder.path());
        assert_damaged(folder.path(), 4, 4);
        std::fs::rename(statistics_path(folder.path(), 3), statistics_path(folder.path(), 4)).unwrap();
        assert_damaged(folder.path(), 4, 4);
        std::fs::remove_file(statistics_path(folder.path(), 1)).unwrap();
        assert_damaged(folder.path(), 2, 1);
    }

    fn assert_damaged(data: &Path, epoch: u64, file: u64) {
        let error = read_statistics(data, epoch).unwrap_err();
        assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
        let name = format!("statistics-{file}.bin");
        assert!(error.to_string().contains(&name), "{error}");
    }

    #[test]
    fn files_whose_layers_cannot_be_read_are_damaged_whatever_their_checksum_says() {
        let folder = tempfile::tempdir().unwrap();
        let snapshot = StatisticsSnapshot::default().with(change(1, 7));
        let mut bytes = file_bytes(&snapshot, &[], &snapshot.layers()[0].to_bytes());
        bytes.pop();
        let checksum = checksum(&bytes);
        bytes[CHECKSUM_AT..HEADER_BYTES].copy_from_slice(&checksum.to_le_bytes());
        std::fs::write(statistics_path(folder.path(), 1), bytes).unwrap();
        assert_damaged(folder.path(), 1, 1);
    }
}
