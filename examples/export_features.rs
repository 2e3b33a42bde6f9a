//! Writes the features of labelled pages for `tools/train`.
//!
//! `export_features OUT SET...`: each SET is a folder with `html/ID.html.gz` and `gold.jsonl.gz`. Writes `OUT/features.f32`
//! (little-endian, unit after unit), `OUT/units.jsonl` (a line a page: set, id, texts of its units) and `OUT/names.txt`.

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use lopper::extract::{PageView, features};
use lopper::limits::Limits;
use lopper::{cst, dom};

#[path = "support/labelled.rs"]
mod labelled;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [out, sets @ ..] = arguments.as_slice() else { return Err("usage: export_features OUT SET...".into()) };
    let out = Path::new(out);
    std::fs::create_dir_all(out)?;
    std::fs::write(out.join("names.txt"), features::names().join("\n"))?;
    let mut matrix = BufWriter::new(File::create(out.join("features.f32"))?);
    let mut units = BufWriter::new(File::create(out.join("units.jsonl"))?);
    for set in sets {
        for page in labelled::pages(Path::new(set))? {
            export(&page?, &mut matrix, &mut units)?;
        }
    }
    Ok(())
}

fn export(page: &labelled::Page, matrix: &mut impl Write, units: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let limits = Limits::default();
    let dom = dom::parse(&page.html, &limits);
    let tree = cst::build(&dom, cst::Profile::Modern, &limits);
    let features = features::compute(&PageView { dom: &dom, tree: &tree, url: &page.url });
    for value in &features.values {
        matrix.write_all(&value.to_le_bytes())?;
    }
    let texts: Vec<&str> = features.runs.iter().map(|run| tree.run_text(&tree.runs()[*run])).collect();
    let structured: Vec<(String, &str)> =
        features.info.structured.texts.iter().map(|(kind, text)| (format!("{kind:?}"), text.as_str())).collect();
    let line = serde_json::json!({
        "set": page.set, "id": page.id, "texts": texts, "words": features.words, "structured": structured,
    });
    writeln!(units, "{line}")?;
    Ok(())
}
