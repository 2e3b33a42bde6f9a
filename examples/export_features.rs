//! Writes the features of labelled pages for `tools/train`.
//!
//! `export_features pages OUT SET...`: each SET is a folder with `html/ID.html.gz` and `gold.jsonl.gz`. Writes
//! `OUT/features.f32` (little-endian, unit after unit), `OUT/units.jsonl` (a line a page: set, id, texts of its units),
//! `OUT/links.u32` (of each unit: bits of its words, make, blocks) and `OUT/names.txt`.
//!
//! `export_features unlabelled OUT ARCHIVE...`: the same of the pages of archives, up to `SITE_PAGES` of a host. Their lines
//! have the host, and of each unit how many of the published methods keep it. What cannot be read is left out.
//!
//! `export_features context OUT FIRST.f32 CONTEXT.f32`: from first-pass probabilities of all units the features of the
//! second pass; their names come after those of the first in `OUT/names.txt`.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use lopper_archive::page::{self, Page, PageId, PageOutcome};
use lopper_content::cst::RunId;
use lopper_content::extract::features::context::Context;
use lopper_content::extract::features::{self, BLOCK_LEVELS, Features, UnitLinks};
use lopper_content::extract::methods::{Method, Variant};
use lopper_content::extract::{PageView, ROW_FEATURES_MAX, forest_judge::feature_names};
use lopper_content::limits::Limits;
use lopper_content::text::url;
use lopper_content::{cst, dom};
use serde_json::{Value, json};

#[path = "support/labelled.rs"]
mod labelled;

/// Numbers in `links.u32` for each unit.
const LINK_NUMBERS: usize = 2 + 2 * BLOCK_LEVELS;

/// Pages of a host that are taken at most.
const SITE_PAGES: usize = 100;

/// The published methods, each in one reading.
const VOTERS: [Method; 5] = [Method::Cst, Method::Bte, Method::Distribution, Method::Punctuation, Method::LinkDensity];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["pages", out, sets @ ..] => export_pages(Path::new(out), sets),
        ["unlabelled", out, archives @ ..] => export_unlabelled(Path::new(out), archives),
        ["context", out, first, context] => export_context(Path::new(out), Path::new(first), Path::new(context)),
        _ => Err(
            "usage: export_features pages OUT SET... | unlabelled OUT ARCHIVE... | context OUT FIRST.f32 CONTEXT.f32"
                .into(),
        ),
    }
}

/// The files of an export.
struct Export {
    matrix: BufWriter<File>,
    links: BufWriter<File>,
    units: BufWriter<File>,
}

fn export_pages(out: &Path, sets: &[&str]) -> Result<(), Box<dyn Error>> {
    let mut export = Export::create(out)?;
    for set in sets {
        for page in labelled::pages(Path::new(set), None)? {
            let page = page?;
            export.page(&page.html, &page.url, |_, _| json!({ "set": page.set, "id": page.id }))?;
        }
    }
    Ok(())
}

fn export_unlabelled(out: &Path, archives: &[&str]) -> Result<(), Box<dyn Error>> {
    let mut export = Export::create(out)?;
    for (host, pages) in read_sites(archives) {
        for (id, page) in pages {
            let line = |view: &PageView<'_>, runs: &[RunId]| json!({ "set": "unlabelled", "id": id, "host": host, "votes": votes(view, runs) });
            export.page(&page.html, &page.url, line)?;
        }
    }
    Ok(())
}

/// Pages by id, which is a hash: the first ones are any.
type SitePages = BTreeMap<String, Page>;

fn read_sites(archives: &[&str]) -> BTreeMap<String, SitePages> {
    let limits = Limits::default();
    let mut sites: BTreeMap<String, SitePages> = BTreeMap::new();
    let archives: BTreeSet<&str> = archives.iter().copied().collect();
    for archive in archives {
        let mut reader = match lopper_archive::open(Path::new(archive), &limits) {
            Ok(reader) => reader,
            Err(error) => {
                eprintln!("left out: {error}");
                continue;
            }
        };
        while let Some(record) = reader.next_record() {
            let Ok(record) = record else { continue };
            let Ok(PageOutcome::Page(page)) = page::decode(record, &limits) else { continue };
            let Some(host) = url::host(&page.url) else { continue };
            let site = sites.entry(host).or_default();
            site.entry(PageId::of(&page.url, None).to_string()).or_insert(*page);
            if site.len() > SITE_PAGES {
                site.pop_last();
            }
        }
    }
    sites
}

/// How many published methods keep each of those runs.
fn votes(page: &PageView<'_>, runs: &[RunId]) -> Vec<usize> {
    let verdicts: Vec<_> = VOTERS.iter().map(|method| method.decide(page, Variant::Best)).collect();
    runs.iter().map(|run| verdicts.iter().filter(|verdict| verdict.kept[*run]).count()).collect()
}

impl Export {
    fn create(out: &Path) -> Result<Self, Box<dyn Error>> {
        std::fs::create_dir_all(out)?;
        std::fs::write(out.join("names.txt"), feature_names().join("\n"))?;
        let create = |name: &str| File::create(out.join(name)).map(BufWriter::new);
        Ok(Self { matrix: create("features.f32")?, links: create("links.u32")?, units: create("units.jsonl")? })
    }

    /// Writes a page. `line` makes the beginning of its line, from the page and the runs of its units.
    fn page(
        &mut self,
        html: &str,
        url: &str,
        line: impl FnOnce(&PageView<'_>, &[RunId]) -> Value,
    ) -> Result<(), Box<dyn Error>> {
        let limits = Limits::default();
        let dom = dom::parse(html, &limits);
        let tree = cst::build(&dom, cst::Profile::Modern, &limits);
        let view = PageView::new(&dom, &tree, url);
        let features = features::compute(&view);
        for row in &features.values {
            write_values(&mut self.matrix, &row[..features.width])?;
        }
        for number in link_numbers(&features) {
            self.links.write_all(&number.to_le_bytes())?;
        }
        let texts: Vec<&str> = features.runs.iter().map(|run| tree.run_text(&tree.runs()[*run])).collect();
        let structured = features.info.structured.texts.iter();
        let structured: Vec<(String, &str)> =
            structured.map(|(kind, text)| (format!("{kind:?}"), text.as_str())).collect();
        let mut line = line(&view, &features.runs);
        line["texts"] = json!(texts);
        line["words"] = json!(features.words);
        line["structured"] = json!(structured);
        writeln!(self.units, "{line}")?;
        Ok(())
    }
}

fn write_values(file: &mut impl Write, values: &[f32]) -> std::io::Result<()> {
    values.iter().try_for_each(|value| file.write_all(&value.to_le_bytes()))
}

fn link_numbers(features: &Features) -> Vec<u32> {
    let mut numbers = Vec::with_capacity(features.runs.len() * LINK_NUMBERS + 1);
    numbers.push(features.runs.len() as u32);
    for unit in 0..features.runs.len() {
        numbers.extend([features.words[unit].to_bits(), features.links.make[unit]]);
        numbers.extend(features.links.blocks[unit].iter().flat_map(|(first, end)| [*first, *end]));
    }
    numbers
}

fn export_context(out: &Path, first: &Path, context: &Path) -> Result<(), Box<dyn Error>> {
    let links = numbers(&std::fs::read(out.join("links.u32"))?);
    let first: Vec<f32> = numbers(&std::fs::read(first)?).into_iter().map(f32::from_bits).collect();
    let mut file = BufWriter::new(File::create(context)?);
    let (mut at, mut unit) = (0, 0);
    let width = features::context::width();
    while at < links.len() {
        let count = links[at] as usize;
        let page = &links[at + 1..][..count * LINK_NUMBERS];
        let (words, links) = read_links(page);
        let context = Context::new(&first[unit..unit + count], &words, &links);
        for of_page in 0..count {
            let mut row = [0.0; ROW_FEATURES_MAX];
            context.write(of_page, &mut row, 0);
            write_values(&mut file, &row[..width])?;
        }
        at += 1 + page.len();
        unit += count;
    }
    Ok(())
}

fn numbers(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|bytes| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])).collect()
}

fn read_links(page: &[u32]) -> (Vec<f32>, UnitLinks) {
    let mut links = UnitLinks::default();
    let mut words = Vec::new();
    for unit in page.chunks_exact(LINK_NUMBERS) {
        words.push(f32::from_bits(unit[0]));
        links.make.push(unit[1]);
        links.blocks.push(std::array::from_fn(|level| (unit[2 + 2 * level], unit[3 + 2 * level])));
    }
    (words, links)
}
