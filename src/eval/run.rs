//! All labelled pages through some extractors, and the table of their scores.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use serde::Serialize;

use super::{GoldError, GoldPage, read_page, score_words};
use crate::cst::{self, Profile};
use crate::dom;
use crate::extract::content::to_text;
use crate::extract::methods::PageView;
use crate::extract::{Comments, Extractor};
use crate::limits::Limits;

/// Draws of the bootstrap.
const DRAWS: usize = 1000;

/// A mean with its 95 % bootstrap interval over pages.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Interval {
    /// The mean.
    pub mean: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// The scores of one extractor.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TableRow {
    /// Name, with the variant where it is not the best one.
    pub extractor: String,
    /// Word F1 over all pages.
    pub f1: Interval,
    /// Mean precision.
    pub precision: f64,
    /// Mean recall.
    pub recall: f64,
    /// Word F1 by kind of page, with the number of pages.
    pub by_type: BTreeMap<String, (f64, usize)>,
}

/// Scores of several extractors on the same pages.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Table {
    /// Number of pages.
    pub pages: usize,
    /// A row an extractor.
    pub rows: Vec<TableRow>,
}

/// Puts every page of `gold`, whose HTML is in `folder`, to every extractor.
///
/// # Errors
///
/// [`GoldError`] when a page's HTML cannot be read.
pub fn evaluate(
    gold: &[GoldPage],
    folder: &Path,
    extractors: &[Extractor],
    limits: &Limits,
) -> Result<Table, GoldError> {
    let next = AtomicUsize::new(0);
    let scores = Mutex::new(vec![Vec::new(); gold.len()]);
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let work = || {
        while let Some((index, page)) = Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|i| Some((i, gold.get(i)?)))
        {
            let row = score_page(page, folder, extractors, limits)?;
            scores.lock().unwrap_or_else(std::sync::PoisonError::into_inner)[index] = row;
        }
        Ok(())
    };
    thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let ended = running.into_iter().map(|thread| thread.join().unwrap_or(Ok(())));
        ended.collect::<Result<Vec<()>, GoldError>>()
    })?;
    let scores = scores.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let row = |(at, extractor): (usize, &Extractor)| {
        let scores: Vec<_> = scores.iter().filter_map(|page| page.get(at).copied()).collect();
        table_row(*extractor, gold, &scores)
    };
    Ok(Table { pages: gold.len(), rows: extractors.iter().enumerate().map(row).collect() })
}

fn score_page(
    page: &GoldPage,
    folder: &Path,
    extractors: &[Extractor],
    limits: &Limits,
) -> Result<Vec<super::WordScore>, GoldError> {
    let dom = dom::parse(&read_page(folder, &page.id)?, limits);
    let tree = cst::build(&dom, Profile::Modern, limits);
    let view = PageView::new(&dom, &tree, &page.url);
    let score = |extractor: &Extractor| {
        score_words(&to_text(&extractor.extract(&view, Comments::Auto).content(&view)), &page.text)
    };
    Ok(extractors.iter().map(score).collect())
}

fn table_row(extractor: Extractor, gold: &[GoldPage], scores: &[super::WordScore]) -> TableRow {
    let f1: Vec<f64> = scores.iter().map(|score| score.f1).collect();
    let mut types: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for (page, f1) in gold.iter().zip(&f1) {
        types.entry(page.page_type.clone()).or_default().push(*f1);
    }
    TableRow {
        extractor: extractor.to_string(),
        f1: bootstrap(&f1),
        precision: mean(scores.iter().map(|score| score.precision)),
        recall: mean(scores.iter().map(|score| score.recall)),
        by_type: types.into_iter().map(|(kind, f1)| (kind, (mean(f1.iter().copied()), f1.len()))).collect(),
    }
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len().max(1) as f64;
    values.sum::<f64>() / count
}

/// Percentile bootstrap of the mean; the draws are the same in every run.
fn bootstrap(values: &[f64]) -> Interval {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut draw = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        values[(state % values.len() as u64) as usize]
    };
    if values.is_empty() {
        return Interval::default();
    }
    let mut means: Vec<f64> =
        (0..DRAWS).map(|_| values.iter().map(|_| draw()).sum::<f64>() / values.len() as f64).collect();
    means.sort_by(f64::total_cmp);
    let at = |share: f64| means[((DRAWS - 1) as f64 * share).round() as usize];
    Interval { mean: mean(values.iter().copied()), low: at(0.025), high: at(0.975) }
}
