//! Pieces of files, named by what is in them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use xxhash_rust::xxh3::xxh3_128;

use crate::BackupError;
use crate::destination::Destination;

/// Bytes of a chunk at most.
pub(crate) const CHUNK_BYTES_MAX: usize = 4 << 20;

/// Where chunks are.
pub(crate) const CHUNKS: &str = "chunks/";

/// XXH3-128 of bytes, as 32 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(pub u128);

impl Digest {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        Self(xxh3_128(bytes))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl FromStr for Digest {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = Some(text).filter(|text| text.len() == 32).and_then(|text| u128::from_str_radix(text, 16).ok());
        number.map(Self).ok_or_else(|| format!("`{text}` is no digest"))
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
        target.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        let text = String::deserialize(source)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// A piece of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Chunk {
    /// Of its bytes.
    pub digest: Digest,
    /// Its length.
    pub bytes: u64,
}

impl Chunk {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        Self { digest: Digest::of(bytes), bytes: bytes.len() as u64 }
    }

    /// Its name in a destination.
    pub(crate) fn name(&self) -> String {
        let digits = self.digest.to_string();
        format!("{CHUNKS}{}/{digits}", &digits[..2])
    }

    /// Its bytes, if they are those that were written.
    pub(crate) fn read(&self, destination: &dyn Destination) -> Result<Vec<u8>, BackupError> {
        let name = self.name();
        let read = destination.read(&name).map_err(BackupError::destination("read", &name))?;
        let bytes = read.ok_or_else(|| BackupError::Damaged { what: format!("{name} is missing") })?;
        if Self::of(&bytes) == *self {
            Ok(bytes)
        } else {
            Err(BackupError::Damaged { what: format!("{name} is not what was written") })
        }
    }
}
