//! Interned names without interning the same name twice.

use html5ever::LocalName;

/// Places in a cache; a power of two. Pages use some sixty names of elements and as many of attributes.
const PLACES: usize = 256;

/// Bytes of a name that fit the key.
const KEY_BYTES: usize = 16;

/// A name in lower case, packed; 0 when it does not fit or holds other characters than ASCII.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct NameKey(u128);

/// One in each byte of a key.
const EACH: u128 = u128::from_le_bytes([1; KEY_BYTES]);

/// The high bit of each.
const HIGH: u128 = EACH << 7;

/// A byte in each place.
const fn each(byte: u8) -> u128 {
    EACH * byte as u128
}

impl NameKey {
    /// The key of a name.
    pub(super) fn of(name: &[u8]) -> Self {
        let mut bytes = [b' '; KEY_BYTES];
        let Some(of_name) = bytes.get_mut(..name.len()) else { return Self(0) };
        of_name.copy_from_slice(name);
        Self::filled_up(u128::from_le_bytes(bytes))
    }

    /// The key of the name with which a text begins, and the name's length: up to the first blank, `/`, `=` or `>`. It is found in all bytes
    /// at once. `None` where the end is not among them, or something else stands there first that might be one, or the name is empty.
    pub(super) fn at_start(text: &[u8]) -> Option<(Self, usize)> {
        let bytes = u128::from_le_bytes(*text.first_chunk()?);
        // The high bit of a byte is set if it is one of these, up to the first of them.
        let controls = bytes.wrapping_sub(each(b' ' + 1)) & !bytes;
        let slash = bytes ^ each(b'/');
        let from_less_to_question = (bytes | each(3)) ^ each(b'?');
        let [slash, signs] = [slash, from_less_to_question].map(|zero| zero.wrapping_sub(EACH) & !zero);
        let ends = (controls | slash | signs) & HIGH;
        let length = ends.trailing_zeros() as usize / 8;
        let ends_name = |end: &u8| matches!(end, b'\t' | b'\n' | 0x0c | b' ' | b'/' | b'>' | b'=');
        if length == 0 || length == KEY_BYTES || !text.get(length).is_some_and(ends_name) {
            return None;
        }
        let of_name = (1 << (8 * length)) - 1;
        Some((Self::filled_up((bytes & of_name) | (each(b' ') & !of_name)), length))
    }

    /// The key of a name that blanks, which no name has, fill up; made of all its bytes at once.
    fn filled_up(key: u128) -> Self {
        // A byte's high bit is set if it is none of ASCII, and in the difference if it is 0.
        if (key | key.wrapping_sub(EACH)) & HIGH != 0 || key == each(b' ') {
            return Self(0);
        }
        let from_a = key + each(0x80 - b'A');
        let behind_z = key + each(0x7f - b'Z');
        Self(key | (from_a ^ behind_z) >> 2 & HIGH >> 2)
    }

    fn place(self) -> usize {
        let folded = (self.0 as u64) ^ ((self.0 >> 64) as u64).rotate_left(23);
        (folded.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as usize % PLACES
    }

    /// The place of a name that has no key: by its beginning and its length.
    fn place_without_key(name: &[u8]) -> usize {
        let beginning = Self::of(&name[..name.len().min(KEY_BYTES)]).place();
        (beginning ^ name.last().map_or(0, |last| usize::from(last.to_ascii_lowercase())) ^ name.len() << 2) % PLACES
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

    /// The interned name of `bytes`, whose key is given, in lower case, with what `flag` says of it; `flag` is asked once for each name that
    /// stays in the cache.
    pub(super) fn get(&mut self, key: NameKey, bytes: &[u8], flag: impl Fn(&LocalName) -> bool) -> (&LocalName, bool) {
        let has_key = key != NameKey::default();
        let entry = &mut self.entries[if has_key { key.place() } else { NameKey::place_without_key(bytes) }];
        let is_same = || !bytes.is_empty() && entry.name.as_bytes().eq_ignore_ascii_case(bytes);
        let is_known = entry.key == key && (has_key || is_same());
        if !is_known {
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
    fn the_name_at_the_start_of_a_text_is_found_with_its_key() {
        let rest = " class='a name of more bytes than a key has'";
        for name in ["a", "DIV", "x-y", "exactly15-bytes", "é", "x\u{1}y", "a\u{80}"] {
            for end in [" ", "\t", "\n", "\u{c}", "/", ">", "="] {
                let text = format!("{name}{end}{rest}");
                let expected = (NameKey::of(name.as_bytes()), name.len());
                let found = NameKey::at_start(text.as_bytes());
                assert_eq!(found, (!name.contains('\u{1}')).then_some(expected), "{text}");
            }
        }
        for text in [
            "exactly-16-bytes and more of them",
            "a b",
            "a",
            "",
            "=a b c d e f g h i j",
            "a<b c d e f g h i j",
            "a?b c d e f g h",
        ] {
            assert_eq!(NameKey::at_start(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn names_are_those_of_interning() {
        let names = [
            "a",
            "DIV",
            "é",
            "É",
            "x\0y",
            "x\0",
            "\0x",
            "@AZ[`az{",
            "a-name-of-more-than-sixteen-bytes",
            "A-NAME-of-more-than-sixteen-bytes",
            "a-name-of-more-than-sixteen-notes",
            "a-name-of-more-than-\0ixteen-bytes",
            "",
            "blockquote",
            "exactly-16-bytes",
            "EXACTLY-16-BYTES",
        ];
        let mut cache = NameCache::new();
        for _ in 0..2 {
            for name in names {
                let expected = LocalName::from(name.replace('\0', "\u{fffd}").to_ascii_lowercase());
                let (found, flag) = cache.get(NameKey::of(name.as_bytes()), name.as_bytes(), |name| name.len() > 3);
                assert_eq!((found, flag), (&expected, expected.len() > 3));
            }
        }
    }
}
