//! Maps whose keys are hashes already.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map from hashes.
pub(super) type HashedMap<K, V> = HashMap<K, V, BuildHasherDefault<Spread>>;

/// An empty map with room for so many keys.
pub(super) fn with_room<K, V>(keys: usize) -> HashedMap<K, V> {
    HashMap::with_capacity_and_hasher(keys, BuildHasherDefault::default())
}

/// Joins the parts of a key by one multiplication each.
#[derive(Debug, Default)]
pub(super) struct Spread(u64);

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u32(&mut self, part: u32) {
        self.write_u64(u64::from(part));
    }

    fn write_u64(&mut self, part: u64) {
        let mixed = (self.0.rotate_left(29) ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 32);
    }
}
