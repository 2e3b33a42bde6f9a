//! Writes what the page type is told from, for `tools/train/page_type.py`.
//!
//! `export_page_types OUT SET`: the set is a folder with `html/ID.html.gz` and `gold.jsonl.gz`. Writes `OUT/addressed` and, of the same
//! pages as if their addresses were not known, `OUT/bare`: each has `numbers.f32` (little-endian, page after page), `words.u32` (of each
//! page: count, hashes), `ids.txt` and `names.txt`.

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use lopper_content::limits::Limits;
use lopper_content::metadata::Metadata;
use lopper_content::page_type::{Description, TypedPage};
use lopper_content::{cst, dom};

#[path = "support/labelled.rs"]
mod labelled;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [out, set] = arguments.as_slice() else { return Err("usage: export_page_types OUT SET".into()) };
    let (mut addressed, mut bare) = (Export::new(out, "addressed")?, Export::new(out, "bare")?);
    for page in labelled::pages(Path::new(set), None)? {
        let page = page?;
        let limits = Limits::default();
        let dom = dom::parse(&page.html, &limits);
        let tree = cst::build(&dom, cst::Profile::Modern, &limits);
        let metadata = Metadata::read(&dom);
        let described = |url| Description::of(&TypedPage { url, metadata: &metadata, dom: &dom, tree: &tree });
        addressed.put(&page.id, &described(&page.url))?;
        bare.put(&page.id, &described(""))?;
    }
    Ok(())
}

struct Export {
    folder: PathBuf,
    numbers: BufWriter<File>,
    words: BufWriter<File>,
    ids: BufWriter<File>,
}

impl Export {
    fn new(out: &str, name: &str) -> Result<Self, Box<dyn Error>> {
        let folder = Path::new(out).join(name);
        std::fs::create_dir_all(&folder)?;
        let create = |name: &str| File::create(folder.join(name)).map(BufWriter::new);
        let (numbers, words, ids) = (create("numbers.f32")?, create("words.u32")?, create("ids.txt")?);
        Ok(Self { folder, numbers, words, ids })
    }

    fn put(&mut self, id: &str, described: &Description) -> Result<(), Box<dyn Error>> {
        for value in &described.numbers {
            self.numbers.write_all(&value.to_le_bytes())?;
        }
        self.words.write_all(&(described.words.len() as u32).to_le_bytes())?;
        for word in &described.words {
            self.words.write_all(&word.to_le_bytes())?;
        }
        writeln!(self.ids, "{id}")?;
        std::fs::write(self.folder.join("names.txt"), described.names.join("\n"))?;
        Ok(())
    }
}
