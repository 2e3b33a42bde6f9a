//! A file a page: where `lopper extract --output-dir` writes.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use url::Url;

/// Longest name of a file or folder, in bytes, without its ending.
const NAME_BYTES_MAX: usize = 120;

/// Endings of files of HTML, which the pages' files do not have.
const HTML_ENDINGS: [&str; 3] = ["html", "htm", "xhtml"];

/// Makes the files, each once.
pub(super) struct PageFiles {
    folder: PathBuf,
    ending: &'static str,
    /// How many pages wanted each path; in lower case, since some file systems tell no difference.
    wanted: HashMap<String, u32>,
}

impl PageFiles {
    pub(super) fn new(folder: &Path, ending: &'static str) -> Self {
        Self { folder: folder.to_owned(), ending, wanted: HashMap::new() }
    }

    /// The file of a page that is a file of its own: `a/b.html` has `a/b.ENDING`.
    pub(super) fn of_file(&mut self, path: &Path) -> Result<BufWriter<File>> {
        let names = path.iter().map(|name| name.to_string_lossy());
        let mut names: Vec<String> = names.map(|name| safe(&name)).filter(|name| !name.is_empty()).collect();
        if let Some(last) = names.last_mut() {
            let whole = last.strip_suffix(".gz").unwrap_or(last);
            let bare = whole.rsplit_once('.').filter(|(_, ending)| HTML_ENDINGS.contains(ending));
            *last = bare.map_or(whole, |(bare, _)| bare).to_owned();
        }
        self.create(names)
    }

    /// The file of a page of an archive: `http://e.org/a/b?c` has `e.org/a/b_c.ENDING`.
    pub(super) fn of_url(&mut self, url: &str) -> Result<BufWriter<File>> {
        let Ok(parsed) = Url::parse(url) else { return self.create(vec![safe(url)]) };
        let mut names = vec![safe(parsed.host_str().unwrap_or(parsed.scheme()))];
        names.extend(parsed.path().split('/').map(safe).filter(|name| !name.is_empty()));
        if parsed.path().ends_with('/') {
            names.push("index".to_owned());
        }
        if let (Some(query), Some(last)) = (parsed.query(), names.last_mut()) {
            *last = safe(&format!("{last}_{query}"));
        }
        self.create(names)
    }

    fn create(&mut self, mut names: Vec<String>) -> Result<BufWriter<File>> {
        let mut name = names.pop().unwrap_or_else(|| "page".to_owned());
        let folder = names.iter().fold(self.folder.clone(), |folder, name| folder.join(name));
        let path = loop {
            let key = folder.join(&name).to_string_lossy().to_lowercase();
            let number = self.wanted.entry(key).and_modify(|number| *number += 1).or_insert(1);
            if *number == 1 {
                break folder.join(format!("{name}.{}", self.ending));
            }
            name = format!("{name}-{number}");
        };
        let write = || {
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            File::create(&path)
        };
        Ok(BufWriter::new(write().with_context(|| format!("cannot write {}", path.display()))?))
    }
}

/// A name that every file system takes and that leads nowhere else.
fn safe(name: &str) -> String {
    let of = |c: char| if c.is_alphanumeric() || "-_.~%+=,@ ".contains(c) { c } else { '_' };
    let name: String = name.chars().map(of).collect();
    let name = name.trim_matches([' ', '.']);
    if name.len() <= NAME_BYTES_MAX {
        return name.to_owned();
    }
    let hash = xxhash_rust::xxh3::xxh3_64(name.as_bytes());
    format!("{}-{hash:016x}", &name[..name.floor_char_boundary(NAME_BYTES_MAX - 17)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_has_a_file_below_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let mut files = PageFiles::new(folder.path(), "md");
        let long = format!("http://e.org/{}", "x".repeat(400));
        for url in [
            "http://e.org/a/b?c=1",
            "http://e.org/a/B?c=1",
            "http://e.org/",
            "no url:../..",
            &long,
            "file:///../../etc/x",
        ] {
            files.of_url(url).unwrap();
        }
        for path in ["a/b.html", "a/b.htm", "../up/c.html.gz", "d.e"] {
            files.of_file(Path::new(path)).unwrap();
        }
        let mut found = Vec::new();
        let mut folders = vec![folder.path().to_owned()];
        while let Some(next) = folders.pop() {
            for entry in fs::read_dir(next).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    found.push(path.strip_prefix(folder.path()).unwrap().to_str().unwrap().to_owned());
                }
            }
        }
        found.sort();
        let long = found.iter().position(|name| name.len() > 100).map(|at| found.remove(at)).unwrap();
        assert!(long.len() < 160, "{long}");
        let expected = [
            "a/b-2.md",
            "a/b.md",
            "d.e.md",
            "e.org/a/B_c=1-2.md",
            "e.org/a/b_c=1.md",
            "e.org/index.md",
            "file/etc/x.md",
            "no url_.._...md",
            "up/c.md",
        ];
        assert_eq!(found, expected);
    }
}
