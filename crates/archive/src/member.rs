//! Files within files: the paths and URLs that name them.

use std::path::{Component, Path, PathBuf};

use url::Url;

/// The path of the file `name` within `outer`. Steps upwards and roots are left out: it always lies below `outer`.
pub(super) fn member_path(outer: &Path, name: &str) -> PathBuf {
    let name = name.replace(['\\', '\0'], "/");
    let steps = Path::new(&name).components().filter(|step| matches!(step, Component::Normal(_)));
    outer.iter().chain(steps.map(Component::as_os_str)).collect()
}

/// The file that exists on the path `path`, and the name of a member in it, where `path` leads into a file.
pub(super) fn split_member(path: &Path) -> Option<(PathBuf, PathBuf)> {
    let outer = path.ancestors().skip(1).find(|outer| outer.is_file())?;
    Some((outer.to_owned(), path.strip_prefix(outer).ok()?.to_owned()))
}

/// The file on disk that `path` names or leads into, as `x.wacz` for `x.wacz/archive/data.warc.gz`; `None` where there is none.
pub fn archive_file(path: &Path) -> Option<PathBuf> {
    if path.is_file() { Some(path.to_owned()) } else { split_member(path).map(|(outer, _)| outer) }
}

/// A file's name as an archive has it. One that is no UTF-8 is read as Latin-1, whatever it was: so names that differ stay different.
pub(super) fn name_text(bytes: &[u8]) -> String {
    std::str::from_utf8(bytes).map_or_else(|_| bytes.iter().map(|byte| char::from(*byte)).collect(), str::to_owned)
}

/// The absolute `file:` URL of a path.
pub(super) fn file_url(path: &Path) -> String {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    Url::from_file_path(&absolute).map_or_else(|()| format!("file://{}", absolute.display()), String::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_stay_within_their_file() {
        for (name, expected) in
            [("a/b.html", "x.zip/a/b.html"), ("/etc/passwd", "x.zip/etc/passwd"), ("../../a", "x.zip/a"), ("", "x.zip")]
        {
            assert_eq!(member_path(Path::new("x.zip"), name), Path::new(expected), "{name}");
        }
    }

    #[test]
    fn names_of_other_encodings_stay_different() {
        let names = [&b"\xe9.html"[..], b"\xe8.html", "é".as_bytes(), b"a/b"].map(name_text);
        assert_eq!(names, ["é.html", "è.html", "é", "a/b"]);
    }

    #[test]
    fn file_urls_are_absolute_and_encoded() {
        assert_eq!(file_url(Path::new("/a b/ü#?.html")), "file:///a%20b/%C3%BC%23%3F.html");
        assert!(file_url(Path::new("x.html")).starts_with("file:///"));
    }
}
