//! The best-measured reading: blocks compete by their likeness to the page's topic, and only those far behind go.
//!
//! Differs from the paper: 1) `N` and `n_i` are counted over the page's runs: `idf_i = log((N + 1) / n_i)`; 2) the query is what
//! the page says of itself, with the page's own terms added, so that a page without a telling title has a topic as well; 3) an item
//! goes when its similarity is below a fifth of the best one's on its floor, not when it is merely not the best; 4) only
//! text outside links is weighed; 5) items are `body`, `div`, `table` and the containers of newer HTML, whatever the tree's
//! profile; 6) eq. (1) is computed without the query's norm, which is the same for all items of a page.

use rustc_hash::FxHashMap;

use super::super::outline::clear_text_len_chars;
use super::super::verdict::Tally;
use super::super::{PageView, Verdict};
use super::query;
use super::terms::{TermId, TermTable, words};
use crate::cst::{ContentStructureTree, NodeId, NodeKind};
use crate::dom::Tag;

/// Share of the best similarity on a floor that an item needs to stay.
const SIMILARITY_SHARE_MIN: f64 = 0.2;

/// Words that the page's own terms count for together in the query; titles and descriptions have 10 to 40.
const PAGE_WORDS_IN_QUERY: f64 = 20.0;

/// O(words · log words).
pub(super) fn decide(page: &PageView<'_>) -> Verdict {
    let tree = page.tree;
    let items = Items::of(tree);
    let words = PageWords::of(tree);
    let (eliminated, scores) = Floors::new(&items, words.vectors(page, &items)).compete();
    let mut tally = Tally::new(tree);
    for (text, run) in tree.source_texts() {
        let item = items.around[tree.runs()[*run].item.index()] as usize;
        let chars = clear_text_len_chars(page.dom.text(*text).unwrap_or(""));
        tally.add(*run, chars, !eliminated[item], scores[item]);
    }
    tally.settle()
}

/// Whether an element of that tag competes.
fn is_container(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::Body
            | Tag::Div
            | Tag::Table
            | Tag::Article
            | Tag::Section
            | Tag::Main
            | Tag::Aside
            | Tag::Nav
            | Tag::Header
            | Tag::Footer
            | Tag::Form
            | Tag::Center
            | Tag::Fieldset
    )
}

/// The competing items of a tree, in document order, the root first.
struct Items {
    /// By node: the item that it stands in, itself included.
    around: Vec<u32>,
    parents: Vec<u32>,
}

impl Items {
    fn of(tree: &ContentStructureTree) -> Self {
        let mut items = Self { around: Vec::with_capacity(tree.len()), parents: Vec::new() };
        for id in tree.ids() {
            let parent = tree.parent(id).map_or(0, |parent| items.around[parent.index()]);
            let competes = tree.kind(id) == NodeKind::HtmlItem && is_container(tree.tag(id));
            if competes || id == ContentStructureTree::ROOT {
                items.around.push(items.parents.len() as u32);
                items.parents.push(parent);
            } else {
                items.around.push(parent);
            }
        }
        items
    }
}

/// The words of a page's texts by run.
struct PageWords {
    terms: TermTable,
    /// Terms with the content node they stand in.
    words: Vec<(NodeId, TermId)>,
    /// `n_i`: runs with the term.
    n: Vec<u32>,
    /// `N`: runs with text outside links.
    runs: u32,
}

impl PageWords {
    fn of(tree: &ContentStructureTree) -> Self {
        let mut page = Self { terms: TermTable::default(), words: Vec::new(), n: Vec::new(), runs: 0 };
        let mut last_seen: Vec<u32> = Vec::new();
        for run in tree.runs() {
            let texts = run.nodes.clone().map(NodeId).filter(|node| tree.kind(*node) == NodeKind::Text);
            let words_before = page.words.len();
            for node in texts {
                for word in words(tree.text(node)) {
                    let term = page.terms.intern(word);
                    page.words.push((node, term));
                    if page.n.len() < page.terms.len() {
                        page.n.push(0);
                        last_seen.push(u32::MAX);
                    }
                    if last_seen[term as usize] != run.nodes.start {
                        last_seen[term as usize] = run.nodes.start;
                        page.n[term as usize] += 1;
                    }
                }
            }
            page.runs += u32::from(page.words.len() > words_before);
        }
        page
    }

    /// Every item's vector over the text that stands in it, not in items below.
    fn vectors(mut self, page: &PageView<'_>, items: &Items) -> Vec<Vector> {
        let idf: Vec<_> = self.n.iter().map(|n| (f64::from(self.runs + 1) / f64::from(*n)).ln()).collect();
        let query = self.query(page);
        let mut vectors: Vec<_> = items.parents.iter().map(|_| Vector::default()).collect();
        for (node, term) in self.words {
            let (idf, query) = (idf[term as usize], query[term as usize]);
            vectors[items.around[node.index()] as usize].add(term, TopicTerm { tf: 1.0, idf }, query * idf);
        }
        vectors
    }

    /// `tf` of every term in the query.
    fn query(&mut self, page: &PageView<'_>) -> Vec<f64> {
        let share = PAGE_WORDS_IN_QUERY / self.words.len().max(1) as f64;
        let mut query = vec![0f64; self.terms.len()];
        for (_, term) in &self.words {
            query[*term as usize] += share;
        }
        for piece in query::pieces(page.dom) {
            for word in words(&piece) {
                if let Some(term) = self.terms.find(word) {
                    query[term as usize] += 1.0;
                }
            }
        }
        query
    }
}

#[derive(Debug, Clone, Copy)]
struct TopicTerm {
    tf: f64,
    idf: f64,
}

/// An item's term vector `w_i = tf_i · idf_i`, with what eq. (1) needs of it kept up to date.
#[derive(Debug, Default)]
struct Vector {
    entries: FxHashMap<TermId, TopicTerm>,
    /// `Σ w_i²`
    squares: f64,
    /// `Σ w_i · w_iq`
    dot: f64,
}

impl Vector {
    /// Adds occurrences of a term that weighs `query_weight` in the query.
    fn add(&mut self, term: TermId, of: TopicTerm, query_weight: f64) {
        self.add_entry(term, of);
        self.dot += of.tf * of.idf * query_weight;
    }

    fn add_entry(&mut self, term: TermId, of: TopicTerm) {
        let entry = self.entries.entry(term).or_insert(TopicTerm { tf: 0.0, ..of });
        self.squares += of.tf * (2.0 * entry.tf + of.tf) * of.idf.powi(2);
        entry.tf += of.tf;
    }

    /// The smaller is put into the larger: a term changes maps at most `log` times.
    fn absorb(&mut self, mut other: Self) {
        if other.entries.len() > self.entries.len() {
            std::mem::swap(self, &mut other);
        }
        for (term, entry) in other.entries {
            self.add_entry(term, entry);
        }
        self.dot += other.dot;
    }

    /// Equation (1) times the query's norm: `Σ w_ij · w_iq / sqrt(Σ w_ij²)`.
    fn similarity(&self) -> f64 {
        if self.squares > 0.0 { self.dot / self.squares.sqrt() } else { 0.0 }
    }
}

/// Figure 5, lines 7 to 15.
struct Floors<'a> {
    items: &'a Items,
    vectors: Vec<Vector>,
}

impl<'a> Floors<'a> {
    fn new(items: &'a Items, vectors: Vec<Vector>) -> Self {
        debug_assert_eq!(items.parents.len(), vectors.len());
        Self { items, vectors }
    }

    /// By item: whether it, or one around it, is eliminated; and the lowest share of the best similarity on the way to it.
    fn compete(mut self) -> (Vec<bool>, Vec<f64>) {
        let count = self.vectors.len();
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); count];
        for item in 1..count {
            children[self.items.parents[item] as usize].push(item);
        }
        let mut shares = vec![1f64; count];
        for (item, floor) in children.iter().enumerate().rev() {
            self.judge(floor, &mut shares);
            for child in floor.iter().filter(|child| shares[**child] >= SIMILARITY_SHARE_MIN) {
                let vector = std::mem::take(&mut self.vectors[*child]);
                self.vectors[item].absorb(vector);
            }
        }
        let mut eliminated = vec![false; count];
        for item in 1..count {
            let parent = self.items.parents[item] as usize;
            eliminated[item] = eliminated[parent] || shares[item] < SIMILARITY_SHARE_MIN;
            shares[item] = shares[item].min(shares[parent]);
        }
        (eliminated, shares)
    }

    /// The share of the best similarity that each item of a floor has; 1 for all where nothing is similar.
    fn judge(&self, floor: &[usize], shares: &mut [f64]) {
        let similarities: Vec<_> = floor.iter().map(|item| self.vectors[*item].similarity()).collect();
        let best = similarities.iter().copied().fold(0.0, f64::max);
        if best > 0.0 && floor.len() > 1 {
            for (item, similarity) in floor.iter().zip(similarities) {
                shares[*item] = similarity / best;
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // What is worked out by hand is exact.
mod tests {
    use super::super::super::testing::with_page;
    use super::*;

    #[test]
    fn a_vector_by_hand() {
        // w = (2 · 3, 1 · 4) after adding: squares 36 + 16; query weights 1 and 0.5: dot 6 + 2.
        let mut small = Vector::default();
        small.add(7, TopicTerm { tf: 1.0, idf: 3.0 }, 1.0);
        let mut large = Vector::default();
        large.add(7, TopicTerm { tf: 1.0, idf: 3.0 }, 1.0);
        large.add(9, TopicTerm { tf: 1.0, idf: 4.0 }, 0.5);
        small.absorb(large);
        assert_eq!((small.squares, small.dot), (52.0, 8.0));
        assert!((small.similarity() - 8.0 / 52f64.sqrt()).abs() < 1e-12);
    }

    #[test]
    fn blocks_off_the_topic_go_and_links_count_for_nothing() {
        let story = "Red apples on trees, growing in rows now. ".repeat(30);
        let html = &format!(
            "<title>Growing red apples</title><div><a href=x>Growing apples</a> Imprint</div>\
             <div><p>Apples.</p><p>{story}</p></div><div>Cookie</div>"
        );
        with_page(html, |page| {
            let verdict = decide(page);
            assert_eq!(verdict.kept, [false, true, true, false]);
            assert_eq!(verdict.score[1], 1.0);
            assert!(verdict.score[0] < 0.2 && verdict.score[3] < 0.2, "{:?}", verdict.score);
        });
    }

    #[test]
    fn a_floor_without_any_word_stays() {
        with_page("<div><a href=x>a</a></div><div><a href=y>b</a></div>", |page| {
            assert_eq!(decide(page).kept, [true, true]);
        });
    }
}
