//! Lopper's integration tests: one binary, so that they link once.

mod archive_counts;
mod archive_laws;
mod bad_input;
mod cli;
mod container_laws;
mod containers;
mod formats;
mod http;
mod ingest;
mod laws;
mod ledger;
mod quality;
mod site_memory;
mod support;
mod tidy;
mod trees;
