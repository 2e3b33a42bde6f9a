//! Extraction, content, citations and batches over HTTP.

use std::collections::BTreeSet;
use std::fs;

use serde_json::{Value, json};

use crate::http::Site;
use crate::support::{check_file, repository};

const PAGE: &str = "<html lang=en><title>Kilns</title><nav><a href=/a>Shop</a> <a href=/b>Jobs</a></nav><main><h1>Kilns</h1>\
    <p>A kiln dries hops over a slow fire, and has <a href=/draught>a draught</a> from below all night long.</p></main>";

fn extracted(site: &Site, body: &Value) -> Value {
    let answer = site.post("/v1/extract", "application/json", &body.to_string());
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.json()
}

#[test]
fn a_page_is_extracted_by_any_method_and_not_stored() {
    let site = Site::new();
    let page = extracted(&site, &json!({"html": PAGE, "url": "http://hops.example/kilns"}));
    assert_eq!((&page["title"], &page["method"]), (&"Kilns".into(), &"lopper".into()));
    let text = page["text"].as_str().unwrap();
    assert!(text.contains("A kiln dries hops") && !text.contains("Jobs"), "{text}");
    let markdown = extracted(&site, &json!({"html": PAGE, "url": "http://hops.example/kilns", "format": "markdown"}));
    assert!(markdown["markdown"].as_str().unwrap().contains("[a draught](http://hops.example/draught)"), "{markdown}");
    assert_eq!(markdown["text"], Value::Null);
    let all = extracted(&site, &json!({"html": PAGE, "method": "full-text", "links": "drop", "format": "html"}));
    let html = all["html"].as_str().unwrap();
    assert!(html.contains("Jobs") && !html.contains("<a "), "{html}");
    let typed = extracted(&site, &json!({"html": PAGE, "format": "json", "blocks": true}));
    assert!(typed["content"].is_array() && typed["blocks"][0]["kept"].is_boolean(), "{typed}");
    let bare = site.post("/v1/extract?format=tei&url=http://hops.example/", "text/html", PAGE);
    assert!(bare.json()["tei"].as_str().unwrap().starts_with("<TEI"), "{}", bare.body);
    assert_eq!(site.get("/v1/search?q=kiln").json()["total_blocks"], 0, "nothing is stored");
    for (content_type, body, status) in [
        ("text/plain", PAGE.to_owned(), 415),
        ("application/json", json!({"html": PAGE, "method": "best"}).to_string(), 400),
        ("application/json", json!({"html": PAGE, "format": "pdf"}).to_string(), 400),
        ("application/json", json!({"url": "http://e.org/"}).to_string(), 400),
        ("application/json", json!({"html": " "}).to_string(), 422),
        ("application/json", "{".to_owned(), 400),
    ] {
        let answer = site.post("/v1/extract", content_type, &body);
        assert_eq!(answer.error().0, status, "{body}");
    }
}

#[test]
fn bodies_are_told_by_their_type_in_any_case_and_never_compressed() {
    let site = Site::new();
    let page = json!({"html": PAGE}).to_string();
    assert_eq!(site.post("/v1/extract", "Application/JSON", &page).status, 200);
    assert_eq!(site.post("/v1/extract", "Text/HTML", PAGE).status, 200);
    let archive = site.post("/v1/archives?name=x.warc", "Application/Octet-Stream", "");
    assert_eq!(archive.status, 422, "{}", archive.body);
    for (path, content_type, body) in [
        ("/v1/search", "application/json", r#"{"q": "kiln"}"#),
        ("/v1/extract", "application/json", &page),
        ("/v1/pages?url=http://e.org/", "text/html", PAGE),
        ("/v1/archives?name=x.warc", "application/octet-stream", "WARC/1.0"),
    ] {
        let answer = site.post(path, &format!("{content_type}\r\nContent-Encoding: gzip"), body);
        assert_eq!(answer.error().0, 415, "{path}: {}", answer.body);
    }
}

#[test]
fn a_least_coverage_is_refused_where_none_is_known() {
    let site = Site::new();
    assert_eq!(site.get("/v1/search?q=overshot&min_coverage=0").status, 200);
    for more in ["sort=date", "ranking=bm25"] {
        let answer = site.get(&format!("/v1/search?q=overshot&min_coverage=0.5&{more}"));
        assert_eq!(answer.error().0, 400, "{more}: {}", answer.body);
        assert_eq!(site.get(&format!("/v1/search?q=overshot&{more}")).status, 200);
    }
}

#[test]
fn messages_of_no_protocol_are_told() {
    let site = Site::new();
    let say = |body: &str| site.post("/v1/mcp", "application/json", body);
    for body in ["not json", "{}", "[]", ""] {
        assert_eq!(say(body).error().0, 400, "{body}");
    }
    let wrong = say(r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"search","arguments":[]}}"#);
    let wrong = wrong.json();
    assert_eq!((&wrong["id"], &wrong["error"]["code"]), (&json!(7), &json!(-32602)), "{wrong}");
    let asked = json!({"query": "overshot", "pages": "1", "max_tokens": 300.0, "as_of": null});
    let call =
        json!({"jsonrpc": "2.0", "id": 8, "method": "tools/call", "params": {"name": "search", "arguments": asked}});
    let answer = say(&call.to_string()).body;
    for told in ["block_id: ", "url: ", "archive: "] {
        assert!(answer.contains(told), "{answer}");
    }
    let wrong = call.to_string().replace("\"1\"", "\"one\"");
    assert!(say(&wrong).body.contains("it must be a whole number"), "{}", say(&wrong).body);
}

#[test]
fn a_page_of_the_collection_is_given_as_text() {
    let site = Site::new();
    let id = site.page_id("overshot");
    let content = |format: &str| site.get(&format!("/v1/pages/{id}/content?format={format}"));
    let markdown = content("markdown");
    assert_eq!(markdown.header("content-type"), Some("text/markdown; charset=utf-8"));
    assert!(markdown.body.contains("## The overshot wheel") && !markdown.body.contains("Jobs"), "{}", markdown.body);
    let html = content("html");
    assert!(html.body.contains("<h2>The overshot wheel</h2>"), "{}", html.body);
    assert!(html.header("content-security-policy").unwrap().contains("sandbox"));
    assert!(content("text").header("etag").is_some() && content("json").json()["content"].is_array());
    let evil = site.get(&format!("/v1/pages/{}/content?format=html", site.page_id("granary"))).body;
    assert!(evil.contains("Granary") && !evil.contains("<script"), "{evil}");
    assert_eq!(content("pdf").error(), (400, "bad_parameter".to_owned()));
    fs::remove_file(site.folder().join("pages.warc")).unwrap();
    assert_eq!(content("text").error(), (404, "body_not_found".to_owned()));
}

#[test]
fn a_citation_is_checked_against_the_archive() {
    let site = Site::new();
    let hit = site.get("/v1/search?q=overshot").json()["pages"][0].clone();
    let source = &hit["source"];
    assert_eq!((&source["archive"], &source["record_id"]), (&"pages.warc".into(), &"<urn:uuid:1>".into()));
    assert_eq!(hit["replay_url"], "https://web.archive.org/web/20080430204825/http://museum.example/mills");
    let path = format!("/v1/cite/{}", hit["blocks"][0]["block_id"].as_str().unwrap());
    let cited = site.get(&path).json();
    assert_eq!((&cited["verification"], &cited["checked_in"]), (&"verified".into(), &"archive".into()), "{cited}");
    assert_eq!((&cited["quote"], &cited["source"]), (&hit["blocks"][0]["text"], source));
    assert_eq!(cited["locator"], hit["blocks"][0]["locator"]);
    let archive = site.folder().join("pages.warc");
    let former = fs::read_to_string(&archive).unwrap();
    fs::write(&archive, former.replace("turns slowly", "turns nicely")).unwrap();
    assert_eq!(site.get(&path).json()["verification"], "not_at_hand", "the archive has another text by now");
    fs::write(&archive, former).unwrap();
    assert_eq!(site.get(&path).json()["verification"], "verified");
    fs::remove_file(&archive).unwrap();
    assert_eq!(site.get(&path).json()["verification"], "not_at_hand");
    assert_eq!(site.get("/v1/cite/none").error(), (404, "block_not_found".to_owned()));
}

#[test]
fn no_answer_tells_a_path_of_the_server() {
    let site = Site::new();
    let folder = site.folder().to_string_lossy().into_owned();
    let id = site.page_id("overshot");
    for path in [
        "/v1/search?q=mill&explain=true".to_owned(),
        format!("/v1/pages/{id}"),
        format!("/v1/pages/{id}/tree"),
        format!("/page/{id}"),
        "/ingest".to_owned(),
        "/healthz".to_owned(),
        "/metrics".to_owned(),
        "/v1/jobs".to_owned(),
    ] {
        let answer = site.get(&path);
        assert!(answer.status == 200 && !answer.body.contains(&folder), "{path}: {}", answer.body);
    }
    let records = site.get("/ingest").body;
    let archive = records.split("\"ingest?archive=").nth(1).unwrap()[..32].to_owned();
    let answer = site.get(&format!("/ingest?archive={archive}"));
    assert!(answer.body.contains("pages.warc") && !answer.body.contains(&folder), "{}", answer.body);
}

#[test]
fn long_queries_and_many_pages_are_asked_for_by_post() {
    let site = Site::new();
    let body = json!({"q": "overshot", "pages": 1, "facets": true}).to_string();
    let mut posted = site.post("/v1/search", "application/json", &body).json();
    let mut got = site.get("/v1/search?q=overshot&pages=1&facets=true").json();
    (posted["duration_ms"], got["duration_ms"]) = (Value::Null, Value::Null);
    assert_eq!(posted, got);
    assert_eq!(site.post("/v1/search", "text/plain", &body).error().0, 415);
    let id = site.page_id("overshot");
    let missing = "0123456789abcdef0123456789abcdef";
    let body = json!({"ids": [id, missing, "x"]}).to_string();
    let pages = site.post("/v1/pages/batch", "application/json", &body).json()["pages"].clone();
    assert_eq!(pages[0], site.get(&format!("/v1/pages/{id}")).json());
    assert_eq!((&pages[1]["page_id"], &pages[1]["error"]["code"]), (&missing.into(), &"page_not_found".into()));
    assert_eq!(pages[2]["error"]["code"], "bad_page_id");
    let many = json!({"ids": vec![missing; 101]}).to_string();
    assert_eq!(site.post("/v1/pages/batch", "application/json", &many).error().0, 413);
}

#[test]
fn people_are_shown_the_interface() {
    let site = Site::new();
    let page = site.get("/docs");
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")));
    assert!(page.header("content-security-policy").unwrap().starts_with("default-src 'none'"));
    let document = site.get("/v1/openapi.json").json();
    for path in document["paths"].as_object().unwrap().keys() {
        assert!(page.body.contains(&format!("<code>{path}</code>")), "{path} is not shown");
    }
    let elsewhere: Vec<&str> = page.body.split('"').filter(|text| text.starts_with("http")).collect();
    assert!(elsewhere.is_empty(), "{elsewhere:?}");
}

#[test]
fn the_description_is_that_of_the_routes() {
    let site = Site::new();
    let document = site.get("/v1/openapi.json").json();
    assert_eq!(document["openapi"], "3.1.0");
    let written = serde_json::to_string_pretty(&document).unwrap() + "\n";
    check_file(&repository("docs/openapi.json"), &written).unwrap();
    let paths = document["paths"].as_object().unwrap();
    let described: BTreeSet<&str> = paths.keys().map(String::as_str).collect();
    let routes = fs::read_to_string(repository("src/http/routes.rs")).unwrap();
    let is_programs = |text: &&str| text.starts_with("/v1/") || ["/healthz", "/readyz", "/metrics"].contains(text);
    let there: BTreeSet<&str> = routes.split('"').filter(is_programs).collect();
    assert_eq!(there, described, "each route for programs is described, and no other");
    for (path, methods) in paths {
        let address = path.replace("{number}", "7").replace(['{', '}'], "");
        let described: Vec<String> = methods.as_object().unwrap().keys().map(|method| method.to_uppercase()).collect();
        for method in ["GET", "POST", "DELETE"] {
            if (method, path.as_str()) == ("DELETE", "/v1/collections/search") {
                // That is of a collection called `search`.
                continue;
            }
            let answer = site.with_headers(method, &address, "Content-Length: 0\r\n");
            let is_there = answer.status != 405 && !answer.body.contains("\"code\":\"not_found\"");
            assert_eq!(is_there, described.iter().any(|known| known == method), "{method} {path}: {}", answer.body);
        }
    }
}
