//! Where the files of a zip lie: from its directory, or, where that is damaged, from the headers before the files.

use std::io::{self, BufReader, Read};

use memchr::memmem;

use super::little_endian::{u16_at, u32_at, u64_at};
use super::member::name_text;
use super::shared_file::{Part, SharedFile};

const LOCAL: [u8; 4] = *b"PK\x03\x04";
const CENTRAL: [u8; 4] = *b"PK\x01\x02";
const END: [u8; 4] = *b"PK\x05\x06";
const END_64: [u8; 4] = *b"PK\x06\x06";
const DESCRIPTOR: [u8; 4] = *b"PK\x07\x08";

/// Bytes of a local header before its name.
const LOCAL_BYTES: usize = 30;

/// Bytes of a directory entry before its name.
const CENTRAL_BYTES: usize = 46;

/// Bytes within which the end of the directory lies: its record and a comment.
const END_BYTES: u64 = 22 + 65_535;

/// Bytes read at once in the search for a header.
const SEARCH_BYTES: usize = 64 << 10;

/// A file in a zip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ZipEntry {
    pub(super) name: String,
    pub(super) method: u16,
    pub(super) is_encrypted: bool,
    /// Encoded size.
    pub(super) encoded: u64,
    /// Size, where it is known.
    pub(super) len: Option<u64>,
    /// Where its local header is.
    pub(super) offset: u64,
}

/// Lists the files.
pub(super) struct ZipDirectory {
    file: SharedFile,
    source: Listing,
    /// Behind the last file that was listed: there the search for headers begins if the directory breaks off.
    listed_until: u64,
}

enum Listing {
    Central { reader: BufReader<Part>, left: u64 },
    Local { offset: u64 },
}

impl ZipDirectory {
    /// Begins to list the files of `file`, by its directory if it has one.
    pub(super) fn open(file: SharedFile) -> io::Result<Self> {
        let source = match find_directory(&file)? {
            Some((offset, len, entries)) => {
                Listing::Central { reader: BufReader::new(file.part(offset, len)), left: entries }
            }
            None => Listing::Local { offset: 0 },
        };
        Ok(Self { file, source, listed_until: 0 })
    }

    /// The next file.
    pub(super) fn next(&mut self) -> io::Result<Option<ZipEntry>> {
        let entry = match &mut self.source {
            Listing::Central { left: 0, .. } => return Ok(None),
            Listing::Central { reader, left } => {
                *left -= 1;
                central_entry(reader).unwrap_or(None)
            }
            Listing::Local { .. } => return self.next_local(),
        };
        let Some(entry) = entry else {
            self.source = Listing::Local { offset: self.listed_until };
            return self.next_local();
        };
        self.listed_until = self.listed_until.max(entry.offset.saturating_add(entry.encoded));
        Ok(Some(entry))
    }

    fn next_local(&mut self) -> io::Result<Option<ZipEntry>> {
        let Listing::Local { offset } = &mut self.source else { return Ok(None) };
        let Some(entry) = local_entry(&self.file, *offset)? else { return Ok(None) };
        // A header that is none at a second look costs one step.
        *offset = data_offset(&self.file, &entry)?.unwrap_or(entry.offset + 4) + entry.encoded;
        Ok(Some(entry))
    }
}

/// Offset, length and number of entries of the directory; `None` if there is none.
fn find_directory(file: &SharedFile) -> io::Result<Option<(u64, u64, u64)>> {
    let from = file.len().saturating_sub(END_BYTES);
    let tail = file.bytes_at(from, END_BYTES as usize)?;
    let Some(at) = memmem::rfind(&tail, &END).filter(|at| at + 22 <= tail.len()) else { return Ok(None) };
    let end = &tail[at..];
    let (mut entries, mut len, mut offset) =
        (u64::from(u16_at(end, 10)), u64::from(u32_at(end, 12)), u64::from(u32_at(end, 16)));
    if let Some(large) = end_64(file, from + at as u64)? {
        (entries, len, offset) = large;
    }
    let begins = file.bytes_at(offset, 4)?;
    let is_right = begins == CENTRAL || (entries == 0 && offset <= file.len());
    // A zip behind other bytes (a program that unpacks itself) has offsets that are too small.
    let shifted = (from + at as u64).checked_sub(len).filter(|&shifted| !is_right && shifted > offset);
    match shifted {
        Some(shifted) if file.bytes_at(shifted, 4)? == CENTRAL => Ok(Some((shifted, len, entries))),
        _ => Ok(is_right.then_some((offset, len, entries))),
    }
}

/// The same from the end record of large files, which a locator before `end` leads to.
fn end_64(file: &SharedFile, end: u64) -> io::Result<Option<(u64, u64, u64)>> {
    let Some(locator) = end.checked_sub(20) else { return Ok(None) };
    let locator = file.bytes_at(locator, 20)?;
    if !locator.starts_with(b"PK\x06\x07") || locator.len() < 20 {
        return Ok(None);
    }
    let record = file.bytes_at(u64_at(&locator, 8), 56)?;
    let is_record = record.len() == 56 && record.starts_with(&END_64);
    Ok(is_record.then(|| (u64_at(&record, 32), u64_at(&record, 40), u64_at(&record, 48))))
}

/// The directory's next entry; `None` where it is damaged.
fn central_entry(reader: &mut impl Read) -> io::Result<Option<ZipEntry>> {
    let mut head = [0; CENTRAL_BYTES];
    reader.read_exact(&mut head)?;
    if !head.starts_with(&CENTRAL) {
        return Ok(None);
    }
    let lens = [28, 30, 32].map(|at| usize::from(u16_at(&head, at)));
    let mut rest = vec![0; lens.iter().sum()];
    reader.read_exact(&mut rest)?;
    let mut entry = ZipEntry {
        name: name_text(&rest[..lens[0]]),
        method: u16_at(&head, 10),
        is_encrypted: u16_at(&head, 8) & 1 != 0,
        encoded: u64::from(u32_at(&head, 20)),
        len: Some(u64::from(u32_at(&head, 24))),
        offset: u64::from(u32_at(&head, 42)),
    };
    widen(&mut entry, &rest[lens[0]..lens[0] + lens[1]]);
    Ok(Some(entry))
}

/// Takes the sizes and the offset that do not fit into 32 bits from the extra field.
fn widen(entry: &mut ZipEntry, mut extra: &[u8]) {
    while extra.len() >= 4 {
        let (id, len) = (u16_at(extra, 0), usize::from(u16_at(extra, 2)));
        let Some(content) = extra.get(4..4 + len) else { return };
        if id == 1 {
            let mut numbers = content.chunks_exact(8).map(|number| u64_at(number, 0));
            let large = u64::from(u32::MAX);
            if entry.len == Some(large) {
                entry.len = numbers.next();
            }
            if entry.encoded == large {
                entry.encoded = numbers.next().unwrap_or(large);
            }
            if entry.offset == large {
                entry.offset = numbers.next().unwrap_or(large);
            }
        }
        extra = &extra[4 + len..];
    }
}

/// Where the bytes of a file begin: behind its local header; `None` if that is none.
pub(super) fn data_offset(file: &SharedFile, entry: &ZipEntry) -> io::Result<Option<u64>> {
    let head = file.bytes_at(entry.offset, LOCAL_BYTES)?;
    let is_head = head.len() == LOCAL_BYTES && head.starts_with(&LOCAL);
    Ok(is_head
        .then(|| entry.offset + (LOCAL_BYTES + usize::from(u16_at(&head, 26)) + usize::from(u16_at(&head, 28))) as u64))
}

/// The file whose local header is the first from `offset` on.
fn local_entry(file: &SharedFile, offset: u64) -> io::Result<Option<ZipEntry>> {
    let Some(offset) = find(file, offset, &[LOCAL])? else { return Ok(None) };
    let head = file.bytes_at(offset, LOCAL_BYTES)?;
    if head.len() < LOCAL_BYTES {
        return Ok(None);
    }
    let lens = [26, 28].map(|at| usize::from(u16_at(&head, at)));
    let rest = file.bytes_at(offset + LOCAL_BYTES as u64, lens[0] + lens[1])?;
    let name = name_text(rest.get(..lens[0]).unwrap_or(&rest));
    let flags = u16_at(&head, 6);
    let mut entry = ZipEntry {
        name,
        method: u16_at(&head, 8),
        is_encrypted: flags & 1 != 0,
        encoded: u64::from(u32_at(&head, 18)),
        len: Some(u64::from(u32_at(&head, 22))),
        offset,
    };
    widen(&mut entry, rest.get(lens[0]..).unwrap_or_default());
    entry.offset = offset;
    if flags & 8 != 0 && entry.encoded == 0 {
        // The sizes stand behind the file: it reaches to what follows it.
        let data = offset + (LOCAL_BYTES + rest.len()) as u64;
        let end = find(file, data, &[DESCRIPTOR, LOCAL, CENTRAL])?.unwrap_or(file.len());
        (entry.encoded, entry.len) = (end.saturating_sub(data), None);
    }
    entry.encoded = entry.encoded.min(file.len());
    Ok(Some(entry))
}

/// The first of some magic numbers from `offset` on.
fn find(file: &SharedFile, mut offset: u64, magics: &[[u8; 4]]) -> io::Result<Option<u64>> {
    loop {
        let bytes = file.bytes_at(offset, SEARCH_BYTES)?;
        let found =
            memmem::find_iter(&bytes, b"PK").find(|&at| magics.iter().any(|magic| bytes[at..].starts_with(magic)));
        if let Some(at) = found {
            return Ok(Some(offset + at as u64));
        }
        if bytes.len() < SEARCH_BYTES {
            return Ok(None);
        }
        offset += (SEARCH_BYTES - 3) as u64;
    }
}
