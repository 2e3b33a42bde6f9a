//! Backups of a data folder, taken while a server or an ingest has it.
//!
//! ```
//! use lopper_backup::{Folder, create, restore, verify};
//! use lopper_collection::Collection;
//! use lopper_collection::ingest::IngestOptions;
//! use lopper_collection::search::SearchRequest;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let (data, backups, other) = (folder.path().join("data"), folder.path().join("backups"), folder.path().join("other"));
//! # let page = folder.path().join("mills.html");
//! # std::fs::write(&page, "<title>Mills</title><h1>Mills</h1><p>Old mills grind slowly but well.</p>")?;
//! let collection = Collection::open(&data)?;
//! collection.ingest(&[page], &IngestOptions::default())?;
//! let place = Folder::make(&backups)?;
//! let made = create(&data, &place, &[])?;
//! assert!(verify(&place)?.is_sound());
//! restore(&place, Some(&made.id), &other)?;
//! let answer = Collection::open(&other)?.search(&SearchRequest::new("slow mills"))?;
//! assert_eq!(answer.pages[0].title, "Mills");
//! # Ok(())
//! # }
//! ```
//!
//! A [`Destination`] holds named pieces of bytes: a [`Folder`], or with the feature `s3` objects below an address.
//!
//! ```text
//! LOPPER-BACKUP               the format's version
//! chunks/<xx>/<digest>        pieces of files, by the XXH3-128 of their bytes; xx are the first two digits
//! snapshots/<id>              a manifest: which file consists of which chunks; written last
//! lock                        held by who writes; in object storage it says by whom
//! ```
//!
//! A chunk is written once, whatever number of snapshots and files has it. So a snapshot costs what is new, and is whole by itself: the others
//! can be removed. `docs/decisions/0008-backup.md` says why it is built as it is.

#![forbid(unsafe_code)]

#[cfg(feature = "s3")]
mod bucket;
mod chunk;
mod create;
mod destination;
mod error;
mod folder;
#[cfg(feature = "s3")]
mod lease;
mod manifest;
mod prune;
mod restore;
mod verify;

#[cfg(feature = "s3")]
pub use bucket::BucketPlace;
pub use chunk::{Chunk, Digest};
pub use create::create;
pub use destination::{Destination, Held};
pub use error::BackupError;
pub use folder::Folder;
pub use manifest::{Manifest, ManifestFile, list};
pub use prune::{Pruned, prune};
pub use restore::{Restored, restore};
pub use verify::{Damage, Verified, verify};
