//! An archive that is open for reading, with its identity in the ledger.

use std::io::stdin;
use std::path::{Path, PathBuf};

use lopper_archive::page::PageId;
use lopper_archive::{ArchiveError, ArchiveReader, ArchiveRecord, ResumePoint, archive_file};
use lopper_content::limits::Limits;
use lopper_content::text::url::canonical_or_written;
use lopper_store::{ArchiveKey, Checkpoint, RecordFacts, Store};
use url::Url;

use super::fingerprint::fingerprint;
use super::known::{Grown, KnownArchives, is_by_place, real_path};
use super::{IngestOptions, Site};

/// The path that stands for standard input.
pub(super) const STANDARD_INPUT: &str = "-";

/// An open archive.
pub(super) struct Source {
    /// The path as the run was given it.
    given: PathBuf,
    /// Where its HTML files are published.
    site: Option<Site>,
    pub(super) key: ArchiveKey,
    pub(super) reader: Box<dyn ArchiveReader + Send>,
    first: Option<Result<ArchiveRecord, ArchiveError>>,
    /// The next record's number.
    ordinal: u64,
    /// Whether an earlier run read the archive to what was its end then.
    pub(super) is_grown: bool,
}

impl Source {
    /// Opens the archive at `path` and reads its first record, which tells whether the file's place is in its pages' URLs.
    pub(super) fn open(
        path: &Path,
        store: &Store,
        known: &KnownArchives,
        options: &IngestOptions,
    ) -> Result<Self, ArchiveError> {
        let (given, limits, site) = (path, &options.limits, &options.site);
        if path == Path::new(STANDARD_INPUT) {
            return Self::standard_input(path, store, limits);
        }
        if let Some(file) = archive_file(path).filter(|file| file != path) {
            return Err(ArchiveError::LeadsIntoFile { path: path.to_owned(), file });
        }
        let path = &real_path(path);
        let content = fingerprint(path).map_err(|source| ArchiveError::Io { archive: path.to_owned(), source })?;
        let grown = if options.again { None } else { known.grown(path, store, limits) };
        if let Some(Grown { id, reader, first, ordinal }) = grown {
            let key = ArchiveKey { id, ..ArchiveKey::by_content(path, content) };
            return Ok(Self { first: Some(first), ordinal, is_grown: true, ..Self::of(given, key, reader) });
        }
        let mut reader = lopper_archive::open(path, limits)?;
        let first = reader.next_record();
        let by_place = is_by_place(first.as_ref());
        let site = site.clone().filter(|_| by_place);
        let key = if by_place {
            let file_url = Url::from_file_path(path).map(String::from).unwrap_or_default();
            let fingerprint = site.as_ref().map_or(content, |site| site.fingerprint(content, given, &file_url));
            let of_site = site.as_ref().filter(|site| site.address_of(given, &file_url).is_some());
            ArchiveKey { site: of_site.and_then(Site::folder_url), ..ArchiveKey::by_place(path, fingerprint) }
        } else {
            ArchiveKey { id: known.id_of(content), ..ArchiveKey::by_content(path, content) }
        };
        Ok(Self { site, first, ..Self::of(given, key, reader) })
    }

    fn of(given: &Path, key: ArchiveKey, reader: Box<dyn ArchiveReader + Send>) -> Self {
        Self { given: given.to_owned(), site: None, key, reader, first: None, ordinal: 0, is_grown: false }
    }

    /// What comes by standard input is known to nobody before it is read: each time it is an archive of its own.
    fn standard_input(path: &Path, store: &Store, limits: &Limits) -> Result<Self, ArchiveError> {
        let reader = lopper_archive::open_source(stdin(), None, path, limits)?;
        let number = format!("standard input {}", store.sequence());
        let key = ArchiveKey::by_content(path, xxhash_rust::xxh3::xxh3_128(number.as_bytes()));
        Ok(Self::of(path, key, reader))
    }

    /// What is known of the first record's page by its head, where that can be read.
    pub(super) fn first_page(&self) -> Option<RecordFacts> {
        let record = self.first.as_ref()?.as_ref().ok()?;
        let url = self.address_of(&record.url).unwrap_or_else(|| record.url.clone());
        let (id, captured_at) = (PageId::of(&url, record.captured_at), record.captured_at);
        let canonical_url = canonical_or_written(&url);
        Some(RecordFacts { id, canonical_url, captured_at, digest: None, declared_digest: None })
    }

    /// Goes to `point` without reading what is before it. Where that fails it stays at the first record, so that reading passes over.
    pub(super) fn go_to(&mut self, point: ResumePoint, limits: &Limits) {
        if let Ok(reader) = lopper_archive::open_at(&self.key.path, point, limits) {
            (self.reader, self.first, self.ordinal) = (reader, None, point.ordinal);
        }
    }

    /// The next record, with its number.
    pub(super) fn next(&mut self) -> Option<(u64, Result<ArchiveRecord, ArchiveError>)> {
        let item = self.first.take().or_else(|| self.reader.next_record())?;
        self.ordinal += 1;
        Some((self.ordinal - 1, item.map(|record| self.published(record))))
    }

    /// The record under the address at which its file is published.
    fn published(&self, record: ArchiveRecord) -> ArchiveRecord {
        match self.address_of(&record.url) {
            Some(url) => ArchiveRecord { url, ..record },
            None => record,
        }
    }

    /// Where the site has the file that has such a URL.
    fn address_of(&self, file_url: &str) -> Option<String> {
        self.site.as_ref()?.address_of(&self.given, file_url)
    }

    /// How far it was read.
    pub(super) fn checkpoint(&self, finished: bool) -> Checkpoint {
        let (position_bytes, resume_point) = (self.reader.position_bytes(), self.reader.resume_point());
        Checkpoint { position_bytes, finished, resume_point }
    }
}
