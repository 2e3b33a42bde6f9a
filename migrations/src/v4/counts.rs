//! Counts of keys in little memory, and the statistics file of version 4 with them.
//!
//! ```text
//! file    = "LOPPERST" 2:u32 0:u32 epoch:u64 pages:u64 checksum:u64 layer     checksum: xxh3_64 of all but itself
//! layer   = sections:u32 section*
//! section = kind:u32 key_bits:u32 bucket_bits:u32 0:u32 entries:u64 total:i64 length:u64 bucket*
//! bucket  = length entry*                 2^bucket_bits, by the first bits of the key
//! entry   = (gap << 1 | more) [count]     gap to the next key that could be; a count other than 1 follows, zigzag
//! ```
//! Numbers in buckets are of variable length, seven bits a byte; others little-endian.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

use xxhash_rust::xxh3::Xxh3;

const MAGIC: &[u8; 8] = b"LOPPERST";
const KEY_BITS: u32 = 40;

/// The kind of keys that were kept together.
const MIXED: u32 = 3;

/// Keys of a bucket, about.
const BUCKET_KEYS: u64 = 24;

/// Keys that are sorted at once.
const WAITING_MAX: usize = 8 << 20;

/// Counts the keys of pages.
#[derive(Default)]
pub(super) struct Counter {
    pages: u64,
    waiting: Vec<u64>,
    /// Each at least as long as the one behind it was when that was added.
    sorted: Vec<Sequence>,
}

/// Keys with their counts, ascending: entries, as in one bucket.
#[derive(Default)]
struct Sequence {
    entries: u64,
    bytes: Vec<u8>,
    next_min: u64,
}

impl Counter {
    pub(super) fn add_page(&mut self, keys: Vec<u64>) {
        self.pages += 1;
        self.waiting.extend(keys);
        if self.waiting.len() >= WAITING_MAX {
            self.sort();
        }
    }

    fn sort(&mut self) {
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.sort_unstable();
        let mut sequence = Sequence::default();
        for keys in waiting.chunk_by(|one, other| one == other) {
            sequence.push(keys[0], keys.len() as u64);
        }
        while let Some(last) = self.sorted.pop_if(|last| last.bytes.len() < 2 * sequence.bytes.len()) {
            sequence = merged(&last, &sequence);
        }
        self.sorted.push(sequence);
    }

    fn finish(mut self) -> (u64, Sequence) {
        self.sort();
        let all = self.sorted.iter().rev().fold(Sequence::default(), |all, next| merged(&all, next));
        (self.pages, all)
    }
}

impl Sequence {
    fn push(&mut self, key: u64, count: u64) {
        put_entry(&mut self.bytes, key - self.next_min, count);
        self.next_min = key + 1;
        self.entries += 1;
    }

    fn iter(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let (mut bytes, mut next_min) = (&self.bytes[..], 0);
        std::iter::from_fn(move || {
            if bytes.is_empty() {
                return None;
            }
            let code = take(&mut bytes);
            let count = if code & 1 == 0 { 1 } else { take(&mut bytes) >> 1 };
            let key = next_min + (code >> 1);
            next_min = key + 1;
            Some((key, count))
        })
    }
}

fn merged(one: &Sequence, two: &Sequence) -> Sequence {
    let (mut ones, mut twos) = (one.iter().peekable(), two.iter().peekable());
    let mut merged = Sequence::default();
    while let Some(key) = ones.peek().into_iter().chain(twos.peek()).map(|(key, _)| *key).min() {
        let count = [ones.next_if(|(next, _)| *next == key), twos.next_if(|(next, _)| *next == key)];
        merged.push(key, count.into_iter().flatten().map(|(_, count)| count).sum());
    }
    merged
}

fn put_entry(bytes: &mut Vec<u8>, gap: u64, count: u64) {
    put(bytes, gap << 1 | u64::from(count != 1));
    if count != 1 {
        put(bytes, count << 1);
    }
}

fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Of bytes that were put here.
fn take(bytes: &mut &[u8]) -> u64 {
    let (mut number, mut shift) = (0, 0);
    while let Some((&byte, rest)) = bytes.split_first() {
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte < 0x80 {
            break;
        }
    }
    number
}

/// The keys in buckets, with the bits that name a bucket.
fn buckets(counts: &Sequence) -> (u32, Vec<u8>) {
    let bucket_bits = (counts.entries / BUCKET_KEYS).max(1).ilog2().min(28);
    let rest_bits = KEY_BITS - bucket_bits;
    let (mut bytes, mut bucket) = (Vec::with_capacity(counts.bytes.len()), Vec::new());
    let (mut number, mut next_min) = (0, 0);
    for (key, count) in counts.iter() {
        while number < key >> rest_bits {
            put(&mut bytes, bucket.len() as u64);
            bytes.append(&mut bucket);
            (number, next_min) = (number + 1, 0);
        }
        let rest = key & ((1 << rest_bits) - 1);
        put_entry(&mut bucket, rest - next_min, count);
        next_min = rest + 1;
    }
    while number < 1 << bucket_bits {
        put(&mut bytes, bucket.len() as u64);
        bytes.append(&mut bucket);
        number += 1;
    }
    (bucket_bits, bytes)
}

/// Writes the file durably: beside it, synced, renamed.
pub(super) fn write_file(path: &Path, epoch: u64, counter: Counter) -> io::Result<()> {
    let (pages, counts) = counter.finish();
    let total: u64 = counts.iter().map(|(_, count)| count).sum();
    let (bucket_bits, buckets) = buckets(&counts);
    let mut bytes = MAGIC.to_vec();
    bytes.extend([2u32, 0].into_iter().flat_map(u32::to_le_bytes));
    bytes.extend([epoch, pages, 0].into_iter().flat_map(u64::to_le_bytes));
    bytes.extend([1, MIXED, KEY_BITS, bucket_bits, 0].into_iter().flat_map(u32::to_le_bytes));
    bytes.extend([counts.entries, total, buckets.len() as u64].into_iter().flat_map(u64::to_le_bytes));
    bytes.extend(buckets);
    let mut hasher = Xxh3::new();
    hasher.update(&bytes[..32]);
    hasher.update(&bytes[40..]);
    bytes[32..40].copy_from_slice(&hasher.digest().to_le_bytes());
    let unfinished = path.with_extension("tmp");
    let mut file = File::create(&unfinished)?;
    file.write_all(&bytes)?;
    file.sync_all()?;
    fs::rename(&unfinished, path)
}

/// The version of a statistics file; `None` where there is none.
pub(super) fn file_version(path: &Path) -> Option<u32> {
    let mut head = [0; 12];
    File::open(path).ok()?.read_exact(&mut head).ok()?;
    let version = head.strip_prefix(MAGIC)?;
    version.try_into().ok().map(u32::from_le_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_counted_over_pages() {
        let mut counter = Counter::default();
        for page in 0..10u64 {
            counter.add_page(vec![7, 1000 + page, (1 << KEY_BITS) - 1]);
            if page % 3 == 0 {
                counter.sort();
            }
        }
        let (pages, counts) = counter.finish();
        let expected = [(7, 10)].into_iter().chain((1000..1010).map(|key| (key, 1))).chain([((1 << KEY_BITS) - 1, 10)]);
        assert!(pages == 10 && counts.iter().eq(expected), "{:?}", counts.iter().collect::<Vec<_>>());
        assert_eq!(counts.entries, 12);
    }
}
