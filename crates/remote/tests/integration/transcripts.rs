//! The stand-in against recordings of Quickwit 0.9: the same status, the same error, an answer of the same form.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::TcpStream;

use lopper_engine_fake::{FakeEngine, Kind};
use serde_json::{Value, json};

const RECORDED: &str = include_str!("../../../engine-fake/tests/transcripts/quickwit-0.9.jsonl");

/// Sends a request as it is; gives status and body.
fn send(url: &str, method: &str, path: &str, body: &str) -> (u16, Value) {
    let mut stream = TcpStream::connect(url.strip_prefix("http://").unwrap()).unwrap();
    let head = format!("{method} {path} HTTP/1.1\r\nhost: e\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    stream.write_all(head.as_bytes()).unwrap();
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, serde_json::from_str(body).unwrap())
}

/// The index that the recordings were made with, with the documents that they show.
fn with_index() -> FakeEngine {
    let fake = FakeEngine::start(Kind::Quickwit);
    let raw = |name: &str| json!({"name": name, "type": "text", "tokenizer": "raw", "fast": true});
    let kept = |name: &str| json!({"name": name, "type": "text", "indexed": false});
    let terms =
        |name: &str| json!({"name": name, "type": "text", "record": "position", "fieldnorms": true, "stored": false});
    let number = |name: &str| json!({"name": name, "type": "u64", "indexed": false, "fast": true});
    let fields = json!([
        raw("block_id"),
        raw("page_id"),
        kept("url"),
        raw("host"),
        kept("title"),
        raw("lang"),
        raw("crawl"),
        kept("text"),
        terms("terms"),
        terms("title_terms"),
        number("block_order"),
        number("weight"),
        number("crawled_at"),
    ]);
    let definition =
        json!({"version": "0.8", "index_id": "posdef", "doc_mapping": {"mode": "strict", "field_mappings": fields}});
    assert_eq!(send(fake.url(), "POST", "/api/v1/indexes", &definition.to_string()).0, 200);
    let mut lines = String::new();
    for line in RECORDED.lines() {
        let recorded: Value = serde_json::from_str(line).unwrap();
        for hit in recorded["response"]["hits"]["hits"].as_array().into_iter().flatten() {
            let mut document = hit["_source"].clone();
            document["terms"] = document["text"].clone();
            document["title_terms"] = document["title"].clone();
            lines.extend(["{\"create\":{}}\n".to_owned(), format!("{document}\n")]);
        }
    }
    let (status, answer) = send(fake.url(), "POST", "/api/v1/_elastic/posdef/_bulk?refresh=wait_for", &lines);
    assert!(status == 200 && answer["errors"] == false, "{answer}");
    fake
}

/// Names of what an answer holds, but for what is in a document or a definition.
fn form(value: &Value, prefix: &str, names: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            for (name, value) in object {
                let path = format!("{prefix}.{name}");
                let is_own = ["_source", "index_config", "checkpoint", "delete_query"].contains(&name.as_str());
                if !is_own {
                    form(value, &path, names);
                }
                names.insert(path);
            }
        }
        Value::Array(values) => {
            let is_of_values = prefix.ends_with(".sources") || (prefix == ".hits");
            values
                .iter()
                .take(1)
                .filter(|_| !is_of_values)
                .for_each(|value| form(value, &format!("{prefix}[]"), names));
        }
        _ => {}
    }
}

fn names(value: &Value) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    form(value, "", &mut names);
    names
}

/// The message of an error, up to what is of one place in a text.
fn message(value: &Value) -> Option<String> {
    let text = value["message"].as_str().or_else(|| value["error"]["reason"].as_str())?;
    let text = text.split(" at line ").next().unwrap_or(text);
    Some(text.chars().take(60).collect())
}

#[test]
fn the_stand_in_answers_as_was_recorded() {
    let recorded: Vec<Value> = RECORDED.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(recorded.len(), 28);
    let fake = with_index();
    for recorded in recorded {
        let (case, request) = (recorded["case"].as_str().unwrap(), &recorded["request"]);
        let body = request["body"].as_str().map_or_else(
            || if request["body"].is_null() { String::new() } else { request["body"].to_string() },
            str::to_owned,
        );
        let (method, path) = (request["method"].as_str().unwrap(), request["path"].as_str().unwrap());
        let (status, answer) = send(fake.url(), method, path, &body);
        let expected = &recorded["response"];
        assert_eq!(u64::from(status), recorded["status"].as_u64().unwrap(), "{case}: {answer}");
        assert_eq!(message(&answer), message(expected), "{case}");
        assert_eq!(names(&answer), names(expected), "{case}: {answer}");
        for items in [&answer["items"], &expected["items"]] {
            assert_eq!(items.as_array().map(Vec::len), expected["items"].as_array().map(Vec::len), "{case}");
        }
    }
}

#[test]
fn what_engines_do_badly_is_done_badly() {
    let fake = with_index();
    let bulk = |refresh: &str| {
        let document = json!({"block_id": "n", "terms": "newest", "crawled_at": 1});
        let body = format!("{{\"create\":{{\"_id\":\"same\"}}}}\n{document}\n");
        send(fake.url(), "POST", &format!("/api/v1/_elastic/posdef/_bulk?refresh={refresh}"), &body)
    };
    let before = fake.documents("posdef");
    // Acknowledged and lost.
    assert_eq!(bulk("false").0, 200);
    fake.crash();
    bulk("wait_for");
    bulk("wait_for");
    // An identity is none.
    assert_eq!(fake.documents("posdef"), before + 2);
    let task = json!({"query": "block_id:n"}).to_string();
    assert_eq!(send(fake.url(), "POST", "/api/v1/posdef/delete-tasks", &task).0, 200);
    assert_eq!(fake.documents("posdef"), before + 2, "deleted some days later");
    let too_large = "x".repeat((10 << 20) + 1);
    assert_eq!(send(fake.url(), "POST", "/api/v1/_elastic/posdef/_bulk", &too_large).0, 413);
}
