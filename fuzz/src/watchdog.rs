//! Ends the program when one input never ends, and leaves the input behind.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::targets::Target;

/// An input that takes so long is taken to never end.
const ENDLESS: Duration = Duration::from_mins(2);

struct Running {
    since: Instant,
    target: Target,
    input: Vec<u8>,
}

#[derive(Clone)]
pub(crate) struct Watchdog {
    running: Arc<Mutex<Option<Running>>>,
}

impl Watchdog {
    pub(crate) fn start(finds: &Path) -> Self {
        let watchdog = Self { running: Arc::default() };
        let (watched, finds) = (watchdog.clone(), finds.to_owned());
        thread::spawn(move || watched.watch(&finds));
        watchdog
    }

    pub(crate) fn begin(&self, target: Target, input: &[u8]) {
        self.set(Some(Running { since: Instant::now(), target, input: input.to_vec() }));
    }

    pub(crate) fn end(&self) {
        self.set(None);
    }

    fn set(&self, running: Option<Running>) {
        *self.running.lock().unwrap_or_else(PoisonError::into_inner) = running;
    }

    fn watch(&self, finds: &Path) {
        loop {
            thread::sleep(Duration::from_secs(1));
            let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(Running { since, target, input }) = running.as_ref() else { continue };
            if since.elapsed() > ENDLESS {
                let path: PathBuf = finds.join(format!("{target:?}-endless"));
                let written = fs::write(&path, input).map_or_else(|error| error.to_string(), |()| String::new());
                println!("FIND endless: {} {written}", path.display());
                std::process::exit(1);
            }
        }
    }
}
