//! Labelled pages: a JSON line a page, and the pages' HTML in a folder.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use serde::{Deserialize, Deserializer};

/// A page's gold text. Other fields of the line are passed over.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct GoldPage {
    /// Name of the page: its HTML is in `ID.html` or `ID.html.gz`.
    pub id: String,
    /// Address of the page; empty when unknown.
    #[serde(default, deserialize_with = "text_or_null")]
    pub url: String,
    /// Kind of the page, for the table's columns; empty when unknown.
    #[serde(default, deserialize_with = "text_or_null")]
    pub page_type: String,
    /// The main content.
    pub text: String,
}

pub(super) fn text_or_null<'de, D: Deserializer<'de>>(value: D) -> Result<String, D::Error> {
    Option::<String>::deserialize(value).map(Option::unwrap_or_default)
}

/// Why labelled pages cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GoldError {
    /// A file cannot be read.
    #[error("cannot read {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Cause.
        #[source]
        source: std::io::Error,
    },
    /// A line is no labelled page.
    #[error("{} line {line} is not {{\"id\", \"text\", …}}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Cause.
        #[source]
        source: serde_json::Error,
    },
    /// There is no HTML for a page.
    #[error("there is neither {id}.html nor {id}.html.gz in {}", folder.display())]
    NoPage {
        /// The folder.
        folder: PathBuf,
        /// The page.
        id: String,
    },
}

/// Reads labels from a JSONL file, plain or gzip.
///
/// # Errors
///
/// [`GoldError::Io`], [`GoldError::Line`].
pub fn read_gold(path: &Path) -> Result<Vec<GoldPage>, GoldError> {
    let io = |source| GoldError::Io { path: path.to_owned(), source };
    let mut pages = Vec::new();
    for (index, line) in BufReader::new(open(path).map_err(io)?).lines().enumerate() {
        let line = line.map_err(io)?;
        if !line.trim().is_empty() {
            let malformed = |source| GoldError::Line { path: path.to_owned(), line: index + 1, source };
            pages.push(serde_json::from_str(&line).map_err(malformed)?);
        }
    }
    Ok(pages)
}

/// Reads the HTML of a page, as UTF-8; what is not is replaced.
///
/// # Errors
///
/// [`GoldError::NoPage`], [`GoldError::Io`].
pub fn read_page(folder: &Path, id: &str) -> Result<String, GoldError> {
    let names = [format!("{id}.html.gz"), format!("{id}.html")];
    let path = names.iter().map(|name| folder.join(name)).find(|path| path.is_file());
    let path = path.ok_or_else(|| GoldError::NoPage { folder: folder.to_owned(), id: id.to_owned() })?;
    let mut bytes = Vec::new();
    let read = open(&path).and_then(|mut file| file.read_to_end(&mut bytes));
    read.map_err(|source| GoldError::Io { path: path.clone(), source })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Opens a file, plain or gzip.
pub(super) fn open(path: &Path) -> std::io::Result<Box<dyn Read>> {
    let file = File::open(path)?;
    let is_gzip = path.extension().is_some_and(|extension| extension == "gz");
    Ok(if is_gzip { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) })
}
