//! The engine behind a guard: on some damaged files it panics instead of returning an error.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// Whether a panic of this thread, now, would become an error: a panic hook need not tell of it.
pub fn is_guarded() -> bool {
    DEPTH.get() > 0
}

/// Runs `call`; a panic comes back as its message.
///
/// # Errors
/// The message of a panic.
pub fn guarded<T>(call: impl FnOnce() -> T) -> Result<T, String> {
    DEPTH.set(DEPTH.get() + 1);
    let result = catch_unwind(AssertUnwindSafe(call));
    DEPTH.set(DEPTH.get() - 1);
    result.map_err(|panic| message(&*panic))
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "panic without a message".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error_and_the_guard_ends() {
        let error = guarded(|| -> () { panic!("byte {}", 7) }).unwrap_err();
        assert!(error.contains("byte 7"), "{error}");
        assert_eq!(guarded(|| guarded(is_guarded)), Ok(Ok(true)));
        assert!(!is_guarded());
    }
}
