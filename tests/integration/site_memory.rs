//! A site's header and footer, which all of its pages have, are no blocks of them once enough pages are known.

use std::fs;
use std::path::Path;

use lopper_collection::DataFolder;
use lopper_collection::ingest::{Bodies, IngestOptions, RebuildFrom, Silent, ingest, rebuild};
use lopper_content::extract::JudgeChoice;
use lopper_content::pipeline::ExtractParams;
use lopper_content::prune::PruneReason;
use tempfile::TempDir;

use crate::support::run;

const PAGES: usize = 12;

/// Without a judge, who knows such headers and footers without seeing another page.
fn memory_alone() -> ExtractParams {
    ExtractParams { judge: JudgeChoice::None, ..ExtractParams::default() }
}

/// The page `number`: 60 words of its own between a header and a footer of divisions, which nothing but repetition gives away.
fn page(number: usize) -> String {
    let words: Vec<String> = (0..60).map(|word| format!("grain{number}x{word}")).collect();
    format!(
        "<html lang=en><title>Mill {number}</title><body><div>Welcome to the society of old water mills</div>
         <div><h1>Mill {number}</h1><p>{}</p></div><div>Founded in the valley by friends of the river</div>",
        words.join(" ")
    )
}

fn warc(folder: &Path) {
    let mut archive = Vec::new();
    for number in 0..PAGES {
        let page = page(number);
        let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{page}");
        let head = format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://mills.example/{number}\r\nWARC-Date: 2024-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:uuid:0-{number}>\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n",
            http.len()
        );
        archive.extend([head.as_bytes(), http.as_bytes(), b"\r\n\r\n"].concat());
    }
    fs::write(folder.join("site.warc"), archive).unwrap();
}

/// A folder whose `data` holds the site, read in batches of few pages.
fn ingested(params: ExtractParams) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    warc(folder.path());
    let collection = DataFolder::open_to_write(&folder.path().join("data"), params).unwrap();
    let options = IngestOptions { batch_bytes_max: 1500, bodies: Bodies::Keep, ..IngestOptions::default() };
    let report = ingest(&collection, &[folder.path().join("site.warc")], &options, &mut Silent).unwrap();
    assert_eq!(report.records.indexed, PAGES as u64);
    folder
}

/// Of each page, in order: how many of header and footer are in its blocks. Its own words always are.
fn chrome_in_blocks(data: &Path) -> Vec<usize> {
    let collection = DataFolder::open_to_read(data).unwrap();
    let of_page = |number: usize| {
        let url = format!("http://mills.example/{number}");
        let pages = collection.store().pages().map(Result::unwrap);
        let page = pages.into_iter().find(|page| page.url == url).unwrap();
        let tree = collection.tree(page.id).unwrap().unwrap();
        let blocks = tree.blocks(&ExtractParams::default());
        let text: String = blocks.iter().map(|block| block.text.as_str()).collect();
        assert!(text.contains(&format!("grain{number}x0")) && text.contains(&format!("grain{number}x59")), "{text}");
        let gone =
            tree.tree.ids().filter(|id| tree.decision(*id).is_some_and(|one| one.reason == PruneReason::Template));
        let found = ["old water mills", "friends of the river"].iter().filter(|part| text.contains(**part)).count();
        assert_eq!(gone.count() + found, 2);
        found
    };
    (0..PAGES).map(of_page).collect()
}

#[test]
fn header_and_footer_go_when_enough_pages_are_known() {
    let folder = ingested(memory_alone());
    let data = folder.path().join("data");
    let found = chrome_in_blocks(&data);
    assert_eq!(found.first(), Some(&2), "the first pages know of no others");
    assert_eq!(found.last(), Some(&0), "{found:?}");
    assert!(found.is_sorted_by(|a, b| a >= b), "{found:?}");
}

#[test]
fn a_rebuild_from_bodies_knows_all_pages() {
    let folder = ingested(memory_alone());
    let data = folder.path().join("data");
    rebuild(&data, RebuildFrom::Bodies, memory_alone(), &IngestOptions::default(), &mut |_, _| {}).unwrap();
    assert_eq!(chrome_in_blocks(&data), [0; PAGES]);
}

#[test]
fn without_memory_nothing_goes() {
    let folder = ingested(ExtractParams { site_memory: false, ..memory_alone() });
    let data = folder.path().join("data");
    assert_eq!(chrome_in_blocks(&data), [2; PAGES]);
    // It may be switched at any time: nothing was remembered, so nothing is known.
    rebuild(&data, RebuildFrom::Bodies, memory_alone(), &IngestOptions::default(), &mut |_, _| {}).unwrap();
    assert_eq!(chrome_in_blocks(&data), [2; PAGES]);
    rebuild(&data, RebuildFrom::Bodies, memory_alone(), &IngestOptions::default(), &mut |_, _| {}).unwrap();
    assert_eq!(chrome_in_blocks(&data), [0; PAGES], "the first rebuild remembered");
}

#[test]
fn the_command_line_shows_and_switches_it() {
    let folder = ingested(memory_alone());
    fs::write(folder.path().join("page.html"), page(99)).unwrap();
    fs::write(folder.path().join("lopper.toml"), "[extract]\njudge = \"none\"\n").unwrap();
    let tree = run(folder.path(), ["tree", "--data", "data", "page.html"]).success();
    assert!(!tree.contains("template"), "a file is of no host: {tree}");
    let tree = run(folder.path(), ["tree", "--data", "data", "site.warc"]).success();
    assert_eq!(tree.matches("template 1.00 DROPPED: on most pages of the site").count(), 2, "{tree}");
    run(folder.path(), ["ingest", "--no-site-memory", "--data", "other", "site.warc"]).success();
    assert_eq!(chrome_in_blocks(&folder.path().join("other")), [2; PAGES]);
}
