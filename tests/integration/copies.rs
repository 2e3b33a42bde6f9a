//! A passage that stands in the folders of several languages or versions of a manual.

use std::fs;

use lopper_collection::DataFolder;
use lopper_collection::ingest::{IngestOptions, Silent, ingest};
use lopper_content::pipeline::ExtractParams;
use serde_json::Value;

use crate::http::{Site, options};

const PASSAGE: &str = "The ferry cannot land while the pier is under repair. Boats that carry mail use the slipway beside \
                       the mill, and passengers are taken ashore in a skiff that holds eleven people.";

/// Pages of one text, each with its place, title and what stands above the text.
fn site(pages: &[(&str, &str, &str)]) -> Site {
    let folder = tempfile::tempdir().unwrap();
    let data = DataFolder::open_to_write(&folder.path().join("data"), ExtractParams::default()).unwrap();
    for (number, (place, title, intro)) in pages.iter().enumerate() {
        let html = format!(
            "<html><title>{title}</title><main><h1>Landing</h1><p>{intro}</p><h2>Pier</h2><p>{PASSAGE}</p></main>"
        );
        let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{html}");
        let record = format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://island.example/{place}\r\n\
             WARC-Date: 2020-06-01T00:00:00Z\r\nContent-Type: application/http; msgtype=response\r\n\
             Content-Length: {}\r\n\r\n{block}\r\n\r\n",
            block.len()
        );
        let archive = folder.path().join(format!("{number}.warc"));
        fs::write(&archive, record).unwrap();
        ingest(&data, &[archive], &IngestOptions::default(), &mut Silent).unwrap();
    }
    Site::serving(folder, data, options())
}

/// The places of an answer's pages, and how many others each stands for.
fn answer(site: &Site, query: &str) -> Vec<(String, u64)> {
    let answer = site.get(&format!("/v1/search?q={query}")).json();
    let place = |page: &Value| page["url"].as_str().unwrap().replace("http://island.example/", "");
    let page = |page: &Value| (place(page), page["similar"]["count"].as_u64().unwrap_or(0));
    answer["pages"].as_array().unwrap().iter().map(page).collect()
}

const INTRO: &str = "Everything that a visitor of the island has to know about its harbour, its boats and its people, as it \
                     was told to us by those who have lived there for most of their lives and know every stone of it.";

#[test]
fn what_is_not_translated_is_shown_where_it_comes_from() {
    let site = site(&[
        ("guide/it/ch1.html", "Ferry pier repair", INTRO),
        ("guide/ch1.html", "Landing", INTRO),
        ("guide/ch1.ja.html", "Ferry", INTRO),
        ("guide/ch2.html", "Landing", INTRO),
    ]);
    let apart = answer(&site, "ferry%20pier%20repair&collapse=none");
    assert_eq!((apart.len(), apart[0].0.as_str()), (4, "guide/it/ch1.html"));
    for collapse in ["", "&collapse=captures"] {
        let mut found = answer(&site, &format!("ferry%20pier%20repair{collapse}"));
        assert_eq!(found.remove(0), ("guide/ch1.html".to_owned(), 2), "{found:?}");
        // The same text on another page is another answer.
        assert_eq!(found, [("guide/ch2.html".to_owned(), 0)]);
    }
    let similar = answer(&site, "ferry%20pier%20repair&collapse=similar");
    assert_eq!(similar, [("guide/ch1.html".to_owned(), 3)]);
}

#[test]
fn of_versions_the_newest_is_shown_unless_another_is_named() {
    let places = ["3.10/ch1.html", "3.9/ch1.html", "stable/ch1.html", "dev/ch1.html"];
    let site = site(&places.map(|place| (place, "Landing", INTRO)));
    assert_eq!(answer(&site, "ferry%20pier%20repair"), [("stable/ch1.html".to_owned(), 3)]);
    assert_eq!(answer(&site, "ferry%20pier%20repair%20dev"), [("dev/ch1.html".to_owned(), 3)]);
}
