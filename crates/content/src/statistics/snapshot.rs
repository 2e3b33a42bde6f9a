//! The counts of a collection at one point.

use std::sync::Arc;

use super::{CountLayer, CountRun, Kind, PageKeys, StatisticsChange, TERM_HASH_BITS, term_hash};
use crate::weigh::TermStatistics;

/// A layer below this size counts as one of this size: so many small commits do not leave many layers.
const LAYER_BYTES_MIN: usize = 32 << 10;

/// Memory for the counts of a collection.
///
/// The counts of a kind take about 3 bytes a distinct key. Where the largest layer would exceed its bound, its keys lose their last bit until
/// it does not; the other layers together are no larger than that one. From then on a count may be too high by those of the keys that
/// begin alike: by (sum of all counts) / 2^(bits) on average.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatisticsLimits {
    /// Bytes of a layer's counts of terms. Default 256 MiB.
    pub terms_bytes_max: usize,
    /// Bytes of a layer's counts of links. Default 128 MiB.
    pub links_bytes_max: usize,
    /// Bytes of a layer's counts of blocks and hosts. Default 384 MiB.
    pub sites_bytes_max: usize,
}

impl Default for StatisticsLimits {
    fn default() -> Self {
        Self { terms_bytes_max: 256 << 20, links_bytes_max: 128 << 20, sites_bytes_max: 384 << 20 }
    }
}

impl StatisticsLimits {
    /// By kind. What earlier data kept together may have as much as all of it.
    fn bytes_max(self) -> [usize; Kind::ALL.len()] {
        let Self { terms_bytes_max, links_bytes_max, sites_bytes_max } = self;
        let mixed_bytes_max = terms_bytes_max.saturating_add(links_bytes_max).saturating_add(sites_bytes_max);
        [terms_bytes_max, links_bytes_max, sites_bytes_max, mixed_bytes_max]
    }
}

/// Pages of a collection, and in how many of them each key occurs. Immutable; a clone shares all.
///
/// Changes are kept in layers, oldest and largest first. A change adds a layer, and the layers that are less than twice as large as all behind
/// them are merged with it. So there are at most about log2(changes) layers, and a key is rewritten as often.
#[derive(Debug, Clone, Default)]
pub struct StatisticsSnapshot(Arc<State>);

#[derive(Debug, Clone, Default)]
struct State {
    epoch: u64,
    pages: u64,
    layers: Vec<Arc<CountLayer>>,
    limits: StatisticsLimits,
    /// Where sites are looked up instead.
    sites: Option<StatisticsSnapshot>,
}

/// The same pages and counts; layers and epoch do not matter. Keys are compared as far as both have them.
impl PartialEq for StatisticsSnapshot {
    fn eq(&self, other: &Self) -> bool {
        let same = |kind| {
            let bits = self.key_bits(kind).min(other.key_bits(kind));
            self.joined(kind, bits).iter().eq(other.joined(kind, bits).iter())
        };
        self.page_count() == other.page_count() && Kind::ALL.into_iter().all(same)
    }
}

impl Eq for StatisticsSnapshot {}

impl StatisticsSnapshot {
    /// Of an empty collection, with bounds on memory.
    pub fn with_limits(limits: StatisticsLimits) -> Self {
        Self(Arc::new(State { limits, ..State::default() }))
    }

    /// Of what was stored: pages, and layers, the oldest first.
    pub fn from_layers(epoch: u64, pages: u64, layers: Vec<Arc<CountLayer>>) -> Self {
        Self(Arc::new(State { epoch, pages, layers, ..State::default() }))
    }

    /// Number of the snapshot: each change makes the next one. 0 is that of an empty collection.
    pub fn epoch(&self) -> u64 {
        self.0.epoch
    }

    /// Whether both are one snapshot, not only alike.
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Pages of the collection.
    pub fn page_count(&self) -> u64 {
        self.0.pages
    }

    /// Layers, the oldest first.
    pub fn layers(&self) -> &[Arc<CountLayer>] {
        &self.0.layers
    }

    /// Memory that the counts take.
    pub fn size_bytes(&self) -> usize {
        self.layers().iter().map(|layer| layer.size_bytes()).sum()
    }

    /// Pages that have a key: never fewer than there are, and exactly as many unless hashes or shortened keys are alike.
    pub fn count(&self, kind: Kind, hash: u64) -> u64 {
        let count: i64 = self.layers().iter().map(|layer| layer.run(kind).count(hash)).sum();
        (count.max(0) as u64).min(self.page_count())
    }

    /// By how many pages a count is too high on average, because keys were shortened.
    pub fn noise(&self, kind: Kind) -> u64 {
        let runs = self.layers().iter().map(|layer| layer.run(kind));
        runs.map(|run| run.total().max(0) as u64 >> run.key_bits()).sum()
    }

    /// The next snapshot.
    #[must_use]
    pub fn with(&self, change: StatisticsChange) -> Self {
        let epoch = self.epoch() + 1;
        let pages = self.page_count().saturating_add_signed(change.pages());
        let layers = self.layers_with(change.into_layer(epoch));
        Self(Arc::new(State { epoch, pages, layers, limits: self.0.limits, sites: self.0.sites.clone() }))
    }

    /// With a page more, by its terms alone.
    #[must_use]
    pub fn with_page<'a>(&self, terms: impl IntoIterator<Item = &'a str>) -> Self {
        let mut change = StatisticsChange::default();
        change.add(&PageKeys::of_terms(terms));
        self.with(change)
    }

    /// Adds what was counted elsewhere, over other pages.
    pub fn merge(&mut self, other: &Self) {
        let epoch = self.epoch().max(other.epoch()) + 1;
        let layers: Vec<&CountLayer> = self.layers().iter().chain(other.layers()).map(|layer| &**layer).collect();
        let layers = vec![Arc::new(CountLayer::merged(epoch, &layers, self.0.limits.bytes_max()))];
        let pages = self.page_count() + other.page_count();
        *self = Self(Arc::new(State { epoch, pages, layers, limits: self.0.limits, sites: self.0.sites.clone() }));
    }

    /// With another snapshot's memory of sites.
    #[must_use]
    pub fn with_sites_of(&self, sites: &Self) -> Self {
        Self(Arc::new(State { sites: Some(sites.clone()), ..(*self.0).clone() }))
    }

    /// The layers with a new one, which is merged with all before it that are too small.
    fn layers_with(&self, new: CountLayer) -> Vec<Arc<CountLayer>> {
        let size = |layer: &CountLayer| layer.size_bytes().max(LAYER_BYTES_MIN);
        let (mut kept, mut bytes) = (self.layers().len(), size(&new));
        while let Some(layer) = self.layers()[..kept].last().filter(|layer| size(layer) < 2 * bytes) {
            bytes += size(layer);
            kept -= 1;
        }
        let (kept, merged) = self.layers().split_at(kept);
        let bytes_max = self.0.limits.bytes_max();
        let newest = if merged.is_empty() {
            new.shortened(bytes_max)
        } else {
            let parts: Vec<&CountLayer> = merged.iter().map(|layer| &**layer).chain([&new]).collect();
            CountLayer::merged(new.epoch(), &parts, bytes_max)
        };
        kept.iter().cloned().chain([Arc::new(newest)]).collect()
    }

    /// The shortest keys of a kind, in bits.
    fn key_bits(&self, kind: Kind) -> u32 {
        self.layers().iter().map(|layer| layer.run(kind).key_bits()).min().unwrap_or(TERM_HASH_BITS)
    }

    /// All counts of a kind, with keys of `bits` bits.
    fn joined(&self, kind: Kind, bits: u32) -> CountRun {
        let runs: Vec<&CountRun> = self.layers().iter().map(|layer| layer.run(kind)).collect();
        CountRun::merged(&runs).with_key_bits(bits)
    }

    /// As [`count`](Self::count), with the pages whose kinds are not known.
    fn count_with_mixed(&self, kind: Kind, hash: u64) -> u64 {
        (self.count(kind, hash) + self.count(Kind::Mixed, hash)).min(self.page_count())
    }

    /// Pages that link to what has this key.
    pub fn pages_linking_to(&self, key: u64) -> u64 {
        self.count_with_mixed(Kind::Link, key)
    }

    /// As [`pages_with`](TermStatistics::pages_with), by the term's hash.
    pub fn pages_with_hash(&self, hash: u64) -> u64 {
        self.count_with_mixed(Kind::Term, hash)
    }

    fn sites(&self) -> &Self {
        self.0.sites.as_ref().unwrap_or(self)
    }
}

impl TermStatistics for StatisticsSnapshot {
    fn pages(&self) -> u64 {
        self.page_count()
    }

    fn pages_with(&self, term: &str) -> u64 {
        self.pages_with_hash(term_hash(term))
    }

    fn pages_with_site_key(&self, key: u64) -> u64 {
        self.sites().count_with_mixed(Kind::Site, key)
    }

    fn site_noise_pages(&self) -> u64 {
        self.sites().noise(Kind::Site) + self.sites().noise(Kind::Mixed)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn change(added: &[&PageKeys], removed: &[&PageKeys]) -> StatisticsChange {
        let mut change = StatisticsChange::default();
        for page in added {
            change.add(page);
        }
        for page in removed {
            change.remove(page);
        }
        change
    }

    fn pages() -> impl Strategy<Value = Vec<PageKeys>> {
        let hashes = || proptest::collection::vec(prop_oneof![0u64..40, 0u64..1 << TERM_HASH_BITS], 0..30);
        let page = (hashes(), hashes(), hashes(), any::<bool>()).prop_map(|(terms, links, sites, mixed)| {
            if mixed { PageKeys::mixed(terms) } else { PageKeys::new(terms, links, sites) }
        });
        proptest::collection::vec(page, 0..40)
    }

    /// Counts of each kind, told by a map.
    fn truth<'a>(pages: impl Iterator<Item = &'a PageKeys>) -> BTreeMap<(Kind, u64), u64> {
        let mut counts = BTreeMap::new();
        for page in pages {
            for kind in Kind::ALL {
                page.of(kind).iter().for_each(|hash| *counts.entry((kind, *hash)).or_default() += 1);
            }
        }
        counts
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn counts_are_exact_after_adding_and_removing(pages in pages(), gone in proptest::collection::vec(any::<bool>(), 40)) {
            let mut statistics = StatisticsSnapshot::default();
            for page in &pages {
                statistics = statistics.with(change(&[page], &[]));
            }
            let full = statistics.clone();
            let (gone, kept): (Vec<_>, Vec<_>) = pages.iter().zip(gone).partition(|(_, gone)| *gone);
            for (page, _) in &gone {
                statistics = statistics.with(change(&[], &[page]));
            }
            prop_assert_eq!(statistics.epoch(), (pages.len() + gone.len()) as u64);
            prop_assert_eq!(statistics.page_count(), kept.len() as u64);
            for ((kind, hash), count) in truth(kept.iter().map(|(page, _)| *page)) {
                prop_assert_eq!(statistics.count(kind, hash), count);
            }
            let all: Vec<&PageKeys> = kept.iter().map(|(page, _)| *page).collect();
            prop_assert!(statistics == StatisticsSnapshot::default().with(change(&all, &[])));
            prop_assert!(gone.is_empty() || statistics != full);
        }

        #[test]
        fn parts_merge_to_the_whole(one in pages(), two in pages()) {
            let of = |pages: &[PageKeys]| pages.iter().fold(StatisticsSnapshot::default(), |statistics, page| {
                statistics.with(change(&[page], &[]))
            });
            let mut merged = of(&one);
            merged.merge(&of(&two));
            prop_assert!(merged == of(&[one, two].concat()));
        }

        /// Bounded memory: counts may be too high, never too low, and removal still undoes.
        #[test]
        fn shortened_keys_overcount(pages in pages(), bytes_max in 64usize..400) {
            let limits = StatisticsLimits { terms_bytes_max: bytes_max, links_bytes_max: bytes_max, sites_bytes_max: bytes_max };
            let mut statistics = StatisticsSnapshot::with_limits(limits);
            for page in &pages {
                statistics = statistics.with(change(&[page], &[]));
            }
            for ((kind, hash), count) in truth(pages.iter()) {
                prop_assert!(statistics.count(kind, hash) >= count);
            }
            let newest = statistics.layers().last().map(|layer| layer.run(Kind::Term).size_bytes());
            prop_assert!(newest.is_none_or(|bytes| bytes <= bytes_max));
            let all: Vec<&PageKeys> = pages.iter().collect();
            let statistics = statistics.with(change(&[], &all));
            prop_assert!(statistics == StatisticsSnapshot::default());
        }
    }

    #[test]
    fn layers_stay_few_and_large_ones_are_left_alone() {
        let mut statistics = StatisticsSnapshot::default();
        let mut merged_bytes = 0;
        for number in 0..100u64 {
            let hashes = (0..20_000).map(|at| (number * 20_000 + at) * 10_007 % (1 << TERM_HASH_BITS)).collect();
            statistics = statistics.with(change(&[&PageKeys::new(hashes, Vec::new(), Vec::new())], &[]));
            merged_bytes += statistics.layers().last().unwrap().size_bytes();
        }
        assert!(statistics.layers().len() <= 7, "{} layers", statistics.layers().len());
        assert!(merged_bytes < 8 * statistics.size_bytes(), "{merged_bytes} of {}", statistics.size_bytes());
    }

    #[test]
    fn pages_of_unknown_kinds_count_for_all() {
        let pages = [PageKeys::mixed(vec![1, 2]), PageKeys::new(vec![1], vec![2], vec![3])];
        let statistics = StatisticsSnapshot::default().with(change(&[&pages[0], &pages[1]], &[]));
        assert_eq!((statistics.pages_with_hash(1), statistics.pages_linking_to(2)), (2, 2));
        assert_eq!((statistics.pages_with_hash(2), statistics.pages_with_site_key(3)), (1, 1));
    }

    #[test]
    fn sites_may_be_those_of_another_snapshot() {
        let old = StatisticsSnapshot::default().with(change(&[&PageKeys::new(vec![1], Vec::new(), vec![3])], &[]));
        let new = StatisticsSnapshot::default().with(change(&[&PageKeys::new(vec![2], Vec::new(), Vec::new())], &[]));
        let both = new.with_sites_of(&old);
        assert_eq!((both.pages_with_site_key(3), both.pages_with_hash(1), both.pages_with_hash(2)), (1, 0, 1));
        assert_eq!(new.pages_with_site_key(3), 0);
    }
}
