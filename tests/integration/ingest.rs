//! Laws of ingest: the same result on any number of threads and at any repetition, every record in the sums, and an index that was
//! left behind is brought up to date.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lopper_archive::page::PageId;
use lopper_collection::ingest::{IngestOptions, IngestReport, Silent, ingest, ingest_page, verify};
use lopper_collection::search::{SearchEngine, SearchRequest, SearchResponse};
use lopper_collection::{CollectionError, DataFolder};
use lopper_content::limits::Limits;
use lopper_content::pipeline::ExtractParams;
use lopper_index::{BlockIndex, WriterOptions};

use crate::support::{self, copy_folder, page};

const MIXED: &str = "derived__chatnoir-cc-filtered.warc.gz";
const IANA: &str = "webrecorder-warcio__example-iana.org-chunked.warc";
const BBC: &str = "sbeckeriv-warc_nom_parser__bbc.warc";

/// Small batches, so that a few pages make several commits.
fn options(threads: usize) -> IngestOptions {
    IngestOptions { threads, batch_records_max: 3, batch_bytes_max: 50_000, ..IngestOptions::default() }
}

fn open(data: &Path) -> DataFolder {
    DataFolder::open_to_write(data, ExtractParams::default()).unwrap()
}

fn add(collection: &DataFolder, archives: &[&str], options: &IngestOptions) -> IngestReport {
    let paths: Vec<PathBuf> = archives.iter().map(|name| support::archive(name)).collect();
    ingest(collection, &paths, options, &mut Silent).unwrap()
}

/// Everything that is known of every block, by id: text, similarity, weight, place.
fn blocks(collection: &DataFolder) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for page in collection.store().pages() {
        let page = page.unwrap();
        let tree = collection.tree(page.id).unwrap().expect("a page has its tree");
        for block in tree.blocks(&collection.params()) {
            let id = lopper_content::blocks::BlockId::of(page.id, &block.path).to_string();
            found.insert(id, format!("{block:?}"));
        }
    }
    found
}

const QUERIES: [&str; 4] = ["domain names", "tuin hovenier", "news weather sport", "\"root zone\""];

/// The answers to some queries, without their duration.
fn answers(collection: DataFolder) -> Vec<SearchResponse> {
    let engine = SearchEngine::new(Arc::new(collection)).unwrap();
    let answer = |query: &&str| SearchResponse {
        duration_ms: 0.0,
        ..engine.search(&SearchRequest::new(*query)).expect("a search is answered")
    };
    QUERIES.iter().map(answer).collect()
}

#[test]
fn parallel_equals_sequential() {
    let folder = tempfile::tempdir().unwrap();
    let run = |threads: usize| {
        let collection = open(&folder.path().join(threads.to_string()));
        let report = add(&collection, &[MIXED, IANA, BBC], &options(threads));
        (report.records, blocks(&collection), answers(collection))
    };
    let sequential = run(1);
    assert!(sequential.1.len() > 20, "{}", sequential.1.len());
    assert!(sequential.2.iter().all(|answer| answer.total_blocks > 0), "every query finds something");
    assert!(run(4) == sequential);
}

#[test]
fn the_same_archive_again_replaces() {
    let folder = tempfile::tempdir().unwrap();
    let first = open(folder.path());
    let report = add(&first, &[MIXED, IANA], &IngestOptions::default());
    let (ids, stats) = (ids_in_index(&first), first.store().stats());
    let found = urls_of_answers(first);
    let again = open(folder.path());
    let second = add(&again, &[MIXED, IANA], &IngestOptions { again: true, ..IngestOptions::default() });
    assert_eq!((report.records.indexed, report.records.replaced), (7, 0));
    assert_eq!((second.records.indexed, second.records.replaced), (0, 7));
    assert_eq!(second.records.records(), report.records.records());
    let now = again.store().stats();
    assert_eq!((now.distinct_pages, now.hosts, now.bytes), (stats.distinct_pages, stats.hosts, stats.bytes));
    assert_eq!(now.pages, stats.pages, "a replayed record is not a capture more");
    assert_eq!(ids_in_index(&again), ids);
    assert_eq!(ids, blocks(&again).into_keys().collect::<Vec<_>>(), "index and store have the same blocks");
    assert_eq!(urls_of_answers(again), found);
}

/// Per query the number of blocks that match and the pages, best first.
fn urls_of_answers(collection: DataFolder) -> Vec<(u64, Vec<String>)> {
    let urls = |answer: SearchResponse| answer.pages.into_iter().map(|page| page.url).collect();
    answers(collection).into_iter().map(|answer| (answer.total_blocks, urls(answer))).collect()
}

/// The ids of all blocks that the index holds, sorted; each once, or the index has a block twice.
fn ids_in_index(collection: &DataFolder) -> Vec<String> {
    let searcher = collection.index().searcher();
    searcher.reload().unwrap();
    let of_page = |page: PageId| searcher.blocks_of_page(&page.to_string()).unwrap();
    let pages = collection.store().pages().map(|page| page.unwrap().id);
    let mut ids: Vec<String> = pages.flat_map(of_page).map(|block| block.block_id).collect();
    ids.sort();
    assert_eq!(searcher.count(), ids.len() as u64, "no block of an unknown page");
    ids
}

#[test]
fn every_record_is_in_the_sums() {
    let folder = tempfile::tempdir().unwrap();
    let collection = open(folder.path());
    let mut pages = 0;
    for name in support::archives() {
        let report = add(&collection, &[&name], &options(2));
        let sums = &report.records;
        assert_eq!(sums.records(), items(&name), "{name}: {report:?}");
        assert_eq!(sums.failed, report.messages.len() as u64, "{name}: every failure has its message");
        pages += sums.indexed;
    }
    assert!(pages > 100, "the archives are found");
    assert_eq!(collection.store().stats().distinct_pages, pages, "what is not replaced is new");
    assert_eq!(ids_in_index(&collection).len() as u64, collection.store().stats().blocks);
}

/// Records and unreadable places of an archive, as its reader gives them.
fn items(name: &str) -> u64 {
    let Ok(mut reader) = lopper_archive::open(&support::archive(name), &Limits::default()) else { return 1 };
    std::iter::from_fn(|| reader.next_record()).count() as u64
}

// An ingest that was cut off between the commits of store and index

/// A folder with two ingests in `data`, and the index as it was between them in `old`. What is found after the first and after both.
fn two_ingests(folder: &Path) -> [Vec<SearchResponse>; 2] {
    let data = folder.join("data");
    add(&open(&data), &[MIXED], &IngestOptions::default());
    copy_folder(&data.join("index"), &folder.join("old"));
    let first = answers(DataFolder::open_to_read(&data).unwrap());
    add(&open(&data), &[IANA, BBC], &IngestOptions::default());
    [first, answers(DataFolder::open_to_read(&data).unwrap())]
}

/// Readers see the folder as the index has it.
fn is_behind(data: &Path, pages: &[SearchResponse]) {
    let collection = DataFolder::open_to_read(data).unwrap();
    assert!(collection.commits_ahead() > 0);
    assert_eq!(answers(collection), pages);
    let note = support::run(data, ["search", "--data", ".", "mills"]);
    assert!(note.code == Some(0) && note.err.contains("not in the index yet"), "{note:?}");
    assert!(!note.err.contains("ingest"), "{note:?}");
}

#[test]
fn an_index_one_commit_behind_is_repaired() {
    let folder = tempfile::tempdir().unwrap();
    let [first, expected] = two_ingests(folder.path());
    let data = folder.path().join("data");
    fs::remove_dir_all(data.join("index")).unwrap();
    copy_folder(&folder.path().join("old"), &data.join("index"));
    is_behind(&data, &first);
    drop(open(&data));
    assert_eq!(answers(DataFolder::open_to_read(&data).unwrap()), expected);
}

#[test]
fn a_lost_index_is_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let [_, expected] = two_ingests(folder.path());
    let data = folder.path().join("data");
    fs::remove_dir_all(data.join("index")).unwrap();
    let error = DataFolder::open_to_read(&data).err().expect("nothing is found in no index");
    assert!(matches!(error, CollectionError::IndexLost { .. }), "{error}");
    assert!(error.to_string().contains("`lopper rebuild --data "), "{error}");
    drop(open(&data));
    assert_eq!(answers(DataFolder::open_to_read(&data).unwrap()), expected);
}

#[test]
fn other_parameters_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    add(&open(folder.path()), &[IANA], &IngestOptions::default());
    let other = ExtractParams { prune: lopper_content::prune::PruneRule::Paper, ..ExtractParams::default() };
    let error = DataFolder::open_to_write(folder.path(), other).err().expect("other parameters are refused");
    assert!(matches!(error, CollectionError::OtherParameters { .. }), "{error}");
    assert!(error.to_string().contains("use those, or another folder"), "{error}");
}

#[test]
fn a_folder_goes_on_with_its_own_parameters() {
    let folder = tempfile::tempdir().unwrap();
    let own = ExtractParams { prune: lopper_content::prune::PruneRule::Paper, ..ExtractParams::default() };
    add(&DataFolder::open_to_write(folder.path(), own).unwrap(), &[IANA], &IngestOptions::default());
    assert_eq!(DataFolder::open_to_read(folder.path()).unwrap().params(), own);
    let default = ExtractParams { site_memory: false, ..ExtractParams::default() };
    let collection = DataFolder::open_to_write(folder.path(), default).unwrap();
    assert_eq!(collection.params(), ExtractParams { site_memory: false, ..own });
    drop(collection);
    let third = ExtractParams { prune: lopper_content::prune::PruneRule::Everything, ..ExtractParams::default() };
    assert!(matches!(DataFolder::open_to_write(folder.path(), third), Err(CollectionError::OtherParameters { .. })));
    let report = verify(folder.path(), ExtractParams::default(), true).unwrap();
    assert!(report.faults.is_empty() && report.blocks > 0, "{report:?}");
}

#[test]
fn a_commit_that_cannot_be_read_is_told_and_mended() {
    let folder = tempfile::tempdir().unwrap();
    add(&open(folder.path()), &[IANA], &IngestOptions::default());
    let expected = answers(DataFolder::open_to_read(folder.path()).unwrap());
    let index = BlockIndex::open(folder.path().join("index")).unwrap();
    let mut writer = index.writer(WriterOptions::default()).unwrap();
    writer.commit("{\"sequence\":1,\"of\":\"another kind\"}").unwrap();
    drop((writer, index));
    for opened in
        [DataFolder::open_to_read(folder.path()), DataFolder::open_to_write(folder.path(), ExtractParams::default())]
    {
        let error = opened.err().expect("it cannot be read");
        assert!(matches!(error, CollectionError::Checkpoint { .. }), "{error}");
    }
    let report = verify(folder.path(), ExtractParams::default(), true).unwrap();
    assert_eq!((report.faults.len(), report.faults_left()), (1, 0), "{report:?}");
    assert_eq!(answers(DataFolder::open_to_read(folder.path()).unwrap()), expected);
}

// A page that takes too much work

#[test]
fn a_page_without_steps_fails_alone() {
    let folder = tempfile::tempdir().unwrap();
    let collection = open(folder.path());
    let limits = Limits { page_steps_max: 0, ..Limits::default() };
    let report = add(&collection, &[MIXED], &IngestOptions { limits, ..options(2) });
    assert_eq!((report.records.indexed, report.records.failed), (0, 6), "{report:?}");
    assert!(report.messages[0].contains("takes more than 0 steps"), "{report:?}");
    let report = add(&collection, &[BBC], &options(2));
    assert_eq!(report.records.indexed, 1, "{report:?}");
}

// One page

fn found(collection: &Arc<DataFolder>, query: &str) -> Vec<String> {
    let engine = SearchEngine::new(collection.clone()).unwrap();
    engine.search(&SearchRequest::new(query)).unwrap().pages.into_iter().map(|page| page.title).collect()
}

#[test]
fn one_page_is_found_at_once_and_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let collection = Arc::new(open(folder.path()));
    let put = |html: &str| ingest_page(&collection, &page("http://e.example/heron", html), &Limits::default()).unwrap();
    put("<title>Heron</title><p>A grey heron stood in the reeds.");
    assert_eq!(found(&collection, "reeds"), ["Heron"]);
    put("<title>Egret</title><p>A white egret stood in the marsh.");
    assert_eq!(found(&collection, "reeds"), Vec::<String>::new());
    assert_eq!(found(&collection, "marsh"), ["Egret"]);
    assert_eq!((collection.store().stats().pages, collection.store().stats().distinct_pages), (1, 1));
}
