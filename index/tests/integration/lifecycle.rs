//! Creating, committing, reopening, replacing; and everything that can be wrong with a directory.

use std::fs;
use std::time::Duration;

use lopper_index::{BlockDocument, BlockIndex, BlockQuery, IndexError, Pointer, WriterError, WriterOptions};

use crate::support::{TestIndex, block, page_id};

fn three_languages() -> Vec<BlockDocument> {
    vec![
        block(1, 0, "en", "The archives are indexed by their blocks."),
        block(1, 1, "en", "Navigation and cookies."),
        block(2, 0, "de", "Die Häuser der Archive stehen in Wäldern."),
        block(3, 0, "ja", "森林公園の記録"),
    ]
}

#[test]
fn a_page_is_added_found_replaced_and_kept() {
    let mut test = TestIndex::of(&three_languages());
    let searcher = test.searcher();
    let found = |text: &str| -> Vec<String> {
        let ranked = searcher.search(&BlockQuery::new(text, 10)).unwrap();
        ranked.blocks.into_iter().map(|block| block.document.block_id).collect()
    };
    assert_eq!(found("index block"), [format!("{}:0", page_id(1))]);
    assert_eq!(found("haus wald"), [format!("{}:0", page_id(2))]);
    assert_eq!(found("公園"), [format!("{}:0", page_id(3))]);
    assert_eq!(searcher.count(), 4);

    test.writer.delete_page(&page_id(1)).unwrap();
    test.writer.add(&block(1, 0, "en", "Replaced by newer words.")).unwrap();
    assert_eq!(found("newer"), [""; 0], "not before the commit");
    test.writer.commit("second").unwrap();
    searcher.reload().unwrap();
    assert_eq!(found("newer"), [format!("{}:0", page_id(1))]);
    assert_eq!(found("index block cookies"), [""; 0]);
    assert_eq!(searcher.blocks_of_page(&page_id(1)).unwrap().len(), 1);

    drop(test.writer);
    let reopened = BlockIndex::open(test.dir.path()).unwrap();
    assert_eq!(reopened.committed_payload().unwrap().as_deref(), Some("second"));
    assert_eq!(reopened.searcher().count(), 3);
    let languages = reopened.searcher().languages().unwrap();
    let languages: Vec<_> = languages.iter().map(|count| (count.language.code(), count.blocks)).collect();
    assert_eq!(languages, [("de", 1), ("en", 1), ("ja", 1)]);
    assert!(reopened.damaged_files().unwrap().is_empty());
}

#[test]
fn a_document_comes_back_as_it_went_in() {
    let full = BlockDocument {
        canonical_url: Some("https://example.org/".to_owned()),
        title: "Title".to_owned(),
        heading_path: vec!["Part".to_owned(), String::new(), "Chapter".to_owned()],
        lead: "Lead".to_owned(),
        link_text: "link".to_owned(),
        image_text: "image".to_owned(),
        captured_at: Some(-5),
        block_path: "0/1/2".to_owned(),
        css_path: "body > p:nth-child(2)".to_owned(),
        anchor: Some("here".to_owned()),
        names: vec!["here".to_owned(), "there".to_owned()],
        link_keys: vec![3, u64::MAX],
        pointers: vec![Pointer { key: 5, text: "link".to_owned() }],
        similarity: 0.1,
        weight: 123.456,
        ..block(7, u32::MAX, "tlh", "line\nline \u{1} \"quoted\"")
    };
    let test = TestIndex::of(&[full.clone(), block(8, 0, "", "")]);
    let searcher = test.searcher();
    assert_eq!(searcher.get_block(&full.block_id).unwrap(), Some(BlockDocument { pointers: Vec::new(), ..full }));
    assert_eq!(searcher.blocks_of_page(&page_id(8)).unwrap(), [block(8, 0, "und", "")]);
    assert_eq!(searcher.get_block("none").unwrap(), None);
}

#[test]
fn blocks_of_a_page_come_in_page_order() {
    let blocks: Vec<_> = [11, 2, 0, 5].map(|ordinal| block(1, ordinal, "en", "words")).into();
    let test = TestIndex::of(&blocks);
    let blocks = test.searcher().blocks_of_page(&page_id(1)).unwrap();
    let ordinals: Vec<u32> = blocks.iter().map(|block| block.ordinal).collect();
    assert_eq!(ordinals, [0, 2, 5, 11]);
}

#[test]
fn one_writer_at_a_time() {
    let test = TestIndex::new();
    let error = test.index.writer(WriterOptions::default()).unwrap_err();
    assert!(matches!(error, IndexError::Locked { .. }));
    assert!(error.to_string().contains("wait for it to end"), "{error}");
    drop(test.writer);
    test.index.writer(WriterOptions { threads: 2, memory_budget_bytes: 0 }).unwrap();
}

/// As a killed process does: its locks come free one after another.
#[test]
fn a_writer_waits_for_one_that_is_ending() {
    let test = TestIndex::new();
    let (index, ending) = (test.index.clone(), test.writer);
    std::thread::scope(|scope| {
        let next = scope.spawn(|| index.writer(WriterOptions::default()).map(drop));
        std::thread::sleep(Duration::from_millis(200));
        assert!(!next.is_finished(), "the first has it still");
        drop(ending);
        next.join().unwrap().unwrap();
    });
}

#[test]
fn what_is_not_committed_is_lost() {
    let mut test = TestIndex::of(&three_languages());
    test.writer.add(&block(9, 0, "en", "lost")).unwrap();
    drop(test.writer);
    assert_eq!(BlockIndex::open(test.dir.path()).unwrap().searcher().count(), 4);
}

#[test]
fn what_is_rolled_back_is_in_no_commit() {
    let mut test = TestIndex::of(&three_languages());
    let documents = || BlockIndex::open(test.dir.path()).unwrap().searcher().documents_by_page().unwrap();
    let pages = documents();
    assert!(!pages.is_empty());
    test.writer.add(&block(9, 0, "en", "taken back")).unwrap();
    for page in pages.keys() {
        test.writer.delete_page(page).unwrap();
    }
    test.writer.rollback().unwrap();
    test.writer.add(&block(8, 0, "en", "stays")).unwrap();
    test.writer.commit("after").unwrap();
    let after = documents();
    assert_eq!(after.len(), pages.len() + 1);
    assert!(pages.iter().all(|(page, documents)| after.get(page) == Some(documents)), "{after:?}");
}

#[test]
fn a_commit_without_blocks_moves_the_checkpoint() {
    let mut test = TestIndex::new();
    assert_eq!(test.index.committed_payload().unwrap(), None);
    let first = test.writer.commit("1").unwrap();
    let second = test.writer.commit("2").unwrap();
    assert!(second > first);
    assert_eq!(test.writer.committed_payload().unwrap().as_deref(), Some("2"));
}

#[test]
fn after_a_failed_commit_the_writer_refuses_work() {
    let mut test = TestIndex::of(&three_languages());
    test.writer.add(&block(9, 0, "en", "never seen")).unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    fs::rename(test.dir.path(), elsewhere.path()).unwrap();
    let failed = test.writer.commit("lost").unwrap_err();
    assert!(matches!(failed, WriterError::Commit { .. }), "{failed:?}");
    assert!(test.writer.is_poisoned());
    let block = block(9, 1, "en", "more");
    assert!(matches!(test.writer.add(&block), Err(WriterError::Poisoned { .. })));
    assert!(matches!(test.writer.delete_page("x"), Err(WriterError::Poisoned { .. })));
    assert!(matches!(test.writer.commit("again"), Err(WriterError::Poisoned { .. })));
    assert!(matches!(test.writer.rollback(), Err(WriterError::Poisoned { .. })), "the commit may be there");
}

#[test]
fn directories_that_hold_no_sound_index_are_told_apart() {
    let dir = tempfile::tempdir().unwrap();
    let open = || BlockIndex::open(dir.path()).unwrap_err();
    assert!(matches!(open(), IndexError::NotFound { .. }));
    BlockIndex::create(dir.path()).unwrap();
    assert!(matches!(BlockIndex::create(dir.path()), Err(IndexError::AlreadyExists { .. })));

    let format = dir.path().join("lopper-index-format");
    fs::write(&format, "99\n").unwrap();
    let error = open();
    assert!(matches!(&error, IndexError::OtherFormat { found, .. } if found == "99"));
    assert!(error.to_string().contains("has format 99"), "{error}");
    fs::remove_file(&format).unwrap();
    assert!(matches!(BlockIndex::open_or_create(dir.path()), Err(IndexError::OtherFormat { .. })));

    fs::write(&format, format!("{}\n", lopper_index::FORMAT_VERSION)).unwrap();
    BlockIndex::open_or_create(dir.path()).unwrap();
    fs::write(dir.path().join("meta.json"), "{").unwrap();
    assert!(matches!(open(), IndexError::Damaged { .. }));
}

#[test]
fn missing_and_changed_segment_files_are_damage() {
    let test = TestIndex::of(&three_languages());
    let segment_file = |extension: &str| {
        let files = fs::read_dir(test.dir.path()).unwrap().map(|entry| entry.unwrap().path());
        files.into_iter().find(|path| path.extension().is_some_and(|found| found == extension)).unwrap()
    };
    let store = segment_file("store");
    let mut bytes = fs::read(&store).unwrap();
    bytes[0] ^= 0xFF;
    fs::write(&store, bytes).unwrap();
    assert_eq!(test.index.damaged_files().unwrap(), [store.file_name().unwrap()]);

    fs::remove_file(segment_file("term")).unwrap();
    let error = BlockIndex::open(test.dir.path()).unwrap_err();
    assert!(matches!(error, IndexError::Damaged { .. }), "{error:?}");
}

#[test]
fn a_compacted_index_answers_as_before() {
    let mut test = TestIndex::new();
    for page in 0..6 {
        for page in [page, 10 + page] {
            test.writer.add(&block(page, 0, "en", &format!("The mill number {page} grinds."))).unwrap();
        }
        test.writer.commit(&format!("commit {page}")).unwrap();
    }
    test.writer.delete_page(&page_id(3)).unwrap();
    test.writer.commit("last").unwrap();
    let found = |test: &TestIndex| {
        let ranked = test.searcher().search(&BlockQuery::new("mill grind", 20)).unwrap();
        ranked.blocks.into_iter().map(|block| block.document.block_id).collect::<Vec<_>>()
    };
    let before = found(&test);
    assert_eq!(test.writer.compact(usize::MAX).unwrap().1, 6, "more parts than segments are no parts");
    assert_eq!(test.writer.compact(2).unwrap(), (6, 2));
    assert_eq!(test.writer.compact(1).unwrap(), (2, 1));
    assert_eq!(test.writer.compact(1).unwrap(), (1, 1), "there is nothing left to do");
    let mut after = found(&test);
    assert_eq!((after.len(), test.writer.committed_payload().unwrap().as_deref()), (11, Some("last")));
    // Deleted documents no longer count in the statistics, so scores may differ, but not what is found.
    after.sort_unstable();
    assert!(before.iter().all(|id| after.binary_search(id).is_ok()));
    test.writer.add(&block(99, 0, "en", "A new mill.")).unwrap();
    test.writer.commit("more").unwrap();
    assert_eq!(found(&test).len(), 12);
}

#[test]
fn compacting_gets_on_with_merges_that_run() {
    let mut test = TestIndex::new();
    for page in 0..20 {
        test.writer.add(&block(page, 0, "en", "The mill grinds.")).unwrap();
        test.writer.commit("test").unwrap();
    }
    test.writer.compact(1).unwrap();
    let ranked = test.searcher().search(&BlockQuery::new("mill", 50)).unwrap();
    assert_eq!(ranked.blocks.len(), 20);
}

/// A commit writes the deletions of a segment before it says that they are there. Who is killed between leaves a file of a name that the
/// same commit wants again.
#[test]
fn a_deletion_that_a_crash_cut_off_is_done_again() {
    let test = TestIndex::of(&three_languages());
    drop(test.writer);
    let said = test.dir.path().join("meta.json");
    let before = fs::read(&said).unwrap();
    let delete = || {
        let index = BlockIndex::open(test.dir.path()).unwrap();
        let mut writer = index.writer(WriterOptions::default()).unwrap();
        writer.delete_page(&page_id(1)).unwrap();
        writer.commit("deleted").map(drop)
    };
    delete().unwrap();
    fs::write(&said, before).unwrap();
    delete().unwrap();
    assert_eq!(BlockIndex::open(test.dir.path()).unwrap().searcher().count(), 2);
}
