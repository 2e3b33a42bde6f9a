//! Tells an archive file by its content.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use xxhash_rust::xxh3::Xxh3;

/// Files up to this length are hashed whole.
const WHOLE_BYTES_MAX: u64 = 64 << 20;

/// Samples taken of longer files, the first at the beginning and the last at the end.
const SAMPLES: u64 = 256;

const SAMPLE_BYTES: u64 = 64 << 10;

/// A hash over a file's length and content: the same for a copy or a renamed file, another one as soon as it grows or changes.
///
/// Of files above 64 MiB, 256 samples of 64 KiB count, evenly spread from the first byte to the last: 16 MiB are read of any file. A change
/// that keeps the length and lies between two samples goes unnoticed; in compressed archives, what follows a change moves.
pub(crate) fn fingerprint(path: &Path) -> io::Result<u128> {
    fingerprint_of_first(path, fs::metadata(path)?.len())
}

/// The fingerprint that the file had when it was `length` bytes long, if it has only grown since.
pub(super) fn fingerprint_of_first(path: &Path, length: u64) -> io::Result<u128> {
    let mut file = File::open(path)?;
    let mut hasher = Xxh3::new();
    hasher.update(&length.to_le_bytes());
    if length <= WHOLE_BYTES_MAX {
        hash_bytes(&mut file, length, &mut hasher)?;
    } else {
        for sample in 0..SAMPLES {
            let offset = u128::from(length - SAMPLE_BYTES) * u128::from(sample) / u128::from(SAMPLES - 1);
            file.seek(SeekFrom::Start(offset as u64))?;
            hash_bytes(&mut file, SAMPLE_BYTES, &mut hasher)?;
        }
    }
    Ok(hasher.digest128())
}

fn hash_bytes(file: &mut File, length: u64, hasher: &mut Xxh3) -> io::Result<()> {
    let mut buffer = vec![0; SAMPLE_BYTES as usize];
    let mut rest = file.take(length);
    loop {
        match rest.read(&mut buffer)? {
            0 => return Ok(()),
            read => hasher.update(&buffer[..read]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_byte_of_a_file_counts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.warc");
        let hash = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            fingerprint(&path).unwrap()
        };
        let sound: Vec<u8> = (0..300_000u32).map(|number| (number % 251) as u8).collect();
        let first = hash(&sound);
        assert_eq!(hash(&sound), first);
        assert_ne!(hash(&sound[..299_999]), first);
        for at in [0, 100_000, 150_000, 299_999] {
            let mut bytes = sound.clone();
            bytes[at] ^= 1;
            assert_ne!(hash(&bytes), first, "byte {at}");
        }
    }

    #[test]
    fn of_a_long_file_both_ends_and_the_middle_count() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("long");
        let length = WHOLE_BYTES_MAX + 5;
        let hash = |at: Option<u64>| {
            let mut file = File::create(&path).unwrap();
            file.set_len(length).unwrap();
            if let Some(at) = at {
                file.seek(SeekFrom::Start(at)).unwrap();
                io::Write::write_all(&mut file, b"x").unwrap();
            }
            fingerprint(&path).unwrap()
        };
        let empty = hash(None);
        let middle = (length - SAMPLE_BYTES) * 100 / (SAMPLES - 1);
        for at in [0, middle, length - 1] {
            assert_ne!(hash(Some(at)), empty, "byte {at}");
        }
    }
}
