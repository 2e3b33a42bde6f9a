//! Data folders of every released version are opened for ever after: `tests/formats/README.md`.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::sync::Arc;

use flate2::read::GzDecoder;
use lopper_archive::page::PageId;
use lopper_collection::DataFolder;
use lopper_collection::search::SearchEngine;
use lopper_content::blocks::BlockId;
use lopper_content::pipeline::ExtractParams;
use lopper_content::statistics::Kind;
use lopper_content::weigh::TermStatistics;
use lopper_index::{BlockQuery, RankingWeights};
use lopper_store::ContentDigest;
use serde::Deserialize;
use tempfile::TempDir;

use crate::support::{copy_folder, repository, run};

/// A copy of a fixture in `data` of a temporary folder, with its database unpacked.
fn unpacked(fixture: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    copy_folder(&repository("tests/formats").join(fixture), &data);
    let packed = data.join("store/db.gz");
    let mut database = File::create(data.join("store/db")).unwrap();
    io::copy(&mut GzDecoder::new(File::open(&packed).unwrap()), &mut database).unwrap();
    fs::remove_file(packed).unwrap();
    folder
}

#[derive(Deserialize)]
struct Query {
    qid: String,
    query: String,
}

#[derive(Deserialize)]
struct Answer {
    qid: String,
    results: Vec<Found>,
}

#[derive(Debug, Deserialize)]
struct Found {
    url: String,
    block_id: String,
    page_id: String,
    block_text: String,
}

fn lines<T: for<'a> Deserialize<'a>>(name: &str) -> Vec<T> {
    let text = fs::read_to_string(repository("tests/formats").join(name)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// What a page that is judged anew has as a block no more: a link of its footer.
const NOISE_BY_NOW: &str = "Common Crawl on Twitter";

/// What the program of that version answered; of a folder that was broken and is rebuilt, what it still can.
fn old_answers(version: &str) -> Vec<Answer> {
    let intact = version.trim_end_matches("-broken");
    let mut answers: Vec<Answer> = lines(&format!("{intact}.run.jsonl"));
    if intact != version {
        for answer in &mut answers {
            answer.results.retain(|found| found.block_text != NOISE_BY_NOW);
        }
    }
    answers
}

/// Every block that the old program found is found, with the text that it showed.
fn answers_are_there(collection: &Arc<DataFolder>, version: &str) {
    let engine = SearchEngine::new(collection.clone()).unwrap();
    let (queries, answers) = (lines::<Query>("queries.jsonl"), old_answers(version));
    assert_eq!(queries.len(), answers.len());
    for (query, answer) in queries.iter().zip(&answers) {
        assert_eq!(query.qid, answer.qid);
        assert!(!answer.results.is_empty(), "the fixture tells something about {:?}", query.query);
        let ranked = engine.ranked(&BlockQuery::new(&query.query, 1000), &RankingWeights::default()).unwrap();
        for old in &answer.results {
            let same = ranked.blocks.iter().map(|block| &block.document).find(|new| new.block_id == old.block_id);
            let new = same.unwrap_or_else(|| panic!("{:?} no longer finds {old:?}", query.query));
            assert_eq!((&new.url, &new.page_id), (&old.url, &old.page_id));
            assert!(new.body.contains(&old.block_text), "{new:?} is not {old:?}");
        }
    }
}

/// Every page has its tree, and the tree has the blocks that the old program found.
fn trees_are_read(collection: &DataFolder, version: &str) {
    for old in old_answers(version).into_iter().flat_map(|line| line.results) {
        let page: PageId = old.page_id.parse().unwrap();
        assert_eq!(collection.store().page(page).unwrap().expect("the page is there").url, old.url);
        let tree = collection.tree(page).unwrap().expect("the page has its tree");
        let blocks = tree.blocks(&collection.params());
        let same = blocks.iter().find(|block| BlockId::of(page, &block.path).to_string() == old.block_id);
        assert!(same.is_some_and(|block| block.text.contains(&old.block_text)), "{same:?} is not {old:?}");
    }
    for page in collection.store().pages() {
        assert!(collection.tree(page.unwrap().id).unwrap().is_some());
    }
}

/// Opens what `unpacked` gave, or `migrated`.
fn opens(folder: &TempDir, version: &str) -> Arc<DataFolder> {
    let open = DataFolder::open_to_write(&folder.path().join("data"), ExtractParams::default());
    let collection = Arc::new(open.unwrap());
    answers_are_there(&collection, version);
    trees_are_read(&collection, version);
    collection
}

/// A folder of an older version after `lopper migrate`.
fn migrated(version: &str) -> TempDir {
    let folder = unpacked(version);
    let search = run(folder.path(), ["search", "--data", "data", "zone"]);
    assert!(search.code == Some(1) && search.err.contains("run `lopper migrate --data data`"), "{search:?}");
    let told = run(folder.path(), ["migrate", "--data", "data"]).success();
    assert!(told.contains("Upgraded to version 4"), "{told}");
    assert!(!run(folder.path(), ["migrate", "--data", "data"]).success().contains("Upgraded"));
    folder
}

fn is_refused(folder: &Path, command: &[&str]) {
    let refused = run(folder, command);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    let parts = ["damaged", "move the folder away and ingest the archives again"];
    assert!(parts.iter().all(|part| refused.err.contains(part)) && !refused.err.contains("panicked"), "{refused:?}");
}

#[test]
fn version_1_opens() {
    let folder = migrated("v1");
    let collection = opens(&folder, "v1");
    let stats = collection.store().stats();
    assert_eq!((stats.pages, stats.distinct_pages, stats.blocks, stats.hosts), (8, 8, 10, 4));
    assert_eq!(stats.sequence.0, 2);
    collection.store().verify().unwrap();
    let sums = collection.store().sums().unwrap();
    assert_eq!((sums.pages(), sums.replaced), (8, 1), "the second reading of an archive took the place of the first");
    for page in collection.store().pages().map(Result::unwrap) {
        let captures = collection.store().captures(&page.url).unwrap();
        assert!(captures.iter().any(|capture| capture.page == page.id && capture.archive == page.provenance.archive));
    }
}

#[test]
fn version_1_goes_on() {
    let folder = migrated("v1");
    fs::write(folder.path().join("page.html"), "<title>Heron</title><p>A grey heron stood in the reeds.").unwrap();
    run(folder.path(), ["ingest", "--data", "data", "page.html"]).success();
    let answer = run(folder.path(), ["search", "--data", "data", "--format", "json", "heron"]).json();
    assert_eq!(answer["total_blocks"], 1);
    let collection = Arc::new(DataFolder::open_to_read(&folder.path().join("data")).unwrap());
    answers_are_there(&collection, "v1");
}

#[test]
fn version_1_broken_says_what_to_do() {
    let folder = unpacked("v1-broken");
    is_refused(folder.path(), &["migrate", "--data", "data"]);
    is_refused(folder.path(), &["migrate", "--data", "data"]);
}

#[test]
fn version_2_opens() {
    let folder = migrated("v2");
    has_former_index(&folder);
    has_kept_bodies(&opens(&folder, "v2"));
}

/// The index has a former format, which a command that only reads cannot make anew.
fn has_former_index(folder: &TempDir) {
    let search = run(folder.path(), ["search", "--data", "data", "zone"]);
    assert!(search.code == Some(1) && search.err.contains("`lopper rebuild --data data`"), "{search:?}");
}

fn has_kept_bodies(collection: &DataFolder) {
    let store = collection.store();
    for page in store.pages().map(Result::unwrap) {
        assert_eq!(
            page.digest.map(|digest| digest == ContentDigest::of(&store.body(page.id).unwrap().unwrap().html)),
            Some(true)
        );
    }
    store.verify().unwrap();
    assert!(store.stats().duplicates > 0 && store.stats().revisits > 0, "{:?}", store.stats());
}

#[test]
fn version_2_goes_on() {
    let folder = migrated("v2");
    let archive = repository("tests/archives/webrecorder-warcio__example-iana.org-chunked.warc");
    let again = run(folder.path(), ["ingest", "--again", "--data", "data", archive.to_str().unwrap()]).success();
    assert!(again.contains("replaced"), "{again}");
    let collection = Arc::new(DataFolder::open_to_read(&folder.path().join("data")).unwrap());
    answers_are_there(&collection, "v2");
    collection.store().verify().unwrap();
}

#[test]
fn version_2_broken_says_what_to_do_and_is_rebuilt() {
    let folder = unpacked("v2-broken");
    run(folder.path(), ["migrate", "--data", "data"]).success();
    is_refused(folder.path(), &["search", "--data", "data", "zone"]);
    run(folder.path(), ["rebuild", "--from", "bodies", "--data", "data"]).success();
    opens(&folder, "v2-broken");
}

#[test]
fn version_3_opens() {
    let folder = migrated("v3");
    has_former_index(&folder);
    let collection = opens(&folder, "v3");
    has_kept_bodies(&collection);
    has_mixed_statistics(&collection);
}

/// The keys of all pages are counted, and their kinds are not known.
fn has_mixed_statistics(collection: &DataFolder) {
    let statistics = collection.store().snapshot();
    assert!(statistics == collection.store().counted_statistics().unwrap());
    assert_eq!(statistics.page_count(), collection.store().stats().distinct_pages);
    let entries = |kind| statistics.layers().iter().map(|layer| layer.run(kind).entries()).sum::<u64>();
    assert!(entries(Kind::Mixed) > 100 && entries(Kind::Term) == 0, "{statistics:?}");
    assert!(statistics.pages_with("domain") > 0 && statistics.pages_with("no such term") == 0);
}

#[test]
fn version_3_goes_on_and_gets_kinds() {
    let folder = migrated("v3");
    // All archives of the fixture once more, the ledger knows them.
    let archives = [
        "webrecorder-warcio__example-iana.org-chunked.warc",
        "commoncrawl-ia-web-commons__html-lang-attribute.warc",
        "oduwsdl-ipwb__salam-home.warc",
        "iipc-jwarc__cc.warc.gz",
        "webrecorder-warcio.js__example-bad-length.warc",
        "webrecorder-warcio__example-trunc.warc",
    ];
    for (number, name) in archives.into_iter().enumerate() {
        let archive = repository("tests/archives").join(name);
        run(folder.path(), ["ingest", "--again", "--data", "data", archive.to_str().unwrap()]).success();
        if number == 0 {
            let collection = DataFolder::open_to_read(&folder.path().join("data")).unwrap();
            assert!(collection.store().snapshot() == collection.store().counted_statistics().unwrap());
        }
    }
    let collection = DataFolder::open_to_read(&folder.path().join("data")).unwrap();
    let statistics = collection.store().snapshot();
    assert!(statistics == collection.store().counted_statistics().unwrap());
    let total = |kind| statistics.layers().iter().map(|layer| layer.run(kind).total()).sum::<i64>();
    assert_eq!(total(Kind::Mixed), 0, "every page was replaced");
    assert!(total(Kind::Term) > 100 && total(Kind::Link) > 0 && total(Kind::Site) > 0);
    collection.store().verify().unwrap();
}

#[test]
fn version_3_broken_says_what_to_do_and_is_rebuilt() {
    let folder = unpacked("v3-broken");
    run(folder.path(), ["migrate", "--data", "data"]).success();
    is_refused(folder.path(), &["search", "--data", "data", "zone"]);
    run(folder.path(), ["rebuild", "--from", "bodies", "--data", "data"]).success();
    opens(&folder, "v3-broken");
}

#[test]
fn version_4_opens() {
    let folder = unpacked("v4");
    let collection = opens(&folder, "v4");
    has_kept_bodies(&collection);
    assert!(collection.store().snapshot() == collection.store().counted_statistics().unwrap());
}

#[test]
fn version_4_broken_says_what_to_do_and_is_rebuilt() {
    let folder = unpacked("v4-broken");
    is_refused(folder.path(), &["search", "--data", "data", "zone"]);
    run(folder.path(), ["rebuild", "--from", "bodies", "--data", "data"]).success();
    opens(&folder, "v4-broken");
}
