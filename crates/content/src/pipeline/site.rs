//! Blocks that a site repeats: what the collection remembers of a host's pages.
//!
//! The collection's statistics count a host's pages, and those of them that hold a block. Replacing a page takes its blocks out again.

use super::words;
use crate::cst::{ContentStructureTree, NodeId};
use crate::prune::competes;
use crate::weigh::{TermStatistics, term_hash};

/// Words of a block from which on it is remembered: shorter ones are alike by chance.
const WORDS_MIN: usize = 3;

/// Words of a block up to which it is remembered: longer ones are what pages are for.
const WORDS_MAX: usize = 200;

/// Bytes of a block up to which its words are looked at.
const BYTES_MAX: usize = 4096;

/// Blocks of a page that are remembered; later ones are passed over.
const BLOCKS_MAX: usize = 10_000;

/// Pages of a host from which on its blocks are scored.
const HOST_PAGES_MIN: u64 = 5;

/// Stands before the names of blocks. Terms hold no control characters.
const BLOCK_MARK: char = '\u{2}';

/// Stands before the names of hosts.
const HOST_MARK: char = '\u{3}';

/// The blocks of a page by which its site is remembered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteBlocks {
    host_key: u64,
    /// Items in document order, with the keys of their texts.
    blocks: Vec<(NodeId, u64)>,
}

impl SiteBlocks {
    /// Of a page of `host`; `None` when the page has no host.
    pub fn of(tree: &ContentStructureTree, host: &str) -> Option<Self> {
        if host.is_empty() {
            return None;
        }
        let mut blocks: Vec<(NodeId, u64)> = Vec::new();
        // A block that only wraps another one has its text, and is not read again.
        let mut last = (0..0, None);
        for item in tree.ids().filter(|id| *id != ContentStructureTree::ROOT && competes(tree, *id)) {
            let runs = tree.runs_within(item);
            if last.0 != runs {
                last = (runs, key_of(host, tree.subtree_text(item)));
            }
            blocks.extend(last.1.map(|key| (item, key)));
            if blocks.len() == BLOCKS_MAX {
                break;
            }
        }
        Some(Self { host_key: term_hash(&format!("{HOST_MARK}{host}")), blocks })
    }

    /// The keys under which the page is counted.
    pub fn keys(&self) -> impl Iterator<Item = u64> + '_ {
        self.blocks.iter().map(|(_, key)| *key).chain([self.host_key])
    }

    /// Template score of each node, in [0, 1]: pages of the host with the block / pages of the host. 0 for what is no block, and
    /// while fewer than five pages of the host are known. Nothing, when all are 0.
    pub fn scores(&self, tree: &ContentStructureTree, statistics: &dyn TermStatistics) -> Vec<f32> {
        let pages = statistics.pages_with_site_key(self.host_key);
        // Where a count may be off by that much, the pages of a small host say nothing.
        if pages < HOST_PAGES_MIN.max(statistics.site_noise_pages()) {
            return Vec::new();
        }
        let mut scores = vec![0.0; tree.len()];
        for (item, key) in &self.blocks {
            scores[item.index()] = (statistics.pages_with_site_key(*key) as f32 / pages as f32).min(1.0);
        }
        scores
    }
}

/// The key of a block's text: its words in lower case, however they are spaced. `None` for texts that are too short or too long.
fn key_of(host: &str, text: &str) -> Option<u64> {
    if text.len() > BYTES_MAX {
        return None;
    }
    let mut name = String::with_capacity(host.len() + text.len() + 4);
    name.push(BLOCK_MARK);
    name.push_str(host);
    let words_start = name.len();
    let mut count = 0;
    for word in words(text).take(WORDS_MAX + 1) {
        name.push(' ');
        name.push_str(word);
        count += 1;
    }
    if !(WORDS_MIN..=WORDS_MAX).contains(&count) {
        return None;
    }
    if name[words_start..].is_ascii() {
        name[words_start..].make_ascii_lowercase();
    } else {
        let lower = name[words_start..].to_lowercase();
        name.truncate(words_start);
        name.push_str(&lower);
    }
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
            let blocks = SiteBlocks::of(&tree(&format!("text {page}")), HOST).unwrap();
            change.add(&PageKeys::new(Vec::new(), Vec::new(), blocks.keys().collect()));
        }
        StatisticsSnapshot::default().with(change)
    }

    fn scores(host: &str, statistics: &StatisticsSnapshot) -> Vec<(&'static str, f32)> {
        let tree = tree("text 3");
        let scores = SiteBlocks::of(&tree, host).unwrap().scores(&tree, statistics);
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
        assert_eq!(SiteBlocks::of(&tree("x"), ""), None);
    }

    #[test]
    fn spacing_and_case_do_not_count_and_length_does() {
        assert_eq!(key_of(HOST, "All the\n mills"), key_of(HOST, "all THE mills"));
        assert_ne!(key_of(HOST, "all the mills"), key_of("f.org", "all the mills"));
        assert_eq!(key_of(HOST, "two words"), None);
        assert_eq!(key_of(HOST, &"a ".repeat(WORDS_MAX + 1)), None);
    }
}
