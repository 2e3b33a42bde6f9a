//! Counts records and pages of real archives, sound and broken, against what other readers find in them.
//!
//! `LOPPER_ARCHIVES=<folder>` checks another folder with an `expected.json` too.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lopper_content::limits::Limits;
use serde::Deserialize;

#[derive(Deserialize)]
struct Expected {
    files: BTreeMap<String, File>,
}

#[derive(Deserialize)]
struct File {
    expected: Counts,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
struct Counts {
    records: u64,
    html_pages: u64,
}

/// Files whose expected counts are not ours: the counts that are right, and why.
const EXCEPTIONS: &[(&str, Counts, &str)] = &[
    (
        "commoncrawl-ia-web-commons__link-extraction-test.warc",
        Counts { records: 10, html_pages: 7 },
        "two of the expected pages have a few words and send a reader on after five seconds",
    ),
    (
        "netarchivesuite-jwat__invalid-warcfile-record-then-garbage.warc",
        Counts { records: 1, html_pages: 0 },
        "the second of the expected records is text behind the first, without a version line",
    ),
    (
        "oduwsdl-ipwb__broken.warc",
        Counts { records: 6, html_pages: 1 },
        "two of the expected records are HTTP headers behind a record whose length is too small",
    ),
    (
        "webrecorder-warcio__example-resource.warc.gz",
        Counts { records: 3, html_pages: 1 },
        "one resource record holds an HTML page; the expected number counts responses alone",
    ),
];

fn count(path: &Path) -> Counts {
    let survey = lopper_archive::survey(path, &Limits::default());
    survey.messages.iter().for_each(|message| eprintln!("  {message}"));
    Counts { records: survey.records, html_pages: survey.pages }
}

fn right_counts(name: &str, file: &File) -> Counts {
    let exception = EXCEPTIONS.iter().find(|(excepted, ..)| name.ends_with(excepted));
    exception.map_or(file.expected, |&(_, counts, _)| counts)
}

/// Checks the files of `folder` that its `expected.json` names.
fn check(folder: &Path) {
    let expected = std::fs::read(folder.join("expected.json")).unwrap();
    let expected: Expected = serde_json::from_slice(&expected).unwrap();
    let mut wrong = Vec::new();
    for (name, file) in &expected.files {
        eprintln!("{name}");
        let (right, found) = (right_counts(name, file), count(&folder.join(name)));
        if found != right {
            wrong.push(format!("{name}: expected {right:?}, found {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn archives_of_the_tree() {
    check(&PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/archives"));
}

#[test]
fn archives_of_the_environment() {
    if let Some(folder) = std::env::var_os("LOPPER_ARCHIVES") {
        check(Path::new(&folder));
    }
}
