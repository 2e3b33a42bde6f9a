//! The address at which a folder of HTML files is published.

use std::path::PathBuf;
use std::path::{Path, absolute};

use serde::{Deserialize, Serialize};
use url::Url;
use xxhash_rust::xxh3::xxh3_128;

use super::known::real_path;

/// Names of files that a server gives for their folder.
const INDEX_FILES: [&str; 2] = ["index.html", "index.htm"];

/// A folder of HTML files, or one such file, and where it is published.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Site {
    folder: PathBuf,
    url: String,
    /// Whether the address was given as that of a folder, by its last `/`.
    #[serde(default)]
    is_folder: bool,
}

/// An address at which no folder can be published.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is no site's address: http:// or https://, a host and a path, without ? and #")]
pub struct SiteError(String);

impl Site {
    /// `folder` is published at `url`.
    ///
    /// # Errors
    ///
    /// [`SiteError`] for what is no address of a folder.
    pub fn new(folder: &Path, url: &str) -> Result<Self, SiteError> {
        let is_site = |url: &Url| {
            matches!(url.scheme(), "http" | "https")
                && url.host_str().is_some_and(|host| !host.is_empty())
                && url.query().is_none()
                && url.fragment().is_none()
        };
        let is_folder = url.ends_with('/');
        let url = Url::parse(url).ok().filter(is_site).ok_or_else(|| SiteError(url.to_owned()))?;
        Ok(Self { folder: folder.to_owned(), url: url.into(), is_folder })
    }

    /// The same, with paths that are right in every working folder. Links stay as they are: a file's address is that of its name.
    ///
    /// # Errors
    ///
    /// An error of the file system.
    pub fn made_absolute(&self) -> std::io::Result<Self> {
        Ok(Self { folder: absolute(&self.folder)?, ..self.clone() })
    }

    /// Where the page is published that the file `file`, as the run was given it, has under `file_url`: a file within an archive of files
    /// is below that. An index file has the address of its folder, and so has the only file where the address is none of a folder. `None`
    /// for a file elsewhere, and for pages that have an address.
    pub(super) fn address_of(&self, file: &Path, file_url: &str) -> Option<String> {
        let inner = file_url.strip_prefix(Url::from_file_path(real_path(file)).ok()?.as_str())?;
        let below = absolute(file).ok()?.strip_prefix(absolute(&self.folder).ok()?).ok()?.to_owned();
        let mut url = Url::parse(&self.url).ok()?;
        let mut names = below.iter().map(|name| name.to_str()).collect::<Option<Vec<_>>>()?;
        if names.is_empty() && inner.is_empty() && self.is_folder {
            names.push(file.file_name()?.to_str()?);
        }
        if inner.is_empty() && names.last().is_some_and(|name| INDEX_FILES.contains(name)) {
            *names.last_mut()? = "";
        }
        if !names.is_empty() {
            url.path_segments_mut().ok()?.pop_if_empty().extend(names);
        }
        if !inner.is_empty() {
            let index =
                INDEX_FILES.iter().find_map(|name| inner.strip_suffix(name)).filter(|folder| folder.ends_with('/'));
            url.set_path(&format!("{}{}", url.path().trim_end_matches('/'), index.unwrap_or(inner)));
        }
        Some(url.into())
    }

    /// The address of the folder, with a `/` at its end: what the files of the site have in common. `None` for a file.
    pub(super) fn folder_url(&self) -> Option<String> {
        self.folder.is_dir().then(|| format!("{}/", self.url.trim_end_matches('/')))
    }

    /// Where the folder really is.
    pub(super) fn real_folder(&self) -> PathBuf {
        real_path(&self.folder)
    }

    /// The fingerprint of the content of a file that has its address from here: under another address it is to be read again.
    pub(super) fn fingerprint(&self, content: u128, file: &Path, file_url: &str) -> u128 {
        content ^ xxh3_128(self.address_of(file, file_url).unwrap_or_default().as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn files_have_the_addresses_of_their_places() {
        let folder = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap();
        let url_of = |file: &Path| Url::from_file_path(file).unwrap().to_string();
        for (site, name, inner, expected) in [
            ("https://e.org/docs", "a/b c.html", "", Some("https://e.org/docs/a/b%20c.html")),
            ("https://e.org/docs/", "a/index.html", "", Some("https://e.org/docs/a/")),
            ("https://e.org", "index.htm", "", Some("https://e.org/")),
            ("https://e.org", "my-index.html", "", Some("https://e.org/my-index.html")),
            ("https://e.org", "ü?#%.html", "", Some("https://e.org/%C3%BC%3F%23%25.html")),
            ("https://e.org/d", "x.zip", "/a/%23b.html", Some("https://e.org/d/x.zip/a/%23b.html")),
            ("https://e.org/d", "x.zip", "/a/index.html", Some("https://e.org/d/x.zip/a/")),
        ] {
            let site = Site::new(&root, site).unwrap();
            let file = root.join(name);
            let found = site.address_of(&file, &(url_of(&file) + inner));
            assert_eq!(found.as_deref(), expected, "{name}");
        }
        let site = Site::new(&root.join("sub"), "https://e.org/").unwrap();
        assert_eq!(site.address_of(&root.join("a.html"), &url_of(&root.join("a.html"))), None, "outside of the folder");
        assert_eq!(site.address_of(&root.join("sub/a.warc"), "https://other.org/"), None, "it has an address");
        let one = Site::new(&root.join("saved.html"), "https://e.org/page").unwrap();
        let file = root.join("saved.html");
        assert_eq!(one.address_of(&file, &url_of(&file)).as_deref(), Some("https://e.org/page"));
        for (name, expected) in [("saved.html", "https://e.org/d/saved.html"), ("index.html", "https://e.org/d/")] {
            let below = Site::new(&root.join(name), "https://e.org/d/").unwrap();
            let file = root.join(name);
            assert_eq!(below.address_of(&file, &url_of(&file)).as_deref(), Some(expected));
        }
        let home = Site::new(&root.join("saved.html"), "https://e.org").unwrap();
        let file = root.join("saved.html");
        assert_eq!(home.address_of(&file, &url_of(&file)).as_deref(), Some("https://e.org/"));
        let zip = Site::new(&root.join("x.zip"), "https://e.org/").unwrap();
        let file = root.join("x.zip");
        assert_eq!(zip.address_of(&file, &(url_of(&file) + "/a.html")).as_deref(), Some("https://e.org/a.html"));
    }

    #[test]
    fn what_is_no_site_is_refused() {
        for url in ["e.org", "file:///a", "https://e.org/?a", "https://e.org/#a", "https://", ""] {
            assert!(Site::new(Path::new("a"), url).is_err(), "{url}");
        }
    }
}
