//! What was said of a page's items, without the page's text: stands before the tree in the store, so that it is read alone where an answer
//! is explained.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::StoredTree;
use crate::cst::{NodeId, NodeKind};
use crate::dom::Tag;
use crate::judge::{ContentSums, JudgedRuns, RunReason};
use crate::prune::PruneDecision;

/// The HtmlItems of a page and the judgements of them, in document order.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PageOutline {
    items: Vec<OutlineItem>,
    /// Length of each run's text in bytes.
    run_bytes: Vec<u32>,
    /// What the content judge said of the runs, where one was asked.
    judged: Option<JudgedRuns>,
    #[serde(skip)]
    sums: ContentSums,
}

/// Place of an HtmlItem among those of its page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ItemId(u32);

impl ItemId {
    /// The item of `body`.
    pub const ROOT: Self = Self(0);
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct OutlineItem {
    tag: u8,
    /// One past the last item of its subtree.
    end: u32,
    /// The first run of its subtree, and how many there are.
    first_run: u32,
    runs: u32,
    decision: Option<PruneDecision>,
}

impl PageOutline {
    /// That of a whole tree.
    pub fn of(stored: &StoredTree) -> Self {
        let tree = &stored.tree;
        let ids: Vec<NodeId> = tree.ids().filter(|id| tree.kind(*id) == NodeKind::HtmlItem).collect();
        let item = |id: &NodeId| {
            let runs = tree.runs_within(*id);
            OutlineItem {
                tag: tree.tag(*id) as u8,
                end: ids.partition_point(|other| *other < tree.subtree_end(*id)) as u32,
                first_run: runs.start as u32,
                runs: runs.len() as u32,
                decision: stored.decision(*id).copied(),
            }
        };
        let outline = Self {
            items: ids.iter().map(item).collect(),
            run_bytes: tree.runs().iter().map(|run| run.text.len() as u32).collect(),
            judged: stored.judged.clone(),
            sums: ContentSums::default(),
        };
        outline.restored()
    }

    /// Without a judgement of other runs, and with the sums that are not kept.
    pub(super) fn restored(mut self) -> Self {
        self.judged = self.judged.filter(|judged| judged.is_of(self.run_bytes.len()));
        let lengths = self.run_bytes.iter().map(|bytes| *bytes as usize);
        self.sums = self.judged.as_ref().map(|judged| ContentSums::new(lengths, judged)).unwrap_or_default();
        self
    }

    /// The decisions of the items, in document order, and the judgement of the runs.
    pub(super) fn into_judgements(self) -> (Vec<Option<PruneDecision>>, Option<JudgedRuns>) {
        (self.items.into_iter().map(|item| item.decision).collect(), self.judged)
    }

    /// The items from the root down to that of a block path such as `1.0.3:0`; nothing where the page has no such item.
    pub fn line(&self, block_path: &str) -> Option<Vec<ItemId>> {
        let places = block_path.split(':').next().unwrap_or_default();
        let (mut item, mut line) = (ItemId::ROOT, vec![ItemId::ROOT]);
        for place in places.split('.').filter(|place| !place.is_empty()) {
            item = self.child_items(item).nth(place.parse().ok()?)?;
            line.push(item);
        }
        Some(line)
    }

    /// The items that are children of an item.
    pub fn child_items(&self, id: ItemId) -> impl Iterator<Item = ItemId> + '_ {
        let end = self.item(id).map_or(0, |item| item.end);
        let within = move |next: u32| (next < end).then_some(ItemId(next));
        // Damaged bytes must not go round in circles.
        std::iter::successors(within(id.0 + 1), move |ItemId(at)| within(self.items.get(*at as usize)?.end.max(at + 1)))
    }

    fn item(&self, id: ItemId) -> Option<&OutlineItem> {
        self.items.get(id.0 as usize)
    }

    /// The tag of an item's element.
    pub fn tag(&self, id: ItemId) -> Tag {
        self.item(id).and_then(|item| Tag::from_index(item.tag)).unwrap_or(Tag::Unknown)
    }

    /// The decision about an item.
    pub fn decision(&self, id: ItemId) -> Option<&PruneDecision> {
        self.item(id)?.decision.as_ref()
    }

    /// Mean probability of being content of the runs of an item, by the bytes of their text; nothing where nobody judged the page.
    pub fn content(&self, id: ItemId) -> Option<f32> {
        self.judged.as_ref()?;
        self.item(id).map(|item| self.sums.mean(item.run_range()))
    }

    /// Why: of the item of the line, from its end, that has a run with reasons the run that says most.
    pub fn reasons(&self, line: &[ItemId]) -> Vec<RunReason> {
        let Some(judged) = &self.judged else { return Vec::new() };
        let told = |id: &ItemId| judged.told_run(self.item(*id)?.run_range());
        line.iter().rev().find_map(told).map(|run| judged.reasons(run)).unwrap_or_default()
    }
}

impl OutlineItem {
    fn run_range(&self) -> Range<usize> {
        let first = self.first_run as usize;
        first..first + self.runs as usize
    }
}
