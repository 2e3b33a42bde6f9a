//! An engine for tests: the part of Quickwit's and Elasticsearch's dialect that is used, spoken strictly, in this process.
//!
//! It answers as Quickwit 0.9 was seen to (`tests/transcripts` has recordings, which it is held against), and fails as engines do: see [`Fault`].
//! What the recordings do not show of Elasticsearch is from its documentation. Searching is real: BM25 by the statistics of each split.
//!
//! ```
//! use lopper_engine_fake::{FakeEngine, Kind};
//!
//! let engine = FakeEngine::start(Kind::Quickwit);
//! assert!(engine.url().starts_with("http://127.0.0.1:"));
//! ```

#![forbid(unsafe_code)]

mod aggregations;
mod answer;
mod bulk;
mod definition;
mod http;
mod query;
mod routes;
mod search;
mod split;
mod state;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub use state::{Fault, SearchFault};

use crate::state::State;

/// Whose dialect it speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Quickwit 0.9.
    Quickwit,
    /// Elasticsearch 8.
    Elasticsearch,
}

/// A running engine; it stops with the last clone.
#[derive(Clone)]
pub struct FakeEngine {
    url: String,
    state: Arc<Mutex<State>>,
    _stop: Arc<http::Stop>,
}

impl FakeEngine {
    /// Starts one at a free port of the loopback address.
    ///
    /// # Panics
    /// Where there is no free port.
    pub fn start(kind: Kind) -> Self {
        let state = Arc::new(Mutex::new(State::new(kind)));
        let (address, stop) = http::serve(Arc::clone(&state));
        Self { url: format!("http://{address}"), state, _stop: Arc::new(stop) }
    }

    /// Where it is.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// What goes wrong with the next requests to write, one after the other.
    pub fn fail_writes(&self, faults: impl IntoIterator<Item = Fault>) {
        self.lock().faults.extend(faults);
    }

    /// What goes wrong with the next searches.
    pub fn fail_searches(&self, faults: impl IntoIterator<Item = SearchFault>) {
        self.lock().search_faults.extend(faults);
    }

    /// Nothing goes wrong any more.
    pub fn forget_faults(&self) {
        let mut state = self.lock();
        state.faults.clear();
        state.search_faults.clear();
    }

    /// Refuses documents with this text for what they are, from now on; without a text, none.
    pub fn refuse_documents_with(&self, text: Option<&str>) {
        self.lock().refused_text = text.map(str::to_owned);
    }

    /// Ends as by kill -9 and starts again: what was acknowledged and not committed is lost.
    pub fn crash(&self) {
        self.lock().crash();
    }

    /// Documents of a split at most; more begin another one, with statistics of its own.
    pub fn set_split_documents(&self, max: usize) {
        self.lock().split_documents = max;
    }

    /// Bytes of a request at most.
    pub fn set_body_bytes(&self, max: usize) {
        self.lock().body_bytes = max;
    }

    /// Documents that can be searched in an index.
    pub fn documents(&self, index: &str) -> usize {
        self.lock().indexes.get(index).map_or(0, state::Index::documents)
    }

    /// Names of its indexes.
    pub fn indexes(&self) -> Vec<String> {
        self.lock().indexes.keys().cloned().collect()
    }

    /// Method, path and body of the requests since the last call.
    pub fn take_requests(&self) -> Vec<(String, String, String)> {
        std::mem::take(&mut self.lock().requests)
    }

    /// Whether requests are noted for [`take_requests`](Self::take_requests).
    pub fn note_requests(&self, are_noted: bool) {
        self.lock().are_noted = are_noted;
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
