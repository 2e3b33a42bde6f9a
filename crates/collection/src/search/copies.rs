//! Pages that stand once in an answer for others: copies of a passage in the folders of other languages and versions, and nearly the same
//! texts.

use std::collections::hash_map::Entry;

use lopper_analysis::Language;
use lopper_content::simhash::SimHash;
use lopper_index::{Basis, BlockDocument, BlockSearcher, Budget, Feature, Found, Ranked};
use rustc_hash::FxHashMap;

use super::SearchError;
use super::groups::PageGroup;
use super::variant::Variant;

/// Blocks of an answer that are read to see whether they are copies.
const READ_MAX: usize = 200;

/// The best block of a page, as far as it tells copies.
struct Passage {
    variant: Variant,
    language: Language,
    text: String,
    /// Share of the query in the page's address.
    named: f32,
}

impl Passage {
    fn of(found: &Found, block: BlockDocument) -> Self {
        let (variant, named) = (Variant::of(&block.url), feature(found, Feature::UrlCoverage));
        Self { variant, language: block.language, text: block.body, named }
    }

    /// Whether both are of one page, in folders of other languages or versions.
    fn is_of_family(&self, other: &Self) -> bool {
        self.language == other.language && self.variant.is_of_family(&other.variant)
    }

    fn is_copy_of(&self, other: &Self) -> bool {
        self.is_of_family(other) && self.text.split_whitespace().eq(other.text.split_whitespace())
    }

    /// The original is the least.
    fn order(&self) -> impl Ord + use<'_> {
        self.variant.order(self.language, self.named)
    }
}

/// What is equal for blocks with one text and known before they are read: cosine to the query, and share of words outside links.
type Mark = (u32, u32);

/// Nothing for blocks without a word of the query, and for those behind the best. The cosine is 0 for words that all pages have.
fn mark(found: &Found) -> Option<Mark> {
    let has_words = feature(found, Feature::Coverage) > 0.0;
    let bits = |of| feature(found, of).to_bits();
    has_words.then(|| (bits(Feature::Cosine), bits(Feature::Prose)))
}

fn feature(found: &Found, feature: Feature) -> f32 {
    match &found.basis {
        Basis::Features(features) => features.of(feature),
        Basis::Bm25 { .. } => 0.0,
    }
}

/// The pages, where each of the first `wanted` stands for its copies: pages of one family ([`Variant`]) whose best blocks have the same
/// text in the same language. The original is shown, at the place of the first of them.
pub(super) fn without_copies(
    ranked: &Ranked,
    pages: Vec<PageGroup>,
    wanted: usize,
) -> Result<Vec<PageGroup>, SearchError> {
    let mut copies = Copies::among(ranked, &pages);
    if copies.alike.is_empty() {
        return Ok(pages);
    }
    let mut kept = Vec::with_capacity(pages.len());
    let mut pages: Vec<Option<PageGroup>> = pages.into_iter().map(Some).collect();
    for place in 0..pages.len() {
        let places = if kept.len() < wanted { copies.of(place, &pages)? } else { vec![place] };
        let mut found = places.into_iter().filter_map(|place| pages[place].take());
        if let Some(mut page) = found.next() {
            page.similar.extend(found);
            kept.push(page);
        }
    }
    Ok(kept)
}

/// What is known of the pages that may be copies.
struct Copies<'a> {
    ranked: &'a Ranked,
    /// The places of the pages of each mark that several have, of which the first are looked at.
    alike: FxHashMap<Mark, Vec<usize>>,
    /// What was read of the pages, by place.
    passages: FxHashMap<usize, Passage>,
}

impl<'a> Copies<'a> {
    fn among(ranked: &'a Ranked, pages: &[PageGroup]) -> Self {
        let mut alike: FxHashMap<Mark, Vec<usize>> = FxHashMap::default();
        for (place, page) in pages.iter().enumerate() {
            if let Some(mark) = mark(page.best()) {
                let places = alike.entry(mark).or_default();
                places.extend((places.len() < READ_MAX).then_some(place));
            }
        }
        alike.retain(|_, places| places.len() > 1);
        Self { ranked, alike, passages: FxHashMap::default() }
    }

    /// The places of a page and of its copies behind it, the original first. Places that are taken hold nothing.
    fn of(&mut self, place: usize, pages: &[Option<PageGroup>]) -> Result<Vec<usize>, SearchError> {
        let mark = pages[place].as_ref().and_then(|page| mark(page.best()));
        let Some(alike) = mark.and_then(|mark| self.alike.get(&mark)) else { return Ok(vec![place]) };
        for at in alike {
            if let Some(page) = pages[*at].as_ref().filter(|_| self.passages.len() < READ_MAX)
                && let Entry::Vacant(unread) = self.passages.entry(*at)
            {
                unread.insert(Passage::of(page.best(), self.ranked.fetch(page.best())?));
            }
        }
        let Some(first) = self.passages.get(&place) else { return Ok(vec![place]) };
        let is_copy = |at: &usize| self.passages.get(at).is_some_and(|other| other.is_copy_of(first));
        let mut places: Vec<usize> = vec![place];
        places.extend(alike.iter().copied().filter(|at| *at > place && pages[*at].is_some()).filter(is_copy));
        let original = (0..places.len()).min_by_key(|at| self.passages[&places[*at]].order()).unwrap_or(0);
        places[..=original].rotate_right(1);
        Ok(places)
    }
}

/// The first `wanted` pages whose best blocks are not nearly the same; the others stand under those that they are like. Of one family
/// ([`Variant`]) the original is shown.
pub(super) fn without_similar(
    searcher: &BlockSearcher,
    ranked: &Ranked,
    pages: Vec<PageGroup>,
    wanted: usize,
    budget: &Budget,
) -> Result<Vec<PageGroup>, SearchError> {
    let mut kept: Vec<PageGroup> = Vec::new();
    let mut known: Vec<(SimHash, Passage)> = Vec::new();
    for mut page in pages {
        if kept.len() == wanted || (!kept.is_empty() && !budget.has_time()) {
            break;
        }
        let block = ranked.fetch(page.best())?;
        let reading = searcher.with_analyzer(|analyzer| ranked.read(analyzer, &block));
        let hash = SimHash::of_terms(reading.hashes());
        let passage = Passage::of(page.best(), block);
        let Some(place) = known.iter().position(|(known, _)| known.is_near(hash)) else {
            known.push((hash, passage));
            kept.push(page);
            continue;
        };
        let shown = &mut known[place].1;
        if passage.is_of_family(shown) && passage.order() < shown.order() {
            std::mem::swap(&mut kept[place], &mut page);
            *shown = passage;
        }
        let others = std::mem::take(&mut page.similar);
        kept[place].similar.extend(std::iter::once(page).chain(others));
    }
    Ok(kept)
}
