//! Tags and their attributes.

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Tag, TagKind, Token, TokenSink};
use html5ever::{Attribute, LocalName, QualName, ns};
use memchr::{memchr, memchr2};

use super::attributes::{all_are_read, is_read};
use super::char_ref::CharRef;
use super::names::NameKey;
use super::{AttributePolicy, Content, Ended, Tokenizer, is_space};

/// Attributes of one tag that are kept; each is compared with those before it.
const ATTRIBUTES_MAX: usize = 256;

/// What stands after a tag's name, as far as it is read.
#[derive(Default)]
struct Attributes {
    kept: Vec<Attribute>,
    had_duplicates: bool,
    self_closing: bool,
}

impl Attributes {
    fn add(&mut self, name: LocalName, value: StrTendril) {
        if self.kept.len() >= ATTRIBUTES_MAX {
            return;
        }
        if self.kept.iter().any(|attribute| attribute.name.local == name) {
            self.had_duplicates = true;
        } else {
            self.kept.push(Attribute { name: QualName::new(None, ns!(), name), value });
        }
    }
}

/// Which attributes of one tag are kept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keep {
    All,
    Read,
    None,
}

impl<S: TokenSink> Tokenizer<'_, S> {
    /// Tag name state and all after it, for a start tag. A tag that the input's end cuts off is no tag.
    pub(super) fn start_tag(&mut self) -> Result<Content, Ended> {
        let (name, all) = self.tag_name();
        let keep = if all || self.policy == AttributePolicy::All { Keep::All } else { Keep::Read };
        let attributes = self.attributes(keep)?;
        self.last_start_tag.clone_from(&name);
        if self.ends_itself(&name, attributes.self_closing) {
            self.send_tag(TagKind::StartTag, name.clone(), attributes);
            return Ok(self.send_tag(TagKind::EndTag, name, Attributes::default()));
        }
        if self.passes_over(&name) {
            return Ok(Content::Data);
        }
        Ok(self.send_tag(TagKind::StartTag, name, attributes))
    }

    /// The same for an end tag.
    pub(super) fn end_tag(&mut self) -> Result<Content, Ended> {
        let (name, _) = self.tag_name();
        let keep = if self.policy == AttributePolicy::All { Keep::All } else { Keep::None };
        let attributes = self.attributes(keep)?;
        self.end_unclosed_select(&name);
        Ok(self.send_tag(TagKind::EndTag, name, attributes))
    }

    fn send_tag(&self, kind: TagKind, name: LocalName, attributes: Attributes) -> Content {
        let Attributes { kept: attrs, had_duplicates: had_duplicate_attributes, self_closing } = attributes;
        let tag = Tag { kind, name, self_closing, attrs, had_duplicate_attributes };
        Content::after(&self.sink.process_token(Token::TagToken(tag), 1))
    }

    /// Tag name state. With the name comes whether all attributes of such an element are read.
    fn tag_name(&mut self) -> (LocalName, bool) {
        let start = self.at;
        let key = self.short_name().filter(|_| self.byte(self.at) != Some(b'=')).unwrap_or_else(|| {
            self.at = start + length_until(&self.bytes[start..], |byte| ENDS_NAME[usize::from(byte)] && byte != b'=');
            NameKey::of(&self.bytes[start..self.at])
        });
        let (name, all) = self.tag_names.get(key, &self.bytes[start..self.at], all_are_read);
        (name.clone(), all)
    }

    /// Reads a name that is short, as nearly all are, and ends before the input does.
    #[inline]
    fn short_name(&mut self) -> Option<NameKey> {
        let (key, length) = NameKey::at_start(&self.bytes[self.at..])?;
        self.at += length;
        Some(key)
    }

    /// Before attribute name state and those after it, up to and with `>`.
    fn attributes(&mut self, keep: Keep) -> Result<Attributes, Ended> {
        let mut attributes = Attributes::default();
        loop {
            self.skip_spaces();
            match self.byte(self.at).ok_or(Ended)? {
                b'>' => {
                    self.at += 1;
                    return Ok(attributes);
                }
                b'/' if self.byte(self.at + 1) == Some(b'>') => {
                    self.at += 2;
                    attributes.self_closing = true;
                    return Ok(attributes);
                }
                b'/' => self.at += 1,
                _ => self.attribute(keep, &mut attributes)?,
            }
        }
    }

    pub(super) fn skip_spaces(&mut self) {
        while self.byte(self.at).is_some_and(is_space) {
            self.at += 1;
        }
    }

    fn attribute(&mut self, keep: Keep, attributes: &mut Attributes) -> Result<(), Ended> {
        let name = self.attribute_name(keep);
        if name.is_some() && attributes.kept.capacity() == 0 {
            attributes.kept = self.spare.take();
        }
        self.skip_spaces();
        if self.byte(self.at) != Some(b'=') {
            if let Some(name) = name {
                attributes.add(name, StrTendril::new());
            }
            return Ok(());
        }
        self.at += 1;
        self.skip_spaces();
        let (start, end) = self.attribute_value()?;
        if let Some(name) = name {
            attributes.add(name, self.value(start, end));
        }
        Ok(())
    }

    /// Attribute name state; `None` for a name that is not kept. A `=` in the first place is part of the name.
    fn attribute_name(&mut self, keep: Keep) -> Option<LocalName> {
        let start = self.at;
        let key = self.short_name().unwrap_or_else(|| {
            self.at += 1 + length_until(&self.bytes[start + 1..], |byte| ENDS_NAME[usize::from(byte)]);
            NameKey::of(&self.bytes[start..self.at])
        });
        if keep == Keep::None {
            return None;
        }
        let (name, read) = self.attribute_names.get(key, &self.bytes[start..self.at], is_read);
        (read || keep == Keep::All).then(|| name.clone())
    }

    /// Attribute value states: where the value's source stands.
    fn attribute_value(&mut self) -> Result<(usize, usize), Ended> {
        match self.byte(self.at).ok_or(Ended)? {
            quote @ (b'"' | b'\'') => {
                let start = self.at + 1;
                if let Some(length) = memchr(quote, &self.bytes[start..]) {
                    self.at = start + length + 1;
                    return Ok((start, start + length));
                }
                self.at = self.end_of_unclosed_value(start).ok_or(Ended)?;
                Ok((start, self.at))
            }
            // Without a value; the tag ends here.
            b'>' => Ok((self.at, self.at)),
            _ => {
                let start = self.at;
                self.at += length_until(&self.bytes[start..], |byte| is_space(byte) || byte == b'>');
                Ok((start, self.at))
            }
        }
    }

    /// The value of a source: character references resolved, NUL replaced.
    fn value(&self, start: usize, end: usize) -> StrTendril {
        let source = &self.bytes[start..end];
        if memchr2(b'&', 0, source).is_none() {
            return self.slice(start, end);
        }
        let mut value = StrTendril::with_capacity((end - start) as u32);
        let mut at = start;
        while let Some(length) = memchr(b'&', &self.bytes[at..end]) {
            value.push_tendril(&self.slice_replacing_nul(at, at + length));
            at += length + 1;
            match CharRef::read(&self.bytes[at..end], true) {
                Some(reference) => {
                    value.push_tendril(&reference.text());
                    at += reference.length;
                }
                None => value.push_char('&'),
            }
        }
        value.push_tendril(&self.slice_replacing_nul(at, end));
        value
    }
}

/// Whether a byte ends the name of an attribute.
static ENDS_NAME: [bool; 256] = {
    let mut ends = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        ends[byte] = is_space(byte as u8) || matches!(byte as u8, b'/' | b'>' | b'=');
        byte += 1;
    }
    ends
};

/// Bytes before the first that ends a thing.
fn length_until(bytes: &[u8], ends: impl Fn(u8) -> bool) -> usize {
    bytes.iter().position(|byte| ends(*byte)).unwrap_or(bytes.len())
}
