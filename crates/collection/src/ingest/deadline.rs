//! The time that one page may take.
//!
//! The analysis reads no clock; it tells of the end of each stage. There a page whose time is over is given up, by unwinding to
//! the worker, which goes on with the next record. The work of a stage is bounded by the limits on sizes, so that a page holds up one
//! thread for one stage at most, and no thread is left behind.

use std::any::Any;
use std::panic::resume_unwind;
use std::time::{Duration, Instant};

use lopper_content::limits::Limits;

use super::job::Failure;

/// A page's time is over.
struct PageTimeout {
    max: Duration,
}

/// When a page's time is over.
pub(super) struct Deadline {
    started: Instant,
    max: Duration,
}

impl Deadline {
    /// The time of a page that begins now.
    pub(super) fn of(limits: &Limits) -> Self {
        Self { started: Instant::now(), max: Duration::from_millis(limits.page_duration_ms_max) }
    }

    /// Gives the page up if its time is over: unwinds up to the worker.
    pub(super) fn check(&self) {
        if self.started.elapsed() > self.max {
            resume_unwind(Box::new(PageTimeout { max: self.max }));
        }
    }
}

/// What to say of an analysis that ended by unwinding.
pub(super) fn failure(reason: &(dyn Any + Send)) -> Failure {
    if let Some(PageTimeout { max }) = reason.downcast_ref() {
        let message = format!("the page's analysis took longer than {max:?} (limits.page_duration_ms_max)");
        return Failure { code: "page_timeout", message, record_id: None };
    }
    let message = "the page stopped its analysis; this is a fault of lopper, please report it".to_owned();
    Failure { code: "analysis_panicked", message, record_id: None }
}
