//! Term statistics of the collection, and their file.
//!
//! ```text
//! file = "LOPPERST" version:u32 depth:u32 width:u32 0:u32 generation:u64 pages:u64 checksum:u64 zstd(counters)
//! ```
//! Integers are little-endian; the checksum is xxh3_64 of all bytes before and behind it. A file is written whole for each
//! commit that changes the statistics, under the number of its generation; the database names the one that counts.

use std::io::ErrorKind;
use std::path::Path;

use lopper_content::weigh::{TermStatistics, distinct_hashes, term_hash};
use xxhash_rust::xxh3::Xxh3;

use super::StoreError;
use super::files::{statistics_path, write_whole};
use super::sketch::{CountMinSketch, DEPTH, WIDTH};

const MAGIC: &[u8; 8] = b"LOPPERST";
const VERSION: u32 = 1;
const CHECKSUM_AT: usize = 40;
const HEADER_BYTES: usize = 48;
const COMPRESSION_LEVEL: i32 = 1;

/// Pages in the collection, and for each term an estimate of the pages that hold it.
///
/// The estimates come from a count-min sketch of 16 MiB (4 rows of 2²⁰ counters) with its mean noise taken off: exact in
/// small collections, and within a few pages of the truth at hundreds of thousands. An estimate is capped at the number of
/// pages.
///
/// ```
/// use lopper_store::CollectionStatistics;
/// use lopper_content::weigh::TermStatistics;
///
/// let mut statistics = CollectionStatistics::new();
/// statistics.add_page(["oak", "tree", "oak"]);
/// statistics.add_page(["tree"]);
/// assert_eq!((statistics.pages(), statistics.pages_with("tree"), statistics.pages_with("oak")), (2, 2, 1));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CollectionStatistics {
    pages: u64,
    sketch: CountMinSketch,
}

impl Default for CollectionStatistics {
    fn default() -> Self {
        Self::new()
    }
}

impl TermStatistics for CollectionStatistics {
    fn pages(&self) -> u64 {
        self.pages
    }

    fn pages_with(&self, term: &str) -> u64 {
        self.pages_with_hash(term_hash(term))
    }

    fn pages_with_key(&self, key: u64) -> u64 {
        self.pages_with_hash(key)
    }

    fn noise_pages(&self) -> u64 {
        self.sketch.noise()
    }
}

impl CollectionStatistics {
    /// Of an empty collection.
    pub fn new() -> Self {
        Self { pages: 0, sketch: CountMinSketch::new() }
    }

    /// As [`pages_with`](TermStatistics::pages_with), by the term's hash.
    pub fn pages_with_hash(&self, hash: u64) -> u64 {
        u64::from(self.sketch.estimate(hash)).min(self.pages)
    }

    /// Counts a page that holds `terms`; a term counts once, however often it is given.
    pub fn add_page<'a>(&mut self, terms: impl IntoIterator<Item = &'a str>) {
        self.add_page_hashes(&distinct_hashes(terms));
    }

    /// Undoes [`add_page`](Self::add_page) of a page that held exactly `terms`.
    pub fn remove_page<'a>(&mut self, terms: impl IntoIterator<Item = &'a str>) {
        self.remove_page_hashes(&distinct_hashes(terms));
    }

    /// Counts a page by the hashes of its terms, which are distinct.
    pub fn add_page_hashes(&mut self, hashes: &[u64]) {
        self.pages += 1;
        for &hash in hashes {
            self.sketch.add(hash);
        }
    }

    /// Undoes [`add_page_hashes`](Self::add_page_hashes) of a page with exactly these.
    pub fn remove_page_hashes(&mut self, hashes: &[u64]) {
        debug_assert!(self.pages > 0, "only what was added is removed");
        self.pages = self.pages.saturating_sub(1);
        for &hash in hashes {
            self.sketch.remove(hash);
        }
    }

    /// Reads the file of `generation`; generation 0 has none and is empty.
    pub(super) fn read(data: &Path, generation: u64) -> Result<Self, StoreError> {
        if generation == 0 {
            return Ok(Self::new());
        }
        let path = statistics_path(data, generation);
        let damaged = |what: &str| format!("{}: {what}", file_name(&path));
        let bytes = std::fs::read(&path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => StoreError::damaged(data, damaged("missing"), error),
            _ => StoreError::io("read", &path)(error),
        })?;
        parse(&bytes, generation).map_err(|what| StoreError::inconsistent(data, damaged(what)))
    }

    /// Writes the file of `generation`, durably.
    pub(super) fn write(&self, data: &Path, generation: u64) -> Result<(), StoreError> {
        let path = statistics_path(data, generation);
        let compressed =
            zstd::bulk::compress(self.sketch.bytes(), COMPRESSION_LEVEL).map_err(StoreError::io("compress", &path))?;
        write_whole(&path, &self.file_bytes(generation, &compressed))
    }

    fn file_bytes(&self, generation: u64, compressed: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEADER_BYTES + compressed.len());
        bytes.extend_from_slice(MAGIC);
        for number in [VERSION, DEPTH as u32, WIDTH as u32, 0] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        for number in [generation, self.pages, 0] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        bytes.extend_from_slice(compressed);
        let checksum = checksum(&bytes);
        bytes[CHECKSUM_AT..HEADER_BYTES].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }
}

fn checksum(file: &[u8]) -> u64 {
    let mut hasher = Xxh3::new();
    hasher.update(&file[..CHECKSUM_AT]);
    hasher.update(&file[HEADER_BYTES..]);
    hasher.digest()
}

fn parse(bytes: &[u8], generation: u64) -> Result<CollectionStatistics, &'static str> {
    let header = bytes.get(..HEADER_BYTES).ok_or("cut off")?;
    if !header.starts_with(MAGIC) {
        return Err("not a statistics file");
    }
    if header[CHECKSUM_AT..] != checksum(bytes).to_le_bytes() {
        return Err("wrong checksum");
    }
    let shape = [8, 12, 16].map(|at| number::<4>(header, at));
    if shape != [VERSION as u64, DEPTH as u64, WIDTH as u64] || number::<8>(header, 24) != generation {
        return Err("another version or generation");
    }
    let counters =
        zstd::bulk::decompress(&bytes[HEADER_BYTES..], DEPTH * WIDTH * 4).map_err(|_| "cannot be decompressed")?;
    Ok(CollectionStatistics {
        pages: number::<8>(header, 32),
        sketch: CountMinSketch::from_bytes(&counters).ok_or("wrong number of counters")?,
    })
}

/// The little-endian number of `N` bytes at `at`.
fn number<const N: usize>(bytes: &[u8], at: usize) -> u64 {
    let bytes = bytes[at..at + N].iter().rev();
    bytes.fold(0, |number, &byte| number << 8 | u64::from(byte))
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sample() -> CollectionStatistics {
        let mut statistics = CollectionStatistics::new();
        statistics.add_page(["oak", "tree"]);
        statistics.add_page(["elm", "tree"]);
        statistics
    }

    #[test]
    fn repeated_terms_count_once_a_page() {
        let mut statistics = sample();
        statistics.add_page(["oak", "oak", "oak"]);
        assert_eq!(statistics.pages(), 3);
        assert_eq!(statistics.pages_with("oak"), 2);
        assert_eq!(statistics.pages_with("tree"), 2);
        assert_eq!(statistics.pages_with("ash"), 0);
    }

    #[test]
    fn the_file_gives_back_what_was_written() {
        let folder = tempfile::tempdir().unwrap();
        sample().write(folder.path(), 3).unwrap();
        let read = CollectionStatistics::read(folder.path(), 3).unwrap();
        assert!(read == sample());
        let empty = CollectionStatistics::read(folder.path(), 0).unwrap();
        assert!(empty == CollectionStatistics::new());
    }

    #[test]
    fn a_damaged_file_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = statistics_path(folder.path(), 3);
        sample().write(folder.path(), 3).unwrap();
        let sound = std::fs::read(&path).unwrap();
        for at in [0, 9, 13, 17, 20, 25, 33, 41, 50, sound.len() - 1] {
            let mut bytes = sound.clone();
            bytes[at] ^= 1;
            std::fs::write(&path, &bytes).unwrap();
            assert_damaged(folder.path(), 3);
        }
        for length in [0, 20, HEADER_BYTES, sound.len() - 1] {
            std::fs::write(&path, &sound[..length]).unwrap();
            assert_damaged(folder.path(), 3);
        }
    }

    #[test]
    fn a_missing_or_mixed_up_file_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        sample().write(folder.path(), 3).unwrap();
        assert_damaged(folder.path(), 4);
        let other = statistics_path(folder.path(), 4);
        std::fs::rename(statistics_path(folder.path(), 3), other).unwrap();
        assert_damaged(folder.path(), 4);
    }

    fn assert_damaged(data: &Path, generation: u64) {
        let error = CollectionStatistics::read(data, generation).unwrap_err();
        assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
        let name = format!("statistics-{generation}.bin");
        assert!(error.to_string().contains(&name), "{error}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        #[test]
        fn removing_a_page_undoes_adding_it(
            kept in proptest::collection::vec("[a-d]{1,3}", 0..40),
            passing in proptest::collection::vec("[a-d]{1,3}", 0..40),
        ) {
            let mut statistics = CollectionStatistics::new();
            statistics.add_page(kept.iter().map(String::as_str));
            let before = statistics.clone();
            statistics.add_page(passing.iter().map(String::as_str));
            for term in &kept {
                let truth = 1 + u64::from(passing.contains(term));
                prop_assert!(statistics.pages_with(term) >= truth);
            }
            statistics.remove_page(passing.iter().map(String::as_str));
            prop_assert!(statistics == before);
        }
    }
}
