//! An archive's bytes after its own compression: one bounded stream that knows where each byte lies in the file.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::path::Path;

use super::coding::{Family, HEAD_BYTES, Members, Step};
use super::input::Input;
use super::record::ArchiveError;

/// Decoded bytes that are moved out of the way at once.
const COMPACT_BYTES: usize = 64 << 10;

/// Why the stream gives no more bytes.
#[derive(Debug)]
pub(super) enum Stop {
    /// The file is read.
    End,
    /// The compressed data is broken here. The stream goes on behind it once it was taken.
    Damaged(io::Error),
    /// The file cannot be read.
    Io(io::Error),
}

enum Coding {
    Plain,
    Members(Box<Members>),
}

/// The decoded bytes of a file.
///
/// Invariant: `starts` is ordered, and its front is the member that holds the first unread byte, if any was begun.
pub(super) struct Stream<R> {
    input: Input<R>,
    coding: Coding,
    buffer: Vec<u8>,
    /// Index of the first unread byte in `buffer`.
    unread: usize,
    /// Position of the first unread byte in the decoded data.
    position: u64,
    /// The byte before it.
    previous: u8,
    /// Decoded position and file offset of each member that begins in or before the buffer.
    starts: VecDeque<(u64, u64)>,
    stop: Option<Stop>,
}

impl<R: Read> Stream<R> {
    /// Begins to read; the first bytes tell whether the file is compressed.
    pub(super) fn open(source: R) -> Self {
        let mut input = Input::new(source);
        let stop = input.fill_to(HEAD_BYTES).err().map(Stop::Io);
        let family = Family::of(input.unread());
        let coding = family.map_or(Coding::Plain, |family| Coding::Members(Box::new(Members::new(family))));
        Self {
            input,
            coding,
            buffer: Vec::new(),
            unread: 0,
            position: 0,
            previous: b'\n',
            starts: VecDeque::new(),
            stop,
        }
    }

    /// Goes to `offset`, where a member begins, or in a plain file a record; `source` gives the file from [`Input::read_start`] on.
    /// What was learned of the file stays: its compression and its dictionary.
    pub(super) fn go_to(&mut self, source: R, offset: u64) -> io::Result<()> {
        self.input = Input::at(source, offset)?;
        if let Coding::Members(members) = &mut self.coding {
            members.leave();
        }
        self.buffer.clear();
        self.starts.clear();
        (self.unread, self.position, self.previous, self.stop) = (0, offset, b'\n', None);
        Ok(())
    }

    /// Whether reading could begin here and would go on alike: at any byte of a plain file, else where a member begins.
    pub(super) fn can_begin_here(&self) -> bool {
        match &self.coding {
            Coding::Plain => true,
            Coding::Members(members) => self.member_starts(0) && members.can_begin_at(self.offset()),
        }
    }

    /// The file's compression.
    pub(super) fn family(&self) -> Option<Family> {
        match &self.coding {
            Coding::Plain => None,
            Coding::Members(members) => Some(members.family()),
        }
    }

    /// The decoded bytes at hand.
    pub(super) fn window(&self) -> &[u8] {
        &self.buffer[self.unread..]
    }

    /// Position in the decoded data.
    pub(super) fn position(&self) -> u64 {
        self.position
    }

    /// The byte before the window; a line end at the beginning.
    pub(super) fn previous(&self) -> u8 {
        self.previous
    }

    /// Offset in the file: of the byte itself, or of the member that holds it.
    pub(super) fn offset(&self) -> u64 {
        match self.coding {
            Coding::Plain => self.position,
            Coding::Members(_) => self.starts.front().map_or(0, |&(_, offset)| offset),
        }
    }

    /// Bytes of the file that were read.
    pub(super) fn file_position(&self) -> u64 {
        self.input.offset()
    }

    /// The stop behind the window's last byte, if the stream has come to one.
    pub(super) fn stop(&self) -> Option<&Stop> {
        self.stop.as_ref()
    }

    /// Takes the stop. After a damage the stream goes on behind it; the end and I/O errors end it.
    pub(super) fn take_stop(&mut self) -> Option<Stop> {
        match self.stop {
            None | Some(Stop::End) => self.stop.is_some().then_some(Stop::End),
            Some(Stop::Damaged(_)) => self.stop.take(),
            Some(Stop::Io(_)) => self.stop.replace(Stop::End),
        }
    }

    /// Takes the stop as an error of `archive`; nothing at the end, or where there is no stop.
    pub(super) fn stopped(&mut self, archive: &Path) -> Option<ArchiveError> {
        let (archive, offset_bytes) = (archive.to_owned(), self.offset());
        match self.take_stop()? {
            Stop::End => None,
            Stop::Damaged(source) => Some(ArchiveError::Damaged { archive, offset_bytes, record_id: None, source }),
            Stop::Io(source) => Some(ArchiveError::Io { archive, source }),
        }
    }

    /// Takes the stop if it is a damage; the stream goes on behind it.
    pub(super) fn take_damage(&mut self) -> Option<Stop> {
        self.stop.take_if(|stop| matches!(stop, Stop::Damaged(_)))
    }

    /// Decodes until the window has `len` bytes; `false` when a stop comes before.
    pub(super) fn fill_to(&mut self, len: usize) -> bool {
        while self.window().len() < len {
            if !self.fill() {
                return false;
            }
        }
        true
    }

    /// Adds to the window; `false` when a stop has come.
    pub(super) fn fill(&mut self) -> bool {
        self.compact();
        let held = self.buffer.len();
        while self.stop.is_none() && self.buffer.len() == held {
            match self.coding {
                Coding::Plain => self.copy_some(),
                Coding::Members(_) => self.decode_some(),
            }
        }
        self.buffer.len() > held
    }

    /// Marks `len` bytes of the window as read.
    pub(super) fn consume(&mut self, len: usize) {
        debug_assert!(len <= self.window().len());
        let len = len.min(self.window().len());
        if let Some(last) = len.checked_sub(1) {
            self.previous = self.window()[last];
        }
        self.unread += len;
        self.position += len as u64;
        while self.starts.get(1).is_some_and(|&(position, _)| position <= self.position) {
            self.starts.pop_front();
        }
    }

    /// Puts bytes back that were just consumed. Their offset becomes that of the present member.
    pub(super) fn put_back(&mut self, bytes: &[u8], previous: u8) {
        let before = self.unread.saturating_sub(bytes.len());
        self.buffer.splice(before..self.unread, bytes.iter().copied());
        self.unread = before;
        self.position -= bytes.len() as u64;
        self.previous = previous;
    }

    /// Whether a member begins `ahead` bytes into the window.
    pub(super) fn member_starts(&self, ahead: usize) -> bool {
        let position = self.position + ahead as u64;
        self.starts.iter().any(|&(start, _)| start == position)
    }

    /// The index in the window, from `from` on, where a member begins.
    pub(super) fn next_member(&self, from: usize) -> Option<usize> {
        let in_window = |&(start, _): &(u64, u64)| Some(start.checked_sub(self.position)? as usize);
        self.starts.iter().filter_map(in_window).find(|&at| at >= from && at < self.window().len())
    }

    /// Bytes of the window that belong to the present member.
    pub(super) fn member_window_len(&self) -> usize {
        let window = self.window().len();
        let next = self.starts.iter().find(|&&(position, _)| position > self.position);
        next.map_or(window, |&(position, _)| window.min((position - self.position) as usize))
    }

    fn compact(&mut self) {
        if self.unread == self.buffer.len() || self.unread >= COMPACT_BYTES.max(self.buffer.len() / 2) {
            self.buffer.drain(..self.unread);
            self.unread = 0;
        }
    }

    fn copy_some(&mut self) {
        match self.input.fill_to(1) {
            Ok(true) => {
                let len = self.input.unread().len();
                self.buffer.extend_from_slice(self.input.unread());
                self.input.consume(len);
            }
            Ok(false) => self.stop = Some(Stop::End),
            Err(error) => self.stop = Some(Stop::Io(error)),
        }
    }

    fn decode_some(&mut self) {
        let Coding::Members(members) = &mut self.coding else { return };
        match members.step(&mut self.input, &mut self.buffer) {
            Step::Begun(offset) => self.begin_member(offset),
            Step::Decoded => {}
            Step::Stopped(stop) => self.stop = Some(stop),
        }
    }

    fn begin_member(&mut self, offset: u64) {
        let position = self.position + self.window().len() as u64;
        if self.starts.back().is_some_and(|&(begun, _)| begun == position) {
            self.starts.pop_back();
        }
        self.starts.push_back((position, offset));
        // Keeps the front the member of the first unread byte when the window is empty.
        self.consume(0);
    }
}
