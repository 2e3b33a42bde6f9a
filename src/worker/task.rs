//! What the processes of a worker say to each other and to whoever gives them jobs: lines of JSON.

use std::collections::BTreeMap;
use std::path::PathBuf;

use lopper_collection::parts::{ByteRange, Published, Receipt};
use lopper_content::limits::Limits;
use lopper_content::pipeline::ExtractParams;
use serde::{Deserialize, Serialize};

/// A job, as a line of standard input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Job {
    /// Path or URL of an archive.
    pub archive: String,
    /// The first byte and the one behind the last; none for the whole archive. Records that begin there are taken.
    #[serde(default)]
    pub range: Option<ByteRange>,
    /// Of a URL: whatever is another one when its content is, such as an `ETag`.
    #[serde(default)]
    pub version: Option<String>,
    /// Which try it is; given back, and nothing else.
    #[serde(default)]
    pub attempt: Option<u64>,
}

/// The answer to a job, as a line of standard output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub(crate) enum Answer {
    /// The part is there.
    Made {
        /// Which try it was.
        #[serde(skip_serializing_if = "Option::is_none")]
        attempt: Option<u64>,
        /// The range, as in the job.
        #[serde(skip_serializing_if = "Option::is_none")]
        range: Option<ByteRange>,
        /// What it is.
        #[serde(flatten)]
        receipt: Receipt,
    },
    /// There is no part.
    Failed {
        /// Which try it was.
        #[serde(skip_serializing_if = "Option::is_none")]
        attempt: Option<u64>,
        /// The range, as in the job.
        #[serde(skip_serializing_if = "Option::is_none")]
        range: Option<ByteRange>,
        /// The archive, as in the job; the line where it is no job.
        archive: String,
        /// A stable name of the reason.
        code: String,
        /// The reason in words.
        error: String,
    },
}

/// What a child is to do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Task {
    /// Path or URL of an archive.
    pub archive: String,
    /// The range.
    pub range: Option<ByteRange>,
    /// Version of what is at the URL.
    pub version: Option<String>,
    /// What writes the archive at a URL to its standard output.
    pub fetch: Option<String>,
    /// Folder or address that the parts go to.
    pub output: String,
    /// Folder that they are made in, where they go to an address.
    pub made_in: Option<PathBuf>,
    /// Counts to weigh by.
    pub counts: Option<PathBuf>,
    /// Whether the HTML goes with the pages.
    pub html: bool,
    /// Parameters of the extraction.
    pub params: ExtractParams,
    /// Limits on records and pages.
    pub limits: Limits,
    /// Records not to be touched, with the reason.
    pub quarantined: BTreeMap<u64, String>,
}

/// What a child says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Said {
    /// It writes this file, which is to be removed when it is ended.
    Writing {
        /// The file.
        path: PathBuf,
    },
    /// It reads on in the archive.
    Reading {
        /// Number of the record that it looks for.
        ordinal: u64,
        /// Where it reads.
        position_bytes: u64,
    },
    /// It sends what it made.
    Sending {
        /// Bytes that are there.
        bytes: u64,
    },
    /// It analyses a record.
    Record {
        /// Number of the record.
        ordinal: u64,
        /// Its offset in the archive.
        offset_bytes: u64,
        /// Its URL.
        url: String,
    },
    /// The part of that name is there.
    Done {
        /// The part.
        part: String,
        /// Whether it was there before.
        published: Published,
    },
    /// There is no part, and no other child would make one.
    Failed {
        /// A stable name of the reason.
        code: String,
        /// The reason in words.
        error: String,
    },
}
