//! A collection of pages: archives go in, passages come out.
//!
//! ```
//! use lopper_collection::Collection;
//! use lopper_collection::ingest::IngestOptions;
//! use lopper_collection::search::SearchRequest;
//!
//! # fn main() -> Result<(), lopper_collection::Error> {
//! # let folder = tempfile::tempdir().unwrap();
//! # let page = folder.path().join("mills.html");
//! # std::fs::write(&page, "<title>Mills</title><h1>Mills</h1><p>Old mills grind slowly but well.</p>").unwrap();
//! let collection = Collection::open(folder.path().join("data"))?;
//! collection.ingest(&[page], &IngestOptions::default())?;
//! let answer = collection.search(&SearchRequest::new("slow mills"))?;
//! assert_eq!(answer.pages[0].title, "Mills");
//! assert!(answer.pages[0].blocks[0].passage.contains("grind slowly"));
//! # Ok(())
//! # }
//! ```
//!
//! [`Collection`] is the face. Behind it [`ingest`] and [`search`] stand on one [`DataFolder`], the store and the index that agree;
//! neither knows the other. What turns a page into blocks is the crate `lopper-content`; the index is `lopper-index`.

#![forbid(unsafe_code)]

mod body;
mod checkpoint;
mod collection;
mod data_folder;
mod deletion;
mod disk;
pub mod documents;
mod elsewhere;
mod error;
mod index_folder;
pub mod ingest;
pub mod links;
mod listing;
mod open_commit;
pub mod parts;
pub mod push;
pub mod resources;
pub mod search;
pub mod snapshot;
mod source;
#[cfg(test)]
mod testing;
mod times;
mod turns;

/// The target of the spans (`tracing`) of an answer's and a commit's stages: `rank`, `show`, `prepare`, `commit`.
pub const STAGES: &str = "lopper::stage";

pub use collection::{Collection, Error};
pub use data_folder::{DataFolder, Memory};
pub use deletion::{DeleteError, DeleteReport, Selection, count_deletion, delete};
pub use disk::DiskBytes;
pub use error::CollectionError;
pub use index_folder::index_path;
pub use listing::{POSTED, POSTED_ID, archive_id, entries_of, listed_archives, records_from};
pub use source::{PageSource, archive_name};
pub use times::{parse_rfc_3339, rfc_3339};
