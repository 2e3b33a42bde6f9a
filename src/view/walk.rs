//! A judged tree as it is read: boxes that open and close, and lines of text in between.

use lopper_content::cst::{BlockPaths, ContentStructureTree, NodeId, NodeKind, Run, RunId};
use lopper_content::pipeline::StoredTree;
use lopper_content::prune::{PruneDecision, PruneReason};

/// One step of a walk through a tree.
pub(crate) enum Step<'a> {
    /// A block that was judged against its siblings begins.
    Open(Box<Judged>),
    /// A line of text in the block last opened.
    Line(Line<'a>),
    /// A block ends.
    Close,
}

/// A judged block. Blocks that hold nothing but one other are one with it.
pub(crate) struct Judged {
    /// Tags, outermost first.
    pub(crate) tags: Vec<&'static str>,
    /// The decision that counts: the first that dropped it, else the first among siblings.
    pub(crate) decision: PruneDecision,
    /// The innermost block.
    pub(crate) item: NodeId,
}

/// A run.
pub(crate) struct Line<'a> {
    pub(crate) id: RunId,
    pub(crate) run: &'a Run,
    pub(crate) tag: &'static str,
    /// The path of its block, where it is the first line of it.
    pub(crate) path: Option<String>,
}

/// Walks a tree in page order.
pub(crate) fn walk<'a>(stored: &'a StoredTree, mut visit: impl FnMut(Step<'a>)) {
    let mut walk = Walk::new(stored);
    for id in stored.tree.ids() {
        while walk.open.last().is_some_and(|end| *end <= id) {
            walk.open.pop();
            visit(Step::Close);
        }
        if stored.tree.kind(id) == NodeKind::HtmlItem {
            walk.item(id, &mut visit);
        } else {
            walk.content(id, &mut visit);
        }
    }
    walk.open.drain(..).for_each(|_| visit(Step::Close));
}

struct Walk<'a> {
    stored: &'a StoredTree,
    paths: BlockPaths,
    /// Runs begun so far.
    runs: usize,
    /// Ends of the boxes that are open.
    open: Vec<NodeId>,
    /// Blocks that the next one is one with.
    outer: Vec<NodeId>,
    /// The block of the last line.
    last_item: Option<NodeId>,
}

impl<'a> Walk<'a> {
    fn new(stored: &'a StoredTree) -> Self {
        let paths = BlockPaths::new(&stored.tree);
        Self { stored, paths, runs: 0, open: Vec::new(), outer: Vec::new(), last_item: None }
    }

    fn item(&mut self, id: NodeId, visit: &mut impl FnMut(Step<'a>)) {
        let tree = &self.stored.tree;
        let Some(decision) = self.stored.decision(id).filter(|decision| decision.reason != PruneReason::Part) else {
            return;
        };
        if tree.runs_within(id).is_empty() {
            return;
        }
        if is_wrapper(self.stored, id) {
            self.outer.push(id);
            return;
        }
        let chain: Vec<NodeId> = self.outer.drain(..).chain([id]).collect();
        let decisions = || chain.iter().filter_map(|item| self.stored.decision(*item));
        let judged = decisions().find(|decision| !decision.kept).or_else(|| decisions().find(|one| is_contest(one)));
        let tags = chain.iter().map(|item| tree.tag(*item).name()).collect();
        self.open.push(tree.subtree_end(id));
        visit(Step::Open(Box::new(Judged { tags, decision: *judged.unwrap_or(decision), item: id })));
    }

    fn content(&mut self, id: NodeId, visit: &mut impl FnMut(Step<'a>)) {
        let tree = &self.stored.tree;
        let Some(run) = tree.runs().get(self.runs).filter(|run| run.nodes.start == id.0) else { return };
        self.runs += 1;
        let is_first = self.last_item.replace(run.item) != Some(run.item);
        let path = is_first.then(|| self.paths.path(tree, run.item));
        visit(Step::Line(Line { id: self.runs - 1, run, tag: tree.tag(run.item).name(), path }));
    }
}

/// Whether all that a block holds is one other judged block.
fn is_wrapper(stored: &StoredTree, id: NodeId) -> bool {
    let tree: &ContentStructureTree = &stored.tree;
    let mut filled = tree.child_items(id).filter(|child| !tree.runs_within(*child).is_empty());
    let (Some(child), None) = (filled.next(), filled.next()) else { return false };
    let is_part = stored.decision(child).is_none_or(|decision| decision.reason == PruneReason::Part);
    !is_part && tree.runs_within(child) == tree.runs_within(id)
}

/// Whether siblings were compared.
fn is_contest(decision: &PruneDecision) -> bool {
    !matches!(decision.reason, PruneReason::Root | PruneReason::OnlyChild | PruneReason::Part)
}
