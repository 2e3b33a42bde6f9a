//! What is told of a part that was made.

use std::fmt::Write;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{PartEnd, PartError, PartReader, Published};

/// One line about a part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    /// The archive, as the job named it.
    pub archive: String,
    /// Name of the part.
    pub part: String,
    /// Its bytes.
    pub bytes_out: u64,
    /// Their SHA-256, in hexadecimal digits.
    pub sha256: String,
    /// Whether it was made now, or had been there.
    pub published: Published,
    /// Its sums.
    #[serde(flatten)]
    pub sums: PartEnd,
}

impl Receipt {
    /// Reads a part from its first byte to its last.
    ///
    /// # Errors
    ///
    /// [`PartError`] for a part that is not whole.
    pub fn of(archive: &str, part: &Path, published: Published) -> Result<Self, PartError> {
        let mut reader = PartReader::open(part)?;
        while reader.next_text()?.is_some() {}
        let sums = reader.end().cloned().unwrap_or_default();
        let (bytes_out, sha256) = digest(part).map_err(PartError::io("read", part))?;
        let name = part.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { archive: archive.to_owned(), part: name, bytes_out, sha256, published, sums })
    }
}

fn digest(path: &Path) -> io::Result<(u64, String)> {
    let (mut file, mut hasher, mut bytes) = (File::open(path)?, Sha256::new(), 0);
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            read => {
                hasher.update(&buffer[..read]);
                bytes += read as u64;
            }
        }
    }
    let digits = hasher.finalize().iter().fold(String::with_capacity(64), |mut digits, byte| {
        let _ = write!(digits, "{byte:02x}");
        digits
    });
    Ok((bytes, digits))
}
