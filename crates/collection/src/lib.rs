//! A collection of pages: archives go in, passages come out.
#![forbid(unsafe_code)]

pub mod documents;
pub mod ingest;
pub mod links;
pub mod search;
