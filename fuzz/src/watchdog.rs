//! Ends the program when one input never ends, and leaves the input behind.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::targets::Target;

/// Looks, one a second, after which an input is taken to never end. Looks and not time: the program may be paused.
const LOOKS_MAX: u32 = 120;

struct Running {
    looks: u32,
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
        self.set(Some(Running { looks: 0, target, input: input.to_vec() }));
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
            let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(Running { looks, target, input }) = running.as_mut() else { continue };
            *looks += 1;
            if *looks > LOOKS_MAX {
                let path: PathBuf = finds.join(format!("{target:?}-endless"));
                let written = fs::write(&path, input).map_or_else(|error| error.to_string(), |()| String::new());
                println!("FIND endless: {} {written}", path.display());
                std::process::exit(1);
            }
        }
    }
}
