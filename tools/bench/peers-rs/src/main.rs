//! Times lopper and its peers in Rust on the same pages, in one thread, by processor time: `peers ARCHIVE [LIMIT]`.
//!
//! Prints a JSON line a contestant, as `tools/bench/peers/peers.py` does. Reading the archive is not in the time.

use std::error::Error;
use std::fs;
use std::path::Path;

use html5ever::tendril::TendrilSink;
use lopper::extract::PageView;
use lopper::extract::lopper::decide;
use lopper::extract::model::Model;
use lopper::limits::Limits;
use lopper::page::{self, Page, PageOutcome};
use lopper::pipeline::{ExtractParams, PageAnalyser};
use lopper::{archive, cst, dom};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("usage: peers ARCHIVE [LIMIT]")?;
    let limit = arguments.next().map_or(Ok(500), |limit| limit.parse())?;
    let limits = Limits::default();
    let pages = read(Path::new(&file), limit, &limits)?;
    let mut analyser = PageAnalyser::new(ExtractParams::default(), limits);
    let model = Model::embedded();
    timed("lopper parse", &pages, |page| drop(dom::parse(&page.html, &limits)));
    timed("lopper blocks of the index", &pages, |page| drop(analyser.analyse(page, None)));
    timed("lopper main content", &pages, |page| {
        let dom = dom::parse(&page.html, &limits);
        let tree = cst::build(&dom, cst::Profile::Modern, &limits);
        drop(decide(&PageView::new(&dom, &tree, &page.url), model));
    });
    timed("html5ever parse to rcdom", &pages, |page| {
        drop(html5ever::parse_document(markup5ever_rcdom::RcDom::default(), Default::default()).one(&*page.html));
    });
    timed("dom_smoothie main content", &pages, |page| {
        drop(dom_smoothie::Readability::new(&*page.html, None, None).and_then(|mut page| page.parse()));
    });
    Ok(())
}

fn read(file: &Path, limit: usize, limits: &Limits) -> Result<Vec<Page>, Box<dyn Error>> {
    let mut reader = archive::open(file, limits)?;
    let mut pages = Vec::new();
    while let Some(record) = reader.next_record().filter(|_| pages.len() < limit) {
        if let PageOutcome::Page(page) = page::decode(record?, limits)? {
            pages.push(*page);
        }
    }
    Ok(pages)
}

fn timed(peer: &str, pages: &[Page], mut work: impl FnMut(&Page)) {
    let start = cpu_seconds();
    pages.iter().for_each(&mut work);
    let seconds = cpu_seconds() - start;
    let html_bytes: usize = pages.iter().map(|page| page.html.len()).sum();
    let line = serde_json::json!({ "peer": peer, "pages": pages.len(), "html_bytes": html_bytes, "seconds": seconds });
    println!("{line}");
}

/// Processor time of the process in ticks of a hundredth of a second, as Linux tells it.
fn cpu_seconds() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}
