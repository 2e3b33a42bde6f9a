//! A page and its stored tree, put together.

use lopper_archive::page::Page;
use lopper_content::blocks::MainBlock;
use lopper_content::cst::{ContentStructureTree, RunId};
use lopper_content::dom::SourceElements;
use lopper_content::extract::PageView;
use lopper_content::limits::Limits;
use lopper_content::pipeline::{ExtractParams, ParsedPage, StoredTree};

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
        Self { stored, blocks, block_runs, words: stored.tree.runs().iter().map(words).collect(), parsed }
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

/// Whether both trees have the same runs.
fn is_same(one: &ContentStructureTree, other: &ContentStructureTree) -> bool {
    one.len() == other.len() && one.runs() == other.runs() && one.visible_text() == other.visible_text()
}
