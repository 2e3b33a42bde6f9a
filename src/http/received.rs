//! Archives that are received into the data folder, where they stay: pages refer to them.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use lopper_faults::disk::put_in_place;

/// Folder of the data folder.
pub(super) const FOLDER: &str = "uploads";

/// Ending of a file that is not whole.
pub(super) const PART: &str = "part";

/// Ending of the mark beside a file that no server goes on with by itself.
pub(super) const HELD: &str = "held";

/// Characters of a file's name.
const NAME_CHARS_MAX: usize = 120;

/// Where the archives are that were sent to a collection.
pub(super) fn folder(data: &Path) -> PathBuf {
    data.join(FOLDER)
}

/// A name without folders, of plain characters, that ends as none of ours.
pub(super) fn file_name(name: &str) -> Option<String> {
    let name = name.rsplit(['/', '\\']).next()?;
    let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' };
    let mut name: String = name.trim_start_matches('.').chars().take(NAME_CHARS_MAX).map(plain).collect();
    if Path::new(&name).extension().is_some_and(|ending| ending == PART || ending == HELD) {
        name.push('_');
    }
    (!name.is_empty()).then_some(name)
}

/// Where an archive is received: under another name until it is whole.
pub(super) struct Place {
    part: PathBuf,
    whole: PathBuf,
}

impl Place {
    /// A name that is free; one that is not gets a number in front.
    pub(super) fn new(data: &Path, name: &str) -> io::Result<(Self, File)> {
        let folder = folder(data);
        fs::create_dir_all(&folder)?;
        let mut names = std::iter::once(name.to_owned()).chain((2u32..).map(|number| format!("{number}-{name}")));
        loop {
            let name = names.next().unwrap_or_default();
            let (whole, part) = (folder.join(&name), folder.join(format!("{name}.{PART}")));
            if whole.exists() {
                continue;
            }
            match File::create_new(&part) {
                // Another one may have become whole since.
                Ok(_) if whole.exists() => drop(fs::remove_file(&part)),
                Ok(file) => return Ok((Self { part, whole }, file)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// The whole file, which outlives a power cut as what is read from it does.
    pub(super) fn keep(&self) -> io::Result<PathBuf> {
        put_in_place(&self.part, &self.whole)?;
        Ok(self.whole.clone())
    }
}

impl Drop for Place {
    /// What was not received whole goes.
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_in_their_folder() {
        assert_eq!(file_name("a b.warc.gz").as_deref(), Some("a_b.warc.gz"));
        assert_eq!(file_name("../../etc/passwd").as_deref(), Some("passwd"));
        assert_eq!(file_name("C:\\x\\..hidden.warc").as_deref(), Some("hidden.warc"));
        assert_eq!(file_name("a.part").as_deref(), Some("a.part_"));
        assert_eq!((file_name(""), file_name(".."), file_name("a/")), (None, None, None));
    }

    #[test]
    fn a_name_that_is_taken_gets_a_number() {
        let folder = tempfile::tempdir().unwrap();
        let (first, _file) = Place::new(folder.path(), "a.warc").unwrap();
        let kept = first.keep().unwrap();
        assert!(kept.ends_with("uploads/a.warc"));
        let (second, _file) = Place::new(folder.path(), "a.warc").unwrap();
        assert!(second.whole.ends_with("uploads/2-a.warc"));
        let part = second.part.clone();
        drop(second);
        assert!(!part.exists(), "what is not whole goes");
    }
}
