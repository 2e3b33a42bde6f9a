//! Ingests an archive and searches it: `cargo run --example search_archive -- DATA_FOLDER ARCHIVE QUERY`.

use lopper_collection::ingest::IngestOptions;
use lopper_collection::search::SearchRequest;
use lopper_collection::{Collection, Error};

fn main() -> Result<(), Error> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [data, archive, query] = &args[..] else { panic!("usage: search_archive DATA_FOLDER ARCHIVE QUERY") };
    let collection = Collection::open(data)?;
    let report = collection.ingest(&[archive.into()], &IngestOptions::default())?;
    println!("{} new pages", report.records.indexed);
    for page in collection.search(&SearchRequest::new(query))?.pages {
        println!("{:.2} {} {}\n     {}", page.score, page.title, page.url, page.blocks[0].passage);
    }
    Ok(())
}
