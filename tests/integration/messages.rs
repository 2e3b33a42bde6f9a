//! What people are told: of keys that are wrong, of archives without records, of nothing found, of what is known already.

use std::fs;
use std::thread;
use std::time::Duration;

use lopper::keys::{Keys, Scope};
use serde_json::Value;

use crate::http::Site;
use crate::jobs::warc;
use crate::support::{folder, run};

const MILLS: &[u8] = b"<title>Mills</title><h1>Mills</h1><p>Old mills grind slowly but well.</p>";

#[test]
fn a_wrong_key_is_told_from_none() {
    let site = Site::new();
    let data = site.folder().join("data");
    let mut keys = Keys::read(&data).unwrap();
    keys.add("test", &[Scope::Read], 0, None).unwrap();
    keys.write(&data).unwrap();
    let detail = |headers: &str| {
        let answer = site.with_headers("GET", "/v1/search?q=mill", headers);
        assert_eq!(answer.error(), (401, "key_required".to_owned()));
        answer.json()["detail"].as_str().unwrap().to_owned()
    };
    assert!(detail("").starts_with("send a key"), "{}", detail(""));
    for wrong in ["Authorization: Bearer lopper_wrong\r\n", "Authorization: Basic bG9wcGVyOndyb25n\r\n"] {
        let told = detail(wrong);
        assert!(told.contains("not known here, or has ended") && !told.contains("send a key"), "{told}");
    }
}

#[test]
fn pages_that_tell_of_errors_have_titles() {
    let site = Site::new();
    let page = |path: &str| site.with_headers("GET", path, "Accept: text/html\r\n").body;
    assert!(page("/nowhere").contains("<title>Not found – Lopper</title>"), "{}", page("/nowhere"));
    let wrong = page("/?q=%28mill");
    assert!(!wrong.contains("<title>Lopper</title>"), "{wrong}");
}

#[test]
fn an_archive_without_records_is_called_that() {
    let folder = folder(&[("empty.warc", b""), ("mills.html", MILLS)]);
    let ran = run(folder.path(), ["ingest", "--data", "data", "empty.warc"]);
    assert!(ran.code == Some(0) && ran.err.contains("the 1 archive has no records"), "{ran:?}");
    let both = run(folder.path(), ["ingest", "--data", "data", "mills.html"]);
    assert!(both.code == Some(0) && !both.err.contains("no records"), "{both:?}");
}

#[test]
fn nothing_found_as_of_a_time_says_so() {
    let folder = folder(&[("mills.html", MILLS)]);
    run(folder.path(), ["ingest", "--data", "data", "mills.html"]).success();
    let found = run(folder.path(), ["search", "--data", "data", "--as-of", "1990", "mills"]).success();
    assert!(found.contains("Nothing found as of 1990-12-31T23:59:59Z"), "{found}");
    let found = run(folder.path(), ["search", "--data", "data", "zeppelin"]).success();
    assert!(found.contains("Nothing found. Try fewer or other words") && !found.contains("--as-of"), "{found}");
}

#[test]
fn takedowns_tell_their_query() {
    let folder = folder(&[("mills.html", MILLS)]);
    run(folder.path(), ["ingest", "--data", "data", "mills.html"]).success();
    run(folder.path(), ["delete", "--data", "data", "--query", "slowly mills", "--note", "by request"]).success();
    let listed = run(folder.path(), ["takedowns", "--data", "data"]).success();
    assert!(listed.contains("by the query `slowly mills`  (by request)"), "{listed}");
    let listed = run(folder.path(), ["takedowns", "--data", "data", "--format", "json"]).json();
    assert_eq!(listed[0]["query"], "slowly mills");
    let site = Site::new();
    assert_eq!(site.with_headers("DELETE", "/v1/pages?q=overshot", "").status, 200);
    let listed: Value = site.get("/v1/takedowns").json();
    assert_eq!(listed["takedowns"][0]["query"], "overshot", "{listed}");
}

#[test]
fn an_archive_that_is_known_is_called_that() {
    let site = Site::new();
    for _ in 0..2 {
        let sent = site.post("/v1/archives?name=north.warc", "application/octet-stream", &warc("north", 2));
        assert_eq!(sent.status, 202, "{}", sent.body);
        while site.get("/v1/jobs").json()["jobs"].as_array().unwrap().iter().any(|job| job["state"] == "running") {
            thread::sleep(Duration::from_millis(20));
        }
    }
    let page = site.get("/ingest").body;
    assert_eq!((page.matches("It was taken in before").count(), page.matches("Done in").count()), (1, 1), "{page}");
    // With scripts the same is said.
    let script = fs::read_to_string(crate::support::repository("web/ingest.js")).unwrap();
    assert!(script.contains("archives_already_ingested"));
}

/// Whoever has no scripts asks for another choice by sending the page again.
#[test]
fn a_page_that_is_tried_can_be_looked_at_in_other_ways_without_scripts() {
    let site = Site::new();
    let form = |method: &str| {
        let field = |name: &str, value: &str| {
            format!("--x\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
        };
        let html = "<title>Mills & <i></title><h1>Mills</h1>\n<p>Old mills grind slowly.</textarea><p>Very.";
        field("html", html) + &field("url", "http://e.example/") + &field("method", method) + "--x--\r\n"
    };
    let tried = |method: &str| {
        let answer = site.post("/try", "multipart/form-data; boundary=x", &form(method));
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.body
    };
    let shown = tried("index");
    let again = shown.split("<noscript>").nth(1).and_then(|rest| rest.split("</noscript>").next()).unwrap();
    assert!(again.contains("<button class=\"show\">Show</button>"), "{again}");
    assert!(again.contains("Old mills grind slowly.&lt;/textarea&gt;&lt;p&gt;Very."), "{again}");
    assert!(again.contains("value=\"http://e.example/\""), "{again}");
    assert!(shown.contains("method=\"post\" action=\"try\" enctype=\"multipart/form-data\""), "{shown}");
    let checked = |page: &str, name: &str| page.contains(&format!("value=\"{name}\" checked"));
    assert!(checked(&shown, "index") && checked(&tried("bte"), "bte"), "{shown}");
}
