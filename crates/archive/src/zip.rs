//! Zip files of pages or archives.

use std::io::{self, Read};
use std::path::PathBuf;

use flate2::read::DeflateDecoder;

use super::entries::{Bounded, ContainerEntry, Entries};
use super::open::Source;
use super::record::ArchiveError;
use super::shared_file::SharedFile;
use super::zip_directory::{ZipDirectory, ZipEntry, data_offset};

/// Gives the files of a zip.
pub(super) struct ZipEntries {
    file: SharedFile,
    directory: ZipDirectory,
    archive: PathBuf,
    position: u64,
    /// Which files are wanted, by name.
    is_wanted: fn(&str) -> bool,
}

impl ZipEntries {
    /// Opens the zip `file`; files whose name is not wanted are left out.
    pub(super) fn open(file: SharedFile, archive: PathBuf, is_wanted: fn(&str) -> bool) -> Result<Self, ArchiveError> {
        let directory =
            ZipDirectory::open(file.clone()).map_err(|source| ArchiveError::Io { archive: archive.clone(), source })?;
        Ok(Self { file, directory, archive, position: 0, is_wanted })
    }

    fn entry(&self, entry: ZipEntry) -> Result<ContainerEntry, ArchiveError> {
        let offset_bytes = entry.offset;
        let malformed = |reason: String| {
            let (archive, record_id) = (super::member::member_path(&self.archive, &entry.name), None);
            ArchiveError::Malformed { archive, offset_bytes, record_id, reason }
        };
        if entry.is_encrypted {
            return Err(malformed("the file is encrypted; unpack it yourself".to_owned()));
        }
        let content = match open_content(&self.file, &entry) {
            Ok(Some(content)) => content,
            Ok(None) => return Err(malformed("no file begins where the directory says".to_owned())),
            Err(error) => return Err(malformed(error.to_string())),
        };
        Ok(ContainerEntry { name: entry.name, offset_bytes, len: entry.len, content })
    }
}

/// The content of a file, decoded; `None` if its header is damaged.
pub(super) fn open_content(file: &SharedFile, entry: &ZipEntry) -> io::Result<Option<Source>> {
    let Some(offset) = data_offset(file, entry)? else { return Ok(None) };
    let part = file.part(offset, entry.encoded);
    let decoder: Box<dyn Read + Send> = match entry.method {
        0 => return Ok(Some(Box::new(part))),
        8 => Box::new(DeflateDecoder::new(part)),
        12 => Box::new(bzip2::read::BzDecoder::new(part)),
        93 => Box::new(zstd::stream::read::Decoder::new(part)?),
        method => {
            let reason = format!("zip method {method} is not read (stored, deflate, bzip2 and zstd are)");
            return Err(io::Error::new(io::ErrorKind::Unsupported, reason));
        }
    };
    Ok(Some(Box::new(Bounded::new(decoder, entry.encoded))))
}

impl Entries for ZipEntries {
    fn next_entry(&mut self) -> Option<Result<ContainerEntry, ArchiveError>> {
        loop {
            let entry = match self.directory.next() {
                Ok(entry) => entry?,
                Err(source) => return Some(Err(ArchiveError::Io { archive: self.archive.clone(), source })),
            };
            self.position = self.position.max(entry.offset.saturating_add(entry.encoded).min(self.file.len()));
            if !entry.name.ends_with('/') && (self.is_wanted)(&entry.name) {
                return Some(self.entry(entry));
            }
        }
    }

    fn position_bytes(&self) -> u64 {
        self.position
    }
}
