//! Paths as bytes: on Unix exactly, elsewhere as UTF-8 with replacements.

use std::path::{Path, PathBuf};

#[cfg(unix)]
pub(super) fn to_bytes(path: &Path) -> Vec<u8> {
    std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str()).to_vec()
}

#[cfg(unix)]
pub(super) fn from_bytes(bytes: Vec<u8>) -> PathBuf {
    let path: std::ffi::OsString = std::os::unix::ffi::OsStringExt::from_vec(bytes);
    path.into()
}

#[cfg(not(unix))]
pub(super) fn to_bytes(path: &Path) -> Vec<u8> {
    path.to_string_lossy().into_owned().into_bytes()
}

#[cfg(not(unix))]
pub(super) fn from_bytes(bytes: Vec<u8>) -> PathBuf {
    String::from_utf8_lossy(&bytes).into_owned().into()
}
