//! How long telling the type takes, on top of what is there of a page anyway.
//!
//! `page_type_speed SET`: the set is a folder with `html/ID.html.gz` and `gold.jsonl.gz`. Of each page the best of 5 runs; prints the
//! mean, the median and the 99th percentile in microseconds, and the mean of parsing the page and building its tree.

use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

use lopper_content::limits::Limits;
use lopper_content::metadata::Metadata;
use lopper_content::page_type::{TypedPage, page_type};
use lopper_content::{cst, dom};

#[path = "support/labelled.rs"]
mod labelled;

const RUNS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [set] = arguments.as_slice() else { return Err("usage: page_type_speed SET".into()) };
    let (mut told, mut built) = (Vec::new(), Duration::ZERO);
    for page in labelled::pages(Path::new(set), None)? {
        let page = page?;
        let limits = Limits::default();
        let started = Instant::now();
        let dom = dom::parse(&page.html, &limits);
        let tree = cst::build(&dom, cst::Profile::Modern, &limits);
        built += started.elapsed();
        let metadata = Metadata::read(&dom);
        let typed = TypedPage { url: &page.url, metadata: &metadata, dom: &dom, tree: &tree };
        told.extend((0..RUNS).map(|_| timed(&typed)).min());
    }
    told.sort_unstable();
    let pages = told.len().max(1) as u32;
    let at = |share: usize| told.get(told.len() * share / 100).copied().unwrap_or_default().as_secs_f64() * 1e6;
    let mean = |sum: Duration| (sum / pages).as_secs_f64() * 1e6;
    println!(
        "{pages} pages: mean {:.1}, median {:.1}, 99th percentile {:.1} microseconds",
        mean(told.iter().sum()),
        at(50),
        at(99)
    );
    println!("parsing and building the tree: mean {:.1}", mean(built));
    Ok(())
}

fn timed(page: &TypedPage<'_>) -> Duration {
    let started = Instant::now();
    std::hint::black_box(page_type(std::hint::black_box(page)));
    started.elapsed()
}
