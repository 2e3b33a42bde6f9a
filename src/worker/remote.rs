//! Archives in object storage and behind URLs of the web, read from any byte on.

use std::io::{self, Read};
use std::sync::{Arc, Mutex, PoisonError};

use lopper_collection::parts::{ByteRange, PartError, PartInput};
use lopper_content::limits::Limits;
use lopper_objects::{
    Bucket, BucketAddress, ObjectError, ObjectReader, Settings, WebFile, is_s3, is_web, without_secrets,
};

/// Whether this can read what is at `url`.
pub(super) fn is_readable(url: &str) -> bool {
    is_s3(url) || is_web(url)
}

enum Place {
    Storage(Bucket, String),
    Web(WebFile),
}

impl Place {
    fn of(url: &str) -> Result<Self, ObjectError> {
        if is_s3(url) {
            let (address, name) = BucketAddress::parse_object(url)?;
            Ok(Self::Storage(Bucket::open(&address, &Settings::from_env())?, name))
        } else {
            WebFile::new(url).map(Self::Web)
        }
    }

    fn stream(&self, start: u64, expected: Option<&str>) -> Result<ObjectReader, ObjectError> {
        match self {
            Self::Storage(bucket, name) => bucket.stream(name, start, expected),
            Self::Web(file) => file.stream(start, expected),
        }
    }
}

/// The first thing that went wrong with reading. What is read then looks like an archive that is broken there, and is none.
#[derive(Debug, Clone, Default)]
pub(super) struct Breaks(Arc<Mutex<Option<(&'static str, String)>>>);

impl Breaks {
    /// An error, if anything went wrong until now.
    pub(super) fn check(&self, archive: &str) -> Result<(), PartError> {
        match self.0.lock().unwrap_or_else(PoisonError::into_inner).clone() {
            Some((code, reason)) => Err(PartError::Fetch { archive: without_secrets(archive), code, reason }),
            None => Ok(()),
        }
    }

    fn note(&self, error: io::Error) -> io::Error {
        let known = error.get_ref().and_then(|error| error.downcast_ref::<ObjectError>());
        let told = known.map_or_else(|| ("io", error.to_string()), |error| (error.code(), error.in_full()));
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(told);
        error
    }
}

/// Notes what goes wrong with a stream.
struct Noted {
    stream: ObjectReader,
    breaks: Breaks,
}

impl Read for Noted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stream.read(buffer).map_err(|error| self.breaks.note(error))
    }
}

/// An error of object storage as one of making a part.
pub(super) fn failed(archive: &str, error: &ObjectError) -> PartError {
    PartError::Fetch { archive: without_secrets(archive), code: error.code(), reason: error.in_full() }
}

/// Opens the archive at `url`, or a range of it. What `version` says, or else what the server says when it is asked first, is its version
/// until the end; another one is an error.
pub(super) fn open(
    url: &str,
    version: Option<&str>,
    range: Option<ByteRange>,
    limits: &Limits,
) -> Result<(PartInput, Breaks), PartError> {
    let shown = without_secrets(url);
    let asked = Place::of(url).and_then(|place| Ok((place.stream(0, version)?, place)));
    let (first, place) = asked.map_err(|error| failed(url, &error))?;
    let (len, version) = (first.found().bytes, first.found().version.clone());
    // A server that tells nothing else tells the size at least.
    let name = version.clone().or_else(|| len.map(|len| format!("{len} bytes"))).unwrap_or_default();
    let breaks = Breaks::default();
    let (noting, mut first) = (breaks.clone(), Some(first));
    let source = move |start: u64| -> io::Result<Box<dyn Read + Send>> {
        let begun = if start == 0 { first.take() } else { None };
        let stream = match begun {
            Some(stream) => stream,
            None if len.is_some_and(|len| start >= len) => return Ok(Box::new(io::empty())),
            None => place.stream(start, version.as_deref()).map_err(|error| noting.note(error.into()))?,
        };
        Ok(Box::new(Noted { stream, breaks: noting.clone() }))
    };
    let opened = PartInput::of_source(source, len, &shown, &name, range, limits);
    match opened {
        Ok(input) => Ok((input, breaks)),
        // Where the reading failed, that is the reason.
        Err(error) => breaks.check(&shown).and(Err(error)),
    }
}
