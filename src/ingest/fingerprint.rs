//! Tells an archive file by its content.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// Bytes read at each end of the file.
const SAMPLE_BYTES: u64 = 64 << 10;

/// A hash over a file's length and its two ends: the same for a copy or a renamed file, another one as soon as it grows.
pub(super) fn fingerprint(path: &Path) -> io::Result<u128> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let mut sample = length.to_le_bytes().to_vec();
    (&mut file).take(SAMPLE_BYTES).read_to_end(&mut sample)?;
    if length > SAMPLE_BYTES {
        file.seek(SeekFrom::Start(length.saturating_sub(SAMPLE_BYTES).max(SAMPLE_BYTES)))?;
        file.take(SAMPLE_BYTES).read_to_end(&mut sample)?;
    }
    Ok(xxhash_rust::xxh3::xxh3_128(&sample))
}
