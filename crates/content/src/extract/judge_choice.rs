//! Which judge an index asks.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::Extractor;

/// The judge of the pages of an index, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JudgeChoice {
    /// An extraction method: the trained model, or a published method in the variant that measured best.
    Method(Extractor),
    /// None: pruning goes by similarities alone.
    None,
}

/// The trained model.
impl Default for JudgeChoice {
    fn default() -> Self {
        Self::Method(Extractor::Lopper)
    }
}

impl JudgeChoice {
    /// The judge.
    pub fn judge(self) -> Option<Extractor> {
        match self {
            Self::Method(extractor) => Some(extractor),
            Self::None => None,
        }
    }

    /// Its name, as in the settings.
    pub fn name(self) -> &'static str {
        self.judge().map_or("none", Extractor::name)
    }
}

impl fmt::Display for JudgeChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for JudgeChoice {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "none" => Ok(Self::None),
            name => Ok(Self::Method(name.parse()?)),
        }
    }
}

impl Serialize for JudgeChoice {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for JudgeChoice {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for name in ["lopper", "none", "bte", "cst", "full-text"] {
            assert_eq!(name.parse::<JudgeChoice>().unwrap().name(), name);
        }
        assert!("nobody".parse::<JudgeChoice>().is_err());
    }
}
