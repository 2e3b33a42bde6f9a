//! Maps by numbers that are hashes or places already, so that hashing them once more may be quick.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// A map by numbers of our own making. Not for numbers that somebody may choose so that they meet.
pub type NumberMap<K, V> = HashMap<K, V, BuildHasherDefault<NumberHasher>>;

/// A set of such numbers.
pub(crate) type NumberSet<K> = HashSet<K, BuildHasherDefault<NumberHasher>>;

/// Mixes numbers by a multiplication, so that all their bits count in the highest ones, which the maps use, and in the lowest.
#[derive(Debug, Clone, Copy, Default)]
pub struct NumberHasher(u64);

/// 2⁶⁴ divided by the golden ratio, odd.
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

impl Hasher for NumberHasher {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(23) ^ number).wrapping_mul(FACTOR);
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    fn write_i64(&mut self, number: i64) {
        self.write_u64(number as u64);
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            self.write_u64(chunk.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::hash::{BuildHasher, Hash};

    use super::*;

    #[test]
    fn numbers_in_a_row_are_spread() {
        let hashes = BuildHasherDefault::<NumberHasher>::default();
        let spread =
            |bits: fn(u64) -> u64| (0..1000u64).map(|n| bits(hashes.hash_one(n << 20))).collect::<HashSet<_>>().len();
        assert!(spread(|hash| hash >> 57) == 128 && spread(|hash| hash & 0xFFF) > 700);
        let mut pair = NumberHasher::default();
        (7u64, 9u64).hash(&mut pair);
        assert_ne!(pair.finish(), hashes.hash_one(9u64));
    }
}
