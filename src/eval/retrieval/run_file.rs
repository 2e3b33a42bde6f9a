//! Answers that another program, or another version, left in a file.

use std::collections::HashMap;
use std::path::Path;

use serde::Deserialize;

use super::judged::json_lines;
use super::score::{QueryScore, Shown, score};
use super::{JudgedError, JudgedQuery};

/// Answers by query: what `lopper search --queries … --format run` prints.
#[derive(Debug, Clone, Default)]
pub struct RunFile(HashMap<String, Vec<RunBlock>>);

#[derive(Deserialize)]
struct RunLine {
    qid: String,
    results: Vec<RunBlock>,
}

#[derive(Debug, Clone, Deserialize)]
struct RunBlock {
    #[serde(alias = "id")]
    url: String,
    #[serde(default)]
    block_text: String,
}

impl RunFile {
    /// Reads a JSONL file, plain or gzip.
    ///
    /// # Errors
    ///
    /// [`JudgedError`].
    pub fn read(path: &Path) -> Result<Self, JudgedError> {
        let lines = json_lines::<RunLine>(path, "{\"qid\", \"results\": [{\"url\", \"block_text\"}, …]}")?;
        Ok(Self(lines.into_iter().map(|line| (line.qid, line.results)).collect()))
    }
}

/// Scores a run; a query that it lacks found nothing.
pub fn score_run(run: &RunFile, queries: &[JudgedQuery]) -> Vec<QueryScore> {
    let score = |query: &JudgedQuery| {
        let results = run.0.get(&query.query.qid).map_or(&[][..], Vec::as_slice);
        let shown: Vec<Shown<'_>> =
            results.iter().map(|block| Shown { url: &block.url, text: &block.block_text }).collect();
        score(&shown, &query.judged)
    };
    queries.iter().map(score).collect()
}
