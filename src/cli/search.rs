//! `lopper search`.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write, stdout};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result};
use lopper_index::RankedBlocks;
use serde::{Deserialize, Serialize};

use super::args::{SearchArgs, SearchFormat, wrong_usage};
use super::data_folder;
use super::output::{Style, grouped, printable};
use crate::config::Config;
use crate::ingest::Collection;
use crate::search::{PageHit, SearchEngine, SearchError, SearchRequest, SearchResponse};

/// Blocks of one page in a run, so that its first hundred results reach many pages.
const RUN_BLOCKS_PER_PAGE_MAX: usize = 3;

pub(super) fn run(args: &SearchArgs, config: &Config) -> Result<ExitCode> {
    if args.queries.is_some() && args.format != SearchFormat::Run {
        wrong_usage("--queries needs --format run");
    }
    let data = data_folder(args.data.data.as_ref(), config);
    let engine = SearchEngine::new(Arc::new(Collection::open_to_read(&data)?))?;
    let mut out = BufWriter::new(stdout().lock());
    let query = args.query.join(" ");
    match (&args.queries, args.format) {
        (Some(file), _) => run_queries(&engine, file, args.k as usize, &mut out)?,
        (None, SearchFormat::Run) => {
            write_run(&engine, "1", &fetch(&engine, &query, args.k as usize)?, args.k as usize, &mut out)?;
        }
        (None, format) => {
            let response = engine.search(&SearchRequest { pages: args.k as usize, ..SearchRequest::new(query) })?;
            if format == SearchFormat::Json {
                writeln!(out, "{}", serde_json::to_string_pretty(&response)?)?;
            } else {
                print_response(&mut out, &response, Style::of_stdout())?;
            }
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// A line of a query file; other fields are passed over.
#[derive(Deserialize)]
struct QueryLine {
    qid: String,
    query: String,
}

#[derive(Serialize)]
struct RunLine<'a> {
    qid: &'a str,
    results: Vec<RunResult>,
}

#[derive(Serialize)]
struct RunResult {
    url: String,
    score: f32,
    block_text: String,
    block_id: String,
    page_id: String,
}

/// Enough blocks that `k` are left when pages with many are cut short.
fn fetch(engine: &SearchEngine, query: &str, k: usize) -> Result<RankedBlocks, SearchError> {
    engine.blocks(query, k.saturating_mul(RUN_BLOCKS_PER_PAGE_MAX))
}

fn run_queries(engine: &SearchEngine, file: &Path, k: usize, out: &mut impl Write) -> Result<()> {
    let source = File::open(file).with_context(|| format!("cannot read the query file {}", file.display()))?;
    for (index, line) in BufReader::new(source).lines().enumerate() {
        let place = || format!("{} line {}", file.display(), index + 1);
        let line = line.with_context(place)?;
        if line.trim().is_empty() {
            continue;
        }
        let query: QueryLine =
            serde_json::from_str(&line).with_context(|| format!("{} is not {{\"qid\", \"query\"}}", place()))?;
        let ranked = match fetch(engine, &query.query, k) {
            // One bad query among many is told and finds nothing.
            Err(error @ SearchError::Query(_)) => {
                eprintln!("lopper: {}: {error}", place());
                RankedBlocks::default()
            }
            ranked => ranked?,
        };
        write_run(engine, &query.qid, &ranked, k, out)?;
    }
    Ok(())
}

fn write_run(engine: &SearchEngine, qid: &str, ranked: &RankedBlocks, k: usize, out: &mut impl Write) -> Result<()> {
    let mut of_page: HashMap<&str, usize> = HashMap::new();
    let shown = ranked.blocks.iter().filter(|block| {
        let count = of_page.entry(&block.document.page_id).or_default();
        *count += 1;
        *count <= RUN_BLOCKS_PER_PAGE_MAX
    });
    let results = shown.take(k).map(|block| RunResult {
        url: block.document.url.clone(),
        score: block.score,
        block_text: engine.shown(ranked, block).to_owned(),
        block_id: block.document.block_id.clone(),
        page_id: block.document.page_id.clone(),
    });
    serde_json::to_writer(&mut *out, &RunLine { qid, results: results.collect() })?;
    writeln!(out)?;
    Ok(())
}

/// The answer for people.
pub(super) fn print_response(out: &mut impl Write, response: &SearchResponse, style: Style) -> Result<()> {
    for note in &response.notes {
        writeln!(out, "{}note: {note}{}", style.dim, style.off)?;
    }
    if response.pages.is_empty() {
        writeln!(out, "Nothing found. Try fewer or other words; quotes ask for the exact words in a row.")?;
    }
    for (index, page) in response.pages.iter().enumerate() {
        print_page(out, index + 1, page, style)?;
    }
    let (blocks, ms) = (grouped(response.total_blocks), response.duration_ms);
    writeln!(out, "{}{blocks} blocks match, {} pages shown, {ms:.1} ms{}", style.dim, response.pages.len(), style.off)?;
    Ok(())
}

fn print_page(out: &mut impl Write, place: usize, page: &PageHit, style: Style) -> Result<()> {
    let title = if page.title.is_empty() { &page.url } else { &page.title };
    let date = page.captured_at.as_deref().map_or("no date", |time| &time[..10]);
    writeln!(out, "{}{place}. {}{}", style.bold, printable(title).replace('\n', " "), style.off)?;
    writeln!(out, "   {}{} · {date} · {}{}", style.dim, printable(&page.url), page.language, style.off)?;
    for block in &page.blocks {
        let path = printable(&block.heading_path.join(" › ")).replace('\n', " ");
        writeln!(out, "   [score {:.2}, similarity {:.2}] {path}", block.score, block.similarity)?;
        let snippet = block.snippet.marked(style.mark, style.off, printable);
        for line in snippet.lines() {
            writeln!(out, "     {line}")?;
        }
        writeln!(out, "     {}{}{}", style.dim, block.locator.url, style.off)?;
    }
    writeln!(out)?;
    Ok(())
}
