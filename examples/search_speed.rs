//! Times whole answers: ten pages by the blend with their blocks, passages and snippets; the same with facets; and the pages pruned by the
//! query, by their blocks and by their trees.
//!
//! `search_speed DATA QUERIES.jsonl [ROUNDS [answers|facets|pruned|balanced]]`: in one thread; the last round's percentiles. `bare_bm25` is what it is compared
//! with.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lopper_collection::DataFolder;
use lopper_collection::search::{QueryPruning, SearchEngine, SearchRequest};
use lopper_content::prune::PruneRule;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [data, queries, rounds @ ..] = &arguments[..] else {
        return Err("usage: search_speed DATA QUERIES.jsonl [ROUNDS [answers|facets|pruned|balanced]]".into());
    };
    let (rounds, only) = (rounds.first().map_or(Ok(2), |rounds| rounds.parse::<usize>())?, rounds.get(1));
    let engine = SearchEngine::new(Arc::new(DataFolder::open_to_read(Path::new(data))?))?;
    let lines = std::fs::read_to_string(queries)?;
    let texts: Result<Vec<String>, _> = lines.lines().map(text).collect();
    let texts = texts?;
    println!("{} blocks", engine.collection().store().stats().blocks);
    let balanced = QueryPruning::Tree(PruneRule::Balanced);
    let kinds = [
        ("answers", false, None),
        ("facets", true, None),
        ("pruned", false, Some(QueryPruning::Focus)),
        ("balanced", false, Some(balanced)),
    ];
    for (name, facets, prune) in kinds {
        if only.is_some_and(|only| only != name) {
            continue;
        }
        let mut times = Vec::new();
        for _ in 0..rounds {
            times.clear();
            for query in &texts {
                let request = SearchRequest { facets, prune, ..SearchRequest::new(query.clone()) };
                let started = Instant::now();
                // A query that cannot be understood is answered, too.
                drop(engine.search(&request));
                times.push(started.elapsed());
            }
        }
        print(name, times);
    }
    Ok(())
}

fn text(line: &str) -> Result<String, serde_json::Error> {
    let query: serde_json::Value = serde_json::from_str(line)?;
    Ok(query["query"].as_str().unwrap_or_default().to_owned())
}

fn print(name: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let milliseconds = |time: &Duration| time.as_secs_f64() * 1e3;
    let at = |share: f64| times.get((times.len() as f64 * share) as usize).map_or(0.0, milliseconds);
    let mean = times.iter().map(milliseconds).sum::<f64>() / times.len().max(1) as f64;
    println!("{name}: {} queries: mean {mean:.2} ms, p50 {:.2}, p99 {:.2}", times.len(), at(0.5), at(0.99));
}
