//! Which elements open an HtmlItem: the paper's three, or all blocks of the modern web.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::dom::{Display, Tag};

/// A choice of block boundaries. The rows are data: `Tag::info`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// `body`, `div` and `table`, as the CST paper (sec. V) has it.
    Paper,
    /// Every element that a browser lays out as a block.
    #[default]
    Modern,
}

impl Profile {
    /// Whether an element of that tag becomes an HtmlItem.
    pub(crate) fn opens_item(self, tag: Tag) -> bool {
        match self {
            Self::Paper => tag.info().paper_item,
            Self::Modern => tag.info().display == Display::Block,
        }
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Paper => "paper",
            Self::Modern => "modern",
        })
    }
}

impl FromStr for Profile {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "paper" => Ok(Self::Paper),
            "modern" => Ok(Self::Modern),
            other => Err(format!("no profile is called `{other}`: use `paper` or `modern`")),
        }
    }
}
