//! The lines of a part.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lopper_archive::FailureCode;
use lopper_archive::page::SkipReason;
use lopper_index::{BlockDocument, PageDocument};
use lopper_store::{ArchiveKey, Revisit};
use serde::{Deserialize, Serialize};

use super::ByteRange;

pub use lopper_archive::paths::PART_ENDING;

/// Version of the form of parts.
pub(super) const PART_VERSION: u32 = 2;

/// Whether a file of that name is a part.
pub fn is_part_name(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(PART_ENDING))
}

/// The first line: what the part was made of, and by what.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartHead {
    /// Version of the form of parts.
    pub lopper_part: u32,
    /// Version of the program.
    pub version: String,
    /// The archive's path or URL.
    pub archive: String,
    /// Its identity in the ledger, 32 hexadecimal digits.
    pub archive_id: String,
    /// Hash of its content, 32 hexadecimal digits.
    pub fingerprint: String,
    /// The bytes in which its records begin; none for the whole archive.
    pub range: Option<ByteRange>,
    /// Digest of the parameters of the extraction.
    pub params: String,
    /// Digest of the limits on records and pages.
    pub limits: String,
    /// Digest of the counts that the plain blocks were weighed and pruned by; none for blocks that were judged by their page alone.
    pub weighed_by: Option<String>,
    /// Whether the pages' HTML goes with them.
    pub html: bool,
}

impl PartHead {
    /// The name of the part: of whatever the archive is called, and of a digest of all that makes its bytes.
    pub fn name(&self) -> String {
        let path = self.archive.trim_end_matches('/');
        let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' };
        let file: String = file.chars().map(plain).take(100).collect();
        let range = self.range.map(|range| format!(".{:015}", range.start)).unwrap_or_default();
        let bytes = serde_json::to_vec(self).unwrap_or_default();
        format!("{file}{range}.{:016x}{PART_ENDING}", xxhash_rust::xxh3::xxh3_64(&bytes))
    }

    /// The archive as the ledger has it; a range of one is an entry of its own.
    pub fn key(&self) -> Option<ArchiveKey> {
        let number = |digits: &str| u128::from_str_radix(digits, 16).ok();
        let (id, fingerprint) = (number(&self.archive_id)?, number(&self.fingerprint)?);
        Some(ArchiveKey { id, path: PathBuf::from(&self.archive), fingerprint, site: None })
    }
}

/// What a record became.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "became", rename_all = "snake_case")]
pub enum Became {
    /// A page with its blocks.
    Page {
        /// What the page says of itself.
        page: PartPage,
        /// Its blocks, in page order; none where the page is beyond the limits.
        blocks: Vec<PartBlock>,
        /// The payload digest that the archive declares.
        declared: Option<String>,
        /// The page as it was judged, for a collection: base64.
        judged: String,
    },
    /// A capture whose body is that of an earlier one.
    Revisit {
        /// What it says of that one.
        revisit: Revisit,
    },
    /// Nothing, although nothing is broken.
    Skipped {
        /// Why.
        reason: SkipReason,
    },
    /// It could not be read, decoded or analysed.
    Failed {
        /// The reason.
        code: FailureCode,
        /// The reason in words.
        message: String,
        /// The record's id.
        record_id: Option<String>,
    },
}

/// A line: one record of the archive.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PartLine {
    /// Number of the record in the part's range, from 0.
    pub ordinal: u64,
    /// Offset of the record in the archive.
    pub offset_bytes: u64,
    /// Bytes of the archive that are read behind it.
    pub position_bytes: u64,
    /// Bytes of its payload.
    pub payload_bytes: u64,
    /// What is wrong with it although it could be read.
    pub remark: Option<String>,
    /// What it became.
    #[serde(flatten)]
    pub became: Became,
}

/// What every block of a page shares.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PartPage {
    /// Identity: of URL and capture time.
    pub page_id: String,
    /// URL as the archive has it.
    pub url: String,
    /// Canonical form of the URL.
    pub canonical_url: Option<String>,
    /// Host of the URL.
    pub host: String,
    /// Title.
    pub title: String,
    /// Description of the page by itself.
    pub description: String,
    /// ISO 639-1 code; empty when unknown.
    pub language: String,
    /// Type of the page; empty when not told.
    pub page_type: String,
    /// Capture time, seconds since 1970.
    pub captured_at: Option<i64>,
}

/// A block in plain fields.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PartBlock {
    /// Stable name of the block.
    pub block_id: String,
    /// Order in its page, from 0.
    pub ordinal: u32,
    /// Headings above it, outermost first.
    pub heading_path: Vec<String>,
    /// Its text.
    pub text: String,
    /// Identifier of the nearest element that has one.
    pub anchor: Option<String>,
    /// CSS selector in the page.
    pub css_path: String,
    /// Cosine of block and page topic.
    pub similarity: f32,
    /// Weight.
    pub weight: f32,
    /// Probability of being content.
    pub content: f32,
    /// Share of its words that are inside links.
    pub link_share: f32,
}

/// A record that a watchdog took out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quarantined {
    /// Number of the record.
    pub ordinal: u64,
    /// Its offset in the archive.
    pub offset_bytes: u64,
    /// What it did to the worker.
    pub reason: String,
}

/// The last line: sums. A part without it is not whole.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartEnd {
    /// Records, with unreadable places.
    pub records: u64,
    /// Pages.
    pub pages: u64,
    /// Their blocks.
    pub blocks: u64,
    /// Revisit records.
    pub revisits: u64,
    /// Records that gave no page, by reason.
    pub skipped: BTreeMap<SkipReason, u64>,
    /// Records that failed; those in quarantine are among them.
    pub failed: u64,
    /// Records that were taken out.
    pub quarantined: Vec<Quarantined>,
    /// Bytes of the archive that were read.
    pub position_bytes: u64,
}

/// [`PartEnd`] as it stands in the line.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct EndLine {
    pub(super) end: PartEnd,
}

impl PartEnd {
    /// Counts a line.
    pub(super) fn count(&mut self, line: &PartLine) {
        self.records += 1;
        self.position_bytes = line.position_bytes;
        match &line.became {
            Became::Page { blocks, .. } => {
                self.pages += 1;
                self.blocks += blocks.len() as u64;
            }
            Became::Revisit { .. } => self.revisits += 1,
            Became::Skipped { reason } => *self.skipped.entry(*reason).or_default() += 1,
            Became::Failed { code, message, .. } => {
                self.failed += 1;
                if *code == FailureCode::Quarantined {
                    let (ordinal, offset_bytes, reason) = (line.ordinal, line.offset_bytes, message.clone());
                    self.quarantined.push(Quarantined { ordinal, offset_bytes, reason });
                }
            }
        }
    }
}

impl PartPage {
    pub(super) fn of(page: &PageDocument, first: Option<&BlockDocument>) -> Self {
        let text = |get: fn(&BlockDocument) -> &String| first.map(get).cloned().unwrap_or_default();
        Self {
            page_id: page.page_id.clone(),
            url: page.url.clone(),
            canonical_url: first.and_then(|block| block.canonical_url.clone()),
            host: text(|block| &block.host),
            title: page.title.clone(),
            description: page.description.clone(),
            language: page.language.code().to_owned(),
            page_type: text(|block| &block.page_type),
            captured_at: first.and_then(|block| block.captured_at),
        }
    }
}

impl From<BlockDocument> for PartBlock {
    fn from(block: BlockDocument) -> Self {
        Self {
            block_id: block.block_id,
            ordinal: block.ordinal,
            heading_path: block.heading_path,
            text: block.body,
            anchor: block.anchor,
            css_path: block.css_path,
            similarity: block.similarity,
            weight: block.weight,
            content: block.content,
            link_share: block.link_share,
        }
    }
}
