//! The compressions that an archive as a whole may have: members (gzip, bzip2, xz) or frames (zstd, lz4) one after another.
//!
//! To add one: a variant of [`Family`] with its magic number, and a decoder that implements [`Decode`].

mod bzip2;
mod decode;
mod family;
mod gzip;
mod lz4;
mod members;
mod xz;
mod zstd;

pub(super) use family::{Family, HEAD_BYTES};
pub(super) use members::{Members, Step};
pub(super) use xz::MEMORY_KIB_MAX as XZ_MEMORY_KIB_MAX;
