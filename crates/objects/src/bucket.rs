//! Objects of a bucket.

use std::sync::Arc;
use std::time::Duration;

use futures_util::TryStreamExt;
use object_store::aws::AmazonS3;
use object_store::path::Path;
use object_store::{
    BackoffConfig, ClientOptions, Error as ClientError, GetOptions, GetResult, ObjectStore, ObjectStoreExt, PutMode,
    PutPayload, PutResult, RetryConfig, UpdateVersion,
};

use crate::error::Teller;
use crate::runtime::wait;
use crate::{BucketAddress, Expected, ObjectError, ObjectReader, Settings};

/// Bytes of an object that is read at once.
pub const READ_BYTES_MAX: u64 = 1 << 30;

/// Times that a request is tried again.
pub(crate) const RETRIES_MAX: usize = 6;

/// Time from a request's beginning until it is not tried again.
const RETRY_DURATION_MAX: Duration = Duration::from_secs(90);

/// Pause before the second try; each further one is twice as long, less a random part of it.
pub(crate) const PAUSE_FIRST: Duration = Duration::from_millis(100);

/// The longest pause.
pub(crate) const PAUSE_MAX: Duration = Duration::from_secs(10);

/// Time to connect.
pub(crate) const CONNECT_DURATION_MAX: Duration = Duration::from_secs(5);

/// Time without any byte of an answer, that in which a request is sent included.
pub(crate) const SILENCE_MAX: Duration = Duration::from_mins(2);

/// By what servers know this program.
pub(crate) const USER_AGENT: &str = concat!("lopper/", env!("CARGO_PKG_VERSION"));

/// An object in a list.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Listed {
    /// Its name behind the address's prefix.
    pub name: String,
    /// Its size.
    pub bytes: u64,
}

/// What became of an object that was to be written only if there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Written {
    /// It was not there, and is now.
    Created {
        /// Its version, for [`Bucket::replace`].
        version: Option<String>,
    },
    /// It was there, and stays as it was.
    Existing,
}

/// The bytes of an object and their version, where the server gives one.
pub type Versioned = (Vec<u8>, Option<String>);

/// The objects below an address. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Bucket {
    pub(crate) store: Arc<AmazonS3>,
    address: BucketAddress,
    endpoint: String,
}

impl Bucket {
    /// Makes ready for requests; nothing is sent.
    ///
    /// # Errors
    ///
    /// [`ObjectError::Settings`], [`ObjectError::NoCredentials`].
    pub fn open(address: &BucketAddress, settings: &Settings) -> Result<Self, ObjectError> {
        let backoff = BackoffConfig { init_backoff: PAUSE_FIRST, max_backoff: PAUSE_MAX, base: 2.0 };
        let retry = RetryConfig { backoff, max_retries: RETRIES_MAX, retry_timeout: RETRY_DURATION_MAX };
        // A large object may take as long as it likes, if only bytes come.
        let options = ClientOptions::new()
            .with_timeout_disabled()
            .with_connect_timeout(CONNECT_DURATION_MAX)
            .with_read_timeout(SILENCE_MAX)
            .with_allow_http(settings.is_plain())
            .with_no_system_certificates(settings.is_plain())
            .with_user_agent(object_store::HeaderValue::from_static(USER_AGENT));
        let builder = settings.builder(options)?.with_bucket_name(&address.bucket).with_retry(retry);
        // In the runtime's view, since it prepares TLS.
        let store = wait(async { builder.build() })?;
        let store = store.map_err(|error| ObjectError::Settings { reason: error.to_string() })?;
        let endpoint = settings.endpoint().unwrap_or("Amazon S3").to_owned();
        Ok(Self { store: Arc::new(store), address: address.clone(), endpoint })
    }

    /// Where its objects are.
    pub fn address(&self) -> &BucketAddress {
        &self.address
    }

    pub(crate) fn path(&self, name: &str) -> Result<Path, ObjectError> {
        let refused = |error: object_store::path::Error| ObjectError::Address {
            address: self.address.of(name),
            reason: error.to_string(),
        };
        Path::parse(self.address.key(name)).map_err(refused)
    }

    pub(crate) fn told<T>(
        &self,
        action: &'static str,
        name: &str,
        result: Result<Result<T, ClientError>, ObjectError>,
    ) -> Result<T, ObjectError> {
        let (what, bucket, endpoint) = (self.address.of(name), self.address.bucket.as_str(), self.endpoint.as_str());
        result?.map_err(|error| Teller { action, what: &what, bucket, endpoint }.tell(&error))
    }

    /// The objects whose names begin with `prefix`, which is empty or ends in `/`, in order.
    ///
    /// # Errors
    ///
    /// [`ObjectError`], as of the other functions.
    pub fn list(&self, prefix: &str) -> Result<Vec<Listed>, ObjectError> {
        let folder = self.path(prefix)?;
        let found = wait(async { self.store.list(Some(&folder)).try_collect::<Vec<_>>().await });
        let found = self.told("list", prefix, found)?;
        let whole = self.address.key("");
        // Some tools put an empty object where a folder would be.
        let listed = found.into_iter().filter_map(|object| {
            let name = object.location.as_ref().strip_prefix(&whole)?.to_owned();
            (!name.is_empty()).then_some(Listed { name, bytes: object.size })
        });
        let mut listed: Vec<Listed> = listed.collect();
        listed.sort();
        Ok(listed)
    }

    /// Whether there is an object `name`.
    ///
    /// # Errors
    ///
    /// [`ObjectError`].
    pub fn has(&self, name: &str) -> Result<bool, ObjectError> {
        let path = self.path(name)?;
        match self.told("look for", name, wait(self.store.head(&path))) {
            Ok(_) => Ok(true),
            Err(ObjectError::Missing { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// An object of at most [`READ_BYTES_MAX`], `None` where there is none.
    ///
    /// # Errors
    ///
    /// [`ObjectError`].
    pub fn read(&self, name: &str) -> Result<Option<Vec<u8>>, ObjectError> {
        Ok(self.read_version(name)?.map(|(bytes, _)| bytes))
    }

    /// The same with its version.
    ///
    /// # Errors
    ///
    /// [`ObjectError`].
    pub fn read_version(&self, name: &str) -> Result<Option<Versioned>, ObjectError> {
        let path = self.path(name)?;
        let got = match self.told("read", name, wait(self.store.get(&path))) {
            Ok(got) => got,
            Err(ObjectError::Missing { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        let (bytes, version) = (got.meta.size, got.meta.e_tag.clone());
        if bytes > READ_BYTES_MAX {
            return Err(ObjectError::TooLarge { what: self.address.of(name), bytes });
        }
        let read = self.told("read", name, wait(got.bytes()))?;
        Ok(Some((read.into(), version)))
    }

    /// Writes an object whole, in the place of what may be there.
    ///
    /// # Errors
    ///
    /// [`ObjectError`].
    pub fn write(&self, name: &str, bytes: Vec<u8>) -> Result<(), ObjectError> {
        let path = self.path(name)?;
        self.told("write", name, wait(self.store.put(&path, PutPayload::from(bytes)))).map(drop)
    }

    fn put(&self, name: &str, bytes: Vec<u8>, mode: PutMode) -> Result<Result<PutResult, ClientError>, ObjectError> {
        let path = self.path(name)?;
        wait(async { self.store.put_opts(&path, PutPayload::from(bytes), mode.into()).await })
    }

    /// Writes an object unless there is one of that name: of many who try at once, one does. Where conditional requests are switched off
    /// (`AWS_CONDITIONAL_PUT=disabled`), two at the same time may.
    ///
    /// # Errors
    ///
    /// [`ObjectError`].
    pub fn create(&self, name: &str, bytes: Vec<u8>) -> Result<Written, ObjectError> {
        match self.put(name, bytes.clone(), PutMode::Create)? {
            Ok(put) => Ok(Written::Created { version: put.e_tag }),
            Err(ClientError::AlreadyExists { .. }) => Ok(Written::Existing),
            Err(ClientError::NotImplemented { .. }) if self.has(name)? => Ok(Written::Existing),
            Err(ClientError::NotImplemented { .. }) => {
                let put = self.put(name, bytes, PutMode::Overwrite);
                Ok(Written::Created { version: self.told("write", name, put)?.e_tag })
            }
            Err(error) => self.told("write", name, Ok(Err(error))),
        }
    }

    /// Writes an object in the place of that of `version`, and gives the new version; `None` where another version is there, or nothing.
    ///
    /// # Errors
    ///
    /// [`ObjectError`].
    pub fn replace(&self, name: &str, bytes: Vec<u8>, version: &str) -> Result<Option<String>, ObjectError> {
        let version = UpdateVersion { e_tag: Some(version.to_owned()), version: None };
        match self.put(name, bytes.clone(), PutMode::Update(version))? {
            Ok(put) => Ok(Some(put.e_tag.unwrap_or_default())),
            Err(ClientError::Precondition { .. } | ClientError::NotFound { .. }) => Ok(None),
            Err(ClientError::NotImplemented { .. }) => {
                let put = self.put(name, bytes, PutMode::Overwrite);
                Ok(Some(self.told("write", name, put)?.e_tag.unwrap_or_default()))
            }
            Err(error) => self.told("write", name, Ok(Err(error))),
        }
    }

    /// Removes an object; that there is none is no error.
    ///
    /// # Errors
    ///
    /// [`ObjectError`].
    pub fn remove(&self, name: &str) -> Result<(), ObjectError> {
        let path = self.path(name)?;
        match self.told("remove", name, wait(self.store.delete(&path))) {
            Err(ObjectError::Missing { .. }) => Ok(()),
            removed => removed,
        }
    }

    /// The bytes of an object as a stream, from `start` on, which is checked to be of the version that is `expected`, if any is.
    ///
    /// # Errors
    ///
    /// [`ObjectError`]; what goes wrong later is an error of reading.
    pub fn stream(&self, name: &str, start: u64, expected: Option<&str>) -> Result<ObjectReader, ObjectError> {
        ObjectReader::open(BucketFile { bucket: self.clone(), name: name.to_owned() }, start, expected)
    }

    /// Asks for an object, or the rest of one. Its size is known then: where nothing is behind a place within, it is another one.
    pub(crate) fn get(&self, name: &str, options: GetOptions) -> Result<GetResult, ObjectError> {
        let path = self.path(name)?;
        let (is_rest, expected) = (options.range.is_some(), options.if_match.clone().unwrap_or_default());
        let changed = || ObjectError::Changed { what: self.address.of(name), expected };
        match wait(async { self.store.get_opts(&path, options).await })? {
            Err(ClientError::Precondition { .. }) => Err(changed()),
            got => match self.told("read", name, Ok(got)) {
                Err(ObjectError::Failed { source, .. }) if is_rest && source.0.contains("InvalidRange") => {
                    Err(changed())
                }
                got => got,
            },
        }
    }
}

/// An object that is streamed.
pub(crate) struct BucketFile {
    pub(crate) bucket: Bucket,
    pub(crate) name: String,
}

impl Expected {
    /// The version as a condition of a request. A weak tag is none.
    pub(crate) fn condition(&self) -> Option<String> {
        self.version.clone().filter(|version| !version.starts_with("W/"))
    }
}
