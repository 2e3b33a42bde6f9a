//! Telling a full disk from other failures, whatever engine reports it, and names that outlive a power cut.

use std::error::Error;
use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Makes the names in `folder` durable. Where folders cannot be opened, the file system orders renames itself.
///
/// # Errors
///
/// The system's.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// Gives the finished file `part` the name `whole`, in the same folder: after a power cut there is the whole file or what was there before.
///
/// # Errors
///
/// The system's; then `whole` is what it was, or its name may not outlive a power cut.
pub fn put_in_place(part: &Path, whole: &Path) -> io::Result<()> {
    File::open(part)?.sync_all()?;
    fs::rename(part, whole)?;
    whole.parent().map_or(Ok(()), sync_folder)
}

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
    fn a_finished_file_takes_the_place_of_another() {
        let folder = tempfile::tempdir().unwrap();
        let (part, whole) = (folder.path().join("a.part"), folder.path().join("a"));
        fs::write(&whole, "before").unwrap();
        fs::write(&part, "after").unwrap();
        put_in_place(&part, &whole).unwrap();
        assert_eq!((fs::read_to_string(&whole).unwrap().as_str(), part.exists()), ("after", false));
        assert!(put_in_place(&part, &whole).is_err());
    }

    #[test]
    fn a_full_disk_is_told_from_other_errors() {
        let full = || io::Error::from(io::ErrorKind::StorageFull);
        assert!(is_full(&full()));
        assert!(is_full(&io::Error::other(full())));
        assert!(is_full(&io::Error::other("IoError(Os { code: 28, kind: StorageFull, message: \"…\" })")));
        assert!(!is_full(&io::Error::from(io::ErrorKind::PermissionDenied)));
    }
}
