//! Archives that are received into the data folder, where they stay: pages refer to them.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use lopper_collection::DataFolder;
use lopper_faults::disk::put_in_place;

/// Folder of the data folder.
const FOLDER: &str = "uploads";

/// Ending of a file that is not whole.
const PART: &str = "part";

/// Characters of a file's name.
const NAME_CHARS_MAX: usize = 120;

/// A name without folders, of plain characters.
pub(super) fn file_name(name: &str) -> Option<String> {
    let name = name.rsplit(['/', '\\']).next()?;
    let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' };
    let name: String = name.trim_start_matches('.').chars().take(NAME_CHARS_MAX).map(plain).collect();
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
        let folder = data.join(FOLDER);
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

/// Removes files that were not received whole. For a server that begins: nothing is on its way.
pub(super) fn remove_unfinished(collection: &DataFolder) {
    let Ok(files) = fs::read_dir(collection.store().data().join(FOLDER)) else { return };
    for file in files.flatten().map(|file| file.path()).filter(|file| file.extension().is_some_and(|end| end == PART)) {
        match fs::remove_file(&file) {
            Ok(()) => tracing::info!(file.path = %file.display(), "an upload that was cut off was removed"),
            Err(error) => {
                tracing::warn!(file.path = %file.display(), %error, "an upload that was cut off cannot be removed");
            }
        }
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
    use lopper_content::pipeline::ExtractParams;

    use super::*;

    #[test]
    fn names_stay_in_their_folder() {
        assert_eq!(file_name("a b.warc.gz").as_deref(), Some("a_b.warc.gz"));
        assert_eq!(file_name("../../etc/passwd").as_deref(), Some("passwd"));
        assert_eq!(file_name("C:\\x\\..hidden.warc").as_deref(), Some("hidden.warc"));
        assert_eq!((file_name(""), file_name(".."), file_name("a/")), (None, None, None));
    }

    #[test]
    fn of_uploads_that_were_cut_off_whole_files_stay() {
        let folder = tempfile::tempdir().unwrap();
        let collection = DataFolder::open_to_write(folder.path(), ExtractParams::default()).unwrap();
        let (place, _file) = Place::new(folder.path(), "whole.warc").unwrap();
        place.keep().unwrap();
        let (cut_off, _file) = Place::new(folder.path(), "cut.warc").unwrap();
        std::mem::forget(cut_off);
        remove_unfinished(&collection);
        let names: Vec<_> =
            fs::read_dir(folder.path().join(FOLDER)).unwrap().map(|file| file.unwrap().file_name()).collect();
        assert_eq!(names, ["whole.warc"]);
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
