//! A page on its way into the store.

use lopper_content::statistics::PageKeys;
use serde::{Deserialize, Serialize};

use super::batch::RecordFacts;
use super::blobs::Blob;
use super::pack::packed;
use super::{BodyPlace, KeptBody, StoreError, StoredPage};

/// Bytes of a page's tree, before compression. Page texts end at 16 MiB.
const TREE_BYTES_MAX: usize = 256 << 20;

/// Level 3 would make the file an eighth smaller, for half as much work again.
const TREE_COMPRESSION_LEVEL: i32 = 1;

/// A page on its way into the store: metadata, tree and keys. Made where the page was read, since it compresses the tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PagePut {
    pub(super) page: StoredPage,
    pub(super) blob: Blob,
    pub(super) body: BodyPut,
    declared_digest: Option<String>,
    /// The epoch of the statistics that it was weighed by.
    pub(super) epoch: u64,
}

/// Where the page's body goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum BodyPut {
    Nowhere,
    InArchive,
    Keep(KeptBody),
    /// It is in the file of bodies already, at this offset.
    KeptAt(u64),
}

impl PagePut {
    /// `tree` is whatever the caller wants back from [`Store::tree_bytes`](super::Store::tree_bytes); its first `start_bytes` can be had alone
    /// by [`Store::tree_start`](super::Store::tree_start). `keys` are what the collection's statistics count.
    ///
    /// # Errors
    ///
    /// [`StoreError::TreeTooLarge`] above 256 MiB.
    pub fn new(page: StoredPage, tree: &[u8], start_bytes: usize, keys: PageKeys) -> Result<Self, StoreError> {
        let tree_compressed = (tree.len() <= TREE_BYTES_MAX).then(|| packed_tree(tree, start_bytes)).flatten();
        let tree_compressed = tree_compressed.ok_or_else(|| StoreError::TreeTooLarge {
            url: page.url.clone(),
            bytes: tree.len(),
            max: TREE_BYTES_MAX,
        })?;
        let blob = Blob { keys, tree_compressed, tree_bytes: tree.len() as u32 };
        Ok(Self::of_blob(page, blob))
    }

    pub(super) fn of_blob(mut page: StoredPage, blob: Blob) -> Self {
        page.shorten();
        let body = if page.body == BodyPlace::None { BodyPut::Nowhere } else { BodyPut::InArchive };
        Self { page, blob, body, declared_digest: None, epoch: 0 }
    }

    /// With the page's HTML, to be kept in the data folder.
    #[must_use]
    pub fn keeping(mut self, body: Option<KeptBody>) -> Self {
        if let Some(body) = body {
            self.page.body = BodyPlace::Kept;
            self.body = BodyPut::Keep(body);
        }
        self
    }

    /// With the place of its HTML in the file of bodies.
    #[must_use]
    pub(crate) fn kept_at(mut self, offset_bytes: u64) -> Self {
        self.page.body = BodyPlace::Kept;
        self.body = BodyPut::KeptAt(offset_bytes);
        self
    }

    /// With the payload digest that the archive declares, by which revisit records find the page.
    #[must_use]
    pub fn declaring(mut self, digest: Option<String>) -> Self {
        self.declared_digest = digest;
        self
    }

    /// With the epoch of the statistics that it was weighed by.
    #[must_use]
    pub fn weighed_by(mut self, epoch: u64) -> Self {
        self.epoch = epoch;
        self
    }

    /// The page's metadata.
    pub fn page(&self) -> &StoredPage {
        &self.page
    }

    /// What the collection's statistics count of it.
    pub fn keys(&self) -> &PageKeys {
        &self.blob.keys
    }

    /// What tells whether it is a duplicate.
    pub fn facts(&self) -> RecordFacts {
        RecordFacts {
            id: self.page.id,
            canonical_url: self.page.canonical_url.clone(),
            captured_at: self.page.captured_at,
            digest: self.page.digest,
            declared_digest: self.declared_digest.clone(),
        }
    }

    /// With another number of main blocks.
    #[must_use]
    pub fn with_main_blocks(mut self, main_blocks: u32) -> Self {
        self.page.main_blocks = main_blocks;
        self
    }

    /// The tree as it was given.
    pub(super) fn tree_bytes(&self) -> Option<Vec<u8>> {
        zstd::bulk::decompress(&self.blob.tree_compressed, self.blob.tree_bytes as usize).ok()
    }

    /// Memory that it takes, about.
    pub fn size_bytes(&self) -> usize {
        let page = &self.page;
        let texts = [&page.url, &page.canonical_url, &page.title, &page.description];
        let body = if let BodyPut::Keep(body) = &self.body { body.size_bytes() } else { 0 };
        size_of::<Self>()
            + texts.map(String::len).into_iter().sum::<usize>()
            + self.blob.tree_compressed.len()
            + self.blob.keys.len() * size_of::<u64>()
            + body
    }
}

/// The tree as one compressed frame, or as two, the first of which gives the start.
fn packed_tree(tree: &[u8], start_bytes: usize) -> Option<Vec<u8>> {
    let (start, rest) = tree.split_at_checked(start_bytes)?;
    let rest = packed(rest, TREE_COMPRESSION_LEVEL).ok()?;
    if start.is_empty() {
        return Some(rest);
    }
    let start = packed(start, TREE_COMPRESSION_LEVEL).ok()?;
    Some([start, rest].concat())
}
