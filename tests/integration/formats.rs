//! Data folders of every released version are opened for ever after: `tests/formats/README.md`.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::sync::Arc;

use flate2::read::GzDecoder;
use lopper::blocks::BlockId;
use lopper::ingest::Collection;
use lopper::page::PageId;
use lopper::search::SearchEngine;
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

/// What the program of that version answered.
fn old_answers(version: &str) -> Vec<Answer> {
    lines(&format!("{version}.run.jsonl"))
}

/// Every block that the old program found is found, as it was.
fn answers_are_there(collection: &Arc<Collection>, version: &str) {
    let engine = SearchEngine::new(collection.clone()).unwrap();
    let (queries, answers) = (lines::<Query>("queries.jsonl"), old_answers(version));
    assert_eq!(queries.len(), answers.len());
    for (query, answer) in queries.iter().zip(&answers) {
        assert_eq!(query.qid, answer.qid);
        assert!(!answer.results.is_empty(), "the fixture tells something about {:?}", query.query);
        let ranked = engine.blocks(&query.query, 1000).unwrap();
        for old in &answer.results {
            let same = ranked.blocks.iter().map(|block| &block.document).find(|new| new.block_id == old.block_id);
            let new = same.unwrap_or_else(|| panic!("{:?} no longer finds {old:?}", query.query));
            assert_eq!((&new.url, &new.body, &new.page_id), (&old.url, &old.block_text, &old.page_id));
        }
    }
}

/// Every page has its tree, and the tree has the blocks that the old program found.
fn trees_are_read(collection: &Collection, version: &str) {
    for old in old_answers(version).into_iter().flat_map(|line| line.results) {
        let page: PageId = old.page_id.parse().unwrap();
        assert_eq!(collection.store().page(page).unwrap().expect("the page is there").url, old.url);
        let tree = collection.tree(page).unwrap().expect("the page has its tree");
        let blocks = tree.blocks(&collection.params());
        let same = blocks.iter().find(|block| BlockId::of(page, &block.path).to_string() == old.block_id);
        assert_eq!(same.map(|block| block.text.as_str()), Some(old.block_text.as_str()));
    }
    for page in collection.store().pages() {
        assert!(collection.tree(page.unwrap().id).unwrap().is_some());
    }
}

fn opens(version: &str) -> Arc<Collection> {
    let folder = unpacked(version);
    let collection = Arc::new(Collection::open_to_read(&folder.path().join("data")).unwrap());
    answers_are_there(&collection, version);
    trees_are_read(&collection, version);
    collection
}

fn is_refused(folder: &Path) {
    let search = run(folder, ["search", "--data", "data", "zone"]);
    assert_eq!(search.code, Some(1), "{search:?}");
    let parts = ["the data in data is damaged", "move the folder away and ingest the archives again"];
    assert!(parts.iter().all(|part| search.err.contains(part)) && !search.err.contains("panicked"), "{search:?}");
}

#[test]
fn version_1_opens() {
    let stats = opens("v1").store().stats();
    assert_eq!((stats.pages, stats.distinct_pages, stats.blocks, stats.hosts), (8, 8, 10, 4));
    assert_eq!(stats.sequence.0, 2);
}

#[test]
fn version_1_goes_on() {
    let folder = unpacked("v1");
    fs::write(folder.path().join("page.html"), "<title>Heron</title><p>A grey heron stood in the reeds.").unwrap();
    run(folder.path(), ["ingest", "--data", "data", "page.html"]).success();
    let answer = run(folder.path(), ["search", "--data", "data", "--format", "json", "heron"]).json();
    assert_eq!(answer["total_blocks"], 1);
    let collection = Arc::new(Collection::open_to_read(&folder.path().join("data")).unwrap());
    answers_are_there(&collection, "v1");
}

#[test]
fn version_1_broken_says_what_to_do() {
    is_refused(unpacked("v1-broken").path());
}
