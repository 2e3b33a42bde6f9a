//! What the other candidates of a block's page, and of its site, say of it.

use super::RankingWeights;
use super::feature::Feature;
use super::scorer::ScoredBlock;
use crate::number_map::NumberMap;

/// The page of a site, counted from the best, by which it is told how much the site is about the query.
const SITE_PAGE: usize = 10;

/// The candidates of a page.
#[derive(Default)]
struct PageBlocks {
    site: u64,
    /// The greatest [`Feature::Bm25f`].
    best: f32,
    /// The greatest of the others.
    second: f32,
}

/// The candidates of a site.
#[derive(Default)]
struct SiteBlocks {
    /// The best block of each of its pages.
    pages: Vec<f32>,
    /// The greatest score.
    score: f32,
    /// The greatest score without what links give.
    score_without_links: f32,
}

/// Adds the features that compare a block with the others of its page and of its site, and scores all.
pub(super) fn add_page_and_site(blocks: &mut [ScoredBlock], weights: &RankingWeights) {
    let pages = pages_of(blocks);
    let mut sites = sites_of(&pages);
    for block in blocks.iter_mut() {
        let page = &pages[&block.standing.page_order];
        let site = sites.entry(block.site).or_default();
        block.features.set(Feature::BestOfPage, page.best);
        block.features.set(Feature::SecondOfPage, page.second);
        block.features.set(Feature::TenthOfSite, site.tenth());
        block.features.set(Feature::LinksElsewhere, 0.0);
        let score = weights.score(&block.features);
        site.score = site.score.max(score);
        site.score_without_links = site.score_without_links.max(score - weights.links(&block.features));
    }
    let most = sites.values().map(SiteBlocks::lift).fold(0.0, f32::max);
    for block in blocks {
        block.features.set(Feature::LinksElsewhere, most - sites[&block.site].lift());
        block.score = weights.score(&block.features);
    }
}

fn pages_of(blocks: &[ScoredBlock]) -> NumberMap<u64, PageBlocks> {
    let mut pages: NumberMap<u64, PageBlocks> = NumberMap::default();
    for block in blocks {
        let page = pages.entry(block.standing.page_order).or_default();
        let evidence = block.features.of(Feature::Bm25f);
        page.site = block.site;
        page.second = page.second.max(evidence.min(page.best));
        page.best = page.best.max(evidence);
    }
    pages
}

/// Their pages are in descending order.
fn sites_of(pages: &NumberMap<u64, PageBlocks>) -> NumberMap<u64, SiteBlocks> {
    let mut sites: NumberMap<u64, SiteBlocks> = NumberMap::default();
    for page in pages.values() {
        sites.entry(page.site).or_default().pages.push(page.best);
    }
    for site in sites.values_mut() {
        site.pages.sort_unstable_by(|a, b| b.total_cmp(a));
    }
    sites
}

impl SiteBlocks {
    fn tenth(&self) -> f32 {
        self.pages.get(SITE_PAGE - 1).copied().unwrap_or(0.0)
    }

    /// How much further the site comes by links.
    fn lift(&self) -> f32 {
        self.score - self.score_without_links
    }
}
