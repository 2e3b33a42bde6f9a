//! Where reading can begin in the middle of a file.

use std::io::Read;

use super::record::ResumePoint;
use super::stream::Stream;

/// Keeps the last place at which a reader of records one after another could begin.
#[derive(Debug, Default)]
pub(super) struct ResumePoints {
    given: u64,
    last: Option<ResumePoint>,
}

impl ResumePoints {
    /// Notes the place before the next record or failure, if nothing that was read before matters from there on; `is_settled` says so
    /// of the reader itself.
    pub(super) fn before_next<R: Read>(&mut self, stream: &Stream<R>, is_settled: bool) {
        if is_settled && stream.can_begin_here() {
            self.last = Some(ResumePoint { offset_bytes: stream.offset(), ordinal: self.given });
        }
        self.given += 1;
    }

    pub(super) fn last(&self) -> Option<ResumePoint> {
        self.last
    }
}
