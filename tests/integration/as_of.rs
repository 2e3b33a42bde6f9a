//! Pages as they stood at a time, and the times at which a block was there.

use std::fs;
use std::path::Path;

use lopper_collection::DataFolder;
use lopper_collection::ingest::{IngestOptions, Silent, ingest};
use lopper_content::pipeline::ExtractParams;
use serde_json::{Value, json};

use crate::http::{Site, options};
use crate::support::run;

const URL: &str = "http://ferry.example/times";

/// What the page said; each with a sentence that stays.
const SUMMER: &str = "The ferry to the island leaves every hour in summer, from the old pier.";
const WINTER: &str = "The ferry to the island leaves twice a day in winter, from the new pier.";
const STAYS: &str = "Bicycles travel free of charge on all crossings, dogs need a ticket of their own.";

fn record(url: &str, year: u32, text: &str) -> String {
    let html = format!(
        "<html lang=en><title>Ferry</title><main><h1>Timetable</h1><p>{text}</p><h2>Fares</h2><p>{STAYS}</p></main>"
    );
    let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{html}");
    let length = block.len();
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: {year}-06-01T00:00:00Z\r\n\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {length}\r\n\r\n{block}\r\n\r\n"
    )
}

/// Summer in 2001, winter in 2005, summer again in 2009; read in that order, or the newest first.
fn site(years: &[u32]) -> Site {
    let folder = tempfile::tempdir().unwrap();
    let data = DataFolder::open_to_write(&folder.path().join("data"), ExtractParams::default()).unwrap();
    for year in years {
        let archive = folder.path().join(format!("{year}.warc"));
        let text = if *year == 2005 { WINTER } else { SUMMER };
        fs::write(&archive, record(URL, *year, text)).unwrap();
        ingest(&data, &[archive], &IngestOptions::default(), &mut Silent).unwrap();
    }
    Site::serving(folder, data, options())
}

/// What a search of that time finds: the seasons of its pages, and when they stood.
fn found(site: &Site, query: &str, as_of: &str) -> Vec<(String, String)> {
    let answer = site.get(&format!("/v1/search?q={query}&collapse=none&as_of={as_of}")).json();
    let pages = answer["pages"].as_array().unwrap();
    assert_eq!((&answer["total_is_exact"], &answer["is_complete"]), (&true.into(), &true.into()), "{answer}");
    let season = |page: &Value| {
        let text = page["blocks"].to_string();
        if text.contains("winter") { "winter" } else { "summer" }.to_owned()
    };
    pages.iter().map(|page| (season(page), page["stood_at"].as_str().unwrap()[..4].to_owned())).collect()
}

fn one(season: &str, year: &str) -> Vec<(String, String)> {
    vec![(season.to_owned(), year.to_owned())]
}

#[test]
fn pages_without_a_date_are_told_of() {
    let site = site(&[2001]);
    for name in ["pier", "harbour"] {
        let html = format!("<html lang=en><title>{name}</title><p>The ferry to the island leaves from the {name}.");
        let body = serde_json::json!({"url": format!("http://{name}.example/"), "html": html});
        assert!(site.post("/v1/pages", "application/json", &body.to_string()).status < 300);
    }
    let answer = site.get("/v1/search?q=ferry&as_of=2005").json();
    assert_eq!(answer["notes"], serde_json::json!([{"undated_left_out": {"pages": 2}}]), "{answer}");
    assert_eq!(answer["pages"].as_array().unwrap().len(), 1);
    assert_eq!(site.get("/v1/search?q=ferry").json()["notes"], serde_json::json!([]));
}

#[test]
fn a_search_finds_what_stood_then() {
    // The page of 2009 repeats that of 2001, whichever of the two is read first.
    for years in [[2001, 2005, 2009], [2009, 2005, 2001]] {
        let site = site(&years);
        assert_eq!(found(&site, "ferry", "2000"), [], "{years:?}");
        assert_eq!(found(&site, "ferry", "2001"), one("summer", "2001"), "{years:?}");
        assert_eq!(found(&site, "ferry", "2005-05"), one("summer", "2001"), "{years:?}");
        assert_eq!(found(&site, "ferry", "2005-06-01"), one("winter", "2005"), "{years:?}");
        assert_eq!(found(&site, "ferry", "2008-12-31T00:00:00Z"), one("winter", "2005"), "{years:?}");
        assert_eq!(found(&site, "ferry", "2030"), one("summer", "2009"), "{years:?}");
        assert_eq!(found(&site, "%2Bwinter", "2030"), [], "what was replaced is not found any more");
        let now = site.get("/v1/search?q=ferry&collapse=none").json();
        assert_eq!((now["pages"].as_array().unwrap().len(), &now["pages"][0]["stood_at"]), (2, &Value::Null));
    }
}

/// A site that moves to `https` and `www.` keeps its addresses.
#[test]
fn forms_of_one_address_stand_for_one_page() {
    let folder = tempfile::tempdir().unwrap();
    let data = DataFolder::open_to_write(&folder.path().join("data"), ExtractParams::default()).unwrap();
    let archive = folder.path().join("moved.warc");
    let records = [
        record(URL, 2001, SUMMER),
        record("https://www.ferry.example/times/", 2005, WINTER),
        record(URL, 2009, SUMMER),
    ];
    fs::write(&archive, records.concat()).unwrap();
    ingest(&data, &[archive], &IngestOptions::default(), &mut Silent).unwrap();
    let site = Site::serving(folder, data, options());
    assert_eq!(found(&site, "ferry", "2003"), one("summer", "2001"));
    assert_eq!(found(&site, "ferry", "2007"), one("winter", "2005"));
    assert_eq!(found(&site, "ferry", "2030"), one("summer", "2009"));
    for url in [URL, "https://ferry.example/times", "http://www.ferry.example/times/"] {
        let page = site.get(&format!("/v1/pages?url={url}&as_of=2007")).json();
        assert!(page["blocks"].to_string().contains("winter"), "{url}: {page}");
    }
}

#[test]
fn a_page_is_given_as_it_stood() {
    let site = site(&[2001, 2005, 2009]);
    let page = |address: String| site.get(&address).json()["blocks"].to_string();
    let of_url = |more: &str| page(format!("/v1/pages?url={URL}{more}"));
    assert!(of_url("").contains("summer") && of_url("&as_of=2007").contains("winter"));
    let id = site.page_id("winter");
    assert!(page(format!("/v1/pages/{id}?as_of=2003")).contains("summer"));
    assert!(page(format!("/v1/pages/{id}")).contains("winter"));
    let captures = site.get(&format!("/v1/captures?url={URL}")).json();
    let years = |captures: &Value| -> Vec<String> {
        let captures = captures["captures"].as_array().unwrap().iter();
        captures.map(|capture| capture["captured_at"].as_str().unwrap()[..4].to_owned()).collect()
    };
    assert_eq!(years(&captures), ["2001", "2005", "2009"]);
    assert_eq!(
        (&captures["captures"][2]["kind"], &captures["captures"][2]["archive"]),
        (&"duplicate".into(), &"2009.warc".into())
    );
    assert_eq!(captures["captures"][2]["page_id"], captures["captures"][0]["page_id"]);
    assert_eq!(years(&site.get(&format!("/v1/captures?url={URL}&as_of=2006")).json()), ["2001", "2005"]);
    for (address, error) in [
        (format!("/v1/pages?url={URL}&as_of=2000"), (404, "page_not_found")),
        ("/v1/pages?url=http://none.example/".to_owned(), (404, "page_not_found")),
        ("/v1/pages".to_owned(), (400, "bad_parameter")),
        (format!("/v1/pages/{id}?as_of=soon"), (400, "bad_parameter")),
        (format!("/v1/pages/{id}?as_of=2000"), (404, "page_not_found")),
        ("/v1/captures".to_owned(), (400, "bad_parameter")),
        ("/v1/search?q=ferry&as_of=soon".to_owned(), (400, "bad_parameter")),
        ("/v1/search?q=ferry&as_of=2007&facets=true".to_owned(), (400, "bad_parameter")),
    ] {
        assert_eq!(site.get(&address).error(), (error.0, error.1.to_owned()), "{address}");
    }
    let parts: Vec<Value> =
        site.get("/v1/captures?url=http://none.example/").json()["captures"].as_array().unwrap().clone();
    assert_eq!(parts, Vec::<Value>::new());
}

#[test]
fn a_block_is_told_from_when_to_when_it_was_there() {
    let site = site(&[2001, 2005, 2009]);
    let captures = |words: &str, text: &str| {
        let hits = site.get(&format!("/v1/search?q={words}&collapse=none&blocks_per_page=50")).json();
        let blocks = hits["pages"].as_array().unwrap().iter().flat_map(|page| page["blocks"].as_array().unwrap());
        let block = blocks.into_iter().find(|block| block["text"].as_str().unwrap().contains(text)).unwrap().clone();
        site.get(&format!("/v1/blocks/{}/captures", block["block_id"].as_str().unwrap())).json()
    };
    let spans = |answer: &Value| -> Vec<String> {
        let year = |time: &Value| time.as_str().map_or("-", |time| &time[..4]).to_owned();
        let spans = answer["spans"].as_array().unwrap().iter();
        spans.map(|span| format!("{}-{} {}", year(&span["from"]), year(&span["to"]), year(&span["gone_by"]))).collect()
    };
    let winter = captures("winter", "twice a day");
    assert_eq!(winter["is_complete"], true, "{winter}");
    assert_eq!(spans(&winter), ["2005-2005 2009"], "{winter}");
    assert_eq!(spans(&captures("summer", "every hour")), ["2001-2001 2005", "2009-2009 -"]);
    assert_eq!(site.get("/v1/blocks/none/captures").error(), (404, "block_not_found".to_owned()));
}

#[test]
fn the_command_line_asks_for_the_same() {
    let site = site(&[2001, 2005, 2009]);
    let data = site.folder().join("data");
    let search = |folder: &Path, more: &[&str]| {
        let args = ["search", "--data", data.to_str().unwrap(), "--format", "json", "ferry"];
        run(folder, args.into_iter().chain(more.iter().copied()))
    };
    let then = search(site.folder(), &["--as-of", "2006"]).json();
    assert_eq!(then["pages"].as_array().map(Vec::len), Some(1), "{then}");
    assert!(then["pages"][0]["stood_at"].as_str().unwrap().starts_with("2005"), "{then}");
    assert_eq!(search(site.folder(), &["--as-of", "soon"]).code, Some(2));
}

/// What a page says now counts, and who is shown what it said is told so.
#[test]
fn the_newest_capture_is_shown_and_others_are_told() {
    // The page of 2001 and that of 2005, read in both orders.
    for years in [[2001, 2005], [2005, 2001]] {
        let site = site(&years);
        let page = |query: &str| site.get(&format!("/v1/search?q={query}")).json()["pages"][0].clone();
        let year = |page: &Value| page["captured_at"].as_str().unwrap()[..4].to_owned();
        let (now, then) = (page("ferry%20island"), page("ferry%20every%20hour%20summer"));
        assert_eq!((year(&now), year(&then)), ("2005".to_owned(), "2001".to_owned()), "{years:?}");
        assert_eq!((&now["newer_capture"], &now["captures"]["count"]), (&Value::Null, &1.into()));
        assert_eq!(then["newer_capture"]["page_id"], now["page_id"]);
        assert_eq!(then["newer_capture"]["captured_at"], "2005-06-01T00:00:00Z");
        let of_then = site.get("/v1/search?q=ferry&as_of=2003").json()["pages"][0].clone();
        assert_eq!((year(&of_then), &of_then["newer_capture"]), ("2001".to_owned(), &Value::Null));

        let call = |name: &str, arguments: Value| {
            let params = json!({"name": name, "arguments": arguments});
            let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
            site.post("/v1/mcp", "application/json", &call.to_string()).body
        };
        let told = "outdated: a newer capture of 2005-06-01T00:00:00Z may have another text";
        let answer = call("search", json!({"query": "ferry every hour summer"}));
        assert!(answer.contains(told), "{answer}");
        assert!(call("blocks", json!({"page_id": then["page_id"]})).contains(told));
        let answer = call("search", json!({"query": "ferry island"}));
        assert!(!answer.contains("outdated"), "{answer}");
        assert!(answer.contains("other captures that match: 2001-06-01T00:00:00Z (page_id: "), "{answer}");
    }
}

/// A page without a time is what is there now, and a capture of the same HTML is none that says something else.
#[test]
fn captures_that_are_not_newer_or_say_the_same_are_not_told() {
    let site = site(&[2001]);
    // The page of 2001 with another sentence at its end.
    let warc = record(URL, 2001, SUMMER).replace("a ticket of their own", "none");
    let html = warc.trim_end().split("\r\n\r\n").nth(2).unwrap();
    let body = json!({"url": URL, "html": html});
    assert!(site.post("/v1/pages", "application/json", &body.to_string()).status < 300);
    let now = site.get("/v1/search?q=ferry%20island").json()["pages"][0].clone();
    assert_eq!((&now["captured_at"], &now["newer_capture"]), (&Value::Null, &Value::Null), "{now}");

    let folder = tempfile::tempdir().unwrap();
    let data = DataFolder::open_to_write(&folder.path().join("data"), ExtractParams::default()).unwrap();
    for (url, year) in [(URL, 2001), ("https://www.ferry.example/times", 2005)] {
        let archive = folder.path().join(format!("{year}.warc"));
        fs::write(&archive, record(url, year, SUMMER)).unwrap();
        ingest(&data, &[archive], &IngestOptions::default(), &mut Silent).unwrap();
    }
    let site = Site::serving(folder, data, options());
    let pages = site.get("/v1/search?q=ferry%20island&collapse=none").json()["pages"].as_array().unwrap().clone();
    assert!(!pages.is_empty() && pages.iter().all(|page| page["newer_capture"].is_null()), "{pages:?}");
}

#[test]
fn a_page_without_a_date_that_stood_is_not_told_as_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let data = DataFolder::open_to_write(&folder.path().join("data"), ExtractParams::default()).unwrap();
    let warc = record(URL, 2001, SUMMER);
    let html = warc.trim_end().split("\r\n\r\n").nth(2).unwrap();
    let (undated, dated) = (folder.path().join("pages.ndjson"), folder.path().join("2001.warc"));
    fs::write(&undated, json!({"url": URL, "html": html}).to_string()).unwrap();
    fs::write(&dated, &warc).unwrap();
    for archive in [undated, dated] {
        ingest(&data, &[archive], &IngestOptions::default(), &mut Silent).unwrap();
    }
    let site = Site::serving(folder, data, options());
    let answer = site.get("/v1/search?q=ferry&as_of=2003").json();
    assert_eq!(answer["pages"].as_array().map(Vec::len), Some(1), "{answer}");
    assert_eq!((&answer["pages"][0]["captured_at"], &answer["notes"]), (&Value::Null, &json!([])), "{answer}");
}
