//! What the modules share: places, runs of the real program, files of expectations.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use lopper_archive::page::{Page, PageId, Provenance};
use lopper_collection::ingest::{Interrupt, Observer, Progress};
use tempfile::TempDir;

/// A path in the repository.
pub(crate) fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// A file of `tests/archives`.
pub(crate) fn archive(name: &str) -> PathBuf {
    repository("tests/archives").join(name)
}

/// The names of all files of `tests/archives` that are archives.
pub(crate) fn archives() -> Vec<String> {
    let names = names_in(&repository("tests/archives")).into_iter();
    names.filter(|name| !matches!(name.as_str(), "expected.json" | "SOURCES.md")).collect()
}

/// A page of that URL, as one that was posted.
pub(crate) fn page(url: &str, html: impl Into<String>) -> Page {
    Page {
        id: PageId::of(url, None),
        url: url.to_owned(),
        captured_at: None,
        status: 200,
        media_type: "text/html".to_owned(),
        charset: "UTF-8",
        content_language: None,
        listed_title: None,
        remark: None,
        html: html.into(),
        provenance: Provenance { archive: "posted".into(), offset_bytes: 0, record_id: None },
    }
}

/// Asks to stop after some calls.
pub(crate) struct StopAfter(pub(crate) u32, pub(crate) Interrupt);

impl Observer for StopAfter {
    fn progress(&mut self, _progress: &Progress) {
        self.0 = self.0.saturating_sub(1);
        if self.0 == 0 {
            self.1.ask();
        }
    }
}

/// The real program in the working folder `folder`, with no setting of the user's.
pub(crate) fn lopper(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lopper"));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("LOPPER_") {
            command.env_remove(name);
        }
    }
    command.current_dir(folder).env("COLUMNS", "100").env("RUST_BACKTRACE", "0");
    command
}

/// What a run of the program left.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("the program writes UTF-8");
        Self { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

impl Run {
    /// Its standard output, once it is known to have succeeded.
    pub(crate) fn success(self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.out
    }

    /// Its standard output as one JSON value, once it is known to have succeeded.
    pub(crate) fn json(self) -> serde_json::Value {
        serde_json::from_str(&self.success()).expect("the output is JSON")
    }
}

/// Runs the program in `folder`.
pub(crate) fn run(folder: &Path, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Run {
    lopper(folder).args(args).output().expect("the program starts").into()
}

/// Whether expectation files are to be written anew: `LOPPER_UPDATE=1`. Read the difference before it is committed.
fn update() -> bool {
    std::env::var_os("LOPPER_UPDATE").is_some_and(|value| value == "1")
}

/// Compares `found` with a file of expectations; says where they part.
pub(crate) fn check_file(path: &Path, found: &str) -> Result<(), String> {
    if update() {
        fs::write(path, found).map_err(|error| format!("{}: {error}", path.display()))?;
        return Ok(());
    }
    let expected = fs::read_to_string(path).unwrap_or_default();
    if expected == found {
        return Ok(());
    }
    let same = expected.lines().zip(found.lines()).take_while(|(expected, found)| expected == found).count();
    let line = |text: &str| text.lines().nth(same).unwrap_or("(end)").to_owned();
    let (expected, found) = (line(&expected), line(found));
    let name = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap_or(path).display();
    Err(format!("{name} line {}:\n  expected {expected}\n  found    {found}\n  (LOPPER_UPDATE=1 rewrites)", same + 1))
}

/// The names in a folder, sorted.
pub(crate) fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Copies a folder with all that is in it.
pub(crate) fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for name in names_in(from) {
        let (from, to) = (from.join(&name), to.join(&name));
        if from.is_dir() {
            copy_folder(&from, &to);
        } else {
            fs::copy(&from, &to).unwrap();
        }
    }
}

/// A folder with files in it; the data folder goes to `data` there.
pub(crate) fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    folder
}
