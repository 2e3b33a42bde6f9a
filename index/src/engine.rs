//! The engine behind a guard: on some damaged files it panics instead of returning an error.

use lopper_faults::guard::guarded;
use tantivy::TantivyError;

/// Runs `call` of the engine; a panic is an error as of damaged data.
pub(crate) fn engine<T>(call: impl FnOnce() -> Result<T, TantivyError>) -> Result<T, TantivyError> {
    guarded(call).unwrap_or_else(|message| Err(TantivyError::InternalError(message)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_of_the_engine_is_an_error() {
        let error = engine(|| -> Result<(), TantivyError> { panic!("byte {}", 7) }).unwrap_err();
        assert!(error.to_string().contains("byte 7"), "{error}");
    }
}
