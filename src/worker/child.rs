//! The process that makes a part, and may be ended at any time.

use std::fs;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::exit;
use std::thread;

use lopper_collection::parts::{
    PartCounts, PartError, PartEvent, PartInput, PartOptions, Published, make_part, part_head,
};
use xxhash_rust::xxh3::xxh3_128;

use super::fetch::{Fetched, Outcome, failed, is_url};
use super::place::PartPlace;
use super::task::{Said, Task};

/// How the names of files of counts end.
pub(crate) const COUNTS_ENDING: &str = ".counts";

/// Exit code of a child whose parent is gone.
const ORPHANED: i32 = 3;

/// Takes one task from standard input and says on standard output what becomes of it.
///
/// # Errors
///
/// When standard input is no task, or nobody listens.
pub(crate) fn run() -> io::Result<()> {
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    let task: Task = serde_json::from_str(&line)?;
    let said = match make(&task) {
        Ok((part, published)) => Said::Done { part, published },
        Err(error) => Said::Failed { code: error.code().to_owned(), error: told(&error) },
    };
    say(&said)
}

fn told(error: &PartError) -> String {
    let disk = if lopper_faults::disk::is_full(error) { " (the disk is full)" } else { "" };
    format!("{error}{disk}")
}

fn say(said: &Said) -> io::Result<()> {
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, said)?;
    out.write_all(b"\n")?;
    out.flush()
}

/// Ends this process when the parent is gone, which had the other end of standard input; without what was being written.
fn end_with_parent(writing: PathBuf) {
    thread::spawn(move || {
        // Nothing more is sent, so whatever comes is the end.
        let _ = io::stdin().lock().read_line(&mut String::new());
        let _ = fs::remove_file(&writing);
        exit(ORPHANED);
    });
}

fn make(task: &Task) -> Result<(String, Published), PartError> {
    let place = PartPlace::open(&task.output, task.made_in.as_deref())?;
    let folder = place.folder();
    let mut options = PartOptions {
        params: task.params,
        limits: task.limits,
        html: task.html,
        quarantined: task.quarantined.clone(),
        ..PartOptions::default()
    };
    if let Some(path) = &task.counts {
        let bytes = fs::read(path).map_err(|source| io_error("read", path, source))?;
        let counts = PartCounts::from_bytes(&bytes).ok_or_else(|| PartError::Counts { path: path.clone() })?;
        options.statistics = counts.snapshot();
        options.weighed_by = Some(format!("{:032x}", xxh3_128(&bytes)));
    }
    let (input, ends) = open(task)?;
    let name = part_head(&input, &options).name();
    if place.has(&name)? {
        return Ok((name, Published::Existing));
    }
    let writing = folder.path_incomplete(&name, std::process::id());
    end_with_parent(writing.clone());
    say(&Said::Writing { path: writing.clone() }).map_err(|source| io_error("tell of", &writing, source))?;
    let (published, ()) = folder.publish(&name, |out| {
        let (_, counts) = make_part(input, &options, out, &writing, &mut tell)?;
        ends.check(&task.archive)?;
        // Before the part: who sees a part sees its counts.
        let counts = counts.to_bytes();
        folder.publish(&format!("{name}{COUNTS_ENDING}"), |out| {
            out.write_all(&counts).map_err(|source| io_error("write", &writing, source))
        })?;
        Ok(())
    })?;
    let published = place.send(&name, published, &mut |bytes| {
        let _ = say(&Said::Sending { bytes });
    })?;
    Ok((name, published))
}

/// How reading an archive ends.
enum Ends {
    /// What is wrong with a file is in its records.
    File,
    /// By a command of the user's.
    Command(Outcome),
    #[cfg(feature = "s3")]
    Remote(super::remote::Breaks),
}

impl Ends {
    /// An error, unless all that was wanted of `archive` was read as it is.
    fn check(&self, archive: &str) -> Result<(), PartError> {
        match self {
            Self::File => Ok(()),
            Self::Command(outcome) => outcome.check(archive),
            #[cfg(feature = "s3")]
            Self::Remote(breaks) => breaks.check(archive),
        }
    }
}

/// Opens the archive. A command that the user gives goes before what this program can fetch.
fn open(task: &Task) -> Result<(PartInput, Ends), PartError> {
    let (url, limits) = (task.archive.as_str(), &task.limits);
    if !is_url(url) {
        return Ok((PartInput::open(Path::new(url), task.range, limits)?, Ends::File));
    }
    #[cfg(feature = "s3")]
    if task.fetch.is_none() && super::remote::is_readable(url) {
        let (input, breaks) = super::remote::open(url, task.version.as_deref(), task.range, limits)?;
        return Ok((input, Ends::Remote(breaks)));
    }
    by_command(task, url)
}

fn by_command(task: &Task, url: &str) -> Result<(PartInput, Ends), PartError> {
    let limits = &task.limits;
    let refused = |reason: &str| failed(url, io::Error::other(reason.to_owned()));
    if task.range.is_some() {
        return Err(refused("what a command fetches has no ranges; give the whole archive"));
    }
    let fetch = task.fetch.as_ref().ok_or_else(|| refused("--fetch says how: 'gsutil cat \"$1\"'"))?;
    let (stream, outcome) = Fetched::start(fetch, url).map_err(|source| failed(url, source))?;
    let version = task.version.as_deref().unwrap_or_default();
    let input = PartInput::of_stream(stream, None, url, version, limits);
    match input {
        Ok(input) => Ok((input, Ends::Command(outcome))),
        // Where the fetching failed, that is the reason.
        Err(error) => Err(outcome.error(url).unwrap_or(error)),
    }
}

fn io_error(doing: &'static str, path: &Path, source: io::Error) -> PartError {
    PartError::Io { doing, path: path.to_owned(), source }
}

/// Says what is about to be done. Where nobody listens any more, the end of standard input ends this process.
fn tell(event: PartEvent<'_>) {
    let said = match event {
        PartEvent::Reading { ordinal, position_bytes } => Said::Reading { ordinal, position_bytes },
        PartEvent::Record { ordinal, offset_bytes, url } => Said::Record { ordinal, offset_bytes, url: url.to_owned() },
    };
    let _ = say(&said);
}
