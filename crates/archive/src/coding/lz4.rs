//! LZ4 frames. The frame format is read here, since a member's exact end and the blocks at hand matter; the crate
//! decodes the blocks.

use std::io;

use lz4_flex::block::decompress_into_with_dict;
use xxhash_rust::xxh32::{Xxh32, xxh32};

use super::decode::{Decode, Decoded, Progress};

/// The first bytes of a frame.
pub(super) const MAGIC: [u8; 4] = [0x04, 0x22, 0x4d, 0x18];

/// Bytes before the present ones that a block may refer to.
const WINDOW_BYTES: usize = 64 << 10;

/// Set in a block's size when its bytes are not compressed.
const UNCOMPRESSED: u32 = 1 << 31;

pub(super) struct Lz4 {
    frame: Option<Frame>,
    /// The last decoded bytes, which blocks that depend on others refer to.
    window: Vec<u8>,
}

/// What a frame's descriptor says.
struct Frame {
    are_independent: bool,
    has_block_checksums: bool,
    /// Of the content so far, where the frame ends in a checksum.
    checksum: Option<Xxh32>,
    block_bytes_max: usize,
}

impl Lz4 {
    pub(super) fn new() -> Self {
        Self { frame: None, window: Vec::new() }
    }

    fn descriptor(&mut self, input: &[u8]) -> io::Result<(usize, Progress)> {
        let Some(&[flags, sizes]) = input.get(4..6) else { return Ok((0, Progress::Wants(7))) };
        let len = 7 + if flags & 0x08 == 0 { 0 } else { 8 } + if flags & 0x01 == 0 { 0 } else { 4 };
        let Some(descriptor) = input.get(4..len - 1) else { return Ok((0, Progress::Wants(len))) };
        let Some(&checksum) = input.get(len - 1) else { return Ok((0, Progress::Wants(len))) };
        if flags >> 6 != 1 || (xxh32(descriptor, 0) >> 8) as u8 != checksum {
            return Err(invalid("the frame's descriptor is damaged"));
        }
        let block_bytes_max = match sizes >> 4 & 7 {
            4 => 64 << 10,
            5 => 256 << 10,
            6 => 1 << 20,
            7 => 4 << 20,
            _ => return Err(invalid("the frame has an unknown size of blocks")),
        };
        self.frame = Some(Frame {
            are_independent: flags & 0x20 != 0,
            has_block_checksums: flags & 0x10 != 0,
            checksum: (flags & 0x04 != 0).then(|| Xxh32::new(0)),
            block_bytes_max,
        });
        Ok((len, Progress::More))
    }

    fn block(&mut self, input: &[u8], output: &mut Vec<u8>) -> io::Result<(usize, Progress)> {
        let Some(frame) = &mut self.frame else { return self.descriptor(input) };
        let Some(word) = word(input, 0) else { return Ok((0, Progress::Wants(4))) };
        let size = (word & !UNCOMPRESSED) as usize;
        if size > frame.block_bytes_max {
            return Err(invalid("a block is larger than its frame allows"));
        }
        let behind = if size == 0 { frame.checksum.is_some() } else { frame.has_block_checksums };
        let len = 4 + size + if behind { 4 } else { 0 };
        let Some(block) = input.get(4..4 + size).filter(|_| input.len() >= len) else {
            return Ok((0, Progress::Wants(len)));
        };
        let checksum = self::word(input, 4 + size).filter(|_| behind);
        if word == 0 {
            let found = frame.checksum.as_ref().map(Xxh32::digest);
            return if checksum == found { Ok((len, Progress::End)) } else { Err(invalid("the checksum fails")) };
        }
        if checksum.is_some_and(|checksum| checksum != xxh32(block, 0)) {
            return Err(invalid("a block's checksum fails"));
        }
        self.decode(block, word & UNCOMPRESSED != 0, output)?;
        Ok((len, Progress::More))
    }

    /// Decodes a block behind `output`.
    fn decode(&mut self, block: &[u8], is_plain: bool, output: &mut Vec<u8>) -> io::Result<()> {
        let Some(frame) = &mut self.frame else { return Ok(()) };
        let held = output.len();
        if is_plain {
            output.extend_from_slice(block);
        } else {
            output.resize(held + frame.block_bytes_max, 0);
            let decoded = decompress_into_with_dict(block, &mut output[held..], &self.window);
            output.truncate(held + decoded.as_ref().map_or(0, |&len| len));
            decoded.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        }
        let decoded = &output[held..];
        if let Some(checksum) = &mut frame.checksum {
            checksum.update(decoded);
        }
        if !frame.are_independent {
            self.window.extend_from_slice(decoded);
            self.window.drain(..self.window.len().saturating_sub(WINDOW_BYTES));
        }
        Ok(())
    }
}

impl Decode for Lz4 {
    fn step(&mut self, input: &[u8], output: &mut Vec<u8>) -> Decoded {
        match self.block(input, output) {
            Ok((consumed, progress)) => Decoded { consumed, result: Ok(progress) },
            Err(error) => Decoded { consumed: 0, result: Err(error) },
        }
    }
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..at + 4)?;
    bytes.try_into().ok().map(u32::from_le_bytes)
}

fn invalid(reason: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason)
}
