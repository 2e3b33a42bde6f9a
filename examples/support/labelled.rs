//! Reads a folder of labelled pages: `html/ID.html.gz` and `gold.jsonl.gz`.

use std::collections::HashSet;
use std::error::Error;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;

/// One page of a set.
#[allow(dead_code, reason = "not every example asks for every field")]
pub(crate) struct Page {
    /// Name of the set: its folder.
    pub(crate) set: String,
    /// The page's id in the set.
    pub(crate) id: String,
    /// Its address, empty when the set has none.
    pub(crate) url: String,
    /// Its source.
    pub(crate) html: String,
}

/// The pages of a set, or those of some ids, in the order of their ids.
pub(crate) fn pages(
    folder: &Path,
    ids: Option<&HashSet<String>>,
) -> Result<impl Iterator<Item = Result<Page, Box<dyn Error>>>, Box<dyn Error>> {
    let set = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut records = Vec::new();
    for line in read_gzip(&folder.join("gold.jsonl.gz"))?.lines() {
        let record: serde_json::Value = serde_json::from_str(line)?;
        let text = |name: &str| record[name].as_str().unwrap_or("").to_owned();
        let id = text("id");
        if ids.is_none_or(|ids| ids.contains(&id)) {
            records.push((id, text("url")));
        }
    }
    records.sort();
    let html: PathBuf = folder.join("html");
    Ok(records.into_iter().map(move |(id, url)| {
        let html = read_gzip(&html.join(format!("{id}.html.gz")))?;
        Ok(Page { set: set.clone(), id, url, html })
    }))
}

fn read_gzip(path: &Path) -> Result<String, Box<dyn Error>> {
    let mut bytes = Vec::new();
    MultiGzDecoder::new(File::open(path)?).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
