//! Keys of the rows: a letter for the kind, then what identifies the row. Numbers are big-endian, so that rows come in
//! their order. Of kinds that grow with the pages, many rows share one of sled: see [`bucket`](super::bucket).
//!
//! | key | row |
//! |---|---|
//! | `m` | [`Meta`](super::meta::Meta) |
//! | `l` chunk:u32 | page ids of the last batch, 16 bytes each, up to [`LAST_BATCH_CHUNK`] |
//! | `p` page:u128 | [`PagePlace`](super::page_file::PagePlace) of its [`PageRow`](super::page::PageRow) |
//! | `c` url:u128 record:u64 | [`CaptureRow`](super::captures::CaptureRow): a record that stands for a page |
//! | `d` digest:u128 url:u128 | id of the page of that canonical URL with that content, 16 bytes |
//! | `w` digest:u128 | id of a page whose archive declares that payload digest, 16 bytes |
//! | `r` archive:u128 ordinal:u64 | [`PendingRow`](super::captures::PendingRow): a revisit without its original |
//! | `h` host:u128 | number of the pages of the host with that hash, u64 little-endian |
//! | `a` archive:u128 | [`ArchiveRow`](super::ledger::ArchiveRow) |
//! | `g` archive:u128 | [`ResumeRow`](super::resume::ResumeRow): where reading an unfinished archive can go on, if at any place |

use lopper_archive::page::PageId;
use xxhash_rust::xxh3::xxh3_128;

use super::ContentDigest;
use super::page::PageOrigin;

/// Page ids in a row of the last batch: 4 KiB.
pub(super) const LAST_BATCH_CHUNK: usize = 256;

pub(super) const META: &[u8] = b"m";
pub(super) const LAST_BATCH: &[u8] = b"l";
pub(super) const PAGES: &[u8] = b"p";
pub(super) const ARCHIVES: &[u8] = b"a";
pub(super) const CAPTURES: &[u8] = b"c";
pub(super) const DECLARED: &[u8] = b"w";
pub(super) const PENDING: &[u8] = b"r";
pub(super) const RESUME: &[u8] = b"g";

pub(super) fn last_batch(chunk: u32) -> Vec<u8> {
    [LAST_BATCH, &chunk.to_be_bytes()].concat()
}

pub(super) fn page(id: PageId) -> Vec<u8> {
    [PAGES, &id.0.to_be_bytes()].concat()
}

/// Captures of the canonical URL with that hash.
pub(super) fn captures(url_hash: u128) -> Vec<u8> {
    [CAPTURES, &url_hash.to_be_bytes()[..]].concat()
}

pub(super) fn capture(url_hash: u128, origin: &PageOrigin) -> Vec<u8> {
    [CAPTURES, &url_hash.to_be_bytes()[..], &origin.hash().to_be_bytes()].concat()
}

/// The hash of the URL that a key of a [`capture`] names.
pub(super) fn url_hash_of_capture(key: &[u8]) -> Option<u128> {
    let hash = key.get(CAPTURES.len()..)?.first_chunk()?;
    Some(u128::from_be_bytes(*hash))
}

/// Pages of that content.
pub(super) fn contents(digest: ContentDigest) -> Vec<u8> {
    [b"d", &digest.0.to_be_bytes()[..]].concat()
}

pub(super) fn content(digest: ContentDigest, url_hash: u128) -> Vec<u8> {
    [b"d", &digest.0.to_be_bytes()[..], &url_hash.to_be_bytes()].concat()
}

pub(super) fn declared(digest_hash: u128) -> Vec<u8> {
    [DECLARED, &digest_hash.to_be_bytes()[..]].concat()
}

pub(super) fn pending(archive: u128, ordinal: u64) -> Vec<u8> {
    [PENDING, &archive.to_be_bytes(), &ordinal.to_be_bytes()].concat()
}

pub(super) fn host(host: &str) -> Vec<u8> {
    [b"h", &xxh3_128(host.as_bytes()).to_be_bytes()[..]].concat()
}

pub(super) fn archive(id: u128) -> Vec<u8> {
    [ARCHIVES, &id.to_be_bytes()].concat()
}

pub(super) fn resume(archive: u128) -> Vec<u8> {
    [RESUME, &archive.to_be_bytes()].concat()
}
