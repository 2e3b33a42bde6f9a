//! Queries with what answers them.

use std::collections::{HashMap, HashSet};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use url::Url;

use super::super::gold::{open, text_or_null};
use super::tokens::Words;

/// A line of a query file; other fields are passed over.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Query {
    /// Its name.
    pub qid: String,
    /// Its kind, for the table's parts.
    #[serde(rename = "type", default = "unknown")]
    pub kind: String,
    /// What is searched for.
    pub query: String,
}

fn unknown() -> String {
    "?".to_owned()
}

/// A line of a file of judgements: a page that answers a query, and the block that does, where that is known.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Judgement {
    /// The query.
    pub qid: String,
    /// The page.
    pub url: String,
    /// How well it answers; 0 is not at all.
    #[serde(default = "one")]
    pub grade: f64,
    /// The first words of the block that answers; empty when only the page is known.
    #[serde(default, deserialize_with = "text_or_null")]
    pub gold_head: String,
    /// The whole block.
    #[serde(default, deserialize_with = "text_or_null")]
    pub gold_text: String,
}

fn one() -> f64 {
    1.0
}

/// Why queries and judgements cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JudgedError {
    /// A file cannot be read.
    #[error("cannot read {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Cause.
        #[source]
        source: std::io::Error,
    },
    /// A line is of another form.
    #[error("{} line {line} is not {form}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// The form that it should have.
        form: &'static str,
        /// Cause.
        #[source]
        source: serde_json::Error,
    },
    /// No query has a judgement.
    #[error("no query of {} is judged in {}", queries.display(), judgements.display())]
    NothingJudged {
        /// The queries.
        queries: PathBuf,
        /// The judgements.
        judgements: PathBuf,
    },
}

/// A query, and what a good answer to it is.
#[derive(Debug, Clone)]
pub struct JudgedQuery {
    /// The query.
    pub query: Query,
    /// Its answer.
    pub judged: Judged,
}

/// What a good answer to a query is, made ready for scoring.
#[derive(Debug, Clone, Default)]
pub struct Judged {
    /// The pages, each with its best grade.
    pub(super) grades: HashMap<String, f64>,
    /// The blocks.
    pub(super) blocks: Vec<GoldBlock>,
    /// Host of the first page; empty when it has none.
    pub(super) host: String,
}

/// A block that answers.
#[derive(Debug, Clone)]
pub(super) struct GoldBlock {
    pub(super) url: String,
    /// Grams of its first words.
    pub(super) head: HashSet<u64>,
    /// Grams of all of it.
    pub(super) text: HashSet<u64>,
}

impl Judged {
    /// From all judgements of one query.
    pub(crate) fn new(judgements: &[Judgement]) -> Self {
        let mut judged = Self::default();
        for judgement in judgements {
            let grade = judged.grades.entry(judgement.url.clone()).or_insert(0.0);
            *grade = grade.max(judgement.grade);
            if !judgement.gold_head.is_empty() {
                judged.blocks.push(GoldBlock::new(judgement));
            }
        }
        judged.host = judgements.first().and_then(|first| host(&first.url)).unwrap_or_default();
        judged
    }
}

impl GoldBlock {
    fn new(judgement: &Judgement) -> Self {
        let Judgement { url, gold_head, gold_text, .. } = judgement;
        let text = if gold_text.is_empty() { gold_head } else { gold_text };
        Self { url: url.clone(), head: Words::of(gold_head).gram_set(), text: Words::of(text).gram_set() }
    }
}

fn host(url: &str) -> Option<String> {
    Url::parse(url).ok()?.host_str().map(str::to_owned)
}

/// Reads queries and judgements from JSONL files, plain or gzip; queries without a judgement are left out.
///
/// # Errors
///
/// [`JudgedError`].
pub fn read_judged(queries: &Path, judgements: &Path) -> Result<Vec<JudgedQuery>, JudgedError> {
    let mut of_query: HashMap<String, Vec<Judgement>> = HashMap::new();
    for judgement in json_lines::<Judgement>(judgements, "{\"qid\", \"url\", …}")? {
        of_query.entry(judgement.qid.clone()).or_default().push(judgement);
    }
    let mut judged = Vec::new();
    for query in json_lines::<Query>(queries, "{\"qid\", \"query\", …}")? {
        if let Some(judgements) = of_query.get(&query.qid) {
            judged.push(JudgedQuery { query, judged: Judged::new(judgements) });
        }
    }
    if judged.is_empty() {
        return Err(JudgedError::NothingJudged { queries: queries.to_owned(), judgements: judgements.to_owned() });
    }
    Ok(judged)
}

/// Reads a JSON value a line; empty lines are passed over.
pub(super) fn json_lines<T: DeserializeOwned>(path: &Path, form: &'static str) -> Result<Vec<T>, JudgedError> {
    let io = |source| JudgedError::Io { path: path.to_owned(), source };
    let mut values = Vec::new();
    for (index, line) in BufReader::new(open(path).map_err(io)?).lines().enumerate() {
        let line = line.map_err(io)?;
        if !line.trim().is_empty() {
            let malformed = |source| JudgedError::Line { path: path.to_owned(), line: index + 1, form, source };
            values.push(serde_json::from_str(&line).map_err(malformed)?);
        }
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(queries: &str, judgements: &str) -> Result<Vec<JudgedQuery>, JudgedError> {
        let folder = tempfile::tempdir().unwrap();
        let (q, j) = (folder.path().join("q.jsonl"), folder.path().join("j.jsonl"));
        std::fs::write(&q, queries).unwrap();
        std::fs::write(&j, judgements).unwrap();
        read_judged(&q, &j)
    }

    #[test]
    fn judgements_come_to_their_queries() {
        let queries = "{\"qid\":\"a\",\"type\":\"kw\",\"query\":\"x\"}\n\n{\"qid\":\"b\",\"query\":\"y\",\"z\":1}\n";
        let judgements = "{\"qid\":\"a\",\"url\":\"http://h.org/1\",\"gold_head\":null}
            {\"qid\":\"a\",\"url\":\"http://h.org/1\",\"grade\":3,\"gold_head\":\"one two three\"}
            {\"qid\":\"c\",\"url\":\"http://h.org/2\"}";
        let judged = read(queries, judgements).unwrap();
        assert_eq!((judged.len(), judged[0].query.kind.as_str()), (1, "kw"));
        let Judged { grades, blocks, host } = &judged[0].judged;
        assert_eq!((grades["http://h.org/1"], blocks.len(), host.as_str()), (3.0, 1, "h.org"));
        assert_eq!(blocks[0].head, blocks[0].text);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let error = read("{\"qid\":\"a\",\"query\":\"x\"}\n{\"qid\":1}\n", "").unwrap_err();
        assert!(matches!(error, JudgedError::Line { line: 2, .. }), "{error}");
        let error = read("{\"qid\":\"a\",\"query\":\"x\"}", "").unwrap_err();
        assert!(matches!(error, JudgedError::NothingJudged { .. }), "{error}");
    }
}
