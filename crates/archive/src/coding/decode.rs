//! What a decoder of one member does.

use std::io;

/// Bytes that one step decodes at most where the decoder can choose.
pub(super) const STEP_BYTES: usize = 32 << 10;

/// How far a member is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
    /// It goes on.
    More,
    /// So many bytes of input must be at hand for the next step.
    Wants(usize),
    /// The member has ended well.
    End,
}

/// What one step used and did.
pub(super) struct Decoded {
    /// Bytes of the input that were used.
    pub(super) consumed: usize,
    pub(super) result: io::Result<Progress>,
}

/// A decoder of one member.
pub(super) trait Decode {
    /// Decodes some of `input` behind `output`. A step that neither uses nor gives any bytes asks for more input, or is
    /// a failure.
    fn step(&mut self, input: &[u8], output: &mut Vec<u8>) -> Decoded;

    /// Makes ready for another member, if it can: what was set up for this one stays.
    fn restart(&mut self) -> bool {
        false
    }
}

/// Runs `decode` with room of [`STEP_BYTES`] behind `output`; it gives the bytes used, the bytes made, and whether the
/// member has ended.
pub(super) fn into_room(
    output: &mut Vec<u8>,
    decode: impl FnOnce(&mut [u8]) -> (usize, usize, io::Result<bool>),
) -> Decoded {
    let held = output.len();
    output.resize(held + STEP_BYTES, 0);
    let (consumed, produced, ended) = decode(&mut output[held..]);
    output.truncate(held + produced);
    let result = match ended {
        Ok(true) => Ok(Progress::End),
        // Input and room are there, so a step without progress cannot be; were there one, the reader would never end.
        Ok(false) if consumed == 0 && produced == 0 => Err(io::ErrorKind::InvalidData.into()),
        Ok(false) => Ok(Progress::More),
        Err(error) => Err(error),
    };
    Decoded { consumed, result }
}
