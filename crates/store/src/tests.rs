//! Tests of the store as a whole: commits, reopening, replacing, the ledger, and what bad folders get.

use std::path::Path;

use lopper_archive::FailureCode;
use lopper_archive::page::{PageId, SkipReason};
use lopper_content::statistics::PageKeys;
use lopper_content::weigh::TermStatistics;

use super::support::{archive, at, batch_of, commit, page, put};
use super::*;

const OAK: &str = "http://oak.example/";
const ELM: &str = "http://elm.example/";

fn open(data: &Path) -> Store {
    Store::open(data, OpenMode::Write).unwrap()
}

fn id(url: &str) -> PageId {
    PageId::of(url, Some(1))
}

/// A checkpoint without a place to go on from.
fn read_to(position_bytes: u64, finished: bool) -> Checkpoint {
    Checkpoint { position_bytes, finished, resume_point: None }
}

/// The archive's records in the ledger.
fn records(store: &Store, wanted: Option<StateKind>) -> Vec<RecordEntry> {
    let entry = store.archive(archive().id).unwrap().unwrap();
    store.records(&entry, wanted).map(Result::unwrap).collect()
}

#[test]
fn a_committed_page_is_there_after_reopening() {
    let folder = tempfile::tempdir().unwrap();
    commit(&open(folder.path()), OAK, "oak tree");
    for mode in [OpenMode::Write, OpenMode::Read] {
        let store = Store::open(folder.path(), mode).unwrap();
        assert_eq!(store.sequence(), Sequence(1));
        assert_eq!(store.page(id(OAK)).unwrap(), Some(page(OAK)));
        assert_eq!(store.tree_bytes(id(OAK)).unwrap().unwrap(), b"oak tree");
        assert_eq!(store.page(id(ELM)).unwrap(), None);
        assert_eq!(store.tree_bytes(id(ELM)).unwrap(), None);
        assert!(store.contains(id(OAK)).unwrap() && !store.contains(id(ELM)).unwrap());
        let pages: Vec<_> = store.pages().map(Result::unwrap).collect();
        assert_eq!(pages, [page(OAK)]);
        assert_eq!(store.snapshot().pages_with("oak"), 1);
    }
}

#[test]
fn the_start_of_a_tree_is_read_alone() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let start = |store: &Store, url| store.tree_start(id(url)).unwrap().unwrap();
    let halves = PagePut::new(page(OAK), b"oak tree", 3, PageKeys::default()).unwrap();
    assert!(PagePut::new(page(OAK), b"oak tree", 9, PageKeys::default()).is_err());
    store.commit(batch_of(&store, [halves, put(page(ELM), "elm tree")])).unwrap();
    assert_eq!((start(&store, OAK), start(&store, ELM)), (b"oak".to_vec(), b"elm tree".to_vec()));
    assert_eq!(store.tree_bytes(id(OAK)).unwrap().unwrap(), b"oak tree");
    assert_eq!(store.tree_start(id("http://ash.example/")).unwrap(), None);
}

#[test]
fn counters_follow_the_pages() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    store.commit(batch_of(&store, [OAK, ELM, "http://elm.example/2"].map(|url| put(page(url), "tree")))).unwrap();
    let stats = store.stats();
    assert_eq!((stats.pages, stats.distinct_pages, stats.hosts), (3, 3, 2));
    assert_eq!((stats.blocks, stats.runs, stats.bytes), (9, 21, 300));
    assert_eq!(stats.data_version, lopper_migrations::DATA_VERSION);
    let json = serde_json::to_value(&stats).unwrap();
    assert_eq!((&json["pages"], &json["sequence"]), (&3.into(), &1.into()));
}

#[test]
fn a_replaced_page_leaves_nothing_behind_but_garbage() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    commit(&store, OAK, "oak tree");
    let mut second = page(OAK);
    second.host = "www.oak.example".to_owned();
    second.html_bytes = 10;
    store.commit(batch_of(&store, [put(second.clone(), "old tree")])).unwrap();
    assert_eq!(store.page(id(OAK)).unwrap(), Some(second));
    assert_eq!(store.tree_bytes(id(OAK)).unwrap().unwrap(), b"old tree");
    let stats = store.stats();
    assert_eq!((stats.pages, stats.distinct_pages, stats.hosts, stats.bytes), (1, 1, 1, 10));
    assert!(stats.garbage_bytes > 0 && stats.garbage_bytes < stats.trees_bytes);
    let terms = store.snapshot();
    assert_eq!(terms.pages(), 1);
    assert_eq!(["oak", "tree", "old"].map(|term| terms.pages_with(term)), [0, 1, 1]);
}

#[test]
fn a_page_put_twice_in_a_batch_counts_once() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    store.commit(batch_of(&store, [put(page(OAK), "oak"), put(page(ELM), "elm"), put(page(OAK), "oak tree")])).unwrap();
    assert_eq!(store.tree_bytes(id(OAK)).unwrap().unwrap(), b"oak tree");
    assert_eq!(store.stats().distinct_pages, 2);
    assert_eq!(store.last_batch_pages().unwrap(), [id(OAK), id(ELM)]);
    let sums = store.sums().unwrap();
    assert_eq!((sums.indexed, sums.replaced), (2, 1));
}

#[test]
fn captures_of_one_identity_count_each_but_not_their_replay() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let captures = [0, 10, 20, 0, 20, 10, 10].map(|offset_bytes| {
        let mut page = page(OAK);
        page.provenance.offset_bytes = offset_bytes;
        page
    });
    for capture in captures {
        store.commit(batch_of(&store, [put(capture.clone(), "oak")])).unwrap();
        assert_eq!(store.page(id(OAK)).unwrap(), Some(capture));
    }
    assert_eq!((store.stats().pages, store.stats().distinct_pages), (3, 1));
}

#[test]
fn pages_without_host_count_no_host() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    commit(&store, "file:///oak.html", "oak");
    assert_eq!(store.stats().hosts, 0);
}

#[test]
fn a_snapshot_stays_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    commit(&store, OAK, "oak tree");
    let before = store.snapshot();
    commit(&store, ELM, "elm tree");
    assert_eq!((before.pages(), before.pages_with("tree")), (1, 1));
    assert_eq!(store.snapshot().pages_with("tree"), 2);
}

#[test]
fn the_ledger_sums_up_records_over_commits() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    assert_eq!(store.archive(archive().id).unwrap(), None);
    let mut batch = batch_of(&store, [put(page(OAK), "oak")]);
    batch.skip(&at(&archive(), 5), SkipReason::Revisit);
    batch.fail(&at(&archive(), 300), None, FailureCode::RecordMalformed, "no length");
    batch.checkpoint(&archive(), read_to(400, false));
    store.commit(batch).unwrap();
    let mut batch = batch_of(&store, [put(page(OAK), "oak")]);
    batch.skip(&at(&archive(), 500), SkipReason::Revisit);
    batch.fail(&at(&archive(), 40), None, FailureCode::RecordTooLarge, "x".repeat(5000));
    batch.checkpoint(&archive(), read_to(600, true));
    store.commit(batch).unwrap();
    let entry = store.archive(archive().id).unwrap().unwrap();
    assert_eq!((entry.position_bytes, entry.finished), (600, true));
    assert_eq!((entry.sums.indexed, entry.sums.replaced, entry.sums.blocks), (1, 1, 6));
    assert_eq!((entry.sums.skipped[&SkipReason::Revisit], entry.sums.failed), (2, 2));
    assert_eq!(entry.sums.records(), 6);
    assert_eq!(store.sums().unwrap(), entry.sums);
    let failed = records(&store, Some(StateKind::Failed));
    let places: Vec<_> = failed.iter().map(|failed| failed.offset_bytes).collect();
    assert_eq!(places, [300, 40], "in the order of reading");
    assert_eq!(records(&store, None).len(), 6);
}

#[test]
fn the_same_path_with_other_content_is_another_archive() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let other = ArchiveKey::by_content(&archive().path, 8);
    let mut batch = PageBatch::new();
    batch.checkpoint(&archive(), read_to(1, true));
    batch.checkpoint(&other, read_to(2, false));
    store.commit(batch).unwrap();
    assert_eq!(store.archive(other.id).unwrap().unwrap().position_bytes, 2);
    assert_eq!(store.archives().map(Result::unwrap).count(), 2);
}

#[test]
fn a_restarted_archive_forgets_its_former_reading() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let mut batch = batch_of(&store, [put(page(OAK), "oak")]);
    batch.fail(&at(&archive(), 300), None, FailureCode::RecordMalformed, "no length");
    batch.fail(&at(&archive(), 400), None, FailureCode::RecordMalformed, "no length");
    batch.checkpoint(&archive(), read_to(400, true));
    store.commit(batch).unwrap();
    let mut batch = PageBatch::new();
    batch.restart(&archive());
    batch.put(&store, &at(&archive(), 0), put(page(OAK), "oak")).unwrap();
    batch.fail(&at(&archive(), 400), None, FailureCode::RecordDamaged, "cut off");
    store.commit(batch).unwrap();
    let entry = store.archive(archive().id).unwrap().unwrap();
    assert_eq!((entry.sums.replaced, entry.sums.indexed, entry.sums.failed), (1, 0, 1));
    assert_eq!((entry.position_bytes, entry.finished), (0, false));
    let failed = records(&store, Some(StateKind::Failed));
    assert!(
        matches!(&failed[..], [RecordEntry { state: RecordState::Failed { code, .. }, .. }] if code == "record_damaged")
    );
    assert_eq!(store.stats().pages, 1);
}

#[test]
fn an_index_is_told_what_it_lacks() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    assert_eq!(store.catch_up(Sequence(0)).unwrap(), CatchUp::Nothing);
    let urls = (0..600).map(|number| format!("http://oak.example/{number}"));
    let pages: Vec<_> = urls.map(|url| page(&url)).collect();
    let ids: Vec<_> = pages.iter().map(|page| page.id).collect();
    store.commit(batch_of(&store, pages.into_iter().map(|page| put(page, "oak")))).unwrap();
    assert_eq!(store.catch_up(Sequence(0)).unwrap(), CatchUp::Pages(ids));
    commit(&store, ELM, "elm");
    assert_eq!(store.catch_up(Sequence(2)).unwrap(), CatchUp::Nothing);
    assert_eq!(store.catch_up(Sequence(1)).unwrap(), CatchUp::Pages(vec![id(ELM)]));
    assert_eq!(store.catch_up(Sequence(0)).unwrap(), CatchUp::Everything);
    assert_eq!(store.catch_up(Sequence(3)).unwrap(), CatchUp::Everything);
}

#[test]
fn an_empty_batch_moves_the_sequence_only() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    commit(&store, OAK, "oak");
    store.commit(PageBatch::new()).unwrap();
    drop(store);
    let store = open(folder.path());
    assert_eq!((store.sequence(), store.stats().pages), (Sequence(2), 1));
    assert!(store.last_batch_pages().unwrap().is_empty());
}
