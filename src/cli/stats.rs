//! `lopper stats`.

use std::io::{Write, stdout};
use std::process::ExitCode;

use anyhow::Result;

use super::args::{StatsArgs, StatsFormat};
use super::data_folder;
use super::output::{bytes, grouped};
use crate::config::Config;
use crate::ingest::Collection;

pub(super) fn run(args: &StatsArgs, config: &Config) -> Result<ExitCode> {
    let data = data_folder(args.data.data.as_ref(), config);
    let collection = Collection::open_to_read(&data)?;
    let stats = collection.store().stats();
    let mut out = stdout().lock();
    match args.format {
        StatsFormat::Json => writeln!(out, "{}", serde_json::to_string(&stats)?)?,
        StatsFormat::Text => {
            writeln!(out, "Data folder   {} (version {})", data.display(), stats.data_version)?;
            writeln!(out, "Pages         {} ({} distinct)", grouped(stats.pages), grouped(stats.distinct_pages))?;
            writeln!(out, "Blocks        {} of {} text runs", grouped(stats.blocks), grouped(stats.runs))?;
            writeln!(out, "Hosts         {}", grouped(stats.hosts))?;
            writeln!(out, "HTML          {}", bytes(stats.bytes))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
