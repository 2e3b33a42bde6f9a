//! From a request to its answer.

use std::time::Duration;

use serde_json::{Value, json};

use crate::Kind;
use crate::answer::{Answer, Failure};
use crate::bulk::bulk;
use crate::definition::Definition;
use crate::query::Query;
use crate::search::{count, search};
use crate::state::{Fault, Index, SearchFault, State};

/// A request as it came.
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    /// Parameters behind the question mark.
    pub(crate) parameters: String,
    pub(crate) body: String,
}

impl Request {
    fn parameter(&self, name: &str) -> Option<&str> {
        let pairs = self.parameters.split('&').filter_map(|pair| pair.split_once('='));
        pairs.filter(|(own, _)| *own == name).map(|(_, value)| value).next_back()
    }

    fn json(&self) -> Result<Value, Failure> {
        serde_json::from_str(&self.body).map_err(|error| Failure::parsing(error.to_string()))
    }
}

/// What is sent back: an answer, or nothing, as the connection breaks.
pub(crate) type Sent = Option<Answer>;

/// Answers a request; what is to go wrong does.
pub(crate) fn answer(state: &mut State, request: &Request) -> Sent {
    if state.are_noted {
        let target = format!("{}?{}", request.path, request.parameters);
        state.requests.push((request.method.clone(), target.trim_end_matches('?').to_owned(), request.body.clone()));
    }
    if request.body.len() > state.body_bytes {
        return Some((413, json!({"message": "The request payload is too large"})));
    }
    let is_write = request.path.ends_with("/_bulk");
    let fault = if is_write { state.faults.pop_front().unwrap_or(Fault::None) } else { Fault::None };
    match fault {
        Fault::Status(status) => return Some((status, json!({"message": "too many requests"}))),
        Fault::RequestLost => return None,
        _ => {}
    }
    let answer = routed(state, request, &fault).unwrap_or_else(|Failure(answer)| answer);
    (fault != Fault::AnswerLost).then_some(answer)
}

fn routed(state: &mut State, request: &Request, fault: &Fault) -> Result<Answer, Failure> {
    let base = if state.kind == Kind::Quickwit { "/api/v1/_elastic" } else { "" };
    if state.kind == Kind::Quickwit && !request.path.starts_with(base) {
        return native(state, request);
    }
    let rest = request.path.strip_prefix(base).unwrap_or_default().trim_matches('/');
    let segments: Vec<&str> = rest.split('/').collect();
    match (request.method.as_str(), &segments[..]) {
        ("GET", [""]) => Ok((200, root(state.kind))),
        ("POST", ["_bulk"]) => bulk(state, None, &request.body, request.parameter("refresh").unwrap_or("false"), fault),
        ("POST", [index, "_bulk"]) => {
            bulk(state, Some(index), &request.body, request.parameter("refresh").unwrap_or("false"), fault)
        }
        ("POST", [index, "_search"]) => {
            let body = request.json()?;
            let fault = state.search_faults.pop_front().unwrap_or(SearchFault::None);
            if let SearchFault::Status(status) = fault {
                return Err(Failure::searching(status, "busy"));
            }
            if let SearchFault::Late(milliseconds) = fault {
                std::thread::sleep(Duration::from_millis(milliseconds));
            }
            let is_partial_allowed = request.parameter("allow_partial_search_results") != Some("false");
            search(state.kind, index, own(state, index)?, &body, is_partial_allowed, fault)
        }
        ("POST", [index, "_count"]) => count(state.kind, own(state, index)?, &request.json()?),
        ("PUT", [index]) if state.kind == Kind::Elasticsearch => {
            let given = request.json()?;
            let body = create(state, index, &given, "resource_already_exists_exception: already exists")?;
            Ok((200, body))
        }
        ("DELETE", [index]) => {
            own(state, index)?;
            state.indexes.remove(*index);
            Ok((200, json!({"acknowledged": true})))
        }
        _ => Ok((404, json!({"message": "Route not found"}))),
    }
}

/// Quickwit's own routes.
fn native(state: &mut State, request: &Request) -> Result<Answer, Failure> {
    let segments: Vec<&str> = request.path.trim_matches('/').split('/').collect();
    match (request.method.as_str(), &segments[..]) {
        ("GET", ["health", "readyz"]) => Ok((200, json!(true))),
        ("POST", ["api", "v1", "indexes"]) => {
            let given = request.json()?;
            let index = given["index_id"].as_str().unwrap_or_default().to_owned();
            let exists = format!("metastore error `index `{index}` already exist(s)`");
            let body = create(state, &index, &given, &exists)?;
            Ok((200, body))
        }
        ("GET", ["api", "v1", "indexes", index]) => {
            let own = own(state, index)?;
            Ok((
                200,
                json!({
                    "version": "0.9", "index_uid": format!("{index}:01"), "index_config": own.definition.given,
                    "checkpoint": {}, "create_timestamp": 0, "sources": [],
                }),
            ))
        }
        ("GET", ["api", "v1", "indexes", index, "describe"]) => {
            let own = own(state, index)?;
            Ok((
                200,
                json!({
                    "index_id": index, "index_uri": "ram:///", "num_published_splits": own.splits.len(),
                    "size_published_splits": 0, "num_published_docs": own.documents(),
                    "size_published_docs_uncompressed": 0, "timestamp_field_name": null, "min_timestamp": null,
                    "max_timestamp": null,
                }),
            ))
        }
        ("DELETE", ["api", "v1", "indexes", index]) => {
            own(state, index)?;
            state.indexes.remove(*index);
            Ok((200, json!([])))
        }
        // It is queued, and carried out when its splits are some days old: never, here.
        ("POST", ["api", "v1", index, "delete-tasks"]) => {
            own(state, index)?;
            state.delete_tasks.push(request.json()?);
            let opstamp = state.delete_tasks.len();
            Ok((200, json!({"create_timestamp": 0, "opstamp": opstamp, "delete_query": {}})))
        }
        ("GET", ["api", "v1", index, "search"]) => {
            let own = own(state, index)?;
            let text = request.parameter("query").unwrap_or_default().replace("%3A", ":");
            let (field, value) = text.split_once(':').unwrap_or(("", ""));
            let query = Query::parse(&own.definition, &json!({"term": {field: value}}))?;
            let mut hits = Vec::new();
            for split in &own.splits {
                let matches = query.matches(&own.definition, split)?;
                hits.extend(matches.iter().map(|(doc, _)| split.source(*doc)));
            }
            Ok((200, json!({"num_hits": hits.len(), "hits": hits, "elapsed_time_micros": 1, "errors": []})))
        }
        _ => Ok((404, json!({"message": "Route not found"}))),
    }
}

fn root(kind: Kind) -> Value {
    let (distribution, number) = match kind {
        Kind::Quickwit => (json!("quickwit"), "7.17.0"),
        Kind::Elasticsearch => (Value::Null, "8.15.0"),
    };
    let mut root = json!({
        "cluster_name": "fake", "cluster_uuid": "fake", "name": "node-1", "tagline": "You Know, for Search",
        "version": {
            "build_date": "2026-11-21T01:59:46Z", "build_hash": "0", "build_snapshot": false,
            "lucene_version": "8.11.1", "minimum_index_compatibility_version": "6.0.0-beta1",
            "minimum_wire_compatibility_version": "6.8.0", "number": number,
        },
    });
    if !distribution.is_null() {
        root["version"]["distribution"] = distribution;
    }
    root
}

fn own<'s>(state: &'s State, index: &str) -> Result<&'s Index, Failure> {
    let missing = || Failure::searching(404, format!("could not find indexes matching the IDs `[\"{index}\"]`"));
    state.indexes.get(index).ok_or_else(missing)
}

fn create(state: &mut State, index: &str, given: &Value, exists: &str) -> Result<Value, Failure> {
    if state.indexes.contains_key(index) {
        return Err(Failure::parsing(exists));
    }
    let definition = Definition::new(state.kind, given).map_err(Failure::parsing)?;
    state.indexes.insert(index.to_owned(), Index::new(definition));
    Ok(json!({"acknowledged": true, "index": index}))
}
