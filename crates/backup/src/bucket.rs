//! A backup in object storage.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use lopper_objects::{Bucket, BucketAddress, ObjectError, Settings, Written};

use crate::BackupError;
use crate::destination::{Destination, Held};
use crate::folder::{FORMAT, LOCK, MARKER, check_marker};
use crate::lease::Lease;

/// Time for which a lock stays where nobody renews it.
pub(crate) const LEASE_DURATION: Duration = Duration::from_mins(1);

/// Objects below an address, for backups.
#[derive(Debug)]
pub struct BucketPlace {
    bucket: Bucket,
    lease: Duration,
}

impl BucketPlace {
    /// Opens backups in object storage.
    ///
    /// # Errors
    ///
    /// [`BackupError::NoBackup`], [`BackupError::OtherFormat`], [`BackupError::Destination`].
    pub fn open(address: &BucketAddress, settings: &Settings) -> Result<Self, BackupError> {
        let place = Self::at(address, settings)?;
        check_marker(&place, &place.shown())?;
        Ok(place)
    }

    /// The same; where there is no object below the address, backups are begun.
    ///
    /// # Errors
    ///
    /// As of [`open`](Self::open); [`BackupError::NoBackup`] where there are other objects.
    pub fn make(address: &BucketAddress, settings: &Settings) -> Result<Self, BackupError> {
        let place = Self::at(address, settings)?;
        let failed = |action| move |error: ObjectError| BackupError::destination(action, MARKER)(error.into());
        if !place.bucket.has(MARKER).map_err(failed("look for"))? && place.is_empty()? {
            // Two that begin at the same time write the same.
            place.bucket.create(MARKER, format!("{FORMAT}\n").into_bytes()).map_err(failed("write"))?;
        }
        check_marker(&place, &place.shown())?;
        Ok(place)
    }

    /// The same with another time for which a lock stays where nobody renews it.
    #[must_use]
    pub fn with_lease(self, lease: Duration) -> Self {
        Self { lease, ..self }
    }

    fn at(address: &BucketAddress, settings: &Settings) -> Result<Self, BackupError> {
        let bucket = Bucket::open(address, settings);
        let bucket = bucket.map_err(|error| BackupError::destination("open", &address.to_string())(error.into()))?;
        Ok(Self { bucket, lease: LEASE_DURATION })
    }

    fn is_empty(&self) -> Result<bool, BackupError> {
        let listed = self.bucket.list("");
        Ok(listed.map_err(|error| BackupError::destination("list", "what is there")(error.into()))?.is_empty())
    }

    fn shown(&self) -> PathBuf {
        PathBuf::from(self.bucket.address().to_string())
    }
}

impl Destination for BucketPlace {
    fn list(&self, prefix: &str) -> io::Result<BTreeMap<String, u64>> {
        Ok(self.bucket.list(prefix)?.into_iter().map(|listed| (listed.name, listed.bytes)).collect())
    }

    fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        Ok(self.bucket.read(name)?)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        Ok(self.bucket.write(name, bytes.to_vec())?)
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        Ok(self.bucket.remove(name)?)
    }

    fn lock(&self) -> io::Result<Box<dyn Held>> {
        // The marker is there: a server that writes it again passes over conditions, and would give the lock to everybody.
        let again = self.bucket.create(MARKER, format!("{FORMAT}\n").into_bytes())?;
        if matches!(again, Written::Created { .. }) {
            return Err(io::Error::new(
                io::ErrorKind::Unsupported,
                "the server passes over conditions of PUT, so two writers cannot be kept apart; see that there is one, \
                 and set AWS_CONDITIONAL_PUT=disabled",
            ));
        }
        Ok(Box::new(Lease::take(&self.bucket, LOCK, self.lease)?))
    }
}
