//! The HTTP server: a JSON interface under `/v1`, and a search page for people. The only module that knows actix.
//!
//! | request | answer |
//! |---|---|
//! | `GET /v1/search?q=&pages=&blocks_per_page=&snippet_chars=` | a [`SearchResponse`](lopper_collection::search::SearchResponse) |
//! | `GET /v1/pages/{id}` | the page and its main blocks |
//! | `GET /v1/pages/{id}/tree` | the page's content structure tree with its judgements |
//! | `POST /v1/pages` | takes a page in: JSON `{"url", "html", "captured_at"}`, or `text/html` with `?url=&captured_at=` |
//! | `POST /v1/pages` of NDJSON | takes many pages in, a line of answer for each |
//! | `POST /v1/archives`, `GET /v1/jobs` | takes an archive in, and tells how far it is |
//! | `GET /healthz` | `{"status": "ok", "pages", "version"}` |
//! | `GET /`, `GET /page/{id}` | the same for people, complete without scripts |
//! | `GET /page/{id}/frame`, `/picture` | the archived page, sanitised, for the frame in `/page/{id}`, and its pictures |
//!
//! Errors of the interface are problem documents (RFC 9457) with the codes of [`ErrorCode`]. What comes from archives
//! is only ever shown escaped, and every answer carries a policy that lets a browser run nothing but the page's own script.
//!
//! ```no_run
//! use std::sync::Arc;
//!
//! use lopper::http::{ServeOptions, Server};
//! use lopper_collection::DataFolder;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let collection = Arc::new(DataFolder::open_to_read("lopper-data".as_ref())?);
//! let server = Server::bind(collection, ServeOptions::default())?;
//! println!("http://{}/", server.address());
//! server.run()?;
//! # Ok(())
//! # }
//! ```

mod access;
mod allowed_archives;
mod api;
mod asked;
mod background;
mod bodies;
mod callers;
mod collections;
mod dates;
mod error;
mod etag;
mod fetched_archive;
mod file_part;
mod form;
mod gate;
#[cfg(unix)]
mod handover;
#[cfg(not(unix))]
#[path = "no_handover.rs"]
mod handover;
mod headers;
mod job_run;
mod jobs;
mod leftovers;
mod limits;
mod media;
mod metrics;
mod openapi;
mod operations;
mod options;
mod origin;
mod pace;
mod parameters;
mod posts;
mod received;
mod render;
mod replay;
pub(crate) use replay::replay_url;
mod request_log;
mod resources;
mod routes;
mod server;
mod site;
mod state;
mod submission;
mod tls;

pub use collections::CollectionSettings;
pub use error::ErrorCode;
pub use options::ServeOptions;
pub use server::{ServeError, Server, serve};
pub use tls::{TlsError, TlsFiles};

/// Where a page comes from that says nothing of it: like a file's, this address tells nothing, and no answer has it.
const URL_UNKNOWN: &str = "file:///";
