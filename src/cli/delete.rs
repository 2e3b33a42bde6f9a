//! `lopper delete` and `lopper takedowns`.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, bail};
use lopper_collection::{Collection, CollectionError, DeleteReport, Error, rfc_3339};
use lopper_store::{Store, StoreError, Takedown, TakedownScope};

use super::args::StatsFormat;
use super::data_folder;
use super::delete_args::{DeleteArgs, LiftArgs, TakedownsArgs, TakedownsCommand};
use super::output::{Output, grouped, printable};
use crate::config::Config;

pub(super) fn run(args: &DeleteArgs, config: &Config) -> Result<ExitCode> {
    let data = data_folder(args.data.data.as_ref(), config);
    let Some(selection) = args.selection() else { bail!("nothing is selected") };
    Store::must_exist(&data)?;
    let report = if args.dry_run {
        Collection::open_to_read(&data)?.count_deletion(&selection)?
    } else {
        match server_or_folder(&data, config)? {
            #[cfg(unix)]
            Writer::Server(server) => super::handed::delete_by_server(&server, selection, args.note.clone())?,
            Writer::Folder(collection) => collection.delete(&selection, args.note.clone())?,
        }
    };
    let mut out = Output::of("the report");
    match args.format {
        StatsFormat::Json => writeln!(out, "{}", serde_json::to_string(&report)?)?,
        StatsFormat::Text => print(&mut out, &report)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Who writes.
enum Writer {
    /// The server that has the folder.
    #[cfg(unix)]
    Server(std::os::unix::net::UnixStream),
    /// This program.
    Folder(Box<Collection>),
}

fn server_or_folder(data: &Path, config: &Config) -> Result<Writer> {
    match Collection::open_with(data, config.extract) {
        #[cfg(unix)]
        Err(error @ Error::Folder(CollectionError::Store(StoreError::DataInUse { .. }))) => {
            match super::handed::connect(data) {
                Some(server) => Ok(Writer::Server(server)),
                None => Err(error.into()),
            }
        }
        opened => Ok(Writer::Folder(Box::new(opened?))),
    }
}

fn print(out: &mut impl Write, report: &DeleteReport) -> Result<()> {
    writeln!(out, "Pages     {:>9}", grouped(report.pages))?;
    writeln!(out, "Blocks    {:>9}", grouped(report.blocks))?;
    writeln!(out, "Captures  {:>9}", grouped(report.captures))?;
    match &report.takedown {
        None => writeln!(out, "Nothing was deleted: this only counts")?,
        Some(takedown) => {
            let number = takedown.number;
            if report.pages == 0 && report.captures == 0 {
                return Ok(writeln!(
                    out,
                    "Nothing of it is here; what comes is kept out by takedown {number} until it is lifted"
                )?);
            }
            writeln!(out, "Deleted, and kept out by takedown {number} until it is lifted")?;
            writeln!(out, "`lopper compact` clears what is left of it on disk")?;
        }
    }
    Ok(())
}

pub(super) fn takedowns(args: &TakedownsArgs, config: &Config) -> Result<ExitCode> {
    let data = data_folder(args.data.as_ref(), config);
    if let Some(TakedownsCommand::Lift(args)) = &args.command {
        return lift(args, &data, config);
    }
    Store::must_exist(&data)?;
    let takedowns = Store::takedowns_of(&data)?;
    let mut out = Output::of("the list");
    match args.format {
        StatsFormat::Json => writeln!(out, "{}", serde_json::to_string(&takedowns)?)?,
        StatsFormat::Text if takedowns.is_empty() => writeln!(out, "No takedown stands")?,
        StatsFormat::Text => takedowns.iter().try_for_each(|takedown| line(&mut out, takedown))?,
    }
    Ok(ExitCode::SUCCESS)
}

fn line(out: &mut impl Write, takedown: &Takedown) -> Result<()> {
    let since = rfc_3339(takedown.since);
    let day = since.as_deref().and_then(|time| time.get(..10)).unwrap_or("?");
    let note = takedown.note.as_ref().map(|note| format!("  ({note})")).unwrap_or_default();
    let query = takedown.query.as_ref().map(|query| format!(" by the query `{query}`")).unwrap_or_default();
    let text = format!("{}{query}{note}", scope(&takedown.scope));
    Ok(writeln!(out, "{:>5}  {day}  {}", takedown.number, printable(&text))?)
}

/// What a takedown keeps out, in words.
fn scope(scope: &TakedownScope) -> String {
    match scope {
        TakedownScope::Pages(pages) => match &pages[..] {
            [page] => format!("page {} of {}", page.id, page.url),
            pages => format!("{} pages", grouped(pages.len() as u64)),
        },
        TakedownScope::Url(url) => format!("URL {url}"),
        TakedownScope::Prefix(prefix) => format!("URLs that begin with {prefix}"),
        TakedownScope::Host(host) => format!("host {host}"),
        TakedownScope::Archive { path, .. } => format!("archive {}", path.display()),
    }
}

fn lift(args: &LiftArgs, data: &Path, config: &Config) -> Result<ExitCode> {
    Store::must_exist(data)?;
    let is_lifted = match server_or_folder(data, config)? {
        #[cfg(unix)]
        Writer::Server(server) => super::handed::lift_by_server(&server, args.number)?,
        Writer::Folder(collection) => collection.lift_takedown(args.number)?,
    };
    if !is_lifted {
        bail!("there is no takedown {}; `lopper takedowns` lists them", args.number);
    }
    let mut out = Output::of("the answer");
    writeln!(out, "Lifted. HTML files that it kept out come back with the next ingest of them;")?;
    writeln!(out, "pages of web archives, zip and tar files with `lopper ingest --again PATH`")?;
    Ok(ExitCode::SUCCESS)
}
