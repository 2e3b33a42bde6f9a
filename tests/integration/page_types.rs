//! Page types from the page to the answer: told on ingest, kept by a rebuild, filtered by, counted, shown.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::Path;
use std::sync::LazyLock;

use flate2::read::GzDecoder;
use lopper::eval::read_gold;
use lopper_collection::DataFolder;
use lopper_content::page_type::PageType;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{repository, run};

/// An address for the HTML of another page: they share a tree, and yet each has its own type.
const SECOND_URL: &str = "https://e.example/";

/// A query that every block meets.
const EVERYTHING: &str = "lang:en OR -lang:en";

/// The labelled pages of `tests/quality` in `pages.ndjson`, ingested into `data`.
static SITE: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let mut lines = String::new();
    for page in read_gold(&repository("tests/quality/gold.jsonl")).unwrap() {
        let file = File::open(repository(&format!("tests/quality/html/{}.html.gz", page.id))).unwrap();
        let mut html = String::new();
        GzDecoder::new(file).read_to_string(&mut html).unwrap();
        if lines.is_empty() {
            writeln!(lines, "{}", json!({ "url": SECOND_URL, "html": html })).unwrap();
        }
        writeln!(lines, "{}", json!({ "url": page.url, "html": html })).unwrap();
    }
    fs::write(folder.path().join("pages.ndjson"), lines).unwrap();
    run(folder.path(), ["ingest", "--bodies", "keep", "--data", "data", "pages.ndjson"]).success();
    folder
});

fn types(data: &Path) -> BTreeMap<String, Option<PageType>> {
    let collection = DataFolder::open_to_read(data).unwrap();
    let pages = collection.store().pages().map(Result::unwrap);
    pages.map(|page| (page.url, page.page_type)).collect()
}

fn search(folder: &Path, query: &str) -> Value {
    run(folder, ["search", "--data", "data", "--format", "json", "--facets", "-k", "50", query]).json()
}

/// Blocks by type, as the facets have them.
fn facets(answer: &Value) -> BTreeMap<String, u64> {
    let values = answer["facets"]["type"]["values"].as_array().unwrap().iter();
    values.map(|value| (value["value"].as_str().unwrap().to_owned(), value["blocks"].as_u64().unwrap())).collect()
}

#[test]
fn most_pages_have_their_type_and_few_another() {
    let told = types(&SITE.path().join("data"));
    let gold = read_gold(&repository("tests/quality/gold.jsonl")).unwrap();
    let of_page = |url: &str| told[url].map(PageType::name);
    let right = gold.iter().filter(|page| of_page(&page.url) == Some(&page.page_type)).count();
    let wrong = gold.iter().filter(|page| of_page(&page.url).is_some_and(|told| told != page.page_type)).count();
    assert!(right >= 17 && wrong <= 1, "{right} right, {wrong} wrong: {told:?}");
}

#[test]
fn the_filter_finds_what_the_facet_counts() {
    let all = facets(&search(SITE.path(), EVERYTHING));
    assert!(all.len() >= 6, "{all:?}");
    let told = types(&SITE.path().join("data"));
    for (name, blocks) in &all {
        let answer = search(SITE.path(), &format!("type:{name}"));
        assert_eq!(answer["total_blocks"].as_u64(), Some(*blocks), "{name}");
        assert_eq!(facets(&answer), BTreeMap::from([(name.clone(), *blocks)]));
        for page in answer["pages"].as_array().unwrap() {
            assert_eq!(page["page_type"].as_str(), Some(name.as_str()));
            assert_eq!(told[page["url"].as_str().unwrap()].map(PageType::name), Some(name.as_str()));
        }
    }
}

#[test]
fn extraction_tells_the_same_with_its_probability() {
    let told = types(&SITE.path().join("data"));
    let lines = run(SITE.path(), ["extract", "--format", "jsonl", "pages.ndjson"]).success();
    assert_eq!(lines.lines().count(), told.len());
    for page in lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        let about = &page["page_type"];
        let in_search = told[page["url"].as_str().unwrap()].map(PageType::name);
        let name = about["name"].as_str().filter(|_| about["told"] == true);
        assert_eq!(name, in_search, "{about}");
        assert!((0.0..=1.0).contains(&about["probability"].as_f64().unwrap()));
    }
}

#[test]
fn rebuilding_changes_no_type() {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(SITE.path().join("pages.ndjson"), folder.path().join("pages.ndjson")).unwrap();
    run(folder.path(), ["ingest", "--bodies", "keep", "--data", "data", "pages.ndjson"]).success();
    let data = folder.path().join("data");
    let (told, blocks) = (types(&data), facets(&search(folder.path(), EVERYTHING)));
    assert!(told.contains_key(SECOND_URL));
    run(folder.path(), ["rebuild", "--data", "data"]).success();
    assert_eq!((types(&data), facets(&search(folder.path(), EVERYTHING))), (told.clone(), blocks));
    run(folder.path(), ["verify", "--data", "data"]).success();
    run(folder.path(), ["rebuild", "--from", "bodies", "--data", "data"]).success();
    assert_eq!(types(&data), told);
}
