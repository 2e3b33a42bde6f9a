//! WACZ: a zip of WARC files with a list of the pages in them, and several of these in one (multi-WACZ).

use std::collections::{HashMap, HashSet, VecDeque};
use std::io::{self, BufRead, BufReader, Read};
use std::path::PathBuf;

use serde::Deserialize;
use serde_json::Value;

use super::entries::EntriesReader;
use super::json_text::from_json;
use super::open::NestedPlace;
use super::record::{ArchiveError, ArchiveReader, ArchiveRecord, Listing, RecordKind};
use super::shared_file::SharedFile;
use super::warc_date;
use super::zip::{ZipEntries, open_content};
use super::zip_directory::ZipDirectory;

/// The file that makes a zip a WACZ.
const PACKAGE: &str = "datapackage.json";

/// Bytes of the package's description.
const PACKAGE_BYTES_MAX: u64 = 16 << 20;

/// Pages of a list; further ones count as not listed.
const PAGES_MAX: usize = 1_000_000;

/// Bytes of a list that are kept of its addresses and titles; pages beyond count as not listed.
const LIST_BYTES_MAX: usize = 256 << 20;

/// Bytes of an address, and of a title, of a listed page.
const FIELD_BYTES_MAX: usize = 8 << 10;

/// Missing files of a package that are named one by one.
const MISSING_TOLD_MAX: usize = 100;

/// Folders of a name that may stand before the path by which a package knows the file.
const OUTER_FOLDERS_MAX: usize = 16;

/// Bytes of a line in a list. Those of crawlers hold the page's text.
const LINE_BYTES_MAX: u64 = 16 << 20;

/// What a package says of its files.
#[derive(Debug, Default, Deserialize)]
struct Package {
    #[serde(default)]
    resources: Vec<Resource>,
}

#[derive(Debug, Deserialize)]
struct Resource {
    #[serde(default)]
    path: String,
}

/// A line of a list of pages.
#[derive(Debug, Deserialize)]
struct PageLine {
    url: String,
    #[serde(default)]
    title: Value,
    /// When the page was opened.
    #[serde(default)]
    ts: Value,
}

/// What a list says of a page.
#[derive(Debug)]
struct Listed {
    title: Option<String>,
    time: Option<i64>,
}

impl From<&PageLine> for Listed {
    fn from(line: &PageLine) -> Self {
        let title = line.title.as_str().map(|title| title[..title.floor_char_boundary(FIELD_BYTES_MAX)].to_owned());
        Self { title, time: line.ts.as_str().and_then(warc_date::parse) }
    }
}

/// Reads the records of a WACZ.
pub(super) struct WaczReader {
    inner: EntriesReader<ZipEntries>,
    /// What the lists say, by URL; `None` where there is no list.
    pages: Option<HashMap<String, Listed>>,
    /// What is to be told before the records.
    failures: VecDeque<ArchiveError>,
}

/// Whether the zip is a WACZ.
pub(super) fn is_wacz(file: &SharedFile) -> bool {
    let Ok(mut directory) = ZipDirectory::open(file.clone()) else { return false };
    while let Ok(Some(entry)) = directory.next() {
        if entry.name == PACKAGE {
            return true;
        }
    }
    false
}

impl WaczReader {
    pub(super) fn open(file: SharedFile, place: NestedPlace) -> Result<Self, ArchiveError> {
        let archive = place.archive.clone();
        let contents = Contents::read(&file).map_err(|source| ArchiveError::Io { archive: archive.clone(), source })?;
        let failures = contents.failures(&archive);
        let entries = ZipEntries::open(file, archive, holds_records)?;
        Ok(Self { inner: EntriesReader::new(entries, place), pages: contents.pages, failures })
    }

    /// Notes what the lists say of a record; the list of a WACZ in this one goes first.
    fn list(&self, record: &mut ArchiveRecord) {
        let may_be_page = matches!(record.kind, RecordKind::Response | RecordKind::Resource);
        let Some(pages) = self.pages.as_ref().filter(|_| may_be_page && record.listing.is_none()) else { return };
        record.listing = Some(match pages.get(without_fragment(&record.url)) {
            Some(listed) => {
                record.captured_at = record.captured_at.or(listed.time);
                Listing::Page { title: listed.title.clone() }
            }
            None => Listing::NotListed,
        });
    }
}

/// Whether a file of a WACZ holds records, by its name: the rest are indexes, lists and logs.
fn holds_records(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let endings = [".warc", ".warc.gz", ".warc.zst", ".arc", ".arc.gz", ".wacz"];
    endings.iter().any(|ending| name.ends_with(ending))
}

fn without_fragment(url: &str) -> &str {
    url.split('#').next().unwrap_or(url)
}

/// What the zip says of itself, before its records are read.
#[derive(Default)]
struct Contents {
    package: Package,
    names: Vec<String>,
    pages: Option<HashMap<String, Listed>>,
}

impl Contents {
    fn read(file: &SharedFile) -> io::Result<Self> {
        let mut contents = Self::default();
        let mut directory = ZipDirectory::open(file.clone())?;
        while let Some(entry) = directory.next()? {
            let is_list = entry.name.starts_with("pages/") && entry.name.to_ascii_lowercase().ends_with(".jsonl");
            if entry.name == PACKAGE || is_list {
                // What cannot be read of these costs no record.
                if let Ok(Some(content)) = open_content(file, &entry) {
                    contents.take(is_list, content);
                }
            }
            if holds_records(&entry.name) {
                contents.names.push(entry.name);
            }
        }
        Ok(contents)
    }

    fn take(&mut self, is_list: bool, content: impl Read) {
        if is_list {
            read_pages(content, self.pages.get_or_insert_default());
        } else {
            self.package = serde_json::from_reader(content.take(PACKAGE_BYTES_MAX)).unwrap_or_default();
        }
    }

    /// A package that names files which are elsewhere, or that holds none.
    fn failures(&self, archive: &std::path::Path) -> VecDeque<ArchiveError> {
        let malformed = |archive: PathBuf, reason: String| ArchiveError::Malformed {
            archive,
            offset_bytes: 0,
            record_id: None,
            reason,
        };
        let held: HashSet<&str> = self.names.iter().flat_map(|name| ends_of(name)).collect();
        let is_elsewhere = |path: &&str| holds_records(path) && !held.contains(path);
        let mut elsewhere = self.package.resources.iter().map(|resource| resource.path.as_str()).filter(is_elsewhere);
        let mut failures: VecDeque<ArchiveError> = elsewhere
            .by_ref()
            .take(MISSING_TOLD_MAX)
            .map(|path| {
                malformed(archive.to_owned(), format!("{path} is not in this file; fetch it and ingest it too"))
            })
            .collect();
        let more = elsewhere.count();
        if more > 0 {
            failures.push_back(malformed(archive.to_owned(), format!("{more} more files of the WACZ are not in it")));
        }
        if self.names.is_empty() && failures.is_empty() {
            failures.push_back(malformed(archive.to_owned(), "the WACZ holds no WARC file".to_owned()));
        }
        failures
    }
}

/// A file's name, and what is left of it behind each of its first folders.
fn ends_of(name: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(name), |name| name.split_once('/').map(|(_, rest)| rest)).take(OUTER_FOLDERS_MAX)
}

/// Reads a list of pages: a JSON object a line, the first of them a header.
fn read_pages(content: impl Read, pages: &mut HashMap<String, Listed>) {
    let mut lines = BufReader::new(content);
    let mut line = Vec::new();
    let mut left = LIST_BYTES_MAX;
    loop {
        line.clear();
        match (&mut lines).take(LINE_BYTES_MAX).read_until(b'\n', &mut line) {
            Ok(1..) if pages.len() < PAGES_MAX => {}
            _ => return,
        }
        let Ok(page) = from_json::<PageLine>(&line) else { continue };
        let (url, listed) = (without_fragment(&page.url), Listed::from(&page));
        if url.len() > FIELD_BYTES_MAX {
            continue;
        }
        let bytes = url.len() + listed.title.as_ref().map_or(0, String::len);
        let Some(rest) = left.checked_sub(bytes) else { return };
        left = rest;
        pages.insert(url.to_owned(), listed);
    }
}

impl ArchiveReader for WaczReader {
    fn next_record(&mut self) -> Option<Result<ArchiveRecord, ArchiveError>> {
        if let Some(failure) = self.failures.pop_front() {
            return Some(Err(failure));
        }
        let mut item = self.inner.next_record()?;
        if let Ok(record) = &mut item {
            self.list(record);
        }
        Some(item)
    }

    fn position_bytes(&self) -> u64 {
        self.inner.position_bytes()
    }
}
