//! Errors as Python sees them.

use lopper_collection::{CollectionError, Error};
use lopper_store::StoreError;
use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

create_exception!(lopper, LopperError, PyException, "What Lopper cannot do, with where and why.");
create_exception!(
    lopper,
    FolderInUse,
    LopperError,
    "Another process, as a rule a server, has the data folder open for writing."
);

/// An error with its causes.
pub(crate) fn told<E: std::error::Error>(error: &E) -> PyErr {
    LopperError::new_err(message(error))
}

/// Why a folder cannot be opened; what is in use can still be read.
pub(crate) fn folder_error(error: &Error) -> PyErr {
    match error {
        Error::Folder(CollectionError::Store(StoreError::DataInUse { .. })) => FolderInUse::new_err(format!(
            "{error}; `lopper.Collection(path, read_only=True)` searches it meanwhile, and `lopper.Client` asks the server"
        )),
        other => told(other),
    }
}

fn message(error: &dyn std::error::Error) -> String {
    let mut message = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let text = error.to_string();
        if !message.contains(&text) {
            message = format!("{message}: {text}");
        }
        cause = error.source();
    }
    message
}
