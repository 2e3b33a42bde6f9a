//! `lopper bench ingest`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use lopper_collection::ingest::{Collection, IngestReport, Silent, StageReport, ingest, time_stages};
use serde_json::json;

use super::args::{BenchIngestArgs, StatsFormat};
use super::ingest::options;
use super::output::{Output, bytes, grouped};
use crate::config::Config;

/// Times the stages apart, then a whole ingest with all threads, each into a folder of its own that is removed.
pub(super) fn run(args: &BenchIngestArgs, config: &Config) -> Result<ExitCode> {
    let folder = tempfile::tempdir()?;
    let collection = Collection::open_to_write(&folder.path().join("stages"), config.extract)?;
    let stages = time_stages(&collection, &args.paths, &config.limits)?;
    drop(collection);
    let collection = Collection::open_to_write(&folder.path().join("whole"), config.extract)?;
    let options = options(args.threads, config);
    let whole = ingest(&collection, &args.paths, &options, &mut Silent)?;
    let mut out = Output::of("the measurement");
    match args.format {
        StatsFormat::Text => print(&mut out, &stages, &whole, options.threads)?,
        StatsFormat::Json => {
            let whole = json!({
                "threads": options.threads,
                "pages": whole.records.pages(),
                "blocks": whole.records.blocks,
                "wall_seconds": whole.duration.as_secs_f64(),
            });
            writeln!(out, "{}", json!({ "stages": stages, "whole": whole }))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn print(out: &mut impl Write, report: &StageReport, whole: &IngestReport, threads: usize) -> Result<()> {
    let pages = report.pages.max(1) as f64;
    let megabytes = report.html_bytes as f64 / 1e6;
    writeln!(out, "{} pages, {} of HTML", grouped(report.pages), bytes(report.html_bytes))?;
    writeln!(out, "{:<16} {:>9} {:>9} {:>9} {:>6}", "stage", "ms/page", "pages/s", "MB/s", "share")?;
    let row = |out: &mut dyn Write, name: &str, seconds: f64| {
        let seconds = seconds.max(1e-9);
        let (each, share) = (seconds * 1000.0 / pages, seconds * 100.0 / report.cpu_seconds.max(1e-9));
        writeln!(out, "{name:<16} {each:>9.3} {:>9.0} {:>9.0} {share:>5.1}%", pages / seconds, megabytes / seconds)
    };
    for stage in &report.stages {
        row(out, stage.stage, stage.seconds)?;
    }
    row(out, "all", report.cpu_seconds)?;
    row(out, "up to blocks", pages / report.extraction_pages_per_cpu_second())?;
    let wall = whole.duration.as_secs_f64().max(1e-9);
    writeln!(out, "whole ingest, {threads} threads: {:.0} pages/s wall", whole.records.pages() as f64 / wall)?;
    writeln!(out, "index {}, data folder {}", bytes(report.index_bytes), bytes(report.data_bytes))?;
    writeln!(out, "memory at most {}", bytes(report.memory_peak_bytes))?;
    Ok(())
}
