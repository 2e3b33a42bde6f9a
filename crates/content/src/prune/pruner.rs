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
mod tests {
    use lopper_analysis::Language;

    use super::*;
    use crate::cst::{self, Profile};
    use crate::dom;
    use crate::judge::RunJudgement;
    use crate::limits::Limits;
    use crate::weigh::{NoStatistics, WeighParams, Weigher};

    fn pruned(html: &str, query: &str, rule: PruneRule) -> PrunedTree {
        pruned_with(html, query, rule, &|_| 0.0)
    }

    /// With the template scores of blocks by their text.
    fn pruned_with(html: &str, query: &str, rule: PruneRule, score: &dyn Fn(&str) -> f32) -> PrunedTree {
        let limits = Limits::default();
        let tree = cst::build(&dom::parse(html, &limits), Profile::Paper, &limits);
        let scores: Vec<f32> = tree.ids().map(|id| score(tree.subtree_text(id))).collect();
        let mut weigher = Weigher::new();
        let weighted = weigher.weigh(tree, Language::from_code("en"), &NoStatistics, WeighParams::default());
        let query = QueryVector::new(&mut weigher, &weighted, query);
        prune(weighted, query, rule, BlockEvidence { templates: &scores, ..BlockEvidence::default() })
    }

    /// With a judge that holds runs with `content` for content.
    fn pruned_by_judge(html: &str, query: &str, rule: PruneRule) -> PrunedTree {
        pruned_by_judge_with(html, query, rule, NavigationBounds::default())
    }

    fn pruned_by_judge_with(html: &str, query: &str, rule: PruneRule, navigation: NavigationBounds) -> PrunedTree {
        let limits = Limits::default();
        let tree = cst::build(&dom::parse(html, &limits), Profile::Modern, &limits);
        let said = |run| {
            let kept = tree.run_text(run).contains("content");
            RunJudgement { probability: f32::from(u8::from(kept)), kept, comment: false }
        };
        let judged = JudgedRuns::new("test", tree.runs().iter().map(said));
        let mut weigher = Weigher::new();
        let weighted = weigher.weigh(tree, Language::from_code("en"), &NoStatistics, WeighParams::default());
        let query = QueryVector::new(&mut weigher, &weighted, query);
        prune(weighted, query, rule, BlockEvidence { judged: Some(&judged), navigation, ..Default::default() })
    }

    fn surviving(pruned: &PrunedTree) -> Vec<&str> {
        pruned.surviving_runs().map(|run| pruned.tree().run_text(run)).collect()
    }

    #[test]
    fn links_over_the_menus_go_and_headings_with_their_lists() {
        let skips = "<p><a href=#m>Skip to content of mills</a></p><div><a href=#f>Skip to mills</a></div>";
        let text = "<h1>content of mills</h1><p>content of a mill</p>";
        let left = |html: &str, rule| surviving(&pruned_by_judge(html, "mills", rule)).join("|");
        let balanced = |html: &str| left(html, PruneRule::Balanced);
        assert_eq!(balanced(&format!("{skips}{text}")), "content of mills|content of a mill");
        assert!(left(&format!("{skips}{text}"), PruneRule::Everything).starts_with("Skip"));
        assert!(balanced(&format!("{skips}{skips}{text}")).starts_with("Skip"), "the page's contents");
        assert!(balanced(&format!("<p>content</p>{skips}{text}")).contains("Skip"));
        assert!(balanced(skips).starts_with("Skip"));
        let own = "<h1 id=m><a href=#m>content of mills</a></h1><div id=n><p><a href=#n>mills</a></p></div>";
        assert_eq!(balanced(&format!("{own}<p>content of a mill</p>")), "content of mills|mills|content of a mill");
        let list = "<ul><li><a href=a>wind</a><li><a href=b>water</a><li><a href=c>steam</a></ul>";
        let related = format!("{text}<h2>other mills</h2>{list}<h2>more mills</h2><p>content</p>");
        assert_eq!(balanced(&related), "content of mills|content of a mill|more mills|content");
    }

    #[test]
    fn what_is_passed_over_goes_however_similar_it_is() {
        let html = "<body><div><p>mills</p><p>rivers</p></div><div>content of mills</div><p>more of mills</p>
            <p>content of a mill</p></body>";
        let limits = Limits::default();
        let tree = cst::build(&dom::parse(html, &limits), Profile::Modern, &limits);
        let said = |run| {
            let kept = tree.run_text(run).contains("content");
            RunJudgement { probability: f32::from(u8::from(kept)), kept, comment: false }
        };
        let judged = |passed_over: &[RunId]| {
            let mut judged = JudgedRuns::new("test", tree.runs().iter().map(said));
            judged.pass_over(passed_over);
            judged
        };
        let left = |passed_over: &[RunId], rule| {
            let (mut weigher, judged) = (Weigher::new(), judged(passed_over));
            let weighted =
                weigher.weigh(tree.clone(), Language::from_code("en"), &NoStatistics, WeighParams::default());
            let query = QueryVector::new(&mut weigher, &weighted, "mills rivers");
            let pruned = prune(weighted, query, rule, BlockEvidence { judged: Some(&judged), ..Default::default() });
            surviving(&pruned).len()
        };
        assert_eq!(left(&[], PruneRule::Balanced), 5);
        assert_eq!(left(&[0, 1], PruneRule::Balanced), 3, "a block");
        assert_eq!(left(&[3], PruneRule::Balanced), 4, "a run");
        assert_eq!(left(&[0, 1, 3], PruneRule::Everything), 5, "no judge is asked");
    }

    const FLOOR: &str = "<body>top<div>red sea<div>red</div></div><div>red tea sun</div><div>ink</div></body>";

    #[test]
    fn the_paper_keeps_the_most_similar_sibling() {
        assert_eq!(surviving(&pruned(FLOOR, "red", PruneRule::Paper)), ["top", "red sea", "red"]);
        assert_eq!(surviving(&pruned(FLOOR, "tea", PruneRule::Paper)), ["top", "red tea sun"]);
        assert_eq!(surviving(&pruned(FLOOR, "unknown", PruneRule::Paper)).len(), 5, "nothing is similar: all stay");
    }

    #[test]
    fn similarities_and_values_by_hand() {
        // All idf are 1. First div with its child: red 2, sea 1: cos = 2 / sqrt(5). Second: 1 / sqrt(3).
        let pruned = pruned(FLOOR, "red", PruneRule::Relative { share: 0.9 });
        let floor: Vec<NodeId> = pruned.tree().child_items(ContentStructureTree::ROOT).collect();
        let similarity = |item: NodeId| pruned.decision(item).unwrap().similarity;
        assert!((similarity(floor[0]) - 2.0 / 5f32.sqrt()).abs() < 1e-6);
        assert!((similarity(floor[1]) - 1.0 / 3f32.sqrt()).abs() < 1e-6);
        assert!(similarity(floor[2]) == 0.0);
        // 1 / sqrt(3) = 0.577 is below 0.9 · 0.894, so only the first div adds to the body: top, red 2, sea 1 over the page's norm
        // sqrt(1 + 9 + 1 + 1 + 1 + 1).
        let value = pruned.element_value(ContentStructureTree::ROOT);
        assert!((value - 4.0 / 14f32.sqrt()).abs() < 1e-6, "{value}");
    }

    const SITE: &str =
        "<body><div>all mills</div><div>red tea sun moon star sky sea sand wood</div><div>ink</div></body>";

    #[test]
    fn what_the_site_repeats_goes_before_the_others_compete() {
        let score = |text: &str| if matches!(text, "all mills" | "ink") { 0.5 } else { 0.0 };
        let judged = pruned_with(SITE, "mills", PruneRule::Balanced, &score);
        assert_eq!(surviving(&judged), ["red tea sun moon star sky sea sand wood"]);
        let floor: Vec<NodeId> = judged.tree().child_items(ContentStructureTree::ROOT).collect();
        let decision = judged.decision(floor[0]).unwrap();
        assert_eq!((decision.reason, decision.template), (PruneReason::Template, 0.5));
        assert_eq!(judged.decision(floor[1]).unwrap().reason, PruneReason::OnlyChild);
        for rule in [PruneRule::Everything, PruneRule::Balanced] {
            let judged = pruned_with(SITE, "mills", rule, &|text| if text == "ink" { 0.49 } else { 0.0 });
            assert_eq!(surviving(&judged).len(), 3, "below the least score, and by other rules, nothing goes");
        }
    }

    #[test]
    fn a_footer_goes_however_similar_it_is_where_the_judge_agrees() {
        let page = |footer: &str| {
            format!("<body><div>content of a page about mills and rivers and much else that turns</div>{footer}</body>")
        };
        let kept = |footer: &str, rule| surviving(&pruned_by_judge(&page(footer), "mills", rule)).len();
        assert_eq!(kept("<footer>mills</footer>", PruneRule::Balanced), 1);
        assert_eq!(kept("<footer>mills</footer>", PruneRule::Everything), 2);
        assert_eq!(kept("<footer>content mills</footer>", PruneRule::Balanced), 2, "the judge keeps it");
        assert_eq!(kept("<div>mills</div>", PruneRule::Balanced), 2, "no element says so");
        let links = r#"<ul><li><a href="/m">mills</a></li></ul>"#.repeat(20);
        let menu = format!("<div>{links}</div>");
        let rest = "content of a page that says much of mills. ".repeat(6);
        let beside = |rest: &str| {
            let html = format!("<body>{menu}<div>{rest}</div></body>");
            surviving(&pruned_by_judge(&html, "mills", PruneRule::Balanced)).len()
        };
        assert_eq!(beside(&rest), 1, "much of a page that the judge knows");
        assert_eq!(beside("content of mills."), 21, "nearly all of the page");
        let with_text = menu.replacen("</div>", "<p>content in between</p></div>", 1);
        let html = format!("<body>{with_text}<div>{rest}</div></body>");
        assert_eq!(surviving(&pruned_by_judge(&html, "mills", PruneRule::Balanced)).len(), 22, "some of it is kept");
        assert_eq!(beside(&rest.replace("content", "matter")), 21, "the judge keeps nothing else");
        let alone = "<footer>mills</footer>".repeat(5);
        let alone = surviving(&pruned_by_judge(&alone, "mills", PruneRule::Balanced)).len();
        assert_eq!(alone, 5, "a floor is not emptied");
    }

    #[test]
    fn links_that_the_judge_holds_for_content_stay_beside_what_is_more_similar() {
        let card = |words: &str| {
            let links = ["picture", words, "buy it"].map(|text| format!(r#"<a href="/1">{text}</a>"#)).join("<br>");
            format!("<div>{links}</div>")
        };
        let names = ["red mill", "content blue", "content green", "grey"];
        let html = format!("<body><div>{}</div></body>", names.map(card).concat());
        let stay = |content_min| {
            let navigation = NavigationBounds { noise_max: 0.0, content_min };
            let pruned = pruned_by_judge_with(&html, "mill", PruneRule::Balanced, navigation);
            let text = surviving(&pruned).join(" ");
            names.map(|name| text.contains(name))
        };
        assert_eq!(stay(0.3), [true, true, true, false]);
        assert_eq!(stay(f32::INFINITY), [true, false, false, false]);
    }

    #[test]
    fn a_doubtful_card_stays_in_a_list_of_content() {
        let card = |words: &str| {
            let lines = words.split(',').map(|text| format!(r#"<p><a href="/1">{text}</a> <a href="/2">buy</a></p>"#));
            format!("<div>{}</div>", lines.collect::<String>())
        };
        let stays = |sure: &[&str]| {
            let cards: String =
                ["red mill", "content grey,nothing grey"].iter().chain(sure).map(|words| card(words)).collect();
            let html = format!("<body><div>{cards}</div></body>");
            let navigation = NavigationBounds { noise_max: 0.0, content_min: 0.8 };
            let pruned = pruned_by_judge_with(&html, "mill", PruneRule::Balanced, navigation);
            surviving(&pruned).join(" ").contains("grey")
        };
        let sure = ["content blue,content dark", "content green,content pale", "content teal,content fair"];
        assert!(stays(&sure));
        assert!(!stays(&sure[..2]), "too few");
    }

    #[test]
    fn a_template_does_not_empty_its_floor_nor_take_much_of_the_page() {
        assert_eq!(
            surviving(&pruned_with(SITE, "mills", PruneRule::Balanced, &|_| 1.0)).len(),
            1,
            "the long one stays"
        );
        let alike = "<body>".to_owned() + &"<div>one two</div>".repeat(5);
        assert_eq!(surviving(&pruned_with(&alike, "mills", PruneRule::Balanced, &|_| 1.0)).len(), 5);
    }

    #[test]
    fn what_is_inside_an_eliminated_block_goes_with_it() {
        let pruned = pruned(FLOOR, "tea", PruneRule::Paper);
        let inner = pruned.tree().runs().iter().find(|run| pruned.tree().run_text(run) == "red").unwrap();
        assert!(pruned.decision(inner.item).unwrap().kept && !pruned.survives(inner.item));
    }
}
