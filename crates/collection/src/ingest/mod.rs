//! Bulk ingest: archives in, a committed and searchable index out, every record accounted for.
//!
//! One thread reads, the others decode and analyse, one writes. Records stay in order, and what a page is weighed by depends only
//! on the batches before it, so the result is the same on any number of threads.

mod budget;
mod collection;
mod compact;
mod fingerprint;
mod interrupt;
mod job;
mod reader;
mod rebuild;
mod rebuild_source;
mod report;
mod run;
mod shared;
mod source;
mod stages;
mod verify;
mod verify_index;
mod verify_store;
mod watch;
mod worker;
mod writer;

pub use collection::{Collection, CollectionError};
pub use compact::{CompactReport, compact};
pub use interrupt::Interrupt;
pub use rebuild::{RebuildFrom, RebuildReport, rebuild};
pub use report::{IngestReport, Observer, Progress, Silent};
pub use run::{Bodies, IngestError, IngestOptions, files_of, ingest, ingest_files, ingest_page};
pub use stages::{StageReport, StageRow, time_stages};
pub use verify::{Fault, FaultKind, VerifyReport, verify};
pub use watch::StableFiles;
