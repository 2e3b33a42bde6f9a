//! `lopper ingest`.

use std::io::{Write, stdout};
use std::process::ExitCode;

use anyhow::Result;

use super::args::IngestArgs;
use super::data_folder;
use super::output::{grouped, printable};
use super::progress::ProgressDisplay;
use crate::archive::paths::expand;
use crate::config::Config;
use crate::ingest::{Collection, IngestOptions, IngestReport, ingest};

/// Messages shown of what failed.
const MESSAGES_SHOWN: usize = 10;

pub(super) fn run(args: &IngestArgs, config: &Config) -> Result<ExitCode> {
    // Before the data folder is made: a mistyped path should leave nothing behind.
    let files = expand(&args.paths)?;
    let data = data_folder(args.data.data.as_ref(), config);
    let collection = Collection::open_to_write(&data, config.extract)?;
    let mut progress = ProgressDisplay::on_stderr();
    let report = ingest(&collection, &files, &options(args.threads, config), &mut progress);
    progress.finish();
    let report = report?;
    print_report(&mut stdout().lock(), &report)?;
    writeln!(stdout(), "Search them: lopper search --data {} QUERY", data.display())?;
    Ok(if report.unreadable.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

pub(super) fn options(threads: Option<usize>, config: &Config) -> IngestOptions {
    let default = IngestOptions::default();
    let threads = threads.or(config.threads).unwrap_or(default.threads).max(1);
    IngestOptions { threads, limits: config.limits, ..default }
}

/// The closing report: every record is in one line of it.
pub(super) fn print_report(out: &mut impl Write, report: &IngestReport) -> Result<()> {
    let sums = &report.records;
    let seconds = report.duration.as_secs_f64();
    writeln!(out, "Archives  {:>9}", grouped(report.archives))?;
    writeln!(out, "Records   {:>9}", grouped(sums.records()))?;
    writeln!(out, "Pages     {:>9}  ({} new, {} replaced)", grouped(sums.pages()), sums.indexed, sums.replaced)?;
    writeln!(out, "Blocks    {:>9}", grouped(sums.blocks))?;
    writeln!(out, "Skipped   {:>9}", grouped(sums.skipped.values().sum()))?;
    for (reason, count) in &sums.skipped {
        writeln!(out, "          {:>9}  {}", grouped(*count), reason.as_str())?;
    }
    writeln!(out, "Failed    {:>9}", grouped(sums.failed))?;
    for message in report.messages.iter().take(MESSAGES_SHOWN) {
        writeln!(out, "           {}", printable(message))?;
    }
    let hidden = report.messages.len().saturating_sub(MESSAGES_SHOWN) as u64 + report.messages_left_out;
    if hidden > 0 {
        writeln!(out, "           and {} more", grouped(hidden))?;
    }
    writeln!(out, "Time      {seconds:>8.1}s  ({:.0} pages a second)", sums.pages() as f64 / seconds.max(1e-3))?;
    Ok(())
}
