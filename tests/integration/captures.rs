//! What is told of the captures of an address that came back to what it had said.

use std::fs;

use lopper_collection::DataFolder;
use lopper_collection::ingest::{IngestOptions, Silent, ingest};
use lopper_content::pipeline::ExtractParams;
use serde_json::{Value, json};

use crate::http::{Site, options};
use crate::support::run;

const URL: &str = "http://ferry.example/times";
const SUMMER: &str = "The ferry to the island leaves every hour in summer, from the old pier.";
const WINTER: &str = "The ferry to the island leaves twice a day in winter, from the new pier.";

fn record(kind: &str, year: u32, head: &str, block: &str) -> String {
    let length = block.len();
    format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {URL}\r\nWARC-Date: {year}-06-01T00:00:00Z\r\n{head}\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {length}\r\n\r\n{block}\r\n\r\n"
    )
}

fn response(year: u32, text: &str) -> String {
    let html = format!(
        "<html lang=en><title>Ferry</title><main><h1>Timetable</h1><p>{text}</p><h2>Fares</h2>\
         <p>Bicycles travel free of charge on all crossings, dogs need a ticket of their own.</p></main>"
    );
    let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{html}");
    record("response", year, "", &block)
}

fn revisit(year: u32, of: u32) -> String {
    let head = format!(
        "WARC-Profile: http://netpreserve.org/warc/1.0/revisit/identical-payload-digest\r\n\
         WARC-Refers-To-Target-URI: {URL}\r\nWARC-Refers-To-Date: {of}-06-01T00:00:00Z\r\n"
    );
    record("revisit", year, &head, "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n")
}

/// The records, each an archive of its own, read in that order.
fn site(records: &[String]) -> Site {
    let folder = tempfile::tempdir().unwrap();
    let data = DataFolder::open_to_write(&folder.path().join("data"), ExtractParams::default()).unwrap();
    for (number, record) in records.iter().enumerate() {
        let archive = folder.path().join(format!("{number}.warc"));
        fs::write(&archive, record).unwrap();
        ingest(&data, &[archive], &IngestOptions::default(), &mut Silent).unwrap();
    }
    Site::serving(folder, data, options())
}

fn year(time: &Value) -> &str {
    time.as_str().map_or("-", |time| &time[..4])
}

/// Summer in 2001, winter in 2005, and summer again in 2009, as a response or a revisit.
fn came_back() -> [Site; 3] {
    let [first, other, again] = [response(2001, SUMMER), response(2005, WINTER), response(2009, SUMMER)];
    [
        site(&[first.clone(), other.clone(), again.clone()]),
        site(&[first.clone(), other.clone(), revisit(2009, 2001)]),
        site(&[again, other, first]),
    ]
}

#[test]
fn a_page_that_came_back_is_the_newest() {
    for (number, site) in came_back().iter().enumerate() {
        // It was read first from its capture of 2001, or in the third from that of 2009.
        let (first, last) = if number == 2 { ("2009", "-") } else { ("2001", "2009") };
        for more in ["", "&sort=date", "&collapse=similar"] {
            let answer = site.get(&format!("/v1/search?q=ferry%20island{more}")).json();
            let page = &answer["pages"][0];
            assert!(page["blocks"].to_string().contains("summer"), "{number} {more}: {answer}");
            assert_eq!((year(&page["captured_at"]), year(&page["last_captured_at"])), (first, last), "{number} {more}");
            assert_eq!((&page["newer_capture"], &page["captures"]["count"]), (&Value::Null, &1.into()), "{answer}");
        }
        // A list of all that meets a filter has the newest too.
        let listed = site.get("/v1/search?q=site:ferry.example").json();
        assert!(listed["pages"][0]["blocks"].to_string().contains("summer"), "{listed}");
        let winter = site.get("/v1/search?q=ferry%20twice%20winter").json()["pages"][0].clone();
        assert!(winter["blocks"].to_string().contains("winter"), "{winter}");
        assert_eq!((year(&winter["captured_at"]), &winter["last_captured_at"]), ("2005", &Value::Null));
        assert_eq!(year(&winter["newer_capture"]["captured_at"]), "2009", "{winter}");
        let of_2006 = site.get("/v1/search?q=ferry&as_of=2006").json()["pages"][0].clone();
        assert_eq!((year(&of_2006["stood_at"]), &of_2006["newer_capture"]), ("2005", &Value::Null));
        let of_2010 = site.get("/v1/search?q=ferry&as_of=2010").json()["pages"][0].clone();
        assert_eq!((year(&of_2010["stood_at"]), &of_2010["last_captured_at"]), ("2009", &Value::Null));
    }
}

#[test]
fn all_ways_to_a_page_tell_the_same_of_its_captures() {
    let [site, _, _] = came_back();
    let answer = site.get("/v1/search?q=ferry%20island&collapse=none").json();
    let pages = answer["pages"].as_array().unwrap();
    assert_eq!(pages.len(), 2, "{answer}");
    for page in pages {
        let (id, block) = (page["page_id"].as_str().unwrap(), page["blocks"][0]["block_id"].as_str().unwrap());
        let (last, newer) = (&page["last_captured_at"], &page["newer_capture"]);
        assert!(last.is_null() != newer.is_null(), "{page}");
        for address in [format!("/v1/pages/{id}"), format!("/v1/cite/{block}")] {
            let told = site.get(&address).json();
            assert_eq!((&told["last_captured_at"], &told["newer_capture"]), (last, newer), "{address}");
        }
        let batch = site.post("/v1/pages/batch", "application/json", &json!({"ids": [id]}).to_string()).json();
        assert_eq!((&batch["pages"][0]["last_captured_at"], &batch["pages"][0]["newer_capture"]), (last, newer));
        let then = site.get(&format!("/v1/pages/{id}?as_of=2002")).json();
        assert_eq!((&then["last_captured_at"], &then["newer_capture"]), (&Value::Null, &Value::Null));

        let call = |name: &str, arguments: Value| {
            let params = json!({"name": name, "arguments": arguments});
            let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
            site.post("/v1/mcp", "application/json", &call.to_string()).body
        };
        let told = if last.is_null() {
            "outdated: a newer capture of 2009-06-01T00:00:00Z may have another text"
        } else {
            "captured: 2001-06-01T00:00:00Z, the same HTML again 2009-06-01T00:00:00Z"
        };
        for (tool, arguments) in [
            ("cite", json!({"block_id": block})),
            ("page", json!({"page_id": id})),
            ("blocks", json!({"page_id": id})),
            ("search", json!({"query": page["blocks"][0]["text"]})),
        ] {
            let answer = call(tool, arguments);
            assert!(answer.contains(told), "{tool}: {answer}");
            assert_eq!(answer.contains("outdated:"), last.is_null(), "{tool}: {answer}");
        }
    }
    let shown = site.get("/?q=ferry%20island").body;
    assert!(shown.contains("captured 1 June 2001") && shown.contains("unchanged 1 June 2009"), "{shown}");
    let data = site.folder().join("data");
    let search = |more: &[&str]| {
        let args = ["search", "--data", data.to_str().unwrap()];
        run(site.folder(), args.into_iter().chain(more.iter().copied())).out
    };
    let printed = search(&["ferry island"]);
    assert!(printed.contains("2001-06-01, unchanged 2009-06-01"), "{printed}");
    let csv = search(&["--format", "csv", "ferry summer"]);
    let row = csv.lines().last().unwrap();
    assert!(csv.contains("digest,last_captured_at,stood_at,newer_captured_at,replay_url\r\n"), "{csv}");
    assert!(row.ends_with(",2009-06-01T00:00:00Z,,,"), "{row}");
}
