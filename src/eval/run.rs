//! All labelled pages through some extractors, and the table of their scores.

use std::collections::BTreeMap;
use std::path::Path;

use lopper_content::document::to_text;
use lopper_content::extract::{ContentJudge, Extractor};
use lopper_content::limits::Limits;
use lopper_content::pipeline::{PageText, ParsedPage};
use serde::Serialize;

use super::interval::{Interval, bootstrap, mean};
use super::parallel::in_parallel;
use super::{GoldError, GoldPage, read_page, score_words};

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
    let scores = in_parallel(gold, |page| score_page(page, folder, extractors, limits))?;
    let row = |(at, extractor): (usize, &Extractor)| {
        let scores: Vec<_> = scores.iter().map(|page| page[at]).collect();
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
    let html = read_page(folder, &page.id)?;
    let parsed = ParsedPage::parse(PageText { url: &page.url, html: &html, ..PageText::default() }, limits);
    let view = parsed.view();
    let score = |extractor: &Extractor| score_words(&to_text(&extractor.judge(&view).content(&view)), &page.text);
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
