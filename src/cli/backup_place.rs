//! Where backups are: in a folder, or in object storage.

use std::path::Path;

use anyhow::Result;
use lopper_backup::{Destination, Folder};

/// How addresses of object storage begin.
const STORAGE: &str = "s3://";

/// Opens the backups at `place`.
pub(super) fn open(place: &Path) -> Result<Box<dyn Destination>> {
    match address(place) {
        Some(address) => storage(address, false),
        None => Ok(Box::new(Folder::open(place)?)),
    }
}

/// The same, begun where there is nothing.
pub(super) fn make(place: &Path) -> Result<Box<dyn Destination>> {
    match address(place) {
        Some(address) => storage(address, true),
        None => Ok(Box::new(Folder::make(place)?)),
    }
}

fn address(place: &Path) -> Option<&str> {
    place.to_str().filter(|text| text.starts_with(STORAGE))
}

#[cfg(feature = "s3")]
fn storage(address: &str, is_made: bool) -> Result<Box<dyn Destination>> {
    use lopper_backup::BucketPlace;
    use lopper_objects::{BucketAddress, Settings};

    let (address, settings) = (BucketAddress::parse(address)?, Settings::from_env());
    let place = if is_made { BucketPlace::make(&address, &settings) } else { BucketPlace::open(&address, &settings) };
    Ok(Box::new(place?))
}

#[cfg(not(feature = "s3"))]
fn storage(address: &str, _is_made: bool) -> Result<Box<dyn Destination>> {
    anyhow::bail!("{address}: this lopper was built without object storage (feature s3)")
}
