//! The runtime that does what is async, unseen.

use std::future::Future;
use std::sync::OnceLock;

use tokio::runtime::{Builder, Handle, Runtime};

use crate::ObjectError;

/// One for the process; it ends with it.
static RUNTIME: OnceLock<Result<Runtime, String>> = OnceLock::new();

/// Waits for `future`.
///
/// # Errors
///
/// [`ObjectError::Runtime`] where no thread can be made, and when this thread is one of another runtime.
pub(crate) fn wait<T>(future: impl Future<Output = T>) -> Result<T, ObjectError> {
    if Handle::try_current().is_ok() {
        return Err(ObjectError::Runtime { reason: "this thread may not wait".to_owned() });
    }
    let runtime = RUNTIME.get_or_init(|| {
        // TLS by ring for the process; where there is one already, that one stays.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut builder = Builder::new_multi_thread();
        builder.worker_threads(1).thread_name("objects").enable_all().build().map_err(|error| error.to_string())
    });
    match runtime {
        Ok(runtime) => Ok(runtime.block_on(future)),
        Err(reason) => Err(ObjectError::Runtime { reason: reason.clone() }),
    }
}
