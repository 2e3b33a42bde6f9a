//! A page and its stored tree, put together.

use lopper_archive::page::Page;
use lopper_content::blocks::MainBlock;
use lopper_content::cst::{ContentStructureTree, RunId};
use lopper_content::dom::{Dom, SourceElements, Tag};
use lopper_content::extract::PageView;
use lopper_content::limits::Limits;
use lopper_content::pipeline::{ExtractParams, ParsedPage, StoredTree};
use url::Url;

use super::{Choice, Kept};

/// A stored tree, its blocks, and the page's elements where its HTML is at hand.
pub(crate) struct Viewed<'a> {
    pub(crate) stored: &'a StoredTree,
    pub(crate) blocks: Vec<MainBlock>,
    /// The runs of each block.
    pub(crate) block_runs: Vec<Vec<RunId>>,
    /// Words of each run.
    pub(crate) words: Vec<u32>,
    parsed: Option<(ParsedPage<'a>, SourceElements)>,
    /// What addresses in the page are relative to.
    base: Option<Url>,
}

impl<'a> Viewed<'a> {
    /// Puts a tree and the page that it was made from together. A page that gives another tree now (by another version's rules, or other
    /// limits) is not shown.
    pub(crate) fn new(stored: &'a StoredTree, page: Option<&'a Page>, params: &ExtractParams, limits: &Limits) -> Self {
        let (blocks, block_runs) = stored.blocks_with_runs(params);
        let profile = stored.tree.profile();
        let parsed = page.map(|page| ParsedPage::parse_with_source(page.source(), profile, limits));
        let parsed = parsed.filter(|(parsed, _)| is_same(&parsed.tree, &stored.tree));
        let words = |run| stored.tree.run_text(run).split_whitespace().count() as u32;
        let base = page.zip(parsed.as_ref()).and_then(|(page, (parsed, source))| base(&page.url, &parsed.dom, source));
        Self { stored, blocks, block_runs, words: stored.tree.runs().iter().map(words).collect(), parsed, base }
    }

    /// The address of a picture or style sheet in the page, made absolute. Parts of a message and entries of a ZIM have addresses that are not
    /// on the web; they stand for themselves in the archive, and nothing is fetched.
    pub(crate) fn belonging(&self, address: &str) -> Option<String> {
        let url = self.base.as_ref()?.join(address.trim()).ok()?;
        matches!(url.scheme(), "http" | "https" | "file" | "cid").then(|| url.into())
    }

    /// The page's elements, where the page is at hand.
    pub(crate) fn parsed(&self) -> Option<&(ParsedPage<'a>, SourceElements)> {
        self.parsed.as_ref()
    }

    /// The page as methods see it.
    pub(crate) fn view(&self) -> Option<PageView<'_>> {
        self.parsed.as_ref().map(|(parsed, _)| parsed.view())
    }

    pub(crate) fn kept(&self, choice: Choice) -> Kept {
        choice.kept(self.stored, self.view().as_ref())
    }

    /// Words, in per cent of the page's, of the runs for which `counts`.
    pub(crate) fn share(&self, counts: impl Fn(RunId) -> bool) -> u32 {
        let total: u64 = self.words.iter().map(|words| u64::from(*words)).sum();
        let counted: u64 =
            self.words.iter().enumerate().filter(|(run, _)| counts(*run)).map(|(_, words)| u64::from(*words)).sum();
        (100 * counted).checked_div(total).unwrap_or(0) as u32
    }
}

/// The page's address, or that of its `base`.
fn base(url: &str, dom: &Dom, source: &SourceElements) -> Option<Url> {
    let own = Url::parse(url).ok()?;
    let declared = dom.find(Tag::Base).and_then(|id| source.get(id)?.attribute("href"));
    declared.and_then(|href| own.join(href.trim()).ok()).or(Some(own))
}

/// Whether both trees have the same runs.
fn is_same(one: &ContentStructureTree, other: &ContentStructureTree) -> bool {
    one.len() == other.len() && one.runs() == other.runs() && one.visible_text() == other.visible_text()
}
