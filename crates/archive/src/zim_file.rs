//! A ZIM file's header, its lists of pointers and its directory entries.

use super::little_endian::{u16_at, u32_at, u64_at};
use super::shared_file::SharedFile;

/// The first bytes of a ZIM.
pub(super) const MAGIC: [u8; 4] = *b"ZIM\x04";

const HEADER_BYTES: usize = 80;

/// Bytes of the list of media types.
const MEDIA_TYPES_BYTES_MAX: usize = 64 << 10;

/// Bytes of a directory entry: two texts of at most that much together.
const DIRENT_BYTES: usize = 4 << 10;

/// An entry of the directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Dirent {
    namespace: u8,
    path: String,
    /// Where the entry is in the file.
    pub(super) offset: u64,
    pub(super) target: Target,
}

/// What an entry stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    /// Another entry, or an entry without content.
    Redirect,
    Blob {
        media_type: u16,
        cluster: u32,
        blob: u32,
    },
}

impl Dirent {
    /// The path with its namespace.
    pub(super) fn name(&self) -> String {
        format!("{}/{}", char::from(self.namespace), self.path)
    }

    /// The content's place: cluster and number in it.
    pub(super) fn place(&self) -> (u32, u32) {
        match self.target {
            Target::Redirect => (0, 0),
            Target::Blob { cluster, blob, .. } => (cluster, blob),
        }
    }
}

/// An open ZIM file.
pub(super) struct ZimFile {
    file: SharedFile,
    entries: u32,
    clusters: u32,
    entries_at: u64,
    clusters_at: u64,
    media_types_at: u64,
    media_types: Vec<String>,
}

impl ZimFile {
    /// Reads the header; the reason why there is none is in words.
    pub(super) fn open(file: SharedFile) -> Result<Self, String> {
        let header = bytes(&file, 0, HEADER_BYTES)?;
        if header.len() < HEADER_BYTES {
            return Err("the file is too small for the header of a ZIM".to_owned());
        }
        let mut zim = Self {
            entries: u32_at(&header, 24),
            clusters: u32_at(&header, 28),
            entries_at: u64_at(&header, 32),
            clusters_at: u64_at(&header, 48),
            media_types_at: u64_at(&header, 56),
            media_types: Vec::new(),
            file,
        };
        let fits = |at: u64, count: u32| at.checked_add(u64::from(count) * 8).is_some_and(|end| end <= zim.file.len());
        if !fits(zim.entries_at, zim.entries) {
            return Err("the list of entries lies outside of the file".to_owned());
        }
        if !fits(zim.clusters_at, zim.clusters) {
            return Err("the list of clusters lies outside of the file".to_owned());
        }
        zim.media_types = media_types(&bytes(&zim.file, zim.media_types_at, MEDIA_TYPES_BYTES_MAX)?);
        Ok(zim)
    }

    pub(super) fn entries(&self) -> u32 {
        self.entries
    }

    pub(super) fn len(&self) -> u64 {
        self.file.len()
    }

    /// The media type of this number, if the list has it and it is one.
    pub(super) fn media_type(&self, number: u16) -> Option<&str> {
        self.media_types.get(usize::from(number)).map(String::as_str).filter(|media_type| is_media_type(media_type))
    }

    /// Where the list of media types is.
    pub(super) fn media_types_at(&self) -> u64 {
        self.media_types_at
    }

    /// Where the pointer to an entry is.
    pub(super) fn pointer_offset(&self, number: u32) -> u64 {
        self.entries_at + u64::from(number) * 8
    }

    /// The entry of this number, in the order of paths.
    pub(super) fn dirent(&self, number: u32) -> Result<Dirent, String> {
        let offset = self.pointer(self.pointer_offset(number))?;
        let dirent = bytes(&self.file, offset, DIRENT_BYTES)?;
        let media_type = (dirent.len() >= 2).then(|| u16_at(&dirent, 0));
        // Redirects, link targets and deleted entries have these in place of a media type.
        let (fixed, target) = match media_type {
            Some(0xffff) => (12, Target::Redirect),
            Some(0xfffd | 0xfffe) => (8, Target::Redirect),
            Some(media_type) if dirent.len() >= 16 => {
                let (cluster, blob) = (u32_at(&dirent, 8), u32_at(&dirent, 12));
                (16, Target::Blob { media_type, cluster, blob })
            }
            _ => return Err("an entry lies outside of the file".to_owned()),
        };
        let path = dirent.get(fixed..).unwrap_or_default();
        let path = &path[..memchr::memchr(0, path).unwrap_or(path.len())];
        let (namespace, path) = (dirent.get(3).copied().unwrap_or(b'-'), String::from_utf8_lossy(path).into_owned());
        Ok(Dirent { namespace, path, offset, target })
    }

    /// Where a cluster begins.
    pub(super) fn cluster_offset(&self, number: u32) -> Result<u64, String> {
        if number >= self.clusters {
            return Err(format!("the entry is in cluster {number} of {}", self.clusters));
        }
        self.pointer(self.clusters_at + u64::from(number) * 8)
    }

    fn pointer(&self, offset: u64) -> Result<u64, String> {
        let pointer = bytes(&self.file, offset, 8)?;
        let pointer = if pointer.len() == 8 { u64_at(&pointer, 0) } else { u64::MAX };
        let is_inside = pointer < self.file.len();
        is_inside.then_some(pointer).ok_or_else(|| "a pointer leads outside of the file".to_owned())
    }
}

fn bytes(file: &SharedFile, offset: u64, len: usize) -> Result<Vec<u8>, String> {
    file.bytes_at(offset, len).map_err(|error| error.to_string())
}

/// Texts that end in zeros, up to an empty one.
fn media_types(bytes: &[u8]) -> Vec<String> {
    let texts = bytes.split(|&byte| byte == 0).take_while(|text| !text.is_empty());
    texts.map(|text| String::from_utf8_lossy(text).into_owned()).collect()
}

fn is_media_type(text: &str) -> bool {
    text.contains('/') && text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}
