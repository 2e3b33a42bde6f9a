//! Times the engine's plain BM25 over the joined field, without anything of ours: what `search_speed` is compared with.
//!
//! `bare_bm25 INDEX_FOLDER QUERIES.jsonl [ROUNDS]`: the best ten blocks of each query by its stems, in one thread, without fetching them.

use std::collections::BTreeSet;
use std::error::Error;
use std::time::Instant;

use lopper_analysis::{Analyzer, Language};
use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, Occur, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{Index, Term};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [index, queries, rounds @ ..] = &arguments[..] else {
        return Err("usage: bare_bm25 INDEX_FOLDER QUERIES.jsonl [ROUNDS]".into());
    };
    let rounds: usize = rounds.first().map_or(Ok(2), |rounds| rounds.parse())?;
    let index = Index::open_in_dir(index)?;
    let (searcher, field) = (index.reader()?.searcher(), index.schema().get_field("all")?);
    let mut analyzer = Analyzer::new();
    let mut times = Vec::new();
    for round in 0..rounds {
        for line in std::fs::read_to_string(queries)?.lines() {
            let query: serde_json::Value = serde_json::from_str(line)?;
            let query = by_stems(&mut analyzer, field, query["query"].as_str().unwrap_or_default());
            let started = Instant::now();
            searcher.search(&query, &TopDocs::with_limit(10).order_by_score())?;
            // The first round fills the system's cache of files.
            if round > 0 || rounds == 1 {
                times.push(started.elapsed());
            }
        }
    }
    times.sort_unstable();
    let at = |share: f64| times.get((times.len() as f64 * share) as usize).map_or(0.0, |time| time.as_secs_f64() * 1e3);
    let mean = times.iter().map(|time| time.as_secs_f64() * 1e3).sum::<f64>() / times.len().max(1) as f64;
    println!(
        "bare BM25: {} documents, {} queries: mean {mean:.2} ms, p50 {:.2}, p99 {:.2}",
        searcher.num_docs(),
        times.len(),
        at(0.5),
        at(0.99)
    );
    Ok(())
}

fn by_stems(analyzer: &mut Analyzer, field: Field, text: &str) -> BooleanQuery {
    let mut stems = BTreeSet::new();
    analyzer.analyze(text, Language::from_code("en"), |token| {
        stems.insert(token.term.to_owned());
    });
    let clause = |stem: String| -> (Occur, Box<dyn Query>) {
        let term = Term::from_field_text(field, &stem);
        (Occur::Should, Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs)))
    };
    BooleanQuery::new(stems.into_iter().map(clause).collect())
}
