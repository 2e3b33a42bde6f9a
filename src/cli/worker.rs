//! `lopper worker` and `lopper merge-counts`.

use std::fs;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use lopper_collection::ingest::is_address;
use lopper_collection::parts::PartCounts;

use super::elsewhere;
use super::usage::Usage;
use crate::config::Config;
use crate::worker::child::{self, COUNTS_ENDING};
use crate::worker::place::{PartPlace, is_storage};
use crate::worker::task::{Answer, Job};
use crate::worker::watch::WorkerOptions;

/// Said where there is no room for what is on its way to object storage.
const NO_FOLDER: &str = "cannot make a temporary folder for parts; TMPDIR says where";

#[derive(Debug, Args)]
pub(super) struct WorkerArgs {
    /// Folder that the parts go to, or s3://BUCKET/PREFIX
    #[arg(long, value_name = "PLACE")]
    output: String,
    /// Shell command that writes the archive of the URL $1 to its standard output, such as 'gsutil cat "$1"'; s3:// and
    /// https:// need none
    #[arg(long, value_name = "COMMAND")]
    fetch: Option<String>,
    /// Weigh the plain blocks by these counts, as `lopper merge-counts` makes them; ingest does not need it
    #[arg(long, value_name = "FILE")]
    counts: Option<PathBuf>,
    /// Put the pages' HTML into the parts, for `lopper ingest --bodies keep`
    #[arg(long)]
    html: bool,
    /// Seconds that a record has before it is left out
    #[arg(long, value_name = "N", default_value_t = 120.0)]
    record_seconds: f64,
    /// Megabytes of memory that a process may take before the record that it is at is left out
    #[arg(long, value_name = "N", default_value_t = 4096)]
    memory_max_mb: u64,
    /// Records that may be left out of an archive; with more of them it gives no part
    #[arg(long, value_name = "N", default_value_t = 16)]
    quarantined_max: usize,
    /// Do what standard input says, as the process that is watched
    #[arg(long, hide = true)]
    child: bool,
    /// Archives; without any, standard input has a job a line: {"archive": "PATH", "range": [0, 1000000]}
    #[arg(value_name = "ARCHIVE")]
    archives: Vec<String>,
}

#[derive(Debug, Args)]
pub(super) struct MergeCountsArgs {
    /// File that the sum goes to
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// Files of counts, folders of parts, or s3://BUCKET/PREFIX
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
}

pub(super) fn run(args: &WorkerArgs, config: &Config) -> Result<ExitCode> {
    if args.child {
        child::run().context("the worker's process cannot go on")?;
        return Ok(ExitCode::SUCCESS);
    }
    let made_in = if is_storage(&args.output) { Some(tempfile::tempdir().context(NO_FOLDER)?) } else { None };
    let options = options(args, config, made_in.as_ref().map(|folder| folder.path().to_owned()))?;
    PartPlace::open(&options.output, options.made_in.as_deref())?;
    let mut all_made = true;
    if args.archives.is_empty() {
        for line in io::stdin().lock().lines() {
            let line = line.context("cannot read jobs from standard input")?;
            if !line.trim().is_empty() {
                all_made &= tell(&options.answer_line(&line))?;
            }
        }
    }
    for archive in &args.archives {
        let job = Job { archive: archive.clone(), range: None, version: None, attempt: None };
        all_made &= tell(&options.answer(job))?;
    }
    Ok(if all_made { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn options(args: &WorkerArgs, config: &Config, made_in: Option<PathBuf>) -> Result<WorkerOptions> {
    if !(args.record_seconds > 0.0 && args.record_seconds <= 1e6) {
        bail!(Usage("--record-seconds is to be above 0, and 1,000,000 at most"));
    }
    Ok(WorkerOptions {
        output: args.output.clone(),
        made_in,
        fetch: args.fetch.clone(),
        counts: args.counts.clone(),
        html: args.html,
        params: config.extract,
        limits: config.limits,
        record_duration_max: Duration::from_secs_f64(args.record_seconds),
        memory_bytes_max: args.memory_max_mb.saturating_mul(1 << 20),
        quarantined_max: args.quarantined_max,
    })
}

/// Prints an answer; whether the part is there.
fn tell(answer: &Answer) -> Result<bool> {
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, answer)?;
    out.write_all(b"\n")?;
    out.flush()?;
    Ok(matches!(answer, Answer::Made { .. }))
}

pub(super) fn merge_counts(args: &MergeCountsArgs) -> Result<ExitCode> {
    let mut files = Vec::new();
    for path in &args.paths {
        files.extend(counts_in(path)?);
    }
    let sum = PartCounts::sum(files.iter().map(|file| read_counts(file)))?;
    let temporary = args.output.with_extension("tmp");
    let bytes = sum.to_bytes();
    let written = fs::write(&temporary, &bytes).and_then(|()| fs::rename(&temporary, &args.output));
    written.with_context(|| format!("cannot write {}", args.output.display()))?;
    println!("{} files of counts, {} bytes", files.len(), bytes.len());
    Ok(ExitCode::SUCCESS)
}

fn read_counts(path: &Path) -> Result<PartCounts> {
    match elsewhere::counts(path)? {
        Some(bytes) => {
            PartCounts::from_bytes(&bytes).with_context(|| format!("{} is no file of counts", path.display()))
        }
        None => Ok(PartCounts::read(path)?),
    }
}

/// A file of counts, or those in a folder or at an address.
fn counts_in(path: &Path) -> Result<Vec<PathBuf>> {
    if is_address(path) {
        return elsewhere::named(path, COUNTS_ENDING);
    }
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let told = || format!("cannot read the folder {}", path.display());
    let entries = fs::read_dir(path).with_context(told)?;
    let mut files = entries.map(|entry| Ok(entry.with_context(told)?.path())).collect::<Result<Vec<_>>>()?;
    files.retain(|file| file.to_string_lossy().ends_with(COUNTS_ENDING));
    files.sort();
    if files.is_empty() {
        bail!("no counts in {}: `lopper worker` puts them beside its parts", path.display());
    }
    Ok(files)
}
