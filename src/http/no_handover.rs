//! Where there are no Unix sockets no ingest is handed over.

use std::sync::Arc;

use super::state::State;

pub(super) struct Handover;

impl Handover {
    pub(super) fn listen(_: &Arc<State>) -> Option<Self> {
        None
    }
}
