//! The page that a command about one page is given.

use std::path::Path;

use anyhow::{Result, anyhow};

use crate::archive;
use crate::config::Config;
use crate::page::{self, Page, PageOutcome};

/// The first page in the file. Failures on the way to it are told.
pub(super) fn first_page(file: &Path, config: &Config) -> Result<Page> {
    let mut reader = archive::open(file, &config.limits)?;
    let mut reason = None;
    while let Some(record) = reader.next_record() {
        match page::decode(record?, &config.limits)? {
            PageOutcome::Page(page) => return Ok(*page),
            PageOutcome::Skipped(skipped) => reason = Some(skipped.as_str()),
        }
    }
    Err(anyhow!("no page in {}: {}", file.display(), reason.unwrap_or("it holds no record")))
}
