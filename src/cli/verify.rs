//! `lopper verify`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use lopper_collection::ingest::{VerifyReport, verify};

use super::args::{StatsFormat, VerifyArgs};
use super::data_folder;
use super::output::{Output, grouped, printable};
use crate::config::Config;

pub(super) fn run(args: &VerifyArgs, config: &Config) -> Result<ExitCode> {
    let data = data_folder(args.data.data.as_ref(), config);
    let report = verify(&data, config.extract, args.mend)?;
    let mut out = Output::of("the findings");
    match args.format {
        StatsFormat::Json => writeln!(out, "{}", serde_json::to_string(&report)?)?,
        StatsFormat::Text => print(&mut out, &report)?,
    }
    Ok(if report.faults_left() == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn print(out: &mut impl Write, report: &VerifyReport) -> Result<()> {
    writeln!(out, "Pages     {:>9}", grouped(report.pages))?;
    writeln!(out, "Blocks    {:>9}", grouped(report.blocks))?;
    writeln!(out, "Bodies    {:>9}  ({} more in archives)", grouped(report.bodies), grouped(report.referred))?;
    writeln!(out, "Records   {:>9}", grouped(report.records))?;
    for path in &report.archives_missing {
        let path = path.display().to_string();
        writeln!(out, "Remark     {} is not there: its pages cannot be analysed again", printable(&path))?;
    }
    if report.beside_others {
        writeln!(out, "Remark     another lopper has the folder, or it cannot be written: checked as readers have it")?;
    }
    for fault in &report.faults {
        let (what, advice) = if fault.mended { ("Mended", "") } else { ("Fault", fault.advice) };
        writeln!(out, "{what:<10} {}", printable(&fault.message))?;
        if !advice.is_empty() {
            writeln!(out, "           {advice}")?;
        }
    }
    if report.faults_left_out > 0 {
        writeln!(out, "           and {} more", grouped(report.faults_left_out))?;
    }
    let verdict = match report.faults_left() {
        0 => "The data is sound".to_owned(),
        1 => "One fault is left".to_owned(),
        left => format!("{} faults are left", grouped(left)),
    };
    Ok(writeln!(out, "{verdict}; {:.1}s", report.duration.as_secs_f64())?)
}
