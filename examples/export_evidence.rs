//! Scratch: evidence of candidates as JSON lines.
use std::io::Write;
use std::path::Path;

use lopper::ingest::Collection;
use lopper_index::{BlendWeights, BlockQuery, Part};

fn main() {
    let mut args = std::env::args().skip(1);
    let collection = Collection::open_to_read(Path::new(&args.next().unwrap())).unwrap();
    let queries = args.next().unwrap();
    let out = args.next().unwrap();
    let every: usize = args.next().unwrap().parse().unwrap();
    let searcher = collection.index().searcher();
    let links = collection.store().snapshot();
    let mut file = std::io::BufWriter::new(std::fs::File::create(out).unwrap());
    for (at, line) in std::fs::read_to_string(queries).unwrap().lines().enumerate() {
        if at % every != 0 {
            continue;
        }
        let query: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = query["query"].as_str().unwrap();
        let ranked = searcher.search_with(&BlockQuery::new(text, 400), &*links, BlendWeights::default()).unwrap();
        let found: Vec<_> = ranked
            .blocks
            .iter()
            .map(|block| {
                let evidence = block.evidence.unwrap();
                let parts: Vec<f32> = Part::ALL.iter().map(|part| (evidence.of(*part) * 1e4).round() / 1e4).collect();
                serde_json::json!([block.document.block_id, parts])
            })
            .collect();
        serde_json::to_writer(&mut file, &serde_json::json!({"qid": query["qid"], "found": found})).unwrap();
        writeln!(file).unwrap();
    }
}
