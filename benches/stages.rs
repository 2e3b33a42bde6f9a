//! What each stage from HTML to passages takes, apart from archive, index and store.
//!
//! Measured is the wall time of each stage over all pages, the fastest of five rounds, in one thread, without statistics of a collection.
//! Corpus: the pages of the archive given, by default `demo/data-gov-uk-2014.warc.gz`. No randomness.
//!
//! `cargo bench --bench stages -- [ARCHIVE]`

use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

use lopper_archive::page::{self, Page, PageOutcome};
use lopper_content::limits::Limits;
use lopper_content::pipeline::{ExtractParams, PageAnalyser, Stage};

const ROUNDS: usize = 5;

const STAGES: [Stage; 5] = [Stage::Parse, Stage::Tree, Stage::Weigh, Stage::Prune, Stage::Blocks];

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with("--"));
    let file = arguments.next().unwrap_or_else(|| "demo/data-gov-uk-2014.warc.gz".to_owned());
    let limits = Limits::default();
    let pages = read(Path::new(&file), &limits)?;
    let mut analyser = PageAnalyser::new(ExtractParams::default(), limits);
    let mut best = [Duration::MAX; STAGES.len()];
    for _ in 0..ROUNDS {
        for (best, now) in best.iter_mut().zip(round(&pages, &mut analyser)) {
            *best = now.min(*best);
        }
    }
    let bytes: usize = pages.iter().map(|page| page.html.len()).sum();
    println!("{} pages of {file}, {} kB each", pages.len(), bytes / pages.len().max(1) / 1000);
    for (stage, time) in STAGES.iter().zip(best) {
        let (seconds, pages) = (time.as_secs_f64().max(1e-9), pages.len() as f64);
        println!("{stage:?}: {:.3} ms/page, {:.0} MB/s", seconds * 1000.0 / pages, bytes as f64 / seconds / 1e6);
    }
    Ok(())
}

fn read(file: &Path, limits: &Limits) -> Result<Vec<Page>, Box<dyn Error>> {
    let mut reader = lopper_archive::open(file, limits)?;
    let mut pages = Vec::new();
    while let Some(record) = reader.next_record() {
        if let PageOutcome::Page(page) = page::decode(record?, limits)? {
            pages.push(*page);
        }
    }
    Ok(pages)
}

fn round(pages: &[Page], analyser: &mut PageAnalyser) -> [Duration; STAGES.len()] {
    let mut times = [Duration::ZERO; STAGES.len()];
    for page in pages {
        let mut last = Instant::now();
        let mut watch = |stage: Stage| {
            let now = Instant::now();
            let place = STAGES.iter().position(|known| *known == stage).unwrap_or(0);
            times[place] += now - last;
            last = now;
        };
        std::hint::black_box(analyser.analyse_watched(page.source(), None, None, &mut watch).unwrap());
    }
    times
}
