//! Choices of a search: how pages are scored by their blocks, what is shown once.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Most blocks that [`Documents::Sum`] adds up.
pub const SUM_BLOCKS_MAX: usize = 100;

/// What the second and the third block of a page count beside the best one in [`Documents::Blend`]. Small, so that they part
/// pages whose best blocks are alike, and a page of many poor blocks does not pass one good block.
const BLEND_SHARES: [f32; 3] = [1.0, 0.1, 0.05];

/// How a page's score comes from those of its blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Documents {
    /// The best block's.
    Max,
    /// The sum of the best so many.
    Sum(usize),
    /// The best one's, and a tenth of the second's and a twentieth of the third's.
    #[default]
    Blend,
}

impl Documents {
    /// What each block counts, from the best on.
    pub(super) fn shares(self) -> Vec<f32> {
        match self {
            Self::Max => vec![1.0],
            Self::Sum(blocks) => vec![1.0; blocks],
            Self::Blend => BLEND_SHARES.to_vec(),
        }
    }

    /// The score of a page whose blocks have these, best first: `Σ share_i · score_i`, summed in `f64`.
    pub(super) fn score(self, blocks: impl Iterator<Item = f32>) -> f32 {
        let parts = blocks.zip(self.shares()).map(|(score, share)| f64::from(score * share));
        parts.sum::<f64>() as f32
    }
}

impl fmt::Display for Documents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Max => f.write_str("max"),
            Self::Sum(blocks) => write!(f, "sum:{blocks}"),
            Self::Blend => f.write_str("blend"),
        }
    }
}

impl FromStr for Documents {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match (name, name.strip_prefix("sum:").map(str::parse)) {
            ("max", _) => Ok(Self::Max),
            ("blend", _) => Ok(Self::Blend),
            (_, Some(Ok(blocks))) if (1..=SUM_BLOCKS_MAX).contains(&blocks) => Ok(Self::Sum(blocks)),
            _ => Err(format!(
                "pages cannot be scored by `{name}`: use `max`, `blend`, or `sum:K` with K from 1 to {SUM_BLOCKS_MAX}"
            )),
        }
    }
}

impl TryFrom<String> for Documents {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        name.parse()
    }
}

impl From<Documents> for String {
    fn from(documents: Documents) -> Self {
        documents.to_string()
    }
}

/// What is shown once, with a list of the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Collapse {
    /// Nothing: every capture is a hit.
    None,
    /// Captures of one address (without scheme, `www.`, fragment and closing slash) are one hit, and so are pages whose best block is the
    /// same text in folders of other languages or versions.
    #[default]
    Captures,
    /// So are they, and pages whose best block has nearly the same text.
    Similar,
}

impl FromStr for Collapse {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "none" => Ok(Self::None),
            "captures" => Ok(Self::Captures),
            "similar" => Ok(Self::Similar),
            _ => Err(format!("`{name}` cannot be collapsed: use `none`, `captures` or `similar`")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_scored_by_their_blocks() {
        let score = |documents: Documents| documents.score([4.0, 2.0, 1.0, 1.0].into_iter());
        assert!((score(Documents::Max) - 4.0).abs() < 1e-6);
        assert!((score(Documents::Sum(3)) - 7.0).abs() < 1e-6);
        assert!((score(Documents::Blend) - 4.25).abs() < 1e-6);
    }

    #[test]
    fn names_are_read_back() {
        for documents in [Documents::Max, Documents::Sum(5), Documents::Blend] {
            assert_eq!(documents.to_string().parse(), Ok(documents));
        }
        for wrong in ["sum", "sum:0", "sum:x", "sum:101", ""] {
            assert!(wrong.parse::<Documents>().is_err(), "{wrong}");
        }
    }
}
