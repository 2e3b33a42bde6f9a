//! Bulk ingest: archives in, a committed and searchable index out, every record accounted for.
//!
//! One thread reads, the others decode and analyse, one writes. Records stay in order, and what a page is weighed by is told by its batch
//! (`epochs.rs`), so the result is the same on any number of threads. What analyses holds no collection: a page becomes a [`PageBundle`].

mod budget;
mod bundle;
mod capture;
mod compact;
mod epochs;
mod fingerprint;
mod interrupt;
mod job;
mod judged_line;
mod known;
mod missing;
mod posts;
mod reader;
mod rebuild;
mod rebuild_fill;
mod rebuild_plan;
mod rebuild_source;
mod record;
mod repair;
mod report;
mod run;
mod seen_files;
mod shared;
mod site;
mod source;
mod stages;
mod verify;
mod verify_index;
mod verify_store;
mod watch;
mod worker;
mod writer;

pub use bundle::{BundleError, PageBundle};
use capture::PageHead;
pub use capture::{CaptureError, JudgedCapture};
pub(crate) use fingerprint::fingerprint;
pub(crate) use job::Failure;
pub(crate) use known::{is_by_place, real_path};
pub(crate) use record::{ReadRecord, code_of_refused, failure_of, panicked};

pub use compact::{CompactReport, compact};
pub use interrupt::Interrupt;
pub use posts::{PagePreparer, PreparedPage, commit_pages, ingest_page};
pub use rebuild::{PagesDone, RebuildFrom, RebuildReport, rebuild};
pub use rebuild_plan::{RebuildPlan, plan_rebuild};
pub use repair::{RepairOptions, RepairReport, repair};
pub use report::{IngestReport, Observer, Progress, Silent};
pub use run::{Bodies, IngestError, IngestOptions, PartFetch, files_of, ingest, ingest_files, is_address};
pub use site::{Site, SiteError};
pub use stages::{StageReport, StageRow, time_stages};
pub use verify::{Fault, FaultKind, VerifyReport, verify};
pub use watch::StableFiles;
