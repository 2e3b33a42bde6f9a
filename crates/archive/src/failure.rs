//! Codes of what can fail about a record.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Why a record failed, for programs. The names are stable: ledgers and parts hold them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FailureCode {
    /// The file is none of the known containers.
    ArchiveUnknown,
    /// There is nothing in the file.
    ArchiveEmpty,
    /// The file cannot be read.
    ArchiveIo,
    /// The path leads into a file that has no such file in it.
    ArchivePath,
    /// Bytes of the archive are no record, or one with a broken head.
    RecordMalformed,
    /// The record is larger than a limit.
    RecordTooLarge,
    /// The compressed data ends or breaks before the record does.
    RecordDamaged,
    /// The record has no readable HTTP message.
    NoHttpHeaders,
    /// The body decodes to more than a limit.
    BodyTooLarge,
    /// The body is neither in its declared coding nor text.
    BodyUndecodable,
    /// The page's analysis takes more steps than a limit.
    TooMuchWork,
    /// The page has more distinct terms than a limit.
    TooManyTerms,
    /// The page's tree is larger than the store takes.
    TreeTooLarge,
    /// The analysis broke off: a fault of the program.
    AnalysisPanicked,
    /// The record is not whole, and more of its page is there already.
    DamagedCopy,
    /// A watchdog took the record out.
    Quarantined,
    /// A worker's result could not be written.
    CaptureNotCoded,
    /// The file is no part, or one of another version or other parameters.
    PartUnreadable,
    /// A line of the part is damaged.
    PartDamaged,
    /// What became of the record was lost with a part of the ledger.
    LedgerDamaged,
}

impl FailureCode {
    /// All of them.
    pub const ALL: [Self; 20] = [
        Self::ArchiveUnknown,
        Self::ArchiveEmpty,
        Self::ArchiveIo,
        Self::ArchivePath,
        Self::RecordMalformed,
        Self::RecordTooLarge,
        Self::RecordDamaged,
        Self::NoHttpHeaders,
        Self::BodyTooLarge,
        Self::BodyUndecodable,
        Self::TooMuchWork,
        Self::TooManyTerms,
        Self::TreeTooLarge,
        Self::AnalysisPanicked,
        Self::DamagedCopy,
        Self::Quarantined,
        Self::CaptureNotCoded,
        Self::PartUnreadable,
        Self::PartDamaged,
        Self::LedgerDamaged,
    ];

    /// The name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ArchiveUnknown => "archive_unknown",
            Self::ArchiveEmpty => "archive_empty",
            Self::ArchiveIo => "archive_io",
            Self::ArchivePath => "archive_path",
            Self::RecordMalformed => "record_malformed",
            Self::RecordTooLarge => "record_too_large",
            Self::RecordDamaged => "record_damaged",
            Self::NoHttpHeaders => "no_http_headers",
            Self::BodyTooLarge => "body_too_large",
            Self::BodyUndecodable => "body_undecodable",
            Self::TooMuchWork => "too_much_work",
            Self::TooManyTerms => "too_many_terms",
            Self::TreeTooLarge => "tree_too_large",
            Self::AnalysisPanicked => "analysis_panicked",
            Self::DamagedCopy => "damaged_copy",
            Self::Quarantined => "quarantined",
            Self::CaptureNotCoded => "capture_not_coded",
            Self::PartUnreadable => "part_unreadable",
            Self::PartDamaged => "part_damaged",
            Self::LedgerDamaged => "ledger_damaged",
        }
    }

    /// Whether the file as a whole cannot be read, rather than a record of it.
    pub fn is_of_file(self) -> bool {
        matches!(
            self,
            Self::ArchiveUnknown | Self::ArchiveEmpty | Self::ArchiveIo | Self::ArchivePath | Self::PartUnreadable
        )
    }
}

impl fmt::Display for FailureCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_told_by_their_names() {
        for code in FailureCode::ALL {
            assert_eq!(serde_json::to_value(code).unwrap(), code.as_str());
        }
    }
}
