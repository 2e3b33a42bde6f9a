//! Making a new database beside the old one and putting it in its place, so that a step can be cut off anywhere:
//!
//! 1. the new folder is removed if it is there, and filled from `store`;
//! 2. `store` is renamed to the old folder: from now on the new one is complete;
//! 3. the new folder is renamed to `store`;
//! 4. the caller removes the old folder, last of all.
//!
//! A second run sees by the names how far the first one came.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::StepError;

/// The folder of the database that counts.
pub(crate) const STORE: &str = "store";

/// Memory that a database may use for its pages.
const CACHE_BYTES: u64 = 64 << 20;

/// How long a database that was just closed may go on holding its lock.
const RELEASE_MAX: Duration = Duration::from_secs(10);

/// Names of the folders of a step.
pub(crate) struct Beside {
    /// Where the old database is put.
    pub(crate) old: &'static str,
    /// Where the new one is made.
    pub(crate) new: &'static str,
}

impl Beside {
    /// Steps 1 to 3. `convert` fills the second folder from the first; `is_converted` tells a database that has the new form.
    pub(crate) fn renew(
        &self,
        data: &Path,
        is_converted: impl Fn(&Path) -> Result<bool, StepError>,
        convert: impl Fn(&Path, &Path) -> Result<(), StepError>,
    ) -> Result<(), StepError> {
        let [store, old, new] = [STORE, self.old, self.new].map(|name| data.join(name));
        // In all folders but one with the old folder, `store` is the old database; there it is the new one, unless that is still to be renamed.
        if !old.exists() && store.exists() && (new.exists() || !is_converted(&store)?) {
            remove(&new)?;
            convert(&store, &new)?;
            fs::rename(&store, &old)?;
            sync(data)?;
        }
        if new.exists() {
            fs::rename(&new, &store)?;
            sync(data)?;
        }
        Ok(())
    }

    /// Step 4.
    pub(crate) fn remove_old(&self, data: &Path) -> Result<(), StepError> {
        remove(&data.join(self.old))
    }
}

/// Removes a folder, if it is there.
pub(crate) fn remove(folder: &PathBuf) -> Result<(), StepError> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}

pub(crate) fn sync(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { fs::File::open(folder)?.sync_all() } else { Ok(()) }
}

/// Opens a database. One that was just closed is waited for.
pub(crate) fn open(path: &Path) -> Result<sled::Db, StepError> {
    let started = Instant::now();
    loop {
        match sled::Config::new().path(path).cache_capacity(CACHE_BYTES).flush_every_ms(None).open() {
            Err(sled::Error::Io(error))
                if error.to_string().contains("could not acquire lock") && started.elapsed() < RELEASE_MAX =>
            {
                std::thread::sleep(Duration::from_millis(5));
            }
            opened => return Ok(opened?),
        }
    }
}

/// Whether the database says by an error that it is damaged.
pub(crate) fn is_damage(error: &StepError) -> bool {
    error.downcast_ref::<sled::Error>().is_some_and(|error| !matches!(error, sled::Error::Io(_)))
}
