//! Runs of the real program.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use crate::server::{SECRET, Server};

/// A file of the repository's `tests/archives`.
pub(crate) fn archive(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../archives").join(name)
}

/// The program in `folder`, which knows the server and no setting of the user's.
pub(crate) fn lopper(folder: &Path, server: &Server) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lopper-with-objects"));
    for (name, _) in std::env::vars_os() {
        if ["LOPPER_", "AWS_"].iter().any(|prefix| name.to_string_lossy().starts_with(prefix)) {
            command.env_remove(name);
        }
    }
    command.current_dir(folder).envs(server.variables()).env("COLUMNS", "100").env("RUST_BACKTRACE", "0");
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
        let run = Self { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) };
        assert!(!run.out.contains(SECRET) && !run.err.contains(SECRET), "it tells the secret");
        run
    }
}

impl Run {
    pub(crate) fn success(self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.out
    }

    pub(crate) fn json(self) -> Value {
        serde_json::from_str(&self.success()).expect("the output is JSON")
    }

    /// What it says of its failure.
    pub(crate) fn failure(self) -> String {
        assert_eq!(self.code, Some(1), "{self:?}");
        self.err
    }
}

pub(crate) fn run(folder: &Path, server: &Server, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Run {
    lopper(folder, server).args(args).output().expect("the program starts").into()
}
