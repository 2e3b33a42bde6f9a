//! Links between pages, as evidence for what they point to.
//!
//! The collection's statistics count in how many pages a term stands. A link is counted there in the same way, under a name that
//! no term can have, so links need no store of their own, and replacing a page takes its links out again.

use std::collections::HashSet;

use lopper_index::LinkCounts;
use url::Url;

use crate::cst::ContentStructureTree;
use crate::page::url::{canonical, canonical_url};
use crate::store::{CollectionStatistics, term_hash};

/// Links of a page that are counted; later ones are passed over.
const LINKS_MAX: usize = 10_000;

/// Stands before the names of links. Terms hold no control characters.
const LINK_MARK: char = '\u{1}';

/// What links to one page have in common, however they are written: no scheme, `www.`, fragment or closing slash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkName(String);

impl LinkName {
    /// Of the page at `url`.
    pub fn of(url: &str) -> Self {
        Self::of_canonical(&canonical_url(url).unwrap_or_else(|| url.to_owned()))
    }

    fn of_canonical(canonical: &str) -> Self {
        let bare = canonical.split_once("://").map_or(canonical, |(_, rest)| rest);
        let name = bare.strip_prefix("www.").unwrap_or(bare).trim_end_matches('/');
        Self(format!("{LINK_MARK}{name}"))
    }

    /// The key under which links to the page are counted.
    pub fn page_key(&self) -> u64 {
        term_hash(&self.0)
    }

    /// The key under which links to the element `anchor` of the page are counted.
    pub fn block_key(&self, anchor: &str) -> u64 {
        term_hash(&format!("{}#{anchor}", self.0))
    }
}

/// The keys of what the page at `page_url` links to, besides itself: pages, and elements of pages. Each once, in order.
pub fn link_keys(tree: &ContentStructureTree, page_url: &str) -> Vec<u64> {
    let Ok(base) = Url::parse(page_url.trim()) else { return Vec::new() };
    let own = LinkName::of(page_url);
    let mut keys = Vec::new();
    let mut seen = HashSet::new();
    let links = tree.ids().filter_map(|id| tree.link(id)).take(LINKS_MAX);
    // Pages repeat many of their links, and to read one is slow.
    for href in links.map(|link| tree.attribute_text(link.href)).filter(|href| seen.insert(*href)) {
        let Ok(target) = base.join(href) else { continue };
        if !matches!(target.scheme(), "http" | "https" | "file") {
            continue;
        }
        let anchor = target.fragment().filter(|anchor| !anchor.is_empty()).map(str::to_owned);
        let name = LinkName::of_canonical(&canonical(target));
        if name != own {
            keys.push(name.page_key());
            keys.extend(anchor.map(|anchor| name.block_key(&anchor)));
        }
    }
    keys.sort_unstable();
    keys.dedup();
    keys
}

impl LinkCounts for CollectionStatistics {
    fn pages_linking_to(&self, key: u64) -> u64 {
        self.pages_with_hash(key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cst::{self, Profile};
    use crate::dom;
    use crate::limits::Limits;

    #[test]
    fn links_are_counted_once_for_page_and_element() {
        let html =
            "<p><a href=/a>x</a> <a href='https://www.e.org/a/#top'>y</a> <a href=#own>z</a> <a href=mailto:a@e>m</a>";
        let tree = cst::build(&dom::parse(html, &Limits::default()), Profile::Modern, &Limits::default());
        let mut keys = vec![LinkName::of("http://e.org/a").page_key(), LinkName::of("http://e.org/a").block_key("top")];
        keys.sort_unstable();
        assert_eq!(link_keys(&tree, "http://e.org/b"), keys);
        assert!(link_keys(&tree, "no url").is_empty());
    }
}
