//! The page that a command about one page is given.

use std::path::Path;

use anyhow::{Result, anyhow};
use lopper_archive::page::{self, Page, PageOutcome};

use crate::config::Config;

/// The first page in the file. Failures on the way to it are told.
pub(super) fn first_page(file: &Path, config: &Config) -> Result<Page> {
    let mut reader = lopper_archive::open(file, &config.limits)?;
    let mut reason = None;
    while let Some(record) = reader.next_record() {
        match page::decode(record?, &config.limits)? {
            PageOutcome::Page(page) => return Ok(*page),
            PageOutcome::Skipped(skipped) => reason = Some(skipped.as_str()),
        }
    }
    Err(anyhow!("no page in {}: {}", file.display(), reason.unwrap_or("it holds no record")))
}
