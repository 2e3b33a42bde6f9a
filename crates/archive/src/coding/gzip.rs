//! Gzip members.

use std::io;

use flate2::{Decompress, FlushDecompress, Status};

use super::decode::{Decode, Decoded, into_room};

/// The first bytes of a gzip member that is deflated.
pub(super) const MAGIC: [u8; 3] = [0x1f, 0x8b, 0x08];

/// Whether a member begins here: the magic, and flags whose upper three bits are zero.
pub(super) fn begins(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC) && bytes.get(MAGIC.len()).is_none_or(|flags| flags & 0xe0 == 0)
}

pub(super) struct Gzip(Decompress);

impl Gzip {
    pub(super) fn new() -> Self {
        Self(Decompress::new_gzip(15))
    }
}

impl Decode for Gzip {
    fn step(&mut self, input: &[u8], output: &mut Vec<u8>) -> Decoded {
        let (in_before, out_before) = (self.0.total_in(), self.0.total_out());
        into_room(output, |room| {
            let result = self.0.decompress(input, room, FlushDecompress::None);
            let (consumed, produced) = (self.0.total_in() - in_before, self.0.total_out() - out_before);
            let ended = result.map(|status| status == Status::StreamEnd).map_err(io::Error::from);
            ((consumed as usize).min(input.len()), produced as usize, ended)
        })
    }
}
