//! `lopper search`.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result};
use lopper_collection::DataFolder;
use lopper_collection::search::{SearchEngine, SearchError, SearchRequest, read_weights};
use lopper_index::{Budget, QueryLimits, RankedBlock};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use super::answer::print_response;
use super::args::{SearchArgs, SearchFormat, wrong_usage};
use super::engine::{Opened, open_to_read};
use super::output::{Output, Style};
use crate::config::Config;
use crate::export::{Export, ExportFormat};

pub(super) fn run(args: &SearchArgs, config: &Config) -> Result<ExitCode> {
    if args.queries.is_some() && args.format != SearchFormat::Run {
        wrong_usage("--queries needs --format run");
    }
    let is_file = matches!(args.format, SearchFormat::Ndjson | SearchFormat::Csv | SearchFormat::Warc);
    if args.k as usize > SearchRequest::PAGES_MAX && !is_file {
        wrong_usage("-k above 1000 needs --format ndjson, csv or warc");
    }
    let weights = args.weights.as_deref().map(read_weights).transpose()?.unwrap_or_default();
    let Opened { collection, .. } = &open_to_read(args.data.data.as_ref(), config)?;
    note_commits_ahead(collection);
    let engine = SearchEngine::new(Arc::clone(collection))?.with_weights(weights);
    let mut out = BufWriter::new(Output::of("the answer"));
    let request = request(args);
    match (&args.queries, args.format) {
        (Some(file), _) => run_queries(&engine, file, &request, &mut out)?,
        (None, SearchFormat::Run) => write_run("1", engine.run(&request, engine.weights())?, &mut out)?,
        (None, SearchFormat::Json) => {
            writeln!(out, "{}", serde_json::to_string_pretty(&engine.search(&request)?)?)?;
        }
        (None, SearchFormat::Text) => {
            print_response(&mut out, &engine.search(&request)?, request.as_of, Style::of_stdout())?;
        }
        (None, SearchFormat::Ndjson) => export(&engine, request, ExportFormat::Ndjson, config, &mut out)?,
        (None, SearchFormat::Csv) => export(&engine, request, ExportFormat::Csv, config, &mut out)?,
        (None, SearchFormat::Warc) => export(&engine, request, ExportFormat::Warc, config, &mut out)?,
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Writes all that is found, part by part.
fn export(
    engine: &SearchEngine,
    request: SearchRequest,
    format: ExportFormat,
    config: &Config,
    out: &mut impl Write,
) -> Result<()> {
    let mut export = Export::new(format, request, config.limits, OffsetDateTime::now_utc());
    while let Some(part) = export.part(engine, &Budget::new(QueryLimits::default()), |response| response)? {
        out.write_all(&part)?;
    }
    Ok(())
}

/// Says when the answer leaves out what was committed last.
fn note_commits_ahead(collection: &DataFolder) {
    let ahead = collection.commits_ahead();
    if ahead > 0 {
        let (which, are) = if ahead == 1 {
            ("the last commit".to_owned(), "is")
        } else {
            (format!("the last {ahead} commits"), "are")
        };
        eprintln!(
            "lopper: note: {which} {are} not in the index yet; whoever writes to the folder next puts that right"
        );
    }
}

fn request(args: &SearchArgs) -> SearchRequest {
    SearchRequest {
        query: args.query.join(" "),
        like: args.like.clone(),
        as_of: args.as_of,
        pages: args.k as usize,
        offset: args.offset,
        cursor: args.cursor,
        blocks_per_page: args.blocks_per_page as usize,
        ranking: args.ranking,
        documents: args.documents,
        sort: args.sort,
        collapse: args.collapse,
        coverage_min: args.min_coverage,
        facets: args.facets,
        prune: args.prune,
        explain: args.explain,
        ..SearchRequest::default()
    }
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

fn run_queries(engine: &SearchEngine, file: &Path, request: &SearchRequest, out: &mut impl Write) -> Result<()> {
    let source = File::open(file).with_context(|| format!("cannot read the query file {}", file.display()))?;
    for (index, line) in BufReader::new(source).lines().enumerate() {
        let place = || format!("{} line {}", file.display(), index + 1);
        let line = line.with_context(place)?;
        if line.trim().is_empty() {
            continue;
        }
        let query: QueryLine =
            serde_json::from_str(&line).with_context(|| format!("{} is not {{\"qid\", \"query\"}}", place()))?;
        let request = SearchRequest { query: query.query, ..request.clone() };
        let blocks = match engine.run(&request, engine.weights()) {
            // One bad query among many is told and finds nothing.
            Err(error @ SearchError::Query(_)) => {
                eprintln!("lopper: {}: {error}", place());
                Vec::new()
            }
            blocks => blocks?,
        };
        write_run(&query.qid, blocks, out)?;
    }
    Ok(())
}

fn write_run(qid: &str, blocks: Vec<RankedBlock>, out: &mut impl Write) -> Result<()> {
    let results = blocks.into_iter().map(|block| RunResult {
        block_text: block.shown(),
        url: block.document.url,
        score: block.score,
        block_id: block.document.block_id,
        page_id: block.document.page_id,
    });
    serde_json::to_writer(&mut *out, &RunLine { qid, results: results.collect() })?;
    writeln!(out)?;
    Ok(())
}
