//! `lopper worker`: parts of archives, made by a process that another one watches over.
//!
//! The watching process takes jobs and gives receipts. It has no archive open: a child does the work ([`child`]), says before each record
//! what it is about to do, and is ended when it says nothing for too long or takes too much memory. The record that it was at is put into
//! quarantine, and another child makes the part without it ([`watch`]). What is in object storage or behind a URL is read
//! from any byte on (`remote`), or comes from a command of the user's (`fetch`); parts go to a folder or to object storage ([`place`]).

pub(crate) mod child;
mod fetch;
pub(crate) mod place;
#[cfg(feature = "s3")]
mod remote;
#[cfg(feature = "s3")]
pub(crate) mod storage;
pub(crate) mod task;
pub(crate) mod watch;
