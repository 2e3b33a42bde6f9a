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
    page_key(&name(url))
}

/// The key under which links to the element `anchor` of the page at `url` are counted.
pub fn block_link_key(url: &str, anchor: &str) -> u64 {
    element_key(&name(url), anchor)
}

fn page_key(name: &str) -> u64 {
    term_hash(&format!("{LINK_MARK}{name}"))
}

fn element_key(name: &str, anchor: &str) -> u64 {
    term_hash(&format!("{LINK_MARK}{name}#{anchor}"))
}

/// What a link points to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinkTarget {
    /// The key of the page; nothing where the link stays on its own.
    pub page: Option<u64>,
    /// The key of the element, where the link names one.
    pub element: Option<u64>,
}

/// Tells what the links of one page point to.
pub struct LinkResolver {
    base: Option<Url>,
    own: String,
}

impl LinkResolver {
    /// For the page at `page_url`; where that is no URL, links point to nothing.
    pub fn new(page_url: &str) -> Self {
        Self { base: Url::parse(page_url.trim()).ok(), own: name(page_url) }
    }

    /// What a link with this `href` points to; nothing where that can be no page.
    pub fn target(&self, href: &str) -> Option<LinkTarget> {
        let url = self.base.as_ref()?.join(href).ok()?;
        if !matches!(url.scheme(), "http" | "https" | "file") {
            return None;
        }
        let name = name(url.as_str());
        let element = url.fragment().filter(|anchor| !anchor.is_empty()).map(|anchor| element_key(&name, anchor));
        Some(LinkTarget { page: (name != self.own).then(|| page_key(&name)), element })
    }
}

/// The keys of what the page at `page_url` links to, besides itself: pages, and elements of pages. Each once, in order.
pub fn link_keys(tree: &ContentStructureTree, page_url: &str) -> Vec<u64> {
    let resolver = LinkResolver::new(page_url);
    let hrefs = tree.ids().filter_map(|id| tree.link(id)).take(LINKS_MAX).map(|link| tree.attribute_text(link.href));
    let away = hrefs.filter_map(|href| resolver.target(href)).filter(|target| target.page.is_some());
    let keys: BTreeSet<u64> = away.flat_map(|target| [target.page, target.element]).flatten().collect();
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
