//! Answers.

use serde_json::{Value, json};

/// An answer: status and body.
pub(crate) type Answer = (u16, Value);

/// Why a request fails. Engines have two forms of saying so.
#[derive(Debug, Clone)]
pub(crate) struct Failure(pub(crate) Answer);

impl Failure {
    /// It is not understood.
    pub(crate) fn parsing(message: impl Into<String>) -> Self {
        Self((400, json!({"message": message.into()})))
    }

    /// It is understood, and cannot be done.
    pub(crate) fn searching(status: u16, reason: impl Into<String>) -> Self {
        let error = json!({"caused_by": null, "reason": reason.into(), "stack_trace": null, "type": null});
        Self((status, json!({"status": status, "error": error})))
    }
}

/// Shards of an answer of which all are there.
pub(crate) fn shards(total: usize) -> Value {
    json!({"total": total, "successful": total, "skipped": 0, "failed": 0})
}
