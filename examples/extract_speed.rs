//! Times the default method against the bare parse, in one thread, on the pages of a set.
//!
//! `extract_speed SET [ROUNDS [MODEL]]`: prints the mean per page of the parse, of the tree, of features and decision, each round's
//! fastest.

use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

use lopper_content::extract::forest_judge::decide;
use lopper_content::extract::model::Model;
use lopper_content::extract::{PageView, features};
use lopper_content::limits::Limits;
use lopper_content::{cst, dom};

#[path = "support/labelled.rs"]
mod labelled;

/// Pages that are timed: every fifth of the first thousand.
const PAGES: usize = 200;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let set = arguments.first().ok_or("usage: extract_speed SET [ROUNDS [MODEL]]")?;
    let rounds = arguments.get(1).map_or(Ok(5), |rounds| rounds.parse())?;
    let pages: Vec<labelled::Page> =
        labelled::pages(Path::new(set), None)?.step_by(5).take(PAGES).collect::<Result<_, _>>()?;
    let model = match arguments.get(2) {
        Some(file) => Model::from_bytes(&std::fs::read(file)?)?,
        None => Model::embedded().clone(),
    };
    let mut best = [Duration::MAX; 4];
    for _ in 0..rounds {
        for (best, now) in best.iter_mut().zip(round(&pages, &model)) {
            *best = now.min(*best);
        }
    }
    let bytes: usize = pages.iter().map(|page| page.html.len()).sum();
    println!("{} pages, {} kB each", pages.len(), bytes / pages.len() / 1000);
    for (name, time) in ["parse", "tree", "features", "decision with features"].iter().zip(best) {
        println!("{name}: {:.3} ms/page", time.as_secs_f64() * 1000.0 / pages.len() as f64);
    }
    Ok(())
}

fn round(pages: &[labelled::Page], model: &Model) -> [Duration; 4] {
    let limits = Limits::default();
    let mut times = [Duration::ZERO; 4];
    for page in pages {
        let start = Instant::now();
        let dom = dom::parse(&page.html, &limits);
        times[0] += start.elapsed();
        let start = Instant::now();
        let tree = cst::build(&dom, cst::Profile::Modern, &limits);
        times[1] += start.elapsed();
        let view = PageView::new(&dom, &tree, &page.url);
        let start = Instant::now();
        std::hint::black_box(features::compute(&view));
        times[2] += start.elapsed();
        let start = Instant::now();
        std::hint::black_box(decide(&view, model));
        times[3] += start.elapsed();
    }
    times
}
