//! Asking a run to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A switch that stops a run between two records: what was read is then committed, and the next run goes on from there. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Asks to stop. Gives whether somebody had asked before.
    pub fn ask(&self) -> bool {
        self.0.swap(true, Ordering::AcqRel)
    }

    /// Whether somebody asked to stop.
    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}
