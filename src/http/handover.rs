//! Work that commands hand over to the server, since it has the data folder.

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use lopper_collection::ingest::{IngestOptions, Interrupt, Observer, Progress};
use lopper_store::Sequence;

use super::error::chain;
use super::state::State;
use crate::handover::{Event, IngestRequest, Request, socket_path};

/// Bytes of a request.
const REQUEST_BYTES_MAX: u64 = 64 << 20;

/// Time for a request to arrive.
const REQUEST_DURATION_MAX: Duration = Duration::from_secs(10);

/// Wait after a connection that could not be taken.
const BETWEEN_TRIES: Duration = Duration::from_millis(100);

/// Time between two lines of progress.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// The open socket. On drop it is removed, and a run is interrupted and waited for: it commits what was read.
pub(super) struct Handover {
    path: PathBuf,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    /// One run at a time; others wait.
    running: Mutex<()>,
    /// Of the run, and of those that wait.
    interrupts: Mutex<Vec<Interrupt>>,
    is_closed: AtomicBool,
}

impl Handover {
    /// Listens in the data folder of a collection, which is not kept open by that. Without a socket the server serves all the same.
    pub(super) fn listen(state: &Arc<State>) -> Option<Self> {
        let data = state.collection().store().data().to_owned();
        match bind(&data) {
            Ok(listener) => {
                let (path, shared) = (socket_path(&data), Arc::<Shared>::default());
                let (state, own) = (Arc::downgrade(state), Arc::clone(&shared));
                thread::spawn(move || accept(&listener, &state, &own));
                Some(Self { path, shared })
            }
            Err(error) => {
                tracing::warn!(%error, "no ingest can be handed over to this server");
                None
            }
        }
    }
}

impl Handover {
    /// Takes nothing more, and asks what runs to end. Dropping it waits for that.
    pub(super) fn close(&self) {
        if self.shared.is_closed.swap(true, Ordering::AcqRel) {
            return;
        }
        // Wakes the thread that listens.
        drop(UnixStream::connect(&self.path));
        drop(fs::remove_file(&self.path));
        for interrupt in self.shared.interrupts.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            interrupt.ask();
        }
    }
}

impl Drop for Handover {
    fn drop(&mut self) {
        self.close();
        drop(self.shared.running.lock());
    }
}

/// A socket that only this user can connect to.
fn bind(data: &Path) -> io::Result<UnixListener> {
    let (path, unfinished) = (socket_path(data), data.join("ingest.sock.tmp"));
    // Of a server that was killed: whoever has the folder is this one.
    drop(fs::remove_file(&unfinished));
    let listener = UnixListener::bind(&unfinished)?;
    fs::set_permissions(&unfinished, fs::Permissions::from_mode(0o600))?;
    fs::rename(&unfinished, &path)?;
    Ok(listener)
}

fn accept(listener: &UnixListener, state: &Weak<State>, shared: &Arc<Shared>) {
    for connection in listener.incoming() {
        if shared.is_closed.load(Ordering::Acquire) {
            return;
        }
        let Ok(connection) = connection else {
            // Too many files are open, as a rule: some will be closed.
            thread::sleep(BETWEEN_TRIES);
            continue;
        };
        let Some(state) = state.upgrade() else { continue };
        let shared = Arc::clone(shared);
        thread::spawn(move || {
            if let Err(error) = answer(connection, &state, &shared) {
                tracing::debug!(%error, "an ingest's command went away");
            }
        });
    }
}

fn answer(connection: UnixStream, state: &State, shared: &Shared) -> io::Result<()> {
    connection.set_read_timeout(Some(REQUEST_DURATION_MAX))?;
    let mut line = String::new();
    BufReader::new(connection.try_clone()?.take(REQUEST_BYTES_MAX)).read_line(&mut line)?;
    let mut lines = Lines { connection, told: Instant::now() };
    let request: Request = match serde_json::from_str(&line) {
        Ok(request) => request,
        Err(error) => {
            return lines.send(&Event::Failed(format!("the server does not understand the command: {error}")));
        }
    };
    let request = match request {
        Request::Ingest(request) => request,
        Request::Delete { selection, note } => {
            let deleted = state.delete(&selection, false, note).map(|report| Event::Deleted(Box::new(report)));
            return lines.send(&deleted.unwrap_or_else(|error| Event::Failed(error.to_string())));
        }
        Request::Lift(number) => {
            let lifted = state.collection().store().lift_takedown(number).map(Event::Lifted);
            return lines.send(&lifted.unwrap_or_else(|error| Event::Failed(chain(&error))));
        }
    };
    let interrupt = Interrupt::default();
    watch(&lines.connection, interrupt.clone())?;
    shared.interrupts.lock().unwrap_or_else(PoisonError::into_inner).push(interrupt.clone());
    if shared.is_closed.load(Ordering::Acquire) {
        interrupt.ask();
    }
    let event = run(state, &request, interrupt.clone(), shared, &mut lines);
    // The run has ended, and so have those of commands that went away.
    interrupt.ask();
    shared.interrupts.lock().unwrap_or_else(PoisonError::into_inner).retain(|other| !other.is_asked());
    lines.send(&event)
}

fn run(state: &State, request: &IngestRequest, interrupt: Interrupt, shared: &Shared, lines: &mut Lines) -> Event {
    let _one = shared.running.lock().unwrap_or_else(PoisonError::into_inner);
    let IngestRequest { files, bodies, again, site, remove_missing } = request;
    let options = IngestOptions {
        threads: state.options().threads,
        limits: state.options().limits,
        bodies: *bodies,
        again: *again,
        site: site.clone(),
        remove_missing: remove_missing.clone(),
        interrupt,
        ..IngestOptions::default()
    };
    let engine = state.engine();
    let mut observer = Told { lines, reload: &|| drop(engine.reload()) };
    match state.ingest(files, &options, &mut observer) {
        Ok(report) => Event::Report(Box::new(report)),
        Err(error) => Event::Failed(chain(&error)),
    }
}

/// Interrupts the run when the command goes away, or asks for that by closing its side.
fn watch(connection: &UnixStream, interrupt: Interrupt) -> io::Result<()> {
    let mut connection = connection.try_clone()?;
    connection.set_read_timeout(None)?;
    thread::spawn(move || {
        let mut rest = [0; 64];
        while connection.read(&mut rest).is_ok_and(|read| read > 0) {}
        interrupt.ask();
    });
    Ok(())
}

/// The way back to the command.
struct Lines {
    connection: UnixStream,
    told: Instant,
}

impl Lines {
    fn send(&mut self, event: &Event) -> io::Result<()> {
        let mut line = serde_json::to_string(event)?;
        line.push('\n');
        self.connection.write_all(line.as_bytes())
    }
}

/// Tells the command of the run, and makes what is committed searchable.
struct Told<'a> {
    lines: &'a mut Lines,
    reload: &'a (dyn Fn() + Sync),
}

impl Observer for Told<'_> {
    fn progress(&mut self, progress: &Progress) {
        if self.lines.told.elapsed() >= PROGRESS_INTERVAL {
            self.lines.told = Instant::now();
            // A command that has gone is noticed by its watcher.
            drop(self.lines.send(&Event::Progress(*progress)));
        }
    }

    fn committed(&mut self, sequence: Sequence, records: u64) {
        (self.reload)();
        drop(self.lines.send(&Event::Committed { sequence, records }));
    }
}
