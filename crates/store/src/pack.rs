//! Compressing what is kept, into no more memory than it takes: a batch holds thousands of trees and bodies.

use std::cell::RefCell;
use std::io;

use zstd::bulk::Compressor;

/// Memory that a thread keeps for the next text.
const SCRATCH_BYTES_MAX: usize = 4 << 20;

/// A thread's compressor and the buffer that it writes to. Making a compressor takes longer than to compress a small tree.
#[derive(Default)]
struct Packer {
    compressor: Option<Compressor<'static>>,
    scratch: Vec<u8>,
}

impl Packer {
    fn pack(&mut self, bytes: &[u8], level: i32) -> io::Result<Vec<u8>> {
        let compressor = match &mut self.compressor {
            Some(compressor) => compressor,
            none => none.insert(Compressor::new(level)?),
        };
        compressor.set_compression_level(level)?;
        self.scratch.clear();
        self.scratch.reserve(zstd::zstd_safe::compress_bound(bytes.len()));
        compressor.compress_to_buffer(bytes, &mut self.scratch)?;
        let packed = self.scratch.as_slice().to_vec();
        if self.scratch.capacity() > SCRATCH_BYTES_MAX {
            self.scratch = Vec::new();
        }
        Ok(packed)
    }
}

/// `bytes`, compressed by zstd.
///
/// # Errors
///
/// zstd's, which has none for a buffer that is large enough, and that of making a compressor when there is no memory for it.
pub(super) fn packed(bytes: &[u8], level: i32) -> io::Result<Vec<u8>> {
    thread_local! {
        static PACKER: RefCell<Packer> = RefCell::default();
    }
    PACKER.with_borrow_mut(|packer| packer.pack(bytes, level))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_comes_back_and_takes_no_more_memory_than_its_length() {
        let noise: Vec<u8> =
            (0..3 * SCRATCH_BYTES_MAX as u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        for bytes in [&b""[..], b"oak", &vec![7; 100_000], &noise] {
            for level in [1, 3] {
                let packed = packed(bytes, level).unwrap();
                assert_eq!(packed.capacity(), packed.len());
                assert_eq!(zstd::bulk::decompress(&packed, bytes.len()).unwrap(), bytes);
            }
        }
    }
}
