//! Writes what the page type is told from, for `tools/train/page_type.py`.
//!
//! `export_page_types OUT SET`: the set is a folder with `html/ID.html.gz` and `gold.jsonl.gz`. Writes `OUT/numbers.f32`
//! (little-endian, page after page), `OUT/words.u32` (of each page: count, hashes), `OUT/ids.txt` and `OUT/names.txt`.

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use lopper_content::limits::Limits;
use lopper_content::metadata::Metadata;
use lopper_content::page_type::{Description, TypedPage};
use lopper_content::{cst, dom};

#[path = "support/labelled.rs"]
mod labelled;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [out, set] = arguments.as_slice() else { return Err("usage: export_page_types OUT SET".into()) };
    let out = Path::new(out);
    std::fs::create_dir_all(out)?;
    let create = |name: &str| File::create(out.join(name)).map(BufWriter::new);
    let (mut numbers, mut words, mut ids) = (create("numbers.f32")?, create("words.u32")?, create("ids.txt")?);
    for page in labelled::pages(Path::new(set), None)? {
        let page = page?;
        let limits = Limits::default();
        let dom = dom::parse(&page.html, &limits);
        let tree = cst::build(&dom, cst::Profile::Modern, &limits);
        let metadata = Metadata::read(&dom);
        let described = Description::of(&TypedPage { url: &page.url, metadata: &metadata, dom: &dom, tree: &tree });
        for value in &described.numbers {
            numbers.write_all(&value.to_le_bytes())?;
        }
        words.write_all(&(described.words.len() as u32).to_le_bytes())?;
        for word in &described.words {
            words.write_all(&word.to_le_bytes())?;
        }
        writeln!(ids, "{}", page.id)?;
        std::fs::write(out.join("names.txt"), described.names.join("\n"))?;
    }
    Ok(())
}
