//! The head of an HTTP response, read as leniently as browsers do.

use memchr::memchr;

/// Informational responses that may precede the real one.
const INFORMATIONAL_MAX: usize = 8;

/// Status and header fields of a response.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct HttpHead {
    pub(super) status: u16,
    /// Names in lower case.
    fields: Vec<(String, String)>,
    /// Bytes of the message before the body.
    pub(super) len: usize,
}

impl HttpHead {
    /// Reads the head of `message`, over informational responses. The reason why there is none is in words.
    pub(super) fn parse(message: &[u8], bytes_max: usize) -> Result<Self, &'static str> {
        let mut start = 0;
        for _ in 0..INFORMATIONAL_MAX {
            let mut head = Self::parse_one(&message[start..], bytes_max)?;
            start += head.len;
            if head.status == 101 || !(100..200).contains(&head.status) || !message[start..].starts_with(b"HTTP/") {
                head.len = start;
                return Ok(head);
            }
        }
        Err("too many informational responses")
    }

    /// The head of a page that came without one.
    pub(super) fn of_bare_page() -> Self {
        Self { status: 200, ..Self::default() }
    }

    fn parse_one(message: &[u8], bytes_max: usize) -> Result<Self, &'static str> {
        let mut lines = Lines::of(message);
        let status_line = lines.find(|line| !line.is_empty()).ok_or("the block is empty")?;
        let mut head = Self { status: status(status_line)?, ..Self::default() };
        head.len = lines.read;
        while let Some(line) = lines.next() {
            if lines.read > bytes_max {
                return Err("the header block is larger than its limit");
            }
            if begins_body(line) {
                return Ok(head);
            }
            head.len = lines.read;
            if line.is_empty() {
                return Ok(head);
            }
            head.push(line);
        }
        Ok(head)
    }

    fn push(&mut self, line: &[u8]) {
        let line: String = match std::str::from_utf8(line) {
            Ok(line) => line.to_owned(),
            Err(_) => line.iter().map(|&byte| byte as char).collect(),
        };
        match (line.starts_with([' ', '\t']), self.fields.last_mut(), line.split_once(':')) {
            (true, Some((_, value)), _) => {
                value.push(' ');
                value.push_str(line.trim());
            }
            (false, _, Some((name, value))) => {
                self.fields.push((name.trim().to_ascii_lowercase(), value.trim().to_owned()));
            }
            _ => {}
        }
    }

    /// The first field of this name (in lower case) that says something.
    pub(super) fn first(&self, name: &'static str) -> Option<&str> {
        self.all(name).find(|value| !value.is_empty())
    }

    /// The members of all lists of this name, in order and lower case.
    pub(super) fn list(&self, name: &'static str) -> Vec<String> {
        let members = self.all(name).flat_map(|value| value.split(','));
        members.map(|member| member.trim().to_ascii_lowercase()).filter(|member| !member.is_empty()).collect()
    }

    fn all(&self, name: &'static str) -> impl Iterator<Item = &str> {
        self.fields.iter().filter(move |(field, _)| field == name).map(|(_, value)| value.as_str())
    }
}

/// The status code of a status line; the text behind it may be missing.
fn status(line: &[u8]) -> Result<u16, &'static str> {
    let protocol = line.get(..4).unwrap_or_default();
    if !protocol.eq_ignore_ascii_case(b"HTTP") && !protocol.eq_ignore_ascii_case(b"ICY ") {
        return Err("no status line");
    }
    let code = line.split(u8::is_ascii_whitespace).skip(1).find(|word| !word.is_empty());
    let code = code.and_then(|code| std::str::from_utf8(code).ok()).and_then(|code| code.get(..3)?.parse().ok());
    code.ok_or("no status code in the status line")
}

/// Whether a line without a header's name is the body's first: the blank line is missing.
fn begins_body(line: &[u8]) -> bool {
    line.first() == Some(&b'<')
}

/// Lines without their ends, which are LF behind any number of CR.
struct Lines<'a> {
    bytes: &'a [u8],
    /// Bytes given so far, ends included.
    read: usize,
}

impl<'a> Lines<'a> {
    fn of(bytes: &'a [u8]) -> Self {
        Self { bytes, read: 0 }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let rest = self.bytes.get(self.read..).filter(|rest| !rest.is_empty())?;
        let (line, len) = match memchr(b'\n', rest) {
            Some(end) => (&rest[..end], end + 1),
            None => (rest, rest.len()),
        };
        self.read += len;
        let end = line.iter().rposition(|&byte| byte != b'\r').map_or(0, |last| last + 1);
        Some(&line[..end])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(message: &[u8]) -> HttpHead {
        HttpHead::parse(message, 4096).unwrap()
    }

    #[test]
    fn reads_ordinary_heads() {
        let head = parse(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX: 1\r\n\r\nbody");
        assert_eq!((head.status, head.len), (200, 50));
        assert_eq!(head.first("content-type"), Some("text/html"));
        assert_eq!(head.first("missing"), None);
    }

    #[test]
    fn reads_odd_heads() {
        let message = b"HTTP/1.0 302 \r\r\nLocation: /\r\r\n\r\r\nx";
        assert_eq!(parse(message).len, message.len() - 1);
        assert_eq!(parse(b"HTTP/2 200\nA: b\n\nbody").status, 200);
        assert_eq!(parse(b"\r\nHTTP/1.1 404").status, 404);
        let cut = parse(b"HTTP/1.1 200 OK\nA: b");
        assert_eq!((cut.first("a"), cut.len), (Some("b"), 20));
        let unparted = parse(b"HTTP/1.1 200 OK\nA: b\n<html>\n");
        assert_eq!(unparted.len, 21);
        let folded = parse(b"HTTP/1.1 200 OK\nA: \xe9\n\tc\nno colon\nA: d, E\n\n");
        assert_eq!(folded.first("a"), Some("é c"));
        assert_eq!(folded.list("a"), ["é c", "d", "e"]);
        let informed = parse(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\nx");
        assert_eq!((informed.status, informed.len), (200, 44));
    }

    #[test]
    fn says_why_there_is_no_head() {
        for message in [&b""[..], b"\n\n", b"<html>", b"HTTP/1.1\n\n", b"HTTP/1.1 OK\n\n", b"\xff\xff\xff\xff\n"] {
            assert!(HttpHead::parse(message, 4096).is_err(), "{}", message.escape_ascii());
        }
        let long = [b"HTTP/1.1 200 OK\n".as_slice(), b"a: b\n".repeat(1000).as_slice()].concat();
        assert!(HttpHead::parse(&long, 4096).is_err());
    }
}
