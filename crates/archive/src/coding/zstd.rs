//! Zstandard frames, with the dictionary that a file may begin with.
//!
//! The specification "WARC-zst" puts a dictionary, itself perhaps a zstd frame, into a skippable frame `0x184D2A5D` at
//! the file's beginning; all frames behind it need the dictionary.

use std::io::{self, Read};

use zstd::stream::raw::{DParameter, Decoder, Operation};

use super::decode::{Decode, Decoded, into_room};

/// The first bytes of a frame.
pub(super) const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// The first byte of a skippable frame that holds a dictionary; the others are as in any skippable frame.
pub(super) const DICTIONARY: u8 = 0x5d;

/// Bytes of a dictionary, decoded. Those in use have up to 1 MiB.
pub(super) const DICTIONARY_BYTES_MAX: usize = 16 << 20;

/// Base 2 logarithm of the window that a frame may ask for: 128 MiB, what `zstd --long` needs and `zstd -d` allows.
const WINDOW_LOG_MAX: u32 = 27;

/// Decodes frames; the dictionary stays from frame to frame.
pub(super) struct Zstd(Decoder<'static>);

impl Zstd {
    pub(super) fn new(dictionary: &[u8]) -> io::Result<Self> {
        let mut decoder = Decoder::with_dictionary(dictionary)?;
        decoder.set_parameter(DParameter::WindowLogMax(WINDOW_LOG_MAX))?;
        Ok(Self(decoder))
    }
}

impl Decode for Zstd {
    fn step(&mut self, input: &[u8], output: &mut Vec<u8>) -> Decoded {
        into_room(output, |room| match self.0.run_on_buffers(input, room) {
            Ok(status) => (status.bytes_read, status.bytes_written, Ok(status.remaining == 0)),
            Err(error) => (0, 0, Err(error)),
        })
    }

    fn restart(&mut self) -> bool {
        self.0.reinit().is_ok()
    }
}

/// The dictionary that the content of its frame holds: bare, or compressed.
pub(super) fn dictionary(content: &[u8]) -> io::Result<Vec<u8>> {
    if !content.starts_with(&MAGIC) {
        return Ok(content.to_vec());
    }
    let mut dictionary = Vec::new();
    let decoder = zstd::stream::read::Decoder::with_buffer(content)?.single_frame();
    decoder.take(DICTIONARY_BYTES_MAX as u64 + 1).read_to_end(&mut dictionary)?;
    if dictionary.len() > DICTIONARY_BYTES_MAX {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "the dictionary is larger than 16 MiB"));
    }
    Ok(dictionary)
}
