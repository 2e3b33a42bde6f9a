//! Counting all pages anew, and the meta row that names the new counts.
//!
//! 1. the new statistics file is written beside the old ones, under the next number;
//! 2. the meta row with that number is written: from now on the new file counts;
//! 3. the old files are removed.
//!
//! A second run sees by the version of the file that the meta row names how far the first one came.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::Damage;
use super::counts::{Counter, file_version, write_file};
use super::pages::Pages;
use crate::StepError;
use crate::beside::{STORE, open, sync};

/// Version of the encoding of rows, the same as before.
pub(super) const ROW_VERSION: u8 = 2;

/// Version of the new statistics file.
const STATISTICS_VERSION: u32 = 2;

/// The meta row of version 3; the order of the fields is the format.
#[derive(Debug, Deserialize)]
struct OldMeta {
    sequence: u64,
    statistics_generation: u64,
    _previous_generation: u64,
    _within_run: bool,
    rest: Rest,
}

/// The meta row of version 4.
#[derive(Debug, Serialize)]
struct NewMeta {
    sequence: u64,
    epoch: u64,
    batch_epoch: u64,
    next_batch_epoch: Option<u64>,
    rest: Rest,
}

/// What both have.
#[derive(Debug, Deserialize, Serialize)]
struct Rest {
    trees_bytes: u64,
    garbage_bytes: u64,
    ledger_bytes: u64,
    bodies_bytes: u64,
    last_batch_chunks: u32,
    rows_digest: u64,
    counters: [u64; 9],
    pages_bytes: u64,
}

pub(super) fn convert(data: &Path) -> Result<(), StepError> {
    let database = open(&data.join(STORE))?;
    let Some(row) = database.get(b"m")? else {
        let has_trees = fs::metadata(data.join("trees.bin")).is_ok_and(|file| file.len() > 16);
        return if has_trees { Err(Damage("its database has lost its rows").into()) } else { Ok(()) };
    };
    // The new row without a next epoch has the form of an old one.
    let row = row.strip_prefix(&[ROW_VERSION]).ok_or(Damage("its meta row cannot be read"))?;
    let meta: OldMeta = postcard::from_bytes(row).map_err(|_| Damage("its meta row cannot be read"))?;
    let mut epoch = meta.statistics_generation;
    if epoch > 0 && file_version(&statistics_path(data, epoch)) != Some(STATISTICS_VERSION) {
        epoch += 1;
        count_pages(data, &database, epoch)?;
    }
    let OldMeta { sequence, rest, .. } = meta;
    let meta = NewMeta { sequence, epoch, batch_epoch: 0, next_batch_epoch: None, rest };
    database.insert(b"m", postcard::to_extend(&meta, vec![ROW_VERSION])?)?;
    database.flush()?;
    drop(database);
    remove_others(data, epoch)
}

/// Writes the counts of all pages. Pages whose keys are damaged are left out; `lopper verify` tells of them.
fn count_pages(data: &Path, database: &sled::Db, epoch: u64) -> Result<(), StepError> {
    let pages = Pages::open(data)?;
    let mut counter = Counter::default();
    for row in database.scan_prefix(b"p") {
        let (key, value) = row?;
        for (id, place) in pages_of(&key, &value)? {
            if let Some(keys) = pages.keys(id, &place) {
                counter.add_page(keys);
            }
        }
    }
    write_file(&statistics_path(data, epoch), epoch, counter)?;
    Ok(sync(data)?)
}

/// Page ids with the rows of their places, of a row of the database: one page, or a shelf of many.
fn pages_of(key: &[u8], value: &[u8]) -> Result<Vec<(u128, Vec<u8>)>, Damage> {
    let id =
        |bytes: Vec<u8>| bytes.try_into().map(u128::from_be_bytes).map_err(|_| Damage("a page's key is malformed"));
    if key.len() != 3 {
        return Ok(vec![(id(key[1..].to_vec())?, value.to_vec())]);
    }
    let malformed = || Damage("a shelf of rows is malformed");
    let (mut pages, mut shelf) = (Vec::new(), value);
    while !shelf.is_empty() {
        let (&[rest, low, high], entry) = shelf.split_first_chunk::<3>().ok_or_else(malformed)?;
        let (rest, entry) = entry.split_at_checked(rest.into()).ok_or_else(malformed)?;
        let (row, others) = entry.split_at_checked(u16::from_le_bytes([low, high]).into()).ok_or_else(malformed)?;
        pages.push((id([&key[1..], rest].concat())?, row.to_vec()));
        shelf = others;
    }
    Ok(pages)
}

fn statistics_path(data: &Path, epoch: u64) -> PathBuf {
    data.join(format!("statistics-{epoch}.bin"))
}

fn remove_others(data: &Path, epoch: u64) -> Result<(), StepError> {
    let kept = statistics_path(data, epoch);
    for entry in fs::read_dir(data)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with("statistics-") && path != kept {
            fs::remove_file(&path)?;
        }
    }
    Ok(sync(data)?)
}
