//! Pages that come and go with a commit.

use std::collections::HashSet;

use lopper_archive::page::{PageId, Provenance};

use super::blobs::{Blob, BlobPointer};
use super::captures::{CaptureKind, CaptureRow};
use super::commit::Commit;
use super::digest::url_hash;
use super::page::{BodyRow, PageLinks, PageOrigin, PageRow};
use super::put::BodyPut;
use super::{ContentDigest, PagePut, StoreError, keys};

/// Pages of one content from which on they are remembered: a host may have thousands of the same, and all be deleted.
const MANY_SHARERS: usize = 16;

impl Commit<'_> {
    /// Appends the page's tree, unless it shares one, and its body, and notes its rows.
    pub(super) fn put(&mut self, put: PagePut, origin: &PageOrigin, shares: Option<PageId>) -> Result<(), StoreError> {
        let PagePut { page, blob, body, .. } = put;
        let id = page.id;
        let shared = shares.map(|other| self.row(other)).transpose()?.flatten().map(|row| row.links);
        if let Some(old) = self.row(id)? {
            self.replace(id, &old, origin)?;
        }
        if !self.pages.contains_key(&id) {
            self.order.push(id);
        }
        let (tree, keys) = match &shared {
            Some(links) => (links.tree, self.store.blobs.keys(&links.tree)?),
            None => (self.append_tree(&blob)?, blob.keys),
        };
        let body = self.append_body(body, shared.map(|links| links.body))?;
        self.change.add(&keys);
        let links = PageLinks { archive_id: origin.archive_id, ordinal: origin.ordinal, tree, body };
        let row = PageRow::new(page, links);
        self.next.meta.counters.add(&row);
        self.count_host(&row.host, true)?;
        self.link(id, &row, origin)?;
        self.pages.insert(id, row);
        Ok(())
    }

    fn append_tree(&mut self, blob: &Blob) -> Result<BlobPointer, StoreError> {
        let trees_bytes = &mut self.next.meta.trees_bytes;
        let pointer = self.store.blobs.append(*trees_bytes, blob)?;
        *trees_bytes += pointer.record_bytes();
        Ok(pointer)
    }

    fn append_body(&mut self, body: BodyPut, shared: Option<BodyRow>) -> Result<BodyRow, StoreError> {
        let kept = match body {
            BodyPut::Nowhere => return Ok(BodyRow::None),
            BodyPut::InArchive => return Ok(BodyRow::Archive),
            BodyPut::KeptAt(offset_bytes) => return Ok(BodyRow::Kept(offset_bytes)),
            BodyPut::Keep(kept) => kept,
        };
        let same = shared.and_then(|row| if let BodyRow::Kept(at) = row { Some(at) } else { None });
        let bodies_bytes = &mut self.next.meta.bodies_bytes;
        let offset_bytes = *bodies_bytes;
        *bodies_bytes = self.store.bodies.append(offset_bytes, &kept, same)?;
        Ok(BodyRow::Kept(offset_bytes))
    }

    /// Notes the rows that lead to page `id`: its capture and its content.
    fn link(&mut self, id: PageId, row: &PageRow, origin: &PageOrigin) -> Result<(), StoreError> {
        let url = url_hash(row.canonical_url());
        if let Some(digest) = row.digest() {
            self.rows.insert(&keys::content(digest, url), &id.0.to_be_bytes());
        }
        let capture = CaptureRow {
            captured_at: origin.captured_at,
            page: id.0.to_be_bytes(),
            kind: CaptureKind::Page,
            archive_id: origin.archive_id,
            offset_bytes: origin.offset_bytes,
        };
        self.capture(&keys::capture(url, origin), &capture)
    }

    /// Takes page `id` out; its captures go by changes of their own.
    pub(super) fn remove(&mut self, id: PageId) -> Result<(), StoreError> {
        let Some(old) = self.row(id)? else { return Ok(()) };
        self.retire(id, &old)?;
        self.pages.remove(&id);
        self.order.retain(|put| *put != id);
        self.removed.insert(id);
        if let Some(sharers) = old.digest().and_then(|digest| self.sharers.get_mut(&digest)) {
            sharers.remove(&id);
        }
        self.rows.remove(&keys::page(id));
        Ok(())
    }

    /// Ties page `id` to another record.
    pub(super) fn move_page(
        &mut self,
        id: PageId,
        origin: &PageOrigin,
        provenance: Provenance,
    ) -> Result<(), StoreError> {
        let Some(mut row) = self.row(id)? else { return Ok(()) };
        row.move_to(origin, provenance);
        if self.pages.insert(id, row).is_none() {
            self.order.push(id);
        }
        Ok(())
    }

    /// Takes `old`, the former row of page `id`, out of all sums, to make room for that of `origin`.
    fn replace(&mut self, id: PageId, old: &PageRow, origin: &PageOrigin) -> Result<(), StoreError> {
        self.retire(id, old)?;
        if old.origin().is_same_record(origin) {
            self.forget_capture(&keys::capture(url_hash(old.canonical_url()), &old.origin()))?;
        }
        Ok(())
    }

    /// Takes `old`, the former row of page `id`, out of all sums but those of the captures.
    fn retire(&mut self, id: PageId, old: &PageRow) -> Result<(), StoreError> {
        self.change.remove(&self.store.blobs.keys(&old.links.tree)?);
        let url = url_hash(old.canonical_url());
        if let Some(key) = old.digest().map(|digest| keys::content(digest, url))
            && self.current(&key)?.as_deref() == Some(&id.0.to_be_bytes())
        {
            self.rows.remove(&key);
        }
        if !self.is_shared(id, old)? {
            self.next.meta.garbage_bytes += old.links.tree.record_bytes();
        }
        self.next.meta.counters.remove(old);
        self.count_host(&old.host, false)
    }

    /// Whether a page besides `id` has the tree of `row`.
    fn is_shared(&mut self, id: PageId, row: &PageRow) -> Result<bool, StoreError> {
        let Some(digest) = row.digest() else { return Ok(false) };
        let in_batch =
            self.pages.iter().any(|(other, other_row)| *other != id && other_row.links.tree == row.links.tree);
        Ok(in_batch || self.has_other(id, digest)?)
    }

    /// Whether a page of the store besides `id` has a content, and is not deleted.
    fn has_other(&mut self, id: PageId, digest: ContentDigest) -> Result<bool, StoreError> {
        if let Some(sharers) = self.sharers.get(&digest) {
            return Ok(sharers.iter().take(2).any(|other| *other != id));
        }
        let mut sharers: HashSet<PageId> = self.store.pages_with_content(digest)?.into_iter().collect();
        sharers.retain(|page| !self.removed.contains(page));
        let has_other = sharers.iter().any(|other| *other != id);
        if sharers.len() >= MANY_SHARERS {
            self.sharers.insert(digest, sharers);
        }
        Ok(has_other)
    }
}
