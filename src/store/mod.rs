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
//! store/              sled: rows of pages, hosts, ledger, and the meta row that says what counts
//! trees.bin           append-only: each page's tree, zstd, with its term hashes and a checksum
//! statistics-<g>.bin  term statistics of generation g
//! sequence            number of the last commit, to notice when sled has lost some
//! index/              tantivy                                                                (crate index)
//! ```
//!
//! # A commit
//!
//! [`Store::commit`] writes a [`PageBatch`] in this order, and what is not reached by a crash does not count:
//!
//! 1. trees are appended to `trees.bin`, and the file is synced;
//! 2. the new statistics are written beside the old ones and synced, when they changed;
//! 3. one atomic sled batch writes all rows, among them the meta row with the new [`Sequence`], the valid length of
//!    `trees.bin` and the generation of the statistics; sled is flushed. **This is the commit;**
//! 4. the sequence is written to its file, and older statistics files are removed.
//!
//! On open, `trees.bin` is cut to its valid length and statistics of other generations are removed. After a failed commit
//! the store refuses further ones until it is opened again.
//!
//! The index is committed after the store and carries the sequence in its own commit. [`Store::catch_up`] tells which
//! pages an index that stayed behind must be given again.

mod batch;
mod blobs;
mod commit;
#[cfg(test)]
mod damage_tests;
mod database;
mod error;
mod files;
mod keys;
mod ledger;
mod meta;
#[cfg(test)]
mod model_tests;
mod open;
mod page;
mod paths;
mod read;
mod rows;
mod sketch;
mod statistics;
#[cfg(test)]
mod support;
#[cfg(test)]
mod tests;
mod verify;

pub use batch::{PageBatch, PagePut};
pub use error::{DamageCause, StoreError};
pub use ledger::{ArchiveEntry, ArchiveKey, FailedRecord, RecordSums};
pub use meta::{Sequence, StoreStatistics};
pub use open::{OpenMode, Store};
pub use page::StoredPage;
pub use read::CatchUp;
pub use sketch::term_hash;
pub use statistics::{CollectionStatistics, distinct_hashes};
