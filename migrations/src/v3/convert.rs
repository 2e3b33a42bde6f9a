//! From the rows of version 2 to those of version 3.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use super::pages::Pages;
use crate::StepError;
use crate::beside::open;

/// Version of the encoding of rows, the same as before.
pub(super) const ROW_VERSION: u8 = 2;

/// Rows of a batch.
const BATCH_ROWS: usize = 10_000;

const SHELF_KEY_BYTES: usize = 3;

/// Length of a shelf; what does not fit in is a row of its own.
const SHELF_BYTES_MAX: usize = 8 << 10;

/// Length of what precedes a row's key and value on a shelf.
const ENTRY_HEAD_BYTES: usize = 3;

/// The database is not as it was committed.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct Damage(&'static str);

/// The meta row of version 2; the order of the fields is the format.
#[derive(Debug, Deserialize, Serialize)]
struct OldMeta {
    sequence: u64,
    statistics_generation: u64,
    previous_generation: u64,
    within_run: bool,
    trees_bytes: u64,
    garbage_bytes: u64,
    ledger_bytes: u64,
    bodies_bytes: u64,
    last_batch_chunks: u32,
    rows_digest: u64,
    counters: [u64; 9],
}

/// The meta row of version 3.
#[derive(Debug, Deserialize, Serialize)]
struct NewMeta {
    former: OldMeta,
    pages_bytes: u64,
}

/// Rows on their way into the new database, in the order of their keys.
struct Rows {
    database: sled::Db,
    batch: sled::Batch,
    waiting: usize,
    digest: u64,
    shelf: (Vec<u8>, Vec<u8>),
}

impl Rows {
    fn insert(&mut self, key: &[u8], value: &[u8]) -> Result<(), StepError> {
        self.digest = self.digest.wrapping_add(row_hash(key, value));
        self.put(key.to_vec(), value.to_vec())
    }

    /// Rows of a shelf come one after the other.
    fn insert_on_shelf(&mut self, key: &[u8], value: &[u8]) -> Result<(), StepError> {
        self.digest = self.digest.wrapping_add(row_hash(key, value));
        let (place, rest) = key.split_at_checked(SHELF_KEY_BYTES).ok_or(Damage("a key is too short"))?;
        if self.shelf.0 != place {
            self.put_shelf()?;
            self.shelf.0 = place.to_vec();
        }
        if self.shelf.1.len() + ENTRY_HEAD_BYTES + rest.len() + value.len() > SHELF_BYTES_MAX {
            return self.put(key.to_vec(), value.to_vec());
        }
        let shelf = &mut self.shelf.1;
        shelf.push(rest.len().try_into()?);
        shelf.extend_from_slice(&u16::try_from(value.len())?.to_le_bytes());
        shelf.extend_from_slice(rest);
        shelf.extend_from_slice(value);
        Ok(())
    }

    fn put_shelf(&mut self) -> Result<(), StepError> {
        let (place, shelf) = std::mem::take(&mut self.shelf);
        if shelf.is_empty() { Ok(()) } else { self.put(place, shelf) }
    }

    fn put(&mut self, key: Vec<u8>, value: Vec<u8>) -> Result<(), StepError> {
        self.batch.insert(key, value);
        self.waiting += 1;
        if self.waiting < BATCH_ROWS {
            return Ok(());
        }
        self.waiting = 0;
        Ok(self.database.apply_batch(std::mem::take(&mut self.batch))?)
    }

    fn finish(mut self, meta: Option<OldMeta>, pages_bytes: u64) -> Result<(), StepError> {
        self.put_shelf()?;
        if let Some(former) = meta {
            let meta = NewMeta { former: OldMeta { rows_digest: self.digest, ..former }, pages_bytes };
            self.batch.insert(b"m", postcard::to_extend(&meta, vec![ROW_VERSION])?);
        }
        self.database.apply_batch(self.batch)?;
        self.database.flush()?;
        Ok(())
    }
}

/// Whether the database has the new form already: the step was cut off after all was done.
pub(super) fn is_converted(store: &Path) -> Result<bool, StepError> {
    let meta = open(store)?.get(b"m")?;
    Ok(meta.is_some_and(|meta| decode::<NewMeta>(&meta).is_ok()))
}

pub(super) fn convert(data: &Path, from: &Path, to: &Path) -> Result<(), StepError> {
    let source = open(from)?;
    let meta = check(data, &source)?;
    let (batch, shelf) = (sled::Batch::default(), (Vec::new(), Vec::new()));
    let mut rows = Rows { database: open(to)?, batch, waiting: 0, digest: 0, shelf };
    let mut pages = Pages::create(data)?;
    let mut hosts = BTreeMap::new();
    for row in source.iter() {
        let (key, value) = row?;
        match key.split_first() {
            Some((b'c' | b'd' | b'w', _)) => rows.insert_on_shelf(&key, &value)?,
            Some((b'p', id)) => rows.insert_on_shelf(&key, &pages.add(id.try_into()?, &value)?)?,
            Some((b'h', host)) => drop(hosts.insert([b"h", &xxh3_128(host).to_be_bytes()[..]].concat(), value)),
            Some((b'm', _)) => {}
            _ => rows.insert(&key, &value)?,
        }
    }
    for (key, value) in hosts {
        rows.insert_on_shelf(&key, &value)?;
    }
    rows.finish(meta, pages.finish()?)
}

/// The meta row. Refuses a database that lost rows or commits, as the program of version 2 did: see its digest and the file `sequence`.
fn check(data: &Path, source: &sled::Db) -> Result<Option<OldMeta>, StepError> {
    let Some(meta) = source.get(b"m")? else {
        return if data.join("trees.bin").exists() {
            Err(Damage("its database has lost its rows").into())
        } else {
            Ok(None)
        };
    };
    let meta: OldMeta = decode(&meta)?;
    let mut digest = 0u64;
    for row in source.iter() {
        let (key, value) = row?;
        if &*key != b"m" {
            digest = digest.wrapping_add(row_hash(&key, &value));
        }
    }
    let written = fs::read_to_string(data.join("sequence")).ok().and_then(|text| text.trim().parse().ok());
    if digest != meta.rows_digest || written.unwrap_or(0) > meta.sequence {
        return Err(Damage("its database has lost or altered rows").into());
    }
    Ok(Some(meta))
}

fn decode<T: for<'a> Deserialize<'a>>(row: &[u8]) -> Result<T, Damage> {
    let unreadable = || Damage("its meta row cannot be read");
    let row = row.strip_prefix(&[ROW_VERSION]).ok_or_else(unreadable)?;
    match postcard::take_from_bytes(row) {
        Ok((meta, [])) => Ok(meta),
        _ => Err(unreadable()),
    }
}

fn row_hash(key: &[u8], value: &[u8]) -> u64 {
    let mut hasher = Xxh3::new();
    hasher.update(&(key.len() as u64).to_le_bytes());
    hasher.update(key);
    hasher.update(value);
    hasher.digest()
}
