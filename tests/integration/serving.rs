//! A collection in an engine: pushed there, killed on the way, and served by nodes that have nothing of their own.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use lopper::eval::retrieval::{Contender, JudgedQuery, Metric, QueryScore, read_judged, score_queries};
use lopper_collection::DataFolder;
use lopper_collection::push::{PushReport, push};
use lopper_collection::search::{QueryPruning, SearchEngine, SearchRequest, SearchResponse};
use lopper_engine_fake::{FakeEngine, Kind};
use lopper_index::{QueryNote, Ranking};
use lopper_remote::{EngineKind, RemoteEngine, RemoteSettings};
use serde_json::Value;

use crate::server::{Server, ask};
use crate::support::{lopper, repository, run};

const DEMO: &str = "demo/data-gov-uk-2014.warc.gz";

const KINDS: [(Kind, EngineKind); 2] =
    [(Kind::Quickwit, EngineKind::Quickwit), (Kind::Elasticsearch, EngineKind::Elasticsearch)];

fn settings(kind: EngineKind, fake: &FakeEngine) -> RemoteSettings {
    RemoteSettings::new(kind, fake.url(), "lopper")
}

/// The program with the settings of an engine.
fn with_engine(folder: &Path, kind: EngineKind, fake: &FakeEngine) -> Command {
    let mut command = lopper(folder);
    command.env("LOPPER_INDEX_KIND", kind.name()).env("LOPPER_INDEX_URL", fake.url());
    command
}

/// The demo's archive, worked off by four workers at a time and ingested into `data`.
fn demo(folder: &Path) {
    let bytes = std::fs::metadata(repository(DEMO)).unwrap().len();
    let workers = (0..4).map(|number| {
        let range = [bytes * number / 4, bytes * (number + 1) / 4];
        let job = serde_json::json!({"archive": repository(DEMO), "range": range});
        let mut worker = lopper(folder);
        worker.args(["worker", "--output", "parts"]).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut worker = worker.spawn().unwrap();
        worker.stdin.take().unwrap().write_all(format!("{job}\n").as_bytes()).unwrap();
        worker
    });
    for mut worker in workers.collect::<Vec<_>>() {
        assert!(worker.wait().unwrap().success());
    }
    run(folder, ["ingest", "--data", "data", "--progress", "none", "parts"]).success();
}

fn pushed(folder: &DataFolder, kind: EngineKind, fake: &FakeEngine) -> PushReport {
    let engine = RemoteEngine::open_or_create(settings(kind, fake)).unwrap();
    let mut writer = engine.writer().unwrap();
    push(folder, &mut writer, &engine, &mut |_| {}).unwrap()
}

/// Answers from an engine, with nothing here but an empty folder.
fn elsewhere(scratch: &Path, kind: EngineKind, fake: &FakeEngine) -> SearchEngine {
    let engine = Arc::new(RemoteEngine::open(settings(kind, fake)).unwrap());
    SearchEngine::new(Arc::new(DataFolder::open_elsewhere(scratch, engine.clone(), engine).unwrap())).unwrap()
}

/// Names of the first ten blocks.
fn first_ten(engine: &SearchEngine, query: &str) -> Vec<String> {
    let request = SearchRequest { blocks_per_page: 1, ..SearchRequest::new(query) };
    let blocks = engine.run(&request, engine.weights()).unwrap();
    blocks.into_iter().map(|block| block.document.block_id).collect()
}

fn ndcg(engine: &SearchEngine, queries: &[JudgedQuery]) -> f64 {
    let scores: Vec<QueryScore> = score_queries(engine, queries, &Contender::new(Ranking::Blend)).unwrap();
    let known: Vec<f64> = scores.iter().filter_map(|score| score.of(Metric::Ndcg10)).collect();
    known.iter().sum::<f64>() / known.len() as f64
}

#[test]
fn an_engine_answers_like_the_one_inside() {
    let folder = tempfile::tempdir().unwrap();
    demo(folder.path());
    let data = Arc::new(DataFolder::open_to_read(&folder.path().join("data")).unwrap());
    let embedded = SearchEngine::new(Arc::clone(&data)).unwrap();
    let judged = repository("tests/quality/retrieval");
    let judged = read_judged(&judged.join("queries.jsonl"), &judged.join("qrels.jsonl")).unwrap();
    assert!(judged.len() > 10);
    for (kind, own) in KINDS {
        let fake = FakeEngine::start(kind);
        let report = pushed(&data, own, &fake);
        assert_eq!((report.refused, report.deleted, report.unchanged), (0, 0, 0));
        assert_eq!(report.pages, data.stats().distinct_pages);
        let scratch = tempfile::tempdir().unwrap();
        let engine = elsewhere(scratch.path(), own, &fake);
        assert_eq!(engine.folder().stats(), data.stats());
        let mut shares = Vec::new();
        for JudgedQuery { query, .. } in &judged {
            let (a, b) = (first_ten(&embedded, &query.query), first_ten(&engine, &query.query));
            let same = a.iter().filter(|block| b.contains(block)).count();
            shares.push(same as f64 / a.len().max(b.len()).max(1) as f64);
        }
        let share = shares.iter().sum::<f64>() / shares.len() as f64;
        assert!(share >= 0.9, "{own}: {share} of the first ten are the same");
        let (of_embedded, of_engine) = (ndcg(&embedded, &judged), ndcg(&engine, &judged));
        assert!((of_embedded - of_engine).abs() <= 0.005, "{own}: nDCG@10 {of_embedded} and {of_engine}");
        check_same_answer(&embedded, &engine);
    }
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap()
}

/// All that is told of the first answer: pruned pages, explanations, facets, captures.
fn check_same_answer(embedded: &SearchEngine, engine: &SearchEngine) {
    let request = SearchRequest {
        prune: Some(QueryPruning::Tree(lopper_content::prune::PruneRule::Paper)),
        facets: true,
        explain: true,
        pages: 5,
        ..SearchRequest::new("open data licence")
    };
    let [a, b] = [embedded, engine].map(|engine| engine.search(&request).unwrap());
    assert!(!a.pages.is_empty());
    let told = |answer: &SearchResponse| -> Vec<[String; 5]> {
        let page = |page: &lopper_collection::search::PageHit| {
            let blocks: Vec<&str> = page.blocks.iter().map(|block| block.block_id.as_str()).collect();
            [page.page_id.clone(), blocks.join(" "), json(&page.pruned), json(&page.source), json(&page.captures)]
        };
        answer.pages.iter().map(page).collect()
    };
    assert_eq!(told(&a), told(&b));
    assert_eq!(a.facets, b.facets);
    for page in &a.pages {
        let id = page.page_id.parse().unwrap();
        assert_eq!(embedded.page_view(id).unwrap(), engine.page_view(id).unwrap());
        let [one, other] = [embedded, engine].map(|engine| engine.folder().tree(id).unwrap().unwrap().encode());
        assert!(one == other, "the tree of {id}");
        assert_eq!(embedded.folder().captures(&page.url).unwrap(), engine.folder().captures(&page.url).unwrap());
        let limits = lopper_content::limits::Limits::default();
        let cited = |engine: &SearchEngine| engine.cite(&page.blocks[0].block_id, &limits).unwrap().unwrap();
        assert_eq!(cited(embedded).verification, cited(engine).verification);
    }
    let mended = engine.search(&SearchRequest::new("goverment licens*")).unwrap();
    let words = vec!["goverment".to_owned(), "licens*".to_owned()];
    assert!(mended.notes.contains(&QueryNote::NoPatterns { words }), "{:?}", mended.notes);
}

/// What a collection in an engine holds, page by page.
fn content(kind: EngineKind, fake: &FakeEngine, pages: &[lopper_content::PageId]) -> Vec<String> {
    let scratch = tempfile::tempdir().unwrap();
    let engine = elsewhere(scratch.path(), kind, fake);
    assert_eq!(engine.folder().searcher().documents_by_page().unwrap().len(), pages.len(), "each page is there once");
    let page = |id: &lopper_content::PageId| serde_json::to_string(&engine.page_view(*id).unwrap().unwrap()).unwrap();
    pages.iter().map(page).collect()
}

#[test]
fn a_push_that_dies_at_any_point_goes_on_to_the_same_end() {
    let folder = tempfile::tempdir().unwrap();
    demo(folder.path());
    let data = DataFolder::open_to_read(&folder.path().join("data")).unwrap();
    let pages: Vec<_> = data.store().pages().map(|page| page.unwrap().id).collect();
    let undisturbed = FakeEngine::start(Kind::Quickwit);
    pushed(&data, EngineKind::Quickwit, &undisturbed);
    let expected = content(EngineKind::Quickwit, &undisturbed, &pages);
    for (kind, own) in KINDS {
        let fake = FakeEngine::start(kind);
        for point in ["push.page:1", "push.page:20", "push.before-commit:1", "push.committed:1"] {
            let mut push = with_engine(folder.path(), own, &fake);
            push.args(["push", "--data", "data"]).env("LOPPER_FAILPOINT", point);
            let status = push.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
            assert!(!status.success(), "{point} is passed");
            fake.crash();
        }
        let again = pushed(&data, own, &fake);
        assert_eq!((again.pages, again.unchanged), (0, pages.len() as u64), "the last one died behind its commit");
        assert!(content(own, &fake, &pages) == expected, "{own}");
    }
}

#[test]
fn a_page_that_the_engine_refused_is_put_by_the_next_push() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), ["ingest", "--data", "data", "--progress", "none", repository(DEMO).to_str().unwrap()])
        .success();
    let data = DataFolder::open_to_read(&folder.path().join("data")).unwrap();
    let pages: Vec<lopper_content::PageId> = data.store().pages().map(|page| page.unwrap().id).collect();
    let refused = pages[pages.len() / 2];
    for (kind, own) in KINDS {
        let (fake, sound) = (FakeEngine::start(kind), FakeEngine::start(kind));
        pushed(&data, own, &sound);
        fake.refuse_documents_with(Some(&refused.to_string()));
        for _ in 0..2 {
            let report = pushed(&data, own, &fake);
            assert!(report.refused > 2, "its blocks, its document and its row: {report:?}");
        }
        fake.refuse_documents_with(None);
        let report = pushed(&data, own, &fake);
        assert_eq!((report.refused, report.pages, report.unchanged), (0, 1, pages.len() as u64 - 1));
        assert_eq!(content(own, &fake, &pages), content(own, &sound, &pages));
        assert_eq!(pushed(&data, own, &fake).commits, 0, "all is there");
    }
}

#[test]
fn what_changes_in_the_folder_changes_in_the_engine() {
    let folder = crate::support::folder(&[
        ("a.html", b"<title>Mills</title><h1>Mills</h1><p>Old mills grind slowly but well.</p>"),
        ("b.html", b"<title>Sails</title><h1>Sails</h1><p>Linen sails turn in the wind.</p>"),
    ]);
    let fake = FakeEngine::start(Kind::Quickwit);
    let push =
        || with_engine(folder.path(), EngineKind::Quickwit, &fake).args(["push", "--data", "data"]).output().unwrap();
    let search = |words: &str| -> Value {
        let mut search = with_engine(folder.path(), EngineKind::Quickwit, &fake);
        let out = search.args(["search", "--format", "json", words]).output().unwrap();
        assert!(out.status.success(), "{out:?}");
        serde_json::from_slice(&out.stdout).unwrap()
    };
    let failed = with_engine(folder.path(), EngineKind::Quickwit, &fake).args(["search", "mills"]).output().unwrap();
    assert_eq!(failed.status.code(), Some(1));
    run(folder.path(), ["ingest", "--data", "data", "a.html"]).success();
    assert!(push().status.success());
    assert_eq!(search("mills")["pages"].as_array().unwrap().len(), 1);
    assert_eq!(search("sails")["pages"].as_array().unwrap().len(), 0);
    run(folder.path(), ["ingest", "--data", "data", "b.html"]).success();
    assert!(push().status.success());
    assert_eq!(search("sails")["pages"].as_array().unwrap().len(), 1);
    let told = String::from_utf8(push().stdout).unwrap();
    assert!(told.starts_with("0 pages with 0 blocks pushed, 2 unchanged, 0 deleted"), "{told}");
    let check = with_engine(folder.path(), EngineKind::Quickwit, &fake).args(["engine", "check"]).output().unwrap();
    assert!(check.status.success() && String::from_utf8_lossy(&check.stdout).contains("written, found and deleted"));
    assert_eq!(fake.indexes().len(), 3, "the check leaves nothing: {:?}", fake.indexes());
    let drop = with_engine(folder.path(), EngineKind::Quickwit, &fake).args(["engine", "drop", "1"]).output().unwrap();
    assert!(drop.status.success() && fake.indexes().is_empty());
}

#[test]
fn a_node_without_a_folder_serves_what_the_one_with_it_does() {
    let folder = tempfile::tempdir().unwrap();
    demo(folder.path());
    let fake = FakeEngine::start(Kind::Quickwit);
    let data = DataFolder::open_to_read(&folder.path().join("data")).unwrap();
    pushed(&data, EngineKind::Quickwit, &fake);
    let id = data.store().pages().next().unwrap().unwrap().id;
    let url = data.page(id).unwrap().unwrap().url;
    drop(data);
    let own = Server::start(folder.path());
    let empty = tempfile::tempdir().unwrap();
    let mut serve = with_engine(empty.path(), EngineKind::Quickwit, &fake);
    serve.args(["serve", "--listen", "127.0.0.1:0"]).stdout(Stdio::piped()).stderr(Stdio::null());
    let node = Server::of(serve.spawn().unwrap());
    for path in
        [format!("/v1/pages/{id}"), format!("/v1/pages/{id}/tree"), format!("/v1/captures?url={}", encoded(&url))]
    {
        let (a, b) = (Server::get_from(&own.address, &path).unwrap(), Server::get_from(&node.address, &path).unwrap());
        assert_eq!(a.0, 200, "{path}: {}", a.1);
        assert!(a == b, "{path}:\n{}\n{}", a.1, b.1);
    }
    let pages = |server: &Server| -> BTreeSet<String> {
        let (status, answer) = server.get("/v1/search?q=open+data+licence").unwrap();
        assert_eq!(status, 200, "{answer}");
        answer["pages"].as_array().unwrap().iter().map(|page| page["page_id"].to_string()).collect()
    };
    assert_eq!(pages(&own), pages(&node));
    for path in [format!("/page/{id}"), "/?q=open+data".to_owned()] {
        let (status, page) = Server::get_from(&node.address, &path).unwrap();
        assert!(status == 200 && page.contains("<html"), "{path}: {status}");
    }
    let (status, answer) = node.get("/v1/archives").unwrap();
    assert_eq!((status, answer["code"].as_str()), (409, Some("read_only")), "{answer}");
    assert_eq!(std::fs::read_dir(empty.path()).unwrap().count(), 0, "a node leaves nothing in its folder");
}

#[test]
fn a_node_asks_for_the_keys_of_its_folder() {
    let folder = crate::support::folder(&[("a.html", b"<title>Mills</title><p>Old mills grind slowly but well.</p>")]);
    run(folder.path(), ["ingest", "--data", "data", "a.html"]).success();
    let fake = FakeEngine::start(Kind::Quickwit);
    pushed(&DataFolder::open_to_read(&folder.path().join("data")).unwrap(), EngineKind::Quickwit, &fake);
    let key = run(folder.path(), ["keys", "add", "--data", "node", "someone"]).success();
    let mut serve = with_engine(folder.path(), EngineKind::Quickwit, &fake);
    serve.args(["serve", "--data", "node", "--listen", "127.0.0.1:0"]).stdout(Stdio::piped()).stderr(Stdio::null());
    let node = Server::of(serve.spawn().unwrap());
    let status = |more: &str| {
        let head = "GET /v1/search?q=mills HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n";
        ask(&node.address, &format!("{head}{more}\r\n")).unwrap().0
    };
    assert_eq!((status(""), status(&format!("authorization: Bearer {}\r\n", key.trim()))), (401, 200));
}

/// A text as it stands in an address.
fn encoded(text: &str) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
        encoded.extend(["%".to_owned(), format!("{byte:02X}")]);
    }
    encoded
}

/// Lines of the Model Context Protocol, on standard input.
#[test]
fn language_models_ask_an_engine() {
    let folder = tempfile::tempdir().unwrap();
    demo(folder.path());
    let data = Arc::new(DataFolder::open_to_read(&folder.path().join("data")).unwrap());
    let fake = FakeEngine::start(Kind::Quickwit);
    pushed(&data, EngineKind::Quickwit, &fake);
    let empty = tempfile::tempdir().unwrap();
    let mut mcp = with_engine(empty.path(), EngineKind::Quickwit, &fake);
    mcp.arg("mcp").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut mcp = mcp.spawn().unwrap();
    let client = serde_json::json!({"name": "test", "version": "1"});
    let hello = serde_json::json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
    let search = serde_json::json!({"name": "search", "arguments": {"query": "which cookies does the site set"}});
    let mut input = mcp.stdin.take().unwrap();
    let mut answers = BufReader::new(mcp.stdout.take().unwrap()).lines().map_while(Result::ok);
    let mut say = |line: Value| writeln!(input, "{line}").unwrap();
    say(serde_json::json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}));
    assert!(answers.next().unwrap().contains("lopper"));
    say(serde_json::json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    say(serde_json::json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": search}));
    let answer: Value = serde_json::from_str(&answers.next().unwrap()).unwrap();
    let text = answer["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("http://data.gov.uk/cookies-policy"), "{text}");
    drop(input);
    assert!(mcp.wait().unwrap().success());
}
