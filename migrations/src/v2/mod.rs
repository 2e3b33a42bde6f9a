//! Version 2: a ledger of every record, captures by URL, kept bodies, and an index that is made anew.
//!
//! The rows are written into a new database beside the old one, which is then put in its place ([`beside`](crate::beside)); with it
//! `ledger.bin` is written whole. Then the folder of the index is removed: the next opening for writing makes the index anew from the
//! stored trees.

mod convert;
mod ledger;
mod new;
mod old;

use std::panic::catch_unwind;
use std::path::Path;

use crate::beside::{Beside, is_damage, remove};
use crate::{Step, StepError};

pub(crate) const STEP: Step = Step { to: 2, name: "a ledger of every record, captures, kept bodies", run };

const DAMAGED: &str = "the data is damaged: move the folder away and ingest the archives again";

const FOLDERS: Beside = Beside { old: "store-v1", new: "store-v2" };

/// The step. The database panics on some damage; that is an error like others.
fn run(data: &Path) -> Result<(), StepError> {
    match catch_unwind(|| run_unguarded(data)) {
        Ok(Err(error)) if is_damage(&error) => Err(format!("{DAMAGED} ({error})").into()),
        Ok(ran) => ran,
        Err(_) => Err(DAMAGED.into()),
    }
}

fn run_unguarded(data: &Path) -> Result<(), StepError> {
    FOLDERS.renew(data, convert::is_converted, |from, to| convert::convert(data, from, to))?;
    remove(&data.join("index"))?;
    FOLDERS.remove_old(data)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::beside::STORE;

    const OLD: &str = FOLDERS.old;
    const NEW: &str = FOLDERS.new;

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
