//! Counts of keys in one sorted, compressed sequence.
//!
//! ```text
//! run    = bucket * 2^bucket_bits                  a bucket holds the keys with the same leading `bucket_bits` bits, ascending
//! bucket = length entry*                           length in bytes
//! entry  = (gap << 1 | more) [count]               gap: to the key before, or to the bucket's first key; a count of 1 is left out
//! ```
//! Numbers are of variable length ([`bits`](super::bits)), counts zigzag: a change that takes pages out has negative ones.

use super::TERM_HASH_BITS;
use super::bits::{put, take, unzigzag, zigzag};

/// Keys of a bucket at least, on average, and half of what there are at most: half of them are read for a look-up.
const BUCKET_KEYS: u64 = 8;

/// Leading bits of a key that name its bucket, at most.
const BUCKET_BITS_MAX: u32 = 28;

/// Sorted keys, each with a count that is not 0.
///
/// A key is the leading [`key_bits`](Self::key_bits) bits of a hash. With all 40 the counts are exact but for equal hashes. Each bit less
/// halves the keys that there can be; hashes that differ only behind share a count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountRun {
    key_bits: u32,
    bucket_bits: u32,
    entries: u64,
    total: i64,
    bytes: Box<[u8]>,
    /// Where each bucket begins in `bytes`.
    starts: Box<[u32]>,
}

/// Bytes that are no run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// Its buckets are not as its head says.
    #[error("its buckets do not fit its length")]
    Buckets,
    /// Its keys or counts are not as its head says.
    #[error("its entries are not in order")]
    Entries,
}

impl Default for CountRun {
    fn default() -> Self {
        RunBuilder::new(TERM_HASH_BITS, 0).finish()
    }
}

impl CountRun {
    /// Of hashes with their counts, hashes ascending, each once. Counts of 0 are left out.
    pub fn from_sorted(counts: impl ExactSizeIterator<Item = (u64, i64)>) -> Self {
        let mut builder = RunBuilder::new(TERM_HASH_BITS, counts.len() as u64);
        counts.for_each(|(hash, count)| builder.push(hash, count));
        builder.finish()
    }

    /// Adds runs up; of keys of different lengths the shortest counts.
    pub fn merged(runs: &[&Self]) -> Self {
        let key_bits = runs.iter().map(|run| run.key_bits).min().unwrap_or(TERM_HASH_BITS);
        let mut builder = RunBuilder::new(key_bits, runs.iter().map(|run| run.entries).sum());
        let mut heads: Vec<_> = runs.iter().map(|run| Head::of(run, key_bits)).collect();
        while let Some(key) = heads.iter().filter_map(|head| head.next).map(|(key, _)| key).min() {
            builder.push(key, heads.iter_mut().map(|head| head.take(key)).sum());
        }
        builder.finish()
    }

    /// With as many bits of each key less as are needed for `bytes_max`.
    #[must_use]
    pub fn shortened(self, bytes_max: usize) -> Self {
        let mut run = self;
        while run.size_bytes() > bytes_max && run.key_bits > 0 {
            let key_bits = run.key_bits - 1;
            run = run.with_key_bits(key_bits);
        }
        run
    }

    /// With keys of `key_bits` bits, if they are longer.
    #[must_use]
    pub(crate) fn with_key_bits(self, key_bits: u32) -> Self {
        if key_bits >= self.key_bits {
            return self;
        }
        let mut builder = RunBuilder::new(key_bits, self.entries);
        let mut head = Head::of(&self, key_bits);
        while let Some((key, _)) = head.next {
            builder.push(key, head.take(key));
        }
        builder.finish()
    }

    /// Reads a run back from its [`bytes`](Self::bytes), and checks all of it.
    ///
    /// # Errors
    ///
    /// [`RunError`] for bytes that are not those of a run with these numbers.
    pub fn from_bytes(
        key_bits: u32,
        bucket_bits: u32,
        entries: u64,
        total: i64,
        bytes: &[u8],
    ) -> Result<Self, RunError> {
        if key_bits > TERM_HASH_BITS || bucket_bits > BUCKET_BITS_MAX.min(key_bits) {
            return Err(RunError::Buckets);
        }
        let starts = bucket_starts(bytes, bucket_bits)?.into();
        let run = Self { key_bits, bucket_bits, entries, total, bytes: bytes.into(), starts };
        if run.is_sound() { Ok(run) } else { Err(RunError::Entries) }
    }

    /// The count of `hash`; 0 when it has none.
    pub fn count(&self, hash: u64) -> i64 {
        if self.entries == 0 {
            return 0;
        }
        let key = hash >> (TERM_HASH_BITS - self.key_bits);
        let rest_bits = self.key_bits - self.bucket_bits;
        let wanted = key & ones(rest_bits);
        let mut entries = Entries::new(self.bucket((key >> rest_bits) as usize));
        loop {
            match entries.next() {
                Some((rest, count)) if rest == wanted => return count,
                Some((rest, _)) if rest < wanted => {}
                _ => return 0,
            }
        }
    }

    /// All keys with their counts, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (u64, i64)> + '_ {
        RunEntries::of(self)
    }

    /// Leading bits of the hashes that are kept, up to 40.
    pub fn key_bits(&self) -> u32 {
        self.key_bits
    }

    /// Leading bits of a key that name its bucket.
    pub fn bucket_bits(&self) -> u32 {
        self.bucket_bits
    }

    /// Number of keys.
    pub fn entries(&self) -> u64 {
        self.entries
    }

    /// Sum of all counts.
    pub fn total(&self) -> i64 {
        self.total
    }

    /// What is to be stored.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Memory that it takes.
    pub fn size_bytes(&self) -> usize {
        self.bytes.len() + size_of_val(&self.starts[..])
    }

    /// The entries of a bucket; none where there is no such bucket.
    fn bucket(&self, bucket: usize) -> &[u8] {
        let from = self.starts.get(bucket).map(|start| *start as usize);
        let mut bytes = from.and_then(|from| self.bytes.get(from..)).unwrap_or_default();
        let length = take(&mut bytes).unwrap_or(0) as usize;
        bytes.get(..length).unwrap_or_default()
    }

    /// Whether the entries are in order, and as many and as much as the head says.
    fn is_sound(&self) -> bool {
        let rest_max = ones(self.key_bits - self.bucket_bits);
        let (mut found, mut total) = (0, 0i64);
        for bucket in 0..self.starts.len() {
            let mut entries = Entries::new(self.bucket(bucket));
            let mut before = None;
            for (rest, count) in entries.by_ref() {
                if rest > rest_max || before.is_some_and(|before| rest <= before) || count == 0 {
                    return false;
                }
                before = Some(rest);
                found += 1;
                total = total.saturating_add(count);
            }
            if !entries.bytes.is_empty() {
                return false;
            }
        }
        found == self.entries && total == self.total
    }
}

/// Where each of the buckets begins; they must end where the bytes do.
fn bucket_starts(bytes: &[u8], bucket_bits: u32) -> Result<Vec<u32>, RunError> {
    let buckets = 1usize << bucket_bits;
    // A bucket has one byte at least.
    if buckets > bytes.len() || u32::try_from(bytes.len()).is_err() {
        return Err(RunError::Buckets);
    }
    let mut rest = bytes;
    let mut starts = Vec::with_capacity(buckets);
    for _ in 0..buckets {
        starts.push((bytes.len() - rest.len()) as u32);
        let length = take(&mut rest).ok_or(RunError::Buckets)?;
        let length = usize::try_from(length).map_err(|_| RunError::Buckets)?;
        rest = rest.get(length..).ok_or(RunError::Buckets)?;
    }
    if rest.is_empty() { Ok(starts) } else { Err(RunError::Buckets) }
}

/// `bits` ones.
fn ones(bits: u32) -> u64 {
    (1u64 << bits) - 1
}

/// The entries of a bucket: keys without the bits that name it.
struct Entries<'a> {
    bytes: &'a [u8],
    next_min: u64,
}

impl<'a> Entries<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, next_min: 0 }
    }
}

impl Iterator for Entries<'_> {
    type Item = (u64, i64);

    #[inline]
    fn next(&mut self) -> Option<(u64, i64)> {
        let mut bytes = self.bytes;
        let code = take(&mut bytes)?;
        let count = if code & 1 == 0 { 1 } else { unzigzag(take(&mut bytes)?) };
        let rest = self.next_min.checked_add(code >> 1)?;
        (self.bytes, self.next_min) = (bytes, rest.checked_add(1)?);
        Some((rest, count))
    }
}

/// The entries of all buckets, with whole keys.
struct RunEntries<'a> {
    run: &'a CountRun,
    bucket: usize,
    entries: Entries<'a>,
}

impl<'a> RunEntries<'a> {
    fn of(run: &'a CountRun) -> Self {
        Self { run, bucket: 0, entries: Entries::new(run.bucket(0)) }
    }
}

impl Iterator for RunEntries<'_> {
    type Item = (u64, i64);

    #[inline]
    fn next(&mut self) -> Option<(u64, i64)> {
        loop {
            if let Some((rest, count)) = self.entries.next() {
                return Some(((self.bucket as u64) << (self.run.key_bits - self.run.bucket_bits) | rest, count));
            }
            self.bucket += 1;
            if self.bucket >= self.run.starts.len() {
                return None;
            }
            self.entries = Entries::new(self.run.bucket(self.bucket));
        }
    }
}

/// A run that is read from its beginning, with keys of `key_bits` bits.
struct Head<'a> {
    entries: RunEntries<'a>,
    shift: u32,
    next: Option<(u64, i64)>,
}

impl<'a> Head<'a> {
    fn of(run: &'a CountRun, key_bits: u32) -> Self {
        let mut head = Self { entries: RunEntries::of(run), shift: run.key_bits - key_bits, next: None };
        head.advance();
        head
    }

    fn advance(&mut self) {
        self.next = self.entries.next().map(|(key, count)| (key >> self.shift, count));
    }

    /// The counts of `key`, which are taken off.
    fn take(&mut self, key: u64) -> i64 {
        let mut sum = 0;
        while let Some((_, count)) = self.next.filter(|(next, _)| *next == key) {
            sum += count;
            self.advance();
        }
        sum
    }
}

/// Writes a run.
struct RunBuilder {
    key_bits: u32,
    bucket_bits: u32,
    entries: u64,
    total: i64,
    bytes: Vec<u8>,
    starts: Vec<u32>,
    /// The bucket that is written.
    bucket: Vec<u8>,
    next_min: u64,
}

impl RunBuilder {
    /// For `entries` keys at most.
    fn new(key_bits: u32, entries: u64) -> Self {
        let wanted = (entries / BUCKET_KEYS).max(1).ilog2();
        let bucket_bits = wanted.min(BUCKET_BITS_MAX).min(key_bits);
        let starts = Vec::with_capacity(1 << bucket_bits);
        let (bytes, bucket) = (Vec::with_capacity(entries as usize * 2), Vec::new());
        Self { key_bits, bucket_bits, entries: 0, total: 0, bytes, starts, bucket, next_min: 0 }
    }

    /// Adds a key behind all others.
    fn push(&mut self, key: u64, count: i64) {
        debug_assert!(key >> self.key_bits == 0, "a key has no more bits than a run's keys");
        if count == 0 {
            return;
        }
        let rest_bits = self.key_bits - self.bucket_bits;
        self.begin((key >> rest_bits) as usize);
        let rest = key & ones(rest_bits);
        debug_assert!(rest >= self.next_min, "keys ascend");
        put(&mut self.bucket, (rest - self.next_min) << 1 | u64::from(count != 1));
        if count != 1 {
            put(&mut self.bucket, zigzag(count));
        }
        self.next_min = rest + 1;
        self.entries += 1;
        self.total += count;
    }

    /// Ends all buckets before `bucket`.
    fn begin(&mut self, bucket: usize) {
        while self.starts.len() < bucket {
            self.end_bucket();
        }
    }

    fn end_bucket(&mut self) {
        self.starts.push(self.bytes.len() as u32);
        put(&mut self.bytes, self.bucket.len() as u64);
        self.bytes.append(&mut self.bucket);
        self.next_min = 0;
    }

    fn finish(mut self) -> CountRun {
        self.begin(1 << self.bucket_bits);
        let Self { key_bits, bucket_bits, entries, total, bytes, starts, .. } = self;
        CountRun { key_bits, bucket_bits, entries, total, bytes: bytes.into(), starts: starts.into() }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn run(counts: &BTreeMap<u64, i64>) -> CountRun {
        CountRun::from_sorted(counts.iter().map(|(key, count)| (*key, *count)))
    }

    fn counts() -> impl Strategy<Value = BTreeMap<u64, i64>> {
        let key =
            prop_oneof![0u64..1 << TERM_HASH_BITS, 0u64..300, (1 << TERM_HASH_BITS) - 300..1u64 << TERM_HASH_BITS];
        let count = prop_oneof![Just(1i64), -3i64..2000];
        proptest::collection::btree_map(key, count, 0..200)
    }

    fn read_again(run: &CountRun, bytes: &[u8]) -> Result<CountRun, RunError> {
        CountRun::from_bytes(run.key_bits, run.bucket_bits, run.entries, run.total, bytes)
    }

    proptest! {
        #[test]
        fn what_was_put_in_is_counted(mut counts in counts(), other in 0u64..1 << TERM_HASH_BITS) {
            let run = run(&counts);
            counts.retain(|_, count| *count != 0);
            prop_assert!(run.iter().eq(counts.iter().map(|(key, count)| (*key, *count))));
            for key in counts.keys().copied().chain([other]) {
                prop_assert_eq!(run.count(key), counts.get(&key).copied().unwrap_or(0));
            }
            prop_assert_eq!(run.total(), counts.values().sum::<i64>());
            prop_assert_eq!(read_again(&run, run.bytes()), Ok(run));
        }

        #[test]
        fn merging_adds_up(one in counts(), two in counts()) {
            let mut both = one.clone();
            for (key, count) in &two {
                *both.entry(*key).or_default() += count;
            }
            let merged = CountRun::merged(&[&run(&one), &run(&two)]);
            prop_assert!(merged.iter().eq(run(&both).iter()));
        }

        #[test]
        fn shortening_joins_neighbours(counts in counts(), bytes_max in 1usize..200) {
            let short = run(&counts).shortened(bytes_max);
            prop_assert!(short.size_bytes() <= bytes_max || short.key_bits() == 0);
            let shift = TERM_HASH_BITS - short.key_bits();
            for key in counts.keys() {
                let alike = counts.iter().filter(|(other, _)| *other >> shift == key >> shift);
                prop_assert_eq!(short.count(*key), alike.map(|(_, count)| count).sum::<i64>());
            }
        }

        #[test]
        fn damaged_bytes_give_an_error_or_a_run(counts in counts(), at: prop::sample::Index, change in 1u8..) {
            let run = run(&counts);
            let mut bytes = run.bytes().to_vec();
            let at = at.index(bytes.len());
            bytes[at] ^= change;
            if let Ok(other) = read_again(&run, &bytes) {
                prop_assert!(other.iter().count() as u64 == run.entries());
            }
            prop_assert!(read_again(&run, &bytes[..at]).is_err());
        }
    }

    #[test]
    fn merging_takes_the_shorter_keys() {
        let long = CountRun::from_sorted([(0b1011u64 << 36, 1), (0b1110 << 36, 4)].into_iter());
        let short = long.clone().shortened(0);
        assert_eq!(short.key_bits(), 0);
        let merged = CountRun::merged(&[&long, &short]);
        assert_eq!((merged.key_bits(), merged.count(7), merged.total()), (0, 10, 10));
    }

    #[test]
    fn a_large_run_has_small_buckets() {
        let step = (1u64 << TERM_HASH_BITS) / 100_000;
        let counts: Vec<(u64, i64)> = (0..100_000).map(|number| (number * step, 1 + number as i64 % 3)).collect();
        let run = CountRun::from_sorted(counts.iter().copied());
        assert_eq!(run.bucket_bits(), 13);
        assert!(counts.iter().all(|(key, count)| run.count(*key) == *count));
        assert!(run.size_bytes() < 100_000 * 6, "{}", run.size_bytes());
    }
}
