//! Blocks that a site repeats: what the collection remembers of a host's pages.
//!
//! The collection's statistics count the pages of a host and of a folder of it, and those of the host that hold a block. Replacing a page
//! takes its blocks out again.

use crate::cst::{ContentStructureTree, NodeId};
use crate::prune::{LinkLists, competes};
use crate::text::url;
use crate::text::words::words;
use crate::weigh::{TermStatistics, term_hash};

/// Words of a block from which on it is remembered: shorter ones are alike by chance.
const WORDS_MIN: usize = 3;

/// Words of a block up to which it is remembered: longer ones are what pages are for.
const WORDS_MAX: usize = 200;

/// Bytes of a block up to which its words are looked at.
const BYTES_MAX: usize = 4096;

/// The same for navigation, which may list all pages of a site.
const NAVIGATION_WORDS_MAX: usize = 8000;
const NAVIGATION_BYTES_MAX: usize = 1 << 16;

/// Blocks of a page that are remembered; later ones are passed over.
const BLOCKS_MAX: usize = 10_000;

/// Pages of a host from which on its blocks are scored.
const HOST_PAGES_MIN: u64 = 5;

/// Pages of a folder from which on its navigation is scored: a host may have many manuals, each with a table of contents of its own.
const FOLDER_PAGES_MIN: u64 = 20;

/// Stands before the names of blocks. Terms hold no control characters.
const BLOCK_MARK: char = '\u{2}';

/// Stands before the names of hosts.
const HOST_MARK: char = '\u{3}';

/// Stands before the names of folders.
const FOLDER_MARK: char = '\u{4}';

/// The blocks of a page by which its site is remembered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteBlocks {
    host_key: u64,
    /// Where the page is in a folder of its host.
    folder_key: Option<u64>,
    blocks: Vec<SiteBlock>,
}

/// An item with the key of its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct SiteBlock {
    item: NodeId,
    key: u64,
    /// Of navigation of a page in a folder: the key by which the folder knows it.
    key_in_folder: Option<u64>,
}

impl SiteBlocks {
    /// Of the page of `url`; `None` when that has no host.
    pub fn of(tree: &ContentStructureTree, url: &str) -> Option<Self> {
        let host = url::host(url).filter(|host| !host.is_empty())?;
        let folder = folder_of(url);
        let in_folder = |key: u64| Some(term_hash(&format!("{FOLDER_MARK}{}{FOLDER_MARK}{key:x}", folder?)));
        let lists = LinkLists::new(tree);
        let mut blocks: Vec<SiteBlock> = Vec::new();
        // A block that only wraps another one has its text, and is not read again.
        let mut last = (0..0, None);
        for item in tree.ids().filter(|id| *id != ContentStructureTree::ROOT && competes(tree, *id)) {
            let runs = tree.runs_within(item);
            let is_navigation = lists.is_navigation(item);
            if last.0 != runs {
                last = (runs, key_of(&host, tree.subtree_text(item), is_navigation));
            }
            let key_in_folder = last.1.filter(|_| is_navigation).and_then(in_folder);
            blocks.extend(last.1.map(|key| SiteBlock { item, key, key_in_folder }));
            if blocks.len() == BLOCKS_MAX {
                break;
            }
        }
        let folder_key = folder.map(|folder| term_hash(&format!("{FOLDER_MARK}{folder}")));
        Some(Self { host_key: term_hash(&format!("{HOST_MARK}{host}")), folder_key, blocks })
    }

    /// The keys under which the page is counted.
    pub fn keys(&self) -> impl Iterator<Item = u64> + '_ {
        let keys = self.blocks.iter().flat_map(|block| [Some(block.key), block.key_in_folder]).flatten();
        keys.chain([self.host_key]).chain(self.folder_key)
    }

    /// Template score of each node, in [0, 1]: pages of the host with the block / pages of the host; of navigation the same of the folder,
    /// where that is more, and the folder has 20 pages or more. 0 for what is no block, and while fewer than five pages of the host are
    /// known. Nothing, when all are 0.
    pub fn scores(&self, tree: &ContentStructureTree, statistics: &dyn TermStatistics) -> Vec<f32> {
        let pages = statistics.pages_with_site_key(self.host_key);
        // Where a count may be off by that much, the pages of a small host say nothing.
        let noise = statistics.site_noise_pages();
        if pages < HOST_PAGES_MIN.max(noise) {
            return Vec::new();
        }
        let in_folder = self.folder_key.map_or(0, |key| statistics.pages_with_site_key(key));
        let share = |key: u64, of: u64| (statistics.pages_with_site_key(key) as f32 / of as f32).min(1.0);
        let mut scores = vec![0.0; tree.len()];
        for block in &self.blocks {
            let known = block.key_in_folder.filter(|_| in_folder >= FOLDER_PAGES_MIN.max(noise));
            let of_folder = known.map_or(0.0, |key| share(key, in_folder));
            scores[block.item.index()] = share(block.key, pages).max(of_folder);
        }
        scores
    }
}

/// The folder that a page is in, with its host; `None` for the host's own.
fn folder_of(url: &str) -> Option<&str> {
    let place = url.split_once("://")?.1;
    let place = &place[..place.find(['?', '#']).unwrap_or(place.len())];
    place.rsplit_once('/').map(|(folder, _)| folder).filter(|folder| folder.contains('/'))
}

/// The key of a block's text: its words in lower case, however they are spaced. `None` for texts that are too short or too long.
fn key_of(host: &str, text: &str, is_navigation: bool) -> Option<u64> {
    let (words_max, bytes_max) =
        if is_navigation { (NAVIGATION_WORDS_MAX, NAVIGATION_BYTES_MAX) } else { (WORDS_MAX, BYTES_MAX) };
    if text.len() > bytes_max {
        return None;
    }
    let mut name = String::with_capacity(host.len() + text.len() + 4);
    name.push(BLOCK_MARK);
    name.push_str(host);
    let words_start = name.len();
    let mut count = 0;
    let is_ascii = text.is_ascii();
    for word in words(text).take(words_max + 1) {
        name.push(' ');
        if is_ascii || word.is_ascii() {
            name.push_str(word);
        } else {
            name.push_str(&word.to_lowercase());
        }
        count += 1;
    }
    if !(WORDS_MIN..=words_max).contains(&count) {
        return None;
    }
    name[words_start..].make_ascii_lowercase();
    Some(term_hash(&name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cst::{self, NodeKind, Profile};
    use crate::dom;
    use crate::limits::Limits;
    use crate::statistics::{PageKeys, StatisticsChange, StatisticsSnapshot};

    const HOST: &str = "e.org";

    fn tree(content: &str) -> ContentStructureTree {
        let html = format!("<header><div>All  the mills</div></header><main><p>{content} of this page</p></main>");
        cst::build(&dom::parse(&html, &Limits::default()), Profile::Modern, &Limits::default())
    }

    /// Statistics of `pages` pages of one host.
    fn statistics(pages: usize) -> StatisticsSnapshot {
        let mut change = StatisticsChange::default();
        for page in 0..pages {
            let blocks = SiteBlocks::of(&tree(&format!("text {page}")), &format!("http://{HOST}/")).unwrap();
            change.add(&PageKeys::new(Vec::new(), Vec::new(), blocks.keys().collect()));
        }
        StatisticsSnapshot::default().with(change)
    }

    fn scores(host: &str, statistics: &StatisticsSnapshot) -> Vec<(&'static str, f32)> {
        let tree = tree("text 3");
        let scores = SiteBlocks::of(&tree, &format!("http://{host}/")).unwrap().scores(&tree, statistics);
        let scored = tree.ids().filter(|id| tree.kind(*id) == NodeKind::HtmlItem && !scores.is_empty());
        scored.map(|id| (tree.tag(id).name(), scores[id.index()])).collect()
    }

    #[test]
    fn what_all_pages_hold_scores_one() {
        let expected = [("body", 0.0), ("header", 1.0), ("div", 1.0), ("main", 0.125), ("p", 0.0)];
        assert_eq!(scores(HOST, &statistics(8)), expected);
    }

    #[test]
    fn another_host_and_few_pages_say_nothing() {
        assert_eq!(scores("f.org", &statistics(8)), []);
        assert_eq!(scores(HOST, &statistics(4)), []);
        assert_eq!(SiteBlocks::of(&tree("x"), "file:///x.html"), None);
    }

    #[test]
    fn navigation_is_scored_by_the_pages_of_its_folder() {
        let page = |manual: &str, page: usize| {
            let entries: String =
                (0..80).map(|n| format!("<li><a href={n}>{manual} chapter {n}</a>")).collect::<Vec<_>>().concat();
            let html = format!("<nav><ul>{entries}</ul></nav><div>Like each page of {manual}</div><p>Text {page}</p>");
            cst::build(&dom::parse(&html, &Limits::default()), Profile::Modern, &Limits::default())
        };
        let url = |manual: &str, page: usize| format!("http://{HOST}/{manual}/{page}.html?view=all");
        let known = |pages: usize| {
            let mut change = StatisticsChange::default();
            for (manual, number) in
                ["one", "two", "three", "four"].iter().flat_map(|manual| (0..pages).map(move |n| (manual, n)))
            {
                let blocks = SiteBlocks::of(&page(manual, number), &url(manual, number)).unwrap();
                change.add(&PageKeys::new(Vec::new(), Vec::new(), blocks.keys().collect()));
            }
            StatisticsSnapshot::default().with(change)
        };
        let scores = |statistics: &StatisticsSnapshot| {
            let tree = page("two", 3);
            let scores = SiteBlocks::of(&tree, &url("two", 3)).unwrap().scores(&tree, statistics);
            let of = |tag| scores[tree.ids().find(|id| tree.tag(*id).name() == tag).unwrap().index()];
            (of("nav"), of("ul"), of("div"))
        };
        assert_eq!(scores(&known(20)), (1.0, 1.0, 0.25));
        // What another folder repeats is counted by the host.
        let other = SiteBlocks::of(&page("one", 3), &url("two", 99)).unwrap().scores(&page("one", 3), &known(20));
        assert!(other.iter().all(|score| *score <= 0.25), "{other:?}");
        assert_eq!(scores(&known(19)), (0.25, 0.25, 0.25), "too few to be known by");
        assert_eq!(folder_of("http://e.org/a"), None);
        assert_eq!(folder_of("http://e.org/a/b/?c/d"), Some("e.org/a/b"));
    }

    #[test]
    fn spacing_and_case_do_not_count_and_length_does() {
        assert_eq!(key_of(HOST, "All the\n mills", false), key_of(HOST, "all THE mills", false));
        assert_ne!(key_of(HOST, "all the mills", false), key_of("f.org", "all the mills", false));
        assert_eq!(key_of(HOST, "two words", false), None);
        let long = "a ".repeat(WORDS_MAX + 1);
        assert_eq!(key_of(HOST, &long, false), None);
        assert!(key_of(HOST, &long, true).is_some());
    }
}
