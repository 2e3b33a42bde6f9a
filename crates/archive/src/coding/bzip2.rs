//! Bzip2 streams.

use std::io;

use bzip2::{Decompress, Status};

use super::decode::{Decode, Decoded, into_room};

/// The first bytes of a stream; a digit and the magic of a block, or of the stream's end, follow.
pub(super) const MAGIC: [u8; 3] = *b"BZh";

/// Bytes that tell a stream.
pub(super) const HEAD_BYTES: usize = 10;

const BLOCK: [u8; 6] = [0x31, 0x41, 0x59, 0x26, 0x53, 0x59];
const END: [u8; 6] = [0x17, 0x72, 0x45, 0x38, 0x50, 0x90];

/// Whether a stream begins here.
pub(super) fn begins(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
        && matches!(bytes.get(3), Some(b'1'..=b'9'))
        && bytes.get(4..HEAD_BYTES).is_some_and(|magic| magic == BLOCK || magic == END)
}

pub(super) struct Bzip2(Decompress);

impl Bzip2 {
    pub(super) fn new() -> Self {
        Self(Decompress::new(false))
    }
}

impl Decode for Bzip2 {
    fn step(&mut self, input: &[u8], output: &mut Vec<u8>) -> Decoded {
        let (in_before, out_before) = (self.0.total_in(), self.0.total_out());
        into_room(output, |room| {
            let result = self.0.decompress(input, room);
            let (consumed, produced) = (self.0.total_in() - in_before, self.0.total_out() - out_before);
            let ended = result.map(|status| status == Status::StreamEnd).map_err(io::Error::from);
            ((consumed as usize).min(input.len()), produced as usize, ended)
        })
    }
}
