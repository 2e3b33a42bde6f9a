//! What goes wrong between here and an engine.

use lopper_index::engine::{EngineError, OutOfTime};
use thiserror::Error;

/// Why an engine did not do what it was asked for.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RemoteError {
    /// Nobody answers, or not in time.
    #[error("no answer from the engine at {url}")]
    Unreachable {
        /// What was asked.
        url: String,
        /// Cause.
        #[source]
        source: Box<ureq::Error>,
    },
    /// It did not answer in the time that the search may take.
    #[error("no answer from the engine at {url} in the time that the search may take")]
    OutOfTime {
        /// What was asked.
        url: String,
    },
    /// It says no.
    #[error("the engine answered {status} to {url}: {message}")]
    Refused {
        /// What was asked.
        url: String,
        /// HTTP status.
        status: u16,
        /// What it said, shortened.
        message: String,
    },
    /// Parts of it did not answer. What the others gave is not told, since it is not the whole.
    #[error("{failed} of {total} parts of the engine at {url} did not answer")]
    Incomplete {
        /// What was asked.
        url: String,
        /// Parts without an answer.
        failed: u64,
        /// All parts.
        total: u64,
    },
    /// It says what was not expected of it.
    #[error("the engine at {url} gave an answer that is not understood: {what}")]
    Strange {
        /// What was asked.
        url: String,
        /// What is strange.
        what: String,
    },
    /// It is another one than was said, or of another version.
    #[error(
        "at {url} is {found}, and {wanted} was expected; set `index.kind` to what it is, or `index.force = true` to use it all the same"
    )]
    OtherEngine {
        /// Its address.
        url: String,
        /// What it is by its own words.
        found: String,
        /// What was expected.
        wanted: String,
    },
    /// Another one writes to the same generation.
    #[error("another writer committed to {name} meanwhile; one writer at a time, or another generation for each")]
    OtherWriter {
        /// The generation.
        name: String,
    },
}

impl From<RemoteError> for EngineError {
    fn from(error: RemoteError) -> Self {
        match error {
            // Where it is, is not for whoever searches.
            RemoteError::OutOfTime { .. } => Self::new(OutOfTime("the engine".to_owned())),
            other => Self::new(other),
        }
    }
}
