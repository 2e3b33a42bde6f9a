//! Whatever goes wrong: blocks found are blocks given, each once.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lopper_engine_fake::{FakeEngine, Fault, Kind, SearchFault};
use lopper_index::engine::{BlockEngine, BlockEngineWriter, BytesKeeper, BytesWriter};
use lopper_index::{
    BlockDocument, BlockQuery, BlockSearcher, Budget, NoLinks, PageDocument, QueryLimits, RankingWeights, SearchError,
};
use lopper_remote::{EngineKind, RemoteEngine, RemoteSettings, RemoteWriter};
use proptest::prelude::*;

use crate::engines::KINDS;
use crate::support::{block, page_id};

fn page(number: u32, blocks: u32, text: &str) -> (PageDocument, Vec<BlockDocument>) {
    let block = |ordinal| block(number, ordinal, "en", &format!("{text} number {ordinal} of page{number}"));
    let blocks: Vec<BlockDocument> = (0..blocks).map(block).collect();
    let document = PageDocument { page_id: page_id(number), url: blocks[0].url.clone(), ..PageDocument::default() };
    (document, blocks)
}

fn settings(kind: EngineKind, fake: &FakeEngine) -> RemoteSettings {
    RemoteSettings::new(kind, fake.url(), "faults")
}

fn searcher(kind: EngineKind, fake: &FakeEngine) -> BlockSearcher {
    BlockSearcher::new(Arc::new(RemoteEngine::open(settings(kind, fake)).unwrap()))
}

/// What a writer does.
#[derive(Debug, Clone)]
enum Step {
    /// Puts a page in the place of one of the same number.
    Put(u32, u32),
    Delete(u32),
    Commit,
    /// It is killed, with what it did not commit, and the engine with it; another one goes on.
    Kill,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => (1u32..6, 1u32..5).prop_map(|(page, blocks)| Step::Put(page, blocks)),
        1 => (1u32..6).prop_map(Step::Delete),
        2 => Just(Step::Commit),
        1 => Just(Step::Kill),
    ];
    prop::collection::vec(step, 1..20)
}

fn faults() -> impl Strategy<Value = Vec<Fault>> {
    let fault = prop_oneof![
        6 => Just(Fault::None),
        1 => Just(Fault::Status(429)),
        1 => Just(Fault::Status(503)),
        1 => Just(Fault::AnswerLost),
        1 => Just(Fault::RequestLost),
        1 => Just(Fault::Items(429)),
    ];
    // Whoever is refused as often as it tries, eight times, has an error; two are sent at a time, and one may meet all of these.
    prop::collection::vec(fault, 0..8)
}

/// Pages by number: blocks, and the step at which they were put.
type Pages = BTreeMap<u32, (u32, usize)>;

fn run(kind: Kind, own: EngineKind, steps: &[Step], faults: &[Fault]) -> (FakeEngine, Pages) {
    let fake = FakeEngine::start(kind);
    fake.set_split_documents(4);
    let engine = RemoteEngine::open_or_create(settings(own, &fake)).unwrap();
    fake.fail_writes(faults.iter().cloned());
    let mut writer: RemoteWriter = engine.writer().unwrap();
    let (mut pages, mut committed) = (Pages::new(), Pages::new());
    for (at, step) in steps.iter().enumerate() {
        match step {
            Step::Put(number, blocks) => {
                let (document, blocks_of) = page(*number, *blocks, &format!("step{at}"));
                writer.delete_page(&document.page_id).unwrap();
                writer.add_page(&document, &blocks_of).unwrap();
                pages.insert(*number, (*blocks, at));
            }
            Step::Delete(number) => {
                writer.delete_page(&page_id(*number)).unwrap();
                pages.remove(number);
            }
            Step::Commit => {
                writer.commit(&at.to_string()).unwrap();
                committed.clone_from(&pages);
            }
            Step::Kill => {
                drop(writer);
                fake.crash();
                writer = engine.writer().unwrap();
                pages.clone_from(&committed);
            }
        }
    }
    (fake, committed)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn blocks_found_are_blocks_given(steps in steps(), faults in faults()) {
        for (kind, own) in KINDS {
            let (fake, pages) = run(kind, own, &steps, &faults);
            let searcher = searcher(own, &fake);
            let documents: BTreeMap<String, u64> =
                pages.iter().map(|(number, (blocks, _))| (page_id(*number), 1 + u64::from(*blocks))).collect();
            prop_assert_eq!(searcher.documents_by_page().unwrap(), documents);
            for number in 1..6 {
                let (blocks, at) = pages.get(&number).copied().unwrap_or_default();
                let expected = if blocks == 0 { Vec::new() } else { page(number, blocks, &format!("step{at}")).1 };
                prop_assert_eq!(&searcher.blocks_of_page(&page_id(number)).unwrap(), &expected);
                let found = searcher.search(&BlockQuery::new(format!("page{number}"), 100)).unwrap();
                let mut found: Vec<String> = found.blocks.into_iter().map(|block| block.document.block_id).collect();
                found.sort();
                let expected: Vec<String> = expected.into_iter().map(|block| block.block_id).collect();
                prop_assert_eq!(found, expected);
            }
        }
    }
}

#[test]
fn a_failed_part_is_an_error_and_no_answer() {
    for (kind, own) in KINDS {
        let (fake, _) = run(kind, own, &[Step::Put(1, 2), Step::Commit], &[]);
        let searcher = searcher(own, &fake);
        for fault in [SearchFault::PartFails, SearchFault::PartFailsSilently] {
            fake.fail_searches([fault; 40]);
            let failed = searcher.search(&BlockQuery::new("page1 number", 10));
            assert!(matches!(failed, Err(SearchError::Read { .. })), "{failed:?}");
            fake.fail_searches([]);
            while searcher.search(&BlockQuery::new("page1 number", 10)).is_err() {}
        }
        // Busy ones are asked again.
        fake.fail_searches([SearchFault::Status(429), SearchFault::Status(503)]);
        assert_eq!(searcher.search(&BlockQuery::new("page1", 10)).unwrap().blocks.len(), 2);
    }
}

#[test]
fn a_search_waits_no_longer_than_it_may_take() {
    for (kind, own) in KINDS {
        let (fake, _) = run(kind, own, &[Step::Put(1, 2), Step::Commit], &[]);
        let searcher = searcher(own, &fake);
        let query = BlockQuery::new("page1 number", 10);
        for faults in [vec![SearchFault::Late(3000)], vec![SearchFault::Status(503); 1000]] {
            fake.fail_searches(faults);
            let limits = QueryLimits { duration_max: Some(Duration::from_millis(300)), ..QueryLimits::default() };
            let begun = Instant::now();
            let late = searcher.rank(&query, &NoLinks, &RankingWeights::default(), &Budget::new(limits));
            let waited = begun.elapsed();
            let Err(SearchError::OutOfTime(late)) = late else { panic!("{own}: an answer") };
            assert!(waited < Duration::from_secs(2), "{own}: {waited:?}");
            // Where the engine is, is not for whoever searches.
            assert!(late.to_string().starts_with("the engine did not answer"), "{late}");
            assert!(!late.to_string().contains(fake.url()), "{late}");
        }
        fake.forget_faults();
        assert_eq!(searcher.search(&query).unwrap().blocks.len(), 2);
    }
}

#[test]
fn what_is_too_large_is_sent_in_halves() {
    let (kind, own) = KINDS[0];
    let fake = FakeEngine::start(kind);
    let engine = RemoteEngine::open_or_create(settings(own, &fake)).unwrap();
    fake.set_body_bytes(20_000);
    let mut writer = engine.writer().unwrap();
    let (document, mut blocks) = page(1, 30, "half");
    blocks[7].body = "endless ".repeat(5000);
    writer.add_page(&document, &blocks).unwrap();
    writer.commit("one").unwrap();
    let found = searcher(own, &fake).blocks_of_page(&page_id(1)).unwrap();
    // What no half is small enough for is counted and told, and the others are there.
    assert_eq!(found.len(), 29);
}

#[test]
fn of_two_writers_the_second_fails() {
    for (kind, own) in KINDS {
        let fake = FakeEngine::start(kind);
        let engine = RemoteEngine::open_or_create(settings(own, &fake)).unwrap();
        let (mut first, mut second) = (engine.writer().unwrap(), engine.writer().unwrap());
        for (writer, number) in [(&mut first, 1), (&mut second, 2)] {
            let (document, blocks) = page(number, 2, "two");
            writer.add_page(&document, &blocks).unwrap();
        }
        let committed = [first.commit("first").is_ok(), second.commit("second").is_ok()];
        assert_eq!(committed, [true, false]);
        let pages = searcher(own, &fake).documents_by_page().unwrap();
        assert_eq!(pages.into_keys().collect::<Vec<_>>(), [page_id(1)]);
        engine.refresh().unwrap();
        assert_eq!(engine.commit(), 1);
    }
}

#[test]
fn another_engine_is_refused() {
    let fake = FakeEngine::start(Kind::Quickwit);
    let error = RemoteEngine::open_or_create(settings(EngineKind::Elasticsearch, &fake)).unwrap_err().to_string();
    assert!(error.contains("quickwit") || error.contains("404"), "{error}");
    let missing = RemoteEngine::open(settings(EngineKind::Quickwit, &fake)).unwrap_err().to_string();
    assert!(missing.contains("404"), "{missing}");
}

#[test]
fn bytes_are_kept_whatever_their_length() {
    for (kind, own) in KINDS {
        let fake = FakeEngine::start(kind);
        let engine = RemoteEngine::open_or_create(settings(own, &fake)).unwrap();
        let mut writer = engine.writer().unwrap();
        let long: Vec<u8> = (0..40 << 20).map(|at: u32| (at * 7 + at / 1000) as u8).collect();
        let long = &long[..(20 << 20) + 3];
        for (key, bytes) in [("empty", &b""[..]), ("short", b"short"), ("long", long)] {
            writer.keep("test", key, Some(bytes), None).unwrap();
        }
        assert_eq!(engine.kept("test", "short").unwrap(), None, "before the commit");
        writer.commit("one").unwrap();
        engine.refresh().unwrap();
        assert_eq!(engine.kept("test", "empty").unwrap().as_deref(), Some(&b""[..]));
        assert!(engine.kept("test", "long").unwrap().as_deref() == Some(long));
        writer.keep("test", "long", Some(b"new"), None).unwrap();
        writer.keep("test", "short", None, None).unwrap();
        writer.commit("two").unwrap();
        assert!(engine.kept("test", "long").unwrap().as_deref() == Some(long), "a state stays as it is");
        engine.refresh().unwrap();
        assert_eq!(engine.kept("test", "long").unwrap().as_deref(), Some(&b"new"[..]));
        assert_eq!((engine.kept("test", "short").unwrap(), engine.kept("test", "none").unwrap()), (None, None));
    }
}
