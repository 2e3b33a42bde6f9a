//! What the other candidates of a block's page, and of its site, say of it.

use rustc_hash::FxHashMap;

use super::RankingWeights;
use super::feature::Feature;
use super::scorer::ScoredBlock;

/// The page of a site, counted from the best, by which it is told how much the site is about the query.
const SITE_PAGE: usize = 10;

/// Pages of a site among the candidates from which on a word that is in all their addresses is taken for the site's name.
const NAMED_PAGES_MIN: usize = 3;

/// What is made up for where all of a site's candidates are linked to: its links tell of themselves which of them answers.
const BALANCE_OF_LINKED: f32 = 0.3;

/// The share of the best page's evidence from which on all counts that links say of a page and its blocks, and below which as much less as
/// is missing: that many link to a page matters where it is about the query.
const LINKED_SHARE: f32 = 0.7;

/// The candidates of a page.
#[derive(Default)]
struct PageBlocks {
    site: u64,
    /// The greatest [`Feature::Bm25f`].
    best: f32,
    /// The greatest of the others.
    second: f32,
    /// [`Feature::LinksWithin`].
    links_within: f32,
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
    /// How many there are.
    count: usize,
    /// How many of them are on pages that others link to.
    linked: usize,
    /// [`Feature::SiteNamed`].
    named: f32,
}

/// Adds the features that compare a block with the others of its page and of its site, and scores all.
pub(super) fn add_page_and_site(blocks: &mut [ScoredBlock], weights: &RankingWeights) {
    let mut pages = pages_of(blocks);
    let mut sites = sites_of(&pages);
    add_names(&mut sites, blocks);
    let best_page = blocks.iter().map(|block| block.features.of(Feature::Page)).fold(0.0, f32::max);
    for block in blocks.iter_mut() {
        let left = add_links(block, best_page);
        if let Some(page) = pages.get_mut(&block.standing.page_order).filter(|page| page.best > 0.0) {
            let share = block.features.of(Feature::Bm25f) / page.best;
            page.links_within = page.links_within.max(share.sqrt() * left);
        }
    }
    for block in blocks.iter_mut() {
        let page = &pages[&block.standing.page_order];
        let site = sites.entry(block.site).or_default();
        block.features.set(Feature::BestOfPage, page.best);
        block.features.set(Feature::SecondOfPage, page.second);
        block.features.set(Feature::LinksWithin, page.links_within);
        block.features.set(Feature::TenthOfSite, site.tenth());
        block.features.set(Feature::SiteNamed, site.named);
        block.features.set(Feature::LinksElsewhere, 0.0);
        let score = weights.score(&block.features);
        site.count += 1;
        site.linked += usize::from(block.links.page > 0.0);
        site.score = site.score.max(score);
        site.score_without_links = site.score_without_links.max(score - weights.links(&block.features));
    }
    let most = sites.values().map(SiteBlocks::lift).fold(0.0, f32::max);
    for block in blocks {
        let site = &sites[&block.site];
        block.features.set(Feature::LinksElsewhere, (most - site.lift()) * site.balance());
        block.score = weights.score(&block.features);
    }
}

/// What links say of a block, where the best page has this much evidence. Gives what those to the block leave of it for the page.
fn add_links(block: &mut ScoredBlock, best_page: f32) -> f32 {
    let of_page = block.features.of(Feature::Page);
    let share = if best_page > 0.0 { (of_page / (LINKED_SHARE * best_page)).min(1.0) } else { 1.0 };
    block.features.set(Feature::PageLinks, share * block.links.page);
    let (of_block, headed) = (share * block.links.block, block.features.of(Feature::Headings).min(1.0));
    block.features.set(Feature::BlockLinks, headed * of_block);
    block.features.set(Feature::LinkedPage, of_page * block.links.page);
    (1.0 - headed) * of_block
}

fn pages_of(blocks: &[ScoredBlock]) -> FxHashMap<u64, PageBlocks> {
    let mut pages: FxHashMap<u64, PageBlocks> = FxHashMap::default();
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
fn sites_of(pages: &FxHashMap<u64, PageBlocks>) -> FxHashMap<u64, SiteBlocks> {
    let mut sites: FxHashMap<u64, SiteBlocks> = FxHashMap::default();
    for page in pages.values() {
        sites.entry(page.site).or_default().pages.push(page.best);
    }
    for site in sites.values_mut() {
        site.pages.sort_unstable_by(|a, b| b.total_cmp(a));
    }
    sites
}

/// Tells which sites the query names: a word that is in all addresses of a site's candidates counts the less the more sites have it so.
fn add_names(sites: &mut FxHashMap<u64, SiteBlocks>, blocks: &[ScoredBlock]) {
    let mut common: FxHashMap<u64, u64> = FxHashMap::default();
    for block in blocks {
        *common.entry(block.site).or_insert(u64::MAX) &= block.words.url;
    }
    common.retain(|site, _| sites.get(site).is_some_and(|site| site.pages.len() >= NAMED_PAGES_MIN));
    let mut sites_with = [0u32; 64];
    for words in common.values() {
        words_of(*words).for_each(|w| sites_with[w] += 1);
    }
    for (site, words) in common {
        let named = words_of(words).map(|w| (sites_with[w] as f32).sqrt().recip()).fold(0.0, f32::max);
        sites.entry(site).or_default().named = named;
    }
}

/// The numbers of the bits that are set.
fn words_of(mask: u64) -> impl Iterator<Item = usize> {
    (0..64).filter(move |w| mask >> w & 1 == 1)
}

impl SiteBlocks {
    fn tenth(&self) -> f32 {
        self.pages.get(SITE_PAGE - 1).copied().unwrap_or(0.0)
    }

    /// How much further the site comes by links.
    fn lift(&self) -> f32 {
        self.score - self.score_without_links
    }

    /// How much of what links give to other sites is made up for: all where nothing links to the site's candidates.
    fn balance(&self) -> f32 {
        let linked = self.linked as f32 / self.count as f32;
        1.0 - (1.0 - BALANCE_OF_LINKED) * linked
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fewer_of_a_site_are_linked_to_the_more_is_made_up_for() {
        for (linked, count, expected) in [(0, 7, 1.0), (2, 4, 0.65), (5, 5, 0.3)] {
            let balance = SiteBlocks { count, linked, ..SiteBlocks::default() }.balance();
            assert!((balance - expected).abs() < 1e-6, "{linked} of {count}: {balance}");
        }
    }
}
