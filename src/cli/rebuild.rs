//! `lopper rebuild`.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use lopper_collection::ingest::{RebuildFrom, RebuildPlan, RebuildReport, plan_rebuild, rebuild};

use super::args::{RebuildArgs, RebuildSource, StatsFormat};
use super::data_folder;
use super::ingest::options;
use super::output::{Output, grouped, printable};
use super::page_progress::PageProgress;
use crate::config::Config;

/// Missing archives that are told one by one.
const ARCHIVES_TOLD: usize = 10;

pub(super) fn run(args: &RebuildArgs, config: &Config) -> Result<ExitCode> {
    let data = data_folder(args.data.data.as_ref(), config);
    let from = match args.from {
        RebuildSource::Trees => RebuildFrom::Trees,
        RebuildSource::Bodies => RebuildFrom::Bodies,
    };
    if from == RebuildFrom::Bodies {
        tell_what_differs(&data);
    }
    let mut progress = PageProgress::new();
    let report = rebuild(&data, from, config.extract, &options(args.threads, config), &mut |done, all| {
        progress.show(done, all);
    })?;
    progress.finish();
    let mut out = Output::of("the report");
    match args.format {
        StatsFormat::Json => writeln!(out, "{}", serde_json::to_string(&report)?)?,
        StatsFormat::Text => print(&mut out, &report)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Says before the start what will not be as it was. A damaged folder cannot say it.
fn tell_what_differs(data: &Path) {
    let Ok(plan) = plan_rebuild(data) else { return };
    let RebuildPlan { pages, kept, in_archives, nowhere, archives_missing } = plan;
    let [pages, kept, in_archives] = [pages, kept, in_archives].map(grouped);
    eprintln!(
        "lopper: {pages} pages are analysed again: the HTML of {kept} is kept, that of {in_archives} is in archives"
    );
    if nowhere > 0 {
        let nowhere = grouped(nowhere);
        eprintln!("lopper: {nowhere} pages keep their old trees, since their HTML is not there");
    }
    for (path, pages) in archives_missing.iter().take(ARCHIVES_TOLD) {
        eprintln!("lopper: {} is missing, with {} pages", printable(&path.to_string_lossy()), grouped(*pages));
    }
    eprintln!(
        "lopper: with the same settings blocks stay the same, but where a block hardly passed or failed: pages are weighed by the \
         statistics of the pages before them, whose order is another one now"
    );
}

fn print(out: &mut impl Write, report: &RebuildReport) -> Result<()> {
    if report.database_lost {
        writeln!(out, "The database was lost: pages come from the kept bodies alone, and the ledger begins anew")?;
    }
    writeln!(out, "Pages     {:>9}", grouped(report.pages()))?;
    let parts = [
        (report.resumed, "made before the last rebuild was cut off"),
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
