//! All files of a data folder as of one commit, while another process may go on writing: for copying them.
//!
//! Nothing is copied here: the files are held open. A file that only grows counts up to the length that it had, one that is never changed can
//! be read after it was removed, and what is replaced as a whole was read. sled's files are not among them: a copy taken while they are
//! written is of no one moment, and all their rows are in the files for readers.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use lopper_index::{CommitFiles as IndexFiles, IndexError};
use lopper_migrations::{DATA_VERSION, MARKER, collection_name};
use lopper_store::{CommitFiles as StoreFiles, Sequence, Store, StoreError};

use crate::CollectionError;
use crate::checkpoint::{BETWEEN_LOOKS, agreeing, checkpoint_of};
use crate::index_folder::index_path;

/// How long files are looked for that agree.
const WAIT_MAX: Duration = Duration::from_secs(30);

/// The files of one commit.
#[derive(Debug)]
pub struct Snapshot {
    /// The store's commit.
    pub sequence: Sequence,
    /// Version of the folder.
    pub data_version: u32,
    /// Name of the collection, where the folder has one.
    pub collection: Option<String>,
    /// Distinct pages.
    pub pages: u64,
    /// Main blocks.
    pub blocks: u64,
    /// All files but sled's, in order of their names.
    pub files: Vec<SnapshotFile>,
}

/// A file of a snapshot.
#[derive(Debug)]
pub struct SnapshotFile {
    /// Its path in the data folder, with `/`.
    pub name: String,
    /// Its length, of which it has more by now if it grows.
    pub bytes: u64,
    content: Content,
}

#[derive(Debug)]
enum Content {
    Open(File),
    Read(Vec<u8>),
}

impl SnapshotFile {
    /// A file whose content is known.
    pub fn of_bytes(name: impl Into<String>, bytes: Vec<u8>) -> Self {
        Self { name: name.into(), bytes: bytes.len() as u64, content: Content::Read(bytes) }
    }

    fn of_file(name: String, file: File, bytes: u64) -> Self {
        Self { name, bytes, content: Content::Open(file) }
    }

    /// Exactly `length` bytes at `offset_bytes`.
    ///
    /// # Errors
    ///
    /// What the system says; `UnexpectedEof` behind the end.
    pub fn read(&self, offset_bytes: u64, length: usize) -> io::Result<Vec<u8>> {
        if self.bytes < offset_bytes.saturating_add(length as u64) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        match &self.content {
            Content::Read(bytes) => Ok(bytes[offset_bytes as usize..][..length].to_vec()),
            Content::Open(file) => {
                let (mut file, mut bytes) = (file, vec![0; length]);
                file.seek(SeekFrom::Start(offset_bytes))?;
                file.read_exact(&mut bytes)?;
                Ok(bytes)
            }
        }
    }
}

impl Snapshot {
    /// The last commit of `data` that store and index have. Takes no lock and writes nothing.
    ///
    /// # Errors
    ///
    /// [`CollectionError`] where the folder cannot be read; not because of others that use it.
    pub fn open(data: &Path) -> Result<Self, CollectionError> {
        Store::must_exist(data)?;
        let started = Instant::now();
        loop {
            // Where a crash left the two apart, the index is brought up to date by whoever opens the copy.
            let (index, _, store) = agreeing(data, || {
                let index = index_files(data)?;
                let payload = index.as_ref().and_then(|index| index.payload.as_deref());
                let checkpoint = checkpoint_of(data, payload)?;
                Ok((index, checkpoint))
            })?;
            match store.commit_files()? {
                Some(files) => return Self::of_parts(data, &store, files, index),
                None if started.elapsed() > WAIT_MAX => {
                    return Err(StoreError::DataInUse { data: data.to_owned() }.into());
                }
                None => sleep(BETWEEN_LOOKS),
            }
        }
    }

    fn of_parts(
        data: &Path,
        store: &Store,
        store_files: StoreFiles,
        index: Option<IndexFiles>,
    ) -> Result<Self, CollectionError> {
        let io = |path: &Path| {
            let path = path.to_owned();
            move |source| StoreError::Io { action: "read", path, source }
        };
        let marker = data.join(MARKER);
        let marker = fs::read(&marker).map_err(io(&marker))?;
        let collection = collection_name(&marker);
        let mut files = vec![SnapshotFile::of_bytes(MARKER, marker)];
        files.extend(store_files.open.into_iter().map(|(name, file, bytes)| SnapshotFile::of_file(name, file, bytes)));
        files.extend(store_files.written.into_iter().map(|(name, bytes)| SnapshotFile::of_bytes(name, bytes)));
        if let Some(index) = index {
            for (name, file) in index.open {
                let bytes = file.metadata().map_err(io(&index_path(data).join(&name)))?.len();
                files.push(SnapshotFile::of_file(format!("index/{name}"), file, bytes));
            }
            let written = index.written.into_iter();
            files.extend(written.map(|(name, bytes)| SnapshotFile::of_bytes(format!("index/{name}"), bytes)));
        }
        files.sort_by(|one, other| one.name.cmp(&other.name));
        let stats = store.stats();
        let (pages, blocks) = (stats.distinct_pages, stats.blocks);
        Ok(Self { sequence: store.sequence(), data_version: DATA_VERSION, collection, pages, blocks, files })
    }
}

/// `None` where nothing was committed yet.
fn index_files(data: &Path) -> Result<Option<IndexFiles>, CollectionError> {
    match IndexFiles::open(&index_path(data)) {
        Err(IndexError::NotFound { .. }) if Store::published_sequence(data).unwrap_or_default() == Sequence(0) => {
            Ok(None)
        }
        Err(IndexError::NotFound { .. }) => Err(CollectionError::IndexLost { data: data.to_owned() }),
        opened => Ok(Some(opened?)),
    }
}
