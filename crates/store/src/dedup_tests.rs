//! Duplicates, shared trees, captures and revisits.

use lopper_archive::page::{PageId, SkipReason};

use super::support::{archive, at, capture, open};
use super::*;

const OAK: &str = "http://oak.example/";
const ELM: &str = "http://elm.example/";

fn add(batch: &mut PageBatch, store: &Store, put: PagePut) -> Put {
    let offset_bytes = put.page().provenance.offset_bytes;
    batch.put(store, &at(&archive(), offset_bytes), put).unwrap()
}

fn sums(store: &Store) -> RecordSums {
    store.archive(archive().id).unwrap().unwrap().sums
}

const NEW: Put = Put::Page { replaced: false, shares: None };

/// Runs the same puts cut into batches in every way: the decisions and the store are the same.
fn in_one_batch_or_many(puts: &[PagePut], check: impl Fn(&Store, &[Put])) {
    for ends in 0..1u32 << (puts.len() - 1) {
        let (_folder, store) = open();
        let mut batch = PageBatch::new();
        let mut decisions = Vec::new();
        for (number, put) in puts.iter().enumerate() {
            decisions.push(add(&mut batch, &store, put.clone()));
            if ends >> number & 1 == 1 || number + 1 == puts.len() {
                store.commit(std::mem::take(&mut batch)).unwrap();
            }
        }
        store.verify().unwrap();
        check(&store, &decisions);
    }
}

#[test]
fn the_same_content_of_one_url_is_a_capture_more() {
    let first = PageId::of(OAK, Some(1));
    let puts = [capture(OAK, 1, 0, "oak"), capture(OAK, 2, 10, "oak"), capture(OAK, 3, 20, "oak tree")];
    in_one_batch_or_many(&puts, |store, decisions| {
        assert_eq!(decisions, [NEW, Put::Duplicate(first), NEW]);
        let stats = store.stats();
        assert_eq!((stats.pages, stats.duplicates, stats.distinct_pages), (3, 1, 2));
        let captures = store.captures("HTTP://oak.example:80/#x").unwrap();
        let found: Vec<_> = captures.iter().map(|capture| (capture.captured_at, capture.page, capture.kind)).collect();
        let third = (Some(3), PageId::of(OAK, Some(3)), CaptureKind::Page);
        assert_eq!(found, [(Some(1), first, CaptureKind::Page), (Some(2), first, CaptureKind::Duplicate), third]);
        assert!(captures.iter().all(|capture| capture.archive == archive().path));
        assert_eq!((sums(store).indexed, sums(store).duplicates, sums(store).records()), (2, 1, 3));
    });
}

#[test]
fn the_same_capture_from_another_archive_is_known() {
    let first = [capture(OAK, 1, 0, "oak"), capture(OAK, 2, 10, "oak"), capture(ELM, 1, 20, "elm")];
    let copy = ArchiveKey::by_content("trees.warc.gz".as_ref(), 8);
    let grown = ArchiveKey::by_content(&archive().path, 9);
    for is_one_batch in [true, false] {
        let (_folder, store) = open();
        let mut batch = PageBatch::new();
        let next = |batch: &mut PageBatch| {
            if !is_one_batch {
                store.commit(std::mem::take(batch)).unwrap();
            }
        };
        for put in &first {
            add(&mut batch, &store, put.clone());
        }
        batch.revisit(&store, &at(&archive(), 30), revisit(None, Some((OAK, 1)))).unwrap();
        next(&mut batch);
        // Twice, as one that is read again.
        for _ in 0..2 {
            batch.restart(&copy);
            for (number, put) in (0..).zip(&first) {
                let put = batch.put(&store, &at(&copy, number), put.clone()).unwrap();
                assert!(matches!(put, Put::Duplicate(_)), "{put:?}");
            }
            let known = batch.revisit(&store, &at(&copy, 3), revisit(None, Some((OAK, 1)))).unwrap();
            assert_eq!(known, Some(PageId::of(OAK, Some(1))));
            // Another time, and another content, are others.
            batch.put(&store, &at(&copy, 4), capture(OAK, 3, 4, "oak")).unwrap();
            batch.put(&store, &at(&copy, 5), capture(ELM, 2, 5, "old elm")).unwrap();
            next(&mut batch);
        }
        // What was read of the file before is no other archive.
        batch.put(&store, &at(&grown, 11), capture(OAK, 2, 11, "oak")).unwrap();
        store.commit(batch).unwrap();
        let entry = |key: &ArchiveKey| store.archive(key.id).unwrap().unwrap().sums;
        assert_eq!((sums(&store).indexed, sums(&store).duplicates, sums(&store).revisits), (2, 1, 1));
        assert_eq!(entry(&copy).skipped, [(SkipReason::KnownCapture, 4)].into());
        assert_eq!((entry(&copy).duplicates, entry(&copy).records(), entry(&grown).duplicates), (1, 6, 1));
        let stats = store.stats();
        assert_eq!((stats.pages, stats.duplicates, stats.revisits, stats.distinct_pages), (6, 3, 1, 3));
        store.verify().unwrap();
    }
}

#[test]
fn another_url_with_the_same_content_shares_the_tree() {
    let first = PageId::of(OAK, Some(1));
    let puts = [capture(OAK, 1, 0, "oak"), capture(ELM, 1, 10, "oak"), capture("http://ash.example/", 1, 20, "oak")];
    in_one_batch_or_many(&puts, |store, decisions| {
        let shares = Put::Page { replaced: false, shares: Some(first) };
        assert_eq!((decisions[0], decisions[1]), (NEW, shares));
        assert!(matches!(decisions[2], Put::Page { shares: Some(_), .. }));
        assert_eq!(store.stats().distinct_pages, 3);
        for put in &puts {
            assert_eq!(store.tree_bytes(put.page().id).unwrap().unwrap(), b"oak");
        }
    });
    let trees_bytes = |puts: &[PagePut]| {
        let (_folder, store) = open();
        let mut batch = PageBatch::new();
        for put in puts {
            add(&mut batch, &store, put.clone());
        }
        store.commit(batch).unwrap();
        store.stats().trees_bytes
    };
    assert_eq!(trees_bytes(&puts), trees_bytes(&puts[..1]));
}

#[test]
fn a_replayed_record_replaces_also_among_duplicates() {
    let puts = [
        capture(OAK, 1, 0, "oak"),
        capture(ELM, 1, 10, "oak"),
        capture(OAK, 2, 20, "oak"),
        capture(OAK, 1, 0, "oak"),
        capture(OAK, 2, 20, "oak"),
        capture(OAK, 1, 0, "ash"),
    ];
    in_one_batch_or_many(&puts, |store, decisions| {
        assert!(matches!(decisions[3], Put::Page { replaced: true, .. }), "{decisions:?}");
        assert!(matches!(decisions[4], Put::Duplicate(_)), "{decisions:?}");
        assert!(matches!(decisions[5], Put::Page { replaced: true, shares: None }), "{decisions:?}");
        let stats = store.stats();
        assert_eq!((stats.pages, stats.duplicates, stats.distinct_pages), (3, 1, 2));
        assert_eq!(store.tree_bytes(PageId::of(OAK, Some(1))).unwrap().unwrap(), b"ash");
        assert_eq!(store.tree_bytes(PageId::of(ELM, Some(1))).unwrap().unwrap(), b"oak");
        assert_eq!(store.snapshot().pages_with_hash(lopper_content::weigh::term_hash("oak")), 1);
    });
}

#[test]
fn content_that_a_page_no_longer_has_is_no_duplicate_of_it() {
    let first = PageId::of(OAK, Some(1));
    let puts = [
        capture(OAK, 1, 0, "oak"),
        capture(OAK, 1, 0, "ash"),
        capture(OAK, 2, 20, "oak"),
        capture(OAK, 3, 30, "ash"),
        capture(OAK, 4, 40, "oak"),
    ];
    in_one_batch_or_many(&puts, |store, decisions| {
        let (second, replaced) = (PageId::of(OAK, Some(2)), Put::Page { replaced: true, shares: None });
        assert_eq!(decisions, [NEW, replaced, NEW, Put::Duplicate(first), Put::Duplicate(second)]);
        assert_eq!(store.tree_bytes(second).unwrap().unwrap(), b"oak");
    });
}

#[test]
fn a_page_that_is_replaced_leaves_its_content_to_another_one_that_has_it() {
    let second = PageId::of(OAK, Some(2));
    for ends in 0..4u32 {
        let (_folder, store) = open();
        let mut batch = PageBatch::new();
        let puts = [capture(OAK, 1, 0, "oak"), capture(OAK, 2, 20, "oak"), capture(OAK, 1, 0, "ash")];
        for (number, put) in puts.into_iter().enumerate() {
            let offset_bytes = put.page().provenance.offset_bytes;
            batch.put_own(&store, &at(&archive(), offset_bytes), put).unwrap();
            if ends >> number & 1 == 1 {
                store.commit(std::mem::take(&mut batch)).unwrap();
            }
        }
        let duplicate = add(&mut batch, &store, capture(OAK, 3, 30, "oak"));
        assert_eq!(duplicate, Put::Duplicate(second), "batches {ends:b}");
    }
}

// Revisits

fn revisit(declared: Option<&str>, refers_to: Option<(&str, i64)>) -> Revisit {
    Revisit {
        canonical_url: OAK.to_owned(),
        captured_at: Some(9),
        payload_digest: declared.map(str::to_owned),
        refers_to_url: refers_to.map(|(url, _)| url.to_owned()),
        refers_to_time: refers_to.map(|(_, time)| time),
    }
}

/// All ways to name the original of the capture of `ELM` at 1.
fn revisits() -> [Revisit; 3] {
    [
        revisit(Some("SHA1:abc"), None),
        revisit(None, Some((ELM, 1))),
        revisit(Some("sha1:other"), Some(("http://ELM.example/#top", 1))),
    ]
}

#[test]
fn revisits_find_their_original() {
    let (_folder, store) = open();
    let mut batch = PageBatch::new();
    add(&mut batch, &store, capture(ELM, 1, 0, "elm").declaring(Some("sha1:ABC".to_owned())));
    let original = Some(PageId::of(ELM, Some(1)));
    for (number, revisit) in (1..).zip(revisits()) {
        assert_eq!(batch.revisit(&store, &at(&archive(), number), revisit).unwrap(), original, "in the batch");
    }
    store.commit(batch).unwrap();
    let mut batch = PageBatch::new();
    for (number, revisit) in (5..).zip(revisits()) {
        assert_eq!(batch.revisit(&store, &at(&archive(), number), revisit).unwrap(), original, "in the store");
    }
    let lost = revisit(Some("sha1:nowhere"), None);
    assert_eq!(batch.revisit(&store, &at(&archive(), 8), lost).unwrap(), None);
    store.commit(batch).unwrap();
    assert_eq!((sums(&store).revisits, sums(&store).skipped[&SkipReason::RevisitUnresolved]), (6, 1));
    assert_eq!((store.stats().pages, store.stats().revisits), (1, 6));
    assert!(store.captures(OAK).unwrap().iter().all(|capture| Some(capture.page) == original));
}

/// As a revisit that comes after its original is.
#[test]
fn a_revisit_that_is_resolved_counts_once_however_many_copies_of_its_archive_there_are() {
    for order in [[0, 1], [1, 0]] {
        let (_folder, store) = open();
        let copies = [archive(), ArchiveKey::by_content("trees.warc.gz".as_ref(), 8)];
        for copy in order.map(|number| &copies[number]) {
            let mut batch = PageBatch::new();
            let revisit = revisit(None, Some((ELM, 1)));
            assert_eq!(batch.revisit(&store, &at(copy, 1), revisit).unwrap(), None);
            store.commit(batch).unwrap();
        }
        let mut batch = PageBatch::new();
        batch.put(&store, &at(&copies[0], 2), capture(ELM, 1, 2, "elm")).unwrap();
        store.commit(batch).unwrap();
        let mut batch = PageBatch::new();
        assert_eq!(store.resolve_revisits(&mut batch).unwrap(), ResolvedRevisits { revisits: 1, known: 1 });
        store.commit(batch).unwrap();
        assert_eq!(store.captures(OAK).unwrap().len(), 1);
        assert_eq!((store.stats().revisits, store.sums().unwrap().revisits), (1, 1));
        assert_eq!(store.sums().unwrap().skipped, [(SkipReason::KnownCapture, 1)].into());
        assert_eq!(store.resolve_revisits(&mut PageBatch::new()).unwrap().count(), 0);
        store.verify().unwrap();
    }
}

#[test]
fn revisits_before_their_original_are_resolved_afterwards() {
    let (_folder, store) = open();
    let mut batch = PageBatch::new();
    for (number, revisit) in (1..).zip(revisits()) {
        assert_eq!(batch.revisit(&store, &at(&archive(), number), revisit).unwrap(), None);
    }
    store.commit(batch).unwrap();
    assert_eq!(store.resolve_revisits(&mut PageBatch::new()).unwrap().count(), 0);
    let other = ArchiveKey::by_content("other.warc".as_ref(), 8);
    let mut batch = PageBatch::new();
    let put = capture(ELM, 1, 0, "elm").declaring(Some("sha1:abc".to_owned()));
    batch.put(&store, &at(&other, 0), put).unwrap();
    store.commit(batch).unwrap();
    let mut batch = PageBatch::new();
    assert_eq!(store.resolve_revisits(&mut batch).unwrap(), ResolvedRevisits { revisits: 3, known: 0 });
    store.commit(batch).unwrap();
    assert_eq!((sums(&store).revisits, sums(&store).skipped.len(), sums(&store).records()), (3, 0, 3));
    let entry = store.archive(archive().id).unwrap().unwrap();
    assert_eq!(store.records(&entry, Some(StateKind::Revisit)).count(), 3);
    assert_eq!(store.records(&entry, Some(StateKind::Skipped)).count(), 0);
    assert_eq!(store.resolve_revisits(&mut PageBatch::new()).unwrap().count(), 0);
    store.verify().unwrap();
}

#[test]
fn a_revisit_that_names_nothing_is_of_the_newest_former_capture() {
    let (_folder, store) = open();
    let mut batch = PageBatch::new();
    for (time, text) in [(1, "oak"), (5, "oak tree"), (20, "old oak")] {
        add(&mut batch, &store, capture(OAK, time, time as u64, text));
    }
    let found = batch.revisit(&store, &at(&archive(), 30), revisit(None, None)).unwrap();
    assert_eq!(found, Some(PageId::of(OAK, Some(5))));
}
