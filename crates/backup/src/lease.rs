//! A lock in object storage: an object that says who writes, and is renewed while that one lives.
//!
//! It is written by conditional requests alone: made unless there is one, and replaced if it is the version that was seen. So of two, one
//! gets it. No clocks are compared: who finds it held looks on for the time of a lease, and takes it if nothing changed meanwhile.

use std::io::{self, ErrorKind};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle, sleep};
use std::time::{Duration, Instant};

use lopper_objects::{Bucket, ObjectError, Written};
use serde::{Deserialize, Serialize};

use crate::destination::Held;

/// Renewals in the time of a lease.
const RENEWALS: u32 = 6;

/// Tries to take a lock that others take and give back meanwhile.
const TRIES_MAX: usize = 8;

/// What the object says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Note {
    /// Who has it: random, 16 hexadecimal digits.
    holder: String,
    /// How often it was renewed; so each version is another one.
    renewal: u64,
    /// Whether it was given back.
    free: bool,
}

impl Note {
    fn bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// What is no note is of nobody who gives it back.
    fn read(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }
}

/// A note that was found, if it is one, and the version of the object.
type Found = (Option<Note>, String);

/// The object in a bucket.
#[derive(Debug, Clone)]
struct Lock {
    bucket: Bucket,
    name: &'static str,
    lease: Duration,
}

/// A lock that is held, and renewed by a thread.
pub(crate) struct Lease {
    state: Arc<Mutex<State>>,
    duration: Duration,
    stop: Option<Sender<()>>,
    renewing: Option<JoinHandle<()>>,
}

/// What is known of a lock that was taken.
struct State {
    note: Note,
    version: String,
    renewed_at: Instant,
    is_lost: bool,
}

impl Lease {
    /// Takes the lock `name`. Where it is held, that is told once it is renewed; where it is not renewed for `lease`, it is taken.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::WouldBlock`] where another one has it, and what the server says.
    pub(crate) fn take(bucket: &Bucket, name: &'static str, lease: Duration) -> io::Result<Self> {
        let lock = Lock { bucket: bucket.clone(), name, lease };
        let note = Note { holder: new_holder()?, renewal: 0, free: false };
        let (version, renewed_at) = lock.take(&note)?;
        let state = Arc::new(Mutex::new(State { note, version, renewed_at, is_lost: false }));
        let (stop, stopped) = channel::<()>();
        let shared = state.clone();
        let renewing = thread::Builder::new().name("lease".to_owned()).spawn(move || {
            while stopped.recv_timeout(lock.lease / RENEWALS) == Err(RecvTimeoutError::Timeout) {
                lock.renew(&mut shared.lock().unwrap_or_else(PoisonError::into_inner));
            }
            lock.give_back(&shared.lock().unwrap_or_else(PoisonError::into_inner));
        })?;
        Ok(Self { state, duration: lease, stop: Some(stop), renewing: Some(renewing) })
    }
}

impl Held for Lease {
    fn check(&self) -> io::Result<()> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let is_held = !state.is_lost && state.renewed_at.elapsed() < self.duration;
        if is_held { Ok(()) } else { Err(ErrorKind::WouldBlock.into()) }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(renewing) = self.renewing.take() {
            let _ = renewing.join();
        }
    }
}

impl Lock {
    /// Gives the version that is ours, and the time before the request that wrote it.
    fn take(&self, note: &Note) -> io::Result<(String, Instant)> {
        for _ in 0..TRIES_MAX {
            let before = Instant::now();
            if let Written::Created { version } = self.bucket.create(self.name, note.bytes())? {
                let version = version.ok_or_else(|| io::Error::other("the server gives objects no ETag"))?;
                return Ok((version, before));
            }
            let Some((found, version)) = self.read()? else { continue };
            match found {
                // The answer to our own request was lost, and it was sent again.
                Some(found) if found.holder == note.holder => return Ok((version, before)),
                Some(found) if found.free => {}
                _ if self.is_renewed(&version)? => return Err(ErrorKind::WouldBlock.into()),
                _ => tracing::warn!(lock = self.name, "who had it was not heard of; it is taken over"),
            }
            let before = Instant::now();
            if let Some(version) = self.replace(note, &version)? {
                return Ok((version, before));
            }
        }
        Err(ErrorKind::WouldBlock.into())
    }

    fn read(&self) -> Result<Option<Found>, ObjectError> {
        let read = self.bucket.read_version(self.name)?;
        Ok(read.map(|(bytes, version)| (Note::read(&bytes), version.unwrap_or_default())))
    }

    /// Looks on until the lock is another one than `version`, or for the time of a lease.
    fn is_renewed(&self, version: &str) -> Result<bool, ObjectError> {
        let since = Instant::now();
        while since.elapsed() < self.lease {
            sleep(self.lease / RENEWALS / 2);
            if self.read()?.is_none_or(|(_, found)| found != version) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Writes `note` in the place of `version`; the new version, or `None` where another one was faster.
    fn replace(&self, note: &Note, version: &str) -> Result<Option<String>, ObjectError> {
        if let Some(version) = self.bucket.replace(self.name, note.bytes(), version)? {
            return Ok(Some(version));
        }
        // The answer to a first try may be lost, and the second finds what that has written.
        let found = self.read()?.filter(|(found, _)| found.as_ref() == Some(note));
        Ok(found.map(|(_, version)| version))
    }

    fn renew(&self, state: &mut State) {
        if state.is_lost {
            return;
        }
        let now = Instant::now();
        let note = Note { renewal: state.note.renewal + 1, ..state.note.clone() };
        match self.replace(&note, &state.version) {
            Ok(Some(version)) => (state.note, state.version, state.renewed_at) = (note, version, now),
            Ok(None) => state.is_lost = true,
            // It may be better next time; `check` tells when it took too long.
            Err(error) => tracing::warn!(lock = self.name, %error, "it could not be renewed"),
        }
    }

    /// Others need not wait then. Where that fails, they wait for the time of a lease.
    fn give_back(&self, state: &State) {
        if !state.is_lost {
            let _ = self.bucket.replace(self.name, Note { free: true, ..state.note.clone() }.bytes(), &state.version);
        }
    }
}

fn new_holder() -> io::Result<String> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(format!("{:016x}", u64::from_le_bytes(bytes)))
}
