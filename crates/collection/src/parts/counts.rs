//! In how many pages of a part, or of many parts, each term, link and site block occurs.
//!
//! ```text
//! counts = "LOPPERC1" pages:u64 length:u64 layer hash:u64      layer: length bytes; hash: xxh3 of all before it
//! ```
//! Integers are little-endian. Counts of parts add up in any order.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use lopper_content::statistics::{CountLayer, PageKeys, StatisticsChange, StatisticsSnapshot};
use xxhash_rust::xxh3::xxh3_64;

use super::PartError;

const MAGIC: &[u8; 8] = b"LOPPERC1";

/// Keys that are gathered before they are counted: 64 MiB.
const KEYS_GATHERED_MAX: usize = 8 << 20;

/// Counts that grow.
///
/// ```
/// use lopper_collection::parts::PartCounts;
/// use lopper_content::statistics::PageKeys;
///
/// let (mut one, mut two) = (PartCounts::default(), PartCounts::default());
/// one.add(&PageKeys::of_terms(["oak", "tree"]));
/// two.add(&PageKeys::of_terms(["tree"]));
/// one.merge(two);
/// assert_eq!(one.snapshot().page_count(), 2);
/// ```
#[derive(Debug, Default)]
pub struct PartCounts {
    counted: StatisticsSnapshot,
    change: StatisticsChange,
}

impl PartCounts {
    /// Counts a page.
    pub fn add(&mut self, page: &PageKeys) {
        self.change.add(page);
        if self.change.len() > KEYS_GATHERED_MAX {
            self.settle();
        }
    }

    fn settle(&mut self) {
        if !self.change.is_empty() {
            self.counted = self.counted.with(std::mem::take(&mut self.change));
        }
    }

    /// Adds the counts of other pages.
    pub fn merge(&mut self, mut other: Self) {
        self.settle();
        other.settle();
        self.counted.merge(&other.counted);
    }

    /// The sum of many, in one pass: each is merged log2(number) times at most.
    ///
    /// # Errors
    ///
    /// The first error among them.
    pub fn sum<E>(all: impl Iterator<Item = Result<Self, E>>) -> Result<Self, E> {
        // Sums of as many as stand beside them, the largest first.
        let mut sums: Vec<(u64, Self)> = Vec::new();
        for counts in all {
            let (mut number, mut sum) = (1, counts?);
            while let Some((_, other)) = sums.pop_if(|(other, _)| *other == number) {
                sum.merge(other);
                number *= 2;
            }
            sums.push((number, sum));
        }
        let mut sums = sums.into_iter().rev().map(|(_, sum)| sum);
        let mut sum = sums.next().unwrap_or_default();
        sums.for_each(|other| sum.merge(other));
        Ok(sum)
    }

    /// What pages can be weighed by.
    pub fn snapshot(mut self) -> StatisticsSnapshot {
        self.settle();
        self.counted
    }

    /// The bytes of a file of counts: the same for the same pages, in whatever order they came.
    pub fn to_bytes(mut self) -> Vec<u8> {
        self.settle();
        // One layer, whatever order the pages came in.
        self.counted.merge(&StatisticsSnapshot::default());
        let layer = self.counted.layers().first().map(|layer| layer.to_bytes()).unwrap_or_default();
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&self.counted.page_count().to_le_bytes());
        bytes.extend_from_slice(&(layer.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&layer);
        bytes.extend_from_slice(&xxh3_64(&bytes).to_le_bytes());
        bytes
    }

    /// Reads the bytes of a file of counts; `None` for others.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (content, hash) = bytes.split_last_chunk::<8>()?;
        let rest = content.strip_prefix(MAGIC)?;
        let (pages, rest) = rest.split_first_chunk::<8>()?;
        let (length, layer) = rest.split_first_chunk::<8>()?;
        let is_whole =
            xxh3_64(content) == u64::from_le_bytes(*hash) && layer.len() as u64 == u64::from_le_bytes(*length);
        let layer = CountLayer::from_bytes(1, layer).ok().filter(|_| is_whole)?;
        let counted = StatisticsSnapshot::from_layers(1, u64::from_le_bytes(*pages), vec![Arc::new(layer)]);
        Some(Self { counted, change: StatisticsChange::default() })
    }

    /// Reads a file of counts.
    ///
    /// # Errors
    ///
    /// [`PartError::Io`], [`PartError::Counts`].
    pub fn read(path: &Path) -> Result<Self, PartError> {
        let bytes = fs::read(path).map_err(PartError::io("read", path))?;
        Self::from_bytes(&bytes).ok_or_else(|| PartError::Counts { path: path.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(number: u64) -> PageKeys {
        PageKeys::new((number..number + 5).collect(), vec![number % 3], vec![number % 2])
    }

    fn of(pages: impl Iterator<Item = u64>) -> PartCounts {
        let mut counts = PartCounts::default();
        pages.for_each(|number| counts.add(&page(number)));
        counts
    }

    #[test]
    fn parts_in_any_order_give_the_same_bytes() {
        let whole = of(0..100).to_bytes();
        let mut merged = of(70..100);
        merged.merge(PartCounts::from_bytes(&of(0..70).to_bytes()).unwrap());
        assert_eq!(merged.to_bytes(), whole);
        assert_eq!(PartCounts::from_bytes(&whole).unwrap().snapshot(), of((0..100).rev()).snapshot());
        let tens = (0..10).map(|ten| Ok::<_, ()>(of(ten * 10..ten * 10 + 10)));
        assert_eq!(PartCounts::sum(tens).unwrap().to_bytes(), whole);
    }

    #[test]
    fn damaged_bytes_are_none() {
        let bytes = of(0..9).to_bytes();
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert!(PartCounts::from_bytes(&damaged).is_none(), "byte {at}");
            assert!(PartCounts::from_bytes(&bytes[..at]).is_none(), "cut at {at}");
        }
    }
}
