//! Times lopper and its peers in Rust on the same pages, in one thread, by processor time: `peers ARCHIVE [LIMIT [ONLY]]`.
//!
//! Prints a JSON line a contestant, as `tools/bench/peers/peers.py` does, or for the contestant ONLY (`reading`: for none, which reads
//! the pages and does nothing). Reading the archive is not in the time.

use std::error::Error;
use std::fs;
use std::path::Path;

use html5ever::tendril::TendrilSink;
use lopper_archive::page::{self, Page, PageOutcome};
use lopper_content::document::{Document, to_markdown, to_text};
use lopper_content::extract::forest_judge::decide;
use lopper_content::extract::model::Model;
use lopper_content::extract::{ContentJudge, Extractor, PageView};
use lopper_content::limits::Limits;
use lopper_content::pipeline::{ExtractParams, PageAnalyser, ParsedPage};
use lopper_content::{cst, dom};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("usage: peers ARCHIVE [LIMIT [ONLY]]")?;
    let limit = arguments.next().map_or(Ok(500), |limit| limit.parse())?;
    let only = arguments.next();
    let limits = Limits::default();
    let pages = read(Path::new(&file), limit, &limits)?;
    let mut analyser = PageAnalyser::new(ExtractParams::default(), limits);
    let model = Model::embedded();
    let timed = |peer: &str, work: &mut dyn FnMut(&Page)| {
        if only.as_deref().is_none_or(|only| only == peer) {
            timed(peer, &pages, work);
        }
    };
    timed("lopper parse", &mut |page| drop(dom::parse(&page.html, &limits)));
    timed("lopper blocks of the index", &mut |page| drop(analyser.analyse(page.source(), None)));
    timed("lopper main content", &mut |page| {
        let dom = dom::parse(&page.html, &limits);
        let tree = cst::build(&dom, cst::Profile::Modern, &limits);
        drop(decide(&PageView::new(&dom, &tree, &page.url), model));
    });
    timed("lopper text", &mut |page| drop(written(page, &limits, to_text)));
    timed("lopper Markdown", &mut |page| drop(written(page, &limits, to_markdown)));
    timed("html5ever parse to rcdom", &mut |page| {
        drop(html5ever::parse_document(markup5ever_rcdom::RcDom::default(), Default::default()).one(&*page.html));
    });
    timed("dom_smoothie main content", &mut |page| {
        drop(dom_smoothie::Readability::new(&*page.html, None, None).and_then(|mut page| page.parse()));
    });
    Ok(())
}

/// The whole way of `lopper extract`, from the page's source to what it writes.
fn written(page: &Page, limits: &Limits, write: impl Fn(&Document) -> String) -> String {
    let parsed = ParsedPage::parse(page.source(), limits);
    let view = parsed.view();
    write(&Extractor::default().judge(&view).content(&view))
}

fn read(file: &Path, limit: usize, limits: &Limits) -> Result<Vec<Page>, Box<dyn Error>> {
    let mut reader = lopper_archive::open(file, limits)?;
    let mut pages = Vec::new();
    while let Some(record) = reader.next_record().filter(|_| pages.len() < limit) {
        if let PageOutcome::Page(page) = page::decode(record?, limits)? {
            pages.push(*page);
        }
    }
    Ok(pages)
}

fn timed(peer: &str, pages: &[Page], work: &mut dyn FnMut(&Page)) {
    let start = cpu_seconds();
    pages.iter().for_each(work);
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
