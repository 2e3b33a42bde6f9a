//! What commands that write and a server that has the data folder say to each other over the socket in it.
//!
//! The command sends a [`Request`], one line of JSON. The server answers with lines, each an [`Event`], until the work has ended. When the
//! command closes its side, an ingest is interrupted. Only who may use the socket's file, the user who runs the server, can connect.

use std::path::{Path, PathBuf};

use lopper_collection::ingest::{Bodies, IngestReport, Progress, Site};
use lopper_collection::{DeleteReport, Selection};
use lopper_store::Sequence;
use serde::{Deserialize, Serialize};

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Request {
    /// Files are ingested.
    Ingest(IngestRequest),
    /// Pages are deleted.
    Delete {
        /// Which.
        selection: Selection,
        /// Why, for the list of takedowns.
        note: Option<String>,
    },
    /// The takedown of that number is lifted.
    Lift(u64),
}

/// What is to be ingested.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct IngestRequest {
    /// Files, by their absolute paths.
    pub files: Vec<PathBuf>,
    /// What is kept of pages' HTML.
    pub bodies: Bodies,
    /// Whether what was read before is read again.
    pub again: bool,
    /// Where HTML files are published.
    #[serde(default)]
    pub site: Option<Site>,
    /// Folders whose missing HTML files' pages are removed, by their absolute paths.
    #[serde(default)]
    pub remove_missing: Vec<PathBuf>,
}

/// What the server tells of the run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Event {
    /// How far it is.
    Progress(Progress),
    /// So many records of it are committed.
    Committed {
        /// Number of the commit.
        sequence: Sequence,
        /// Records of the run.
        records: u64,
    },
    /// It has ended.
    Report(Box<IngestReport>),
    /// What was deleted.
    Deleted(Box<DeleteReport>),
    /// Whether there was such a takedown.
    Lifted(bool),
    /// It has failed, with why.
    Failed(String),
}

/// The socket of the server that has the data folder.
pub(crate) fn socket_path(data: &Path) -> PathBuf {
    data.join("ingest.sock")
}
