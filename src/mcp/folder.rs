//! A data folder that is read, while another process may write to it.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use lopper_collection::DataFolder;
use lopper_collection::search::{SearchEngine, SearchError};

use super::Collections;

/// The folder, opened anew when there is a commit that the open one does not have.
pub(crate) struct ReadFolder {
    data: PathBuf,
    open: Mutex<Arc<SearchEngine>>,
}

impl ReadFolder {
    /// Opens the folder, which must exist.
    ///
    /// # Errors
    ///
    /// [`SearchError`].
    pub(crate) fn open(data: PathBuf) -> Result<Self, SearchError> {
        let open = Mutex::new(Arc::new(opened(&data)?));
        Ok(Self { data, open })
    }
}

impl Collections for ReadFolder {
    /// A folder that cannot be opened anew is answered from as it was.
    fn engine(&self) -> Result<Arc<SearchEngine>, SearchError> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.collection().commits_ahead() > 0 {
            match opened(&self.data) {
                Ok(engine) => *open = Arc::new(engine),
                Err(error) => tracing::warn!(%error, "the newest commit cannot be read"),
            }
        }
        Ok(Arc::clone(&open))
    }
}

/// A collection whose engine goes on to newer commits by itself.
pub(crate) struct OneEngine(pub(crate) Arc<SearchEngine>);

impl Collections for OneEngine {
    fn engine(&self) -> Result<Arc<SearchEngine>, SearchError> {
        Ok(Arc::clone(&self.0))
    }
}

fn opened(data: &std::path::Path) -> Result<SearchEngine, SearchError> {
    SearchEngine::new(Arc::new(DataFolder::open_to_read(data)?))
}
