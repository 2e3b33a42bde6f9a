//! Version 3: pages' rows in a file, short rows on shelves.
//!
//! | row of version 2 | becomes |
//! |---|---|
//! | `m` | the same, with the length of `pages.bin` and another digest |
//! | `p` page | a record in `pages.bin`, and its place, on a shelf |
//! | `h` host | the same under the host's hash, on a shelf |
//! | `c`, `d`, `w` | the same, on shelves |
//! | others | the same |
//!
//! A shelf is a row of the database under the first three bytes of its rows' keys, one after the other: length of the rest of the key (one
//! byte), length of the row (two, little-endian), rest of the key, row. Rows for which its 8 KiB have no room are rows of their own.
//!
//! A damaged database with kept bodies is left as it is: no program of version 3 can open it, but its `lopper rebuild --from bodies` makes
//! it anew.

mod convert;
mod pages;

use std::fs;
use std::panic::catch_unwind;
use std::path::Path;

use crate::beside::{Beside, is_damage};
use crate::{Step, StepError};

pub(crate) const STEP: Step = Step { to: 3, name: "fewer rows of the database a page", run };

const DAMAGED: &str = "the data is damaged: move the folder away and ingest the archives again";

const FOLDERS: Beside = Beside { old: "store-v2", new: "store-v3" };

/// Length of a file of bodies that has none.
const NO_BODIES_BYTES: u64 = 16;

/// The step. The database panics on some damage.
fn run(data: &Path) -> Result<(), StepError> {
    let damage = match catch_unwind(|| run_unguarded(data)) {
        Ok(Ok(())) => return Ok(()),
        Ok(Err(error)) if is_damage(&error) || error.is::<convert::Damage>() => error.to_string(),
        Ok(Err(error)) => return Err(error),
        Err(_) => "it cannot be read".to_owned(),
    };
    if fs::metadata(data.join("bodies.bin")).is_ok_and(|file| file.len() > NO_BODIES_BYTES) {
        return Ok(());
    }
    Err(format!("{DAMAGED} ({damage})").into())
}

fn run_unguarded(data: &Path) -> Result<(), StepError> {
    FOLDERS.renew(data, convert::is_converted, |from, to| convert::convert(data, from, to))?;
    FOLDERS.remove_old(data)
}
