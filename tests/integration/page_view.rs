//! The archived page as it is shown: nothing of it runs or loads, its parts are marked, and it says what is missing.

use std::fmt::Write as _;
use std::fs;

use lopper_collection::DataFolder;
use lopper_collection::ingest::{Bodies, IngestOptions, Silent, ingest};
use lopper_content::pipeline::ExtractParams;

use crate::http::{Site, options};
use crate::support::{names_in, repository};

/// A WARC file of HTML pages, each with its URL and second.
fn warc(pages: &[(String, String)]) -> Vec<u8> {
    let mut archive = String::new();
    for (number, (url, html)) in pages.iter().enumerate() {
        let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{html}");
        let length = block.len();
        let _ = write!(
            archive,
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2020-01-{:02}T00:00:00Z\r\n\
             Content-Length: {length}\r\n\r\n{block}\r\n\r\n",
            number + 1
        );
    }
    archive.into_bytes()
}

fn serving(pages: &[(String, String)], bodies: Bodies) -> Site {
    let data = tempfile::tempdir().unwrap();
    let archive = data.path().join("pages.warc");
    fs::write(&archive, warc(pages)).unwrap();
    let collection = DataFolder::open_to_write(&data.path().join("data"), ExtractParams::default()).unwrap();
    let wanted = IngestOptions { bodies, ..IngestOptions::default() };
    ingest(&collection, &[archive], &wanted, &mut Silent).unwrap();
    Site::serving(data, collection, options())
}

const MILL: &str = "<!doctype html><html lang=en class=site><title>Mills</title><style>.lead{color:red}</style><body class=home>\
    <nav><a href=/a>Shop for gifts</a> <a href=/b>Jobs at our office</a></nav><main><h1>Mills</h1>\
    <p class=lead>Old mills grind slowly, but they grind well all day long.</p></main>";

fn mill() -> Vec<(String, String)> {
    vec![("http://mill.example/".to_owned(), MILL.to_owned())]
}

#[test]
fn the_page_is_shown_as_it_was_with_its_parts_marked() {
    let site = serving(&mill(), Bodies::Refer);
    let id = site.page_id("grind");
    let page = site.get(&format!("/page/{id}?block=0"));
    assert_eq!(page.status, 200);
    let frame = format!("sandbox=\"allow-same-origin\" src=\"page/{id}/frame?block=0#lopper-found\"");
    assert!(page.body.contains(&frame), "{}", page.body);
    let frame = site.get(&format!("/page/{id}/frame?block=0"));
    for part in [
        "<html lang=\"en\" class=\"site\">",
        "<body class=\"home\">",
        "<style>.lead{color:red}\n</style>",
        "<nav data-run=\"0\" data-fate=\"drop\">",
        "<h1 data-run=\"1\" id=\"lopper-found\" data-found=\"\">Mills",
        "<p class=\"lead\" data-run=\"2\" data-found=\"\">Old mills",
    ] {
        assert!(frame.body.contains(part), "no {part} in {}", frame.body);
    }
    let policy = frame.header("content-security-policy").unwrap();
    assert!(policy.contains("default-src 'none'") && policy.contains("sandbox allow-same-origin"), "{policy}");
    assert!(!policy.contains("script"), "{policy}");
}

#[test]
fn methods_and_strictness_change_what_is_tinted() {
    let site = serving(&mill(), Bodies::Keep);
    let id = site.page_id("grind");
    let tinted = |query: &str| {
        let frame = site.get(&format!("/page/{id}/frame?{query}")).body;
        ["drop", "first", "second"].map(|fate| frame.matches(&format!("data-fate=\"{fate}\"")).count())
    };
    assert_eq!(tinted("method=full-text"), [0, 0, 0]);
    assert_eq!(tinted("method=lopper&least=0"), [0, 0, 0]);
    assert_eq!(tinted("method=lopper&least=100")[0], 3, "nothing is that sure");
    assert_eq!(tinted("method=lopper&least=100&beside=full-text"), [0, 0, 3]);
    assert_eq!(tinted("method=full-text&beside=full-text"), [0, 0, 0]);
    let kept = site.get(&format!("/page/{id}/methods")).json();
    assert_eq!(kept["full-text"], "111");
    assert_eq!(kept.as_object().unwrap().len(), 7);
    let page = site.get(&format!("/page/{id}?method=lopper&least=100&beside=full-text")).body;
    assert!(page.contains("<b>0 %</b> of ") && page.contains("the two agree on <b>0 %</b>"), "{page}");
}

#[test]
fn without_html_the_parts_are_shown_and_how_to_keep_it() {
    let site = serving(&mill(), Bodies::None);
    let page = site.get(&format!("/page/{}", site.page_id("grind"))).body;
    for part in ["--bodies keep", "class=\"box kept\"", "Old mills grind slowly"] {
        assert!(page.contains(part), "no {part} in {page}");
    }
    assert!(!page.contains("<iframe"), "{page}");
}

/// The hostile pages, by their names.
fn hostile() -> Vec<(String, String)> {
    let names = names_in(&repository("tests/hostile")).into_iter().filter(|name| name != "README.md");
    let page = |name: String| {
        let html = fs::read_to_string(repository("tests/hostile").join(&name)).unwrap();
        (format!("http://hostile.example/{name}"), html)
    };
    names.map(page).collect()
}

/// All attributes of some markup as the sanitiser writes it: values in double quotes, quotes in them escaped.
fn attributes(markup: &str) -> Vec<(&str, &str)> {
    let parts: Vec<&str> = markup.split('"').collect();
    let pairs = parts.chunks_exact(2).filter_map(|pair| {
        let name = pair[0].strip_suffix('=')?;
        Some((name.rsplit([' ', '<']).next()?, pair[1]))
    });
    pairs.collect()
}

#[test]
fn nothing_of_a_hostile_page_is_left_that_runs_or_loads() {
    let pages = hostile();
    assert!(pages.len() >= 11);
    let site = serving(&pages, Bodies::Keep);
    let found = site.get("/v1/search?q=hostile&pages=50&collapse=none").json();
    let found = found["pages"].as_array().unwrap();
    assert_eq!(found.len(), pages.len());
    for page in found {
        let (id, url) = (page["page_id"].as_str().unwrap(), page["url"].as_str().unwrap());
        let frame = site.get(&format!("/page/{id}/frame"));
        assert_eq!(frame.status, 200, "{url}");
        let body = frame.body.to_lowercase();
        let without_own_head = body.split("<title>the archived page</title>").nth(1).unwrap();
        for bad in
            ["<script", "<iframe", "<object", "<embed", "<form", "<input", "<base", "<link", "<meta", "<svg", "srcset="]
        {
            assert!(!without_own_head.contains(bad), "{bad} in {url}: {body}");
        }
        let markup = without_own_head.split("</head>").nth(1).unwrap();
        for (name, value) in attributes(markup) {
            let leads = matches!(name, "href" | "src") && !value.starts_with('#') && !value.starts_with("data:image/");
            assert!(!leads && !name.starts_with("on") && name != "srcset", "{name}=\"{value}\" in {url}");
            assert!(name != "style" || !value.contains("url("), "{value} in {url}");
        }
        let style = without_own_head.split("</head>").next().unwrap();
        for bad in ["url(", "@import", "@font-face", "leak.test/b", "expression("] {
            assert!(!style.contains(bad), "{bad} in {url}: {style}");
        }
    }
}
