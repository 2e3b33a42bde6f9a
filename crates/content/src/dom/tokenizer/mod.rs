//! A tokenizer after the HTML standard, section 13.2.5, for pages that are whole in memory.
//!
//! html5ever's tree builder takes its tokens. It gives what html5ever's own tokenizer gives, but goes from one character that
//! matters to the next with `memchr` instead of stepping a state machine through every character, hands texts and attribute
//! values on as slices of the input, and leaves out attributes that nobody reads ([`AttributePolicy`]). Where the standard has
//! a state for each character of a construct, one function here reads the construct; its comment names the states.

mod attributes;
mod char_ref;
mod comment;
mod doctype;
mod input;
mod names;
mod raw_text;
mod script;
mod tag;
#[cfg(test)]
mod tests;
mod unclosed;
mod xml;

use html5ever::LocalName;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::{RawKind, ScriptEscapeKind};
use html5ever::tokenizer::{Token, TokenSink, TokenSinkResult};
use memchr::{memchr, memchr3};

use super::sink::SpareAttributes;
pub(super) use attributes::AttributePolicy;
use char_ref::CharRef;
pub(super) use input::prepare;
use names::NameCache;
pub(super) use xml::{VOID, is_xml};

/// Reads a prepared input ([`prepare`]) to its end.
pub(super) struct Tokenizer<'a, S> {
    /// The whole input; slices of it share its buffer.
    input: &'a StrTendril,
    bytes: &'a [u8],
    at: usize,
    sink: &'a S,
    policy: AttributePolicy,
    tag_names: NameCache,
    attribute_names: NameCache,
    spare: SpareAttributes,
    last_start_tag: LocalName,
    /// How many more elements and comments that nothing ends are ended before the input's end ([`unclosed`]).
    unclosed_left: u8,
    /// Containers of what is not shown, and where the last end tag of each begins.
    last_ends: Vec<(LocalName, Option<usize>)>,
    /// Whether a `select` is open that nothing ends.
    in_unclosed_select: bool,
    /// Whether the page is read by the rules of XML ([`xml`]).
    is_xml: bool,
}

/// How the bytes after a tag are to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Content {
    Data,
    Rcdata,
    Rawtext,
    Script,
    Plaintext,
}

impl Content {
    /// What the tree builder asks for.
    fn after<H>(result: &TokenSinkResult<H>) -> Self {
        match result {
            TokenSinkResult::RawData(RawKind::Rcdata) => Self::Rcdata,
            TokenSinkResult::RawData(RawKind::Rawtext) => Self::Rawtext,
            TokenSinkResult::RawData(
                RawKind::ScriptData
                | RawKind::ScriptDataEscaped(ScriptEscapeKind::Escaped | ScriptEscapeKind::DoubleEscaped),
            ) => Self::Script,
            TokenSinkResult::Plaintext => Self::Plaintext,
            TokenSinkResult::Continue | TokenSinkResult::Script(_) | TokenSinkResult::EncodingIndicator(_) => {
                Self::Data
            }
        }
    }
}

/// Bytes that a tendril holds itself: copying them takes less time than looking at the borders of a slice.
const INLINE_BYTES: usize = 8;

/// The input has ended.
struct Ended;

impl<'a, S: TokenSink> Tokenizer<'a, S> {
    pub(super) fn new(input: &'a StrTendril, sink: &'a S, policy: AttributePolicy) -> Self {
        Self {
            input,
            bytes: input.as_bytes(),
            at: 0,
            sink,
            policy,
            tag_names: NameCache::new(),
            attribute_names: NameCache::new(),
            spare: SpareAttributes::default(),
            last_start_tag: LocalName::default(),
            unclosed_left: 0,
            last_ends: Vec::new(),
            in_unclosed_select: false,
            is_xml: false,
        }
    }

    /// Lists of attributes are taken from there.
    pub(super) fn with_spare(self, spare: SpareAttributes) -> Self {
        Self { spare, ..self }
    }

    /// Gives all tokens to the sink, and tells it of the end.
    pub(super) fn run(mut self) {
        let mut content = Content::Data;
        while let Ok(next) = self.step(content) {
            content = next;
        }
        self.send(Token::EOFToken);
        self.sink.end();
    }

    fn step(&mut self, content: Content) -> Result<Content, Ended> {
        match content {
            Content::Data => self.data(),
            Content::Rcdata => self.rcdata(),
            Content::Rawtext => self.rawtext(),
            Content::Script => self.script(),
            Content::Plaintext => {
                self.send_replacing_nul(self.at, self.bytes.len());
                Err(Ended)
            }
        }
    }

    /// Data state, up to and with the next tag or comment.
    fn data(&mut self) -> Result<Content, Ended> {
        let start = self.at;
        let Some(length) = memchr3(b'<', b'&', 0, &self.bytes[start..]) else {
            self.send_text(start, self.bytes.len());
            return Err(Ended);
        };
        self.at += length;
        match self.bytes[self.at] {
            b'<' => return self.tag_open(start),
            b'&' => self.reference_in_text(start),
            _ => self.nul_in_text(start),
        }
        Ok(Content::Data)
    }

    /// Tag open state. `text_start` is where the text before it begins, which is not sent yet.
    fn tag_open(&mut self, text_start: usize) -> Result<Content, Ended> {
        let open = self.at;
        match self.byte(open + 1) {
            Some(byte) if byte.is_ascii_alphabetic() => {
                self.send_text(text_start, open);
                self.at = open + 1;
                return self.start_tag();
            }
            Some(b'/') => return self.end_tag_open(text_start),
            Some(b'!') => {
                self.send_text(text_start, open);
                self.at = open + 2;
                self.markup_declaration();
            }
            Some(b'?') => {
                self.send_text(text_start, open);
                self.at = open + 1;
                self.bogus_comment();
            }
            _ => {
                self.send_text(text_start, open + 1);
                self.at = open + 1;
            }
        }
        Ok(Content::Data)
    }

    /// End tag open state.
    fn end_tag_open(&mut self, text_start: usize) -> Result<Content, Ended> {
        let open = self.at;
        let Some(byte) = self.byte(open + 2) else {
            self.send_text(text_start, self.bytes.len());
            return Err(Ended);
        };
        self.send_text(text_start, open);
        self.at = open + 2;
        match byte {
            b'>' => self.at += 1,
            byte if byte.is_ascii_alphabetic() => return self.end_tag(),
            _ => self.bogus_comment(),
        }
        Ok(Content::Data)
    }

    /// Markup declaration open state, after `<!`.
    fn markup_declaration(&mut self) {
        let rest = &self.bytes[self.at..];
        if rest.starts_with(b"--") {
            self.at += 2;
            self.comment();
        } else if rest.get(..7).is_some_and(|word| word.eq_ignore_ascii_case(b"doctype")) {
            self.at += 7;
            self.doctype();
        } else if rest.starts_with(b"[CDATA[")
            && (self.is_xml || self.sink.adjusted_current_node_present_but_not_in_html_namespace())
        {
            self.at += 7;
            self.cdata_section();
        } else {
            self.bogus_comment();
        }
    }

    /// CDATA section states. NUL characters are left to the tree builder.
    fn cdata_section(&mut self) {
        let rest = &self.bytes[self.at..];
        let (mut at, length) = (self.at, memchr::memmem::find(rest, b"]]>").unwrap_or(rest.len()));
        let end = at + length;
        while let Some(nul) = memchr(0, &self.bytes[at..end]) {
            self.send_text(at, at + nul);
            self.send(Token::NullCharacterToken);
            at += nul + 1;
        }
        self.send_text(at, end);
        self.at = (end + 3).min(self.bytes.len());
    }

    /// The NUL at the present place, after text from `start`: what becomes of it is the tree builder's business.
    fn nul_in_text(&mut self, start: usize) {
        self.send_text(start, self.at);
        self.at += 1;
        self.send(Token::NullCharacterToken);
    }

    /// The `&` at the present place, after text from `start`.
    fn reference_in_text(&mut self, start: usize) {
        if let Some(reference) = CharRef::read(&self.bytes[self.at + 1..], false) {
            self.send_text(start, self.at);
            self.at += 1 + reference.length;
            self.send_characters(reference.text());
        } else {
            self.at += 1;
            self.send_text(start, self.at);
        }
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    /// A part of the input, sharing its buffer. Both ends are next to ASCII characters, or the input's own.
    fn slice(&self, start: usize, end: usize) -> StrTendril {
        if end - start <= INLINE_BYTES {
            return StrTendril::from_slice(&self.input[start..end]);
        }
        self.input.subtendril(start as u32, (end - start) as u32)
    }

    fn send(&self, token: Token) {
        let _ = self.sink.process_token(token, 1);
    }

    fn send_characters(&self, text: StrTendril) {
        self.send(Token::CharacterTokens(text));
    }

    fn send_text(&self, start: usize, end: usize) {
        if start < end {
            self.send_characters(self.slice(start, end));
        }
    }

    /// Text of a state in which a NUL becomes a replacement character.
    fn send_replacing_nul(&self, start: usize, end: usize) {
        let mut at = start;
        while let Some(nul) = memchr(0, &self.bytes[at..end]) {
            self.send_text(at, at + nul);
            self.send_characters(StrTendril::from_char(char::REPLACEMENT_CHARACTER));
            at += nul + 1;
        }
        self.send_text(at, end);
    }

    /// The same text as one string.
    fn slice_replacing_nul(&self, start: usize, end: usize) -> StrTendril {
        let slice = self.slice(start, end);
        if memchr(0, slice.as_bytes()).is_none() {
            return slice;
        }
        StrTendril::from(slice.replace('\0', "\u{fffd}"))
    }
}

/// Tab, line feed, form feed, space: what separates things in tags. Carriage returns are gone before.
const fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0c | b' ')
}
