//! Digests of page bodies.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use xxhash_rust::xxh3::xxh3_128;

/// 128 bits of hash over a page's decoded HTML: two pages with the same digest have the same HTML.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContentDigest(pub u128);

impl ContentDigest {
    /// The digest of `html`.
    pub fn of(html: &str) -> Self {
        Self(xxh3_128(html.as_bytes()))
    }
}

impl fmt::Display for ContentDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl fmt::Debug for ContentDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for ContentDigest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ContentDigest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let digits = String::deserialize(deserializer)?;
        u128::from_str_radix(&digits, 16).map(Self).map_err(serde::de::Error::custom)
    }
}

/// The hash under which a payload digest that an archive declares (`sha1:…`) is kept; letters' case does not count.
pub(super) fn declared_digest_hash(declared: &str) -> u128 {
    xxh3_128(declared.trim().to_ascii_lowercase().as_bytes())
}

/// The hash under which the captures of a canonical URL are kept.
pub(super) fn url_hash(canonical_url: &str) -> u128 {
    xxh3_128(canonical_url.as_bytes())
}
