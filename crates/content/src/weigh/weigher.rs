//! TF-IDF over the tree.

use lopper_analysis::{Analyzer, Language};
use serde::{Deserialize, Serialize};

use super::content::{Captions, pieces};
use super::vocabulary::Vocabulary;
use super::{PageStatistics, TermStatistics};
use crate::cst::{ContentStructureTree, NodeId, NodeKind};

/// Index of a term in a [`WeightedTree`]'s vocabulary.
pub type TermId = u32;

/// What goes into a node's weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WeighParams {
    /// Whether links count. Default yes, as in the paper.
    pub links: bool,
    /// Whether images count. Default yes, as in the paper.
    pub images: bool,
}

impl Default for WeighParams {
    fn default() -> Self {
        Self { links: true, images: true }
    }
}

/// A content weight by its parts: `ContentWeight = TextWeight + ImageWeight + LinkWeight` (sec. VI). Unitless, each ≥ 0.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ContentWeight {
    /// Weight of the text nodes.
    pub text: f32,
    /// Weight of the image nodes.
    pub image: f32,
    /// Weight of the link nodes.
    pub link: f32,
}

impl ContentWeight {
    /// The sum of the parts.
    pub fn total(self) -> f32 {
        self.text + self.image + self.link
    }

    fn add(&mut self, other: Self) {
        self.text += other.text;
        self.image += other.image;
        self.link += other.link;
    }

    fn of_kind(kind: NodeKind, weight: f32) -> Self {
        match kind {
            NodeKind::Text => Self { text: weight, ..Self::default() },
            NodeKind::Image => Self { image: weight, ..Self::default() },
            NodeKind::Link => Self { link: weight, ..Self::default() },
            NodeKind::HtmlItem | NodeKind::Element => Self::default(),
        }
    }
}

/// A tree whose nodes are weighed. Only [`Weigher::weigh`] makes one.
#[derive(Debug, Clone)]
pub struct WeightedTree {
    tree: ContentStructureTree,
    language: Language,
    terms: Vec<String>,
    idf: Vec<f32>,
    norm: f64,
    /// Terms of node `v`: `node_terms[first_term[v]..first_term[v + 1]]`, sorted by term.
    first_term: Vec<u32>,
    node_terms: Vec<(TermId, u32)>,
    weights: Vec<ContentWeight>,
}

impl WeightedTree {
    /// The tree.
    pub fn tree(&self) -> &ContentStructureTree {
        &self.tree
    }

    /// Gives the tree back without its weights.
    pub(crate) fn into_tree(self) -> ContentStructureTree {
        self.tree
    }

    /// The language that its terms were stemmed in.
    pub fn language(&self) -> Language {
        self.language
    }

    /// The page's distinct terms; their places are their [`TermId`]s.
    pub fn terms(&self) -> &[String] {
        &self.terms
    }

    /// `idf_i` of a term.
    pub fn idf(&self, term: TermId) -> f32 {
        self.idf[term as usize]
    }

    /// A content node's terms with their frequencies `tf`, sorted by term. Empty for other nodes.
    pub(crate) fn node_terms(&self, id: NodeId) -> &[(TermId, u32)] {
        &self.node_terms[self.first_term[id.index()] as usize..self.first_term[id.index() + 1] as usize]
    }

    /// The node's content weight: its own for content nodes, the sum of what is below it for HtmlItems, and for an Element
    /// node the sum of the content nodes that stand directly in its HtmlItem.
    pub fn weight(&self, id: NodeId) -> ContentWeight {
        self.weights[id.index()]
    }

    /// `w_i` of a term that occurs `tf` times: `tf · idf_i`, over the norm of the page's vector.
    pub(crate) fn term_weight(&self, term: TermId, tf: u32) -> f32 {
        if self.norm > 0.0 { (f64::from(tf) * f64::from(self.idf(term)) / self.norm) as f32 } else { 0.0 }
    }
}

/// Weighs trees; keeps the analyzer's caches from page to page.
#[derive(Default)]
pub struct Weigher {
    analyzer: Analyzer,
    vocabulary: Vocabulary,
}

impl Weigher {
    /// A weigher with empty caches.
    pub fn new() -> Self {
        Self::default()
    }

    /// A weigher with this analyzer and what that remembers.
    pub fn with_analyzer(analyzer: Analyzer) -> Self {
        Self { analyzer, vocabulary: Vocabulary::default() }
    }

    /// The analyzer back.
    pub fn into_analyzer(self) -> Analyzer {
        self.analyzer
    }

    /// The analyzer, for the query that a tree is pruned by: both must go through the same one.
    pub fn analyzer(&mut self) -> &mut Analyzer {
        &mut self.analyzer
    }

    /// Weighs every node of `tree` by TF-IDF.
    ///
    /// CST paper, sec. VI:
    ///
    /// ```text
    /// w_ij = tf_ij · log(N / n_i) / sqrt(Σ_i tf_ij² · log(N / n_i)²)
    /// ContentWeight = TextWeight + ImageWeight + LinkWeight
    /// ```
    ///
    /// - `N`: pages in `statistics`; `n_i`: pages that hold term `i`; `tf_ij`: occurrences of the term in the page `d_j`.
    /// - A node's vector has the same form with its own `tf`; the norm is that of the page, so the vectors of a page's nodes add
    ///   up to the page's unit vector. A node's weight is the sum of its vector. O(terms of the page).
    ///
    /// Differs from the paper: 1) `log((N + 1) / (n_i + 1)) + 1` in place of `log(N / n_i)`, so that a term on every page and an
    /// empty collection leave weights above zero; 2) terms are stemmed, lower-cased words.
    pub fn weigh(
        &mut self,
        tree: ContentStructureTree,
        language: Language,
        statistics: &dyn TermStatistics,
        params: WeighParams,
    ) -> WeightedTree {
        let counted = self.count(&tree, language, params);
        let pages = statistics.pages();
        let idf =
            counted.terms.iter().map(|term| inverse_document_frequency(pages, statistics.pages_with(term))).collect();
        finish(tree, language, counted, idf)
    }

    /// The same for a page that stands alone: its own runs take the collection's place, so `N` is the number of runs and `n_i`
    /// the number of runs that hold the term.
    pub fn weigh_alone(&mut self, tree: ContentStructureTree, language: Language, params: WeighParams) -> WeightedTree {
        let counted = self.count(&tree, language, params);
        let mut statistics = PageStatistics::default();
        for run in tree.runs() {
            let nodes = run.nodes.clone().flat_map(|node| counted.of_node(NodeId(node)));
            let mut distinct: Vec<TermId> = nodes.map(|(term, _)| *term).collect();
            distinct.sort_unstable();
            distinct.dedup();
            statistics.add(distinct.into_iter().map(|term| counted.terms[term as usize].clone()));
        }
        let frequency = |term: &String| statistics.pages_with(term);
        let idf =
            counted.terms.iter().map(|term| inverse_document_frequency(statistics.pages(), frequency(term))).collect();
        finish(tree, language, counted, idf)
    }

    fn count(&mut self, tree: &ContentStructureTree, language: Language, params: WeighParams) -> Counted {
        let mut counted = Counted::default();
        self.vocabulary.clear();
        let mut found: Vec<TermId> = Vec::new();
        let mut captions = Captions::of(tree);
        for id in tree.ids() {
            let counts = match tree.kind(id) {
                NodeKind::Link => params.links,
                NodeKind::Image => params.images,
                _ => true,
            };
            if counts {
                pieces(tree, &mut captions, id, |piece| {
                    self.analyzer.analyze(piece, language, |token| {
                        found.push(self.vocabulary.intern(&mut counted.terms, token.term));
                    });
                });
            }
            counted.push_node(&mut found);
        }
        counted.first_term.push(counted.node_terms.len() as u32);
        counted
    }
}

/// Term frequencies of all nodes.
#[derive(Default)]
struct Counted {
    terms: Vec<String>,
    first_term: Vec<u32>,
    node_terms: Vec<(TermId, u32)>,
}

impl Counted {
    fn push_node(&mut self, found: &mut Vec<TermId>) {
        self.first_term.push(self.node_terms.len() as u32);
        found.sort_unstable();
        for same in found.chunk_by(|a, b| a == b) {
            self.node_terms.push((same[0], same.len() as u32));
        }
        found.clear();
    }

    fn of_node(&self, id: NodeId) -> &[(TermId, u32)] {
        &self.node_terms[self.first_term[id.index()] as usize..self.first_term[id.index() + 1] as usize]
    }

    /// `sqrt(Σ tf² idf²)` over the page.
    fn norm(&self, idf: &[f32]) -> f64 {
        let mut tf = vec![0u64; self.terms.len()];
        for (term, count) in &self.node_terms {
            tf[*term as usize] += u64::from(*count);
        }
        let squares = tf.iter().zip(idf).map(|(tf, idf)| (*tf as f64 * f64::from(*idf)).powi(2));
        squares.sum::<f64>().sqrt()
    }
}

/// `idf_i` with deviation 1 of [`Weigher::weigh`]: of a term that `pages_with` of `pages` pages hold.
pub fn inverse_document_frequency(pages: u64, pages_with: u64) -> f32 {
    debug_assert!(pages_with <= pages);
    (((pages + 1) as f64 / (pages_with + 1) as f64).ln() + 1.0) as f32
}

fn finish(tree: ContentStructureTree, language: Language, counted: Counted, idf: Vec<f32>) -> WeightedTree {
    let norm = counted.norm(&idf);
    let Counted { terms, first_term, node_terms } = counted;
    let mut weighted = WeightedTree { tree, language, terms, idf, norm, first_term, node_terms, weights: Vec::new() };
    weighted.weights = sum_weights(&weighted);
    weighted
}

/// Own weights of content nodes, then sums from the last node to the first: children come after their parents.
fn sum_weights(weighted: &WeightedTree) -> Vec<ContentWeight> {
    let tree = &weighted.tree;
    let mut weights = vec![ContentWeight::default(); tree.len()];
    for id in tree.ids().rev() {
        let kind = tree.kind(id);
        if kind.is_content() {
            let terms = weighted.node_terms(id).iter();
            let weight = terms.map(|(term, tf)| f64::from(weighted.term_weight(*term, *tf))).sum::<f64>();
            weights[id.index()] = ContentWeight::of_kind(kind, weight as f32);
        }
        if let Some(parent) = tree.parent(id) {
            let weight = weights[id.index()];
            if kind.is_content() {
                weights[tree.element(parent).index()].add(weight);
            }
            if kind != NodeKind::Element {
                weights[parent.index()].add(weight);
            }
        }
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cst::{self, Profile};
    use crate::dom;
    use crate::limits::Limits;
    use crate::weigh::NoStatistics;

    fn weighed(html: &str) -> WeightedTree {
        let limits = Limits::default();
        let tree = cst::build(&dom::parse(html, &limits), Profile::Paper, &limits);
        Weigher::new().weigh(tree, Language::from_code("en"), &NoStatistics, WeighParams::default())
    }

    /// The paper's figure 2 with words in it. With an empty collection every idf is ln(1 / 1) + 1 = 1.
    ///
    /// Terms: link "red" (in the div) and "red" (in the body), image "sun" by its alternative text, texts "red sea", "tea" in the
    /// table and "sea" at the end. tf: red 3, sun 1, sea 2, tea 1; norm = sqrt(9 + 1 + 4 + 1) = sqrt(15).
    const FIGURE_2: &str = "<body><div><a href='#'>red</a> <img alt=sun src=''><span>red sea</span></div>
        <a href='#'>red</a><table><tr><td>tea</td></tr></table><span>sea</span></body>";

    #[test]
    fn weights_of_figure_2_by_hand() {
        let weighted = weighed(FIGURE_2);
        let tree = weighted.tree();
        let unit = 1.0 / 15f32.sqrt();
        let item = |tag: &str| {
            tree.ids().find(|id| tree.kind(*id) == NodeKind::HtmlItem && tree.tag(*id).name() == tag).unwrap()
        };
        let close = |got: ContentWeight, text: f32, image: f32, link: f32| {
            let want = [text * unit, image * unit, link * unit];
            let got = [got.text, got.image, got.link];
            assert!(got.iter().zip(want).all(|(g, w)| (g - w).abs() < 1e-6), "{got:?} is not {want:?}");
        };
        close(weighted.weight(item("div")), 2.0, 1.0, 1.0);
        close(weighted.weight(item("table")), 1.0, 0.0, 0.0);
        close(weighted.weight(item("body")), 4.0, 1.0, 2.0);
        close(weighted.weight(tree.element(item("body"))), 1.0, 0.0, 1.0);
        assert!((weighted.weight(item("body")).total() - 7.0 * unit).abs() < 1e-6);
    }

    #[test]
    fn idf_by_hand() {
        // N = 9 pages, n_i = 4: ln(10 / 5) + 1.
        assert!((inverse_document_frequency(9, 4) - (2f32.ln() + 1.0)).abs() < 1e-6);
        assert!((inverse_document_frequency(9, 9) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn a_page_alone_counts_its_runs() {
        let limits = Limits::default();
        let tree = cst::build(&dom::parse("<p>red sea<p>red tea<p>red sea", &limits), Profile::Modern, &limits);
        let weighted = Weigher::new().weigh_alone(tree, Language::from_code("en"), WeighParams::default());
        let idf: Vec<f32> = (0..3).map(|term| weighted.idf(term)).collect();
        let want = [1.0, (4f32 / 3.0).ln() + 1.0, 2f32.ln() + 1.0];
        assert!(idf.iter().zip(want).all(|(got, want)| (got - want).abs() < 1e-6), "{idf:?}");
    }

    #[test]
    fn a_page_without_words_has_no_weight() {
        let weighted = weighed("<body><div>!!! ---</div></body>");
        assert!(weighted.terms().is_empty());
        assert!(weighted.weight(ContentStructureTree::ROOT).total() == 0.0);
    }
}
