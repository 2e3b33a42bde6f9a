//! A file a page: where `lopper extract --output-dir` writes.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use url::Url;

/// Longest name of a file or folder, in bytes, without its ending.
const NAME_BYTES_MAX: usize = 120;

/// Folders within each other.
const FOLDERS_MAX: usize = 16;

/// Endings of files of HTML, which the pages' files do not have.
const HTML_ENDINGS: [&str; 3] = ["html", "htm", "xhtml"];

/// Names that Windows keeps for devices.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "com", "lpt"];

/// Makes the files, each once.
pub(super) struct PageFiles {
    folder: PathBuf,
    ending: &'static str,
    /// The files that are read, which are not written.
    inputs: HashSet<PathBuf>,
    /// How many pages wanted each path; in lower case, since some file systems tell no difference.
    wanted: HashMap<String, u32>,
}

impl PageFiles {
    pub(super) fn new(folder: &Path, ending: &'static str, inputs: &[PathBuf]) -> Self {
        let inputs = inputs.iter().filter_map(|path| fs::canonicalize(path).ok()).collect();
        Self { folder: folder.to_owned(), ending, inputs, wanted: HashMap::new() }
    }

    /// The file of a page that is a file of its own: `a/b.html` has `a/b.ENDING`.
    pub(super) fn of_file(&mut self, path: &Path) -> Result<BufWriter<File>> {
        let mut names: Vec<String> = path.iter().map(|name| name.to_string_lossy().into_owned()).collect();
        if let Some(last) = names.last_mut() {
            let whole = last.strip_suffix(".gz").unwrap_or(last);
            let bare = whole.rsplit_once('.').filter(|(_, ending)| HTML_ENDINGS.contains(ending));
            *last = bare.map_or(whole, |(bare, _)| bare).to_owned();
        }
        self.create(&names)
    }

    /// The file of a page of an archive: `http://e.org/a/b?c` has `e.org/a/b_c.ENDING`.
    pub(super) fn of_url(&mut self, url: &str) -> Result<BufWriter<File>> {
        let Ok(parsed) = Url::parse(url) else { return self.create(&[url.to_owned()]) };
        let mut names = vec![parsed.host_str().unwrap_or(parsed.scheme()).to_owned()];
        names.extend(parsed.path().split('/').map(str::to_owned));
        if let (true, Some(last)) = (parsed.path().ends_with('/'), names.last_mut()) {
            "index".clone_into(last);
        }
        if let (Some(query), Some(last)) = (parsed.query(), names.last_mut()) {
            *last = format!("{last}_{query}");
        }
        self.create(&names)
    }

    fn create(&mut self, names: &[String]) -> Result<BufWriter<File>> {
        let mut names: Vec<String> = names.iter().map(|name| safe(name)).filter(|name| !name.is_empty()).collect();
        let mut name = names.pop().unwrap_or_else(|| "page".to_owned());
        if names.len() > FOLDERS_MAX {
            name = safe(&format!("{}_{name}", names.split_off(FOLDERS_MAX).join("_")));
        }
        let folder = names.iter().fold(self.folder.clone(), |folder, name| folder.join(name));
        let path = loop {
            let path = folder.join(format!("{name}.{}", self.ending));
            let number = self.wanted.entry(path.to_string_lossy().to_lowercase()).and_modify(|n| *n += 1).or_insert(1);
            // A page may be called as the folder of others.
            if *number == 1 && !path.is_dir() {
                break path;
            }
            name = format!("{name}-{}", (*number).max(2));
        };
        if fs::canonicalize(&path).is_ok_and(|path| self.inputs.contains(&path)) {
            bail!("{} is one of the files that are read; give another --output-dir", path.display());
        }
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
    let stem = name.split('.').next().unwrap_or(name);
    let is_of_device = |device: &&str| stem.trim_end_matches(|c: char| c.is_ascii_digit()).eq_ignore_ascii_case(device);
    let spared = if DEVICES.iter().any(is_of_device) { "_" } else { "" };
    let name = format!("{stem}{spared}{}", &name[stem.len()..]);
    if name.len() <= NAME_BYTES_MAX {
        return name;
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
        let mut files = PageFiles::new(folder.path(), "md", &[]);
        let long = format!("http://e.org/{}", "x".repeat(400));
        for url in [
            "http://e.org/a/b?c=1",
            "http://e.org/a/B?c=1",
            "http://e.org/",
            "no_url:../..",
            &long,
            "file:///../../etc/x",
        ] {
            files.of_url(url).unwrap();
        }
        for path in ["a/b.html", "a/b.htm", "../up/c.html.gz", "d.e"] {
            files.of_file(Path::new(path)).unwrap();
        }
        for url in
            ["http://e.org/con", "http://f.org/a", "http://f.org/a.md/b", "http://f.org/c.md/d", "http://f.org/c"]
        {
            drop(files.of_url(url));
        }
        let deep = format!("http://g.org/{}end", "d/".repeat(2000));
        files.of_url(&deep).unwrap();
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
        let long: Vec<String> = found.iter().filter(|name| name.len() > 100).cloned().collect();
        found.retain(|name| name.len() <= 100);
        assert!(long.len() == 2 && long.iter().all(|name| name.len() < 180), "{long:?}");
        // Below `a.md` nothing can be, and `c.md` is a folder.
        let expected = "a/b-2.md a/b.md d.e.md e.org/a/B_c=1-2.md e.org/a/b_c=1.md e.org/con_.md e.org/index.md f.org/a.md \
            f.org/c-2.md f.org/c.md/d.md file/etc/x.md no_url_.._.md up/c.md";
        let expected: Vec<&str> = expected.split_whitespace().collect();
        assert_eq!(found, expected);
    }
}
