//! How often the engine inside and the naive one give the same first ten.
//!
//! usage: `cargo run --release --example engine_agreement -- DATA QUERIES.jsonl [EVERY]`
//!
//! DATA is a data folder, QUERIES has `{"query": …}` a line, of which every EVERYth is asked (default 4). The naive engine looks at every
//! block for every query: some 150 ms for a hundred thousand. Prints a line a disagreement, with the features that differ, then the counts.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use lopper_collection::DataFolder;
use lopper_collection::links::CountedLinks;
use lopper_index::{BlockQuery, Ranking};

#[path = "../tests/engines/mod.rs"]
mod copies;

use copies::naive::agreement::{Agreement, agreement, differing_features};
use copies::naive_copy;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [data, queries, rest @ ..] = &args[..] else { panic!("usage: engine_agreement DATA QUERIES.jsonl [EVERY]") };
    let every = rest.first().map_or(4, |every| every.parse().expect("EVERY is a number"));
    let lines = std::fs::read_to_string(queries).expect("QUERIES can be read");
    let text = |line: &str| {
        let line: serde_json::Value = serde_json::from_str(line).expect("a query is a JSON object");
        line["query"].as_str().expect("a query has a text").to_owned()
    };
    let texts: Vec<String> = lines.lines().step_by(every).map(text).collect();
    let collection = DataFolder::open_to_read(Path::new(data)).expect("DATA can be read");
    let (embedded, naive) = (collection.index().searcher(), naive_copy(&collection));
    embedded.reload().expect("the index can be read");
    println!("{} blocks, {} queries", embedded.count(), texts.len());
    for ranking in [Ranking::Blend, Ranking::Bm25] {
        let counts: [AtomicUsize; 4] = Default::default();
        let links = collection.store().snapshot();
        let (embedded, naive, links, counts_ref) = (&embedded, &naive, &links, &counts);
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| {
            for chunk in texts.chunks(texts.len().div_ceil(threads).max(1)) {
                scope.spawn(move || {
                    for text in chunk {
                        let query = BlockQuery { ranking, depth: 100, ..BlockQuery::new(text, 100) };
                        let agreement = agreement(embedded, naive, &query, &CountedLinks(links));
                        counts_ref[agreement as usize].fetch_add(1, Ordering::Relaxed);
                        if !matches!(agreement, Agreement::Same | Agreement::SameButTies) {
                            let features = differing_features(embedded, naive, &query, &CountedLinks(links));
                            println!("{} {agreement:?}: {text} {features:?}", ranking.name());
                        }
                    }
                });
            }
        });
        let [same, ties, order, other] = counts.map(AtomicUsize::into_inner);
        println!(
            "{}: {same} the same, {ties} but for ties, {order} in the same order with other scores, {other} others",
            ranking.name()
        );
    }
}
