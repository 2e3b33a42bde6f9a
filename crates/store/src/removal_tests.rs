//! Deleting pages, and keeping them out.

use std::collections::BTreeSet;
use std::path::Path;

use lopper_archive::page::{PageId, SkipReason};
use lopper_content::weigh::TermStatistics;

use super::support::{archive, at, capture, open};
use super::*;

use StateKind::{Indexed, Skipped};

const OAK: &str = "http://oak.example/";
const ELM: &str = "http://elm.example/";

fn id(url: &str, time: i64) -> PageId {
    PageId::of(url, Some(time))
}

/// Three captures of two URLs, the second one a duplicate; a revisit by each URL; another URL with the content of the first.
fn filled(store: &Store) {
    let mut batch = PageBatch::new();
    let texts = [(OAK, 1, "oak tree"), (OAK, 2, "oak tree"), (OAK, 3, "oak wood"), (ELM, 4, "oak tree")];
    for (ordinal, (url, time, text)) in (0..).zip(texts) {
        batch.put(store, &at(&archive(), ordinal), capture(url, time, ordinal, text)).unwrap();
    }
    for (ordinal, (url, time)) in (4..).zip([(OAK, 5), (ELM, 6)]) {
        let refers = (Some(OAK.to_owned()), Some(1));
        let revisit = Revisit {
            canonical_url: url.to_owned(),
            captured_at: Some(time),
            payload_digest: None,
            refers_to_url: refers.0,
            refers_to_time: refers.1,
        };
        assert_eq!(batch.revisit(store, &at(&archive(), ordinal), revisit).unwrap(), Some(id(OAK, 1)));
    }
    store.commit(batch).unwrap();
}

fn remove(store: &Store, pages: &[PageId], archive: Option<u128>) -> Removed {
    let mut batch = PageBatch::new();
    let scope = archive.map(|id| TakedownScope::of_archive(id, Path::new("a.warc")));
    let removed = batch.remove(store, &pages.iter().copied().collect(), scope.as_ref()).unwrap();
    store.commit(batch).unwrap();
    removed
}

fn states(store: &Store) -> Vec<StateKind> {
    let entry = store.archive(archive().id).unwrap().unwrap();
    let states: Vec<RecordEntry> = store.records(&entry, None).map(Result::unwrap).collect();
    for kind in StateKind::ALL {
        let found = states.iter().filter(|record| record.state.kind() == kind).count() as u64;
        assert_eq!(entry.sums.in_state(kind), found, "{kind}");
    }
    states.iter().map(|record| record.state.kind()).collect()
}

/// The same as a store that never had the pages: counters, statistics, rows.
#[test]
fn a_deleted_page_leaves_nothing_behind() {
    let (_folder, store) = open();
    filled(&store);
    let removed = remove(&store, &[id(OAK, 1)], None);
    assert_eq!(removed, Removed { pages: 1, blocks: 3, captures: 4 }, "itself, its duplicate and two revisits");
    assert!(store.page(id(OAK, 1)).unwrap().is_none() && !store.contains(id(OAK, 1)).unwrap());
    assert_eq!(store.tree_bytes(id(ELM, 4)).unwrap().unwrap(), b"oak tree", "a shared tree stays");
    assert_eq!(store.captures(OAK).unwrap().len(), 1);
    assert_eq!(store.captures(ELM).unwrap().len(), 1);
    let stats = store.stats();
    assert_eq!((stats.pages, stats.duplicates, stats.revisits, stats.distinct_pages), (2, 0, 0, 2));
    assert_eq!((stats.blocks, stats.hosts, stats.garbage_bytes), (6, 2, 0));
    assert_eq!(store.counted_statistics().unwrap(), store.snapshot());
    assert_eq!(states(&store), [Skipped, Skipped, Indexed, Indexed, Skipped, Skipped]);
    store.verify().unwrap();
}

#[test]
fn the_index_is_told_what_was_deleted() {
    let (_folder, store) = open();
    filled(&store);
    let before = store.sequence();
    remove(&store, &[id(OAK, 3), id(ELM, 9)], None);
    assert_eq!(store.catch_up(before).unwrap(), CatchUp::Pages(vec![id(OAK, 3)]));
}

#[test]
fn pages_that_share_a_tree_leave_it_as_garbage_when_both_go() {
    let (_folder, store) = open();
    filled(&store);
    remove(&store, &[id(OAK, 1), id(ELM, 4)], None);
    assert!(store.stats().garbage_bytes > 0);
    assert_eq!(store.stats().distinct_pages, 1);
    remove(&store, &[id(OAK, 3)], None);
    let stats = store.stats();
    assert_eq!((stats.distinct_pages, stats.hosts, stats.pages, stats.blocks), (0, 0, 0, 0));
    assert_eq!(stats.garbage_bytes, stats.trees_bytes - 16, "all but the header");
    assert_eq!(store.snapshot().pages(), 0);
    store.verify().unwrap();
}

#[test]
fn an_archive_goes_with_its_captures_of_other_pages() {
    let (_folder, store) = open();
    filled(&store);
    let other = ArchiveKey::by_content("other.warc".as_ref(), 8);
    let mut batch = PageBatch::new();
    batch.put(&store, &at(&other, 0), capture(OAK, 7, 0, "oak wood")).unwrap();
    store.commit(batch).unwrap();
    assert_eq!(store.captures(OAK).unwrap().len(), 5);
    let scope = TakedownScope::of_archive(other.id, &other.path);
    let pages: Vec<PageId> = store.pages_in(&scope).unwrap().into_iter().collect();
    assert_eq!(pages, []);
    assert_eq!(remove(&store, &pages, Some(other.id)), Removed { pages: 0, blocks: 0, captures: 1 });
    assert_eq!(store.captures(OAK).unwrap().len(), 4);
    let sums = store.archive(other.id).unwrap().unwrap().sums;
    assert_eq!(sums.skipped.get(&SkipReason::Deleted), Some(&1));
    store.verify().unwrap();
}

#[test]
fn scopes_name_their_pages() {
    let (_folder, store) = open();
    filled(&store);
    let pages = |scope: TakedownScope| store.pages_in(&scope).unwrap();
    let oaks = BTreeSet::from([id(OAK, 1), id(OAK, 3)]);
    assert_eq!(pages(scope_of_url("HTTP://OAK.example").unwrap()), oaks);
    assert_eq!(pages(scope_of_host("OAK.example").unwrap()), oaks);
    assert_eq!(pages(scope_of_host("https://oak.example/x").unwrap()), oaks);
    assert_eq!(pages(TakedownScope::Prefix("http://elm".to_owned())), BTreeSet::from([id(ELM, 4)]));
    assert_eq!(pages(scope_of_url(ELM).unwrap()), BTreeSet::from([id(ELM, 4)]), "not what its revisit stands for");
    assert_eq!(pages(store.scope_of_pages([id(OAK, 1), PageId(3)]).unwrap()), BTreeSet::from([id(OAK, 1)]));
    assert_eq!(pages(TakedownScope::of_archive(archive().id, &archive().path)).len(), 3);
    assert!(scope_of_url("oak").is_err() && scope_of_host("a b").is_err());
}

#[test]
fn what_was_taken_down_does_not_come_back_until_lifted() {
    let (folder, store) = open();
    let takedown =
        store.take_down(scope_of_host("oak.example").unwrap(), None, Some("by request".to_owned()), 9).unwrap();
    drop(store);
    let store = Store::open(folder.path(), OpenMode::Write).unwrap();
    assert_eq!(store.takedowns(), std::slice::from_ref(&takedown));
    let refused = |url: &str| {
        let mut batch = PageBatch::new();
        batch.refuse(&store, &at(&archive(), 0), &capture(url, 1, 0, "x").facts())
    };
    assert!(refused(OAK) && !refused(ELM));
    assert!(!store.lift_takedown(7).unwrap() && store.takedowns().len() == 1);
    assert!(store.lift_takedown(takedown.number).unwrap());
    assert!(!refused(OAK) && store.takedowns().is_empty());
}

#[test]
fn a_revisit_that_is_kept_out_is_not_resolved() {
    let (_folder, store) = open();
    let mut batch = PageBatch::new();
    let revisit = Revisit {
        canonical_url: OAK.to_owned(),
        captured_at: Some(5),
        refers_to_url: Some(ELM.to_owned()),
        refers_to_time: Some(4),
        ..Revisit::default()
    };
    assert_eq!(batch.revisit(&store, &at(&archive(), 0), revisit).unwrap(), None);
    batch.put(&store, &at(&archive(), 1), capture(ELM, 4, 1, "elm")).unwrap();
    store.commit(batch).unwrap();
    let number = store.take_down(scope_of_host("oak.example").unwrap(), None, None, 9).unwrap().number;
    let resolved = || store.resolve_revisits(&mut PageBatch::new()).unwrap().count();
    assert_eq!(resolved(), 0);
    store.lift_takedown(number).unwrap();
    assert_eq!(resolved(), 1);
}
