//! The file `ledger.bin` with the failures that version 1 kept as rows.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use serde::Serialize;
use xxhash_rust::xxh3::Xxh3;

use super::{new, old};
use crate::StepError;

/// Length of the header of every appended file.
pub(super) const HEADER_BYTES: u64 = 16;

const COMPRESSION_LEVEL: i32 = 3;

/// The bit of failures among the states.
const FAILED_BIT: u32 = 1 << 5;

#[derive(Debug, Serialize)]
struct EntryRow {
    ordinal: u64,
    offset_bytes: u64,
    record_id: Option<String>,
    state: StateRow,
}

/// The states. Only failures are written here.
#[derive(Debug, Serialize)]
#[allow(dead_code)] // Their order is the format.
enum StateRow {
    Indexed([u8; 16]),
    Replaced([u8; 16]),
    Duplicate([u8; 16]),
    Revisit([u8; 16]),
    Skipped(String),
    Failed(String, String),
}

/// The file's bytes, as they grow.
pub(super) struct Ledger(Vec<u8>);

impl Ledger {
    pub(super) fn new() -> Self {
        let mut bytes = b"LOPPERLE".to_vec();
        bytes.extend_from_slice(&1u32.to_le_bytes());
        bytes.extend_from_slice(&[0; 4]);
        Self(bytes)
    }

    /// Adds an archive's failures and gives the offset of their chunk; 0 without any. Version 1 did not number records: the failures are
    /// numbered among themselves.
    pub(super) fn add(&mut self, archive: u128, failures: Vec<(u64, old::FailureRow)>) -> Result<u64, StepError> {
        if failures.is_empty() {
            return Ok(0);
        }
        let offset = self.0.len() as u64;
        let entries = (0..).zip(failures).map(|(ordinal, (offset_bytes, failure))| EntryRow {
            ordinal,
            offset_bytes,
            record_id: None,
            state: StateRow::Failed(failure.code, failure.message),
        });
        let entries = new::encode(&entries.collect::<Vec<_>>())?;
        let body = zstd::bulk::compress(&entries, COMPRESSION_LEVEL)?;
        let mut chunk = Vec::new();
        for number in [body.len() as u32, entries.len() as u32] {
            chunk.extend_from_slice(&number.to_le_bytes());
        }
        chunk.extend_from_slice(&[0; 8]);
        chunk.extend_from_slice(&archive.to_le_bytes());
        chunk.extend_from_slice(&[0; 8]);
        chunk.extend_from_slice(&FAILED_BIT.to_le_bytes());
        chunk.extend_from_slice(&[0; 4]);
        chunk.extend_from_slice(&body);
        let mut hasher = Xxh3::new();
        hasher.update(&chunk[..8]);
        hasher.update(&chunk[16..]);
        chunk[8..16].copy_from_slice(&hasher.digest().to_le_bytes());
        self.0.append(&mut chunk);
        Ok(offset)
    }

    /// Writes the file durably and gives its length.
    pub(super) fn write(self, data: &Path) -> Result<u64, StepError> {
        let (unfinished, path) = (data.join("ledger.tmp"), data.join("ledger.bin"));
        let mut file = File::create(&unfinished)?;
        file.write_all(&self.0)?;
        file.sync_all()?;
        fs::rename(unfinished, path)?;
        Ok(self.0.len() as u64)
    }
}
