//! `lopper compact`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use lopper_collection::ingest::compact;

use super::args::{CompactArgs, StatsFormat};
use super::data_folder;
use super::output::{Output, bytes, grouped};
use crate::config::Config;

pub(super) fn run(args: &CompactArgs, config: &Config) -> Result<ExitCode> {
    let data = data_folder(args.data.data.as_ref(), config);
    let report = compact(&data, config.extract, args.segments.get())?;
    let mut out = Output::of("the report");
    match args.format {
        StatsFormat::Json => writeln!(out, "{}", serde_json::to_string(&report)?)?,
        StatsFormat::Text => {
            let count = |segments: usize| grouped(segments as u64);
            if report.rewritten {
                writeln!(out, "Deleted and replaced pages are gone from all files")?;
            }
            writeln!(out, "Size      {:>9}, {} before", bytes(report.bytes), bytes(report.bytes_before))?;
            writeln!(out, "Segments  {:>9}, {} before", count(report.segments), count(report.segments_before))?;
            writeln!(out, "Time      {:>8.1}s", report.duration.as_secs_f64())?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
