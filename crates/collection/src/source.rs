//! Where a page was read from, as it is told to others: no path of this machine.

use std::path::{Component, Path};

use lopper_store::StoredPage;
use serde::Serialize;

use crate::listing::POSTED;

/// Endings of files that have archives in them.
const OUTER_ENDINGS: [&str; 10] =
    [".wacz", ".zip", ".epub", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".tar.zst", ".tar.lz4"];

/// The record that a page was read from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PageSource {
    /// The archive's file name; for a file within a file, the outer one's with the inner path.
    pub archive: String,
    /// Where the record begins in it, in bytes.
    pub offset_bytes: u64,
    /// `WARC-Record-ID`, where there is one.
    pub record_id: Option<String>,
    /// Digest of the page's HTML (XXH3, 128 bit), by which one sees whether it is still the same.
    pub digest: Option<String>,
}

impl From<&StoredPage> for PageSource {
    fn from(page: &StoredPage) -> Self {
        Self {
            archive: archive_name(&page.provenance.archive),
            offset_bytes: page.provenance.offset_bytes,
            record_id: page.provenance.record_id.clone(),
            digest: page.digest.map(|digest| digest.to_string()),
        }
    }
}

/// The name of an archive without the folders around it.
///
/// Pages that were posted have no archive, but words in its place.
pub fn archive_name(archive: &Path) -> String {
    if archive == Path::new(POSTED) {
        return POSTED.to_owned();
    }
    let names: Vec<_> = archive
        .components()
        .filter_map(|part| match part {
            Component::Normal(name) => Some(name.to_string_lossy()),
            _ => None,
        })
        .collect();
    let is_outer = |name: &str| {
        let name = name.to_ascii_lowercase();
        OUTER_ENDINGS.iter().any(|ending| name.ends_with(ending))
    };
    let last = names.len().saturating_sub(1);
    let from = names.iter().position(|name| is_outer(name)).unwrap_or(last);
    names[from..].join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_no_folders() {
        for (path, name) in [
            ("/srv/secret/a.warc.gz", "a.warc.gz"),
            ("crawl/x.wacz/archive/data.warc.gz", "x.wacz/archive/data.warc.gz"),
            ("../a.tar.gz", "a.tar.gz"),
            ("/home/me/faq.EPUB/OEBPS/ar01s18.html", "faq.EPUB/OEBPS/ar01s18.html"),
            ("b/x.tar.xz/ch/1.html", "x.tar.xz/ch/1.html"),
            ("POST /v1/pages", "POST /v1/pages"),
            ("/", ""),
            ("", ""),
        ] {
            assert_eq!(archive_name(Path::new(path)), name, "{path}");
        }
    }
}
