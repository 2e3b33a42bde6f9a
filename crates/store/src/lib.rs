//! What Lopper keeps of pages besides the index: metadata, trees, term statistics, the ledger of the ingest.
//!
//! This is the only module that knows sled. Nothing in it is the only copy of anything: a lost data folder is made again
//! from the archives. `docs/decisions/0002-store.md` says why it is built as it is.
//!
//! # The data folder
//!
//! ```text
//! LOPPER              data version (one number), and a line that says what the folder is     (crate migrations)
//! lock                held by the process that has the folder open                           (crate migrations)
//! store/              sled: places of pages, captures, hosts, ledger, and the meta row that says what counts
//! pages.bin           append-only: each page's row, with a checksum
//! trees.bin           append-only: each page's tree, zstd, with its term hashes and a checksum
//! bodies.bin          append-only: kept page bodies, zstd, with heads and checksums: readable without the database
//! ledger.bin          append-only: what became of each record, a chunk a commit and archive, zstd, with checksums
//! statistics-<e>.bin  a layer of the statistics, written for epoch e
//! takedowns.jsonl     what was deleted and must not come back: readable, and touched by no rebuild
//! rows-<n>.bin        a layer of all rows as of commit n, for readers beside the process that has the folder
//! sequence            number of the last commit, to notice when sled has lost some
//! rebuild/            a store that is being made anew, to take this one's place
//! index/              tantivy                                                                (crate index)
//! ```
//!
//! # A commit
//!
//! [`Store::commit`] writes a [`PageBatch`] in this order, and what is not reached by a crash does not count:
//!
//! 1. trees, bodies, pages and records are appended to their files, and these are synced;
//! 2. the new statistics are written beside the old ones and synced, when they changed;
//! 3. the changed rows are written as a layer for readers;
//! 4. one atomic sled batch writes all rows, among them the meta row with the new [`Sequence`], the valid lengths of
//!    the appended files and the epoch of the statistics; sled is flushed. **This is the commit;**
//! 5. the layer is published, the sequence is written to its file, and files that nobody needs any more are removed.
//!
//! On open for writing, the appended files are cut to their valid lengths and statistics that are not needed are removed. After a failed commit
//! the store refuses further ones until it is opened again.
//!
//! The index is committed after the store and carries the sequence in its own commit. [`Store::catch_up`] tells which
//! pages an index that stayed behind must be given again.

mod append_file;
mod batch;
mod blobs;
mod bodies;
mod bucket;
mod captures;
mod commit;
mod commit_end;
mod commit_files;
mod commit_ledger;
mod commit_pages;
mod compaction;
mod contents;
mod counting;
#[cfg(test)]
mod damage_tests;
mod damaged;
mod database;
#[cfg(test)]
mod dedup_tests;
mod digest;
mod error;
mod files;
mod keys;
mod ledger;
mod ledger_file;
mod ledger_mend;
mod merged_rows;
mod meta;
#[cfg(test)]
mod model_tests;
mod moving;
mod near;
mod open;
mod open_published;
mod pack;
mod page;
mod page_file;
mod paths;
mod published;
mod put;
mod read;
mod rebuild;
mod removal;
#[cfg(test)]
mod removal_tests;
mod repair;
mod restore;
mod resume;
mod retention;
mod revisits;
mod row_layer;
mod row_source;
mod rows;
mod seen;
mod states;
mod statistics;
#[cfg(test)]
mod support;
mod takedowns;
#[cfg(test)]
mod tests;
mod verify;

pub use batch::{PageBatch, Put, RecordFacts};
pub use bodies::{BodyHead, KeptBody};
pub use captures::{Capture, CaptureKind, Revisit};
pub use commit_files::CommitFiles;
pub use digest::ContentDigest;
pub use error::{DamageCause, DamagedPart, StoreError};
pub use ledger::{ArchiveEntry, ArchiveKey, RecordPlace, RecordSums};
pub use ledger_mend::MendedLedger;
pub use meta::{Sequence, StoreStatistics};
pub use near::NearDuplicates;
pub use open::{OpenMode, Store};
pub use page::{BodyPlace, StoredPage};
pub use put::PagePut;
pub use read::CatchUp;
pub use rebuild::{KeptBodies, StoredSource};
pub use removal::Removed;
pub use repair::{FileRepair, RepairStep};
pub use resume::Checkpoint;
pub use revisits::ResolvedRevisits;
pub use states::{RecordEntry, RecordState, StateKind};
pub use takedowns::{Takedown, TakedownScope, TakenPage, scope_of_host, scope_of_prefix, scope_of_url};
