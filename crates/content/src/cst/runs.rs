//! The tree's runs, and those below a node with their text.

use std::ops::Range;

use super::{ContentStructureTree, NodeId, NodeKind, Run, RunId, Span};

impl ContentStructureTree {
    /// The runs, in document order.
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// The runs inside a node's subtree.
    pub fn runs_within(&self, id: NodeId) -> Range<RunId> {
        let before = self.runs_before.get_or_init(|| self.count_runs());
        let before = |node: u32| before.get(node as usize).map_or(self.runs.len(), |runs| *runs as RunId);
        before(id.0)..before(self.node(id).end)
    }

    /// [`Self::runs_before`].
    fn count_runs(&self) -> Box<[u32]> {
        let nodes = self.nodes.len();
        let mut before = Vec::with_capacity(nodes + 1);
        for (count, run) in (0..).zip(&self.runs) {
            let known = (run.nodes.start as usize).min(nodes) + 1;
            before.resize(known.max(before.len()), count);
        }
        before.resize(nodes + 1, self.runs.len() as u32);
        before.into()
    }

    /// The text of a run.
    pub fn run_text(&self, run: &Run) -> &str {
        &self.text[run.text.range()]
    }

    /// Bytes of a run's text that are in links.
    pub(crate) fn linked_bytes(&self, run: &Run) -> usize {
        let links = run.nodes.clone().map(NodeId).filter(|node| self.kind(*node) == NodeKind::Link);
        links.map(|node| self.text_span(node).len()).sum()
    }

    /// The visible text below a node, runs on lines of their own.
    pub fn subtree_text(&self, id: NodeId) -> &str {
        let runs = &self.runs[self.runs_within(id)];
        let (Some(first), Some(last)) = (runs.first(), runs.last()) else { return "" };
        // Runs without text stand where the next text will: only text moves them on.
        let start = match first.text {
            Span { start, end } if start == end => {
                runs.get(runs.partition_point(|run| run.text.end <= start)).map(|run| run.text.start)
            }
            Span { start, .. } => Some(start),
        };
        let end = match last.text {
            Span { start, end } if start == end => {
                let before = runs.partition_point(|run| run.text.start < start);
                before.checked_sub(1).map(|last| runs[last].text.end)
            }
            Span { end, .. } => Some(end),
        };
        start.zip(end).map_or("", |(start, end)| &self.text[start as usize..end as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cst::{self, Profile};
    use crate::dom;
    use crate::limits::Limits;

    /// By looking at each run.
    fn slow_text(tree: &ContentStructureTree, id: NodeId) -> &str {
        let mut runs = tree.runs()[tree.runs_within(id)].iter().filter(|run| !run.text.is_empty());
        let Some(first) = runs.next() else { return "" };
        &tree.text[first.text.start as usize..runs.next_back().unwrap_or(first).text.end as usize]
    }

    #[test]
    fn the_text_below_a_node_is_that_of_its_runs() {
        let parts = ["<p>word</p>", "<p><img src=a></p>", "<pre>line\n</pre>", "<div>", "</div>", "<img src=b>"];
        for choice in 0..parts.len().pow(5) {
            let html: String = (0..5u32).map(|place| parts[choice / parts.len().pow(place) % parts.len()]).collect();
            let limits = Limits::default();
            let tree = cst::build(&dom::parse(&html, &limits), Profile::Modern, &limits);
            for id in tree.ids() {
                let begins_in = |run: &&Run| (id..tree.subtree_end(id)).contains(&NodeId(run.nodes.start));
                assert_eq!(tree.runs_within(id).len(), tree.runs().iter().filter(begins_in).count(), "{html}");
                assert_eq!(tree.subtree_text(id), slow_text(&tree, id), "{html}");
            }
        }
    }
}
