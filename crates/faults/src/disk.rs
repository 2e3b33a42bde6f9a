//! Telling a full disk from other failures, whatever engine reports it.

use std::error::Error;
use std::io;

/// Whether an error, or one behind it, says that the disk, or the user's share of it, is full.
pub fn is_full(error: &(dyn Error + 'static)) -> bool {
    let mut error = Some(error);
    while let Some(now) = error {
        if now.downcast_ref::<io::Error>().is_some_and(is_full_kind) || is_full_text(&now.to_string()) {
            return true;
        }
        error = behind(now);
    }
    false
}

/// What lies behind an error. An I/O error that is made of another one does not give that one as its source.
fn behind<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e (dyn Error + 'static)> {
    let inner = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
    inner.map_or_else(|| error.source(), |inner| Some(inner))
}

fn is_full_kind(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

/// Engines tell some of the system's errors in words only.
fn is_full_text(text: &str) -> bool {
    ["No space left on device", "StorageFull", "Disk quota exceeded"].iter().any(|told| text.contains(told))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_told_from_other_errors() {
        let full = || io::Error::from(io::ErrorKind::StorageFull);
        assert!(is_full(&full()));
        assert!(is_full(&io::Error::other(full())));
        assert!(is_full(&io::Error::other("IoError(Os { code: 28, kind: StorageFull, message: \"…\" })")));
        assert!(!is_full(&io::Error::from(io::ErrorKind::PermissionDenied)));
    }
}
