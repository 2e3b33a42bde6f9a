//! How much of its right pages pruning by the query keeps, and how much of what answers.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Instant;

use lopper_archive::page::PageId;
use lopper_collection::search::{QueryPruning, SearchEngine, SearchError};
use lopper_collection::{CollectionError, DataFolder};
use serde::Serialize;

use super::super::parallel::in_parallel;
use super::judged::GoldBlock;
use super::score::SPAN_SHARE_MIN;
use super::tokens::{Words, count};
use super::{Judged, JudgedQuery};

/// What pruning keeps of the pages with the right blocks, over some queries.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Kept {
    /// Pages, one for each query and right page.
    pub pages: usize,
    /// Words of these pages.
    pub words: usize,
    /// Words that are kept of them.
    pub words_kept: usize,
    /// Sum over pages of the share of words that is kept.
    pub share_sum: f64,
    /// Right blocks whose text the pages have.
    pub golds: usize,
    /// Sum over right blocks of the share of trigrams that is kept.
    pub text_sum: f64,
    /// Right blocks whose beginning is kept: 70 % of the trigrams of their first words.
    pub heads: usize,
    /// Time, in milliseconds.
    pub duration_ms: f64,
}

impl Kept {
    /// Words kept, as a share of those of all pages together.
    pub(crate) fn words_share(&self) -> f64 {
        self.words_kept as f64 / self.words.max(1) as f64
    }

    /// Mean over pages of the share of words kept.
    pub(crate) fn page_share(&self) -> f64 {
        self.share_sum / self.pages.max(1) as f64
    }

    /// Mean over right blocks of the share of their text that is kept.
    pub(crate) fn text_share(&self) -> f64 {
        self.text_sum / self.golds.max(1) as f64
    }

    /// Share of right blocks whose beginning is kept.
    pub(crate) fn head_share(&self) -> f64 {
        self.heads as f64 / self.golds.max(1) as f64
    }

    /// Mean time of a page, in milliseconds.
    pub(crate) fn page_ms(&self) -> f64 {
        self.duration_ms / self.pages.max(1) as f64
    }

    fn add(&mut self, other: &Self) {
        self.pages += other.pages;
        self.words += other.words;
        self.words_kept += other.words_kept;
        self.share_sum += other.share_sum;
        self.golds += other.golds;
        self.text_sum += other.text_sum;
        self.heads += other.heads;
        self.duration_ms += other.duration_ms;
    }
}

/// What one way of pruning keeps.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct PruningRow {
    /// Its name.
    pub rule: String,
    /// Over all queries.
    pub all: Kept,
    /// By kind of query.
    pub by_type: BTreeMap<String, Kept>,
}

/// The pages of a collection by their URL, of captures of one URL any.
pub(crate) type PagesByUrl = HashMap<String, PageId>;

/// Finds the pages of a collection.
///
/// # Errors
///
/// [`CollectionError`] when the collection cannot be read.
pub(crate) fn pages_by_url(collection: &DataFolder) -> Result<PagesByUrl, CollectionError> {
    let mut pages = PagesByUrl::new();
    for page in collection.store().pages() {
        let page = page?;
        pages.insert(page.url, page.id);
    }
    Ok(pages)
}

/// At most `count` of the queries with a right block, at equal distances.
pub(crate) fn sample(queries: Vec<JudgedQuery>, count: usize) -> Vec<JudgedQuery> {
    let known: Vec<JudgedQuery> = queries.into_iter().filter(|query| !query.judged.blocks.is_empty()).collect();
    let (all, count) = (known.len(), count.min(known.len()));
    let is_taken = |place: usize| place * count / all.max(1) != (place + 1) * count / all.max(1);
    known.into_iter().enumerate().filter(|(place, _)| is_taken(*place)).map(|(_, query)| query).collect()
}

/// Prunes the pages with the right blocks by their queries, whether they are found or not. The words of a page and the text of a right block
/// are those of the stored page, before any pruning.
///
/// # Errors
///
/// [`SearchError`] when the collection cannot be read.
pub(crate) fn measure_pruning(
    engine: &SearchEngine,
    queries: &[JudgedQuery],
    pages: &PagesByUrl,
    pruning: QueryPruning,
) -> Result<PruningRow, SearchError> {
    let kept = in_parallel(queries, |query| measure_query(engine, query, pages, pruning))?;
    let mut row = PruningRow { rule: pruning.to_string(), all: Kept::default(), by_type: BTreeMap::new() };
    for (query, kept) in queries.iter().zip(&kept) {
        row.all.add(kept);
        row.by_type.entry(query.query.kind.clone()).or_default().add(kept);
    }
    Ok(row)
}

fn measure_query(
    engine: &SearchEngine,
    JudgedQuery { query, judged }: &JudgedQuery,
    pages: &PagesByUrl,
    pruning: QueryPruning,
) -> Result<Kept, SearchError> {
    let mut sum = Kept::default();
    let urls: HashSet<&str> = judged.blocks.iter().map(|gold| gold.url.as_str()).collect();
    for (url, id) in urls.into_iter().filter_map(|url| Some((url, *pages.get(url)?))) {
        let Some(tree) = engine.collection().tree(id)? else { continue };
        let started = Instant::now();
        let Some(pruned) = engine.prune_page(&query.query, id, pruning)? else { continue };
        let duration_ms = started.elapsed().as_secs_f64() * 1000.0;
        let texts: Vec<&str> = pruned.blocks.iter().map(|block| block.text.as_str()).collect();
        let kept = measure_page(tree.tree.visible_text(), &texts.join("\n"), judged, url);
        sum.add(&Kept { duration_ms, ..kept });
    }
    Ok(sum)
}

/// What `kept` is of a page's text.
fn measure_page(text: &str, kept: &str, judged: &Judged, url: &str) -> Kept {
    let (page_grams, kept_grams) = (Words::of(text).gram_set(), Words::of(kept).gram_set());
    let (words, words_kept) = (count(text), count(kept));
    let mut sum = Kept { pages: 1, words, words_kept, ..Kept::default() };
    sum.share_sum = words_kept as f64 / words.max(1) as f64;
    for gold in judged.blocks.iter().filter(|gold| gold.url == url) {
        let text: HashSet<u64> = gold.text.intersection(&page_grams).copied().collect();
        if text.is_empty() || !has_head(gold, &page_grams) {
            continue;
        }
        sum.golds += 1;
        sum.text_sum += text.intersection(&kept_grams).count() as f64 / text.len() as f64;
        sum.heads += usize::from(has_head(gold, &kept_grams));
    }
    sum
}

fn has_head(gold: &GoldBlock, grams: &HashSet<u64>) -> bool {
    gold.head.intersection(grams).count() as f64 >= SPAN_SHARE_MIN * gold.head.len() as f64
}

#[cfg(test)]
mod tests {
    use super::super::judged::{Judgement, Query};
    use super::*;

    fn judged(head: &str, text: &str) -> Judged {
        let owned = str::to_owned;
        let judgement =
            Judgement { qid: owned("q"), url: owned("u"), grade: 1.0, gold_head: owned(head), gold_text: owned(text) };
        Judged::new(&[judgement])
    }

    #[test]
    fn what_is_kept_by_hand() {
        let page = "one two three four five six seven eight nine ten";
        let judged = judged("three four five", "three four five six seven");
        let kept = measure_page(page, "two three four five six", &judged, "u");
        assert_eq!((kept.words, kept.words_kept, kept.golds, kept.heads), (10, 5, 1, 1));
        // Of three trigrams two are kept.
        assert!((kept.text_share() - 2.0 / 3.0).abs() < 1e-9 && (kept.words_share() - 0.5).abs() < 1e-9);
        let kept = measure_page(page, "one two three four", &judged, "u");
        assert_eq!((kept.golds, kept.heads), (1, 0));
        let elsewhere = measure_page("some other text", "", &judged, "u");
        assert_eq!(elsewhere.golds, 0, "what the page lacks is not missed");
    }

    #[test]
    fn samples_are_spread_over_the_queries_with_right_blocks() {
        let query = |number: usize| JudgedQuery {
            query: Query { qid: number.to_string(), kind: String::new(), query: String::new() },
            judged: if number < 10 { judged("a b c", "") } else { Judged::default() },
        };
        let taken = |count| sample((0..20).map(query).collect(), count);
        assert_eq!(
            taken(5).iter().map(|query| query.query.qid.as_str()).collect::<Vec<_>>(),
            ["1", "3", "5", "7", "9"]
        );
        assert_eq!((taken(100).len(), taken(0).len()), (10, 0));
    }
}
