//! Interned names without interning the same name twice.

use html5ever::LocalName;

/// Places in a cache; a power of two. Pages use some sixty names of elements and as many of attributes.
const PLACES: usize = 256;

/// Bytes of a name that fit the key.
const KEY_BYTES: usize = 16;

/// A name in lower case, packed; 0 when it does not fit or holds other characters than ASCII.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct NameKey(u128);

impl NameKey {
    /// The key of a name.
    pub(super) fn of(name: &[u8]) -> Self {
        if name.len() > KEY_BYTES {
            return Self(0);
        }
        let mut key = 0;
        for byte in name {
            if !byte.is_ascii() || *byte == 0 {
                return Self(0);
            }
            key = key << 8 | u128::from(byte.to_ascii_lowercase());
        }
        Self(key)
    }

    fn place(self) -> usize {
        let folded = (self.0 as u64) ^ ((self.0 >> 64) as u64).rotate_left(23);
        (folded.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as usize % PLACES
    }
}

/// A name and what was found out about it.
#[derive(Debug, Clone, Default)]
struct KnownName {
    key: NameKey,
    name: LocalName,
    flag: bool,
}

/// The names met last, each at the place that its key gives.
pub(super) struct NameCache {
    entries: Vec<KnownName>,
}

impl NameCache {
    pub(super) fn new() -> Self {
        Self { entries: vec![KnownName::default(); PLACES] }
    }

    /// The interned name of `bytes` in lower case, with what `flag` says of it; `flag` is asked once for each name that stays in
    /// the cache.
    pub(super) fn get(&mut self, bytes: &[u8], flag: impl Fn(&LocalName) -> bool) -> (&LocalName, bool) {
        let key = NameKey::of(bytes);
        let entry = &mut self.entries[key.place()];
        if entry.key != key || key == NameKey::default() {
            let name = intern(bytes);
            *entry = KnownName { key, flag: flag(&name), name };
        }
        (&entry.name, entry.flag)
    }
}

fn intern(bytes: &[u8]) -> LocalName {
    // Names are cut from text at ASCII characters, so nothing is lost here.
    let name = String::from_utf8_lossy(bytes).replace('\0', "\u{fffd}").to_ascii_lowercase();
    LocalName::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_interning() {
        let mut cache = NameCache::new();
        for _ in 0..2 {
            for name in
                ["a", "DIV", "é", "x\0y", "a-name-of-more-than-sixteen-bytes", "", "blockquote", "exactly-16-bytes"]
            {
                let expected = LocalName::from(name.replace('\0', "\u{fffd}").to_ascii_lowercase());
                let (found, flag) = cache.get(name.as_bytes(), |name| name.len() > 3);
                assert_eq!((found, flag), (&expected, expected.len() > 3));
            }
        }
    }
}
