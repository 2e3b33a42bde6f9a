//! `lopper archives`.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use lopper_archive::paths::expand;
use lopper_archive::{Survey, survey};
use serde::Deserialize;

use super::args::{ArchivesArgs, TableFormat};
use super::output::{Output, printable};
use crate::config::Config;

/// Counts that other readers find, by the file's name, perhaps with folders before it.
#[derive(Debug, Default, Deserialize)]
struct ExpectedFile {
    files: BTreeMap<String, ExpectedEntry>,
}

#[derive(Debug, Deserialize)]
struct ExpectedEntry {
    expected: Expected,
}

#[derive(Debug, Clone, Copy, Deserialize)]
struct Expected {
    records: u64,
    html_pages: u64,
}

impl ExpectedFile {
    fn read(path: &Path) -> Result<Self> {
        let text = fs::read(path).with_context(|| format!("cannot read the expected counts {}", path.display()))?;
        serde_json::from_slice(&text).with_context(|| format!("{} holds no expected counts", path.display()))
    }

    fn of(&self, file: &Path) -> Option<Expected> {
        self.files.iter().find(|(name, _)| file.ends_with(name)).map(|(_, entry)| entry.expected)
    }
}

pub(super) fn run(args: &ArchivesArgs, config: &Config) -> Result<ExitCode> {
    let expected = args.expected.as_deref().map(ExpectedFile::read).transpose()?.unwrap_or_default();
    let files = expand(&args.paths)?;
    let mut out = BufWriter::new(Output::of("the table"));
    write_head(&mut out, args.format)?;
    let mut differ = false;
    for file in files {
        let survey = survey(&file, &config.limits);
        let expected = expected.of(&file);
        differ |= expected.is_some_and(|it| (it.records, it.html_pages) != (survey.records, survey.pages));
        write_row(&mut out, args.format, &survey, expected)?;
    }
    out.flush()?;
    Ok(if differ { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn write_head(out: &mut impl Write, format: TableFormat) -> Result<()> {
    match format {
        TableFormat::Text => {
            writeln!(
                out,
                "{:>8} {:>9} {:>8} {:>8}  {:<14} file",
                "records", "responses", "pages", "failures", "container"
            )?;
        }
        TableFormat::Markdown => {
            writeln!(out, "| file | container | expected records | got | expected pages | got | failures | remarks |")?;
            writeln!(out, "|---|---|---:|---:|---:|---:|---:|---|")?;
        }
        TableFormat::Json => {}
    }
    Ok(())
}

fn write_row(out: &mut impl Write, format: TableFormat, survey: &Survey, expected: Option<Expected>) -> Result<()> {
    let Survey { records, responses, pages, failures, container, .. } = survey;
    let (file, remarks) = (printable(&survey.file.display().to_string()), remarks(survey));
    match format {
        TableFormat::Json => writeln!(out, "{}", serde_json::to_string(survey)?)?,
        TableFormat::Text => {
            writeln!(out, "{records:>8} {responses:>9} {pages:>8} {failures:>8}  {container:<14} {file}")?;
            if let Some(Expected { records, html_pages }) = expected {
                writeln!(out, "{records:>8} {:>9} {html_pages:>8} expected", "")?;
            }
            for message in &survey.messages {
                writeln!(out, "{:38}{}", "", printable(message))?;
            }
        }
        TableFormat::Markdown => {
            let name = survey.file.file_name().unwrap_or_default().to_string_lossy();
            let wanted = |count: fn(Expected) -> u64| expected.map_or_else(String::new, |it| count(it).to_string());
            let (of_records, of_pages) = (wanted(|it| it.records), wanted(|it| it.html_pages));
            let name = printable(&name);
            writeln!(
                out,
                "| {name} | {container} | {of_records} | {records} | {of_pages} | {pages} | {failures} | {remarks} |"
            )?;
        }
    }
    Ok(())
}

fn remarks(survey: &Survey) -> String {
    let remarks = survey.remarks.iter().map(|(remark, count)| format!("{count} {}", remark.replace('_', " ")));
    remarks.collect::<Vec<_>>().join(", ")
}
