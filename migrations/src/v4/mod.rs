//! Version 4: exact statistics, by kind, in layers.
//!
//! | of version 3 | becomes |
//! |---|---|
//! | `statistics-N.bin`, a sketch | `statistics-<N + 1>.bin`, a layer with the counts of all pages' keys |
//! | row `m` | the same with that epoch; a run that was cut off goes on by the newest statistics |
//! | others | the same |
//!
//! Version 3 kept the keys of a page (its terms, links and blocks) together in `trees.bin`. They cannot be told apart any more, so they
//! are counted as a kind of their own, *mixed*, which every look-up adds. `trees.bin` stays as it is: its old records do not say the kinds of
//! their keys, new ones do. Pages that are ingested again, and `lopper rebuild --from bodies`, have kinds.
//!
//! A damaged database with kept bodies is left as it is: no program of version 4 can open it, but its `lopper rebuild --from bodies` makes
//! it anew.

mod convert;
mod counts;
mod pages;

use std::fs;
use std::panic::catch_unwind;
use std::path::Path;

use crate::beside::is_damage;
use crate::{Step, StepError};

pub(crate) const STEP: Step = Step { to: 4, name: "exact statistics of terms, links and sites", run };

const DAMAGED: &str = "the data is damaged: move the folder away and ingest the archives again";

/// Length of a file of bodies that has none.
const NO_BODIES_BYTES: u64 = 16;

/// The folder is not as it was committed.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Damage(&'static str);

/// The step. The database panics on some damage.
fn run(data: &Path) -> Result<(), StepError> {
    let damage = match catch_unwind(|| convert::convert(data)) {
        Ok(Ok(())) => return Ok(()),
        Ok(Err(error)) if is_damage(&error) || error.is::<Damage>() => error.to_string(),
        Ok(Err(error)) => return Err(error),
        Err(_) => "it cannot be read".to_owned(),
    };
    if fs::metadata(data.join("bodies.bin")).is_ok_and(|file| file.len() > NO_BODIES_BYTES) {
        return Ok(());
    }
    Err(format!("{DAMAGED} ({damage})").into())
}
