//! What an engine says when it cannot answer.

use std::error::Error;

use lopper_faults::guard::guarded;

/// An engine's own error. Callers tell it and go on, or stop; they do not look into it.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct EngineError(pub Box<dyn Error + Send + Sync>);

impl EngineError {
    /// Any error as an engine's.
    pub fn new(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self(error.into())
    }
}

/// The time that a query may take was over before the engine answered.
#[derive(Debug, thiserror::Error)]
#[error("{0} did not answer in the time that the search may take")]
pub struct OutOfTime(
    /// Who was asked.
    pub String,
);

/// Runs `call` of an engine; a panic is an error, as of damaged data.
pub(crate) fn without_panic<T>(call: impl FnOnce() -> Result<T, EngineError>) -> Result<T, EngineError> {
    guarded(call).unwrap_or_else(|message| Err(EngineError::new(message)))
}
