//! The states that a record can end in, and their rows in the ledger's file.

use std::fmt;
use std::str::FromStr;

use lopper_archive::FailureCode;
use lopper_archive::page::{PageId, SkipReason};
use serde::{Deserialize, Serialize};

use super::ledger::{reason_name, reason_named};
use super::page::shorten;

/// Bytes of a failure's message that are kept.
const MESSAGE_BYTES_MAX: usize = 1 << 10;

/// Bytes of a failed record's id that are kept.
const RECORD_ID_BYTES_MAX: usize = 256;

/// What became of a record. Every record ends in exactly one state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum RecordState {
    /// Its page is new.
    Indexed {
        /// The page.
        page: PageId,
    },
    /// Its page took the place of one of the same identity: the record was read before, or its URL and time were.
    Replaced {
        /// The page.
        page: PageId,
    },
    /// It holds what a page of the same URL holds already.
    Duplicate {
        /// That page.
        page: PageId,
    },
    /// A revisit record whose original is this page.
    Revisit {
        /// The original.
        page: PageId,
    },
    /// It gives no page although nothing is broken.
    Skipped {
        /// Why.
        reason: SkipReason,
    },
    /// It could not be read or decoded.
    Failed {
        /// Name of the reason, a [`FailureCode`] unless another version of this program wrote it.
        code: String,
        /// The error's message.
        message: String,
    },
}

impl RecordState {
    /// A failure, its message shortened to what is kept.
    pub fn failed(code: FailureCode, message: impl Into<String>) -> Self {
        let mut message = message.into();
        shorten(&mut message, MESSAGE_BYTES_MAX);
        Self::Failed { code: code.to_string(), message }
    }

    /// The state's kind.
    pub fn kind(&self) -> StateKind {
        match self {
            Self::Indexed { .. } => StateKind::Indexed,
            Self::Replaced { .. } => StateKind::Replaced,
            Self::Duplicate { .. } => StateKind::Duplicate,
            Self::Revisit { .. } => StateKind::Revisit,
            Self::Skipped { .. } => StateKind::Skipped,
            Self::Failed { .. } => StateKind::Failed,
        }
    }

    /// The page that the record gave or stands for.
    pub fn page(&self) -> Option<PageId> {
        match self {
            Self::Indexed { page } | Self::Replaced { page } | Self::Duplicate { page } | Self::Revisit { page } => {
                Some(*page)
            }
            Self::Skipped { .. } | Self::Failed { .. } => None,
        }
    }
}

/// The states without what belongs to them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StateKind {
    /// [`RecordState::Indexed`].
    Indexed,
    /// [`RecordState::Replaced`].
    Replaced,
    /// [`RecordState::Duplicate`].
    Duplicate,
    /// [`RecordState::Revisit`].
    Revisit,
    /// [`RecordState::Skipped`].
    Skipped,
    /// [`RecordState::Failed`].
    Failed,
}

impl StateKind {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Indexed, Self::Replaced, Self::Duplicate, Self::Revisit, Self::Skipped, Self::Failed];

    /// The state's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Indexed => "indexed",
            Self::Replaced => "replaced",
            Self::Duplicate => "duplicate",
            Self::Revisit => "revisit",
            Self::Skipped => "skipped",
            Self::Failed => "failed",
        }
    }

    /// A bit of its own.
    pub(super) fn bit(self) -> u32 {
        1 << self as u32
    }
}

impl fmt::Display for StateKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for StateKind {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|kind| kind.as_str() == name);
        known.ok_or_else(|| format!("unknown state; known are {}", Self::ALL.map(Self::as_str).join(", ")))
    }
}

/// A record in the ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RecordEntry {
    /// Number of the record in its archive, from 0.
    pub ordinal: u64,
    /// Offset of the record in its archive, in bytes.
    pub offset_bytes: u64,
    /// `WARC-Record-ID` as written; kept of failed records only, since a page keeps its own.
    pub record_id: Option<String>,
    /// What became of it.
    #[serde(flatten)]
    pub state: RecordState,
}

impl RecordEntry {
    pub(super) fn new(ordinal: u64, offset_bytes: u64, record_id: Option<String>, state: RecordState) -> Self {
        let record_id = record_id.map(|mut id| {
            shorten(&mut id, RECORD_ID_BYTES_MAX);
            id
        });
        Self { ordinal, offset_bytes, record_id, state }
    }
}

/// [`RecordEntry`] as it is on disk. The order of fields and variants is the format.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct EntryRow {
    pub(super) ordinal: u64,
    offset_bytes: u64,
    record_id: Option<String>,
    state: StateRow,
}

#[derive(Debug, Serialize, Deserialize)]
enum StateRow {
    Indexed([u8; 16]),
    Replaced([u8; 16]),
    Duplicate([u8; 16]),
    Revisit([u8; 16]),
    Skipped(String),
    Failed(String, String),
}

impl From<&RecordEntry> for EntryRow {
    fn from(entry: &RecordEntry) -> Self {
        let state = match &entry.state {
            RecordState::Indexed { page } => StateRow::Indexed(page.0.to_be_bytes()),
            RecordState::Replaced { page } => StateRow::Replaced(page.0.to_be_bytes()),
            RecordState::Duplicate { page } => StateRow::Duplicate(page.0.to_be_bytes()),
            RecordState::Revisit { page } => StateRow::Revisit(page.0.to_be_bytes()),
            RecordState::Skipped { reason } => StateRow::Skipped(reason_name(*reason)),
            RecordState::Failed { code, message } => StateRow::Failed(code.clone(), message.clone()),
        };
        Self { ordinal: entry.ordinal, offset_bytes: entry.offset_bytes, record_id: entry.record_id.clone(), state }
    }
}

impl EntryRow {
    /// The entry, or what is wrong with the row.
    pub(super) fn into_entry(self) -> Result<RecordEntry, String> {
        let page = |id: [u8; 16]| PageId(u128::from_be_bytes(id));
        let state = match self.state {
            StateRow::Indexed(id) => RecordState::Indexed { page: page(id) },
            StateRow::Replaced(id) => RecordState::Replaced { page: page(id) },
            StateRow::Duplicate(id) => RecordState::Duplicate { page: page(id) },
            StateRow::Revisit(id) => RecordState::Revisit { page: page(id) },
            StateRow::Skipped(reason) => RecordState::Skipped { reason: reason_named(&reason)? },
            StateRow::Failed(code, message) => RecordState::Failed { code, message },
        };
        let Self { ordinal, offset_bytes, record_id, .. } = self;
        Ok(RecordEntry { ordinal, offset_bytes, record_id, state })
    }
}
