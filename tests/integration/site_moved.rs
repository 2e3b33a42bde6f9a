//! A site that is ingested from folders with other names: a build folder with another name each time, or a copy.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::server::Server;
use crate::support::{Run, folder, run};

const SITE: &str = "https://mills.example/guide/";

fn page(name: &str) -> String {
    format!(
        "<html lang=en><title>{name}</title><body><h1>{name}</h1><p>The {name} stands by the river and grinds all year round.</p>"
    )
}

/// The pages `names` in each of `folders`.
fn builds(folders: &[&str], names: &[&str]) -> TempDir {
    let at = folder(&[]);
    for (build, name) in folders.iter().flat_map(|build| names.iter().map(move |name| (build, name))) {
        fs::create_dir_all(at.path().join(build)).unwrap();
        fs::write(at.path().join(build).join(format!("{name}.html")), page(name)).unwrap();
    }
    at
}

fn ingest_as(at: &Path, site: &str, args: &[&str]) -> String {
    run(at, ["ingest", "--data", "data", "--site-url", site, "--progress", "none"].iter().chain(args)).success()
}

fn ingest(at: &Path, args: &[&str]) -> String {
    ingest_as(at, SITE, args)
}

/// How many pages are found.
fn hits(at: &Path, word: &str) -> usize {
    run(at, ["search", "--data", "data", "--format", "json", word]).json()["pages"].as_array().unwrap().len()
}

fn rebuilt(at: &Path) -> String {
    run(at, ["rebuild", "--data", "data", "--from", "bodies"]).success()
}

fn verified(at: &Path) -> Run {
    let verified = run(at, ["verify", "--data", "data"]);
    assert_eq!(verified.code, Some(0), "{verified:?}");
    verified
}

#[test]
fn a_site_is_its_address_whatever_the_folder_is_called() {
    let at = builds(&["1001", "1002"], &["watermill", "windmill", "millwheel"]);
    let at = at.path();
    ingest(at, &["--remove-missing", "1001"]);
    fs::remove_file(at.join("1002/windmill.html")).unwrap();
    fs::remove_dir_all(at.join("1001")).unwrap();
    let told = ingest(at, &["--remove-missing", "1002"]);
    assert!(told.contains("2 duplicates") && told.contains("Removed           1  "), "{told}");
    assert_eq!((hits(at, "windmill"), hits(at, "watermill"), hits(at, "millwheel")), (0, 1, 1));
    assert!(!verified(at).success().contains("1001"), "the pages are tied to the folder that is there");
    assert!(rebuilt(at).contains("2  analysed again, from the archives"));
}

#[test]
fn what_is_there_stays_and_comes_back() {
    let at = builds(&["one", "two"], &["watermill", "windmill"]);
    let at = at.path();
    for build in ["one", "two", "one", "two", "one"] {
        let told = ingest(at, &["--remove-missing", build]);
        assert!(!told.contains("Removed"), "{told}");
        assert_eq!((hits(at, "watermill"), hits(at, "windmill")), (1, 1), "{build}");
    }
    assert!(ingest(at, &["--remove-missing", "one"]).contains("2 already ingested"));
    fs::remove_file(at.join("one/windmill.html")).unwrap();
    assert!(ingest(at, &["--remove-missing", "one"]).contains("Removed           1  "));
    assert_eq!(hits(at, "windmill"), 0);
    let told = ingest(at, &["two"]);
    assert!(told.contains("(1 new, 0 replaced, 1 duplicate)"), "{told}");
    assert_eq!(hits(at, "windmill"), 1);
    verified(at);
}

#[test]
fn pages_of_other_sites_and_of_archives_stay() {
    let at = builds(&["main", "docs", "plain"], &["watermill"]);
    let at = at.path();
    let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{}", page("sawmill"));
    let warc = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {SITE}sawmill.html\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n\
         Content-Length: {}\r\n\r\n{block}\r\n\r\n",
        block.len()
    );
    fs::write(at.join("main/crawl.warc"), warc).unwrap();
    fs::write(at.join("docs/windmill.html"), page("windmill")).unwrap();
    fs::write(at.join("plain/millwheel.html"), page("millwheel")).unwrap();
    ingest_as(at, &format!("{SITE}docs/"), &["docs"]);
    run(at, ["ingest", "--data", "data", "--progress", "none", "plain"]).success();
    ingest(at, &["main"]);
    fs::remove_file(at.join("main/crawl.warc")).unwrap();
    fs::remove_file(at.join("docs/windmill.html")).unwrap();
    assert!(!ingest(at, &["--remove-missing", "main"]).contains("Removed"));
    assert_eq!((hits(at, "sawmill"), hits(at, "windmill"), hits(at, "millwheel")), (1, 1, 1));
    assert_eq!(hits(at, "watermill"), 3);
}

/// What the archive holds as well is no longer the file's alone.
#[test]
fn a_page_that_an_archive_holds_too_stays_when_its_file_is_gone() {
    let at = builds(&["site"], &["watermill", "windmill"]);
    let at = at.path();
    ingest(at, &["site"]);
    let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{}", page("windmill"));
    let head = format!("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {SITE}windmill.html\r\n");
    let warc =
        format!("{head}WARC-Date: 2020-01-01T00:00:00Z\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n", block.len());
    fs::write(at.join("crawl.warc"), warc).unwrap();
    let told = run(at, ["ingest", "--data", "data", "--progress", "none", "crawl.warc"]).success();
    assert!(told.contains("1 duplicate"), "{told}");
    fs::remove_file(at.join("site/windmill.html")).unwrap();
    for _ in 0..2 {
        assert!(!ingest(at, &["--remove-missing", "site"]).contains("Removed"));
        assert_eq!((hits(at, "windmill"), hits(at, "watermill")), (1, 1));
    }
    let answer = run(at, ["search", "--data", "data", "--format", "json", "windmill"]).json();
    assert_eq!(answer["pages"][0]["source"]["archive"], "crawl.warc");
    verified(at);
    fs::write(at.join("site/windmill.html"), page("windmill")).unwrap();
    assert!(ingest(at, &["--remove-missing", "site"]).contains("1 duplicate"), "it is read again");
}

#[test]
fn pages_of_other_folders_stay_when_not_everything_can_be_read() {
    let at = builds(&["one", "two"], &["watermill", "windmill"]);
    let at = at.path();
    ingest(at, &["one"]);
    fs::remove_file(at.join("two/windmill.html")).unwrap();
    fs::write(at.join("two/broken.warc"), "of no kind").unwrap();
    let args = ["ingest", "--data", "data", "--site-url", SITE, "--progress", "none", "--remove-missing", "two"];
    let told = run(at, args);
    assert!(told.code == Some(1) && !told.out.contains("Removed"), "{told:?}");
    assert!(told.out.contains("pages stay that were read from other folders and have no file here: 1"), "{told:?}");
    assert_eq!((hits(at, "windmill"), hits(at, "watermill")), (1, 1));
    fs::remove_file(at.join("two/broken.warc")).unwrap();
    assert!(ingest(at, &["--remove-missing", "two"]).contains("Removed           1  "));
    assert_eq!((hits(at, "windmill"), hits(at, "watermill")), (0, 1));
}

#[cfg(unix)]
#[test]
fn what_cannot_be_looked_at_is_not_gone() {
    use std::os::unix::fs::PermissionsExt;
    let at = builds(&["site", "site/sub"], &["watermill", "windmill"]);
    let at = at.path();
    let allow = |name: &str, mode| fs::set_permissions(at.join(name), fs::Permissions::from_mode(mode)).unwrap();
    ingest(at, &["site"]);
    let removing = || {
        let args = ["ingest", "--data", "data", "--site-url", SITE, "--progress", "none", "--remove-missing", "site"];
        run(at, args)
    };
    // Neither the folder, nor what is in it, nor a file.
    for (name, mode) in [("site/sub", 0o000), ("site/sub", 0o444), ("site/windmill.html", 0o000)] {
        allow(name, mode);
        if name != "site/windmill.html" && at.join("site/sub/windmill.html").exists() {
            eprintln!("skipped: this user may read everything");
            return;
        }
        let told = removing();
        allow(name, 0o755);
        assert!(told.code == Some(1) && !told.out.contains("Removed"), "{name} {mode:o}: {told:?}");
        assert_eq!((hits(at, "windmill"), hits(at, "watermill")), (2, 2), "{name} {mode:o}");
    }
    // The page of the file that could not be read goes when that is gone.
    fs::remove_file(at.join("site/windmill.html")).unwrap();
    assert!(removing().success().contains("Removed           1  "));
    assert_eq!(hits(at, "windmill"), 1);
}

#[test]
fn a_page_that_was_kept_out_comes_back_with_the_next_ingest() {
    let at = builds(&["site"], &["watermill", "windmill"]);
    let at = at.path();
    ingest(at, &["site"]);
    run(at, ["delete", "--data", "data", "--url", &format!("{SITE}windmill.html")]).success();
    assert!(ingest(at, &["site"]).contains("2 already ingested"), "what is kept out is not read again");
    assert_eq!(hits(at, "windmill"), 0);
    let lifted = run(at, ["takedowns", "--data", "data", "lift", "1"]).success();
    assert!(lifted.contains("HTML files that it kept out come back with the next ingest"), "{lifted}");
    assert!(ingest(at, &["site"]).contains("(1 new, 0 replaced)"));
    assert_eq!(hits(at, "windmill"), 1);
}

#[cfg(unix)]
#[test]
fn a_server_gives_files_the_addresses_of_their_names() {
    let at = builds(&["store"], &["watermill"]);
    let at = at.path();
    fs::create_dir(at.join("site")).unwrap();
    for name in ["site/first.html", "site/second.html"] {
        std::os::unix::fs::symlink("../store/watermill.html", at.join(name)).unwrap();
    }
    let server = Server::start(at);
    let told = ingest(at, &["site"]);
    assert!(told.contains("site/second.html is the same file as"), "{told}");
    drop(server);
    let answer = run(at, ["search", "--data", "data", "--format", "json", "river"]).json();
    assert_eq!(answer["pages"][0]["url"], format!("{SITE}first.html"));
}

#[cfg(unix)]
#[test]
fn a_file_by_two_names_is_one_page() {
    let at = builds(&["site"], &["watermill"]);
    let at = at.path();
    std::os::unix::fs::symlink("watermill.html", at.join("site/windmill.html")).unwrap();
    for round in ["first", "second"] {
        let told = ingest(at, &["site"]);
        assert!(told.contains("1 the same as another"), "{round}: {told}");
        assert!(told.contains("site/windmill.html is the same file as site/watermill.html"), "{round}: {told}");
        assert_eq!(told.contains("already ingested"), round == "second", "{told}");
    }
    let answer = run(at, ["search", "--data", "data", "--format", "json", "river"]).json();
    let urls: Vec<&str> =
        answer["pages"].as_array().unwrap().iter().map(|page| page["url"].as_str().unwrap()).collect();
    assert_eq!(urls, [format!("{SITE}watermill.html")]);
}
