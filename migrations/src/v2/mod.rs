//! Version 2: a ledger of every record, captures by URL, kept bodies, and an index that is made anew.
//!
//! The rows are written into a new database beside the old one, which is then put in its place, so that the step can be cut off anywhere:
//!
//! 1. `store-v2` is removed if it is there, and filled from `store`; `ledger.bin` is written whole;
//! 2. `store` is renamed to `store-v1`: from now on `store-v2` is complete;
//! 3. `store-v2` is renamed to `store`;
//! 4. `store-v1` and the folder of the index are removed. The next opening for writing makes the index anew from the stored trees.
//!
//! A second run sees by the names how far the first one came.

mod convert;
mod ledger;
mod new;
mod old;

use std::fs;
use std::io;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::{Step, StepError};

pub(crate) const STEP: Step = Step { to: 2, name: "a ledger of every record, captures, kept bodies", run };

const DAMAGED: &str = "the data is damaged: move the folder away and ingest the archives again";

const OLD: &str = "store-v1";
const NEW: &str = "store-v2";
const STORE: &str = "store";

/// Memory that the database may use for its pages.
const CACHE_BYTES: u64 = 64 << 20;

/// How long a database that was just closed may go on holding its lock.
const RELEASE_MAX: Duration = Duration::from_secs(10);

/// The step. The database panics on some damage; that is an error like others.
fn run(data: &Path) -> Result<(), StepError> {
    match catch_unwind(|| run_unguarded(data)) {
        Ok(Err(error)) if is_damage(&error) => Err(format!("{DAMAGED} ({error})").into()),
        Ok(ran) => ran,
        Err(_) => Err(DAMAGED.into()),
    }
}

fn is_damage(error: &StepError) -> bool {
    error.downcast_ref::<sled::Error>().is_some_and(|error| !matches!(error, sled::Error::Io(_)))
}

fn run_unguarded(data: &Path) -> Result<(), StepError> {
    let [store, old, new] = [STORE, OLD, NEW].map(|name| data.join(name));
    // In all folders but one with `store-v1`, `store` is the old database; there it is the new one, unless that is still to be renamed.
    if !old.exists() && store.exists() && (new.exists() || !convert::is_converted(&store)?) {
        remove(&new)?;
        convert::convert(data, &store, &new)?;
        fs::rename(&store, &old)?;
        sync(data)?;
    }
    if new.exists() {
        fs::rename(&new, &store)?;
        sync(data)?;
    }
    remove(&data.join("index"))?;
    remove(&old)
}

fn remove(folder: &PathBuf) -> Result<(), StepError> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}

fn sync(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { fs::File::open(folder)?.sync_all() } else { Ok(()) }
}

/// Opens a database. One that was just closed is waited for.
fn open(path: &Path) -> Result<sled::Db, StepError> {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The states that a run can leave when it is cut off, and a run from there.
    #[test]
    fn a_cut_off_step_goes_on() {
        for (folders, left) in
            [(&[OLD, NEW, "index"][..], &[STORE][..]), (&[OLD, STORE, "index"], &[STORE]), (&[STORE], &[STORE])]
        {
            let data = tempfile::tempdir().unwrap();
            for folder in folders {
                fs::create_dir(data.path().join(folder)).unwrap();
            }
            if folders == [STORE] {
                // The last thing that is removed is the old database: what is left has the new form.
                convert::tests::empty_old(&data.path().join(STORE));
            }
            run(data.path()).unwrap();
            for folder in [OLD, NEW, STORE, "index"] {
                assert_eq!(data.path().join(folder).exists(), left.contains(&folder), "{folders:?} {folder}");
            }
        }
    }
}
