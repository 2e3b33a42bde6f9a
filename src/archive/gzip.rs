//! Gzip members one after another, with exact offsets, surviving damaged ones.

use std::io::{self, Read};

use flate2::{Decompress, FlushDecompress, Status};
use memchr::memmem;

use super::input::Input;
use super::stream::Stop;

/// The first bytes of a gzip member that is deflated.
pub(super) const MAGIC: [u8; 3] = [0x1f, 0x8b, 0x08];

/// Bytes of the magic and of the flags behind it, whose upper three bits are always zero.
const MAGIC_AND_FLAGS: usize = MAGIC.len() + 1;

/// Bytes that one step inflates at most.
const STEP_BYTES: usize = 32 << 10;

/// Places that are tried for a member before the one where a damage was noticed.
const TRIALS_MAX: usize = 64;

/// Bytes that such a trial sees.
const TRIAL_BYTES: usize = 4 << 10;

/// What one step of [`Members::step`] did.
pub(super) enum Step {
    /// A member, or a stretch of other bytes, begins at this file offset.
    Begun(u64),
    /// Bytes were added to the output, or a member has ended well.
    Inflated,
    /// Nothing more for now.
    Stopped(Stop),
}

/// Reads gzip members.
#[derive(Default)]
pub(super) struct Members {
    inflate: Option<Decompress>,
    member_offset: u64,
    /// The farthest offset at which a member has failed. No byte before it is tried more than once again, which keeps
    /// the work linear in the file's size.
    farthest_failure: u64,
    /// Set between finding bytes that are no member and passing over them.
    lost: bool,
}

impl Members {
    /// Does a little work: begins a member, or inflates some bytes of it behind `output`.
    pub(super) fn step<R: Read>(&mut self, input: &mut Input<R>, output: &mut Vec<u8>) -> Step {
        let step = match self.inflate.take() {
            Some(inflate) => self.inflate_some(inflate, input, output),
            None if self.lost => self.pass_over(input),
            None => self.begin(input),
        };
        step.unwrap_or_else(|error| Step::Stopped(Stop::Io(error)))
    }

    /// Begins the next member, over the zeros that tapes and disks leave between them.
    fn begin<R: Read>(&mut self, input: &mut Input<R>) -> io::Result<Step> {
        if !skip_zeros(input)? {
            return Ok(Step::Stopped(Stop::End));
        }
        input.fill_to(MAGIC.len())?;
        self.member_offset = input.offset();
        if input.unread().starts_with(&MAGIC) {
            self.inflate = Some(Decompress::new_gzip(15));
        } else {
            self.lost = true;
        }
        Ok(Step::Begun(self.member_offset))
    }

    fn inflate_some<R: Read>(
        &mut self,
        mut inflate: Decompress,
        input: &mut Input<R>,
        output: &mut Vec<u8>,
    ) -> io::Result<Step> {
        if input.unread().is_empty() && !input.fill()? {
            return self.fail(input, io::ErrorKind::UnexpectedEof.into());
        }
        let (consumed, result) = inflate_behind(&mut inflate, input.unread(), output);
        input.consume(consumed);
        match result {
            Ok(Status::StreamEnd) => Ok(Step::Inflated),
            Ok(_) => {
                self.inflate = Some(inflate);
                Ok(Step::Inflated)
            }
            Err(error) => self.fail(input, error),
        }
    }

    /// Leaves a damaged member. The next one may have begun before the damage was noticed; there, where also bodies that
    /// are gzip themselves lie, only a member that begins with a record counts.
    fn fail<R: Read>(&mut self, input: &mut Input<R>, error: io::Error) -> io::Result<Step> {
        let failed_at = input.offset();
        input.rewind_to(self.farthest_failure.max(self.member_offset + 1));
        self.farthest_failure = self.farthest_failure.max(failed_at);
        for _ in 0..TRIALS_MAX {
            seek_magic(input)?;
            input.fill_to(TRIAL_BYTES)?;
            if input.offset() >= failed_at || begins_with_record(input.unread()) {
                return Ok(Step::Stopped(Stop::Damaged(error)));
            }
            input.consume(1);
        }
        input.consume(failed_at.saturating_sub(input.offset()) as usize);
        seek_magic(input)?;
        Ok(Step::Stopped(Stop::Damaged(error)))
    }

    fn pass_over<R: Read>(&mut self, input: &mut Input<R>) -> io::Result<Step> {
        self.lost = false;
        seek_magic(input)?;
        let error = io::Error::new(io::ErrorKind::InvalidData, "no gzip member begins here");
        Ok(Step::Stopped(Stop::Damaged(error)))
    }
}

/// Inflates at most [`STEP_BYTES`] behind `output`; gives the bytes of `input` that were used.
fn inflate_behind(inflate: &mut Decompress, input: &[u8], output: &mut Vec<u8>) -> (usize, io::Result<Status>) {
    let (held, in_before, out_before) = (output.len(), inflate.total_in(), inflate.total_out());
    output.resize(held + STEP_BYTES, 0);
    let result = inflate.decompress(input, &mut output[held..], FlushDecompress::None);
    let produced = (inflate.total_out() - out_before) as usize;
    let consumed = (inflate.total_in() - in_before) as usize;
    output.truncate(held + produced);
    // Input and room are there, so a step without progress cannot be; were there one, the reader would never end.
    let stuck = consumed == 0 && produced == 0 && matches!(result, Ok(Status::Ok | Status::BufError));
    let result = if stuck { Err(io::ErrorKind::InvalidData.into()) } else { result.map_err(io::Error::from) };
    (consumed.min(input.len()), result)
}

/// Whether `bytes` are a member whose content begins as a WARC record does.
fn begins_with_record(bytes: &[u8]) -> bool {
    let mut start = [0; 5];
    let mut inflate = Decompress::new_gzip(15);
    let result = inflate.decompress(&bytes[..bytes.len().min(TRIAL_BYTES)], &mut start, FlushDecompress::None);
    result.is_ok() && start == *b"WARC/"
}

/// Moves to the next byte that is not zero; `false` when there is none.
fn skip_zeros<R: Read>(input: &mut Input<R>) -> io::Result<bool> {
    loop {
        let zeros = input.unread().iter().take_while(|&&byte| byte == 0).count();
        input.consume(zeros);
        if !input.unread().is_empty() {
            return Ok(true);
        }
        if !input.fill()? {
            return Ok(false);
        }
    }
}

/// Moves to the next place where a member may begin, or to the end of the file.
fn seek_magic<R: Read>(input: &mut Input<R>) -> io::Result<()> {
    let finder = memmem::Finder::new(&MAGIC);
    loop {
        let more = input.fill_to(MAGIC_AND_FLAGS)?;
        let bytes = input.unread();
        match finder.find(bytes) {
            Some(at) if at + MAGIC_AND_FLAGS > bytes.len() && more => {
                input.consume(at);
            }
            Some(at) if bytes.get(at + MAGIC.len()).is_some_and(|flags| flags & 0xe0 != 0) => {
                input.consume(at + 1);
            }
            Some(at) => {
                input.consume(at);
                return Ok(());
            }
            None => {
                let keep = if more { MAGIC.len() - 1 } else { 0 };
                let passed = bytes.len() - keep;
                input.consume(passed);
                if !more {
                    return Ok(());
                }
            }
        }
    }
}
