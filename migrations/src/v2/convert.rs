//! From the rows of version 1 to those of version 2.
//!
//! | key of version 1 | becomes |
//! |---|---|
//! | `m` | the same, with more counters |
//! | `l`, `h` | the same |
//! | `p` page | the same, with the fields that version 1 did not know; and the page's capture |
//! | `c` page capture | `c` url capture |
//! | `a` archive | the same, with the place of its failures |
//! | `f` archive offset | a record in `ledger.bin` |

use std::fs;
use std::path::Path;

use xxhash_rust::xxh3::{Xxh3, xxh3_64, xxh3_128};

use super::ledger::Ledger;
use super::{new, old};
use crate::StepError;

/// Rows of a batch.
const BATCH_ROWS: usize = 10_000;

/// Rows on their way into the new database.
struct Rows {
    database: sled::Db,
    batch: sled::Batch,
    waiting: usize,
    digest: u64,
    captures: u64,
}

impl Rows {
    fn insert(&mut self, key: Vec<u8>, value: Vec<u8>) -> Result<(), StepError> {
        self.digest = self.digest.wrapping_add(row_hash(&key, &value));
        self.batch.insert(key, value);
        self.waiting += 1;
        if self.waiting == BATCH_ROWS { self.apply() } else { Ok(()) }
    }

    fn apply(&mut self) -> Result<(), StepError> {
        self.waiting = 0;
        Ok(self.database.apply_batch(std::mem::take(&mut self.batch))?)
    }

    fn capture(&mut self, page: [u8; 16], url: &str, time: Option<i64>, hash: [u8; 8]) -> Result<(), StepError> {
        let key = [b"c", &xxh3_128(url.as_bytes()).to_be_bytes()[..], &hash].concat();
        let kind = new::CaptureKind::Page;
        let row = new::CaptureRow { captured_at: time, page, kind, archive_id: 0, offset_bytes: 0 };
        self.captures += 1;
        self.insert(key, new::encode(&row)?)
    }
}

/// Whether the database has the new form already: the step was cut off after all was done.
pub(super) fn is_converted(store: &Path) -> Result<bool, StepError> {
    let meta = crate::beside::open(store)?.get(b"m")?;
    Ok(meta.is_some_and(|meta| meta.first() == Some(&2)))
}

pub(super) fn convert(data: &Path, from: &Path, to: &Path) -> Result<(), StepError> {
    let source = crate::beside::open(from)?;
    check(data, &source)?;
    let database = crate::beside::open(to)?;
    let mut rows = Rows { database, batch: sled::Batch::default(), waiting: 0, digest: 0, captures: 0 };
    let mut ledger = Ledger::new();
    for row in source.iter() {
        let (key, value) = row?;
        match key.split_first() {
            Some((b'l' | b'h', _)) => rows.insert(key.to_vec(), value.to_vec())?,
            Some((b'p', id)) => page(&source, &mut rows, id.try_into()?, &value)?,
            Some((b'a', id)) => archive(&source, &mut rows, &mut ledger, u128::from_be_bytes(id.try_into()?), &value)?,
            // These go with the page, the archive and the end.
            Some((b'c' | b'f' | b'm', _)) => {}
            _ => return Err("a row of an unknown kind".into()),
        }
    }
    let ledger_bytes = ledger.write(data)?;
    if let Some(meta) = source.get(b"m")? {
        let meta = new::Meta::new(&old::decode(&meta)?, ledger_bytes, rows.digest, rows.captures);
        rows.batch.insert(b"m", new::encode(&meta)?);
    }
    rows.apply()?;
    rows.database.flush()?;
    Ok(())
}

/// Refuses a database that lost rows or commits, as the program of version 1 did: see its digest and the file `sequence`.
fn check(data: &Path, source: &sled::Db) -> Result<(), StepError> {
    let Some(meta) = source.get(b"m")? else {
        return if data.join("trees.bin").exists() { Err(super::DAMAGED.into()) } else { Ok(()) };
    };
    let meta: old::Meta = old::decode(&meta)?;
    let mut digest = 0u64;
    for row in source.iter() {
        let (key, value) = row?;
        if &*key != b"m" {
            digest = digest.wrapping_add(row_hash(&key, &value));
        }
    }
    let written = fs::read_to_string(data.join("sequence")).ok().and_then(|text| text.trim().parse().ok());
    if digest != meta.rows_digest || written.unwrap_or(0) > meta.sequence {
        return Err(super::DAMAGED.into());
    }
    Ok(())
}

fn row_hash(key: &[u8], value: &[u8]) -> u64 {
    let mut hasher = Xxh3::new();
    hasher.update(&(key.len() as u64).to_le_bytes());
    hasher.update(key);
    hasher.update(value);
    hasher.digest()
}

fn page(source: &sled::Db, rows: &mut Rows, id: [u8; 16], value: &[u8]) -> Result<(), StepError> {
    let page: old::PageRow = old::decode(value)?;
    let canonical_url = page.canonical_url.clone().unwrap_or_else(|| page.url.clone());
    let mut place = page.archive.clone();
    place.extend_from_slice(&page.offset_bytes.to_be_bytes());
    let own = xxh3_64(&place).to_be_bytes();
    let captured_at = page.captured_at;
    rows.capture(id, &canonical_url, captured_at, own)?;
    // Several records gave the page: each has a row.
    for capture in source.scan_prefix([b"c", &id[..]].concat()) {
        let hash: [u8; 8] = capture?.0[17..].try_into()?;
        if hash != own {
            rows.capture(id, &canonical_url, captured_at, hash)?;
        }
    }
    rows.insert([b"p", &id[..]].concat(), new::encode(&new::PageRow::from(page))?)
}

/// The identity is the content's hash of version 1. It is not that of version 2, so that the archive is read once more if it is given
/// again, and its pages are replaced.
fn archive(source: &sled::Db, rows: &mut Rows, ledger: &mut Ledger, id: u128, value: &[u8]) -> Result<(), StepError> {
    let mut failures = Vec::new();
    for failure in source.scan_prefix([b"f", &id.to_be_bytes()[..]].concat()) {
        let (key, value) = failure?;
        failures.push((u64::from_be_bytes(key[17..].try_into()?), old::decode(&value)?));
    }
    let chunk = ledger.add(id, failures)?;
    let row = new::ArchiveRow::new(old::decode(value)?, chunk);
    rows.insert([b"a", &id.to_be_bytes()[..]].concat(), new::encode(&row)?)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A database of version 1 without rows.
    pub(in super::super) fn empty_old(path: &Path) {
        crate::beside::open(path).unwrap().flush().unwrap();
    }
}
