//! Several collections behind one server.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use lopper::http::{CollectionSettings, ServeError, ServeOptions, Server as Bound};
use lopper::keys::{Keys, Scope};
use lopper_collection::DataFolder;
use lopper_content::pipeline::ExtractParams;
use serde_json::{Value, json};

use crate::http::{Site, options};
use crate::server::{Server, ask, wait_until};
use crate::support::{archive, lopper, run};

fn collection(folder: &Path) -> DataFolder {
    DataFolder::open_to_write(&folder.join("data"), ExtractParams::default()).unwrap()
}

/// A server with the collections `news` and `books` besides its own.
fn site(change: impl FnOnce(ServeOptions) -> ServeOptions) -> Site {
    let folder = tempfile::tempdir().unwrap();
    let news = CollectionSettings { data: Some(folder.path().join("elsewhere")), ..CollectionSettings::default() };
    let collections = BTreeMap::from([("news".to_owned(), news), ("books".to_owned(), CollectionSettings::default())]);
    let data = collection(folder.path());
    Site::serving(folder, data, change(ServeOptions { collections, ..options() }))
}

fn add(site: &Site, within: &str, url: &str, text: &str) -> Value {
    let html =
        format!("<html lang=en><title>{text}</title><main><h1>{text}</h1><p>All about {text}, day by day.</p></main>");
    let answer =
        site.post(&format!("{within}/pages"), "application/json", &json!({"url": url, "html": html}).to_string());
    assert_eq!(answer.status, 201, "{}", answer.body);
    let location = format!("{within}/pages/{}", answer.json()["page_id"].as_str().unwrap());
    assert_eq!(answer.header("location"), Some(location.as_str()));
    answer.json()
}

fn urls(answer: &Value) -> Vec<&str> {
    answer["pages"].as_array().unwrap().iter().map(|page| page["url"].as_str().unwrap()).collect()
}

fn names(site: &Site) -> Vec<(String, bool)> {
    let listed = site.get("/v1/collections").json();
    let listed = listed["collections"].as_array().unwrap().iter();
    listed.map(|told| (told["name"].as_str().unwrap().to_owned(), told["is_open"].as_bool().unwrap())).collect()
}

#[test]
fn each_collection_has_its_own_pages() {
    let site = site(|options| options);
    let listed = |open| ["default", "books", "news"].map(|name| (name.to_owned(), open || name == "default")).to_vec();
    assert_eq!(names(&site), listed(false), "they open when they are asked for");
    add(&site, "/v1", "http://own.example/", "windmills");
    let page = add(&site, "/v1/c/news", "http://news.example/", "windmills in the news");
    add(&site, "/v1/c/books", "http://books.example/", "windmills in books");
    assert_eq!(names(&site), listed(true));
    let found = |within: &str| site.get(&format!("{within}/search?q=windmills")).json();
    assert_eq!(urls(&found("/v1")), ["http://own.example/"]);
    assert_eq!(urls(&found("/v1/c/default")), ["http://own.example/"]);
    assert_eq!(urls(&found("/v1/c/news")), ["http://news.example/"]);
    assert_eq!(urls(&found("/v1/c/books")), ["http://books.example/"]);
    assert!(
        site.folder().join("elsewhere/LOPPER").exists() && site.folder().join("data/collections/books/LOPPER").exists()
    );
    let id = page["page_id"].as_str().unwrap();
    assert_eq!(site.get(&format!("/v1/c/news/pages/{id}/content")).status, 200);
    assert_eq!(site.get(&format!("/v1/pages/{id}")).error().0, 404, "it is of another collection");
    let deleted = site.with_headers("DELETE", "/v1/c/news/pages?host=news.example", "");
    assert_eq!(deleted.json()["pages"], 1);
    assert_eq!((urls(&found("/v1/c/news")).len(), urls(&found("/v1")).len()), (0, 1));
    for (path, error) in [
        ("/v1/c/none/search?q=a", (404, "collection_not_found")),
        ("/v1/c/../search?q=a", (404, "collection_not_found")),
        ("/v1/c/news", (404, "not_found")),
        ("/v1/c/news/collections", (404, "not_found")),
        ("/v1/c/news/c/books/search?q=a", (404, "not_found")),
    ] {
        assert_eq!(site.get(path).error(), (error.0, error.1.to_owned()), "{path}");
    }
    assert!(
        site.get("/metrics").body.contains("route=\"/v1/search\",method=\"GET\",status=\"200\"} 6"),
        "{}",
        site.get("/metrics").body
    );
}

#[test]
fn collections_that_nobody_asks_for_are_closed_and_open_again() {
    let site = site(|options| ServeOptions { collections_idle_max: Duration::ZERO, ..options });
    add(&site, "/v1/c/news", "http://news.example/", "windmills");
    wait_until("it is closed", || names(&site).iter().all(|(name, is_open)| name == "default" || !is_open));
    let alone = DataFolder::open_to_write(&site.folder().join("elsewhere"), ExtractParams::default());
    drop(alone.expect("it is let go of"));
    for _ in 0..3 {
        assert_eq!(urls(&site.get("/v1/c/news/search?q=windmills").json()).len(), 1);
    }
}

#[test]
fn no_more_are_open_than_allowed() {
    let site = site(|options| ServeOptions { collections_open_max: 1, ..options });
    for number in 0..4 {
        for name in ["news", "books"] {
            add(&site, &format!("/v1/c/{name}"), &format!("http://{name}.example/{number}"), "windmills");
            let open = names(&site).into_iter().filter(|(name, is_open)| *is_open && name != "default").count();
            assert_eq!(open, 1);
        }
    }
    for name in ["news", "books"] {
        assert_eq!(urls(&site.get(&format!("/v1/c/{name}/search?q=windmills")).json()).len(), 4, "{name}");
    }
}

#[test]
fn one_search_goes_over_several() {
    let site = site(|options| options);
    for number in 0..3 {
        add(&site, "/v1/c/news", &format!("http://news.example/{number}"), &format!("windmills {number}"));
    }
    add(&site, "/v1/c/books", "http://books.example/", "windmills");
    let all = site.get("/v1/collections/search?q=windmills").json();
    let places: Vec<(&str, u64)> = all["pages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|page| (page["collection"].as_str().unwrap(), page["place"].as_u64().unwrap()))
        .collect();
    assert_eq!(places, [("books", 1), ("news", 1), ("news", 2), ("news", 3)], "{all}");
    let first = &all["pages"][0];
    assert!(
        (first["place_score"].as_f64().unwrap() - 1.0 / 61.0).abs() < 1e-6 && first["blocks"][0]["text"].is_string()
    );
    assert_eq!((&all["collections"][2]["name"], &all["collections"][2]["total_blocks"]), (&"news".into(), &3.into()));
    let part = site.get("/v1/collections/search?q=windmills&pages=2&offset=1").json();
    assert_eq!(part["pages"], json!([all["pages"][1], all["pages"][2]]));
    assert_eq!((&part["next_offset"], &all["next_offset"]), (&3.into(), &Value::Null));
    let some = site.get("/v1/collections/search?q=windmills&collections=books,default").json();
    assert_eq!(urls(&some), ["http://books.example/"]);
    for (more, error) in [
        ("&collections=books,none", (404, "collection_not_found")),
        ("&facets=true", (400, "bad_parameter")),
        ("&pages=900&offset=200", (400, "bad_parameter")),
        ("&collections=a&collections=b", (400, "bad_parameter")),
    ] {
        let answer = site.get(&format!("/v1/collections/search?q=windmills{more}"));
        assert_eq!(answer.error(), (error.0, error.1.to_owned()), "{more}");
    }
}

#[test]
fn a_key_is_for_its_collections() {
    let site = site(|options| options);
    for (name, text) in [("news", "windmills in the news"), ("books", "windmills in books")] {
        add(&site, &format!("/v1/c/{name}"), &format!("http://{name}.example/"), text);
    }
    let data = site.folder().join("data");
    let mut keys = Keys::read(&data).unwrap();
    let own = keys.add("own", &[Scope::Admin], 0, None).unwrap();
    keys.bind_last(vec!["news".to_owned()]);
    let all = keys.add("all", &[Scope::Admin], 0, None).unwrap();
    keys.write(&data).unwrap();
    let status = |key: &str, method: &str, path: &str| {
        site.with_headers(method, path, &format!("Authorization: Bearer {key}\r\n")).status
    };
    for (path, wanted) in [
        ("/v1/c/news/search?q=windmills", 200),
        ("/v1/c/books/search?q=windmills", 403),
        ("/v1/c/none/search?q=windmills", 403),
        ("/v1/c/default/search?q=windmills", 403),
        ("/v1/search?q=windmills", 403),
        ("/", 403),
        ("/metrics", 403),
        ("/v1/collections/search?q=windmills&collections=books", 403),
        ("/v1/openapi.json", 200),
        // What its collection's pages refer to.
        ("/c/news/?q=windmills", 200),
        ("/style.css", 200),
        ("/search.js", 200),
        ("/docs", 200),
    ] {
        assert_eq!(status(&own, "GET", path), wanted, "{path}");
        assert!([200, 404].contains(&status(&all, "GET", path)), "{path}");
    }
    assert_eq!(status(&own, "GET", "/page/x.js"), 403, "a page, whatever its name");
    let of_own = |path: &str| site.with_headers("GET", path, &format!("Authorization: Bearer {own}\r\n")).json();
    assert_eq!(of_own("/v1/collections")["collections"].as_array().unwrap().len(), 1);
    assert_eq!(urls(&of_own("/v1/collections/search?q=windmills")), ["http://news.example/"]);
    assert_eq!(status(&own, "DELETE", "/v1/c/books/pages?host=books.example"), 403);
    assert_eq!(status(&own, "POST", "/v1/collections"), 403, "it makes no others");
    assert_eq!(status(&all, "POST", "/v1/collections"), 415);
}

#[test]
fn collections_are_made_over_http_and_stay() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("lopper.toml"), "[collections.news]\n[collections.news.extract]\nprune = 'paper'\n")
        .unwrap();
    let serve = || {
        let mut command = lopper(folder.path());
        command.args(["serve", "--data", "data", "--listen", "127.0.0.1:0"]);
        Server::of(command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap())
    };
    let ask = |server: &Server, path: &str, body: &str| {
        let length = body.len();
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n"
        );
        let (status, answer) =
            crate::server::ask(&server.address, &format!("{head}connection: close\r\n\r\n{body}")).unwrap();
        (status, serde_json::from_str::<Value>(&answer).unwrap())
    };
    let mut server = serve();
    let weights = json!({"version": "own", "weights": {"bm25f": 1.0}});
    let made = json!({"name": "old", "extract": {"prune": "everything"}, "weights": weights}).to_string();
    assert_eq!(ask(&server, "/v1/collections", &made).0, 201);
    assert_eq!(ask(&server, "/v1/collections", &made).1["code"], "collection_exists");
    for (body, code) in [
        (r#"{"name": "default"}"#, "collection_exists"),
        (r#"{"name": "../x"}"#, "bad_parameter"),
        (r#"{"name": "x", "extract": {"prune": "best"}}"#, "bad_body"),
        (r#"{"name": "x", "data": "/tmp"}"#, "bad_body"),
        ("{}", "bad_body"),
    ] {
        assert_eq!(ask(&server, "/v1/collections", body).1["code"], code, "{body}");
    }
    let page = json!({"url": "http://old.example/", "html": crate::server::html("windmills")}).to_string();
    assert_eq!(ask(&server, "/v1/c/old/pages", &page).0, 201);
    assert_eq!(ask(&server, "/v1/c/news/pages", &page).0, 201);
    server.kill();
    let server = serve();
    assert_eq!(server.get("/v1/collections").unwrap().1["collections"].as_array().unwrap().len(), 3);
    let found = server.get("/v1/c/old/search?q=windmills&explain=true").unwrap().1;
    assert_eq!(urls(&found), ["http://old.example/"]);
    let parts = found["pages"][0]["blocks"][0]["explanation"]["parts"].as_array().unwrap();
    assert_eq!(
        parts.iter().map(|part| part["name"].as_str().unwrap()).collect::<Vec<_>>(),
        ["bm25f"],
        "its own ranking"
    );
    let rule = |within: &str| {
        let hits = server.get(&format!("{within}/search?q=windmills")).unwrap().1;
        let id = hits["pages"][0]["page_id"].as_str().unwrap().to_owned();
        server.get(&format!("{within}/pages/{id}/tree")).unwrap().1["rule"].clone()
    };
    assert_eq!((rule("/v1/c/old"), rule("/v1/c/news")), ("everything".into(), "paper".into()), "its own settings");
    fs::write(folder.path().join("lopper.toml"), "[collections.\"No Name\"]\n").unwrap();
    let refused = run(folder.path(), ["serve", "--data", "other", "--listen", "127.0.0.1:0"]);
    assert!(refused.code == Some(1) && refused.err.contains("no collection can be called `No Name`"), "{refused:?}");
}

#[test]
fn a_collection_of_the_settings_is_not_called_default() {
    let folder = tempfile::tempdir().unwrap();
    let collections = BTreeMap::from([("default".to_owned(), CollectionSettings::default())]);
    let refused = Bound::bind(collection(folder.path()).into(), ServeOptions { collections, ..options() }).err();
    assert!(matches!(refused, Some(ServeError::CollectionName { .. })), "{refused:?}");
}

#[test]
fn people_look_at_each_collection() {
    let site = site(|options| options);
    add(&site, "/v1", "http://own.example/", "windmills");
    let page = add(&site, "/v1/c/news", "http://news.example/", "windmills in the news");
    for address in ["/c/news", "/c/news/"] {
        let home = site.get(address).body;
        assert!(home.contains("<base href=\"/c/news/\">") && home.contains("<dd>1</dd><dt>page</dt>"), "{home}");
    }
    let results = site.get("/c/news/?q=windmills").body;
    assert!(results.contains("news.example") && !results.contains("own.example"), "{results}");
    for link in ["<a href=\"/?q=windmills\">default</a>", "<a href=\"/c/books/?q=windmills\">books</a>", "href=\"page/"]
    {
        assert!(results.contains(link), "no {link} in {results}");
    }
    let id = page["page_id"].as_str().unwrap();
    let seen = site.get(&format!("/c/news/page/{id}")).body;
    assert!(seen.contains(&format!("src=\"page/{id}/frame")), "{seen}");
    assert_eq!(site.get(&format!("/c/news/page/{id}/frame")).status, 200);
    assert_eq!(site.get(&format!("/c/news/v1/pages/{id}/tree")).status, 200);
    assert_eq!(site.get(&format!("/page/{id}")).status, 404, "it is of another collection");
    let dated = site.get("/c/news/?q=mills&from=2008&to=");
    assert_eq!((dated.status, dated.header("location")), (303, Some("/c/news/?q=mills+date%3A2008..")));
    let former = site.get(&format!("/c/news/pages/{id}"));
    assert_eq!(former.header("location"), Some(format!("/c/news/page/{id}").as_str()));
    let missing = site.get("/c/none/");
    assert!(missing.status == 404 && missing.body.contains("there is no collection `none`"), "{}", missing.body);
}

#[cfg(unix)]
#[test]
fn an_ingest_is_handed_to_the_server_that_has_the_collection_open() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let post = |path: &str, body: &Value| {
        let body = body.to_string();
        let head = format!("POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n");
        let length = body.len();
        ask(&server.address, &format!("{head}content-length: {length}\r\nconnection: close\r\n\r\n{body}")).unwrap().0
    };
    assert_eq!(post("/v1/collections", &json!({"name": "news"})), 201);
    let page = json!({"url": "http://e.example/before", "html": "<p>What was there before, in the old words.</p>"});
    assert_eq!(post("/v1/c/news/pages", &page), 201);
    let file = archive("sbeckeriv-warc_nom_parser__bbc.warc");
    let ingest = || run(folder.path(), ["ingest", "--data", "data/collections/news", file.to_str().unwrap()]);
    let handed = ingest();
    assert!(handed.err.contains("a server has data/collections/news: it ingests"), "{handed:?}");
    handed.success();
    assert!(ingest().success().contains("already ingested"));
    let blocks = |path: &str| server.get(path).unwrap().1["total_blocks"].as_u64().unwrap();
    assert!(blocks("/v1/c/news/search?q=news") > 0 && blocks("/v1/search?q=news") == 0);
}

#[test]
fn what_was_made_can_be_removed_and_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let news = CollectionSettings::default();
    let collections = BTreeMap::from([("books".to_owned(), news)]);
    let data = collection(folder.path());
    let at = folder.path().join("data/collections");
    let site = Site::serving(folder, data, ServeOptions { collections, ..options() });
    let make = || site.post("/v1/collections", "application/json", r#"{"name": "search"}"#).status;
    assert_eq!(make(), 201);
    add(&site, "/v1/c/search", "http://e.example/", "windmills");
    assert!(at.join("search").is_dir());
    assert_eq!(site.request("DELETE", "/v1/collections/search").status, 204);
    assert_eq!(names(&site), [("default".to_owned(), true), ("books".to_owned(), false)]);
    assert!(fs::read_dir(&at).unwrap().next().is_none(), "nothing is left on disk");
    assert_eq!(site.get("/v1/c/search/search?q=windmills").error(), (404, "collection_not_found".to_owned()));
    assert_eq!(site.request("DELETE", "/v1/collections/search").error(), (404, "collection_not_found".to_owned()));
    for kept in ["default", "books"] {
        let refused = site.request("DELETE", &format!("/v1/collections/{kept}")).error();
        assert_eq!(refused, (409, "collection_kept".to_owned()), "{kept}");
    }
    assert_eq!(make(), 201);
    assert_eq!(urls(&site.get("/v1/c/search/search?q=windmills").json()), [""; 0]);
    assert_eq!(site.request("DELETE", "/v1/collections/search").status, 204);
    // A collection that was never opened has no folder yet.
    assert_eq!((make(), site.request("DELETE", "/v1/collections/search").status), (201, 204));
}

#[test]
fn a_removal_that_a_crash_stopped_is_ended() {
    let folder = tempfile::tempdir().unwrap();
    let data = collection(folder.path());
    let at = folder.path().join("data/collections");
    fs::create_dir_all(at.join("news.gone/index")).unwrap();
    fs::write(at.join("news.json"), "{}").unwrap();
    fs::write(at.join("other.json"), "{}").unwrap();
    let site = Site::serving(folder, data, options());
    assert_eq!(names(&site), [("default".to_owned(), true), ("other".to_owned(), false)]);
    assert!(!at.join("news.gone").exists() && !at.join("news.json").exists());
}
