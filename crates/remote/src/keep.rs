//! Bytes that are kept beside blocks, by kind and name: what a page's view needs, so that machines that answer need nothing of their own.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::bulk::Line;
use crate::client::Client;
use crate::commits::{COMMIT, Commit, Log};
use crate::error::RemoteError;
use crate::hits::{Hit, Search, term};
use crate::layout::KEPT;

/// Bytes of a document; what is longer is kept in several.
const PART_BYTES: usize = 1 << 20;

/// Documents that are asked for at once.
const PARTS_AT_ONCE: u64 = 16;

/// Versions of what was replaced, or left by writers that were cut off, that are looked through.
const VERSIONS_MAX: usize = 50;

/// Commits that are read at once: of many replaced pages one may have megabytes.
const COMMITS_AT_ONCE: usize = 20;

/// The documents that keep `bytes`; none of them keeps that there is nothing.
pub(crate) fn lines(kind: &str, key: &str, bytes: Option<&[u8]>, batch: u64) -> Vec<Line> {
    let parts: Vec<&[u8]> = bytes.map(|bytes| bytes.chunks(PART_BYTES).collect()).unwrap_or_default();
    let count = if bytes.is_some() { parts.len().max(1) } else { 0 };
    let line = |place: usize| {
        let part = parts.get(place).copied().unwrap_or_default();
        let data = format!("{count}:{}", STANDARD.encode(part));
        let source = json!({"kind": kind, "key": key, "batch": batch, "block_order": place, "data": data});
        Line::new(format!("{kind}-{key}-{batch}-{place}"), &source)
    };
    (0..count.max(1)).map(line).collect()
}

/// The document of a commit.
pub(crate) fn commit_line(commit: &Commit) -> Line {
    let data = serde_json::to_string(commit).unwrap_or_default();
    let source =
        json!({"kind": COMMIT, "key": COMMIT, "batch": commit.number, "block_order": commit.place, "data": data});
    Line::new(format!("{COMMIT}-{}", commit.number), &source)
}

/// Adds the commits behind the last one of `log`.
pub(crate) fn read_commits(client: &Client, log: &mut Log) -> Result<(), RemoteError> {
    let newer = commits_behind(client, log.last)?;
    log.extend(newer);
    Ok(())
}

/// The commits with a greater number than `last`, in their order.
pub(crate) fn commits_behind(client: &Client, last: u64) -> Result<Vec<Commit>, RemoteError> {
    let mut behind = last;
    let mut commits = Vec::new();
    loop {
        let newer = json!({"range": {"batch": {"gt": behind}}});
        let query = json!({"bool": {"filter": [term("kind", COMMIT), newer]}});
        let sort = json!([{"batch": "asc"}]);
        let found = client.search(&client.settings.index(KEPT.part), &Search::new(query, COMMITS_AT_ONCE, sort))?;
        for hit in &found.hits {
            commits.push(commit(client, hit)?);
        }
        let last = found.hits.last().map_or(behind, Hit::batch);
        if found.hits.len() < COMMITS_AT_ONCE || last == behind {
            return Ok(commits);
        }
        behind = last;
    }
}

fn commit(client: &Client, hit: &Hit) -> Result<Commit, RemoteError> {
    serde_json::from_str(hit.text("data")).map_err(|error| RemoteError::Strange {
        url: client.settings.url.clone(),
        what: format!("commit {}, perhaps of a newer version: {error}", hit.batch()),
    })
}

/// What is kept by a name in the newest commit that says something of it.
pub(crate) fn read(client: &Client, log: &Log, kind: &str, key: &str) -> Result<Option<Vec<u8>>, RemoteError> {
    let index = client.settings.index(KEPT.part);
    let own = |further: Value| json!({"bool": {"filter": [term("kind", kind), term("key", key), further]}});
    let known = json!({"range": {"batch": {"lte": log.last}}});
    let first = json!({"bool": {"filter": [own(json!({"range": {"block_order": {"lte": 0}}})), known]}});
    let newest = Search::new(first, VERSIONS_MAX, json!([{"batch": "desc"}]));
    let found = client.search(&index, &newest)?;
    let Some(first) = found.hits.iter().find(|hit| log.has(hit.batch())) else { return Ok(None) };
    let strange =
        || RemoteError::Strange { url: format!("{index} {kind} {key}"), what: "bytes that are kept".to_owned() };
    let (parts, mut bytes) = part(first).ok_or_else(strange)?;
    if parts == 0 {
        return Ok(None);
    }
    let batch = first.batch();
    for from in (1..parts).step_by(PARTS_AT_ONCE as usize) {
        let to = (from + PARTS_AT_ONCE).min(parts) - 1;
        let within = json!({"bool": {"filter": [
            {"term": {"batch": {"value": batch}}}, {"range": {"block_order": {"gte": from, "lte": to}}},
        ]}});
        let size = 4 * PARTS_AT_ONCE as usize;
        let mut hits = client.search(&index, &Search::new(own(within), size, json!([{"block_order": "asc"}])))?.hits;
        hits.dedup_by_key(|hit| hit.number("block_order"));
        if hits.len() as u64 != to + 1 - from {
            return Err(strange());
        }
        for hit in &hits {
            bytes.extend(part(hit).ok_or_else(strange)?.1);
        }
    }
    Ok(Some(bytes))
}

/// How many parts there are, and the bytes of this one.
fn part(hit: &Hit) -> Option<(u64, Vec<u8>)> {
    let (count, data) = hit.text("data").split_once(':')?;
    Some((count.parse().ok()?, STANDARD.decode(data).ok()?))
}
