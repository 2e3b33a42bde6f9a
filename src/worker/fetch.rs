//! Archives behind URLs: a command of the user's writes them to its standard output, with the user's credentials, proxies and retries.

use std::io::{self, Read};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use lopper_collection::parts::PartError;

/// Whether an archive is named by a URL, and not by a path.
pub(super) fn is_url(archive: &str) -> bool {
    let scheme = archive.split_once("://").map(|(scheme, _)| scheme);
    scheme.is_some_and(|scheme| {
        scheme.len() > 1 && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    })
}

/// What a command writes. It ends well only when the command does.
pub(super) struct Fetched {
    command: Child,
    out: ChildStdout,
    outcome: Outcome,
}

/// How the command ended: whoever reads the stream is told of an error, and so is whoever wants to publish what was made of it.
#[derive(Debug, Clone, Default)]
pub(super) struct Outcome(Arc<Mutex<Option<Result<(), String>>>>);

impl Outcome {
    /// An error, unless the command ended well and all of it was read.
    pub(super) fn check(&self, url: &str) -> Result<(), PartError> {
        let outcome = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let said = outcome.unwrap_or_else(|| Err("it was not read to its end".to_owned()));
        said.map_err(|error| failed(url, io::Error::other(error)))
    }

    /// The error of a command that is known to have failed.
    pub(super) fn error(&self, url: &str) -> Option<PartError> {
        let outcome = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Some(failed(url, io::Error::other(outcome?.err()?)))
    }

    fn set(&self, outcome: Result<(), String>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(outcome);
    }
}

/// An archive that could not be fetched.
pub(super) fn failed(url: &str, source: io::Error) -> PartError {
    PartError::Io { doing: "fetch", path: PathBuf::from(url), source }
}

impl Fetched {
    /// Starts `command` in a shell, in which `$1` is the URL.
    pub(super) fn start(command: &str, url: &str) -> io::Result<(Self, Outcome)> {
        let mut shell = Command::new("sh");
        shell.args(["-c", command, "lopper-fetch", url]).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut command = shell.spawn()?;
        let out = command.stdout.take().ok_or_else(|| io::Error::other("the command has no standard output"))?;
        let outcome = Outcome::default();
        Ok((Self { command, out, outcome: outcome.clone() }, outcome))
    }
}

impl Read for Fetched {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.out.read(buffer)?;
        if read == 0 && !buffer.is_empty() {
            let status = self.command.wait()?;
            if !status.success() {
                let error = format!("the command of --fetch ended with {status}");
                self.outcome.set(Err(error.clone()));
                return Err(io::Error::other(error));
            }
            self.outcome.set(Ok(()));
        }
        Ok(read)
    }
}

impl Drop for Fetched {
    /// Nobody reads on: the command is not to wait for that.
    fn drop(&mut self) {
        let _ = self.command.kill();
        let _ = self.command.wait();
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn urls_are_told_from_paths() {
        assert!(is_url("s3://bucket/a.warc.gz") && is_url("https://e.org/a"));
        assert!(!is_url("a.warc") && !is_url("C://a.warc") && !is_url("a b://c") && !is_url("/x/s3:/a"));
    }

    #[test]
    fn a_command_that_fails_late_spoils_what_it_wrote() {
        let read = |command: &str| {
            let (mut fetched, outcome) = Fetched::start(command, "x://it's").unwrap();
            let mut text = String::new();
            (fetched.read_to_string(&mut text).is_ok(), outcome.check("x://it's").is_ok(), text)
        };
        assert_eq!(read("printf %s \"$1\""), (true, true, "x://it's".to_owned()));
        assert_eq!(read("printf half; exit 3"), (false, false, "half".to_owned()));
        let (fetched, outcome) = Fetched::start("printf some", "x://y").unwrap();
        drop(fetched);
        assert!(outcome.check("x://y").unwrap_err().to_string().contains("not read to its end"));
    }
}
