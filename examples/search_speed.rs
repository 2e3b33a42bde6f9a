//! Times whole answers: ten pages by the blend with their blocks, passages and snippets; the same with facets, and explained; and the pages
//! pruned by the query, by their blocks and by their trees.
//!
//! `search_speed DATA QUERIES.jsonl [ROUNDS [answers|facets|explained|pruned|balanced]]`: in one thread, each query in all kinds in turn; of
//! each the quickest of ROUNDS (2 if not said), since a shared machine only adds. `bare_bm25` is what it is compared with.

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
        return Err("usage: search_speed DATA QUERIES.jsonl [ROUNDS [answers|facets|explained|pruned|balanced]]".into());
    };
    let (rounds, only) = (rounds.first().map_or(Ok(2), |rounds| rounds.parse::<usize>())?, rounds.get(1));
    let engine = SearchEngine::new(Arc::new(DataFolder::open_to_read(Path::new(data))?))?;
    let lines = std::fs::read_to_string(queries)?;
    let texts: Result<Vec<String>, _> = lines.lines().map(text).collect();
    let texts = texts?;
    println!("{} blocks", engine.collection().store().stats().blocks);
    let balanced = QueryPruning::Tree(PruneRule::Balanced);
    let kinds = [
        ("answers", false, false, None),
        ("facets", true, false, None),
        ("explained", false, true, None),
        ("pruned", false, false, Some(QueryPruning::Focus)),
        ("balanced", false, false, Some(balanced)),
    ];
    let kinds: Vec<_> = kinds.into_iter().filter(|(name, ..)| only.is_none_or(|only| only == name)).collect();
    let mut times = vec![vec![Duration::MAX; texts.len()]; kinds.len()];
    for _ in 0..rounds {
        for (place, query) in texts.iter().enumerate() {
            for ((_, facets, explain, prune), times) in kinds.iter().zip(&mut times) {
                let request = SearchRequest {
                    facets: *facets,
                    explain: *explain,
                    prune: *prune,
                    ..SearchRequest::new(query.clone())
                };
                let started = Instant::now();
                // A query that cannot be understood is answered, too.
                drop(engine.search(&request));
                times[place] = times[place].min(started.elapsed());
            }
        }
    }
    let first: Duration = times.iter().take(1).flatten().sum();
    for ((name, ..), times) in kinds.iter().zip(times) {
        print(name, times, first);
    }
    Ok(())
}

fn text(line: &str) -> Result<String, serde_json::Error> {
    let query: serde_json::Value = serde_json::from_str(line)?;
    Ok(query["query"].as_str().unwrap_or_default().to_owned())
}

fn print(name: &str, mut times: Vec<Duration>, first: Duration) {
    times.sort_unstable();
    let milliseconds = |time: &Duration| time.as_secs_f64() * 1e3;
    let at = |share: f64| times.get((times.len() as f64 * share) as usize).map_or(0.0, milliseconds);
    let mean = times.iter().map(milliseconds).sum::<f64>() / times.len().max(1) as f64;
    let ratio = times.iter().sum::<Duration>().as_secs_f64() / first.as_secs_f64();
    let (count, p50, p99) = (times.len(), at(0.5), at(0.99));
    println!("{name}: {count} queries: mean {mean:.2} ms, p50 {p50:.2}, p99 {p99:.2}; {ratio:.2} x the first kind");
}
