//! `lopper backup`.

use std::fs;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use lopper_backup::{BackupError, Manifest, create, list, prune, restore, verify};
use lopper_collection::rfc_3339;
use serde::Serialize;

use super::args::{DataArgs, StatsFormat};
use super::output::{Output, bytes, counted, grouped, printable};
use super::{backup_place, data_folder};
use crate::config::Config;
use crate::keys;

#[derive(Debug, clap::Subcommand)]
pub(super) enum BackupCommand {
    /// Copy what is new since the last backup; a server or an ingest may go on meanwhile
    Create(CreateArgs),
    /// List the backups: when, pages, bytes, and how many of these were new
    List(PlaceArgs),
    /// Read everything, and compare it with its digests
    Verify(PlaceArgs),
    /// Make a new or empty data folder of a backup, and check it
    Restore(RestoreArgs),
    /// Remove old backups, and what only these had
    Prune(PruneArgs),
}

#[derive(Debug, clap::Args)]
pub(super) struct CreateArgs {
    #[command(flatten)]
    data: DataArgs,
    #[command(flatten)]
    place: PlaceArgs,
}

#[derive(Debug, clap::Args)]
pub(super) struct PlaceArgs {
    /// Form of the report
    #[arg(long, value_enum, default_value_t = StatsFormat::Text)]
    format: StatsFormat,
    /// Folder of the backups, or s3://BUCKET/PREFIX
    #[arg(value_name = "PLACE")]
    place: PathBuf,
}

#[derive(Debug, clap::Args)]
pub(super) struct RestoreArgs {
    #[command(flatten)]
    data: DataArgs,
    #[command(flatten)]
    place: PlaceArgs,
    /// The backup, as the list names it [default: the newest]
    #[arg(value_name = "ID")]
    id: Option<String>,
}

#[derive(Debug, clap::Args)]
pub(super) struct PruneArgs {
    /// Backups that stay: the newest
    #[arg(long, value_name = "N")]
    keep: NonZeroUsize,
    #[command(flatten)]
    place: PlaceArgs,
}

pub(super) fn run(command: &BackupCommand, config: &Config) -> Result<ExitCode> {
    match command {
        BackupCommand::Create(args) => run_create(args, config),
        BackupCommand::List(args) => run_list(args),
        BackupCommand::Verify(args) => run_verify(args),
        BackupCommand::Restore(args) => run_restore(args, config),
        BackupCommand::Prune(args) => run_prune(args),
    }
}

fn run_create(args: &CreateArgs, config: &Config) -> Result<ExitCode> {
    let data = data_folder(args.data.data.as_ref(), config);
    lopper_store::Store::must_exist(&data)?;
    let made = create(&data, &*backup_place::make(&args.place.place)?, &[keys::FILE_NAME])?;
    for name in collections_within(&data) {
        let (own, place) = (data.join("collections").join(&name), args.place.place.display());
        let command = format!("lopper backup create --data {} {place}-{name}", own.display());
        eprintln!("lopper: note: the collection {} is not in this backup: {}", printable(&name), printable(&command));
    }
    report(&args.place, &Entry::from(&made), |out| {
        let (pages, all, new) = (grouped(made.pages), bytes(made.bytes), bytes(made.new_bytes));
        writeln!(out, "Backup {} holds {pages} pages in {all}, {new} of it new", made.id)
    })
}

/// The further collections that a service made in its data folder.
fn collections_within(data: &Path) -> Vec<String> {
    let folders = fs::read_dir(data.join("collections")).into_iter().flatten().flatten();
    let folders = folders.filter(|folder| folder.path().is_dir());
    let mut names: Vec<String> = folders.map(|folder| folder.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// A snapshot in a list, without its files.
#[derive(Serialize)]
struct Entry<'a> {
    id: &'a str,
    created_at: String,
    sequence: u64,
    pages: u64,
    blocks: u64,
    bytes: u64,
    new_bytes: u64,
}

impl<'a> From<&'a Manifest> for Entry<'a> {
    fn from(manifest: &'a Manifest) -> Self {
        let Manifest { id, created_at, sequence, pages, blocks, bytes, new_bytes, .. } = manifest;
        let created_at = rfc_3339(*created_at).unwrap_or_default();
        let (sequence, pages, blocks, bytes, new_bytes) = (*sequence, *pages, *blocks, *bytes, *new_bytes);
        Self { id, created_at, sequence, pages, blocks, bytes, new_bytes }
    }
}

fn run_list(args: &PlaceArgs) -> Result<ExitCode> {
    let found = list(&*backup_place::open(&args.place)?)?;
    let manifests: Vec<&Manifest> = found.iter().filter_map(|read| read.as_ref().ok()).collect();
    let entries: Vec<Entry<'_>> = manifests.iter().map(|manifest| Entry::from(*manifest)).collect();
    report(args, &entries, |out| {
        if entries.is_empty() {
            writeln!(out, "There is no backup yet")?;
        }
        for Entry { id, created_at, pages, bytes: all, new_bytes, .. } in &entries {
            let (all, new) = (bytes(*all), bytes(*new_bytes));
            writeln!(out, "{id}  {created_at}  {:>10} pages  {all:>8}, {new:>8} new", grouped(*pages))?;
        }
        Ok(())
    })?;
    let mut code = ExitCode::SUCCESS;
    for error in found.iter().filter_map(|read| read.as_ref().err()) {
        eprintln!("lopper: {}", printable(&error.to_string()));
        code = ExitCode::FAILURE;
    }
    Ok(code)
}

fn run_verify(args: &PlaceArgs) -> Result<ExitCode> {
    let verified = verify(&*backup_place::open(&args.place)?)?;
    report(args, &verified, |out| {
        for damage in &verified.damaged {
            writeln!(out, "Damaged    {}", printable(&damage.what))?;
            damage.files.iter().try_for_each(|file| writeln!(out, "           {}", printable(file)))?;
        }
        let (snapshots, all) = (counted(verified.snapshots, "backup", "backups"), bytes(verified.bytes));
        let verdict = if verified.is_sound() { "all is as it was written" } else { "not all is as it was written" };
        writeln!(out, "{snapshots}, {all}: {verdict}")?;
        if verified.is_sound() {
            return Ok(());
        }
        writeln!(out, "Remove what is damaged and make another backup: it copies what is missing from the data folder")
    })?;
    Ok(if verified.is_sound() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn run_restore(args: &RestoreArgs, config: &Config) -> Result<ExitCode> {
    let data = data_folder(args.data.data.as_ref(), config);
    let place = backup_place::open(&args.place.place)?;
    let restored = restore(&*place, args.id.as_deref(), &data).inspect_err(|error| {
        let is_begun = !matches!(error, BackupError::NotEmpty { .. } | BackupError::NoSnapshot { .. });
        if is_begun && data.exists() {
            eprintln!("lopper: note: {} holds a part of the backup and is to be removed", data.display());
        }
    })?;
    report(&args.place, &restored, |out| {
        let (pages, blocks) = (grouped(restored.pages), grouped(restored.blocks));
        let (all, id) = (bytes(restored.bytes), &restored.id);
        writeln!(out, "{} is backup {id}: {pages} pages, {blocks} blocks, {all}; it is sound", data.display())
    })
}

fn run_prune(args: &PruneArgs) -> Result<ExitCode> {
    let pruned = prune(&*backup_place::open(&args.place.place)?, args.keep)?;
    report(&args.place, &pruned, |out| {
        let snapshots = counted(pruned.snapshots.len() as u64, "backup was", "backups were");
        writeln!(out, "{snapshots} removed, {} given back", bytes(pruned.bytes))
    })
}

/// Prints `value` as JSON, or what `text` makes of it.
fn report(
    args: &PlaceArgs,
    value: &impl Serialize,
    text: impl FnOnce(&mut Output) -> std::io::Result<()>,
) -> Result<ExitCode> {
    let mut out = Output::of("the report");
    match args.format {
        StatsFormat::Json => writeln!(out, "{}", serde_json::to_string(value)?)?,
        StatsFormat::Text => text(&mut out)?,
    }
    Ok(ExitCode::SUCCESS)
}
