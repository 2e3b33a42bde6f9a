//! What the commands take from object storage and the web: parts and their counts.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, bail};
use lopper_collection::ingest::{PartFetch, is_address};
use lopper_collection::parts::{PART_ENDING, is_part_name};

/// The paths, with the parts of a bucket in the place of its address.
pub(super) fn expanded(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut expanded = Vec::new();
    for path in paths {
        if !is_address(path) || is_part_name(path) {
            expanded.push(path.clone());
        } else if path.to_string_lossy().starts_with("s3://") {
            expanded.extend(named(path, PART_ENDING)?);
        } else {
            bail!("{}: only parts are taken from there, files whose names end in {PART_ENDING}", path.display());
        }
    }
    Ok(expanded)
}

/// Brings the parts that are among `files`.
#[cfg(feature = "s3")]
pub(super) fn fetching(files: &[PathBuf]) -> Result<Option<Arc<dyn PartFetch>>> {
    use anyhow::Context;

    use crate::worker::storage::PartsElsewhere;

    if !files.iter().any(|file| is_address(file)) {
        return Ok(None);
    }
    let fetch = PartsElsewhere::new().context("cannot make a temporary folder for parts; TMPDIR says where")?;
    Ok(Some(Arc::new(fetch)))
}

/// The objects at `address` whose names end in `ending`.
#[cfg(feature = "s3")]
pub(super) fn named(address: &Path, ending: &str) -> Result<Vec<PathBuf>> {
    let found = crate::worker::storage::addresses(&address.to_string_lossy(), ending)?;
    if found.is_empty() {
        bail!("nothing at {} ends in {ending}: `lopper worker` puts it there", address.display());
    }
    Ok(found.into_iter().map(PathBuf::from).collect())
}

/// The bytes of counts at an address; none for a path.
#[cfg(feature = "s3")]
pub(super) fn counts(path: &Path) -> Result<Option<Vec<u8>>> {
    if !is_address(path) {
        return Ok(None);
    }
    Ok(Some(crate::worker::storage::bytes(&path.to_string_lossy())?))
}

#[cfg(not(feature = "s3"))]
pub(super) fn fetching(files: &[PathBuf]) -> Result<Option<Arc<dyn PartFetch>>> {
    files.iter().find(|file| is_address(file)).map_or(Ok(None), |file| refused(file))
}

#[cfg(not(feature = "s3"))]
pub(super) fn named(address: &Path, _ending: &str) -> Result<Vec<PathBuf>> {
    refused(address)
}

#[cfg(not(feature = "s3"))]
pub(super) fn counts(path: &Path) -> Result<Option<Vec<u8>>> {
    if is_address(path) { refused(path) } else { Ok(None) }
}

#[cfg(not(feature = "s3"))]
fn refused<T>(address: &Path) -> Result<T> {
    bail!("{}: this lopper was built without object storage (feature s3)", address.display())
}
