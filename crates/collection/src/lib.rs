//! A collection of pages: archives go in, passages come out.
#![forbid(unsafe_code)]

mod data_folder;
pub mod documents;
pub mod ingest;
pub mod links;
pub mod search;

pub use data_folder::{CollectionError, DataFolder};
