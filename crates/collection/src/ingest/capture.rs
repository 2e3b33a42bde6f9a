//! A page that was judged by itself, on its way to where a collection's statistics are.

use lopper_archive::page::{Page, PageId, Provenance};
use lopper_content::cst::CutShort;
use lopper_content::pipeline::{JudgedPage, PageAnalyser};
use lopper_store::{ContentDigest, KeptBody, StoreError};
use serde::{Deserialize, Serialize};

use super::Bodies;

/// First byte of the encoding.
const ENCODING_VERSION: u8 = 3;

/// Bytes of a capture before compression: a tree and what goes with it.
const BYTES_MAX: usize = 320 << 20;

/// Level of the compression: as for stored trees.
const COMPRESSION_LEVEL: i32 = 1;

/// What the store keeps of a page beside its analysis.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct PageHead {
    pub(super) id: PageId,
    pub(super) url: String,
    pub(super) captured_at: Option<i64>,
    pub(super) status: u16,
    pub(super) charset: String,
    pub(super) provenance: Provenance,
    pub(super) html_bytes: u64,
    pub(super) digest: ContentDigest,
    pub(super) bodies: Bodies,
    pub(super) kept: Option<KeptBody>,
}

impl PageHead {
    pub(super) fn of(page: &Page, bodies: Bodies) -> Self {
        let digest = ContentDigest::of(&page.html);
        Self {
            id: page.id,
            url: page.url.clone(),
            captured_at: page.captured_at,
            status: page.status,
            charset: page.charset.to_owned(),
            provenance: page.provenance.clone(),
            html_bytes: page.html.len() as u64,
            digest,
            bodies,
            kept: (bodies == Bodies::Keep).then(|| KeptBody::of(page, digest)).flatten(),
        }
    }

    /// What the collection wants to keep of what came with the page.
    pub(super) fn with_bodies(self, bodies: Bodies) -> Self {
        let kept = self.kept.filter(|_| bodies == Bodies::Keep);
        Self { bodies, kept, ..self }
    }
}

/// A page judged by itself: everything that the archive's side of an ingest has to do. [`PageBundle::finish`](super::PageBundle::finish)
/// goes on with it, in any process.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct JudgedCapture {
    pub(super) head: PageHead,
    pub(super) page: JudgedPage,
}

/// A capture that cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CaptureError {
    /// It was written by another version.
    #[error("the judged page has another encoding than this version's, {ENCODING_VERSION}; make the part anew")]
    OtherVersion,
    /// It cannot be unpacked, or is too large.
    #[error("the judged page cannot be unpacked")]
    Packing {
        /// Cause.
        #[source]
        source: std::io::Error,
    },
    /// Its bytes are not a page.
    #[error("the judged page cannot be read")]
    Coding {
        /// Cause.
        #[source]
        source: postcard::Error,
    },
}

impl JudgedCapture {
    /// Judges a page; with [`Bodies::Keep`] its HTML goes with it.
    ///
    /// # Errors
    ///
    /// [`StoreError::Refused`] for a page beyond the limits.
    pub fn of(page: &Page, analyser: &PageAnalyser, bodies: Bodies) -> Result<Self, StoreError> {
        let judged = analyser.judge(page.source());
        let judged = judged.map_err(|source| StoreError::Refused { url: page.url.clone(), source })?;
        Ok(Self { head: PageHead::of(page, bodies), page: judged })
    }

    /// The limit that cut the page short; known where it was judged.
    pub(crate) fn cut_short(&self) -> Option<CutShort> {
        self.page.tree.cut_short()
    }

    /// The capture as bytes, compressed.
    ///
    /// # Errors
    ///
    /// [`CaptureError`] where the name of the page's archive is not Unicode.
    pub fn to_bytes(&self) -> Result<Vec<u8>, CaptureError> {
        let plain = postcard::to_stdvec(self).map_err(|source| CaptureError::Coding { source })?;
        let packed = zstd::bulk::compress(&plain, COMPRESSION_LEVEL);
        let packed = packed.map_err(|source| CaptureError::Packing { source })?;
        Ok([&[ENCODING_VERSION], &(plain.len() as u32).to_le_bytes()[..], &packed].concat())
    }

    /// Reads a capture back from its [bytes](Self::to_bytes).
    ///
    /// # Errors
    ///
    /// [`CaptureError`] for other bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, CaptureError> {
        let Some((&[ENCODING_VERSION, ref length @ ..], packed)) = bytes.split_first_chunk::<5>() else {
            return Err(CaptureError::OtherVersion);
        };
        let length = (u32::from_le_bytes(*length) as usize).min(BYTES_MAX);
        let plain = zstd::bulk::decompress(packed, length).map_err(|source| CaptureError::Packing { source })?;
        let mut capture: Self = postcard::from_bytes(&plain).map_err(|source| CaptureError::Coding { source })?;
        let runs = capture.page.tree.runs().len();
        capture.page.judged = capture.page.judged.filter(|judged| judged.is_of(runs));
        Ok(capture)
    }
}
