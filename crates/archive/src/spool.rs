//! A stream put into a temporary file, for the formats that are read from their end.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use super::record::ArchiveError;
use super::shared_file::SharedFile;
use super::stream::{Stop, Stream};

/// Writes the rest of `stream` to a temporary file. What precedes a damage is kept.
pub(super) fn spool<R: Read>(
    stream: &mut Stream<R>,
    bytes_max: u64,
    archive: &Path,
) -> Result<SharedFile, ArchiveError> {
    let failed = |source| ArchiveError::Io { archive: archive.to_owned(), source };
    let mut file = tempfile::tempfile().map_err(failed)?;
    copy(stream, &mut file, bytes_max).map_err(failed)?;
    SharedFile::new(file).map_err(failed)
}

fn copy<R: Read>(stream: &mut Stream<R>, file: &mut File, bytes_max: u64) -> io::Result<()> {
    let mut written = 0;
    while stream.fill_to(1) {
        let len = stream.window().len();
        written += len as u64;
        if written > bytes_max {
            let message = format!("a zip or ZIM from a stream may have {bytes_max} bytes (limits.spool_bytes_max)");
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
        }
        file.write_all(stream.window())?;
        stream.consume(len);
    }
    match stream.take_stop() {
        Some(Stop::Io(error)) => Err(error),
        _ => file.flush(),
    }
}
