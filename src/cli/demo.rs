//! `lopper demo`: the whole way on a bundled archive.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result};
use lopper_collection::DataFolder;
use lopper_collection::ingest::{Bodies, IngestOptions, Silent, ingest};
use lopper_collection::search::{SearchEngine, SearchRequest};
use tempfile::TempDir;

use super::answer::print_response;
use super::args::DemoArgs;
use super::ingest::{options, print_report};
use super::output::{Output, Style};
use super::serve;
use crate::config::Config;

/// Pages of data.gov.uk of 2014: see `demo/SOURCE.md`.
const ARCHIVE: &[u8] = include_bytes!("../../demo/data-gov-uk-2014.warc.gz");
const ARCHIVE_NAME: &str = "data-gov-uk-2014.warc.gz";

const QUERIES: [&str; 4] = [
    "why was my comment removed by a moderator",
    "which cookies does the site set",
    "linked data",
    "open data in Leeds",
];

pub(super) fn run(args: &DemoArgs, config: &Config) -> Result<ExitCode> {
    let temporary = tempfile::tempdir().context("cannot make a temporary folder")?;
    let archive = unpack(&temporary)?;
    let data = args.data.clone().unwrap_or_else(|| temporary.path().join("data"));
    let collection = Arc::new(DataFolder::open_to_write(&data, config.extract)?);
    let mut out = Output::of("the answers");
    writeln!(out, "Ingesting {ARCHIVE_NAME}: pages of data.gov.uk, captured in March 2014\n")?;
    // The archive goes when the demo ends; what stays has its pages' HTML.
    let bodies = if args.data.is_some() { Bodies::Keep } else { Bodies::default() };
    let options = IngestOptions { bodies, ..options(None, config) };
    let report = ingest(&collection, &[archive], &options, &mut Silent)?;
    print_report(&mut out, &report)?;
    answer(&mut out, &collection)?;
    if args.once {
        return Ok(ExitCode::SUCCESS);
    }
    serve::serve(collection, serve::address(args.listen, config), config)
}

fn unpack(folder: &TempDir) -> Result<PathBuf> {
    let archive = folder.path().join(ARCHIVE_NAME);
    fs::write(&archive, ARCHIVE).with_context(|| format!("cannot write {}", archive.display()))?;
    Ok(archive)
}

fn answer(out: &mut impl Write, collection: &Arc<DataFolder>) -> Result<()> {
    let engine = SearchEngine::new(collection.clone())?;
    for query in QUERIES {
        writeln!(out, "\n$ lopper search \"{query}\"\n")?;
        let request = SearchRequest { pages: 2, blocks_per_page: 1, ..SearchRequest::new(query) };
        print_response(out, &engine.search(&request)?, None, Style::of_stdout())?;
    }
    Ok(())
}
