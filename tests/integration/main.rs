//! Lopper's integration tests: one binary, so that they link once.

mod archive_counts;
mod archive_laws;
mod archive_resume;
mod bad_input;
mod cli;
mod container_laws;
mod containers;
mod crash;
mod damage;
mod deletion;
mod engines;
mod extract;
mod formats;
mod http;
mod ingest;
mod laws;
mod ledger;
mod page_types;
mod quality;
mod retrieval;
mod search;
mod site_memory;
mod support;
mod tidy;
mod trees;
mod worst_pages;
