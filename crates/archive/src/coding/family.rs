//! Compressions, told by their first bytes.

use memchr::memmem;

use super::{bzip2, gzip, lz4, xz, zstd};

/// Bytes that tell a member.
pub(crate) const HEAD_BYTES: usize = bzip2::HEAD_BYTES;

/// The compressions that a file may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    Gzip,
    Zstd,
    Lz4,
    Bzip2,
    Xz,
}

impl Family {
    /// The compression of a file that begins with `bytes`.
    pub(crate) fn of(bytes: &[u8]) -> Option<Self> {
        let families = [Self::Gzip, Self::Zstd, Self::Lz4, Self::Bzip2, Self::Xz];
        // A file that begins with a skippable frame is taken for zstd, whose dictionaries lie in such a frame.
        families.into_iter().find(|family| family.begins(bytes)).or_else(|| is_skippable(bytes).then_some(Self::Zstd))
    }

    /// Whether a member of this compression may begin here. Fewer than [`HEAD_BYTES`] are the file's last.
    pub(super) fn begins(self, bytes: &[u8]) -> bool {
        match self {
            Self::Gzip => gzip::begins(bytes),
            Self::Zstd => bytes.starts_with(&zstd::MAGIC),
            Self::Lz4 => bytes.starts_with(&lz4::MAGIC),
            Self::Bzip2 => bzip2::begins(bytes),
            Self::Xz => bytes.starts_with(&xz::MAGIC),
        }
    }

    /// Whether a skippable frame may begin here, where the compression has them.
    pub(super) fn skips(self, bytes: &[u8]) -> bool {
        matches!(self, Self::Zstd | Self::Lz4) && is_skippable(bytes)
    }

    /// The bytes that every member begins with.
    fn magic(self) -> &'static [u8] {
        match self {
            Self::Gzip => &gzip::MAGIC,
            Self::Zstd => &zstd::MAGIC,
            Self::Lz4 => &lz4::MAGIC,
            Self::Bzip2 => &bzip2::MAGIC,
            Self::Xz => &xz::MAGIC,
        }
    }

    /// Where in `bytes` a member may begin; else the index before which none does. `is_last` says that no bytes follow.
    pub(super) fn find(self, bytes: &[u8], is_last: bool) -> Result<usize, usize> {
        for at in memmem::find_iter(bytes, self.magic()) {
            if bytes.len() - at < HEAD_BYTES && !is_last {
                return Err(at);
            }
            if self.begins(&bytes[at..]) {
                return Ok(at);
            }
        }
        Err(if is_last { bytes.len() } else { bytes.len().saturating_sub(self.magic().len() - 1) })
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
            Self::Lz4 => "lz4",
            Self::Bzip2 => "bzip2",
            Self::Xz => "xz",
        }
    }

    /// The most that one byte can decode to.
    pub(crate) fn ratio_max(self) -> u64 {
        match self {
            Self::Gzip => 1032,
            // A block of 128 KiB in four bytes; with bzip2, one of 900 kB in about 40; with xz, 273 bytes in a third of a bit.
            Self::Zstd | Self::Bzip2 | Self::Xz => 1 << 15,
            Self::Lz4 => 255,
        }
    }
}

fn is_skippable(bytes: &[u8]) -> bool {
    matches!(bytes, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}
