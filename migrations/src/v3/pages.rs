//! The file of pages' rows, written whole.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use xxhash_rust::xxh3::Xxh3;

use crate::StepError;

const HEADER: &[u8; 16] = b"LOPPERPG\x01\0\0\0\0\0\0\0";

pub(super) struct Pages {
    file: BufWriter<File>,
    length_bytes: u64,
}

impl Pages {
    pub(super) fn create(data: &Path) -> io::Result<Self> {
        let mut file = BufWriter::new(File::create(data.join("pages.bin"))?);
        file.write_all(HEADER)?;
        Ok(Self { file, length_bytes: HEADER.len() as u64 })
    }

    /// Adds a page's row; gives the row with its place: version, offset and length.
    pub(super) fn add(&mut self, id: [u8; 16], row: &[u8]) -> Result<Vec<u8>, StepError> {
        let mut hasher = Xxh3::new();
        hasher.update(&u128::from_be_bytes(id).to_le_bytes());
        hasher.update(row);
        let length = u32::try_from(row.len())?;
        self.file.write_all(&length.to_le_bytes())?;
        self.file.write_all(&hasher.digest().to_le_bytes())?;
        self.file.write_all(row)?;
        let place = (self.length_bytes, length);
        self.length_bytes += 12 + u64::from(length);
        Ok(postcard::to_extend(&place, vec![super::convert::ROW_VERSION])?)
    }

    /// Makes the file durable; gives its length.
    pub(super) fn finish(self) -> Result<u64, StepError> {
        self.file.into_inner()?.sync_all()?;
        Ok(self.length_bytes)
    }
}
