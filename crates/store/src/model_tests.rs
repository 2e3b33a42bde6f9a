//! The store against a plain map, over random lists of operations.

use std::collections::{BTreeMap, BTreeSet};

use lopper_archive::page::PageId;
use lopper_content::statistics::StatisticsSnapshot;
use lopper_content::weigh::TermStatistics;
use proptest::prelude::*;

use super::support::{archive, page, put};
use super::*;

const WORDS: [&str; 6] = ["oak", "elm", "ash", "beech", "tree", "leaf"];

#[derive(Debug, Clone)]
enum Operation {
    /// Puts page `number`, read from the record at `offset`, with the words of the bit set.
    Put {
        number: u8,
        offset: u8,
        words: u8,
    },
    Commit,
    /// What was put and not committed is lost.
    Reopen,
}

fn operation() -> impl Strategy<Value = Operation> {
    prop_oneof![
        6 => (0..12u8, 0..3u8, 0..64u8).prop_map(|(number, offset, words)| Operation::Put { number, offset, words }),
        2 => Just(Operation::Commit),
        1 => Just(Operation::Reopen),
    ]
}

#[derive(Debug, Clone, Default)]
struct Model {
    pages: BTreeMap<PageId, (StoredPage, String)>,
    captures: BTreeSet<(PageId, u64)>,
    commits: u64,
}

impl Model {
    fn put(&mut self, page: StoredPage, text: String) {
        self.captures.insert((page.id, page.provenance.offset_bytes));
        self.pages.insert(page.id, (page, text));
    }

    fn check(&self, store: &Store) {
        let stored: Vec<_> = store.pages().map(Result::unwrap).collect();
        assert!(stored.iter().eq(self.pages.values().map(|(page, _)| page)));
        for (id, (_, text)) in &self.pages {
            assert_eq!(store.tree_bytes(*id).unwrap().unwrap(), text.as_bytes());
        }
        self.check_sums(&store.stats());
        self.check_statistics(&store.snapshot());
        assert_eq!(store.sequence(), Sequence(self.commits));
    }

    fn check_sums(&self, stats: &StoreStatistics) {
        let pages = || self.pages.values().map(|(page, _)| page);
        let hosts: BTreeSet<_> = pages().map(|page| &page.host).collect();
        assert_eq!(stats.hosts, hosts.len() as u64);
        assert_eq!(stats.pages, self.captures.len() as u64);
        assert_eq!(stats.distinct_pages, self.pages.len() as u64);
        assert_eq!(stats.bytes, pages().map(|page| page.html_bytes).sum::<u64>());
        assert_eq!(stats.runs, pages().map(|page| u64::from(page.runs)).sum::<u64>());
    }

    fn check_statistics(&self, statistics: &StatisticsSnapshot) {
        assert_eq!(statistics.pages(), self.pages.len() as u64);
        for word in WORDS {
            let holding = self.pages.values().filter(|(_, text)| text.split(' ').any(|term| term == word));
            assert_eq!(statistics.pages_with(word), holding.count() as u64, "{word}");
        }
    }
}

fn page_of(number: u8, offset: u8, words: u8) -> (StoredPage, String) {
    // A page's identity is made of its URL: it does not change hosts.
    let host = if number.is_multiple_of(2) { "oak" } else { "elm" };
    let mut page = page(&format!("http://{host}.example/{number}"));
    page.id = PageId(u128::from(number));
    page.provenance.offset_bytes = u64::from(offset);
    page.html_bytes = u64::from(words);
    page.runs = u32::from(words);
    let text: Vec<_> = (0..6).filter(|word| words >> word & 1 == 1).map(|word| WORDS[word]).collect();
    (page, text.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_store_agrees_with_the_model(operations in proptest::collection::vec(operation(), 1..40)) {
        let folder = tempfile::tempdir().unwrap();
        let open = || Store::open(folder.path(), OpenMode::Write).unwrap();
        let mut store = open();
        let mut committed = Model::default();
        let mut pending = (Model::default(), PageBatch::new());
        for operation in operations {
            match operation {
                Operation::Put { number, offset, words } => {
                    let (page, text) = page_of(number, offset, words);
                    // A record gives one page.
                    let ordinal = u64::from(number) << 8 | u64::from(offset);
                    let place = RecordPlace { archive: &archive(), ordinal, offset_bytes: u64::from(offset) };
                    pending.1.put(&store, &place, put(page.clone(), &text)).unwrap();
                    pending.0.put(page, text);
                }
                Operation::Commit => {
                    store.commit(std::mem::take(&mut pending.1)).unwrap();
                    pending.0.commits += 1;
                    committed = pending.0.clone();
                    committed.check(&store);
                }
                Operation::Reopen => {
                    drop(store);
                    store = open();
                    pending = (committed.clone(), PageBatch::new());
                    committed.check(&store);
                }
            }
        }
    }
}
