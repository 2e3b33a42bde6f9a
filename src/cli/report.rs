//! `lopper ingest report`: what became of each record.

use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use lopper_collection::listed_archives;
use lopper_store::{ArchiveEntry, OpenMode, RecordEntry, RecordState, RecordSums, StateKind, Store};
use serde_json::{Value, json};

use super::args::{ReportArgs, ReportFormat};
use super::data_folder;
use super::output::{Output, counted, grouped, printable};
use crate::config::Config;
use crate::export::field;

pub(super) fn run(args: &ReportArgs, config: &Config) -> Result<ExitCode> {
    let data = data_folder(args.data.data.as_ref(), config);
    let store = Store::open(&data, OpenMode::Read)?;
    let lists_records = args.records || args.state.is_some();
    let mut archives =
        if lists_records { store.archives().collect::<Result<_, _>>()? } else { listed_archives(&store)? };
    if let Some(path) = &args.archive {
        archives.retain(|entry| entry.key.path.ends_with(path));
        anyhow::ensure!(!archives.is_empty(), "no archive of {} is called {}", data.display(), path.display());
    }
    archives.sort_by(|a, b| a.key.cmp(&b.key));
    archives.sort_by(|a, b| a.key.path.cmp(&b.key.path));
    let mut out = BufWriter::new(Output::of("the records"));
    if lists_records {
        list_records(&mut out, &store, &archives, args)?;
    } else {
        match args.format {
            ReportFormat::Text => text(&mut out, &archives)?,
            ReportFormat::Csv => csv(&mut out, &archives)?,
            ReportFormat::Json => writeln!(out, "{}", archives_json(&archives))?,
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn sums_of(archives: &[ArchiveEntry]) -> RecordSums {
    let mut sums = RecordSums::default();
    for entry in archives {
        sums.add(&entry.sums);
    }
    sums
}

// Archives

fn text(out: &mut impl Write, archives: &[ArchiveEntry]) -> Result<()> {
    write!(out, "{:>10}", "records")?;
    for kind in StateKind::ALL {
        write!(out, "{kind:>11}")?;
    }
    writeln!(out, "  archive")?;
    for entry in archives {
        let state = if entry.finished { "" } else { "  (not read to its end)" };
        let name = entry.key.path.display().to_string();
        text_line(out, &entry.sums, &format!("{}{state}", printable(&name)))?;
    }
    let sums = sums_of(archives);
    text_line(out, &sums, &format!("together, of {}", counted(archives.len() as u64, "archive", "archives")))?;
    for (reason, count) in &sums.skipped {
        writeln!(out, "{:>10}  skipped: {}", grouped(*count), reason.as_str())?;
    }
    Ok(())
}

fn text_line(out: &mut impl Write, sums: &RecordSums, name: &str) -> Result<()> {
    write!(out, "{:>10}", grouped(sums.records()))?;
    for kind in StateKind::ALL {
        write!(out, "{:>11}", grouped(sums.in_state(kind)))?;
    }
    Ok(writeln!(out, "  {name}")?)
}

fn csv(out: &mut impl Write, archives: &[ArchiveEntry]) -> Result<()> {
    let states = StateKind::ALL.map(StateKind::as_str).join(",");
    writeln!(out, "archive,finished,position_bytes,records,{states},blocks")?;
    for entry in archives {
        let states = StateKind::ALL.map(|kind| entry.sums.in_state(kind).to_string()).join(",");
        let ArchiveEntry { finished, position_bytes, sums, .. } = entry;
        let (name, records) = (field(&entry.key.path.to_string_lossy()), sums.records());
        writeln!(out, "{name},{finished},{position_bytes},{records},{states},{}", sums.blocks)?;
    }
    Ok(())
}

fn archives_json(archives: &[ArchiveEntry]) -> Value {
    let entry = |entry: &ArchiveEntry| {
        json!({
            "archive": entry.key.path.to_string_lossy(),
            "id": format!("{:032x}", entry.key.id),
            "finished": entry.finished,
            "position_bytes": entry.position_bytes,
            "records": entry.sums.records(),
            "sums": entry.sums,
        })
    };
    let sums = sums_of(archives);
    let entries: Vec<Value> = archives.iter().map(entry).collect();
    json!({ "archives": entries, "records": sums.records(), "sums": sums })
}

// Records

fn list_records(out: &mut impl Write, store: &Store, archives: &[ArchiveEntry], args: &ReportArgs) -> Result<()> {
    if args.format == ReportFormat::Csv {
        writeln!(out, "archive,ordinal,offset_bytes,state,page,reason,record_id,message")?;
    }
    let is_possible = |entry: &&ArchiveEntry| args.state.is_none_or(|state| entry.sums.in_state(state) > 0);
    for archive in archives.iter().filter(is_possible) {
        for record in store.records(archive, args.state) {
            write_record(out, &archive.key.path, &record?, args.format)?;
        }
    }
    Ok(())
}

fn write_record(out: &mut impl Write, archive: &Path, record: &RecordEntry, format: ReportFormat) -> Result<()> {
    let archive = archive.to_string_lossy();
    let (reason, message) = reason(record);
    let page = record.state.page().map(|page| page.to_string()).unwrap_or_default();
    let id = record.record_id.as_deref().unwrap_or_default();
    let (kind, RecordEntry { ordinal, offset_bytes, .. }) = (record.state.kind(), record);
    match format {
        ReportFormat::Json => writeln!(out, "{}", record_json(&archive, record))?,
        ReportFormat::Csv => {
            let (archive, message) = (field(&archive), field(&message));
            writeln!(out, "{archive},{ordinal},{offset_bytes},{kind},{page},{reason},{},{message}", field(id))?;
        }
        ReportFormat::Text => {
            let place = format!("{archive} at byte {offset_bytes}");
            // The message of a failure begins with its place.
            let message = message.strip_prefix(&place).unwrap_or(&message).trim_start_matches([':', ' ']);
            let details = [page.as_str(), &reason, id, message];
            let details: Vec<&str> = details.into_iter().filter(|detail| !detail.is_empty()).collect();
            let line = format!("{kind:<9}  {place}  {}", details.join("  "));
            writeln!(out, "{}", printable(&line).replace('\n', " "))?;
        }
    }
    Ok(())
}

/// A state's reason or code, and its message.
fn reason(record: &RecordEntry) -> (String, String) {
    match &record.state {
        RecordState::Skipped { reason } => (name_of(reason), String::new()),
        RecordState::Failed { code, message } => (code.clone(), message.clone()),
        _ => (String::new(), String::new()),
    }
}

/// The name that a unit variant has in JSON.
fn name_of(reason: &impl serde::Serialize) -> String {
    let name = serde_json::to_value(reason).ok();
    name.and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
}

fn record_json(archive: &str, record: &RecordEntry) -> Value {
    let (reason, message) = reason(record);
    json!({
        "archive": archive,
        "ordinal": record.ordinal,
        "offset_bytes": record.offset_bytes,
        "record_id": record.record_id,
        "state": record.state.kind(),
        "page": record.state.page().map(|page| page.to_string()),
        "reason": (!reason.is_empty()).then_some(reason),
        "message": (!message.is_empty()).then_some(message),
    })
}
