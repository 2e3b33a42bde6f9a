//! Forms with files (`multipart/form-data`), of bounded size and whole in memory.

use std::ops::Range;

use actix_web::http::header::CONTENT_TYPE;
use actix_web::{HttpMessage, HttpRequest};

/// Parts of a form that are read.
const PARTS_MAX: usize = 16;

/// Bytes of the head of a part.
const HEAD_BYTES_MAX: usize = 4096;

/// A field of a form.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Field<'b> {
    pub(super) name: String,
    /// Whether it is a file's content.
    pub(super) is_file: bool,
    pub(super) value: &'b [u8],
}

/// The content type with its parameters.
pub(super) fn whole_content_type(request: &HttpRequest) -> String {
    let header = request.headers().get(CONTENT_TYPE);
    header.and_then(|value| value.to_str().ok()).unwrap_or_else(|| request.content_type()).to_owned()
}

/// What separates the parts, by the content type; `None` for one that is no form with files.
pub(super) fn boundary(content_type: &str) -> Option<String> {
    let (kind, parameters) = content_type.split_once(';')?;
    if !kind.trim().eq_ignore_ascii_case("multipart/form-data") {
        return None;
    }
    let boundary = parameters.split(';').find_map(|parameter| parameter.trim().strip_prefix("boundary="))?;
    let boundary = boundary.trim_matches('"');
    (1..=70).contains(&boundary.len()).then(|| boundary.to_owned())
}

/// The fields of a form. What is not of the format's form is passed over.
pub(super) fn fields<'b>(body: &'b [u8], boundary: &str) -> Vec<Field<'b>> {
    let delimiter = format!("--{boundary}");
    let mut fields = Vec::new();
    let mut places = places(body, delimiter.as_bytes()).into_iter().peekable();
    while let (Some(this), true) = (places.next(), fields.len() < PARTS_MAX) {
        let Some(next) = places.peek() else { break };
        let part = &body[this.end..next.start];
        fields.extend(field(part.strip_prefix(b"\r\n").unwrap_or(part)));
    }
    fields
}

/// Where the delimiter stands at the beginning of a line, with the line end before it.
fn places(body: &[u8], delimiter: &[u8]) -> Vec<Range<usize>> {
    let mut places = Vec::new();
    let mut at = 0;
    while let Some(found) = find(&body[at..], delimiter) {
        let start = at + found;
        at = start + delimiter.len();
        if start == 0 {
            places.push(0..at);
        } else if body[..start].ends_with(b"\r\n") {
            places.push(start - 2..at);
        }
    }
    places
}

pub(super) fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

/// What the head of a part says.
pub(super) struct PartHead {
    name: String,
    /// The file's name, where the part is a file.
    pub(super) file: Option<String>,
}

pub(super) fn head_of(head: &[u8]) -> Option<PartHead> {
    let disposition = std::str::from_utf8(head).ok()?.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.trim().eq_ignore_ascii_case("content-disposition").then_some(value)
    })?;
    Some(PartHead { name: parameter(disposition, "name")?, file: parameter(disposition, "filename") })
}

fn field(part: &[u8]) -> Option<Field<'_>> {
    let end = find(&part[..part.len().min(HEAD_BYTES_MAX)], b"\r\n\r\n")?;
    let PartHead { name, file } = head_of(&part[..end])?;
    Some(Field { name, is_file: file.is_some(), value: &part[end + 4..] })
}

fn parameter(disposition: &str, wanted: &str) -> Option<String> {
    disposition.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        (name.trim() == wanted).then(|| value.trim().trim_matches('"').to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_and_files_are_read() {
        let boundary = boundary("multipart/form-data; boundary=\"xx\"").unwrap();
        let body = b"--xx\r\nContent-Disposition: form-data; name=\"html\"\r\n\r\n<p>a --xx b\r\n--y\r\n--xx\r\n\
            content-disposition: form-data; name=\"file\"; filename=\"a;.html\"\r\nContent-Type: text/html\r\n\r\n\xff\r\n--xx--\r\n";
        let expected = [
            Field { name: "html".to_owned(), is_file: false, value: b"<p>a --xx b\r\n--y" },
            Field { name: "file".to_owned(), is_file: true, value: b"\xff" },
        ];
        assert_eq!(fields(body, &boundary), expected);
        assert_eq!(super::boundary("text/html; boundary=x"), None);
        for broken in [&b""[..], b"--xx", b"--xx\r\n", b"--xx\r\n\r\n--xx--", b"--xx\r\nname\r\n\r\nv"] {
            assert_eq!(fields(broken, "xx"), [], "{broken:?}");
        }
    }
}
