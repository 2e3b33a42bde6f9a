//! `lopper repair`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use lopper_collection::ingest::{RepairOptions, RepairReport, repair};

use super::args::{RepairArgs, StatsFormat};
use super::data_folder;
use super::ingest::options;
use super::output::{Output, grouped, printable};
use crate::config::Config;

pub(super) fn run(args: &RepairArgs, config: &Config) -> Result<ExitCode> {
    let data = data_folder(args.data.data.as_ref(), config);
    let choice = RepairOptions { dry_run: args.dry_run, from_bodies: args.from_bodies };
    let report = repair(&data, config.extract, &options(None, config), choice)?;
    let mut out = Output::of("the repair");
    match args.format {
        StatsFormat::Json => writeln!(out, "{}", serde_json::to_string(&report)?)?,
        StatsFormat::Text => print(&mut out, &report, choice)?,
    }
    Ok(if report.is_sound() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn print(out: &mut impl Write, report: &RepairReport, choice: RepairOptions) -> Result<()> {
    for step in &report.files.steps {
        writeln!(out, "Damaged    {}", printable(&step.fault))?;
        let takes = step.takes.map(|takes| format!("; {:.1} s", takes.as_secs_f64())).unwrap_or_default();
        let what = if step.done { "Done" } else { "To do" };
        writeln!(out, "{what:<10} {}{takes}", step.action)?;
        if let Some(loss) = &step.loss {
            writeln!(out, "Lost       {loss}")?;
        }
    }
    if let Some(what) = &report.files.beyond {
        writeln!(out, "Damaged    {}: the other files do not tell it", printable(what))?;
        print_beyond(out, report, choice)?;
    }
    if report.files.beyond.is_none()
        && let Some(rebuilt) = &report.rebuilt
    {
        let (pages, lost) = (grouped(rebuilt.pages()), grouped(rebuilt.lost));
        writeln!(out, "Done       {pages} pages were made again from their HTML, {lost} are lost")?;
        if rebuilt.lost > 0 {
            writeln!(out, "To do      `lopper ingest --again` with their archives takes in again what is in these")?;
        }
    }
    if let Some(verified) = &report.verified {
        for fault in &verified.faults {
            let what = if fault.mended { "Mended" } else { "Damaged" };
            writeln!(out, "{what:<10} {}", printable(&fault.message))?;
            if !fault.mended && !fault.advice.is_empty() {
                writeln!(out, "           {}", fault.advice)?;
            }
        }
        if verified.faults_left_out > 0 {
            writeln!(out, "           and {} more", grouped(verified.faults_left_out))?;
        }
    }
    let verdict = match (report.is_sound(), choice.dry_run && !report.files.steps.is_empty()) {
        (true, _) => "The data is sound",
        (false, true) => "Nothing was changed; without --dry-run this is done",
        (false, false) => "Something is damaged still",
    };
    Ok(writeln!(out, "{verdict}; {:.1}s", report.duration.as_secs_f64())?)
}

/// What can be had where the database is lost.
fn print_beyond(out: &mut impl Write, report: &RepairReport, choice: RepairOptions) -> Result<()> {
    if let Some(rebuilt) = &report.rebuilt {
        let (pages, lost) = (grouped(rebuilt.pages()), grouped(rebuilt.lost));
        let ledger = if rebuilt.database_lost { "; the ledger begins anew" } else { "" };
        writeln!(out, "Done       {pages} pages came back, {lost} are known to be lost{ledger}")?;
    } else {
        let pages = report.kept_pages.map_or("no".to_owned(), grouped);
        writeln!(out, "To do      --from-bodies makes the folder anew: {pages} pages had their HTML kept")?;
        if !choice.from_bodies {
            writeln!(out, "Lost       pages whose HTML is in archives alone; ingest those again")?;
        }
    }
    Ok(())
}
