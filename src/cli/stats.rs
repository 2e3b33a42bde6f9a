//! `lopper stats`.

use std::io::{Write, stdout};
use std::process::ExitCode;

use anyhow::Result;
use serde_json::Value;

use super::args::{StatsArgs, StatsFormat};
use super::data_folder;
use super::output::{bytes, grouped};
use crate::config::Config;
use crate::ingest::Collection;
use crate::store::{RecordSums, StateKind, StoreStatistics};

pub(super) fn run(args: &StatsArgs, config: &Config) -> Result<ExitCode> {
    let data = data_folder(args.data.data.as_ref(), config);
    let collection = Collection::open_to_read(&data)?;
    let stats = collection.store().stats();
    let sums = collection.store().sums()?;
    let mut out = stdout().lock();
    match args.format {
        StatsFormat::Json => writeln!(out, "{}", json(&stats, &sums)?)?,
        StatsFormat::Text => {
            writeln!(out, "Data folder   {} (version {})", data.display(), stats.data_version)?;
            writeln!(out, "Pages         {} ({} distinct)", grouped(stats.pages), grouped(stats.distinct_pages))?;
            writeln!(out, "Blocks        {} of {} text runs", grouped(stats.blocks), grouped(stats.runs))?;
            writeln!(out, "Hosts         {}", grouped(stats.hosts))?;
            writeln!(out, "HTML          {}", bytes(stats.bytes))?;
            let kept = (grouped(stats.bodies), bytes(stats.bodies_bytes));
            writeln!(out, "Kept bodies   {} in {}", kept.0, kept.1)?;
            let captures = stats.pages + stats.revisits;
            let by = (grouped(stats.duplicates), grouped(stats.revisits));
            writeln!(out, "Captures      {} ({} duplicates, {} revisits)", grouped(captures), by.0, by.1)?;
            writeln!(out, "Records       {}", grouped(sums.records()))?;
            for kind in StateKind::ALL {
                writeln!(out, "  {kind:<10}  {}", grouped(sums.in_state(kind)))?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The store's figures, with the sums over all records.
fn json(stats: &StoreStatistics, sums: &RecordSums) -> Result<Value> {
    let mut value = serde_json::to_value(stats)?;
    if let Value::Object(fields) = &mut value {
        fields.insert("records".to_owned(), sums.records().into());
        fields.insert("sums".to_owned(), serde_json::to_value(sums)?);
    }
    Ok(value)
}
