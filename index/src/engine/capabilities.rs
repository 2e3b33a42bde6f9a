//! What an engine can do.

use serde::{Deserialize, Serialize};

/// What an engine can do beyond what every engine must. Callers ask before they offer it, or say that it was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Capabilities {
    /// A commit is durable when [`BlockEngineWriter::commit`](super::BlockEngineWriter::commit) returns, together with its
    /// checkpoint. Without it a checkpoint may move only when a later snapshot has it.
    pub has_durable_commit: bool,
    /// Deleted pages are gone from snapshots after the next commit. Without it whoever calls keeps a list of them.
    pub has_immediate_delete: bool,
    /// Terms can be looked up by pattern: prefixes and spelling. Without it prefixes stand for themselves and no spelling is
    /// mended.
    pub has_term_patterns: bool,
    /// Document frequencies are those of the whole collection, not of each part of it.
    pub has_global_frequencies: bool,
    /// Facets can be counted.
    pub has_facets: bool,
    /// Bytes of one written batch at most; 0 where it does not matter.
    pub batch_bytes_max: usize,
}

impl Capabilities {
    /// All of them, without a limit.
    pub const ALL: Self = Self {
        has_durable_commit: true,
        has_immediate_delete: true,
        has_term_patterns: true,
        has_global_frequencies: true,
        has_facets: true,
        batch_bytes_max: 0,
    };
}
