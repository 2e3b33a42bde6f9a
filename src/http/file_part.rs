//! The file of a form (`multipart/form-data`) as it comes, in bounded memory.

use super::form::{find, head_of};

/// Bytes before the file's content.
const HEAD_BYTES_MAX: usize = 4096;

/// Takes a form that has one field, a file, apart while it arrives.
pub(super) struct FilePart {
    /// What ends the content.
    delimiter: Vec<u8>,
    held: Vec<u8>,
    name: Option<String>,
    is_whole: bool,
}

impl FilePart {
    pub(super) fn new(boundary: &str) -> Self {
        Self { delimiter: format!("\r\n--{boundary}").into_bytes(), held: Vec::new(), name: None, is_whole: false }
    }

    /// The file's name, once its head has come.
    pub(super) fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Whether the end of the file has come.
    pub(super) fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Adds what `chunk` has of the file to `content`. `Err` for what is no such form.
    pub(super) fn push(&mut self, chunk: &[u8], content: &mut Vec<u8>) -> Result<(), &'static str> {
        if self.is_whole {
            return Ok(());
        }
        self.held.extend_from_slice(chunk);
        if self.name.is_none() && !self.read_head()? {
            return Ok(());
        }
        let end = find(&self.held, &self.delimiter);
        self.is_whole = end.is_some();
        // The delimiter may have come in part.
        let len = end.unwrap_or_else(|| self.held.len().saturating_sub(self.delimiter.len() - 1));
        content.extend(self.held.drain(..len));
        Ok(())
    }

    /// Takes the head off; `false` where more of it must come.
    fn read_head(&mut self) -> Result<bool, &'static str> {
        let window = &self.held[..self.held.len().min(HEAD_BYTES_MAX)];
        let Some(end) = find(window, b"\r\n\r\n") else {
            return if window.len() < HEAD_BYTES_MAX { Ok(false) } else { Err("the form has no file") };
        };
        let opening = &self.delimiter[2..];
        if !window.starts_with(opening) {
            return Err("the form does not begin with its boundary");
        }
        let head = head_of(&window[opening.len()..end]).ok_or("the form's head cannot be read")?;
        self.name = Some(head.file.filter(|name| !name.is_empty()).ok_or("no file was chosen")?);
        self.held.drain(..end + 4);
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(body: &[u8], step: usize) -> Result<(Option<String>, bool, Vec<u8>), &'static str> {
        let mut part = FilePart::new("xx");
        let mut content = Vec::new();
        for chunk in body.chunks(step) {
            part.push(chunk, &mut content)?;
        }
        Ok((part.name().map(str::to_owned), part.is_whole(), content))
    }

    #[test]
    fn a_file_is_the_same_however_it_comes() {
        let body = b"--xx\r\nContent-Disposition: form-data; name=\"archive\"; filename=\"a b.warc\"\r\nContent-Type: x\r\n\r\n\
            W\r\n--x\r\n\r\n--xARC\r\n--xx--\r\n";
        for step in [1, 2, 3, 7, 50, body.len()] {
            assert_eq!(
                read(body, step),
                Ok((Some("a b.warc".to_owned()), true, b"W\r\n--x\r\n\r\n--xARC".to_vec())),
                "{step}"
            );
        }
    }

    #[test]
    fn what_is_cut_off_or_no_file_is_told() {
        let head = "--xx\r\nContent-Disposition: form-data; name=\"archive\"; filename=\"a\"\r\n\r\n";
        assert!(!read(format!("{head}abc").as_bytes(), 9).unwrap().1);
        assert_eq!(read(format!("{head}\r\n--xx--").as_bytes(), 9), Ok((Some("a".to_owned()), true, Vec::new())));
        assert!(read(b"--yy\r\nContent-Disposition: form-data\r\n\r\n", 9).is_err());
        assert_eq!(read(head.replace("\"a\"", "\"\"").as_bytes(), 9), Err("no file was chosen"));
        assert_eq!(read(&[b'-'; 5000], 100), Err("the form has no file"));
    }
}
