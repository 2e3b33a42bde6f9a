//! The engine inside: tantivy, in a directory. Nothing outside this folder knows it.

mod any_word;
mod automata;
mod best;
mod block_index;
mod columns;
mod commit_files;
mod commits;
mod compile;
mod count;
mod encoder;
mod facet_counts;
mod gather;
mod inventory;
mod languages;
mod lexicon;
mod merging;
mod metered;
mod near;
mod peaks;
mod probe;
mod query;
mod read_only;
mod schema;
mod shared_directory;
mod snapshot;
mod steady;
mod term_search;
mod term_tokenizer;
mod top_blocks;
mod view;
mod writer;

use tantivy::TantivyError;

pub use block_index::{BlockIndex, FORMAT_VERSION, IndexError};
pub use commit_files::CommitFiles;
pub use encoder::{EncodedPage, PageEncoder};
#[cfg(doc)]
pub(crate) use term_tokenizer::TermTokenizer;
pub use writer::{BlockWriter, WriterOptions};

use crate::engine::EngineError;
use lopper_faults::guard::guarded;

impl From<TantivyError> for EngineError {
    fn from(error: TantivyError) -> Self {
        Self::new(error)
    }
}

/// Runs `call` of tantivy; a panic is an error as of damaged data.
fn engine<T>(call: impl FnOnce() -> Result<T, TantivyError>) -> Result<T, TantivyError> {
    guarded(call).unwrap_or_else(|message| Err(TantivyError::InternalError(message)))
}
