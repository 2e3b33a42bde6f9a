//! What of an error is wrong usage: exit code 2.

use lopper_collection::ingest::SiteError;
use lopper_collection::search::SearchError;
use lopper_collection::{DeleteError, Error};

/// Flags that are each right and mean nothing together, or a value that the flag cannot have.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct Usage(pub(super) &'static str);

/// Whether what was asked for is wrong whatever the files hold: a flag's value, flags that do not go together, or a query that cannot be
/// understood.
pub(super) fn is_wrong_usage(error: &anyhow::Error) -> bool {
    let is_bad_search = match (error.downcast_ref(), error.downcast_ref()) {
        (Some(error), _) | (_, Some(Error::Search(error) | Error::Delete(DeleteError::Search(error)))) => {
            is_bad_request(error)
        }
        (_, Some(Error::Delete(DeleteError::Selection(_)))) => true,
        _ => false,
    };
    is_bad_search || error.is::<Usage>() || error.is::<SiteError>()
}

fn is_bad_request(error: &SearchError) -> bool {
    match error {
        SearchError::Query(_)
        | SearchError::NotToTheLetter { .. }
        | SearchError::OutOfRange { .. }
        | SearchError::NoShare { .. }
        | SearchError::OtherCursor
        | SearchError::FacetsAsOf
        | SearchError::NoCoverage => true,
        // That the collection has no such block, or takes too long, is no fault of the command line.
        _ => false,
    }
}
