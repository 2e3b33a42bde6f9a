//! A single HTML file as an archive of one record.

use std::io::Read;
use std::path::PathBuf;

use lopper_content::limits::Limits;

use super::container::{Container, is_named_xml, name_says};
use super::member::file_url;
use super::record::{ArchiveError, ArchiveReader, ArchiveRecord, Payload, RecordKind, Remark, RemarkKind};
use super::stream::Stream;
use crate::page::sniff;

/// Reads a file that is one page.
pub(super) struct HtmlFileReader<R> {
    stream: Stream<R>,
    archive: PathBuf,
    bytes_max: usize,
    done: bool,
}

impl<R: Read> HtmlFileReader<R> {
    pub(super) fn new(stream: Stream<R>, archive: PathBuf, limits: Limits) -> Self {
        Self { stream, archive, bytes_max: limits.payload_bytes_max, done: false }
    }

    fn read(&mut self) -> Result<ArchiveRecord, ArchiveError> {
        let mut body = Vec::new();
        while self.stream.fill_to(1) {
            let len = self.stream.window().len();
            if body.len() + len > self.bytes_max {
                let max = self.bytes_max as u64;
                return Err(ArchiveError::TooLarge {
                    archive: self.archive.clone(),
                    offset_bytes: 0,
                    record_id: None,
                    what: "the file",
                    max,
                });
            }
            body.extend_from_slice(self.stream.window());
            self.stream.consume(len);
        }
        let remark = match self.stopped() {
            Some(error) if body.is_empty() || is_io(&error) => return Err(error),
            error => error.map(|error| Remark { kind: RemarkKind::Damaged, message: error.fault() }),
        };
        Ok(ArchiveRecord { remark, ..self.record(body) })
    }

    /// An error for a damage that cuts the page off; what precedes it is still a page.
    fn stopped(&mut self) -> Option<ArchiveError> {
        self.stream.stopped(&self.archive)
    }

    fn record(&self, body: Vec<u8>) -> ArchiveRecord {
        let says_html = name_says(&self.archive) == Some(Container::Html);
        let is_other = !says_html && sniff::is_other_xml(&body, is_named_xml(&self.archive));
        let content_type = if is_other { "application/xml" } else { "text/html" };
        let payload = Payload::Bare { content_type: Some(content_type.to_owned()), body };
        ArchiveRecord::new(RecordKind::Resource, file_url(&self.archive), self.archive.clone(), 0, payload)
    }
}

impl<R: Read> ArchiveReader for HtmlFileReader<R> {
    fn next_record(&mut self) -> Option<Result<ArchiveRecord, ArchiveError>> {
        (!std::mem::replace(&mut self.done, true)).then(|| self.read())
    }

    fn position_bytes(&self) -> u64 {
        self.stream.file_position()
    }
}

/// Whether the file itself cannot be read. One that ends too early, within another, is only cut off.
fn is_io(error: &ArchiveError) -> bool {
    matches!(error, ArchiveError::Io { source, .. } if source.kind() != std::io::ErrorKind::UnexpectedEof)
}
