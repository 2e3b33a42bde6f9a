//! Containers, told by their content.

use std::path::Path;

use super::arc_head::is_arc_start;
use super::framing::{has_warc_magic, is_warc_start};
use super::mail_head::begins_message;
use super::tar::BLOCK_BYTES;
use super::tar_head::TarHead;
use super::zim_file;
use crate::page::sniff;

/// A container that can be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Container {
    Warc,
    Arc,
    Html,
    Har,
    Ndjson,
    Mhtml,
    Tar,
    Zip,
    Zim,
}

impl Container {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Warc => "WARC",
            Self::Arc => "ARC",
            Self::Html => "HTML",
            Self::Har => "HAR",
            Self::Ndjson => "NDJSON",
            Self::Mhtml => "MHTML",
            Self::Tar => "tar",
            Self::Zip => "zip",
            Self::Zim => "ZIM",
        }
    }
}

/// Tells a container by the first bytes of its content.
pub(super) fn by_content(bytes: &[u8]) -> Option<Container> {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    if sniff::is_image(bytes) {
        None
    } else if has_warc_magic(text) {
        Some(Container::Warc)
    } else if is_zip(bytes) {
        Some(Container::Zip)
    } else if bytes.starts_with(&zim_file::MAGIC) {
        Some(Container::Zim)
    } else if bytes.get(..BLOCK_BYTES).is_some_and(is_tar) {
        Some(Container::Tar)
    } else if is_arc_start(text) {
        Some(Container::Arc)
    } else if text.starts_with(b"{") {
        by_keys(text)
    } else if begins_message(text) {
        Some(Container::Mhtml)
    } else if sniff::is_html(bytes) {
        Some(Container::Html)
    } else {
        None
    }
}

/// A file of records may begin with other bytes, and a tar with a damaged header. That is weaker than a name that says HTML.
pub(super) fn by_first_record(bytes: &[u8]) -> Option<Container> {
    if sniff::is_image(bytes) {
        return None;
    }
    if bytes.chunks_exact(BLOCK_BYTES).any(is_tar) {
        return Some(Container::Tar);
    }
    let lines = || memchr::memchr_iter(b'\n', bytes).map(|at| &bytes[at + 1..]);
    if lines().any(is_warc_start) { Some(Container::Warc) } else { lines().any(is_arc_start).then_some(Container::Arc) }
}

fn is_zip(bytes: &[u8]) -> bool {
    // A file, or the end of an empty zip.
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

fn is_tar(block: &[u8]) -> bool {
    block.iter().any(|&byte| byte != 0) && TarHead::read(block).is_some()
}

/// JSON texts are told by their keys.
fn by_keys(text: &[u8]) -> Option<Container> {
    let has = |key: &[u8]| memchr::memmem::find(text, key).is_some();
    let begins_log = text[1..].trim_ascii_start().starts_with(b"\"log\"");
    if begins_log {
        Some(Container::Har)
    } else if has(b"\"url\"") || has(b"\"html\"") {
        Some(Container::Ndjson)
    } else {
        None
    }
}

/// Name endings of compressed files and of those still being written.
const OUTER_ENDINGS: [&str; 6] = ["gz", "zst", "lz4", "bz2", "xz", "open"];

/// Name endings of containers.
const ENDINGS: [(&str, Container); 16] = [
    ("warc", Container::Warc),
    ("arc", Container::Arc),
    ("html", Container::Html),
    ("htm", Container::Html),
    ("xhtml", Container::Html),
    ("har", Container::Har),
    ("ndjson", Container::Ndjson),
    ("jsonl", Container::Ndjson),
    ("mhtml", Container::Mhtml),
    ("mht", Container::Mhtml),
    ("tar", Container::Tar),
    ("tgz", Container::Tar),
    ("zip", Container::Zip),
    ("wacz", Container::Zip),
    ("epub", Container::Zip),
    ("zim", Container::Zim),
];

/// What a file's name says, without the endings of compressed files and of those still being written.
pub(super) fn name_says(path: &Path) -> Option<Container> {
    let ending = ending(path)?;
    ENDINGS.iter().find(|(name, _)| *name == ending).map(|&(_, container)| container)
}

/// Whether a file's name says that it is XML.
pub(super) fn is_named_xml(path: &Path) -> bool {
    ending(path).as_deref() == Some("xml")
}

/// The ending of a name before those of compressed files, lower case.
fn ending(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
    let (_, endings) = name.split_once('.')?;
    endings.split('.').rev().find(|ending| !OUTER_ENDINGS.contains(ending)).map(str::to_owned)
}
