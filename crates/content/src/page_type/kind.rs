//! The types.

use serde::{Deserialize, Serialize};

/// What kind of page it is. The order of the types is that of the model, and their numbers are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PageType {
    /// News, essay, blog post.
    Article,
    /// Reference or manual.
    Documentation,
    /// What a company or institution offers, or what it is.
    Service,
    /// A thread of posts, questions with answers.
    Forum,
    /// A list of articles, places, events, jobs.
    Listing,
    /// A list of things for sale.
    Collection,
    /// A thing for sale.
    Product,
}

impl PageType {
    /// All types, in their order.
    pub const ALL: [Self; 7] = [
        Self::Article,
        Self::Documentation,
        Self::Service,
        Self::Forum,
        Self::Listing,
        Self::Collection,
        Self::Product,
    ];

    /// The type of a number that `as u8` gave.
    pub fn from_index(index: u8) -> Option<Self> {
        Self::ALL.get(usize::from(index)).copied()
    }

    /// The type of a [`name`](Self::name).
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// As in `type:` of a query.
    pub fn name(self) -> &'static str {
        match self {
            Self::Article => "article",
            Self::Documentation => "documentation",
            Self::Service => "service",
            Self::Forum => "forum",
            Self::Listing => "listing",
            Self::Collection => "collection",
            Self::Product => "product",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_stand_at_their_numbers() {
        for (index, kind) in PageType::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, index);
            assert_eq!(PageType::from_name(kind.name()), Some(kind));
        }
    }
}
