//! `lopper ingest`.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread::sleep;
use std::time::Duration;

use anyhow::{Context, Result, bail};
#[cfg(unix)]
use lopper_collection::CollectionError;
use lopper_collection::DataFolder;
use lopper_collection::ingest::{Bodies, IngestOptions, IngestReport, Site, StableFiles, files_of, ingest_files};
use lopper_content::pipeline::ExtractParams;
#[cfg(unix)]
use lopper_store::StoreError;
use lopper_store::{OpenMode, RecordSums, Store, StoreStatistics};

use super::args::{BodiesChoice, IngestArgs, IngestCommand};
use super::interrupt::{INTERRUPTED, on_ctrl_c};
use super::output::{Output, counted, grouped, printable};
use super::progress::ProgressDisplay;
use super::usage::Usage;
use super::{data_folder, elsewhere, report};
use crate::config::Config;

/// Messages shown of what failed.
const MESSAGES_SHOWN: usize = 10;

/// Time between two looks at watched folders.
const WATCH_INTERVAL: Duration = Duration::from_secs(1);

pub(super) fn run(args: &IngestArgs, config: &Config) -> Result<ExitCode> {
    match &args.command {
        Some(IngestCommand::Report(args)) => report::run(args, config),
        None if args.watch => watch(args, config),
        None => once(args, config),
    }
}

fn once(args: &IngestArgs, config: &Config) -> Result<ExitCode> {
    // Before the data folder is made: a mistyped path should leave nothing behind.
    let files = files_of(&elsewhere::expanded(&args.paths)?)?;
    let data = data_folder(args.data.data.as_ref(), config);
    let options = IngestOptions { fetch: elsewhere::fetching(&files)?, ..ingest_options(args, config)? };
    let mut progress = ProgressDisplay::new(args.progress);
    let report = ingest_here_or_there(args, &data, params(args, config), &files, &options, &mut progress);
    progress.finish(report.as_ref().ok());
    let report = report?;
    let mut out = Output::of("the report");
    print_report(&mut out, &report)?;
    if options.bodies == Bodies::Refer && report.records.indexed + report.records.replaced > 0 {
        writeln!(
            out,
            "HTML       stays in the archives: if they go, pages are found, but not shown or analysed again (--bodies keep)"
        )?;
    }
    if report.interrupted {
        eprintln!("lopper: stopped; what was read is committed, and the same command goes on from there");
        return Ok(ExitCode::from(INTERRUPTED));
    }
    if report.archives > report.archives_resumed && report.records.records() == 0 && report.unreadable.is_empty() {
        let archives = counted(report.archives, "archive has", "archives have");
        eprintln!("lopper: note: the {archives} no records: nothing was ingested");
    }
    let stats = Store::open(&data, OpenMode::Read)?.stats();
    if stats.pages > 0 {
        writeln!(out, "Search them: lopper search --data {} QUERY", data.display())?;
    }
    if params(args, config).site_memory && options.bodies != Bodies::None && may_keep_menus(&report.records, &stats) {
        let data = data.display();
        writeln!(out, "The menus of their sites are known now, but were not when the first pages were read;")?;
        writeln!(out, "to leave them out there: lopper rebuild --from bodies --data {data}")?;
    }
    if report.unreadable.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    let (unreadable, all) = (report.unreadable.len() as u64, report.archives + report.archives_already_ingested);
    eprintln!(
        "lopper: {} of {} could not be read; `lopper ingest report --data {} --state failed` says why",
        grouped(unreadable),
        counted(all, "file", "files"),
        data.display()
    );
    Ok(ExitCode::FAILURE)
}

/// Whether a run brought most of the pages, of sites that have enough to know their menus by.
fn may_keep_menus(records: &RecordSums, stats: &StoreStatistics) -> bool {
    /// Pages of a site, on average.
    const OF_SITE_MIN: u64 = 20;
    2 * records.indexed > stats.pages && stats.pages >= OF_SITE_MIN * stats.hosts.max(1)
}

/// Ingests, or has the server ingest that has the data folder.
fn ingest_here_or_there(
    args: &IngestArgs,
    data: &Path,
    params: ExtractParams,
    files: &[PathBuf],
    options: &IngestOptions,
    progress: &mut ProgressDisplay,
) -> Result<IngestReport> {
    match DataFolder::open_to_write(data, params) {
        #[cfg(unix)]
        Err(error @ CollectionError::Store(StoreError::DataInUse { .. })) => {
            let Some(server) = super::handed::connect(data) else { return Err(error.into()) };
            if args.no_site_memory {
                bail!("a server has {}, and --no-site-memory cannot be asked of it: stop it first", data.display());
            }
            eprintln!("lopper: a server has {}: it ingests", data.display());
            if args.threads.is_some() {
                eprintln!("lopper: note: --threads is for an ingest without a server: it has its own");
            }
            super::handed::ingest_by_server(&server, files, options, progress)
        }
        opened => {
            let collection = opened?;
            let report = ingest_files(&collection, files, options, progress)?;
            if !report.interrupted {
                collection.close()?;
            }
            Ok(report)
        }
    }
}

fn params(args: &IngestArgs, config: &Config) -> ExtractParams {
    ExtractParams { site_memory: config.extract.site_memory && !args.no_site_memory, ..config.extract }
}

/// Ingests what is in the folders, and then each file that comes and stops growing.
fn watch(args: &IngestArgs, config: &Config) -> Result<ExitCode> {
    let mut files = StableFiles::new(&args.paths)?;
    let data = data_folder(args.data.data.as_ref(), config);
    let collection = DataFolder::open_to_write(&data, params(args, config))?;
    let options = ingest_options(args, config)?;
    while !options.interrupt.is_asked() {
        let found = files.look();
        if found.is_empty() {
            sleep(WATCH_INTERVAL);
            continue;
        }
        let mut progress = ProgressDisplay::new(args.progress);
        let report = ingest_files(&collection, &found, &options, &mut progress);
        progress.finish(report.as_ref().ok());
        print_watched(&mut Output::of("the report"), &found[0], &report?)?;
    }
    eprintln!("lopper: stopped; what was read is committed, and the same command goes on from there");
    Ok(ExitCode::from(INTERRUPTED))
}

/// A line a look that found something.
fn print_watched(out: &mut impl Write, first: &Path, report: &IngestReport) -> Result<()> {
    let sums = &report.records;
    let more = (report.archives + report.archives_already_ingested).saturating_sub(1);
    let others = if more > 0 { format!(" and {} more", grouped(more)) } else { String::new() };
    let name = first.display().to_string();
    writeln!(
        out,
        "{}{others}: {}, {} ({} new), {} failed{}",
        printable(&name),
        counted(sums.records(), "record", "records"),
        counted(sums.pages(), "page", "pages"),
        grouped(sums.indexed),
        grouped(sums.failed),
        if report.archives_already_ingested > 0 { ", some already ingested" } else { "" }
    )?;
    Ok(out.flush()?)
}

fn ingest_options(args: &IngestArgs, config: &Config) -> Result<IngestOptions> {
    let bodies = args.bodies.map(|choice| match choice {
        BodiesChoice::Keep => Bodies::Keep,
        BodiesChoice::Refer => Bodies::Refer,
        BodiesChoice::None => Bodies::None,
    });
    let options = options(args.threads, config);
    let site = args.site_url.as_deref().map(|url| site(&args.paths, url)).transpose()?;
    let is_folder = |path: &&PathBuf| args.remove_missing && path.is_dir();
    let remove_missing: Vec<PathBuf> = args.paths.iter().filter(is_folder).cloned().collect();
    if args.remove_missing && remove_missing.is_empty() {
        bail!("--remove-missing looks through folders, and no PATH is one");
    }
    let bodies = match bodies.or(config.bodies).unwrap_or_default() {
        // Standard input cannot be read again.
        Bodies::Refer if args.paths.iter().any(|path| path == Path::new("-")) => Bodies::Keep,
        bodies => bodies,
    };
    Ok(IngestOptions { site, remove_missing, bodies, again: args.again, interrupt: on_ctrl_c()?, ..options })
}

/// Where the only path is published.
fn site(paths: &[PathBuf], url: &str) -> Result<Site> {
    match paths {
        [path] if path.exists() => Ok(Site::new(path, url).context("--site-url")?),
        [path] => bail!("--site-url: {} is no file or folder here", path.display()),
        _ => bail!(Usage("--site-url is for one PATH: run the command once a folder, each with its address")),
    }
}

pub(super) fn options(threads: Option<NonZeroUsize>, config: &Config) -> IngestOptions {
    let default = IngestOptions::default();
    let threads = threads.or(config.threads).map_or(default.threads, NonZeroUsize::get);
    let batch_records_max = config.ingest.batch_records.map_or(default.batch_records_max, u64::from);
    IngestOptions { threads, limits: config.limits, batch_records_max, ..default }
}

/// The closing report: every record is in one line of it.
pub(super) fn print_report(out: &mut impl Write, report: &IngestReport) -> Result<()> {
    let sums = &report.records;
    let seconds = report.duration.as_secs_f64();
    writeln!(out, "Archives  {:>9}{}", grouped(report.archives), archives_remark(report))?;
    for message in report.same_messages.iter().take(MESSAGES_SHOWN) {
        writeln!(out, "           {}", printable(message))?;
    }
    writeln!(out, "Records   {:>9}", grouped(sums.records()))?;
    print_pages(out, sums)?;
    if report.removed > 0 {
        writeln!(out, "Removed   {:>9}  (their files are gone)", grouped(report.removed))?;
    }
    writeln!(out, "Blocks    {:>9}", grouped(sums.blocks))?;
    writeln!(out, "Skipped   {:>9}", grouped(sums.skipped.values().sum()))?;
    for (reason, count) in &sums.skipped {
        writeln!(out, "          {:>9}  {}", grouped(*count), reason.as_str())?;
    }
    writeln!(out, "Revisits  {:>9}", grouped(sums.revisits))?;
    writeln!(out, "Failed    {:>9}", grouped(sums.failed))?;
    for message in report.messages.iter().take(MESSAGES_SHOWN) {
        writeln!(out, "           {}", printable(message))?;
    }
    let hidden = report.messages.len().saturating_sub(MESSAGES_SHOWN) as u64 + report.messages_left_out;
    if hidden > 0 {
        writeln!(out, "           and {} more", grouped(hidden))?;
    }
    if report.remarks > 0 {
        writeln!(out, "Remarks   {:>9}  (taken, although something is wrong with them)", grouped(report.remarks))?;
    }
    for message in report.remark_messages.iter().take(MESSAGES_SHOWN) {
        writeln!(out, "           {}", printable(message))?;
    }
    writeln!(out, "Time      {seconds:>8.1}s  ({:.0} pages a second)", sums.pages() as f64 / seconds.max(1e-3))?;
    Ok(())
}

fn archives_remark(report: &IngestReport) -> String {
    let remarks = [
        (report.archives_resumed, "resumed"),
        (report.archives_already_ingested, "already ingested"),
        (report.archives_moved, "found at another place"),
        (report.files_same, "the same as another"),
    ];
    let told = remarks.into_iter().filter(|(count, _)| *count > 0);
    let told: Vec<String> = told.map(|(count, what)| format!("{} {what}", grouped(count))).collect();
    if told.is_empty() { String::new() } else { format!("  ({})", told.join(", ")) }
}

fn print_pages(out: &mut impl Write, sums: &RecordSums) -> Result<()> {
    let duplicates = if sums.duplicates > 0 {
        format!(", {}", counted(sums.duplicates, "duplicate", "duplicates"))
    } else {
        String::new()
    };
    let (pages, indexed, replaced) = (grouped(sums.pages()), sums.indexed, sums.replaced);
    Ok(writeln!(out, "Pages     {pages:>9}  ({indexed} new, {replaced} replaced{duplicates})")?)
}
