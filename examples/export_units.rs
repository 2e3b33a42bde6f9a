//! Scratch: units of a collection as JSON lines.
use std::io::Write;
use std::path::Path;

use lopper::ingest::Collection;
use lopper_index::analysis::{Analyzer, Language};

fn main() {
    let mut args = std::env::args().skip(1);
    let data = args.next().unwrap();
    let queries = args.next().unwrap();
    let out = args.next().unwrap();
    let collection = Collection::open_to_read(Path::new(&data)).unwrap();
    let searcher = collection.index().searcher();
    let mut analyzer = Analyzer::new();
    let mut stems = |text: &str, language: Language| {
        let mut joined = String::new();
        analyzer.analyze(text, language, |token| {
            joined.push_str(token.term);
            joined.push(' ');
        });
        joined
    };
    let mut file = std::io::BufWriter::new(std::fs::File::create(format!("{out}.units")).unwrap());
    for page in collection.store().pages() {
        let page = page.unwrap();
        let description = stems(&page.description, Language::from_code(page.language.as_deref().unwrap_or("")));
        for (place, block) in searcher.blocks_of_page(&page.id.to_string()).unwrap().into_iter().enumerate() {
            let language = block.language;
            let line = serde_json::json!({
                "id": block.block_id, "url": block.url, "o": block.ordinal, "lang": language.code(), "anchor": block.anchor,
                "title": if place == 0 { stems(&block.title, language) } else { String::new() },
                "desc": if place == 0 { description.as_str() } else { "" },
                "head": block.heading_path.iter().map(|h| stems(h, language)).collect::<Vec<_>>(),
                "lead": stems(&block.lead, language),
                "lines": block.body.lines().map(|l| stems(l, language)).collect::<Vec<_>>(),
                "text": block.body, "link": block.link_text.split_whitespace().count(),
                "img": stems(&block.image_text, language), "sim": block.similarity, "weight": block.weight,
                "css": block.css_path, "rawhead": block.heading_path,
            });
            serde_json::to_writer(&mut file, &line).unwrap();
            writeln!(file).unwrap();
        }
    }
    let mut file = std::io::BufWriter::new(std::fs::File::create(format!("{out}.queries")).unwrap());
    for line in std::fs::read_to_string(queries).unwrap().lines() {
        let mut query: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = query["query"].as_str().unwrap().to_owned();
        query["en"] = stems(&text, Language::from_code("en")).into();
        query["und"] = stems(&text, Language::UNDETERMINED).into();
        serde_json::to_writer(&mut file, &query).unwrap();
        writeln!(file).unwrap();
    }
}
