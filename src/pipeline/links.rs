//! Links between pages, as evidence for what they point to.
//!
//! The collection's statistics count in how many pages a term stands. A link is counted there in the same way, under a name that
//! no term can have, so links need no store of their own, and replacing a page takes its links out again.

use std::collections::BTreeSet;

use lopper_index::LinkCounts;
use url::Url;

use crate::cst::ContentStructureTree;
use crate::page::url::canonical_url;
use crate::store::{CollectionStatistics, term_hash};

/// Links of a page that are counted; later ones are passed over.
const LINKS_MAX: usize = 10_000;

/// Stands before the names of links. Terms hold no control characters.
const LINK_MARK: char = '\u{1}';

/// The key under which links to the page at `url` are counted.
pub fn page_link_key(url: &str) -> u64 {
    term_hash(&format!("{LINK_MARK}{}", name(url)))
}

/// The key under which links to the element `anchor` of the page at `url` are counted.
pub fn block_link_key(url: &str, anchor: &str) -> u64 {
    term_hash(&format!("{LINK_MARK}{}#{anchor}", name(url)))
}

/// The keys of what the page at `page_url` links to, besides itself: pages, and elements of pages. Each once, in order.
pub fn link_keys(tree: &ContentStructureTree, page_url: &str) -> Vec<u64> {
    let Ok(base) = Url::parse(page_url.trim()) else { return Vec::new() };
    let own = name(page_url);
    let mut keys = BTreeSet::new();
    for link in tree.ids().filter_map(|id| tree.link(id)).take(LINKS_MAX) {
        let Ok(target) = base.join(tree.attribute_text(link.href)) else { continue };
        if !matches!(target.scheme(), "http" | "https" | "file") || name(target.as_str()) == own {
            continue;
        }
        keys.insert(page_link_key(target.as_str()));
        if let Some(anchor) = target.fragment().filter(|anchor| !anchor.is_empty()) {
            keys.insert(block_link_key(target.as_str(), anchor));
        }
    }
    keys.into_iter().collect()
}

/// What links of one page have in common, however they are written: no scheme, `www.`, fragment or closing slash.
fn name(url: &str) -> String {
    let canonical = canonical_url(url).unwrap_or_else(|| url.to_owned());
    let bare = canonical.split_once("://").map_or(canonical.as_str(), |(_, rest)| rest);
    bare.strip_prefix("www.").unwrap_or(bare).trim_end_matches('/').to_owned()
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
        let mut keys = vec![page_link_key("http://e.org/a"), block_link_key("http://e.org/a", "top")];
        keys.sort_unstable();
        assert_eq!(link_keys(&tree, "http://e.org/b"), keys);
        assert!(link_keys(&tree, "no url").is_empty());
    }
}
