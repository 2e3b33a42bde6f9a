//! `_search` and `_count`.

use std::cmp::Ordering;

use serde_json::{Value, json};

use crate::Kind;
use crate::aggregations::aggregate;
use crate::answer::{Answer, Failure, shards};
use crate::definition::{Definition, list};
use crate::query::{Matches, Query};
use crate::split::Split;
use crate::state::{Index, SearchFault};

const KEYS: [&str; 14] = [
    "from",
    "size",
    "query",
    "sort",
    "aggregations",
    "aggs",
    "track_total_hits",
    "stored_fields",
    "search_after",
    "_source",
    "docvalue_fields",
    "script_fields",
    "highlight",
    "version",
];

/// Hits of one answer.
const HITS_MAX: u64 = 10_000;

/// Matches from which on a total that nobody asked to be exact is too small.
const GUESSED_FROM: usize = 1000;

/// What hits are sorted by.
#[derive(Debug, Clone, PartialEq)]
enum Key {
    Score,
    Field { name: String, falls: bool },
}

struct Hit<'i> {
    split: &'i Split,
    doc: u32,
    score: f32,
    keys: Vec<Value>,
}

/// Answers a search in one index.
pub(crate) fn search(
    kind: Kind,
    name: &str,
    index: &Index,
    body: &Value,
    is_partial_allowed: bool,
    fault: SearchFault,
) -> Result<Answer, Failure> {
    known_keys(body)?;
    let definition = &index.definition;
    let everything = json!({"match_all": {}});
    let query = Query::parse(definition, if body["query"].is_null() { &everything } else { &body["query"] })?;
    let (from, size) = (body["from"].as_u64().unwrap_or(0), body["size"].as_u64().unwrap_or(10));
    if from + size > HITS_MAX {
        let message = format!("Invalid argument: max value for max_hits is 10_000, but got {}", from + size);
        return Err(Failure::searching(400, message));
    }
    let sort = sort_keys(definition, &body["sort"])?;
    let mut found: Vec<(&Split, Matches)> = Vec::new();
    for split in &index.splits {
        found.push((split, query.matches(definition, split)?));
    }
    let mut parts = shards(index.splits.len().max(1));
    match fault {
        SearchFault::PartFails if !is_partial_allowed => {
            return Err(Failure::searching(500, "internal error: `search failed for the following splits: 01M7`"));
        }
        SearchFault::PartFails | SearchFault::PartFailsSilently => {
            found.clear();
            (parts["failed"], parts["successful"]) = (json!(1), json!(index.splits.len().max(1) - 1));
        }
        SearchFault::None | SearchFault::Status(_) | SearchFault::Late(_) => {}
    }
    let total: usize = found.iter().map(|(_, matches)| matches.len()).sum();
    let is_exact = body["track_total_hits"] == true || total < GUESSED_FROM;
    let told = if is_exact { total } else { total * 62 / 100 };
    let hits = best(&found, &sort, (from + size) as usize);
    let hits: Vec<Value> = hits.iter().skip(from as usize).map(|hit| shown(kind, name, hit)).collect();
    let mut answer = json!({
        "took": 1, "timed_out": false, "_shards": parts,
        "hits": {"total": {"value": told, "relation": "eq"}, "hits": hits},
    });
    if kind == Kind::Quickwit {
        (answer["terminated_early"], answer["fields"]) = (Value::Null, json!({}));
    } else {
        answer["hits"]["max_score"] = Value::Null;
    }
    let wanted = if body["aggs"].is_null() { &body["aggregations"] } else { &body["aggs"] };
    if !wanted.is_null() {
        answer["aggregations"] = aggregate(definition, &found, wanted)?;
    }
    Ok((200, answer))
}

/// Counts what matches.
pub(crate) fn count(kind: Kind, index: &Index, body: &Value) -> Result<Answer, Failure> {
    let unknown = body.as_object().into_iter().flat_map(|own| own.keys()).find(|key| *key != "query");
    if let Some(key) = unknown {
        return Err(Failure::parsing(format!("unknown field `{key}`, expected `query`")));
    }
    let query = Query::parse(&index.definition, &body["query"])?;
    let mut count = 0;
    for split in &index.splits {
        count += query.matches(&index.definition, split)?.len();
    }
    let mut answer = json!({"count": count});
    if kind == Kind::Elasticsearch {
        answer["_shards"] = shards(1);
    }
    Ok((200, answer))
}

fn known_keys(body: &Value) -> Result<(), Failure> {
    let Some(object) = body.as_object() else { return Err(Failure::parsing("invalid type: expected an object")) };
    let unknown = object.keys().find(|key| !KEYS.contains(&key.as_str()));
    let message = |key: &String| Failure::parsing(format!("unknown field `{key}`, expected one of {}", list(&KEYS)));
    unknown.map_or(Ok(()), |key| Err(message(key)))
}

fn sort_keys(definition: &Definition, sort: &Value) -> Result<Vec<Key>, Failure> {
    let entries = match sort {
        Value::Null => Vec::new(),
        Value::Array(entries) => entries.clone(),
        one => vec![one.clone()],
    };
    if entries.len() > 2 {
        return Err(Failure::searching(400, "Invalid argument: sort by field must be up to 2 fields"));
    }
    let key = |entry: &Value| {
        let (name, falls) = match entry {
            Value::String(name) => (name.clone(), name == "_score"),
            Value::Object(entry) if entry.len() == 1 => {
                let (name, order) = entry.iter().next().unwrap_or_else(|| unreachable!("it has one entry"));
                let order = order.as_str().or_else(|| order["order"].as_str()).unwrap_or("asc");
                (name.clone(), order == "desc")
            }
            other => return Err(Failure::parsing(format!("invalid sort: {other}"))),
        };
        if name == "_score" {
            return Ok(Key::Score);
        }
        if !definition.fields.get(&name).is_some_and(|field| field.is_fast) {
            return Err(Failure::searching(400, format!("sort by field on `{name}` needs a fast field")));
        }
        Ok(Key::Field { name, falls })
    };
    entries.iter().map(key).collect()
}

/// The first hits. Without a key they stand as they were written, without scores.
fn best<'i>(found: &[(&'i Split, Matches)], sort: &[Key], wanted: usize) -> Vec<Hit<'i>> {
    let mut hits: Vec<Hit<'i>> = Vec::new();
    for (split, matches) in found {
        hits.extend(matches.iter().map(|(doc, score)| {
            let keys = sort.iter().map(|key| sort_value(split, *doc, *score, key)).collect();
            Hit { split, doc: *doc, score: *score, keys }
        }));
    }
    let compare = |a: &Hit<'_>, b: &Hit<'_>| {
        let orders = sort.iter().enumerate().map(|(place, key)| match key {
            Key::Score => b.score.total_cmp(&a.score),
            Key::Field { falls, .. } => {
                let order = ordered(&a.keys[place], &b.keys[place]);
                if *falls { order.reverse() } else { order }
            }
        });
        orders.fold(Ordering::Equal, Ordering::then)
    };
    if !sort.is_empty() {
        hits.sort_by(compare);
    }
    hits.truncate(wanted);
    hits
}

fn sort_value(split: &Split, doc: u32, score: f32, key: &Key) -> Value {
    match key {
        Key::Score => json!(score),
        Key::Field { name, .. } => {
            let column = &split.columns[name];
            let word = || column.words[doc as usize].as_ref().map_or(Value::Null, |word| json!(word));
            column.numbers[doc as usize].map_or_else(word, |number| json!(number))
        }
    }
}

fn ordered(a: &Value, b: &Value) -> Ordering {
    let number = |value: &Value| value.as_i64().unwrap_or(i64::MIN);
    number(a).cmp(&number(b)).then_with(|| a.as_str().cmp(&b.as_str()))
}

fn shown(kind: Kind, index: &str, hit: &Hit<'_>) -> Value {
    let mut shown = json!({"_index": index, "_source": hit.split.source(hit.doc)});
    if !hit.keys.is_empty() {
        shown["sort"] = Value::Array(hit.keys.clone());
    }
    if kind == Kind::Elasticsearch {
        shown["_id"] = json!(hit.split.id(hit.doc));
        shown["_score"] = Value::Null;
    }
    shown
}
