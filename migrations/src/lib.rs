//! The data folder's version: what a folder is, whether this program may open it, and the steps that upgrade it.
//!
//! This crate knows the part of a data folder that stays the same in every version: the marker file [`MARKER`] and the
//! lock file. A step carries frozen copies of the types that it reads and writes and imports none of the program's
//! current ones, so that it goes on reading what it was written for. `migrations/README.md` says how to add one.

mod beside;
mod error;
mod folder;
mod lock;
mod registry;
mod v2;
mod v3;
mod v4;

pub use error::MigrationError;
pub use folder::{MARKER, State, check, collection_name, initialise};
pub use lock::DataLock;
pub use registry::{Registry, Step, StepError};

/// The version of the data that this program reads and writes. One number covers store and index.
pub const DATA_VERSION: u32 = 4;

/// The steps of this program, oldest first.
pub const REGISTRY: Registry = Registry { current: DATA_VERSION, steps: &[v2::STEP, v3::STEP, v4::STEP] };
