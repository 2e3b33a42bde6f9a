//! Commands that write while a server has the data folder: the server does it.

use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf, absolute};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use lopper_collection::ingest::{IngestOptions, IngestReport, Observer, Site, is_address};
use lopper_collection::{DeleteReport, Selection};

use crate::handover::{Event, IngestRequest, Request, socket_path};

/// Time between two looks whether Ctrl-C was pressed.
const LOOK_INTERVAL: Duration = Duration::from_millis(200);

/// The server that has the folder; `None` when it is no server that has it.
pub(super) fn connect(data: &Path) -> Option<UnixStream> {
    UnixStream::connect(socket_path(data)).ok()
}

/// What an answer to another question is told as.
const UNASKED: &str = "the server is another version of lopper: it answers what was not asked";

/// Has the server delete pages.
pub(super) fn delete_by_server(
    server: &UnixStream,
    selection: Selection,
    note: Option<String>,
) -> Result<DeleteReport> {
    match ask(server, &Request::Delete { selection, note })? {
        Event::Deleted(report) => Ok(*report),
        _ => bail!(UNASKED),
    }
}

/// Has the server lift a takedown; whether there is one of that number.
pub(super) fn lift_by_server(server: &UnixStream, number: u64) -> Result<bool> {
    match ask(server, &Request::Lift(number))? {
        Event::Lifted(is_lifted) => Ok(is_lifted),
        _ => bail!(UNASKED),
    }
}

/// The one answer to a request.
fn ask(server: &UnixStream, request: &Request) -> Result<Event> {
    send(server, request)?;
    let mut line = String::new();
    BufReader::new(server).read_line(&mut line).context("the server went away")?;
    if line.is_empty() {
        bail!("the server went away");
    }
    match serde_json::from_str(&line).context("the server is another version of lopper")? {
        Event::Failed(why) => bail!("the server that has the data folder: {why}"),
        event => Ok(event),
    }
}

fn send(mut server: &UnixStream, request: &Request) -> Result<()> {
    let mut line = serde_json::to_string(request)?;
    line.push('\n');
    server.write_all(line.as_bytes()).context("the server went away")
}

/// Has the server ingest `files`, and shows its progress.
pub(super) fn ingest_by_server(
    server: &UnixStream,
    files: &[PathBuf],
    options: &IngestOptions,
    observer: &mut dyn Observer,
) -> Result<IngestReport> {
    // Links stay as they are: a file's address is that of its name.
    let absolute = |file: &PathBuf| absolute(file).with_context(|| format!("cannot find {}", file.display()));
    let input = files.iter().any(|file| file.as_os_str() == "-");
    if input {
        bail!("standard input cannot be handed to the server that has the data folder: give it a file");
    }
    if let Some(address) = files.iter().find(|file| is_address(file)) {
        bail!("{} cannot be handed to the server that has the data folder: fetch it first", address.display());
    }
    let files = files.iter().map(absolute).collect::<Result<_>>()?;
    let site = options.site.as_ref().map(Site::made_absolute).transpose().context("cannot find the site's folder")?;
    let remove_missing = options.remove_missing.iter().map(absolute).collect::<Result<_>>()?;
    let (bodies, again) = (options.bodies, options.again);
    let request = Request::Ingest(IngestRequest { files, bodies, again, site, remove_missing });
    send(server, &request)?;
    server.set_read_timeout(Some(LOOK_INTERVAL))?;
    let mut answers = BufReader::new(server);
    let (mut line, mut is_asked) = (Vec::new(), false);
    loop {
        match answers.read_until(b'\n', &mut line) {
            Ok(_) if line.ends_with(b"\n") => {
                match serde_json::from_slice(&line).context("the server is another version of lopper")? {
                    Event::Progress(progress) => observer.progress(&progress),
                    Event::Committed { sequence, records } => observer.committed(sequence, records),
                    Event::Report(report) => return Ok(*report),
                    Event::Failed(why) => bail!("the server that has the data folder cannot ingest: {why}"),
                    Event::Deleted(_) | Event::Lifted(_) => bail!(UNASKED),
                }
                line.clear();
            }
            Ok(_) => bail!(
                "the server went away; what it told as committed is there, and the same command goes on from there"
            ),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(error) => return Err(error).context("the server went away"),
        }
        if options.interrupt.is_asked() && !is_asked {
            server.shutdown(Shutdown::Write)?;
            is_asked = true;
        }
    }
}
