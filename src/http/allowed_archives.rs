//! Archives on the server's own disk, in folders that its operator allowed.

use std::fs;
use std::path::{Component, Path, PathBuf};

use lopper_collection::ingest::{Bodies, files_of};

use super::error::{ApiError, ErrorCode};
use super::job_run::Archives;
use super::parameters::shortened;

/// The archive, or the archives of the folder, that `path` names below one of `folders`.
///
/// Links are resolved, and what they lead to outside of the folder is as if it were not there: nobody learns what else the disk has.
pub(super) fn archives_at(folders: &[PathBuf], path: &str) -> Result<Archives, ApiError> {
    if folders.is_empty() {
        let message = "no folder is allowed here: name some as `archive_folders` in `[serve]`, or send the archive";
        return Err(ApiError::new(ErrorCode::PathNotAllowed, message));
    }
    let is_plain = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    if path.is_empty() || path.contains('\0') || !is_plain {
        let message = "`path` must be relative to a folder of `archive_folders`, without `..`";
        return Err(ApiError::new(ErrorCode::BadParameter, message));
    }
    let found = folders.iter().find_map(|folder| below(folder, path));
    found.ok_or_else(|| {
        let message = format!("there is no archive `{}` in a folder that is allowed", shortened(path));
        ApiError::new(ErrorCode::ArchiveNotFound, message)
    })
}

fn below(folder: &Path, path: &str) -> Option<Archives> {
    let root = folder.canonicalize().ok()?;
    let named = root.join(path).canonicalize().ok().filter(|named| named.starts_with(&root))?;
    let mut files = files_of(std::slice::from_ref(&named)).ok()?;
    files.retain(|file| is_file_below(file, &root));
    (!files.is_empty()).then_some(Archives {
        named,
        files,
        root,
        bodies: Bodies::default(),
        again: false,
        fetch: None,
        is_own: false,
    })
}

/// Whether it is a file below the folder, links resolved; pipes and devices could keep a reader waiting for ever.
fn is_file_below(file: &Path, root: &Path) -> bool {
    file.canonicalize().is_ok_and(|file| file.starts_with(root) && fs::metadata(file).is_ok_and(|file| file.is_file()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const WARC: &str = "WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n";

    #[test]
    #[cfg(unix)]
    fn nothing_outside_of_the_folder_is_found() {
        let disk = tempfile::tempdir().unwrap();
        let at = |name: &str| disk.path().join(name);
        fs::create_dir_all(at("allowed/deep")).unwrap();
        fs::create_dir_all(at("secret")).unwrap();
        for name in ["allowed/a.warc", "allowed/deep/b.warc", "secret/c.warc", "allowed-not/d.warc"] {
            fs::create_dir_all(at(name).parent().unwrap()).unwrap();
            fs::write(at(name), WARC).unwrap();
        }
        std::os::unix::fs::symlink(at("secret/c.warc"), at("allowed/deep/link.warc")).unwrap();
        std::os::unix::fs::symlink(at("secret"), at("allowed/out")).unwrap();
        std::os::unix::fs::symlink(at("allowed/a.warc"), at("allowed/deep/inner.warc")).unwrap();
        let folders = [at("nowhere"), at("allowed")];
        let code = |path: &str| archives_at(&folders, path).map(|_| ()).unwrap_err().code;
        assert_eq!(archives_at(&folders, "a.warc").unwrap().files, [at("allowed/a.warc").canonicalize().unwrap()]);
        let deep = archives_at(&folders, "deep").unwrap().files;
        let names: Vec<_> = deep.iter().map(|file| file.file_name().unwrap().to_str().unwrap()).collect();
        assert_eq!(names, ["b.warc", "inner.warc"], "a link that leads out is passed over");
        for path in ["deep/link.warc", "out/c.warc", "out", "none.warc"] {
            assert_eq!(code(path), ErrorCode::ArchiveNotFound, "{path}");
        }
        for path in ["", "..", "../secret/c.warc", "deep/../a.warc", "/etc/passwd", "./a.warc", "a\0b"] {
            assert_eq!(code(path), ErrorCode::BadParameter, "{path}");
        }
        assert_eq!(archives_at(&[], "a.warc").map(|_| ()).unwrap_err().code, ErrorCode::PathNotAllowed);
    }
}
