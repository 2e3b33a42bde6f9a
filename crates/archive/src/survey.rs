//! What is in an archive, counted: records, responses, pages, failures and remarks.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lopper_content::limits::Limits;
use serde::Serialize;

use super::open::{container_of, open};
use super::record::{ArchiveRecord, Payload, describe};
use crate::page::{PageOutcome, decode};

/// Messages that a survey keeps.
const MESSAGES_MAX: usize = 20;

/// The sums over one archive.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Survey {
    /// The file.
    pub file: PathBuf,
    /// Its container and compression, by its content.
    pub container: String,
    /// Records of all kinds, also those with a fault.
    pub records: u64,
    /// Records with a body: responses and resources.
    pub responses: u64,
    /// Records that are pages: HTML with status 200 and a body that is more than a redirect.
    pub pages: u64,
    /// Places that hold no readable record, and records whose body cannot be decoded.
    pub failures: u64,
    /// Records that were read in spite of a fault, by the fault.
    pub remarks: BTreeMap<&'static str, u64>,
    /// The first messages about failures and faults.
    pub messages: Vec<String>,
}

/// Reads an archive and counts. A file that cannot be opened has one failure and nothing else.
pub fn survey(file: &Path, limits: &Limits) -> Survey {
    let container = container_of(file).unwrap_or_else(|_| "unreadable".to_owned());
    let mut survey = Survey { file: file.to_owned(), container, ..Survey::default() };
    let mut reader = match open(file, limits) {
        Ok(reader) => reader,
        Err(error) => {
            survey.fail(describe(&error));
            return survey;
        }
    };
    while let Some(item) = reader.next_record() {
        match item {
            Ok(record) => survey.count(record, limits),
            Err(error) => survey.fail(describe(&error)),
        }
    }
    survey
}

impl Survey {
    fn count(&mut self, record: ArchiveRecord, limits: &Limits) {
        self.records += 1;
        self.responses += u64::from(record.payload != Payload::Skipped);
        let place = record.place();
        if let Some(remark) = &record.remark {
            *self.remarks.entry(remark.kind.as_str()).or_default() += 1;
            self.tell(format!("{place}: {}", remark.message));
        }
        match decode(record, limits) {
            Ok(PageOutcome::Page(_)) => self.pages += 1,
            Ok(PageOutcome::Skipped(_)) => {}
            Err(error) => self.fail(format!("{place}: {error}")),
        }
    }

    fn fail(&mut self, message: String) {
        self.failures += 1;
        self.tell(message);
    }

    fn tell(&mut self, message: String) {
        if self.messages.len() < MESSAGES_MAX {
            self.messages.push(message);
        }
    }
}
