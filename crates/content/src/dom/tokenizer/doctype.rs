//! Document type declarations: they say whether a page is laid out as before the standard, which changes where tables go.

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Doctype, Token, TokenSink};
use memchr::{memchr, memchr2};

use super::{Tokenizer, is_space};

/// The declaration was cut short: its page is laid out in quirks mode.
struct Quirk;

impl<S: TokenSink> Tokenizer<'_, S> {
    /// DOCTYPE states, after the word itself.
    pub(super) fn doctype(&mut self) {
        let mut doctype = Doctype::default();
        if self.declaration(&mut doctype).is_err() {
            doctype.force_quirks = true;
        }
        // Bogus DOCTYPE state: what is left does not count.
        let end = memchr(b'>', &self.bytes[self.at..]);
        self.at = end.map_or(self.bytes.len(), |length| self.at + length + 1);
        self.send(Token::DoctypeToken(doctype));
    }

    fn declaration(&mut self, doctype: &mut Doctype) -> Result<(), Quirk> {
        doctype.name = Some(self.doctype_name()?);
        self.skip_spaces();
        let word = self.bytes.get(self.at..self.at + 6).map(<[u8]>::to_ascii_lowercase).unwrap_or_default();
        match (self.byte(self.at), &*word) {
            (Some(b'>'), _) => Ok(()),
            (_, b"public") => {
                self.at += 6;
                self.skip_spaces();
                self.identifier(&mut doctype.public_id)?;
                self.skip_spaces();
                match self.byte(self.at) {
                    Some(b'>') => Ok(()),
                    _ => self.system_identifier(doctype),
                }
            }
            (_, b"system") => {
                self.at += 6;
                self.skip_spaces();
                self.system_identifier(doctype)
            }
            _ => Err(Quirk),
        }
    }

    /// DOCTYPE name states.
    fn doctype_name(&mut self) -> Result<StrTendril, Quirk> {
        self.skip_spaces();
        let start = self.at;
        let ends = |byte: &u8| is_space(*byte) || *byte == b'>';
        self.at += self.bytes[start..].iter().position(ends).unwrap_or(self.bytes.len() - start);
        if start == self.at {
            return Err(Quirk);
        }
        let mut name = self.slice_replacing_nul(start, self.at);
        name.make_ascii_lowercase();
        Ok(name)
    }

    /// A system identifier and the end after it. Other characters after it do not change the mode.
    fn system_identifier(&mut self, doctype: &mut Doctype) -> Result<(), Quirk> {
        self.identifier(&mut doctype.system_id)?;
        self.skip_spaces();
        self.byte(self.at).map(|_| ()).ok_or(Quirk)
    }

    /// A quoted identifier. One that a `>` or the input's end cuts off is kept as far as it goes.
    fn identifier(&mut self, identifier: &mut Option<StrTendril>) -> Result<(), Quirk> {
        let quote = self.byte(self.at).filter(|byte| matches!(byte, b'"' | b'\'')).ok_or(Quirk)?;
        let start = self.at + 1;
        let length = memchr2(quote, b'>', &self.bytes[start..]);
        let end = length.map_or(self.bytes.len(), |length| start + length);
        *identifier = Some(self.slice_replacing_nul(start, end));
        self.at = end;
        if self.byte(end) != Some(quote) {
            return Err(Quirk);
        }
        self.at += 1;
        Ok(())
    }
}
