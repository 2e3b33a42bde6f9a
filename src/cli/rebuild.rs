//! `lopper rebuild`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use lopper_collection::ingest::{RebuildFrom, RebuildReport, rebuild};

use super::args::{RebuildArgs, RebuildSource, StatsFormat};
use super::data_folder;
use super::ingest::options;
use super::output::{Output, grouped};
use crate::config::Config;

pub(super) fn run(args: &RebuildArgs, config: &Config) -> Result<ExitCode> {
    let data = data_folder(args.data.data.as_ref(), config);
    let from = match args.from {
        RebuildSource::Trees => RebuildFrom::Trees,
        RebuildSource::Bodies => RebuildFrom::Bodies,
    };
    let report = rebuild(&data, from, config.extract, &options(args.threads, config))?;
    let mut out = Output::of("the report");
    match args.format {
        StatsFormat::Json => writeln!(out, "{}", serde_json::to_string(&report)?)?,
        StatsFormat::Text => print(&mut out, &report)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn print(out: &mut impl Write, report: &RebuildReport) -> Result<()> {
    if report.database_lost {
        writeln!(out, "The database was lost: pages come from the kept bodies alone, and the ledger begins anew")?;
    }
    writeln!(out, "Pages     {:>9}", grouped(report.pages()))?;
    let parts = [
        (report.from_trees, "by their stored trees"),
        (report.from_bodies, "analysed again, from kept bodies"),
        (report.from_archives, "analysed again, from the archives"),
        (report.not_found, "not found any more: the old tree stays"),
        (report.lost, "lost: the tree is damaged and the page was not found"),
    ];
    for (count, what) in parts.into_iter().filter(|(count, _)| *count > 0) {
        writeln!(out, "          {:>9}  {what}", grouped(count))?;
    }
    Ok(writeln!(out, "Time      {:>8.1}s", report.duration.as_secs_f64())?)
}
