//! The hashes by which statistics know terms.

use xxhash_rust::xxh3::xxh3_64;

/// Bits of a hash. 40 bits keep a page's hashes short on disk. With a hundred million distinct keys of one kind a given key has the
/// hash of another one with probability 10⁸ / 2⁴⁰ ≈ 10⁻⁴.
pub const TERM_HASH_BITS: u32 = 40;

/// The hash by which the statistics know `term`. Stored with the pages: a change of it is a change of format.
pub fn term_hash(term: &str) -> u64 {
    term_hash_of(xxh3_64(term.as_bytes()))
}

/// The same from the term's `xxh3_64`.
pub fn term_hash_of(hash: u64) -> u64 {
    hash >> (64 - TERM_HASH_BITS)
}

/// The distinct hashes of `terms`, ascending: what a page hands over.
pub fn distinct_hashes<'a>(terms: impl IntoIterator<Item = &'a str>) -> Vec<u64> {
    let mut hashes: Vec<u64> = terms.into_iter().map(term_hash).collect();
    hashes.sort_unstable();
    hashes.dedup();
    hashes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hash_is_that_of_the_format() {
        assert_eq!(term_hash("oak"), 738_872_494_355);
    }
}
