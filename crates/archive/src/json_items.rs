//! The objects of an array within a JSON text, one after another, without holding the text.

use std::io::Read;

use super::stream::Stream;

/// What comes next in the array.
pub(super) enum Item {
    /// An object and its offset.
    Object { offset: u64, bytes: Vec<u8> },
    /// An object that is larger than allowed was passed over.
    TooLarge { offset: u64 },
    /// The text ends within an object.
    CutOff { offset: u64 },
    /// The array has ended, or the text has.
    End { closed: bool },
}

/// Takes objects from the array that the stream stands in.
pub(super) struct JsonItems {
    bytes_max: usize,
}

impl JsonItems {
    pub(super) fn new(bytes_max: usize) -> Self {
        Self { bytes_max }
    }

    /// Moves behind the bracket that opens the array of this name; `false` if there is none.
    pub(super) fn enter<R: Read>(stream: &mut Stream<R>, name: &str) -> bool {
        let key = format!("\"{name}\"");
        loop {
            let more = stream.fill_to(ENTER_BYTES);
            let window = stream.window();
            for at in memchr::memmem::find_iter(window, key.as_bytes()) {
                let behind = window[at + key.len()..].trim_ascii_start();
                let array = behind.strip_prefix(b":").map(<[u8]>::trim_ascii_start).filter(|it| it.starts_with(b"["));
                if let Some(array) = array {
                    let passed = window.len() - array.len() + 1;
                    stream.consume(passed);
                    return true;
                }
            }
            let keep = if more { KEPT_BYTES } else { 0 };
            let passed = window.len().saturating_sub(keep);
            stream.consume(passed);
            if !more {
                return false;
            }
        }
    }

    /// The next object.
    pub(super) fn next<R: Read>(&self, stream: &mut Stream<R>) -> Item {
        match begin(stream) {
            Some(offset) => self.object(offset, stream),
            None => Item::End { closed: stream.window().starts_with(b"]") },
        }
    }

    fn object<R: Read>(&self, offset: u64, stream: &mut Stream<R>) -> Item {
        let mut bytes = Vec::new();
        let mut nesting = Nesting::default();
        let mut is_too_large = false;
        while stream.fill_to(1) {
            let (len, ended) = nesting.follow(stream.window());
            is_too_large |= bytes.len() + len > self.bytes_max;
            if is_too_large {
                bytes = Vec::new();
            } else {
                bytes.extend_from_slice(&stream.window()[..len]);
            }
            stream.consume(len);
            if ended {
                return if is_too_large { Item::TooLarge { offset } } else { Item::Object { offset, bytes } };
            }
        }
        Item::CutOff { offset }
    }
}

/// Bytes that are looked at for an array's name, and those of them that stay for a name across their end.
const ENTER_BYTES: usize = 64 << 10;
const KEPT_BYTES: usize = 1 << 10;

/// Moves to the next object, over commas and whatever else is no bracket; its offset, or `None` at the array's end.
fn begin<R: Read>(stream: &mut Stream<R>) -> Option<u64> {
    while stream.fill_to(1) {
        let window = stream.window();
        let at = memchr::memchr2(b'{', b']', window);
        let found = at.map(|at| window[at]);
        let passed = at.unwrap_or(window.len());
        stream.consume(passed);
        match found {
            Some(b'{') => return Some(stream.offset()),
            Some(_) => return None,
            None => {}
        }
    }
    None
}

/// How deep in brackets, and whether in a string.
#[derive(Default)]
struct Nesting {
    brackets: usize,
    in_string: bool,
    is_escaped: bool,
}

impl Nesting {
    /// Follows `bytes` up to the bracket that closes the first one; gives the bytes seen and whether it was found.
    fn follow(&mut self, bytes: &[u8]) -> (usize, bool) {
        for (at, &byte) in bytes.iter().enumerate() {
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' if self.in_string => self.is_escaped = true,
                b'"' => self.in_string = !self.in_string,
                _ if self.in_string => {}
                b'{' | b'[' => self.brackets += 1,
                b'}' | b']' => self.brackets = self.brackets.saturating_sub(1),
                _ => {}
            }
            if byte == b'}' && self.brackets == 0 && !self.in_string {
                return (at + 1, true);
            }
        }
        (bytes.len(), false)
    }
}
