//! Links between pages, as evidence for what they point to.
//!
//! The collection's statistics count in how many pages a link occurs, as they do for terms. Replacing a page takes its links out again.

use std::collections::HashMap;

use url::Url;

use crate::cst::ContentStructureTree;
use crate::text::url::{address, canonical, canonical_or_written};
use crate::weigh::term_hash;

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
        Self::of_canonical(&canonical_or_written(url))
    }

    fn of_canonical(canonical: &str) -> Self {
        Self(format!("{LINK_MARK}{}", address(canonical)))
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

/// What a link points to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinkTarget {
    /// The key of the page; nothing where the link stays on its own.
    pub page: Option<u64>,
    /// The key of the element, where the link names one.
    pub element: Option<u64>,
}

/// Tells what the links of one page point to. Pages repeat many of their links, and to read one is slow, so each is read once.
pub struct LinkResolver {
    base: Option<Url>,
    own: LinkName,
    known: HashMap<String, Option<LinkTarget>>,
}

impl LinkResolver {
    /// For the page at `page_url`; where that is no URL, links point to nothing.
    pub fn new(page_url: &str) -> Self {
        Self { base: Url::parse(page_url.trim()).ok(), own: LinkName::of(page_url), known: HashMap::new() }
    }

    /// The name of the page itself.
    pub fn own(&self) -> &LinkName {
        &self.own
    }

    /// What a link with this `href` points to; nothing where that can be no page.
    pub fn target(&mut self, href: &str) -> Option<LinkTarget> {
        if let Some(target) = self.known.get(href) {
            return *target;
        }
        let target = self.read(href);
        self.known.insert(href.to_owned(), target);
        target
    }

    fn read(&self, href: &str) -> Option<LinkTarget> {
        if let Some(anchor) = href.strip_prefix('#') {
            return Some(LinkTarget { page: None, element: (!anchor.is_empty()).then(|| self.own.block_key(anchor)) });
        }
        let url = self.base.as_ref()?.join(href).ok()?;
        if !matches!(url.scheme(), "http" | "https" | "file") {
            return None;
        }
        let anchor = url.fragment().filter(|anchor| !anchor.is_empty()).map(str::to_owned);
        let name = LinkName::of_canonical(&canonical(url));
        let element = anchor.map(|anchor| name.block_key(&anchor));
        Some(LinkTarget { page: (name != self.own).then(|| name.page_key()), element })
    }
}

/// The keys of what a page links to, besides itself: pages, and elements of pages. Each once, in order.
pub fn link_keys(tree: &ContentStructureTree, links: &mut LinkResolver) -> Vec<u64> {
    let hrefs = tree.ids().filter_map(|id| tree.link(id)).take(LINKS_MAX).map(|link| tree.attribute_text(link.href));
    let away = hrefs.filter_map(|href| links.target(href)).filter(|target| target.page.is_some());
    let mut keys: Vec<u64> = away.flat_map(|target| [target.page, target.element]).flatten().collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cst::{self, Profile};
    use crate::dom;
    use crate::limits::Limits;
    use crate::pipeline::{ExtractParams, PageAnalyser, PageText};

    #[test]
    fn links_are_counted_once_for_page_and_element() {
        let html =
            "<p><a href=/a>x</a> <a href='https://www.e.org/a/#top'>y</a> <a href=#own>z</a> <a href=mailto:a@e>m</a>";
        let tree = cst::build(&dom::parse(html, &Limits::default()), Profile::Modern, &Limits::default());
        let mut keys = vec![LinkName::of("http://e.org/a").page_key(), LinkName::of("http://e.org/a").block_key("top")];
        keys.sort_unstable();
        assert_eq!(link_keys(&tree, &mut LinkResolver::new("http://e.org/b")), keys);
        assert!(link_keys(&tree, &mut LinkResolver::new("no url")).is_empty());
    }

    #[test]
    fn links_lead_from_the_base_of_a_page() {
        let html = "<base href=/docs/><p>The mill grinds, as <a href=target>the guide</a> says of <a href=#own>its</a> wheels.";
        let source = PageText { url: "http://e.org/other/page", html, content_language: None, listed_title: None };
        let mut analyser = PageAnalyser::new(ExtractParams::default(), Limits::default());
        let page = analyser.analyse(source, None).unwrap();
        let hrefs: Vec<&str> = page.blocks[0].links.iter().map(|link| link.href.as_str()).collect();
        assert_eq!(hrefs, ["http://e.org/docs/target", "#own"]);
        let keys = link_keys(page.pruned.tree(), &mut LinkResolver::new(source.url));
        assert_eq!(keys, [LinkName::of("http://e.org/docs/target").page_key()]);
    }
}
