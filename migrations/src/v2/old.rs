//! Rows of data version 1, frozen.

use serde::Deserialize;

#[derive(Debug, Clone, Copy, Deserialize)]
pub(super) struct BlobPointer {
    pub(super) offset_bytes: u64,
    pub(super) body_bytes: u32,
    pub(super) terms: u32,
    pub(super) tree_bytes: u32,
}

#[derive(Debug, Deserialize)]
pub(super) struct PageRow {
    pub(super) url: String,
    pub(super) canonical_url: Option<String>,
    pub(super) host: String,
    pub(super) title: String,
    pub(super) description: String,
    pub(super) language: Option<String>,
    pub(super) captured_at: Option<i64>,
    pub(super) status: u16,
    pub(super) charset: String,
    pub(super) archive: Vec<u8>,
    pub(super) offset_bytes: u64,
    pub(super) record_id: Option<String>,
    pub(super) html_bytes: u64,
    pub(super) main_blocks: u32,
    pub(super) runs: u32,
    pub(super) tree: BlobPointer,
}

#[derive(Debug, Deserialize)]
pub(super) struct ArchiveRow {
    pub(super) path: Vec<u8>,
    pub(super) fingerprint: u128,
    pub(super) position_bytes: u64,
    pub(super) finished: bool,
    pub(super) indexed: u64,
    pub(super) replaced: u64,
    pub(super) blocks: u64,
    pub(super) failed: u64,
    pub(super) skipped: Vec<(String, u64)>,
}

#[derive(Debug, Deserialize)]
pub(super) struct FailureRow {
    pub(super) code: String,
    pub(super) message: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Counters {
    #[allow(dead_code)] // The rows are counted anew.
    pub(super) captures: u64,
    pub(super) pages: u64,
    pub(super) hosts: u64,
    pub(super) html_bytes: u64,
    pub(super) main_blocks: u64,
    pub(super) runs: u64,
}

#[derive(Debug, Deserialize)]
pub(super) struct Meta {
    pub(super) sequence: u64,
    pub(super) statistics_generation: u64,
    pub(super) trees_bytes: u64,
    pub(super) garbage_bytes: u64,
    pub(super) last_batch_chunks: u32,
    pub(super) rows_digest: u64,
    pub(super) counters: Counters,
}

/// The row in `bytes`.
pub(super) fn decode<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, String> {
    match bytes.split_first() {
        Some((1, row)) => postcard::from_bytes(row).map_err(|error| error.to_string()),
        _ => Err("a row of another version".to_owned()),
    }
}
