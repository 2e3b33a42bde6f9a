//! A folder of HTML files under the addresses at which it is published, and files that go from it.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::containers::zip;
use crate::server::Server;
use crate::support::{Run, folder, run};

const SITE: &str = "https://mills.example/guide";

fn page(name: &str) -> String {
    format!(
        "<html lang=en><title>{name}</title><body><h1>{name}</h1><p>The {name} stands by the river and grinds all year round.</p>"
    )
}

fn site() -> TempDir {
    let pages = ["watermill", "windmill", "millwheel"].map(page);
    let [first, second, third] = pages.each_ref().map(String::as_bytes);
    folder(&[("built/index.html", first), ("built/a b/index.html", second), ("built/a b/wheel.html", third)])
}

fn ingest(folder: &Path, more: &[&str]) -> Run {
    let args = ["ingest", "--data", "data", "--site-url", SITE, "--progress", "none"];
    run(folder, args.iter().chain(more).chain(&["built"]))
}

/// The addresses that a search for a word gives.
fn found(folder: &Path, word: &str) -> Vec<String> {
    let answer = run(folder, ["search", "--data", "data", "--format", "json", word]).json();
    let pages = answer["pages"].as_array().unwrap();
    pages.iter().map(|page| page["url"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn pages_have_the_addresses_of_the_site() {
    let site = site();
    let at = site.path();
    ingest(at, &[]).success();
    assert_eq!(found(at, "watermill"), [format!("{SITE}/")]);
    assert_eq!(found(at, "windmill"), [format!("{SITE}/a%20b/")]);
    assert_eq!(found(at, "millwheel"), [format!("{SITE}/a%20b/wheel.html")]);
    let again = ingest(at, &[]).success();
    assert!(again.contains("3 already ingested"), "{again}");
    // The HTML is found where the page was read, whatever it is called now.
    let rebuilt = run(at, ["rebuild", "--data", "data", "--from", "bodies"]).success();
    assert!(rebuilt.contains("3  analysed again, from the archives"), "{rebuilt}");
    assert_eq!(found(at, "windmill"), [format!("{SITE}/a%20b/")]);
    fs::write(at.join("built/index.html"), page("sawmill")).unwrap();
    let edited = ingest(at, &[]).success();
    assert!(edited.contains("(0 new, 1 replaced)"), "{edited}");
    assert_eq!((found(at, "sawmill"), found(at, "watermill")), (vec![format!("{SITE}/")], vec![]));
}

/// From another folder a file has another address, so it is read again; pages of the old one stay.
#[test]
fn a_file_has_the_address_that_its_folder_gives_it() {
    let site = site();
    let at = site.path();
    run(at, ["ingest", "--data", "data", "--site-url", SITE, "--progress", "none", "built/a b"]).success();
    assert_eq!(found(at, "millwheel"), [format!("{SITE}/wheel.html")]);
    let whole = ingest(at, &[]).success();
    assert!(whole.contains("(2 new, 1 replaced)"), "{whole}");
    let mut urls = found(at, "millwheel");
    urls.sort();
    assert_eq!(urls, [format!("{SITE}/a%20b/wheel.html"), format!("{SITE}/wheel.html")]);
}

#[test]
fn all_blocks_are_written() {
    let site = site();
    let at = site.path();
    ingest(at, &[]).success();
    let written = |more: &[&str]| {
        let args = ["blocks", "--data", "data"];
        let lines = run(at, args.iter().chain(more)).success();
        lines.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()).collect::<Vec<_>>()
    };
    let blocks = written(&[]);
    let mut urls: Vec<&str> = blocks.iter().map(|block| block["url"].as_str().unwrap()).collect();
    urls.sort_unstable();
    assert_eq!(urls, [format!("{SITE}/"), format!("{SITE}/a%20b/"), format!("{SITE}/a%20b/wheel.html")]);
    assert!(blocks.iter().all(|block| block["text"].as_str().unwrap().contains("grinds all year round")));
    assert_eq!(written(&["--host", "MILLS.example"]), blocks);
    assert!(written(&["--host", "other.example"]).is_empty());
}

#[test]
fn pages_of_missing_files_go_and_come_back() {
    let site = site();
    let at = site.path();
    ingest(at, &["--bodies", "keep"]).success();
    fs::rename(at.join("built/a b/wheel.html"), at.join("wheel.html")).unwrap();
    assert_eq!(found(at, "millwheel").len(), 1, "an ingest alone removes nothing");
    let report = ingest(at, &["--remove-missing"]).success();
    assert!(report.contains("Removed           1  "), "{report}");
    assert!(found(at, "millwheel").is_empty());
    assert!(!ingest(at, &["--remove-missing"]).success().contains("Removed"), "once");
    fs::rename(at.join("wheel.html"), at.join("built/a b/wheel.html")).unwrap();
    ingest(at, &["--remove-missing"]).success();
    assert_eq!(found(at, "millwheel").len(), 1);
    run(at, ["verify", "--data", "data"]).success();
    // The folder that is gone as a whole, a disk that is not there, costs nothing.
    fs::rename(at.join("built"), at.join("elsewhere")).unwrap();
    assert_eq!(ingest(at, &["--remove-missing"]).code, Some(1));
    assert_eq!(found(at, "millwheel").len(), 1);
}

#[cfg(unix)]
#[test]
fn a_server_does_the_same() {
    let site = site();
    let at = site.path();
    let server = Server::start(at);
    ingest(at, &[]).success();
    fs::remove_file(at.join("built/a b/wheel.html")).unwrap();
    let report = ingest(at, &["--remove-missing"]);
    assert!(report.err.contains("a server has data: it ingests"), "{report:?}");
    assert!(report.success().contains("Removed           1  "));
    drop(server);
    assert_eq!((found(at, "windmill"), found(at, "millwheel")), (vec![format!("{SITE}/a%20b/")], vec![]));
}

#[cfg(unix)]
#[test]
fn a_server_deletes_and_lifts_what_commands_ask_for() {
    let site = site();
    let at = site.path();
    ingest(at, &[]).success();
    let server = Server::start(at);
    let hits = || server.get("/v1/search?q=windmill").unwrap().1["pages"].as_array().unwrap().len();
    let delete = |more: &[&str]| run(at, ["delete", "--data", "data", "--host", "mills.example"].iter().chain(more));
    assert!(delete(&["--dry-run"]).success().contains("this only counts"));
    assert_eq!(hits(), 1);
    assert!(delete(&["--note", "asked for"]).success().contains("kept out by takedown 1"));
    assert_eq!(hits(), 0);
    assert!(run(at, ["takedowns", "--data", "data"]).success().contains("host mills.example  (asked for)"));
    assert!(run(at, ["takedowns", "lift", "--data", "data", "1"]).success().contains("Lifted"));
    let gone = run(at, ["takedowns", "lift", "--data", "data", "1"]);
    assert!(gone.code == Some(1) && gone.err.contains("there is no takedown 1"), "{gone:?}");
    ingest(at, &["--again"]).success();
    assert_eq!(hits(), 1);
}

#[test]
fn a_rebuild_finds_all_pages_of_a_zip() {
    let names = ["watermill", "windmill", "millwheel"];
    let files = names.map(|name| (format!("{name}.html"), page(name).into_bytes()));
    let files: Vec<(&str, Vec<u8>)> = files.iter().map(|(name, html)| (name.as_str(), html.clone())).collect();
    for (archive, named) in [("a.zip", &["--site-url", SITE][..]), ("a.zip", &[]), ("b.epub", &[])] {
        let at = folder(&[(archive, &zip(&files, true))]);
        let at = at.path();
        run(at, ["ingest", "--data", "data", "--progress", "none", archive].iter().chain(named)).success();
        let told = run(at, ["rebuild", "--data", "data", "--from", "bodies"]).success();
        assert!(told.contains("3  analysed again, from the archives"), "{archive}: {told}");
        assert_eq!(found(at, "windmill").len(), 1);
    }
}

#[test]
fn what_cannot_be_meant_is_told() {
    let site = site();
    for (args, told) in [
        (&["--site-url", "mills.example", "built"][..], "`mills.example` is no site's address"),
        (&["--site-url", SITE, "built", "built"], "--site-url is for one PATH"),
        (&["--site-url", SITE, "none"], "none"),
        (&["--remove-missing", "built/index.html"], "--remove-missing looks through folders"),
    ] {
        let done = run(site.path(), ["ingest", "--data", "data"].iter().chain(args));
        assert!(done.code != Some(0) && done.err.contains(told), "{args:?}: {done:?}");
        assert!(!site.path().join("data").exists(), "{args:?}");
    }
}
