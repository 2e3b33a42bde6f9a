//! `lopper eval extraction`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use lopper_content::extract::Extractor;

use super::args::{EvalExtractionArgs, StatsFormat};
use super::output::Output;
use crate::config::Config;
use crate::eval::{Table, evaluate, read_gold};

pub(super) fn run(args: &EvalExtractionArgs, config: &Config) -> Result<ExitCode> {
    let gold = read_gold(&args.gold)?;
    let extractors = if args.method.is_empty() { Extractor::all() } else { args.method.clone() };
    let table = evaluate(&gold, &args.html, &extractors, &config.limits)?;
    let mut out = Output::of("the scores");
    match args.format {
        StatsFormat::Json => writeln!(out, "{}", serde_json::to_string(&table)?)?,
        StatsFormat::Text => print_table(&mut out, &table)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The table as Markdown, so that it can go into a document as it is.
fn print_table(out: &mut impl Write, table: &Table) -> Result<()> {
    let Some(first) = table.rows.first() else { return Ok(()) };
    let types: Vec<_> = first.by_type.iter().filter(|(kind, _)| !kind.is_empty()).collect();
    write!(out, "| word F1 | all ({}) | 95 % | P | R |", table.pages)?;
    for (kind, (_, pages)) in &types {
        write!(out, " {kind} ({pages}) |")?;
    }
    writeln!(out, "\n|---|---:|---|---:|---:|{}", "---:|".repeat(types.len()))?;
    for row in &table.rows {
        let interval = row.f1;
        write!(out, "| {} | {:.3} | {:.3} to {:.3} |", row.extractor, interval.mean, interval.low, interval.high)?;
        write!(out, " {:.3} | {:.3} |", row.precision, row.recall)?;
        for (f1, _) in row.by_type.iter().filter(|(kind, _)| !kind.is_empty()).map(|(_, value)| value) {
            write!(out, " {f1:.3} |")?;
        }
        writeln!(out)?;
    }
    Ok(())
}
