//! `lopper worker`: parts of archives, made by a process that another one watches over.
//!
//! The watching process takes jobs and gives receipts. It has no archive open: a child does the work ([`child`]), says before each record
//! what it is about to do, and is ended when it says nothing for too long or takes too much memory. The record that it was at is put into
//! quarantine, and another child makes the part without it ([`watch`]). What is behind a URL comes from a command of the user's (`fetch`).

pub mod child;
mod fetch;
pub mod task;
pub mod watch;
