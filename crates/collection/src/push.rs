//! A collection's way into an engine.
//!
//! Pages go in the order of their ids, and each 256th part of them is followed by a list of what it holds: each page with a digest of all that was put
//! for it. So what is there already is passed over, what changed is replaced, what is gone is deleted, and a push that was cut off goes on where
//! it was when it is started again. The folder itself is only read.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::iter::Peekable;

use lopper_archive::page::PageId;
use lopper_faults::failpoint;
use lopper_index::FORMAT_VERSION;
use lopper_index::engine::{BlockEngineWriter, BytesKeeper, BytesWriter};
use lopper_store::{StoreError, StoredPage};
use serde::Serialize;
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use crate::documents::PageDocuments;
use crate::elsewhere::{CAPTURES, LAYER, PAGE, Pushed, TREE, VERSIONS, captures_key};
use crate::{CollectionError, DataFolder};

/// Parts that pages are told apart in, by the first byte of their ids.
const SHARDS: u16 = 256;

/// Pages that are put between two commits, about.
const COMMIT_PAGES: u64 = 5_000;

/// Bytes of a page's entry in a list of versions: its id and its digest.
const ENTRY_BYTES: usize = 16 + 8;

/// Captures of a URL from which on their digest is remembered: each of its pages asks for it.
const MANY_CAPTURES: usize = 16;

/// Stands for a page of which the engine refused something: the next push puts it anew.
const REFUSED: u64 = 0;

/// An engine that takes pages and what belongs to them.
pub trait PushTarget: BlockEngineWriter + BytesWriter {}

impl<T: BlockEngineWriter + BytesWriter> PushTarget for T {}

/// What a push did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct PushReport {
    /// Pages that were put, new or changed.
    pub pages: u64,
    /// Their blocks.
    pub blocks: u64,
    /// Pages that were there already.
    pub unchanged: u64,
    /// Pages that were deleted, since the folder has them no more.
    pub deleted: u64,
    /// Documents that the engine refused for what they are.
    pub refused: u64,
    /// Commits.
    pub commits: u64,
}

/// Makes the engine hold what `folder` does. `observer` is called after each commit.
///
/// # Errors
///
/// [`CollectionError`]; what was committed until then stays, and the next push goes on from there.
pub fn push(
    folder: &DataFolder,
    writer: &mut dyn PushTarget,
    keeper: &dyn BytesKeeper,
    observer: &mut dyn FnMut(&PushReport),
) -> Result<PushReport, CollectionError> {
    let before = keeper.checkpoint().unwrap_or_default();
    let former = Pushed::read(Some(&before))?;
    if former.is_some_and(|former| former.format != FORMAT_VERSION) {
        return Err(CollectionError::PushedOtherwise);
    }
    let (report, captured, lists) = (PushReport::default(), HashSet::new(), Vec::new());
    let many_captures = HashMap::new();
    let mut push = Push { folder, writer, keeper, observer, report, captured, many_captures, waiting: 0, lists };
    let mut pages = folder.store().pages().peekable();
    for shard in 0..SHARDS {
        push.shard(shard as u8, &mut pages)?;
        if push.waiting >= COMMIT_PAGES {
            push.commit(&before)?;
        }
    }
    push.end(&before)?;
    Ok(push.report)
}

struct Push<'a> {
    folder: &'a DataFolder,
    writer: &'a mut dyn PushTarget,
    keeper: &'a dyn BytesKeeper,
    observer: &'a mut dyn FnMut(&PushReport),
    report: PushReport,
    /// URLs whose captures were put.
    captured: HashSet<String>,
    /// Digests of the captures of URLs that have many.
    many_captures: HashMap<String, u128>,
    /// Pages since the last commit.
    waiting: u64,
    /// Lists of versions that changed since then, by their keys.
    lists: Vec<(String, BTreeMap<u128, u64>)>,
}

/// All that is put for a page; of its captures the digest.
struct PageBytes {
    row: Vec<u8>,
    tree: Vec<u8>,
    captures: u128,
    /// The captures themselves, where they were read for that.
    listed: Option<Vec<u8>>,
}

impl Push<'_> {
    /// The pages whose ids begin with one byte.
    fn shard(
        &mut self,
        shard: u8,
        pages: &mut Peekable<impl Iterator<Item = Result<StoredPage, StoreError>>>,
    ) -> Result<(), CollectionError> {
        let key = format!("{shard:02x}");
        let mut known = read_versions(self.keeper.kept(VERSIONS, &key)?.as_deref().unwrap_or_default());
        let mut versions = BTreeMap::new();
        let mut has_changed = false;
        while let Some(page) = pages.next_if(|page| page.as_ref().map_or(true, |page| shard_of(page.id) == shard)) {
            let page = page?;
            let Some(bytes) = self.bytes_of(&page)? else { continue };
            let version = bytes.version(self.folder, FORMAT_VERSION);
            versions.insert(page.id.0, version);
            let there = known.remove(&page.id.0);
            if there == Some(version) {
                self.report.unchanged += 1;
                continue;
            }
            has_changed = true;
            self.put(&page, &bytes, there.is_some())?;
        }
        has_changed |= !known.is_empty();
        for gone in known.into_keys() {
            self.delete(PageId(gone))?;
        }
        if has_changed {
            self.lists.push((key, versions));
        }
        Ok(())
    }

    /// `None` where the page is gone.
    fn bytes_of(&mut self, page: &StoredPage) -> Result<Option<PageBytes>, CollectionError> {
        let Some(tree) = self.folder.store().tree_bytes(page.id)? else { return Ok(None) };
        let (captures, listed) = self.captures_digest(&page.url)?;
        Ok(Some(PageBytes { row: json(page)?, tree, captures, listed }))
    }

    /// The digest of a URL's captures, with these unless it is known.
    fn captures_digest(&mut self, url: &str) -> Result<(u128, Option<Vec<u8>>), CollectionError> {
        let key = captures_key(url);
        if let Some(known) = self.many_captures.get(&key) {
            return Ok((*known, None));
        }
        let captures = self.folder.store().captures(url)?;
        let listed = json(&captures)?;
        let digest = xxh3_128(&listed);
        if captures.len() >= MANY_CAPTURES {
            self.many_captures.insert(key, digest);
        }
        Ok((digest, Some(listed)))
    }

    fn put(&mut self, page: &StoredPage, bytes: &PageBytes, is_there: bool) -> Result<(), CollectionError> {
        let id = page.id.to_string();
        let tree = self.folder.decoded(page.id, &bytes.tree)?;
        let documents = PageDocuments::of(page, &tree, &self.folder.params());
        if is_there {
            self.writer.delete_page(&id)?;
        }
        self.writer.add_page(&documents.page, &documents.blocks)?;
        self.writer.keep(PAGE, &id, Some(&bytes.row), Some(&id))?;
        self.writer.keep(TREE, &id, Some(&bytes.tree), Some(&id))?;
        let captures = captures_key(&page.url);
        if self.captured.insert(captures.clone()) {
            let listed = match &bytes.listed {
                Some(listed) => Cow::Borrowed(listed),
                None => Cow::Owned(json(&self.folder.store().captures(&page.url)?)?),
            };
            self.writer.keep(CAPTURES, &captures, Some(&listed), Some(&id))?;
        }
        self.report.pages += 1;
        self.report.blocks += documents.blocks.len() as u64;
        self.waiting += 1;
        failpoint::pass("push.page");
        Ok(())
    }

    fn delete(&mut self, id: PageId) -> Result<(), CollectionError> {
        let id = id.to_string();
        self.forget_captures(&id)?;
        self.writer.delete_page(&id)?;
        for kind in [PAGE, TREE] {
            self.writer.keep(kind, &id, None, Some(&id))?;
        }
        self.report.deleted += 1;
        self.waiting += 1;
        Ok(())
    }

    /// Takes away the captures of a URL of which the folder has none any more; of one with others these are put anew with their pages.
    fn forget_captures(&mut self, id: &str) -> Result<(), CollectionError> {
        let row = self.keeper.kept(PAGE, id)?.unwrap_or_default();
        let Ok(page) = serde_json::from_slice::<StoredPage>(&row) else { return Ok(()) };
        let key = captures_key(&page.url);
        if self.folder.store().captures(&page.url)?.is_empty() && self.captured.insert(key.clone()) {
            self.writer.keep(CAPTURES, &key, None, Some(id))?;
        }
        Ok(())
    }

    fn commit(&mut self, checkpoint: &str) -> Result<(), CollectionError> {
        self.keep_lists()?;
        failpoint::pass("push.before-commit");
        self.writer.commit(checkpoint)?;
        failpoint::pass("push.committed");
        self.report.refused += self.writer.refused();
        self.report.commits += 1;
        self.waiting = 0;
        (self.observer)(&self.report);
        Ok(())
    }

    /// Puts the lists of versions, which say of what was refused that it is not there.
    fn keep_lists(&mut self) -> Result<(), CollectionError> {
        let refused = self.writer.settle()?;
        let refused: HashSet<u128> = refused.iter().filter_map(|id| Some(id.parse::<PageId>().ok()?.0)).collect();
        for (key, mut versions) in std::mem::take(&mut self.lists) {
            for (_, version) in versions.iter_mut().filter(|(page, _)| refused.contains(page)) {
                *version = REFUSED;
            }
            self.writer.keep(VERSIONS, &key, Some(&version_bytes(&versions)), None)?;
        }
        Ok(())
    }

    /// Puts the statistics, and says that all is there.
    fn end(&mut self, before: &str) -> Result<(), CollectionError> {
        let (folder, former) = (self.folder, Pushed::read(Some(before))?);
        let statistics = folder.store().snapshot();
        let mut layers = Vec::new();
        for layer in statistics.layers() {
            let bytes = layer.to_bytes();
            let key = format!("{:032x}", xxh3_128(&bytes));
            let entry = (layer.epoch(), key);
            if !former.as_ref().is_some_and(|former| former.layers.iter().any(|(_, known)| *known == entry.1)) {
                self.writer.keep(LAYER, &entry.1, Some(&bytes), None)?;
            }
            layers.push(entry);
        }
        let pushed = Pushed {
            sequence: folder.store().sequence(),
            extract: folder.params(),
            stats: folder.store().stats(),
            epoch: statistics.epoch(),
            pages: statistics.page_count(),
            layers,
            format: FORMAT_VERSION,
        };
        if self.waiting == 0 && former.as_ref() == Some(&pushed) {
            return Ok(());
        }
        let checkpoint = serde_json::to_string(&pushed).map_err(lopper_index::engine::EngineError::new)?;
        self.commit(&checkpoint)
    }
}

impl PageBytes {
    /// Of what is put for the page by a program of that index format, which says how words become terms.
    fn version(&self, folder: &DataFolder, format: u32) -> u64 {
        let mut digest = Xxh3::new();
        digest.update(&format.to_le_bytes());
        digest.update(folder.params().digest().as_bytes());
        for bytes in [&self.row, &self.tree] {
            digest.update(&(bytes.len() as u64).to_le_bytes());
            digest.update(bytes);
        }
        digest.update(&self.captures.to_le_bytes());
        digest.digest().max(REFUSED + 1)
    }
}

fn json(value: &impl Serialize) -> Result<Vec<u8>, CollectionError> {
    Ok(serde_json::to_vec(value).map_err(lopper_index::engine::EngineError::new)?)
}

fn shard_of(id: PageId) -> u8 {
    (id.0 >> 120) as u8
}

fn version_bytes(versions: &BTreeMap<u128, u64>) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(versions.len() * ENTRY_BYTES);
    for (page, version) in versions {
        bytes.extend_from_slice(&page.to_be_bytes());
        bytes.extend_from_slice(&version.to_be_bytes());
    }
    bytes
}

fn read_versions(bytes: &[u8]) -> BTreeMap<u128, u64> {
    let (entries, _) = bytes.as_chunks::<ENTRY_BYTES>();
    let number = |bytes: &[u8]| bytes.iter().fold(0u128, |number, byte| number << 8 | u128::from(*byte));
    entries.iter().map(|entry| (number(&entry[..16]), number(&entry[16..]) as u64)).collect()
}

#[cfg(test)]
mod tests {
    use lopper_content::pipeline::ExtractParams;

    use super::*;

    #[test]
    fn a_page_of_another_format_is_put_anew() {
        let dir = tempfile::tempdir().unwrap();
        let folder = DataFolder::open_to_write(dir.path(), ExtractParams::default()).unwrap();
        let page = PageBytes { row: vec![1], tree: Vec::new(), captures: 7, listed: None };
        assert_eq!(page.version(&folder, FORMAT_VERSION), page.version(&folder, FORMAT_VERSION));
        assert_ne!(page.version(&folder, FORMAT_VERSION), page.version(&folder, FORMAT_VERSION - 1));
    }

    #[test]
    fn versions_come_back() {
        let versions = BTreeMap::from([(7, u64::MAX), (u128::MAX, 0), (1 << 120, 3)]);
        assert_eq!(read_versions(&version_bytes(&versions)), versions);
        assert_eq!(read_versions(&[1; 23]), BTreeMap::new());
        assert_eq!((shard_of(PageId(1 << 120)), shard_of(PageId(u128::MAX)), shard_of(PageId(9))), (1, 255, 0));
    }
}
