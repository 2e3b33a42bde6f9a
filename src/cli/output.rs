//! Standard output, and figures and marks for people.

use std::io::{self, IsTerminal, Stdout, Write, stdout};

/// Standard output, whose errors say what was to be written.
pub(super) struct Output {
    what: &'static str,
    stdout: Stdout,
}

/// Standard output took no more: the disk that it is sent to is full, or who reads it went away.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {what} to standard output")]
struct WriteFailed {
    what: &'static str,
    #[source]
    source: io::Error,
}

impl Output {
    /// For `what`, with its article.
    pub(super) fn of(what: &'static str) -> Self {
        Self { what, stdout: stdout() }
    }

    fn failed(&self, source: io::Error) -> io::Error {
        io::Error::new(source.kind(), WriteFailed { what: self.what, source })
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stdout.write(bytes).map_err(|error| self.failed(error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stdout.flush().map_err(|error| self.failed(error))
    }
}

/// Marks for a terminal, or none.
#[derive(Debug, Clone, Copy)]
pub(super) struct Style {
    pub(super) bold: &'static str,
    pub(super) dim: &'static str,
    pub(super) mark: &'static str,
    pub(super) off: &'static str,
}

impl Style {
    /// Marks when standard output is a terminal and `NO_COLOR` is not set.
    pub(super) fn of_stdout() -> Self {
        if stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none() {
            Self { bold: "\x1b[1m", dim: "\x1b[2m", mark: "\x1b[1;33m", off: "\x1b[0m" }
        } else {
            Self { bold: "", dim: "", mark: "", off: "" }
        }
    }
}

/// `1234567` as `1,234,567`.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(",")
}

/// A number of things, as `1 page` and `2 pages`.
pub(super) fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

/// Bytes with a unit, three digits.
pub(super) fn bytes(number: u64) -> String {
    let units = ["B", "kB", "MB", "GB", "TB"];
    let mut value = number as f64;
    let mut unit = 0;
    while value >= 999.5 && unit + 1 < units.len() {
        value /= 1000.0;
        unit += 1;
    }
    if unit == 0 || value >= 100.0 {
        format!("{value:.0} {}", units[unit])
    } else {
        format!("{value:.1} {}", units[unit])
    }
}

/// A text from an archive with its control characters shown as `�`, so that it cannot steer a terminal.
pub(super) fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' { '\u{fffd}' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_readable() {
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(grouped(12), "12");
        assert_eq!((bytes(999), bytes(1000), bytes(12_345_678)), ("999 B".into(), "1.0 kB".into(), "12.3 MB".into()));
        assert_eq!(printable("a\x1b[31mb"), "a\u{fffd}[31mb");
    }
}
