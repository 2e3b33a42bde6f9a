//! Xz streams.

use lzma_rust2::{Action, Status, XzStream};

use super::decode::{Decode, Decoded, into_room};

/// The first bytes of a stream.
pub(super) const MAGIC: [u8; 6] = [0xfd, b'7', b'z', b'X', b'Z', 0];

/// Memory of a decoder, in KiB: a dictionary of 128 MiB, twice that of `xz -9`, and what goes with it.
pub(crate) const MEMORY_KIB_MAX: u32 = 130 << 10;

pub(super) struct Xz(XzStream);

impl Xz {
    pub(super) fn new() -> Self {
        Self(XzStream::new_mem_limit(false, MEMORY_KIB_MAX))
    }
}

impl Decode for Xz {
    fn step(&mut self, input: &[u8], output: &mut Vec<u8>) -> Decoded {
        let (in_before, out_before) = (self.0.total_in(), self.0.total_out());
        into_room(output, |room| {
            let result = self.0.process(input, room, Action::Run);
            let (consumed, produced) = (self.0.total_in() - in_before, self.0.total_out() - out_before);
            let ended = result.map(|result| result.status == Status::StreamEnd);
            ((consumed as usize).min(input.len()), produced as usize, ended)
        })
    }
}
