//! Keys of the rows: a letter for the kind, then what identifies the row. Numbers are big-endian, so that rows come in
//! their order.
//!
//! | key | row |
//! |---|---|
//! | `m` | [`Meta`](super::meta::Meta) |
//! | `l` chunk:u32 | page ids of the last batch, 16 bytes each, up to [`LAST_BATCH_CHUNK`] |
//! | `p` page:u128 | [`PageRow`](super::page::PageRow) |
//! | `c` page:u128 capture:u64 | empty: a record that gave a page which others gave too |
//! | `h` host | number of the host's pages, u64 little-endian |
//! | `a` archive:u128 | [`ArchiveRow`](super::ledger::ArchiveRow) |
//! | `f` archive:u128 offset:u64 | [`FailureRow`](super::ledger::FailureRow) |

use std::path::Path;

use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use super::paths::to_bytes;
use crate::page::{PageId, Provenance};

/// Page ids in a row of the last batch: 4 KiB.
pub(super) const LAST_BATCH_CHUNK: usize = 256;

pub(super) const META: &[u8] = b"m";
pub(super) const LAST_BATCH: &[u8] = b"l";
pub(super) const PAGES: &[u8] = b"p";
pub(super) const ARCHIVES: &[u8] = b"a";

pub(super) fn last_batch(chunk: u32) -> Vec<u8> {
    [LAST_BATCH, &chunk.to_be_bytes()].concat()
}

pub(super) fn page(id: PageId) -> Vec<u8> {
    [PAGES, &id.0.to_be_bytes()].concat()
}

pub(super) fn capture(id: PageId, provenance: &Provenance) -> Vec<u8> {
    let mut place = to_bytes(&provenance.archive);
    place.extend_from_slice(&provenance.offset_bytes.to_be_bytes());
    [b"c", &id.0.to_be_bytes()[..], &xxh3_64(&place).to_be_bytes()].concat()
}

pub(super) fn host(host: &str) -> Vec<u8> {
    [b"h", host.as_bytes()].concat()
}

/// An archive's identity in the ledger.
pub(super) fn archive_id(path: &Path, fingerprint: u128) -> u128 {
    let mut identity = to_bytes(path);
    identity.extend_from_slice(&fingerprint.to_be_bytes());
    xxh3_128(&identity)
}

pub(super) fn archive(id: u128) -> Vec<u8> {
    [ARCHIVES, &id.to_be_bytes()].concat()
}

pub(super) fn failures(archive: u128) -> Vec<u8> {
    [b"f", &archive.to_be_bytes()[..]].concat()
}

pub(super) fn failure(archive: u128, offset_bytes: u64) -> Vec<u8> {
    let mut key = failures(archive);
    key.extend_from_slice(&offset_bytes.to_be_bytes());
    key
}
