//! A page's identity.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A page's stable identity: 128 bits of hash over its URL and capture time, so that replaying a record names the same page.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PageId(pub u128);

impl PageId {
    /// The identity of the capture of `url` at `captured_at` (seconds since 1970), or of `url` itself without a time.
    pub fn of(url: &str, captured_at: Option<i64>) -> Self {
        let mut key = Vec::with_capacity(url.len() + 9);
        key.extend_from_slice(url.as_bytes());
        key.push(0);
        if let Some(time) = captured_at {
            key.extend_from_slice(&time.to_le_bytes());
        }
        Self(xxhash_rust::xxh3::xxh3_128(&key))
    }
}

impl fmt::Display for PageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl fmt::Debug for PageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for PageId {
    type Err = std::num::ParseIntError;

    fn from_str(s: &str) -> Result<Self, Self::Err> {
        u128::from_str_radix(s, 16).map(Self)
    }
}
