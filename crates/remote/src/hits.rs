//! Searches and what they find.

use serde_json::{Value, json};

use crate::client::{Asked, Client};
use crate::error::RemoteError;

/// Documents that one search finds at most.
pub(crate) const HITS_MAX: usize = 10_000;

/// A document that was found.
#[derive(Debug)]
pub(crate) struct Hit {
    /// By the first of the keys that it was sorted by; 0 where that is none.
    pub(crate) score: f64,
    pub(crate) source: Value,
}

impl Hit {
    pub(crate) fn text(&self, field: &str) -> &str {
        self.source[field].as_str().unwrap_or_default()
    }

    pub(crate) fn number(&self, field: &str) -> i64 {
        let value = &self.source[field];
        value.as_i64().or_else(|| value.as_u64().map(|number| number as i64)).unwrap_or_default()
    }

    pub(crate) fn batch(&self) -> u64 {
        self.number("batch").max(0) as u64
    }
}

/// What a search asks for.
#[derive(Debug, Clone)]
pub(crate) struct Search {
    pub(crate) query: Value,
    pub(crate) size: usize,
    /// Without it nothing is scored.
    pub(crate) sort: Value,
    pub(crate) aggregations: Value,
}

impl Search {
    pub(crate) fn new(query: Value, size: usize, sort: Value) -> Self {
        Self { query, size, sort, aggregations: Value::Null }
    }

    fn body(&self) -> Value {
        let mut body = json!({"query": self.query, "size": self.size.min(HITS_MAX), "track_total_hits": true});
        if self.size > 0 {
            body["sort"] = self.sort.clone();
        }
        if !self.aggregations.is_null() {
            body["aggs"] = self.aggregations.clone();
        }
        body
    }
}

/// What it found.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) hits: Vec<Hit>,
    pub(crate) aggregations: Value,
}

impl Client {
    /// Searches an index. Parts that do not answer are an error.
    pub(crate) fn search(&self, index: &str, search: &Search) -> Result<Found, RemoteError> {
        let base = self.settings.kind.dialect().base;
        let path = format!("{base}/{index}/_search?allow_partial_search_results=false");
        let body = self.get("POST", &path, &Asked::json(&search.body()))?;
        found(&self.url(&path), body)
    }

    /// How many documents match.
    pub(crate) fn count(&self, index: &str, query: &Value) -> Result<u64, RemoteError> {
        let path = format!("{}/{index}/_count", self.settings.kind.dialect().base);
        let body = self.get("POST", &path, &Asked::json(&json!({"query": query})))?;
        check_parts(&self.url(&path), &body)?;
        let strange = || RemoteError::Strange { url: self.url(&path), what: "no count".to_owned() };
        body["count"].as_u64().ok_or_else(strange)
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.settings.url)
    }
}

/// Reads the answer to a search.
pub(crate) fn found(url: &str, mut body: Value) -> Result<Found, RemoteError> {
    check_parts(url, &body)?;
    let strange = |what: &str| RemoteError::Strange { url: url.to_owned(), what: what.to_owned() };
    let Value::Array(hits) = body["hits"]["hits"].take() else { return Err(strange("no hits")) };
    let hit = |mut hit: Value| Hit { score: hit["sort"][0].as_f64().unwrap_or(0.0), source: hit["_source"].take() };
    Ok(Found { hits: hits.into_iter().map(hit).collect(), aggregations: body["aggregations"].take() })
}

/// An answer of which parts are missing is none, whatever its status.
fn check_parts(url: &str, body: &Value) -> Result<(), RemoteError> {
    let parts = &body["_shards"];
    let (failed, total) = (parts["failed"].as_u64().unwrap_or(0), parts["total"].as_u64().unwrap_or(0));
    let is_late = body["timed_out"].as_bool() == Some(true);
    if failed > 0 || is_late {
        return Err(RemoteError::Incomplete { url: url.to_owned(), failed: failed.max(u64::from(is_late)), total });
    }
    Ok(())
}

/// A document has a term in a field.
pub(crate) fn term(field: &str, value: &str) -> Value {
    json!({"term": {field: {"value": value}}})
}

/// The same, counting for so much.
pub(crate) fn boosted(field: &str, value: &str, boost: f32) -> Value {
    json!({"term": {field: {"value": value, "boost": boost}}})
}

/// A document has one of these words in a field.
pub(crate) fn any_of(field: &str, values: &[String]) -> Value {
    json!({"terms": {field: values}})
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What Quickwit 0.9 answered: see the folder's README.
    const RECORDED: &str = include_str!("../../engine-fake/tests/transcripts/quickwit-0.9.jsonl");

    fn recorded(case: &str) -> Value {
        let lines = RECORDED.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines.into_iter().find(|line| line["case"] == case).unwrap()["response"].take()
    }

    #[test]
    fn recorded_searches_are_read() {
        let scored = found("u", recorded("search_bool_terms_scored")).unwrap();
        assert_eq!(scored.hits.len(), 2);
        assert!((scored.hits[0].score - 16.307_758).abs() < 1e-5 && scored.hits[0].number("block_order") == 9);
        assert_eq!(scored.hits[1].text("host"), "django.docs.invalid");
        assert_eq!(found("u", recorded("search_unscored_default")).unwrap().hits[0].score.to_bits(), 0);
        let counted = found("u", recorded("search_agg_terms")).unwrap();
        assert_eq!(counted.aggregations["h"]["buckets"][0]["doc_count"], 18615);
    }

    #[test]
    fn an_answer_without_its_parts_is_none() {
        let mut partial = recorded("search_bool_terms_scored");
        partial["_shards"]["failed"] = json!(1);
        let failed = found("u", partial);
        assert!(matches!(failed, Err(RemoteError::Incomplete { failed: 1, total: 1, .. })), "{failed:?}");
        let mut late = recorded("search_bool_terms_scored");
        late["timed_out"] = json!(true);
        let failed = found("u", late);
        assert!(matches!(failed, Err(RemoteError::Incomplete { .. })), "{failed:?}");
        for case in ["search_malformed", "search_missing_index", "count"] {
            let strange = found("u", recorded(case));
            assert!(matches!(strange, Err(RemoteError::Strange { .. })), "{case}");
        }
    }

    #[test]
    fn recorded_errors_are_told() {
        for (case, expected) in [
            ("search_collapse", "unknown field `collapse`"),
            ("search_unknown_field", "invalid query: field does not exist: `nofield`"),
            ("search_size_over", "Invalid argument: max value for max_hits is 10_000"),
            ("bulk_delete_action", "Malformed action/metadata line [1]"),
            ("create_exists", "metastore error"),
        ] {
            let told = crate::client::message(&recorded(case));
            assert!(told.starts_with(expected), "{case}: {told}");
        }
    }
}
