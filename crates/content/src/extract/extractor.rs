//! Every way to find main content, by name.

use std::fmt;
use std::str::FromStr;

use super::methods::{Method, Variant};

/// A method with its reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Extractor {
    /// The default: a trained model over the tree.
    #[default]
    Lopper,
    /// One of the published methods.
    Published(Method, Variant),
}

impl Extractor {
    /// All extractors in the order of reports; published methods in both readings where they have two.
    pub fn all() -> Vec<Self> {
        let readings = |method| match method {
            Method::BteOriginal | Method::FullText => vec![Variant::Best],
            _ => vec![Variant::Best, Variant::Literal],
        };
        let published = Method::ALL
            .into_iter()
            .flat_map(|method| readings(method).into_iter().map(move |variant| Self::Published(method, variant)));
        std::iter::once(Self::Lopper).chain(published).collect()
    }

    /// The same method in another reading; the default method has one.
    #[must_use]
    pub fn with_variant(self, variant: Variant) -> Self {
        match self {
            Self::Lopper => self,
            Self::Published(method, _) => Self::Published(method, variant),
        }
    }

    /// The method's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lopper => "lopper",
            Self::Published(method, _) => method.name(),
        }
    }
}

impl fmt::Display for Extractor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Published(method, Variant::Literal) => write!(f, "{method} literal"),
            Self::Lopper | Self::Published(_, Variant::Best) => f.write_str(self.name()),
        }
    }
}

impl FromStr for Extractor {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        if name == "lopper" {
            return Ok(Self::Lopper);
        }
        let published = name.parse::<Method>().map_err(|message| message.replace("one of ", "one of `lopper`, "))?;
        Ok(Self::Published(published, Variant::Best))
    }
}
