//! A line of a part, as an ingest reads it: without the plain blocks, which it makes anew.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use lopper_archive::FailureCode;
use lopper_archive::page::SkipReason;
use lopper_store::Revisit;
use serde::Deserialize;

use super::job::Failure;
use super::{CaptureError, JudgedCapture};

/// What a record became elsewhere.
pub(super) enum JudgedLine {
    Page { capture: Box<JudgedCapture>, declared: Option<String> },
    Revisit(Box<Revisit>),
    Skipped(SkipReason),
    Failed(Failure),
}

/// A line that is none.
#[derive(Debug, thiserror::Error)]
pub(super) enum LineError {
    #[error("the part's line cannot be read: {0}")]
    Json(#[from] serde_json::Error),
    #[error("the part's page cannot be read: {0}")]
    Base64(#[from] base64::DecodeError),
    #[error(transparent)]
    Capture(#[from] CaptureError),
}

/// The fields that matter here, of [`PartLine`](crate::parts::PartLine).
#[derive(Deserialize)]
#[serde(tag = "became", rename_all = "snake_case")]
enum Fields {
    Page { declared: Option<String>, judged: String },
    Revisit { revisit: Revisit },
    Skipped { reason: SkipReason },
    Failed { code: FailureCode, message: String, record_id: Option<String> },
}

impl JudgedLine {
    pub(super) fn read(line: &str) -> Result<Self, LineError> {
        Ok(match serde_json::from_str(line)? {
            Fields::Page { declared, judged } => {
                let capture = JudgedCapture::from_bytes(&STANDARD.decode(judged)?)?;
                Self::Page { capture: Box::new(capture), declared }
            }
            Fields::Revisit { revisit } => Self::Revisit(Box::new(revisit)),
            Fields::Skipped { reason } => Self::Skipped(reason),
            Fields::Failed { code, message, record_id } => Self::Failed(Failure { code, message, record_id }),
        })
    }
}
