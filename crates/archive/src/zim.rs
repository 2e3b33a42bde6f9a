//! ZIM: pages of an encyclopaedia or of a site, in compressed clusters.

use std::collections::VecDeque;
use std::path::PathBuf;

use lopper_content::limits::Limits;

use super::member::{file_url, member_path};
use super::open::NestedPlace;
use super::record::{ArchiveError, ArchiveReader, ArchiveRecord, Payload, RecordKind};
use super::shared_file::SharedFile;
use super::zim_cluster::Clusters;
use super::zim_file::{Dirent, Target, ZimFile};

/// Entries that are put into the order of their clusters at a time, so that a cluster is decoded once and not per entry.
const BATCH_ENTRIES: u32 = 1 << 14;

/// Reads the entries of a ZIM.
pub(super) struct ZimReader {
    zim: ZimFile,
    clusters: Clusters,
    archive: PathBuf,
    limits: Limits,
    has_all_bodies: bool,
    /// Number of the next entry to list.
    next: u32,
    listed: VecDeque<Result<Dirent, ArchiveError>>,
    /// Whether it was told that the list of media types is damaged.
    is_damage_told: bool,
}

impl ZimReader {
    pub(super) fn open(file: SharedFile, place: NestedPlace) -> Result<Self, ArchiveError> {
        let NestedPlace { archive, limits, has_all_bodies, .. } = place;
        let zim = ZimFile::open(file.clone()).map_err(|reason| ArchiveError::Malformed {
            archive: archive.clone(),
            offset_bytes: 0,
            record_id: None,
            reason,
        })?;
        let clusters = Clusters::new(file, limits.payload_bytes_max);
        let listed = VecDeque::new();
        Ok(Self { zim, clusters, archive, limits, has_all_bodies, next: 0, listed, is_damage_told: false })
    }

    /// Lists the next entries in the order of their clusters.
    fn list(&mut self) {
        let until = self.next.saturating_add(BATCH_ENTRIES).min(self.zim.entries());
        let mut entries: Vec<_> = (self.next..until).map(|number| self.dirent(number)).collect();
        entries.sort_by_key(|entry| entry.as_ref().map_or((0, 0), Dirent::place));
        self.listed.extend(entries);
        self.next = until;
    }

    fn dirent(&self, number: u32) -> Result<Dirent, ArchiveError> {
        self.zim.dirent(number).map_err(|reason| self.malformed(self.zim.pointer_offset(number), None, reason))
    }

    /// What is wrong with the list of media types, if it has none for `entry`.
    fn damage_of_media_types(&self, entry: &Dirent) -> Option<ArchiveError> {
        let Target::Blob { media_type, .. } = entry.target else { return None };
        if self.zim.media_type(media_type).is_some() {
            return None;
        }
        let reason = format!(
            "the list of media types is damaged: it has no number {media_type}, which {} is of; what such entries are \
             is told by their content",
            entry.name()
        );
        Some(self.malformed(self.zim.media_types_at(), None, reason))
    }

    fn malformed(&self, offset_bytes: u64, name: Option<&str>, reason: String) -> ArchiveError {
        let archive = name.map_or_else(|| self.archive.clone(), |name| member_path(&self.archive, name));
        ArchiveError::Malformed { archive, offset_bytes, record_id: None, reason }
    }

    fn record(&mut self, entry: &Dirent) -> Result<ArchiveRecord, ArchiveError> {
        let name = entry.name();
        let archive = member_path(&self.archive, &name);
        let url = file_url(&archive);
        let record = |kind, payload| ArchiveRecord::new(kind, url.clone(), archive.clone(), entry.offset, payload);
        let Target::Blob { media_type, cluster, blob } = entry.target else {
            return Ok(record(RecordKind::Redirect, Payload::Skipped));
        };
        let content_type = self.zim.media_type(media_type).map(str::to_owned);
        // Without a media type the content itself tells.
        let is_wanted = self.has_all_bodies || content_type.as_deref().is_none_or(is_html);
        let body = if is_wanted { self.blob(entry, cluster, blob)? } else { Vec::new() };
        Ok(record(RecordKind::Resource, Payload::Bare { content_type, body }))
    }

    fn blob(&mut self, entry: &Dirent, cluster: u32, blob: u32) -> Result<Vec<u8>, ArchiveError> {
        let offset = self.zim.cluster_offset(cluster);
        let offset = offset.map_err(|reason| self.malformed(entry.offset, Some(&entry.name()), reason))?;
        let body = self.clusters.blob(offset, blob);
        let body = body.map_err(|error| self.malformed(entry.offset, Some(&entry.name()), error))?;
        if body.len() > self.limits.payload_bytes_max {
            let (archive, max) = (self.archive.clone(), self.limits.payload_bytes_max as u64);
            let offset_bytes = entry.offset;
            return Err(ArchiveError::TooLarge { archive, offset_bytes, record_id: None, what: "the entry", max });
        }
        Ok(body)
    }
}

fn is_html(media_type: &str) -> bool {
    let essence = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    matches!(essence.as_str(), "text/html" | "application/xhtml+xml")
}

impl ArchiveReader for ZimReader {
    fn next_record(&mut self) -> Option<Result<ArchiveRecord, ArchiveError>> {
        if self.listed.is_empty() {
            self.list();
        }
        let entry = self.listed.pop_front()?;
        if let (Ok(unlisted), false) = (&entry, self.is_damage_told)
            && let Some(damage) = self.damage_of_media_types(unlisted)
        {
            self.listed.push_front(entry);
            self.is_damage_told = true;
            return Some(Err(damage));
        }
        Some(entry.and_then(|entry| self.record(&entry)))
    }

    fn position_bytes(&self) -> u64 {
        let done = u64::from(self.next) - self.listed.len() as u64;
        self.zim.len() / u64::from(self.zim.entries().max(1)) * done
    }
}
