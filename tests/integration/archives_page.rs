//! Archives that are sent to the service, and what the ledger's page says of them.

use std::fs;
use std::thread;
use std::time::Duration;

use lopper_collection::DataFolder;
use lopper_collection::ingest::{IngestOptions, Silent, ingest};
use lopper_content::pipeline::ExtractParams;

use crate::http::{Site, options};

/// A gzip-free WARC with a page and a picture.
fn warc() -> String {
    let record = |url: &str, kind: &str, body: &str| {
        let block = format!("HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\n\r\n{body}");
        format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n\
             Content-Length: {}\r\n\r\n{block}\r\n\r\n",
            block.len()
        )
    };
    record("http://zeppelin.example/", "text/html", "<title>Zeppelins</title><p>One zeppelin flies over the harbour.")
        + &record("http://zeppelin.example/a.png", "image/png", "PNG")
}

#[test]
fn an_archive_that_is_sent_is_taken_in() {
    let site = Site::new();
    let sent = site.post("/v1/archives?name=../zeppelin.warc", "application/octet-stream", &warc());
    assert_eq!((sent.status, &sent.json()["archive"]), (202, &"zeppelin.warc".into()), "{}", sent.body);
    let job = loop {
        let jobs = site.get("/v1/jobs").json();
        let job = jobs["jobs"][0].clone();
        if job["state"] != "running" {
            break job;
        }
        thread::sleep(Duration::from_millis(20));
    };
    assert_eq!((&job["state"], &job["report"]["records"]["indexed"]), (&"done".into(), &1.into()), "{job}");
    assert_eq!(site.get("/v1/search?q=zeppelin").json()["total_blocks"], 1);
    let page = site.get("/ingest").body;
    assert!(page.contains("<bdi>zeppelin.warc</bdi>"), "{page}");
    let id = page.split("<bdi>zeppelin.warc</bdi></a>").next().unwrap().rsplit("\"ingest?archive=").next().unwrap()
        [..32]
        .to_owned();
    let skipped = site.get(&format!("/ingest?archive={id}&state=skipped")).body;
    assert!(skipped.contains("skipped</span>: not HTML") && skipped.matches("at byte").count() == 1, "{skipped}");
    let seen = site.get(&format!("/page/{}/frame", site.page_id("zeppelin")));
    assert!(seen.body.contains("One zeppelin flies"), "the archive stays, so its pages can be seen: {}", seen.body);
    assert_eq!(site.get("/ingest?archive=1").status, 404);
}

#[test]
fn archives_are_listed_in_parts() {
    let folder = tempfile::tempdir().unwrap();
    let files: Vec<_> = (0..205).map(|number| folder.path().join(format!("{number:03}.html"))).collect();
    for file in &files {
        let name = file.file_stem().unwrap().to_string_lossy();
        fs::write(file, format!("<title>{name}</title><p>Zeppelin {name} flies over the harbour.")).unwrap();
    }
    let data = DataFolder::open_to_write(&folder.path().join("data"), ExtractParams::default()).unwrap();
    ingest(&data, &files, &IngestOptions::default(), &mut Silent).unwrap();
    let site = Site::serving(folder, data, options());
    for (offset, rows, former, next) in [
        ("", 100, None, Some("ingest?offset=100")),
        ("?offset=100", 100, Some("ingest"), Some("ingest?offset=200")),
        ("?offset=200", 5, Some("ingest?offset=100"), None),
        ("?offset=999", 100, None, Some("ingest?offset=100")),
    ] {
        let page = site.get(&format!("/ingest{offset}")).body;
        assert_eq!(page.matches("th scope=\"row\"").count(), rows, "{offset}");
        assert!(page.contains("205 archives"), "{offset}");
        for (rel, link) in [("prev", former), ("next", next)] {
            let shown = link.map(|link| format!("<a rel=\"{rel}\" href=\"{link}\">"));
            assert_eq!(page.contains(&format!("rel=\"{rel}\"")), shown.is_some(), "{offset}");
            assert!(shown.is_none_or(|shown| page.contains(&shown)), "{offset} {link:?}");
        }
    }
}

#[test]
fn what_is_no_archive_is_refused_or_said() {
    let site = Site::new();
    let send = |path: &str, kind: &str, body: &str| site.post(path, kind, body).error().1;
    assert_eq!(send("/v1/archives?name=a.warc", "text/plain", "x"), "unsupported_media_type");
    assert_eq!(send("/v1/archives", "application/octet-stream", "x"), "bad_parameter");
    assert_eq!(send("/v1/archives?name=a.warc", "application/octet-stream", ""), "no_page");
    assert_eq!(site.get("/v1/jobs").json()["jobs"], serde_json::json!([]));
}
