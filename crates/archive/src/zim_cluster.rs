//! The clusters of a ZIM: several contents compressed together.

use std::io::{BufReader, Read};

use super::coding::XZ_MEMORY_KIB_MAX;
use super::little_endian::{u32_at, u64_at};
use super::shared_file::SharedFile;

/// Set in a cluster's first byte when its offsets have 8 bytes.
const EXTENDED: u8 = 0x10;

/// Reads contents; keeps the last cluster that was decoded.
pub(super) struct Clusters {
    file: SharedFile,
    bytes_max: usize,
    /// The cluster at this place: its content behind the first byte, or why there is none.
    last: Option<(u64, Result<Vec<u8>, String>)>,
}

impl Clusters {
    pub(super) fn new(file: SharedFile, bytes_max: usize) -> Self {
        Self { file, bytes_max, last: None }
    }

    /// The content of this number in the cluster that begins at `offset`.
    pub(super) fn blob(&mut self, offset: u64, number: u32) -> Result<Vec<u8>, String> {
        let info = self.file.bytes_at(offset, 1).map_err(|error| error.to_string())?;
        let Some(&info) = info.first() else { return Err("the cluster lies outside of the file".to_owned()) };
        let offset_bytes = if info & EXTENDED == 0 { 4 } else { 8 };
        if matches!(info & 0x0f, 0 | 1) {
            return self.plain_blob(offset + 1, number, offset_bytes);
        }
        if self.last.as_ref().is_none_or(|(at, _)| *at != offset) {
            self.last = Some((offset, self.decode(offset + 1, info & 0x0f)));
        }
        match &self.last {
            Some((_, Ok(content))) => slice(content, number, offset_bytes).map(<[u8]>::to_vec),
            Some((_, Err(reason))) => Err(reason.clone()),
            None => Err("the cluster was not decoded".to_owned()),
        }
    }

    fn plain_blob(&self, offset: u64, number: u32, offset_bytes: usize) -> Result<Vec<u8>, String> {
        let at = offset + u64::from(number) * offset_bytes as u64;
        let pointers = self.file.bytes_at(at, 2 * offset_bytes).map_err(|error| error.to_string())?;
        let (begin, end) = bounds(&pointers, offset_bytes).ok_or("the cluster is cut off")?;
        let len = end.checked_sub(begin).ok_or("a content has a negative length")?;
        // One byte more than allowed, so that the caller sees that it is too large.
        let len = len.min(self.bytes_max as u64 + 1);
        self.file.bytes_at(offset.saturating_add(begin), len as usize).map_err(|error| error.to_string())
    }

    fn decode(&self, offset: u64, compression: u8) -> Result<Vec<u8>, String> {
        let part = BufReader::new(self.file.part(offset, u64::MAX));
        let decoder: Box<dyn Read> = match compression {
            4 => Box::new(lzma_rust2::XzReader::new_mem_limit(part, false, XZ_MEMORY_KIB_MAX)),
            5 => {
                let decoder = zstd::stream::read::Decoder::with_buffer(part).map_err(|error| error.to_string())?;
                Box::new(decoder.single_frame())
            }
            other => return Err(format!("the cluster has compression {other}, which is not read")),
        };
        let mut content = Vec::new();
        let read = decoder.take(self.bytes_max as u64 + 1).read_to_end(&mut content);
        if content.len() > self.bytes_max {
            return Err(format!("the cluster is larger than {} bytes", self.bytes_max));
        }
        // Of a damaged cluster, what precedes the damage is kept.
        match read {
            Err(error) if content.is_empty() => Err(error.to_string()),
            _ => Ok(content),
        }
    }
}

/// A content of a decoded cluster.
fn slice(content: &[u8], number: u32, offset_bytes: usize) -> Result<&[u8], String> {
    let at = number as usize * offset_bytes;
    let pointers = content.get(at..at + 2 * offset_bytes).ok_or("the cluster is cut off or has no such content")?;
    let (begin, end) = bounds(pointers, offset_bytes).ok_or("the cluster is cut off")?;
    content.get(begin as usize..end as usize).ok_or_else(|| "the cluster is cut off or damaged".to_owned())
}

/// Where a content begins and ends: two numbers of so many bytes.
fn bounds(pointers: &[u8], offset_bytes: usize) -> Option<(u64, u64)> {
    let number = |at: usize| if offset_bytes == 4 { u64::from(u32_at(pointers, at)) } else { u64_at(pointers, at) };
    (pointers.len() == 2 * offset_bytes).then(|| (number(0), number(offset_bytes)))
}
