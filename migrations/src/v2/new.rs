//! Rows of data version 2, as this step writes them. The order of fields and variants is the format.

use serde::Serialize;

use super::old;

#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct BlobPointer {
    offset_bytes: u64,
    body_bytes: u32,
    terms: u32,
    tree_bytes: u32,
}

impl From<old::BlobPointer> for BlobPointer {
    fn from(old: old::BlobPointer) -> Self {
        let old::BlobPointer { offset_bytes, body_bytes, terms, tree_bytes } = old;
        Self { offset_bytes, body_bytes, terms, tree_bytes }
    }
}

/// Where a page's HTML is. The first variant is "nowhere", the third "kept"; neither is written here.
#[derive(Debug, Clone, Copy, Serialize)]
#[allow(dead_code)] // Their order is the format.
pub(super) enum BodyRow {
    None,
    Archive,
    Kept(u64),
}

#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct PageLinks {
    archive_id: u128,
    ordinal: u64,
    tree: BlobPointer,
    body: BodyRow,
}

#[derive(Debug, Serialize)]
pub(super) struct PageRow {
    url: String,
    canonical_url: Option<String>,
    host: String,
    title: String,
    description: String,
    language: Option<String>,
    captured_at: Option<i64>,
    status: u16,
    charset: String,
    archive: Vec<u8>,
    offset_bytes: u64,
    record_id: Option<String>,
    html_bytes: u64,
    main_blocks: u32,
    runs: u32,
    digest: Option<u128>,
    simhash: u64,
    links: PageLinks,
}

impl From<old::PageRow> for PageRow {
    fn from(old: old::PageRow) -> Self {
        let links = PageLinks { archive_id: 0, ordinal: 0, tree: old.tree.into(), body: BodyRow::Archive };
        Self {
            url: old.url,
            canonical_url: old.canonical_url,
            host: old.host,
            title: old.title,
            description: old.description,
            language: old.language,
            captured_at: old.captured_at,
            status: old.status,
            charset: old.charset,
            archive: old.archive,
            offset_bytes: old.offset_bytes,
            record_id: old.record_id,
            html_bytes: old.html_bytes,
            main_blocks: old.main_blocks,
            runs: old.runs,
            digest: None,
            simhash: 0,
            links,
        }
    }
}

/// How a record is a capture of its page. Only the first variant is written here.
#[derive(Debug, Clone, Copy, Serialize)]
#[allow(dead_code)] // Their order is the format.
pub(super) enum CaptureKind {
    Page,
    Duplicate,
    Revisit,
}

#[derive(Debug, Serialize)]
pub(super) struct CaptureRow {
    pub(super) captured_at: Option<i64>,
    pub(super) page: [u8; 16],
    pub(super) kind: CaptureKind,
    pub(super) archive_id: u128,
    pub(super) offset_bytes: u64,
}

#[derive(Debug, Serialize)]
pub(super) struct ArchiveRow {
    path: Vec<u8>,
    fingerprint: u128,
    position_bytes: u64,
    finished: bool,
    indexed: u64,
    replaced: u64,
    duplicates: u64,
    revisits: u64,
    blocks: u64,
    failed: u64,
    skipped: Vec<(String, u64)>,
    last_chunk: u64,
}

impl ArchiveRow {
    pub(super) fn new(old: old::ArchiveRow, last_chunk: u64) -> Self {
        Self {
            path: old.path,
            fingerprint: old.fingerprint,
            position_bytes: old.position_bytes,
            finished: old.finished,
            indexed: old.indexed,
            replaced: old.replaced,
            duplicates: 0,
            revisits: 0,
            blocks: old.blocks,
            failed: old.failed,
            skipped: old.skipped,
            last_chunk,
        }
    }
}

#[derive(Debug, Serialize)]
pub(super) struct Counters {
    captures: u64,
    duplicates: u64,
    revisits: u64,
    bodies: u64,
    pages: u64,
    hosts: u64,
    html_bytes: u64,
    main_blocks: u64,
    runs: u64,
}

#[derive(Debug, Serialize)]
pub(super) struct Meta {
    sequence: u64,
    statistics_generation: u64,
    previous_generation: u64,
    within_run: bool,
    trees_bytes: u64,
    garbage_bytes: u64,
    ledger_bytes: u64,
    bodies_bytes: u64,
    last_batch_chunks: u32,
    rows_digest: u64,
    counters: Counters,
}

impl Meta {
    /// `captures` is the number of capture rows.
    pub(super) fn new(old: &old::Meta, ledger_bytes: u64, rows_digest: u64, captures: u64) -> Self {
        let old::Counters { pages, hosts, html_bytes, main_blocks, runs, .. } = old.counters;
        Self {
            sequence: old.sequence,
            statistics_generation: old.statistics_generation,
            previous_generation: old.statistics_generation,
            within_run: false,
            trees_bytes: old.trees_bytes,
            garbage_bytes: old.garbage_bytes,
            ledger_bytes,
            bodies_bytes: super::ledger::HEADER_BYTES,
            last_batch_chunks: old.last_batch_chunks,
            rows_digest,
            counters: Counters {
                captures,
                duplicates: 0,
                revisits: 0,
                bodies: 0,
                pages,
                hosts,
                html_bytes,
                main_blocks,
                runs,
            },
        }
    }
}

pub(super) fn encode(row: &impl Serialize) -> Result<Vec<u8>, String> {
    postcard::to_extend(row, vec![2]).map_err(|error| error.to_string())
}
