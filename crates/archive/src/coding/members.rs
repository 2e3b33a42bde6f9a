//! Members one after another, with exact offsets, surviving damaged ones.

use std::io::{self, Read};

use super::super::framing::begins_record;
use super::super::input::Input;
use super::super::stream::Stop;
use super::bzip2::Bzip2;
use super::decode::{Decode, Decoded, Progress};
use super::family::{Family, HEAD_BYTES};
use super::gzip::Gzip;
use super::lz4::Lz4;
use super::xz::Xz;
use super::zstd::{self, Zstd};

/// Places that are tried for a member before the one where a damage was noticed.
const TRIALS_MAX: usize = 64;

/// Bytes that such a trial sees.
const TRIAL_BYTES: usize = 4 << 10;

/// Bytes of a skippable frame's magic and size.
const SKIPPABLE_HEAD_BYTES: usize = 8;

/// Bytes that a member may decode to whatever its ratio.
const RATIO_FREE_BYTES: u64 = 64 << 20;

/// Decoded to encoded bytes of a member, above [`RATIO_FREE_BYTES`]: deflate reaches no more.
const RATIO_MAX: u64 = 1032;

/// What one step of [`Members::step`] did.
pub(crate) enum Step {
    /// A member, or a stretch of other bytes, begins at this file offset.
    Begun(u64),
    /// Bytes were added to the output, or a member has ended well.
    Decoded,
    /// Nothing more for now.
    Stopped(Stop),
}

/// What lies ahead.
enum State {
    /// Perhaps a member.
    Between,
    /// The rest of a member.
    Within { decoder: Box<dyn Decode + Send>, decoded: u64 },
    /// The rest of a skippable frame.
    Skipping(u64),
    /// Bytes that are no member.
    Lost,
}

/// Reads the members of a file.
pub(crate) struct Members {
    family: Family,
    state: State,
    dictionary: Vec<u8>,
    /// Whether the dictionary is not the file's first member, where whoever begins in the middle would look for it.
    has_late_dictionary: bool,
    /// The decoder of the last member, for the next one.
    spare: Option<Box<dyn Decode + Send>>,
    member_offset: u64,
    /// The farthest offset at which a member has failed. No byte before it is tried more than once again, which keeps
    /// the work linear in the file's size.
    farthest_failure: u64,
}

impl Members {
    pub(crate) fn new(family: Family) -> Self {
        Self {
            family,
            state: State::Between,
            dictionary: Vec::new(),
            has_late_dictionary: false,
            spare: None,
            member_offset: 0,
            farthest_failure: 0,
        }
    }

    pub(crate) fn family(&self) -> Family {
        self.family
    }

    /// Forgets where it is; the next step begins a member.
    pub(crate) fn leave(&mut self) {
        (self.state, self.farthest_failure) = (State::Between, 0);
    }

    /// Whether the members from file offset `offset` on are read alike by one who begins there.
    pub(crate) fn can_begin_at(&self, offset: u64) -> bool {
        self.farthest_failure <= offset && !self.has_late_dictionary
    }

    /// Does a little work: begins a member, or decodes some bytes of it behind `output`.
    pub(crate) fn step<R: Read>(&mut self, input: &mut Input<R>, output: &mut Vec<u8>) -> Step {
        let step = match std::mem::replace(&mut self.state, State::Between) {
            State::Within { decoder, decoded } => self.decode(decoder, decoded, input, output),
            State::Lost => self.pass_over(input),
            State::Skipping(left) => self.skip(left, input),
            State::Between => self.begin(input),
        };
        step.unwrap_or_else(|error| Step::Stopped(Stop::Io(error)))
    }

    /// Begins the next member, over the zeros that tapes and disks leave between them.
    fn begin<R: Read>(&mut self, input: &mut Input<R>) -> io::Result<Step> {
        if !skip_zeros(input)? {
            return Ok(Step::Stopped(Stop::End));
        }
        input.fill_to(HEAD_BYTES)?;
        self.member_offset = input.offset();
        let head = input.unread();
        if self.family.begins(head) {
            match self.next_decoder() {
                Ok(decoder) => self.state = State::Within { decoder, decoded: 0 },
                Err(error) => return self.fail(input, error),
            }
        } else if self.family.skips(head) && head.len() >= SKIPPABLE_HEAD_BYTES {
            return self.begin_skippable(input);
        } else {
            self.state = State::Lost;
        }
        Ok(Step::Begun(self.member_offset))
    }

    fn next_decoder(&mut self) -> io::Result<Box<dyn Decode + Send>> {
        let spare = self.spare.take().and_then(|mut spare| spare.restart().then_some(spare));
        spare.map_or_else(|| self.decoder(), Ok)
    }

    fn decoder(&self) -> io::Result<Box<dyn Decode + Send>> {
        Ok(match self.family {
            Family::Gzip => Box::new(Gzip::new()),
            Family::Zstd => Box::new(Zstd::new(&self.dictionary)?),
            Family::Lz4 => Box::new(Lz4::new()),
            Family::Bzip2 => Box::new(Bzip2::new()),
            Family::Xz => Box::new(Xz::new()),
        })
    }

    /// Takes a dictionary, or passes over what a skippable frame holds.
    fn begin_skippable<R: Read>(&mut self, input: &mut Input<R>) -> io::Result<Step> {
        let head = input.unread();
        let size = u32::from_le_bytes([head[4], head[5], head[6], head[7]]) as usize;
        let is_dictionary = self.family == Family::Zstd && head[0] == zstd::DICTIONARY && self.dictionary.is_empty();
        if is_dictionary && size <= zstd::DICTIONARY_BYTES_MAX && input.fill_to(SKIPPABLE_HEAD_BYTES + size)? {
            let content = &input.unread()[SKIPPABLE_HEAD_BYTES..SKIPPABLE_HEAD_BYTES + size];
            match zstd::dictionary(content) {
                Ok(dictionary) => {
                    (self.dictionary, self.spare) = (dictionary, None);
                    self.has_late_dictionary = self.member_offset > 0;
                }
                Err(error) => return self.fail(input, error),
            }
        }
        input.consume(SKIPPABLE_HEAD_BYTES);
        self.state = State::Skipping(size as u64);
        Ok(Step::Decoded)
    }

    fn skip<R: Read>(&mut self, left: u64, input: &mut Input<R>) -> io::Result<Step> {
        if left == 0 {
            return Ok(Step::Decoded);
        }
        if !input.fill_to(1)? {
            return Ok(Step::Stopped(Stop::Damaged(io::ErrorKind::UnexpectedEof.into())));
        }
        let len = (input.unread().len() as u64).min(left);
        input.consume(len as usize);
        self.state = State::Skipping(left - len);
        Ok(Step::Decoded)
    }

    fn decode<R: Read>(
        &mut self,
        mut decoder: Box<dyn Decode + Send>,
        decoded: u64,
        input: &mut Input<R>,
        output: &mut Vec<u8>,
    ) -> io::Result<Step> {
        if input.unread().is_empty() && !input.fill()? {
            return self.fail(input, io::ErrorKind::UnexpectedEof.into());
        }
        let held = output.len();
        let Decoded { consumed, result } = decoder.step(input.unread(), output);
        input.consume(consumed);
        let decoded = decoded + (output.len() - held) as u64;
        match result {
            Ok(Progress::End) => self.spare = Some(decoder),
            Ok(Progress::Wants(len)) if !input.fill_to(len)? => {
                return self.fail(input, io::ErrorKind::UnexpectedEof.into());
            }
            Ok(_) if self.is_bomb(decoded, input.offset()) => return self.leave_bomb(input),
            Ok(_) => self.state = State::Within { decoder, decoded },
            Err(error) => return self.fail(input, error),
        }
        Ok(Step::Decoded)
    }

    fn is_bomb(&self, decoded: u64, offset: u64) -> bool {
        decoded > RATIO_FREE_BYTES && decoded / RATIO_MAX > offset - self.member_offset
    }

    fn leave_bomb<R: Read>(&mut self, input: &mut Input<R>) -> io::Result<Step> {
        self.seek(input)?;
        let reason = format!("a member decodes to more than {RATIO_MAX} times its size");
        Ok(Step::Stopped(Stop::Damaged(io::Error::new(io::ErrorKind::InvalidData, reason))))
    }

    /// Leaves a damaged member. The next one may have begun before the damage was noticed; there, where also bodies that
    /// are compressed themselves lie, only a member that begins with a record counts.
    fn fail<R: Read>(&mut self, input: &mut Input<R>, error: io::Error) -> io::Result<Step> {
        let failed_at = input.offset();
        input.rewind_to(self.farthest_failure.max(self.member_offset + 1));
        self.farthest_failure = self.farthest_failure.max(failed_at);
        if input.offset() <= self.member_offset {
            input.consume(input.unread().len().min(1));
        }
        for _ in 0..TRIALS_MAX {
            self.seek(input)?;
            input.fill_to(TRIAL_BYTES)?;
            if input.offset() >= failed_at || self.begins_with_record(input.unread()) {
                return Ok(Step::Stopped(Stop::Damaged(error)));
            }
            input.consume(1);
        }
        input.consume(failed_at.saturating_sub(input.offset()) as usize);
        self.seek(input)?;
        Ok(Step::Stopped(Stop::Damaged(error)))
    }

    /// Whether `bytes` are a member whose content begins as a record does.
    fn begins_with_record(&self, bytes: &[u8]) -> bool {
        let Ok(mut decoder) = self.decoder() else { return false };
        let mut input = &bytes[..bytes.len().min(TRIAL_BYTES)];
        let mut output = Vec::new();
        while let Decoded { consumed, result: Ok(Progress::More) } = decoder.step(input, &mut output) {
            input = &input[consumed..];
            if input.is_empty() || !output.is_empty() {
                break;
            }
        }
        begins_record(&output)
    }

    fn pass_over<R: Read>(&mut self, input: &mut Input<R>) -> io::Result<Step> {
        self.seek(input)?;
        let error = io::Error::new(io::ErrorKind::InvalidData, "no compressed member begins here");
        Ok(Step::Stopped(Stop::Damaged(error)))
    }

    /// Moves to the next place where a member may begin, or to the end of the file.
    fn seek<R: Read>(&self, input: &mut Input<R>) -> io::Result<()> {
        loop {
            let more = input.fill_to(HEAD_BYTES)?;
            let found = self.family.find(input.unread(), !more);
            let (Ok(at) | Err(at)) = found;
            input.consume(at);
            if found.is_ok() || !more {
                return Ok(());
            }
        }
    }
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
