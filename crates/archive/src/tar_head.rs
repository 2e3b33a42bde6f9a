//! A tar file's header blocks: ustar, and the extensions of GNU and of POSIX for long names.

use super::member::name_text;
use super::tar::BLOCK_BYTES;

/// What follows a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TarKind {
    File,
    /// GNU: the name of the next file.
    LongName,
    /// POSIX: attributes of the next file.
    Attributes,
    /// A folder, a link, attributes of all files.
    Other,
}

/// A header block.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TarHead {
    pub(super) name: String,
    pub(super) len: u64,
    pub(super) kind: TarKind,
}

impl TarHead {
    /// Reads a header block; `None` if its checksum fails.
    pub(super) fn read(block: &[u8]) -> Option<Self> {
        let checksum = number(block.get(148..156)?)?;
        let sum: u64 = block.get(..BLOCK_BYTES)?.iter().map(|&byte| u64::from(byte)).sum();
        let own: u64 = block[148..156].iter().map(|&byte| u64::from(byte)).sum();
        if sum - own + 8 * u64::from(b' ') != checksum {
            return None;
        }
        let kind = match block[156] {
            b'0' | b'7' | 0 => TarKind::File,
            b'L' => TarKind::LongName,
            b'x' => TarKind::Attributes,
            _ => TarKind::Other,
        };
        // Links and folders have no content, whatever their size says.
        let len = if matches!(block[156], b'1'..=b'6') { 0 } else { number(&block[124..136])? };
        Some(Self { name: name(block), len, kind })
    }
}

fn name(block: &[u8]) -> String {
    let name = text(&block[..100]);
    let prefix = if &block[257..263] == b"ustar\0" { text(&block[345..500]) } else { String::new() };
    if prefix.is_empty() { name } else { format!("{prefix}/{name}") }
}

/// The name that the content of an extension gives to the next file.
pub(super) fn extended_name(kind: TarKind, content: &[u8]) -> Option<String> {
    if kind == TarKind::LongName {
        return Some(text(content));
    }
    let mut rest = content;
    while let Some(space) = memchr::memchr(b' ', rest) {
        let len: usize = std::str::from_utf8(&rest[..space]).ok()?.parse().ok()?;
        let attribute = rest.get(space + 1..len)?;
        if let Some(path) = attribute.strip_prefix(b"path=") {
            return Some(text(path.trim_ascii_end()));
        }
        rest = &rest[len..];
    }
    None
}

/// Bytes up to the first zero.
fn text(bytes: &[u8]) -> String {
    let len = memchr::memchr(0, bytes).unwrap_or(bytes.len());
    name_text(&bytes[..len])
}

/// Octal digits, or a binary number whose first bit is set.
fn number(field: &[u8]) -> Option<u64> {
    if field[0] & 0x80 != 0 {
        let value = field[1..].iter().try_fold(0u64, |value, &byte| Some(value.checked_mul(256)? + u64::from(byte)));
        return value.filter(|&value| value < 1 << 60);
    }
    let digits = text(field);
    let digits = digits.trim();
    if digits.is_empty() { Some(0) } else { u64::from_str_radix(digits, 8).ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_extended_names() {
        assert_eq!(extended_name(TarKind::Attributes, b"11 mtime=1\n17 path=a/b/c.ht\n").unwrap(), "a/b/c.ht");
        assert_eq!(extended_name(TarKind::LongName, b"a/b\0").unwrap(), "a/b");
        assert_eq!(extended_name(TarKind::Attributes, b"99999 path=x\n"), None);
    }

    #[test]
    fn numbers_are_octal_or_binary() {
        assert_eq!(number(b"00000000012\0"), Some(10));
        assert_eq!(number(b"\x80\0\0\0\0\0\0\0\0\0\x01\0"), Some(256));
        assert_eq!(number(b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"), None);
        assert_eq!(number(b"xyz\0"), None);
    }

    #[test]
    fn blocks_without_a_right_checksum_are_none() {
        assert_eq!(TarHead::read(&[0; BLOCK_BYTES]), None);
        assert_eq!(TarHead::read(&[b'a'; BLOCK_BYTES]), None);
    }
}
