//! Runs one published method over a folder of pages and writes what it keeps, for scoring.
//!
//! `cargo run --release --example methods -- METHOD VARIANT HTML_FOLDER OUTPUT.jsonl`
//!
//! Reads `ID.html` and `ID.html.gz`, writes a line `{"id", "text"}` a page, and prints the time that the method itself took.

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Read, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use lopper::cst::{self, Profile};
use lopper::dom;
use lopper::extract::methods::{Method, PageView, Variant};
use lopper::limits::Limits;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [method, variant, folder, output] = arguments.as_slice() else {
        return Err("usage: methods METHOD VARIANT HTML_FOLDER OUTPUT.jsonl".into());
    };
    let (method, variant): (Method, Variant) = (method.parse()?, variant.parse()?);
    let mut paths: Vec<_> =
        std::fs::read_dir(folder)?.map(|entry| entry.map(|e| e.path())).collect::<Result<_, _>>()?;
    paths.sort();
    let mut output = BufWriter::new(File::create(output)?);
    let (mut pages, mut spent) = (0u32, Duration::ZERO);
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some(id) = name.strip_suffix(".html.gz").or(name.strip_suffix(".html")) else { continue };
        let (text, duration) = extract(&read(&path)?, method, variant);
        writeln!(output, "{}", serde_json::json!({ "id": id, "text": text }))?;
        pages += 1;
        spent += duration;
    }
    output.flush()?;
    println!(
        "{method} {variant}: {pages} pages, {:.3} ms a page",
        spent.as_secs_f64() * 1000.0 / f64::from(pages.max(1))
    );
    Ok(())
}

fn read(path: &Path) -> Result<String, Box<dyn Error>> {
    let mut bytes = Vec::new();
    let mut file = File::open(path)?;
    if path.extension().is_some_and(|extension| extension == "gz") {
        flate2::read::MultiGzDecoder::new(file).read_to_end(&mut bytes)?;
    } else {
        file.read_to_end(&mut bytes)?;
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn extract(html: &str, method: Method, variant: Variant) -> (String, Duration) {
    let limits = Limits::default();
    let dom = dom::parse(html, &limits);
    let tree = cst::build(&dom, Profile::Modern, &limits);
    let page = PageView::new(&dom, &tree, "");
    let start = Instant::now();
    let verdict = method.decide(&page, variant);
    (verdict.text(&tree), start.elapsed())
}
