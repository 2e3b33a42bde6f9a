//! The server as a client sees it, over a socket.

use std::fs;
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use lopper::http::{ServeError, ServeOptions, Server};
use lopper::origin::Origin;
use lopper_collection::DataFolder;
use lopper_collection::ingest::{IngestOptions, Silent, ingest};
use lopper_content::pipeline::ExtractParams;
use serde_json::Value;
use tempfile::TempDir;

const MILL: &str = "<!doctype html><html lang=en><title>Water mills - Museum</title>\
    <nav><ul><li><a href=/shop>Shop for gifts and tickets</a><li><a href=/jobs>Jobs at our office</a></ul></nav>\
    <main><h1>Water mills</h1><p>A water mill grinds grain with the power of a river.</p>\
    <h2>The overshot wheel</h2><p>An overshot wheel of a water mill is filled from above, so it turns slowly.</p></main>\
    <footer><p>Call us for a table</p></footer></html>";

const EVIL: &str = "<!doctype html><html lang=en><title><script>alert(1)</script> Granary</title><main>\
    <h1>Granary &lt;script&gt;alert(2)&lt;/script&gt;</h1>\
    <p>The granary keeps grain dry &lt;img src=x onerror=alert(3)&gt; and \" onmouseover=\"alert(4) cool.</p></main>";

const UPLOAD_BYTES_MAX: usize = 20_000;

/// Time for an answer, so that one that never comes fails its test.
const ANSWER_DURATION_MAX: Duration = Duration::from_secs(20);

pub(crate) struct Answer {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.head.lines().skip(1).filter_map(|line| line.split_once(": "));
        headers.find(|(header, _)| header.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// The status and the error's code.
    pub(crate) fn error(&self) -> (u16, String) {
        let error = self.json();
        assert_eq!(self.header("content-type"), Some("application/problem+json"));
        assert_eq!((&error["type"], &error["status"]), (&"about:blank".into(), &self.status.into()), "{}", self.body);
        assert!(error["detail"].as_str().is_some_and(|detail| !detail.is_empty()), "{}", self.body);
        (self.status, error["code"].as_str().unwrap_or_default().to_owned())
    }
}

pub(crate) struct Site {
    address: SocketAddr,
    data: TempDir,
}

impl Site {
    pub(crate) fn new() -> Self {
        Self::with(&[("http://museum.example/mills", MILL), ("http://evil.example/", EVIL)])
    }

    pub(crate) fn with(pages: &[(&str, &str)]) -> Self {
        let data = tempfile::tempdir().unwrap();
        let collection = filled(data.path(), pages);
        Self::serving(data, collection, options())
    }

    pub(crate) fn serving(data: TempDir, collection: DataFolder, options: ServeOptions) -> Self {
        let server = Server::bind(Arc::new(collection), options).unwrap();
        let address = server.address();
        thread::spawn(move || server.run().unwrap());
        Self { address, data }
    }

    pub(crate) fn send(&self, request: &str) -> Answer {
        let answer = String::from_utf8(self.send_for_bytes(request)).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Answer { status, head: head.to_owned(), body: body.to_owned() }
    }

    pub(crate) fn send_for_bytes(&self, request: &str) -> Vec<u8> {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(ANSWER_DURATION_MAX)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        answer
    }

    /// A request without a body, with more headers.
    pub(crate) fn with_headers(&self, method: &str, path: &str, headers: &str) -> Answer {
        self.send(&format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}\r\n"))
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// The folder with the archive and the data folder.
    pub(crate) fn folder(&self) -> &Path {
        self.data.path()
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.request("GET", path)
    }

    pub(crate) fn request(&self, method: &str, path: &str) -> Answer {
        self.send(&format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
    }

    pub(crate) fn post(&self, path: &str, content_type: &str, body: &str) -> Answer {
        let length = body.len();
        self.send(&format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: {content_type}\r\n\
             Content-Length: {length}\r\n\r\n{body}"
        ))
    }

    /// The id of the first page that a search finds.
    pub(crate) fn page_id(&self, words: &str) -> String {
        let found = self.get(&format!("/v1/search?q={words}")).json();
        found["pages"][0]["page_id"].as_str().unwrap().to_owned()
    }
}

pub(crate) fn options() -> ServeOptions {
    ServeOptions {
        listen: SocketAddr::from(([127, 0, 0, 1], 0)),
        threads: 1,
        upload_bytes_max: UPLOAD_BYTES_MAX,
        ..ServeOptions::default()
    }
}

/// A collection of pages that come from an archive.
fn filled(data: &Path, pages: &[(&str, &str)]) -> DataFolder {
    let archive = data.join("pages.warc");
    fs::write(&archive, pages.iter().map(|(url, html)| record(url, html)).collect::<String>()).unwrap();
    let collection = DataFolder::open_to_write(&data.join("data"), ExtractParams::default()).unwrap();
    let report = ingest(&collection, &[archive], &IngestOptions::default(), &mut Silent).unwrap();
    assert_eq!(report.records.indexed, pages.len() as u64, "{report:?}");
    collection
}

fn record(url: &str, html: &str) -> String {
    let body = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{html}");
    let length = body.len();
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2008-04-30T20:48:25Z\r\n\
         WARC-Record-ID: <urn:uuid:1>\r\nContent-Type: application/http; msgtype=response\r\n\
         Content-Length: {length}\r\n\r\n{body}\r\n\r\n"
    )
}

#[test]
fn a_search_gives_pages_with_their_blocks() {
    let site = Site::new();
    let answer = site.get("/v1/search?q=overshot+wheel&pages=5&blocks_per_page=1&snippet_chars=60");
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/json")));
    let found = answer.json();
    assert_eq!(found["query"], "overshot wheel");
    let page = &found["pages"][0];
    assert_eq!(page["url"], "http://museum.example/mills");
    assert_eq!(page["captured_at"], "2008-04-30T20:48:25Z");
    let block = &page["blocks"][0];
    assert!(block["snippet"]["text"].as_str().unwrap().contains("overshot wheel"), "{block}");
    assert!(block["locator"]["url"].as_str().unwrap().starts_with("http://museum.example/mills#:~:text="));
}

#[test]
fn a_search_has_parts_facets_and_reasons() {
    let site = Site::new();
    let first = site.get("/v1/search?q=water+OR+grain&pages=1&facets=true&explain=true&prune=balanced").json();
    assert_eq!(
        (&first["offset"], &first["next_offset"], &first["total_is_exact"]),
        (&0.into(), &1.into(), &true.into())
    );
    assert_eq!(first["facets"]["host"]["values_total"], 2);
    assert_eq!(first["facets"]["year"]["values"][0]["value"], "2008");
    assert_eq!(first["explanation"]["words"][0]["surface"], "water");
    let page = &first["pages"][0];
    assert_eq!(page["explanation"]["documents"], "blend");
    assert!(page["pruned"]["blocks"][0]["reason_code"].is_string(), "{page}");
    let explanation = &page["blocks"][0]["explanation"];
    assert!(explanation["parts"].as_array().is_some_and(|parts| parts.len() > 3), "{explanation}");
    assert!(explanation["survival"].as_array().is_some_and(|floors| floors[0]["tag"] == "body"), "{explanation}");
    let second = site.get("/v1/search?q=water+OR+grain&pages=1&offset=1").json();
    assert_ne!(second["pages"][0]["url"], page["url"]);
    assert!(second["next_offset"].is_null() && second["facets"].is_null() && second["explanation"].is_null());
    let like = site.get(&format!("/v1/search?like={}", page["blocks"][0]["block_id"].as_str().unwrap()));
    assert_eq!(like.status, 200);
}

#[test]
fn a_page_tells_of_its_capture_and_blocks() {
    let site = Site::new();
    let id = site.page_id("overshot");
    let page = site.get(&format!("/v1/pages/{id}")).json();
    assert_eq!(page["page_id"], *id);
    assert_eq!(page["title"], "Water mills - Museum");
    assert_eq!(page["captured_at"], "2008-04-30T20:48:25Z");
    assert!(page["source"]["archive"].as_str().unwrap().ends_with("pages.warc"));
    let blocks = page["blocks"].as_array().unwrap();
    assert_eq!(blocks.len() as u64, page["main_blocks"]);
    assert!(blocks.iter().any(|block| block["text"].as_str().unwrap().contains("filled from above")));
}

#[test]
fn a_tree_tells_what_was_kept_and_why() {
    let site = Site::new();
    let tree = site.get(&format!("/v1/pages/{}/tree", site.page_id("overshot"))).json();
    assert_eq!((&tree["profile"], &tree["nodes_left_out"]), (&"modern".into(), &0.into()));
    let nodes = tree["nodes"].as_array().unwrap();
    let root = &nodes[0];
    assert_eq!((&root["tag"], &root["depth"], &root["path"]), (&"body".into(), &0.into(), &"".into()));
    let node = |tag: &str| nodes.iter().find(|node| node["tag"] == tag).unwrap();
    let (nav, main, heading) = (node("nav"), node("main"), node("h1"));
    assert_eq!((&nav["kept"], &nav["survives"], &nav["reason_code"]), (&false.into(), &false.into(), &"noise".into()));
    assert_eq!(nav["reason"], "navigation or a list of links");
    assert_eq!(
        (&main["survives"], &main["reason_code"], &main["depth"]),
        (&true.into(), &"only_child".into(), &1.into())
    );
    assert_eq!((&heading["runs"][0], &heading["contents"]["texts"]), (&"Water mills".into(), &1.into()));
    assert!(main["similarity"].as_f64().unwrap() > nav["similarity"].as_f64().unwrap());
    assert_eq!(main["css_path"], "body > main:nth-child(2)");
}

#[test]
fn a_posted_page_is_found_at_once_and_replaced_by_the_next() {
    let site = Site::new();
    let url = "http://new.example/wind";
    let json = format!(r#"{{"url": "{url}", "html": "<title>Windmills</title><p>A windmill has sails."}}"#);
    let first = site.post("/v1/pages", "application/json", &json);
    assert_eq!(first.status, 201, "{}", first.body);
    let id = first.json()["page_id"].as_str().unwrap().to_owned();
    assert_eq!(first.header("location"), Some(&*format!("/v1/pages/{id}")));
    assert_eq!(first.json()["blocks"], 1);
    assert_eq!(site.page_id("windmill+sails"), id);

    let html = "<title>Windmills</title><p>A windmill has a gearbox.";
    let second = site.post(&format!("/v1/pages?url={url}"), "text/html", html);
    assert_eq!((second.status, &second.json()["page_id"]), (201, &id.as_str().into()));
    assert_eq!(site.page_id("gearbox"), id);
    assert_eq!(site.get("/v1/search?q=sails").json()["total_blocks"], 0);

    let dated = site.post(&format!("/v1/pages?url={url}&captured_at=2020-01-01T00:00:00Z"), "text/html", html);
    assert_ne!(dated.json()["page_id"], *id, "another capture is another page");
}

#[test]
fn health_counts() {
    let site = Site::new();
    let health = site.get("/healthz").json();
    assert_eq!((&health["status"], &health["pages"]), (&"ok".into(), &2.into()));
    assert!(health.get("blocks").is_none(), "nothing is counted for it");
}

#[test]
fn errors_have_a_status_and_a_code() {
    let site = Site::new();
    let unknown = format!("/v1/pages/{}", "0".repeat(32));
    let gets = [
        ("/v1/search", 400, "bad_parameter"),
        ("/v1/search?q=a&pages=0", 400, "bad_parameter"),
        ("/v1/search?q=a&pages=many", 400, "bad_parameter"),
        ("/v1/search?q=a&limit=3", 400, "bad_parameter"),
        ("/v1/search?q=a&ranking=best", 400, "bad_parameter"),
        ("/v1/search?q=a&documents=sum:0", 400, "bad_parameter"),
        ("/v1/search?q=a&prune=hard", 400, "bad_parameter"),
        ("/v1/search?q=a&explain=yes", 400, "bad_parameter"),
        ("/v1/search?q=a&offset=-1", 400, "bad_parameter"),
        ("/v1/search?like=nothing", 404, "block_not_found"),
        ("/v1/search?q=a+AND+(b", 400, "bad_query"),
        ("/v1/search?q=date:may", 400, "bad_query"),
        ("/v1/pages/12", 400, "bad_page_id"),
        ("/v1/pages/12/tree", 400, "bad_page_id"),
        (&unknown, 404, "page_not_found"),
        (&format!("{unknown}/tree"), 404, "page_not_found"),
        ("/v2/search", 404, "not_found"),
        ("/../etc/passwd", 404, "not_found"),
        ("/v1/extract", 405, "method_not_allowed"),
    ];
    for (path, status, code) in gets {
        assert_eq!(site.get(path).error(), (status, code.to_owned()), "{path}");
    }
    let deleted = site.request("DELETE", "/v1/search?q=a");
    assert_eq!(deleted.error(), (405, "method_not_allowed".to_owned()));
    assert_eq!(deleted.header("allow"), Some("GET, HEAD, POST"));
}

#[test]
fn posts_that_are_wrong_are_refused() {
    let site = Site::new();
    let posts = [
        ("/v1/pages", "application/json", "{\"url\": \"http://e.org/\",\n \"html\" 1}", 400, "bad_body"),
        ("/v1/pages", "application/json", "{\"url\": \"http://e.org/\"}", 400, "bad_body"),
        ("/v1/pages", "application/json", r#"{"url": "file:///a", "html": "<p>"}"#, 400, "bad_parameter"),
        ("/v1/pages", "text/html", "<p>text", 400, "bad_parameter"),
        ("/v1/pages?url=http://e.org/&captured_at=now", "text/html", "<p>text", 400, "bad_parameter"),
        ("/v1/pages?url=http://e.org/", "text/html", "", 422, "no_page"),
        ("/v1/pages?url=http://e.org/", "text/plain", "text", 415, "unsupported_media_type"),
    ];
    for (path, content_type, body, status, code) in posts {
        assert_eq!(site.post(path, content_type, body).error(), (status, code.to_owned()), "{path} {body}");
    }
    let message = site.post("/v1/pages", "application/json", posts[0].2).body;
    assert!(message.contains("line 2 column 9"), "{message}");
}

#[test]
fn a_body_that_is_too_large_is_refused_before_and_while_it_arrives() {
    let site = Site::new();
    let head = "POST /v1/pages?url=http://e.org/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: text/html\r\n";
    let declared = site.send(&format!("{head}Content-Length: {}\r\n\r\n", UPLOAD_BYTES_MAX + 1));
    assert_eq!(declared.error(), (413, "too_large".to_owned()));
    assert!(declared.body.contains("20000 bytes"), "{}", declared.body);
    let chunk = "x".repeat(UPLOAD_BYTES_MAX + 1);
    let chunked =
        site.send(&format!("{head}Transfer-Encoding: chunked\r\n\r\n{:x}\r\n{chunk}\r\n0\r\n\r\n", chunk.len()));
    assert_eq!(chunked.error(), (413, "too_large".to_owned()));
}

#[test]
fn bodies_are_bounded_in_time_and_number() {
    let serving = |options| {
        let data = tempfile::tempdir().unwrap();
        let collection = filled(data.path(), &[]);
        Site::serving(data, collection, options)
    };
    let slow = serving(ServeOptions { upload_duration_max: Duration::from_millis(50), ..options() });
    let head =
        "POST /v1/pages HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{";
    assert_eq!(slow.send(head).error(), (408, "body_too_slow".to_owned()));
    let busy = serving(ServeOptions { uploads_max: 0, ..options() });
    let answer = busy.post("/v1/pages?url=http://e.org/", "text/html", "<p>Some text.");
    assert_eq!((answer.error(), answer.header("retry-after")), ((503, "busy".to_owned()), Some("1")));
}

/// What has arrived of all bodies is bounded, not how many arrive; a line has the time of a body.
#[test]
fn the_memory_of_bodies_is_bounded() {
    let data = tempfile::tempdir().unwrap();
    let collection = filled(data.path(), &[]);
    let options = ServeOptions { uploads_max: 1, upload_duration_max: Duration::from_secs(6), ..options() };
    let site = Site::serving(data, collection, options);
    let line = format!("{{\"url\": \"{}", "x".repeat(UPLOAD_BYTES_MAX - 100));
    let mut slow = TcpStream::connect(site.address()).unwrap();
    let head =
        "POST /v1/pages HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\nConnection: close\r\n";
    slow.write_all(format!("{head}Content-Length: 90000\r\n\r\n{line}").as_bytes()).unwrap();
    let post = || site.post("/v1/pages?url=http://e.org/", "text/html", "<p>Some text.");
    let begun = Instant::now();
    while post().status == 201 {
        assert!(begun.elapsed() < Duration::from_secs(6), "the slow one's line is held");
    }
    assert_eq!(post().error(), (503, "busy".to_owned()));
    let mut told = String::new();
    slow.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
    let trickle = slow.try_clone().unwrap();
    thread::scope(|scope| {
        // Bytes now and then buy no more time.
        scope.spawn(move || {
            while (&trickle).write_all(b"x").is_ok() && begun.elapsed() < Duration::from_secs(30) {
                thread::sleep(Duration::from_millis(300));
            }
        });
        while !told.contains("body_too_slow") {
            let mut part = [0; 4096];
            let read = slow.read(&mut part).unwrap();
            assert!(read > 0, "{told}");
            told.push_str(&String::from_utf8_lossy(&part[..read]));
        }
        drop(slow.shutdown(Shutdown::Both));
    });
    assert!(begun.elapsed() < Duration::from_secs(20));
    assert_eq!(post().status, 201, "what was held is given back");
}

/// A search that has no time answers with what it has, and says so.
#[test]
fn searches_are_bounded_in_time() {
    let serving = |options| {
        let data = tempfile::tempdir().unwrap();
        let collection = filled(data.path(), &[("http://museum.example/mills", MILL), ("http://b.example/", MILL)]);
        Site::serving(data, collection, options)
    };
    let asked = "/v1/search?q=mill+%22water+mill%22&pages=2&prune=everything&explain=true";
    let whole = serving(options()).get(asked).json();
    assert_eq!((&whole["is_complete"], whole["pages"].as_array().unwrap().len()), (&true.into(), 2));
    let late = serving(ServeOptions { query_duration_max: Duration::from_nanos(1), ..options() });
    let answer = late.get(asked);
    assert_eq!((answer.status, &answer.json()["is_complete"]), (200, &false.into()));
    assert!(late.get("/?q=mill").body.contains("ended before all was looked at"));
}

/// Each may be as large as the disk has room for.
#[test]
fn archives_that_arrive_are_bounded_in_number() {
    let data = tempfile::tempdir().unwrap();
    let collection = filled(data.path(), &[]);
    let site = Site::serving(data, collection, ServeOptions { archives_arriving_max: 1, ..options() });
    let path = "/v1/archives?name=mill.warc";
    let slow = TcpStream::connect(site.address()).unwrap();
    let head = format!("POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/octet-stream\r\n");
    (&slow).write_all(format!("{head}Content-Length: 90000\r\n\r\nWARC/1.0").as_bytes()).unwrap();
    let until = |wanted: &dyn Fn(&Answer) -> bool| {
        let begun = Instant::now();
        loop {
            let answer = site.post(path, "application/octet-stream", "no archive");
            if wanted(&answer) {
                return answer;
            }
            assert!(begun.elapsed() < Duration::from_secs(30), "{}: {}", answer.status, answer.body);
        }
    };
    let refused = until(&|answer| answer.body.contains("arriving"));
    assert_eq!((refused.error(), refused.header("retry-after")), ((503, "busy".to_owned()), Some("1")));
    drop(slow);
    until(&|answer| answer.status == 202);
}

/// Who comes too many is told to come again; the others are answered, and the state can always be asked.
#[test]
fn searches_are_bounded_in_number() {
    let data = tempfile::tempdir().unwrap();
    let collection = filled(data.path(), &[("http://museum.example/mills", MILL)]);
    let options = ServeOptions { searches_max: 1, searches_waiting_max: 1, threads: 2, ..options() };
    let site = Site::serving(data, collection, options);
    let slow = format!("/v1/search?q={}&explain=true", "m*+w*+".repeat(30));
    let mut refused = 0;
    for _ in 0..50 {
        let answers: Vec<Answer> = thread::scope(|scope| {
            let asking: Vec<_> = (0..12).map(|_| scope.spawn(|| site.get(&slow))).collect();
            assert_eq!(site.get("/healthz").status, 200);
            asking.into_iter().map(|asked| asked.join().unwrap()).collect()
        });
        for answer in answers.iter().filter(|answer| answer.status != 200) {
            assert_eq!((answer.error(), answer.header("retry-after")), ((503, "busy".to_owned()), Some("1")));
            refused += 1;
        }
        assert!(answers.iter().any(|answer| answer.status == 200));
        if refused > 0 {
            break;
        }
    }
    assert!(refused > 0);
}

#[test]
fn a_read_only_collection_takes_no_pages() {
    let data = tempfile::tempdir().unwrap();
    drop(filled(data.path(), &[("http://museum.example/mills", MILL)]));
    let collection = DataFolder::open_to_read(&data.path().join("data")).unwrap();
    let site = Site::serving(data, collection, options());
    let answer = site.post("/v1/pages?url=http://e.org/", "text/html", "<p>Some text.");
    assert_eq!(answer.error(), (409, "read_only".to_owned()));
    assert!(answer.body.contains("lopper ingest"), "{}", answer.body);
    assert_eq!(site.get("/v1/search?q=mill").json()["pages"].as_array().unwrap().len(), 1);
}

#[test]
fn the_search_page_shows_results_without_scripts() {
    let site = Site::new();
    let page = site.get("/?q=overshot+wheel");
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")));
    for part in [
        "value=\"overshot wheel\"",
        "href=\"http://museum.example/mills\" rel=\"noreferrer noopener\"",
        "<mark>overshot</mark> <mark>wheel</mark>",
        "captured 30 April 2008",
        "Open at this place",
        "<bdi>Water mills</bdi>",
    ] {
        assert!(page.body.contains(part), "{part} is not in {}", page.body);
    }
    let tree = site.get(&format!("/page/{}", site.page_id("overshot")));
    for part in
        ["sandbox=\"allow-same-origin\"", "class=\"node gone\"", "Shop for gifts", "navigation or a list of links"]
    {
        assert!(tree.body.contains(part), "{part} is not in {}", tree.body);
    }
}

#[test]
fn the_search_page_leads_to_its_other_parts() {
    let site = Site::new();
    let first = site.get("/?q=water+OR+grain&pages=1").body;
    for part in [
        "href=\"?q=water+OR+grain&amp;offset=1&amp;pages=1\">More pages",
        "pages 1–1 · ",
        "href=\"?q=water+OR+grain+site%3Amuseum.example&amp;pages=1\"><bdi>museum.example</bdi></a> <small>2</small>",
        "href=\"?q=water+OR+grain&amp;pages=1&amp;sort=date\">Newest first",
    ] {
        assert!(first.contains(part), "{part} is not in {first}");
    }
    let second = site.get("/?q=water+OR+grain&pages=1&offset=1").body;
    assert!(second.contains("<ol class=\"pages\" start=\"2\">") && second.contains("Former pages"), "{second}");
    assert!(!second.contains("More pages"), "{second}");
}

#[test]
fn the_search_page_has_a_beginning_and_a_word_for_nothing() {
    let site = Site::new();
    let home = site.get("/").body;
    assert!(home.contains("<dd>2</dd><dt>pages</dt>") && home.contains("href=\"?q=Water+mills\""), "{home}");
    let nothing = site.get("/?q=%22zeppelin%22").body;
    assert!(nothing.contains("Nothing found") && nothing.contains("without the quotes"), "{nothing}");
    assert!(site.get("/?q=%3F%21").body.contains("The query holds no words"));
    let missing = site.get("/page/0");
    assert!(missing.status == 400 && missing.body.contains("is no page id"), "{}", missing.body);
    let empty = Site::with(&[]).get("/").body;
    assert!(empty.contains("Nothing is indexed yet"), "{empty}");
}

#[test]
fn archived_texts_never_become_markup() {
    let site = Site::new();
    let id = site.page_id("granary");
    for path in ["/", "/?q=granary+grain", &format!("/page/{id}"), "/?q=%22%3E%3Cscript%3Ealert(5)%3C/script%3E"] {
        let page = site.get(path).body;
        let own = page.matches("<script src=\"/").count()
            + page.matches("<script id=\"verdicts\" type=\"application/json\">").count();
        assert_eq!(page.matches("<script").count(), own, "only our own scripts in {path}: {page}");
        assert!(!page.contains("<img") && !page.contains("\" onmouseover"), "{path}: {page}");
    }
    let page = site.get("/?q=granary+dry").body;
    assert!(page.contains("&lt;img src=x onerror=alert(3)&gt;"), "shown as the text it is: {page}");
}

#[test]
fn only_web_addresses_are_linked() {
    let site = Site::with(&[("javascript:alert(1)//", MILL)]);
    let page = site.get("/?q=overshot").body;
    assert!(page.contains("Water mills - Museum"), "{page}");
    assert!(!page.contains("href=\"javascript") && !page.contains("Open at this place"), "{page}");
    let tree = site.get(&format!("/page/{}", site.page_id("overshot"))).body;
    assert!(tree.contains("javascript:alert(1)//") && !tree.contains("href=\"javascript"), "{tree}");
}

#[test]
fn every_answer_keeps_browsers_from_running_what_is_not_ours() {
    let site = Site::new();
    let policy = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; frame-src 'self'; \
                  form-action 'self'; base-uri 'self'; frame-ancestors 'none'";
    for path in ["/", "/?q=mill", "/style.css", "/search.js", "/v1/search?q=mill", "/nothing", "/page/0"] {
        let answer = site.get(path);
        assert_eq!(answer.header("content-security-policy"), Some(policy), "{path}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{path}");
        assert_eq!(answer.header("referrer-policy"), Some("same-origin"), "{path}");
    }
    let page = site.get("/").body;
    assert!(!page.contains(" style=") && !page.contains(" onclick="), "the policy would forbid it: {page}");
}

#[test]
fn long_and_wordless_queries_are_answered() {
    let site = Site::new();
    let long = "mill+".repeat(2000) + "wheel";
    for path in [format!("/v1/search?q={long}"), format!("/?q={long}")] {
        assert_eq!(site.get(&path).status, 200);
    }
    let notes = site.get(&format!("/v1/search?q={long}")).json()["notes"].to_string();
    assert!(notes.contains("text_cut"), "{notes}");
    let wordless = site.get("/v1/search?q=%3F%21%20%F0%9F").json();
    assert_eq!(wordless["total_blocks"], 0);
    assert!(wordless["notes"].to_string().contains("no_words"), "{wordless}");
}

#[test]
fn a_port_in_use_is_told() {
    let site = Site::new();
    let data = tempfile::tempdir().unwrap();
    let collection = Arc::new(DataFolder::open_to_write(data.path(), ExtractParams::default()).unwrap());
    let error = Server::bind(collection, ServeOptions { listen: site.address, ..options() }).err().unwrap();
    assert!(matches!(error, ServeError::AddressInUse { .. }), "{error:?}");
    assert!(error.to_string().contains("--listen"), "{error}");
}

#[test]
fn a_head_request_gets_the_head_only() {
    let site = Site::new();
    let answer = site.request("HEAD", "/v1/search?q=mill");
    assert_eq!((answer.status, &*answer.body), (200, ""));
}

#[test]
fn other_names_and_other_sites_are_refused() {
    let site = Site::new();
    let ask = |method: &str, path: &str, headers: &str| {
        site.send(&format!("{method} {path} HTTP/1.1\r\n{headers}Connection: close\r\nContent-Length: 0\r\n\r\n"))
    };
    let rebound = ask("GET", "/v1/search?q=mill", "Host: evil.example\r\n");
    assert_eq!(rebound.error(), (403, "host_not_allowed".to_owned()));
    assert!(rebound.header("Content-Security-Policy").is_some());
    assert_eq!(ask("GET", "/healthz", &format!("Host: {}\r\n", site.address)).status, 200);
    let delete = "/v1/pages?host=museum.example";
    for from in ["Origin: http://evil.example", "Origin: null", "Sec-Fetch-Site: cross-site"] {
        let answer = ask("DELETE", delete, &format!("Host: localhost\r\n{from}\r\n"));
        assert_eq!(answer.error(), (403, "origin_not_allowed".to_owned()), "{from}");
    }
    let own = ask("DELETE", &format!("{delete}&dry_run=true"), "Host: localhost:1\r\nOrigin: http://localhost:1\r\n");
    assert_eq!(own.status, 200, "{}", own.body);
    let named = ServeOptions { allowed_hosts: vec!["museum.example".to_owned()], ..options() };
    let data = tempfile::tempdir().unwrap();
    let collection = filled(data.path(), &[("http://museum.example/mills", MILL)]);
    let site = Site::serving(data, collection, named);
    let answer = site.send("GET /healthz HTTP/1.1\r\nHost: museum.example\r\nConnection: close\r\n\r\n");
    assert_eq!(answer.status, 200);
}

#[test]
fn pages_of_allowed_origins_read_answers_and_change_nothing() {
    let origin = "https://reader.example.org";
    let allowed = Origin::try_from(origin.to_owned()).unwrap();
    let data = tempfile::tempdir().unwrap();
    let collection = filled(data.path(), &[("http://museum.example/mills", MILL)]);
    let site = Site::serving(data, collection, ServeOptions { allowed_origins: vec![allowed], ..options() });
    let ask = |method: &str, path: &str, from: &str, more: &str| {
        let head = format!("Host: localhost\r\nOrigin: {from}\r\n{more}Connection: close\r\nContent-Length: 0\r\n");
        site.send(&format!("{method} {path} HTTP/1.1\r\n{head}\r\n"))
    };
    let told = |from: &str| {
        let answer = ask("GET", "/v1/search?q=mill", from, "");
        assert_eq!(answer.status, 200);
        answer.header("Access-Control-Allow-Origin").map(str::to_owned)
    };
    assert_eq!(told(origin).as_deref(), Some(origin));
    assert_eq!(told("https://evil.example"), None);
    let asked = "Access-Control-Request-Method: GET\r\nAccess-Control-Request-Headers: authorization\r\n";
    let first = ask("OPTIONS", "/v1/search?q=mill", origin, asked);
    assert_eq!((first.status, first.header("Access-Control-Allow-Origin")), (200, Some(origin)), "{}", first.body);
    let delete = ask("DELETE", "/v1/pages?host=museum.example", origin, "");
    assert_eq!(delete.error(), (403, "origin_not_allowed".to_owned()));
}

#[test]
fn pages_are_deleted_counted_first_and_kept_out_until_lifted() {
    let site = Site::new();
    let id = site.page_id("mill");
    let counted = site.request("DELETE", &format!("/v1/pages/{id}?dry_run=true"));
    assert_eq!((counted.status, counted.json()["pages"].as_u64()), (200, Some(1)));
    assert_eq!(site.get(&format!("/v1/pages/{id}")).status, 200);
    let deleted = site.request("DELETE", "/v1/pages?host=museum.example&note=by%20request").json();
    assert_eq!((deleted["pages"].as_u64(), deleted["takedown"]["number"].as_u64()), (Some(1), Some(1)), "{deleted}");
    assert_eq!(site.get(&format!("/v1/pages/{id}")).error(), (404, "page_not_found".to_owned()));
    assert_eq!(site.get("/v1/search?q=mill").json()["pages"].as_array().map(Vec::len), Some(0));
    let posted = site.post("/v1/pages?url=http://museum.example/new", "text/html", "<p>A new mill of the museum.");
    assert_eq!(posted.error(), (409, "taken_down".to_owned()));
    let listed = site.get("/v1/takedowns").json();
    assert_eq!(listed["takedowns"][0]["host"], "museum.example", "{listed}");
    assert_eq!(site.request("DELETE", "/v1/takedowns/1").status, 204);
    assert_eq!(site.request("DELETE", "/v1/takedowns/1").error(), (404, "takedown_not_found".to_owned()));
    let posted = site.post("/v1/pages?url=http://museum.example/new", "text/html", "<p>A new mill of the museum.");
    assert_eq!(posted.status, 201, "{}", posted.body);
}

#[test]
fn a_deletion_that_names_nothing_is_refused() {
    let site = Site::new();
    for (path, error) in [
        ("/v1/pages", (400, "bad_parameter")),
        ("/v1/pages?host=a.example&url=http://a.example/", (400, "bad_parameter")),
        ("/v1/pages?host=a%20b", (400, "bad_parameter")),
        ("/v1/pages?q=mil", (400, "bad_parameter")),
        ("/v1/pages?q=%22mill", (400, "bad_query")),
        ("/v1/pages?archive=none.warc", (404, "archive_not_found")),
        ("/v1/pages/00000000000000000000000000000000", (404, "page_not_found")),
    ] {
        assert_eq!(site.request("DELETE", path).error(), (error.0, error.1.to_owned()), "{path}");
    }
    assert_eq!(site.get("/v1/takedowns").json()["takedowns"].as_array().map(Vec::len), Some(0));
}
