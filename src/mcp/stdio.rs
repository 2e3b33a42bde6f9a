//! The protocol over standard input and output.

use std::io;

use rmcp::ServiceExt;
use rmcp::transport::stdio;

use super::Speaker;

/// Answers until the client closes its side.
///
/// # Errors
///
/// When the client does not speak the protocol, or the runtime cannot start.
pub(crate) fn serve_stdio(speaker: Speaker) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let served = runtime.block_on(async {
        let running = speaker.serve(stdio()).await.map_err(io::Error::other)?;
        running.waiting().await.map_err(io::Error::other)
    });
    runtime.shutdown_background();
    served.map(drop)
}
