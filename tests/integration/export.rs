//! Answers as files, over HTTP and on the command line.

use std::fs;

use serde_json::{Value, json};

use crate::http::Site;
use crate::support::run;

const EVIL: &str = "<html lang=en><title>=HYPERLINK(\"http://e.example\",\"mill\")</title><main><h1>-1+1</h1>\
    <p>+cmd|' /C calc'!A0 is what a mill, \"so to speak\", says on this page about cheese.</p></main>";

/// Pages about cheese, as many as the search finds.
fn dairy(pages: usize) -> Site {
    let page = |number: usize| {
        let html = format!(
            "<html lang=en><title>Dairy {number}</title><main><h1>Cheese {number}</h1>\
             <p>The dairy of village {number} makes cheese from the milk of {number} goats, all year round.</p></main>"
        );
        (format!("http://dairy.example/{number}"), html)
    };
    let pages: Vec<(String, String)> = (0..pages).map(page).collect();
    let pages: Vec<(&str, &str)> = pages.iter().map(|(url, html)| (url.as_str(), html.as_str())).collect();
    Site::with(&pages)
}

/// The body of a streamed answer, whose end must have been said.
fn streamed(site: &Site, address: &str) -> (String, String) {
    let answer = site.get(address);
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert_eq!(answer.header("transfer-encoding"), Some("chunked"));
    let (mut rest, mut body) = (answer.body.as_str(), String::new());
    loop {
        let (len, after) = rest.split_once("\r\n").expect("the stream goes on to its end");
        let len = usize::from_str_radix(len, 16).unwrap();
        if len == 0 {
            return (answer.header("content-type").unwrap().to_owned(), body);
        }
        body += &after[..len];
        rest = after[len..].strip_prefix("\r\n").unwrap();
    }
}

#[test]
fn all_blocks_are_listed_once_with_where_they_come_from() {
    let site = dairy(40);
    let (kind, body) = streamed(&site, "/v1/blocks");
    assert_eq!(kind, "application/x-ndjson");
    let lines: Vec<Value> = body.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut ids: Vec<&str> = lines.iter().map(|line| line["block_id"].as_str().unwrap()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!((lines.len(), ids.len()), (40, 40));
    let block = &lines[7];
    let page = site.get(&format!("/v1/pages/{}", block["page_id"].as_str().unwrap())).json();
    for (own, of_page) in [("url", "url"), ("title", "title"), ("captured_at", "captured_at"), ("source", "source")] {
        assert_eq!(block[own], page[of_page], "{own}");
    }
    for field in ["block_id", "text", "heading_path", "locator"] {
        assert_eq!(block[field], page["blocks"][0][field], "{field}");
    }
    assert!(block["replay_url"].as_str().unwrap().contains("dairy.example"), "{block}");
    assert_eq!(streamed(&site, "/v1/blocks?host=Dairy.example.").1, body);
    assert_eq!(streamed(&site, "/v1/blocks?host=other.example").1, "");
    assert_eq!(site.get("/v1/blocks?hots=x").error(), (400, "bad_parameter".to_owned()));
}

#[test]
fn all_pages_are_in_the_file_once_and_in_order() {
    let site = dairy(300);
    let found = site.get("/v1/search?q=cheese&pages=1000").json();
    let wanted: Vec<&Value> = found["pages"].as_array().unwrap().iter().map(|page| &page["page_id"]).collect();
    assert_eq!(wanted.len(), 300);
    let (kind, body) = streamed(&site, "/v1/export?q=cheese");
    assert_eq!(kind, "application/x-ndjson");
    let lines: Vec<Value> = body.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.iter().map(|line| &line["page_id"]).collect::<Vec<_>>(), wanted);
    assert_eq!(lines[0], found["pages"][0], "a line is a page of the answer to a search");
    let few = streamed(&site, "/v1/export?q=cheese&pages=7&offset=3").1;
    let few: Vec<Value> = few.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(few.iter().map(|line| &line["page_id"]).collect::<Vec<_>>(), wanted[3..10]);
    assert_eq!(streamed(&site, "/v1/export?q=nothinghasthis").1, "");
    let posted = site.post("/v1/export", "application/json", &json!({"q": "cheese", "pages": 1}).to_string());
    assert!(posted.status == 200 && posted.body.contains("page_id"), "{}", posted.body);
    for (address, code) in [
        ("/v1/export?q=cheese&format=xls", "bad_parameter"),
        ("/v1/export?q=cheese&pages=10001", "bad_parameter"),
        ("/v1/export?q=a+AND+(b", "bad_query"),
    ] {
        assert_eq!(site.get(address).error(), (400, code.to_owned()), "{address}");
    }
}

#[test]
fn a_spreadsheet_finds_no_formula() {
    let site = Site::with(&[("http://evil.example/", EVIL)]);
    let (kind, body) = streamed(&site, "/v1/export?q=mill&format=csv");
    assert_eq!(kind, "text/csv; charset=utf-8; header=present");
    assert!(body.starts_with("rank,page_id,block_id,url,"), "{body}");
    for field in ["\"'=HYPERLINK(\"\"http://e.example\"\",\"\"mill\"\")\"", "\"'-1+1", "\"\"so to speak\"\""] {
        assert!(body.contains(field), "{field} in {body}");
    }
    for sign in [",=", ",+", ",-", ",@", ",\"=", ",\"+", ",\"-"] {
        assert!(!body.contains(sign), "{sign} in {body}");
    }
}

#[test]
fn exported_pages_can_be_ingested_again() {
    let site = dairy(5);
    let (kind, body) = streamed(&site, "/v1/export?q=cheese&format=warc");
    assert_eq!(kind, "application/warc");
    assert_eq!(body.matches("WARC-Type: resource\r\n").count(), 5, "{body}");
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("out.warc"), &body).unwrap();
    let report = run(folder.path(), ["ingest", "--data", "again", "out.warc"]).success();
    assert!(report.contains("5  (5 new, 0 replaced)"), "{report}");
    let data = site.folder().join("data");
    let found = |data: &str| run(folder.path(), ["search", "--data", data, "--format", "json", "goats"]).json();
    let urls = |answer: &Value| {
        let pages = answer["pages"].as_array().unwrap().iter();
        let mut urls: Vec<(Value, Value)> =
            pages.map(|page| (page["url"].clone(), page["captured_at"].clone())).collect();
        urls.sort_by_key(|(url, _)| url.to_string());
        urls
    };
    let former = found(data.to_str().unwrap());
    assert_eq!(urls(&found("again")), urls(&former), "the same pages of the same times");
    fs::remove_file(site.folder().join("pages.warc")).unwrap();
    let gone = streamed(&site, "/v1/export?q=cheese&format=warc").1;
    assert_eq!(gone.matches("WARC-Type: metadata\r\n").count(), 5, "what is not at hand is told of: {gone}");
    assert!(!gone.contains("WARC-Type: resource"), "{gone}");
}

#[test]
fn the_command_line_writes_the_same() {
    let site = dairy(4);
    let data = site.folder().join("data");
    let export = |format: &str, more: &[&str]| {
        let args = ["search", "--data", data.to_str().unwrap(), "--format", format, "cheese"];
        run(site.folder(), args.into_iter().chain(more.iter().copied()))
    };
    let csv = streamed(&site, "/v1/export?q=cheese&format=csv").1;
    let own = export("csv", &[]).success();
    // The server says where a replay shows the page.
    let without_replay = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.rsplit_once(',').map_or(line, |(line, _)| line).to_owned()).collect()
    };
    assert_eq!(without_replay(&own), without_replay(&csv));
    assert_eq!(export("ndjson", &["-k", "3"]).success().lines().count(), 3);
    assert!(export("warc", &["-k", "10000"]).success().starts_with("WARC/1.1\r\nWARC-Type: warcinfo\r\n"));
    assert_eq!(export("json", &["-k", "1001"]).code, Some(2));
}
