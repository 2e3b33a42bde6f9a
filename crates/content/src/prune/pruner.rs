//! Figure 5, bottom-up.

use super::dropped::dropped_runs;
use super::navigation::{NOISE_MAX, NavigationBounds};
use super::noise::LinkLists;
use super::query::QueryVector;
use super::vector::{Accumulator, SparseVector};
use super::{PruneDecision, PruneReason, PruneRule, TEMPLATE_SCORE_MIN};
use crate::cst::{ContentStructureTree, NodeId, NodeKind, Run, RunId};
use crate::judge::{ContentSums, JudgedRuns};
use crate::weigh::{TermId, WeightedTree};

/// A tree whose blocks are judged. Only [`prune`] makes one.
#[derive(Debug, Clone)]
pub struct PrunedTree {
    weighted: WeightedTree,
    query: QueryVector,
    rule: PruneRule,
    decisions: Vec<Option<PruneDecision>>,
    values: Vec<f32>,
    survives: Vec<bool>,
    /// Runs of surviving items that went all the same, ascending.
    dropped_runs: Vec<u32>,
}

/// What is known of a page's blocks besides their words.
#[derive(Debug, Clone, Copy, Default)]
pub struct BlockEvidence<'a> {
    /// Share of the site's pages that hold a block, by node; nothing where that is unknown.
    pub templates: &'a [f32],
    /// What a judge said of the page's runs, where one was asked.
    pub judged: Option<&'a JudgedRuns>,
    /// What the judge must say of navigation.
    pub navigation: NavigationBounds,
}

impl PrunedTree {
    /// The tree.
    pub fn tree(&self) -> &ContentStructureTree {
        self.weighted.tree()
    }

    /// The weighed tree.
    pub fn weighted(&self) -> &WeightedTree {
        &self.weighted
    }

    /// Gives the tree back.
    pub(crate) fn into_tree(self) -> ContentStructureTree {
        self.weighted.into_tree()
    }

    /// The rule that it was pruned by.
    pub fn rule(&self) -> PruneRule {
        self.rule
    }

    /// The decision about an HtmlItem; `None` for other nodes.
    pub fn decision(&self, id: NodeId) -> Option<&PruneDecision> {
        self.decisions[id.index()].as_ref()
    }

    /// The value of an HtmlItem's Element node: the sum of the weights of its contents and of its surviving blocks (figure 5,
    /// lines 4, 12 and 13).
    pub fn element_value(&self, item: NodeId) -> f32 {
        self.values[self.tree().element(item).index()]
    }

    /// Whether the node, and every block around it, stayed.
    pub fn survives(&self, id: NodeId) -> bool {
        self.survives[id.index()]
    }

    /// Cosine similarity of some content nodes, taken together, to the query.
    pub fn similarity(&self, contents: impl Iterator<Item = NodeId>) -> f32 {
        let weights = contents.flat_map(|content| own_weights(&self.weighted, content));
        self.query.cosine(&SparseVector::of_few(weights))
    }

    /// Length of the vector of term frequencies of some content nodes taken together: `sqrt(Σ tf_i²)`.
    pub fn norm(&self, contents: impl Iterator<Item = NodeId>) -> f32 {
        let counts = contents.flat_map(|content| self.weighted.node_terms(content));
        SparseVector::of_few(counts.map(|(term, tf)| (*term, *tf as f32))).norm() as f32
    }

    /// Whether a run, and every block around it, stayed.
    pub fn run_survives(&self, run: RunId) -> bool {
        self.survives(self.tree().runs()[run].item) && self.dropped_runs.binary_search(&(run as u32)).is_err()
    }

    /// Runs of surviving blocks that went all the same, ascending.
    pub(crate) fn dropped_runs(&self) -> &[u32] {
        &self.dropped_runs
    }

    /// The runs that stayed, in document order.
    pub fn surviving_runs(&self) -> impl Iterator<Item = &Run> {
        let runs = self.tree().runs().iter().enumerate();
        runs.filter(|(id, _)| self.run_survives(*id)).map(|(_, run)| run)
    }
}

/// Judges every HtmlItem against its siblings, from the leaves up (CST paper, figure 5).
///
/// An item's vector is that of its own content nodes plus those of its surviving child items. Items on one floor are compared by
/// [`PruneDecision::similarity`]; eliminated ones add nothing to their parent. O(terms · depth).
///
/// Differs from the paper: 1) what "less similarity" means is a [`PruneRule`]; 2) equal similarities stay together, so where
/// nothing is similar to the query nothing is eliminated; 3) the paper's blocks (`body`, `div`, `table`) are all containers; of
/// those that the modern profile adds, only containers of more than a heading compete, so that a paragraph is not measured by its
/// own few words; 4) [`BlockEvidence::templates`] has by node the share of the site's pages that hold a block:
/// [`PruneRule::Balanced`] eliminates what is on most of them before the others compete, unless it is much of the page, or nothing
/// else is on its floor; 5) [`BlockEvidence::judged`] has what a content judge said of the runs, which
/// [`PruneRule::Balanced`] and [`PruneRule::Main`] go by; what it passes over, or holds for noise and is a footer, navigation or a list of
/// links, goes before the others compete, unless nothing else is on its floor, or it is much of a page whose rest the judge does not hold for
/// content.
pub fn prune(weighted: WeightedTree, query: QueryVector, rule: PruneRule, evidence: BlockEvidence<'_>) -> PrunedTree {
    match prune_within(weighted, query, rule, evidence, u64::MAX) {
        Ok(pruned) => pruned,
        Err(TooManySteps) => unreachable!("no page has so many"),
    }
}

/// Pruning was given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooManySteps;

/// [`prune`], given up when it adds more than `steps_max` entries of vectors.
///
/// # Errors
///
/// [`TooManySteps`].
pub(crate) fn prune_within(
    weighted: WeightedTree,
    query: QueryVector,
    rule: PruneRule,
    evidence: BlockEvidence<'_>,
    steps_max: u64,
) -> Result<PrunedTree, TooManySteps> {
    debug_assert!(evidence.templates.is_empty() || evidence.templates.len() == weighted.tree().len());
    debug_assert!(evidence.judged.is_none_or(|judged| judged.is_of(weighted.tree().runs().len())));
    let (decisions, values) = Floors::new(&weighted, &query, rule, evidence).judge_all(steps_max)?;
    let survives = survivors(weighted.tree(), |id| decisions[id.index()].as_ref());
    let mut pruned = PrunedTree { weighted, query, rule, decisions, values, survives, dropped_runs: Vec::new() };
    pruned.dropped_runs = evidence.judged.map_or_else(Vec::new, |judged| dropped_runs(&pruned, judged));
    Ok(pruned)
}

/// Mean probability of a page without a block from which on the judge knows such pages: half of a page of text and boxes of links.
const REST_CONTENT_MIN: f32 = 0.4;

/// Share of the page's text that the rest must be: a list that is nearly all of a page is what the page is for.
const REST_SHARE_MIN: f32 = 0.2;

/// Lists of links that the judge must hold for content for others beside them to be content sooner.
const ALIKE_MIN: usize = 3;

/// How an item takes part in its floor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    /// It belongs to what is around it.
    Part,
    /// It competes.
    Rival,
    /// It is the site's, and goes before the others compete.
    Template,
    /// It is noise by its element or links and by the judge, and goes before the others compete, however similar it is: a footer may
    /// repeat the title.
    Noise,
}

/// Decisions and values, by node.
type Judged = (Vec<Option<PruneDecision>>, Vec<f32>);

struct Floors<'a> {
    weighted: &'a WeightedTree,
    query: &'a QueryVector,
    rule: PruneRule,
    templates: &'a [f32],
    judged: Option<(&'a JudgedRuns, ContentSums)>,
    navigation: NavigationBounds,
    lists: LinkLists<'a>,
    /// Vectors of items whose parent was not yet reached.
    vectors: Vec<SparseVector>,
    sums: Accumulator,
    decisions: Vec<Option<PruneDecision>>,
    values: Vec<f32>,
}

impl<'a> Floors<'a> {
    fn new(weighted: &'a WeightedTree, query: &'a QueryVector, rule: PruneRule, evidence: BlockEvidence<'a>) -> Self {
        let nodes = weighted.tree().len();
        let vectors = vec![SparseVector::default(); nodes];
        let lists = LinkLists::new(weighted.tree());
        Self {
            weighted,
            query,
            rule,
            templates: evidence.templates,
            navigation: evidence.navigation,
            judged: evidence.judged.map(|judged| (judged, ContentSums::new(run_lengths(weighted.tree()), judged))),
            lists,
            vectors,
            sums: Accumulator::new(weighted.terms().len()),
            decisions: vec![None; nodes],
            values: vec![0.0; nodes],
        }
    }

    fn judge_all(mut self, steps_max: u64) -> Result<Judged, TooManySteps> {
        let tree = self.weighted.tree();
        for item in tree.ids().rev().filter(|id| tree.kind(*id) == NodeKind::HtmlItem) {
            let vector = self.gather(item);
            if self.sums.added() > steps_max {
                return Err(TooManySteps);
            }
            self.values[tree.element(item).index()] = vector.total() as f32;
            self.vectors[item.index()] = vector;
        }
        let root = ContentStructureTree::ROOT;
        let similarity = self.query.cosine(&self.vectors[root.index()]);
        let decision =
            PruneDecision { similarity, best: similarity, kept: true, reason: PruneReason::Root, template: 0.0 };
        self.decisions[root.index()] = Some(decision);
        Ok((self.decisions, self.values))
    }

    fn judge(&self, item: NodeId, similarity: f32, best: f32, rivals: usize, content_min: f32) -> PruneDecision {
        match &self.judged {
            Some((judged, _)) if self.keeps_by_run() => {
                let kept = judged.keeps_some(self.weighted.tree().runs_within(item));
                let reason = if kept { PruneReason::Content } else { PruneReason::NotContent };
                PruneDecision { similarity, best, kept, reason, template: 0.0 }
            }
            _ => {
                let is_noise = self.lists.is_noise(item) && !self.is_content(item, content_min);
                self.rule.judge(similarity, best, rivals, is_noise, self.is_unlikely(item))
            }
        }
    }

    fn template_score(&self, item: NodeId) -> f32 {
        self.templates.get(item.index()).copied().unwrap_or(0.0)
    }

    fn classes(&self, item: NodeId, floor: &[NodeId]) -> Vec<Class> {
        let tree = self.weighted.tree();
        let is_template = |child: NodeId| self.is_template(child);
        let goes = |child: NodeId| self.is_template(child) || self.is_agreed_noise(child);
        let (has_own, has_more) = (self.has_without(item, floor, is_template), self.has_without(item, floor, goes));
        let class = |child: &NodeId| match competes(tree, *child) {
            false => Class::Part,
            true if has_own && self.is_template(*child) => Class::Template,
            true if has_more && self.is_agreed_noise(*child) => Class::Noise,
            true => Class::Rival,
        };
        floor.iter().map(class).collect()
    }

    fn is_template(&self, item: NodeId) -> bool {
        let goes_by_site = !matches!(self.rule, PruneRule::Paper | PruneRule::Relative { .. } | PruneRule::Everything);
        let is_known = goes_by_site && self.template_score(item) >= TEMPLATE_SCORE_MIN;
        is_known && (self.lists.is_small(item) || self.lists.is_navigation(item))
    }

    /// Whether a block is noise by its element or links, and the judge says so too, or is passed over.
    fn is_agreed_noise(&self, item: NodeId) -> bool {
        let goes_by_noise = matches!(self.rule, PruneRule::Balanced | PruneRule::Main) && !self.keeps_by_run();
        goes_by_noise
            && self.is_below(item, self.navigation.noise_max)
            && (self.is_passed_over(item)
                || (self.lists.is_navigation(item) && (self.lists.is_small(item) || self.is_beside_content(item))))
    }

    /// Whether all text of a block is passed over.
    fn is_passed_over(&self, item: NodeId) -> bool {
        let mut runs = self.weighted.tree().runs_within(item);
        self.judged
            .as_ref()
            .is_some_and(|(judged, sums)| sums.mean(runs.clone()) == 0.0 && runs.any(|run| judged.is_passed_over(run)))
    }

    /// Whether the judge holds a block for noise, and it is not much of the page.
    fn is_unlikely(&self, item: NodeId) -> bool {
        self.is_below(item, NOISE_MAX) && self.lists.is_small(item)
    }

    /// Whether the judge holds navigation for content, which it is from a probability on.
    fn is_content(&self, item: NodeId, content_min: f32) -> bool {
        self.judged.is_some() && !self.is_below(item, content_min)
    }

    /// From which probability on navigation of a floor is content: half where most of several lists of links are, so that few cards of a
    /// list are not missing.
    fn content_min(&self, floor: &[NodeId]) -> f32 {
        let bound = self.navigation.content_min;
        let navigation = || floor.iter().filter(|child| self.lists.is_noise(**child));
        let held = navigation().filter(|child| self.is_content(**child, bound)).count();
        if held >= ALIKE_MIN && 2 * held > navigation().count() { bound / 2.0 } else { bound }
    }

    fn is_below(&self, item: NodeId, probability: f32) -> bool {
        let runs = self.weighted.tree().runs_within(item);
        self.judged.as_ref().is_some_and(|(_, sums)| sums.mean(runs) < probability)
    }

    /// Whether the judge keeps nothing of a block and holds the rest of the page for content: then it knows such pages, and what it says
    /// of much of one counts.
    fn is_beside_content(&self, item: NodeId) -> bool {
        let runs = self.weighted.tree().runs_within(item);
        self.judged.as_ref().is_some_and(|(judged, sums)| {
            let (mean, share) = sums.outside(runs.clone());
            mean >= REST_CONTENT_MIN && share >= REST_SHARE_MIN && !judged.keeps_some(runs)
        })
    }

    /// Whether the judge says run by run what stays.
    fn keeps_by_run(&self) -> bool {
        self.rule == PruneRule::Main && self.judged.as_ref().is_some_and(|(judged, _)| judged.keeps_any())
    }

    /// Whether something is left of a floor without what goes before the others compete.
    fn has_without(&self, item: NodeId, floor: &[NodeId], goes: impl Fn(NodeId) -> bool) -> bool {
        let tree = self.weighted.tree();
        let has_runs = |child: NodeId| !tree.runs_within(child).is_empty();
        tree.children(item).any(|child| tree.kind(child).is_content())
            || floor.iter().any(|child| has_runs(*child) && !goes(*child))
    }

    /// The item's vector after its floor of children was judged.
    fn gather(&mut self, item: NodeId) -> SparseVector {
        let tree = self.weighted.tree();
        let floor: Vec<NodeId> = tree.child_items(item).collect();
        let similarities: Vec<f32> =
            floor.iter().map(|child| self.query.cosine(&self.vectors[child.index()])).collect();
        let classes = self.classes(item, &floor);
        let rivals = || similarities.iter().zip(&classes).filter(|(_, class)| **class == Class::Rival);
        let best = rivals().map(|(similarity, _)| *similarity).fold(0.0, f32::max);
        let rival_count = rivals().count();
        let content_min = self.content_min(&floor);
        let mut parts = Vec::with_capacity(floor.len());
        for ((child, similarity), class) in floor.iter().zip(similarities).zip(classes) {
            let template = self.template_score(*child);
            let decided = |kept, reason| PruneDecision { similarity, best, kept, reason, template };
            let decision = match class {
                Class::Part => decided(true, PruneReason::Part),
                Class::Template => decided(false, PruneReason::Template),
                Class::Noise => decided(false, PruneReason::Noise),
                Class::Rival => {
                    PruneDecision { template, ..self.judge(*child, similarity, best, rival_count, content_min) }
                }
            };
            let vector = std::mem::take(&mut self.vectors[child.index()]);
            if decision.kept {
                parts.push(vector);
            }
            self.decisions[child.index()] = Some(decision);
        }
        let mut contents = tree.children(item).filter(|child| tree.kind(*child).is_content()).peekable();
        if parts.len() == 1 && contents.peek().is_none() {
            return parts.swap_remove(0);
        }
        for part in &parts {
            self.sums.add_vector(part);
        }
        self.sums.add(contents.flat_map(|content| own_weights(self.weighted, content)));
        self.sums.take()
    }
}

/// Whether an HtmlItem is judged against its siblings: containers of more than a heading are. Others stay or go with the container
/// that they are in.
pub fn competes(tree: &ContentStructureTree, item: NodeId) -> bool {
    tree.kind(item) == NodeKind::HtmlItem && tree.tag(item).info().container && !is_heading_alone(tree, item)
}

/// Whether a block only wraps a heading: it is then part of what it heads.
fn is_heading_alone(tree: &ContentStructureTree, item: NodeId) -> bool {
    let runs = &tree.runs()[tree.runs_within(item)];
    let mut headings = runs.iter().map(|run| tree.tag(run.item).heading_level().is_some());
    !runs.is_empty() && headings.all(|is_heading| is_heading)
}

/// The weights of a content node's terms.
fn own_weights(weighted: &WeightedTree, content: NodeId) -> impl Iterator<Item = (TermId, f32)> + '_ {
    weighted.node_terms(content).iter().map(|(term, tf)| (*term, weighted.term_weight(*term, *tf)))
}

/// Whether each node, and every block around it, stayed; by node. What is inside an eliminated block is eliminated.
pub fn survivors<'a>(tree: &ContentStructureTree, decision: impl Fn(NodeId) -> Option<&'a PruneDecision>) -> Vec<bool> {
    let mut survives = vec![true; tree.len()];
    for id in tree.ids() {
        let parent_survives = tree.parent(id).is_none_or(|parent| survives[parent.index()]);
        survives[id.index()] = parent_survives && decision(id).is_none_or(|decision| decision.kept);
    }
    survives
}

/// Length of each run's text in bytes.
fn run_lengths(tree: &ContentStructureTree) -> impl Iterator<Item = usize> {
    tree.runs().iter().map(|run| run.text.len())
}

#[cfg(test)]
mod tests;
