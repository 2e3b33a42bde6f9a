//! A stream that goes on where a connection breaks.

use std::io::{self, Read};
use std::thread::sleep;
use std::time::Duration;

use bytes::{Buf, Bytes};
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use object_store::{GetOptions, GetRange};

use crate::ObjectError;
use crate::bucket::{BucketFile, PAUSE_FIRST, PAUSE_MAX, RETRIES_MAX};
use crate::error::Reason;
use crate::runtime::wait;

/// Bytes between two breaks behind which the tries are counted anew.
const PROGRESS_BYTES: u64 = 1 << 20;

/// What a file must still be, each time that it is asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Expected {
    /// Its version: an `ETag` as the server gives it, or the time of its last change where there is no such tag.
    pub version: Option<String>,
    /// Its size, where the server tells it.
    pub bytes: Option<u64>,
}

/// An answer with the bytes of a file from some byte on.
pub(crate) struct Answer {
    pub(crate) found: Expected,
    pub(crate) chunks: BoxStream<'static, Result<Bytes, Reason>>,
}

/// What gives bytes from any byte on.
pub(crate) trait Ranged: Send {
    /// Asks for the bytes from `start` on. `expected` is what an earlier answer told; another version is an error where the server compares.
    fn ask(&self, start: u64, expected: &Expected) -> Result<Answer, ObjectError>;

    /// Its address, to be shown.
    fn address(&self) -> String;
}

/// The bytes of a file, from one on to its end. Where a connection breaks, it goes on there, as long as the file is the same.
pub struct ObjectReader {
    file: Box<dyn Ranged>,
    expected: Expected,
    /// Where the next byte is in the file.
    at: u64,
    chunk: Bytes,
    chunks: Option<BoxStream<'static, Result<Bytes, Reason>>>,
    breaks: usize,
    broke_at: u64,
}

impl ObjectReader {
    /// Asks for the bytes from `start` on of a file, which is to be of the version `expected`, if one is given.
    pub(crate) fn open(file: impl Ranged + 'static, start: u64, expected: Option<&str>) -> Result<Self, ObjectError> {
        let expected = Expected { version: expected.map(quoted), bytes: None };
        let answer = file.ask(start, &expected)?;
        let file: Box<dyn Ranged> = Box::new(file);
        let mut reader =
            Self { file, expected, at: start, chunk: Bytes::new(), chunks: None, breaks: 0, broke_at: start };
        reader.accept(answer)?;
        Ok(reader)
    }

    /// What the file is: its version and size, as the server tells them.
    pub fn found(&self) -> &Expected {
        &self.expected
    }

    /// Accepts an answer if it is of the same file.
    fn accept(&mut self, answer: Answer) -> Result<(), ObjectError> {
        let Expected { version, bytes } = &self.expected;
        let is_other = version.as_ref().is_some_and(|version| answer.found.version.as_ref() != Some(version))
            || bytes.is_some_and(|bytes| answer.found.bytes != Some(bytes));
        if is_other {
            let expected = version.clone().or_else(|| bytes.map(|bytes| format!("{bytes} bytes"))).unwrap_or_default();
            return Err(ObjectError::Changed { what: self.file.address(), expected });
        }
        self.expected = answer.found;
        self.chunks = Some(answer.chunks);
        Ok(())
    }

    fn is_at_end(&self) -> bool {
        self.expected.bytes.is_some_and(|bytes| self.at >= bytes)
    }

    /// The next bytes; none at the end of the file.
    fn next_chunk(&mut self) -> Result<Option<Bytes>, ObjectError> {
        while !self.is_at_end() {
            let Some(chunks) = &mut self.chunks else {
                let answer = self.file.ask(self.at, &self.expected)?;
                self.accept(answer)?;
                continue;
            };
            match wait(chunks.next())? {
                Some(Ok(chunk)) => {
                    self.at += chunk.len() as u64;
                    return Ok(Some(chunk));
                }
                None if self.expected.bytes.is_none() => return Ok(None),
                None => self.pause(Reason("the connection was closed before the end".to_owned()))?,
                Some(Err(reason)) => self.pause(reason)?,
            }
        }
        Ok(None)
    }

    /// After a break: waits before it goes on, and gives up when there is no end of breaks.
    fn pause(&mut self, reason: Reason) -> Result<(), ObjectError> {
        self.chunks = None;
        if self.at >= self.broke_at + PROGRESS_BYTES {
            self.breaks = 0;
        }
        (self.breaks, self.broke_at) = (self.breaks + 1, self.at);
        if self.breaks > RETRIES_MAX {
            return Err(ObjectError::Failed { action: "read", what: self.file.address(), source: reason });
        }
        tracing::info!(file = %self.file.address(), at = self.at, %reason, "the connection broke; reading goes on there");
        sleep(pause(self.breaks));
        Ok(())
    }
}

/// The pause before the `number`-th further try, from 1.
pub(crate) fn pause(number: usize) -> Duration {
    PAUSE_FIRST.saturating_mul(1 << (number - 1).min(16)).min(PAUSE_MAX)
}

/// A tag as servers write it.
fn quoted(version: &str) -> String {
    let is_tag = version.starts_with('"') || version.starts_with("W/");
    if is_tag || version.contains(' ') { version.to_owned() } else { format!("\"{version}\"") }
}

impl Read for ObjectReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.chunk.is_empty() && !buffer.is_empty() {
            match self.next_chunk()? {
                Some(chunk) => self.chunk = chunk,
                None => return Ok(0),
            }
        }
        let len = self.chunk.len().min(buffer.len());
        self.chunk.copy_to_slice(&mut buffer[..len]);
        Ok(len)
    }
}

impl Ranged for BucketFile {
    fn ask(&self, start: u64, expected: &Expected) -> Result<Answer, ObjectError> {
        let range = (start > 0).then_some(GetRange::Offset(start));
        let got =
            self.bucket.get(&self.name, GetOptions { range, if_match: expected.condition(), ..Default::default() })?;
        let found = Expected { version: got.meta.e_tag.clone(), bytes: Some(got.meta.size) };
        let (bucket, name) = (self.bucket.clone(), self.name.clone());
        let told = move |error| match bucket.told::<()>("read", &name, Ok(Err(error))) {
            Err(ObjectError::Failed { source, .. } | ObjectError::Unreachable { source, .. }) => source,
            Err(error) => Reason(error.to_string()),
            Ok(()) => Reason(String::new()),
        };
        let chunks = got.into_stream().map(move |chunk| chunk.map_err(&told)).boxed();
        Ok(Answer { found, chunks })
    }

    fn address(&self) -> String {
        self.bucket.address().of(&self.name)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use futures_util::stream;

    use super::*;

    /// Bytes in answers that break off, each after its length; the version changes with the last answer, if that is wanted.
    struct Breaking {
        bytes: Vec<u8>,
        lengths: Mutex<Vec<usize>>,
        changes: bool,
    }

    impl Ranged for Breaking {
        fn ask(&self, start: u64, _: &Expected) -> Result<Answer, ObjectError> {
            let (length, is_last) = {
                let mut lengths = self.lengths.lock().unwrap();
                (lengths.remove(0), lengths.is_empty())
            };
            let version = if is_last && self.changes { "\"b\"" } else { "\"a\"" };
            let found = Expected { version: Some(version.to_owned()), bytes: Some(self.bytes.len() as u64) };
            let rest = &self.bytes[start as usize..];
            let mut chunks = vec![Ok(Bytes::copy_from_slice(&rest[..length.min(rest.len())]))];
            if length < rest.len() {
                chunks.push(Err(Reason("it broke".to_owned())));
            }
            Ok(Answer { found, chunks: stream::iter(chunks).boxed() })
        }

        fn address(&self) -> String {
            "s3://b/a".to_owned()
        }
    }

    fn read(lengths: &[usize], changes: bool, expected: Option<&str>) -> Result<Vec<u8>, io::Error> {
        let bytes = (0..100).collect();
        let file = Breaking { bytes, lengths: Mutex::new(lengths.to_vec()), changes };
        let mut read = Vec::new();
        ObjectReader::open(file, 7, expected)?.read_to_end(&mut read).map(|_| read)
    }

    #[test]
    fn reading_goes_on_where_it_broke() {
        let rest: Vec<u8> = (7..100).collect();
        assert_eq!(read(&[93], false, Some("a")).unwrap(), rest);
        assert_eq!(read(&[3, 0, 80, 100], false, None).unwrap(), rest);
        let error = read(&[1; 20], false, None).unwrap_err();
        let source = std::error::Error::source(error.get_ref().unwrap()).unwrap().to_string();
        assert_eq!((error.to_string().as_str(), source.as_str()), ("cannot read s3://b/a", "it broke"));
    }

    #[test]
    fn another_version_is_an_error() {
        for told in [read(&[3, 100], true, None), read(&[100], false, Some("\"c\""))] {
            assert!(told.unwrap_err().to_string().contains("s3://b/a is another one than it was before"));
        }
    }
}
