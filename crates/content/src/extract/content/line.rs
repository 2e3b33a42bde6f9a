//! The line that is being filled: words with what they stand in.

use std::borrow::Cow;
use std::cell::Cell;

use super::formula::Formula;
use crate::cst::{INVISIBLE, ascii_pieces, without_wide_breaks};
use crate::document::{Inline, has_controls};

/// How often the address of one link is written: a link may stand around thousands of paragraphs, each of which needs
/// it.
const LINK_TIMES_MAX: u32 = 256;

/// Bytes of the addresses of all links and images of a page. Where a page names a long base, each of them is as long.
const URL_BYTES_MAX: usize = 32 << 20;

/// What words can stand in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Setting {
    Emphasis,
    Strong,
    Code,
    Deleted,
    Superscript,
    Subscript,
    Link(String),
}

/// A setting within another one.
#[derive(Debug)]
struct LinePlace {
    parent: u32,
    setting: Setting,
    /// How often it was written.
    times: Cell<u32>,
}

#[derive(Debug, PartialEq, Eq)]
enum Atom {
    Text(String),
    Image { url: String, alt: String },
    Formula(String),
    Note(String),
    Break,
}

#[derive(Debug)]
struct Piece {
    /// Index into `places`, from 1; 0 outside of all.
    place: u32,
    atom: Atom,
}

/// Pieces of a line. Settings stay open over lines, since an element may hold several of them.
#[derive(Debug)]
pub(super) struct Line {
    places: Vec<LinePlace>,
    /// The innermost open setting.
    place: u32,
    pieces: Vec<Piece>,
    /// Whether a blank stands before what comes next.
    blank: bool,
    /// Whether the last piece ends a link or button: two of them side by side are two words.
    after_control: bool,
    /// Bytes of addresses that may still be written.
    url_bytes: Cell<usize>,
}

impl Default for Line {
    fn default() -> Self {
        Self {
            places: Vec::new(),
            place: 0,
            pieces: Vec::new(),
            blank: false,
            after_control: false,
            url_bytes: Cell::new(URL_BYTES_MAX),
        }
    }
}

impl Line {
    pub(super) fn open(&mut self, setting: Setting) {
        self.places.push(LinePlace { parent: self.place, setting, times: Cell::new(0) });
        self.place = self.places.len() as u32;
    }

    pub(super) fn close(&mut self) {
        self.place = self.parent(self.place);
    }

    /// Parts what comes next from what is there.
    pub(super) fn part(&mut self) {
        self.blank = true;
    }

    pub(super) fn begin_control(&mut self) {
        self.blank |= self.after_control;
    }

    pub(super) fn end_control(&mut self) {
        self.after_control = true;
    }

    /// Whether nothing is in it.
    pub(super) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// The text right before what comes next; empty where something else stands there.
    pub(super) fn last_text(&self) -> &str {
        match self.pieces.last() {
            Some(Piece { atom: Atom::Text(text), .. }) if !self.blank => text,
            _ => "",
        }
    }

    /// All that is there, where that is one text without a blank behind it.
    pub(super) fn only_text(&self) -> Option<&str> {
        match &self.pieces[..] {
            [Piece { atom: Atom::Text(text), .. }] if !self.blank => Some(text),
            _ => None,
        }
    }

    /// Adds text, its white space folded.
    pub(super) fn text(&mut self, text: &str) {
        let is_ascii = text.is_ascii();
        if has_controls(text) || (!is_ascii && text.contains(INVISIBLE)) {
            let is_seen = |c: &char| !INVISIBLE.contains(c) && (!c.is_control() || c.is_whitespace());
            let seen: String = text.chars().filter(is_seen).collect();
            self.lines(&seen);
        } else if is_ascii {
            self.words(text, ascii_pieces(text));
        } else {
            self.lines(text);
        }
    }

    /// Adds text that may be wrapped within Han or kana, where lines have no blank between them but in code.
    fn lines(&mut self, text: &str) {
        let joined = if self.is_in_code() { Cow::Borrowed(text) } else { without_wide_breaks(text) };
        self.words(&joined, joined.split_whitespace());
    }

    fn is_in_code(&self) -> bool {
        self.place.checked_sub(1).is_some_and(|index| self.places[index as usize].setting == Setting::Code)
    }

    /// Ends a quotation: its sign stands at its last word.
    pub(super) fn end_quotation(&mut self) {
        let blank = std::mem::take(&mut self.blank);
        self.text("\u{201d}");
        self.blank = blank;
    }

    /// Ends how a word is read.
    pub(super) fn end_reading(&mut self) {
        let blank = std::mem::take(&mut self.blank);
        self.text(")");
        self.blank = blank;
    }

    fn words<'a>(&mut self, text: &str, words: impl Iterator<Item = &'a str>) {
        self.blank |= text.starts_with(char::is_whitespace);
        let mut is_first = true;
        for word in words {
            if is_first {
                self.settle_blank();
                is_first = false;
                let out = self.target();
                out.reserve(text.len());
                out.push_str(word);
            } else if let Some(Piece { atom: Atom::Text(out), .. }) = self.pieces.last_mut() {
                out.push(' ');
                out.push_str(word);
            }
        }
        if !is_first {
            self.after_control = false;
            self.blank = text.ends_with(char::is_whitespace);
        }
    }

    /// The text that takes the next words.
    fn target(&mut self) -> &mut String {
        let place = self.place;
        let is_open = matches!(self.pieces.last(), Some(Piece { place: last, atom: Atom::Text(_) }) if *last == place);
        if !is_open {
            self.pieces.push(Piece { place, atom: Atom::Text(String::new()) });
        }
        match self.pieces.last_mut() {
            Some(Piece { atom: Atom::Text(text), .. }) => text,
            _ => unreachable!("a text was pushed"),
        }
    }

    /// Writes the blank before the next piece, in what both sides of it stand in.
    fn settle_blank(&mut self) {
        if !std::mem::take(&mut self.blank) {
            return;
        }
        let place = match self.pieces.last() {
            None | Some(Piece { atom: Atom::Break, .. }) => return,
            Some(last) => self.common(last.place, self.place),
        };
        match self.pieces.last_mut() {
            Some(Piece { place: last, atom: Atom::Text(text) }) if *last == place => text.push(' '),
            _ => self.pieces.push(Piece { place, atom: Atom::Text(" ".to_owned()) }),
        }
    }

    pub(super) fn formula(&mut self, formula: Formula) {
        let is_again = !self.blank
            && matches!(self.pieces.last(), Some(Piece { atom: Atom::Formula(tex), .. }) if *tex == formula.tex);
        if !is_again {
            self.atom(Atom::Formula(formula.tex));
        }
    }

    pub(super) fn image(&mut self, url: String, alt: String) {
        if self.may_write(&url) {
            self.atom(Atom::Image { url, alt });
        }
    }

    /// Whether an address may still be written; counts it.
    fn may_write(&self, url: &str) -> bool {
        let left = self.url_bytes.get().checked_sub(url.len());
        left.map(|left| self.url_bytes.set(left)).is_some()
    }

    /// Adds a reference to a footnote, which is raised by itself.
    pub(super) fn note(&mut self, label: String) {
        let place = self.place;
        if place > 0 && self.places[place as usize - 1].setting == Setting::Superscript {
            self.place = self.parent(place);
        }
        self.atom(Atom::Note(label));
        self.place = place;
    }

    pub(super) fn line_break(&mut self) {
        self.blank = false;
        self.pieces.push(Piece { place: self.place, atom: Atom::Break });
    }

    /// Begins a line where words stand before.
    pub(super) fn begin_line(&mut self) {
        if self.pieces.last().is_some_and(|last| last.atom != Atom::Break) {
            self.line_break();
        }
    }

    fn atom(&mut self, atom: Atom) {
        self.settle_blank();
        self.after_control = false;
        self.pieces.push(Piece { place: self.place, atom });
    }

    fn parent(&self, place: u32) -> u32 {
        match place.checked_sub(1) {
            Some(index) => self.places[index as usize].parent,
            None => 0,
        }
    }

    /// The innermost setting that both stand in. A setting is younger than those around it.
    fn common(&self, mut one: u32, mut other: u32) -> u32 {
        while one != other {
            if one > other {
                one = self.parent(one);
            } else {
                other = self.parent(other);
            }
        }
        one
    }

    /// Takes the line out, as paragraphs: two line breaks in a row part them.
    pub(super) fn take(&mut self) -> Vec<Vec<Inline>> {
        let pieces = std::mem::take(&mut self.pieces);
        self.blank = false;
        self.after_control = false;
        let mut paragraphs = Vec::new();
        if !pieces.is_empty() {
            let parted = pieces.split_inclusive(|piece| piece.atom == Atom::Break);
            let mut paragraph: Vec<&Piece> = Vec::new();
            for line in parted {
                if line.len() == 1 && line[0].atom == Atom::Break {
                    self.push_nested(&std::mem::take(&mut paragraph), &mut paragraphs);
                } else {
                    paragraph.extend(line);
                }
            }
            self.push_nested(&paragraph, &mut paragraphs);
        }
        if self.place == 0 {
            self.places.clear();
        }
        paragraphs
    }

    fn push_nested(&self, mut pieces: &[&Piece], paragraphs: &mut Vec<Vec<Inline>>) {
        while let Some((last, rest)) = pieces.split_last()
            && last.atom == Atom::Break
        {
            pieces = rest;
        }
        if pieces.is_empty() {
            return;
        }
        let paths: Vec<Vec<&LinePlace>> = pieces.iter().map(|piece| self.path(piece)).collect();
        let content = self.nested(pieces, &paths, 0);
        if !content.is_empty() {
            paragraphs.push(content);
        }
    }

    /// What a piece stands in, outermost first: each setting once, code innermost and only around text.
    fn path(&self, piece: &Piece) -> Vec<&LinePlace> {
        let mut path: Vec<&LinePlace> = Vec::new();
        let mut code = None;
        let mut at = piece.place;
        while let Some(index) = at.checked_sub(1) {
            let place = &self.places[index as usize];
            let kind = std::mem::discriminant(&place.setting);
            if place.setting == Setting::Code {
                // Code has no stress within.
                code = Some(place);
                path.retain(|place| matches!(place.setting, Setting::Link(_)));
            } else if piece.atom != Atom::Break
                && path.iter().all(|other| std::mem::discriminant(&other.setting) != kind)
            {
                path.push(place);
            }
            at = place.parent;
        }
        path.reverse();
        if matches!(piece.atom, Atom::Text(_)) {
            path.extend(code);
        }
        path
    }

    /// Pieces with the same setting at `depth` go into one element. The depth is bounded, since a path has each setting
    /// once.
    fn nested(&self, pieces: &[&Piece], paths: &[Vec<&LinePlace>], depth: usize) -> Vec<Inline> {
        let mut inlines: Vec<Inline> = Vec::new();
        let mut start = 0;
        while start < pieces.len() {
            let mut end = start + 1;
            if let Some(place) = paths[start].get(depth) {
                let same = |path: &&Vec<&LinePlace>| path.get(depth).is_some_and(|other| other.is_same(place));
                end += paths[end..].iter().take_while(same).count();
                self.push_set(&mut inlines, place, self.nested(&pieces[start..end], &paths[start..end], depth + 1));
            } else {
                push_atom(&mut inlines, &pieces[start].atom);
            }
            start = end;
        }
        inlines
    }

    fn push_set(&self, inlines: &mut Vec<Inline>, place: &LinePlace, content: Vec<Inline>) {
        if content.is_empty() {
            return;
        }
        inlines.push(match &place.setting {
            Setting::Code => return push_code(inlines, &crate::document::plain_text(&content)),
            Setting::Emphasis => Inline::Emphasis { content },
            Setting::Strong => Inline::Strong { content },
            Setting::Deleted => Inline::Deleted { content },
            Setting::Superscript => Inline::Superscript { content },
            Setting::Subscript => Inline::Subscript { content },
            Setting::Link(url)
                if place.times.replace(place.times.get() + 1) < LINK_TIMES_MAX && self.may_write(url) =>
            {
                Inline::Link { url: url.clone(), content }
            }
            Setting::Link(_) => return content.into_iter().for_each(|inline| push_inline(inlines, inline)),
        });
    }
}

impl LinePlace {
    fn is_same(&self, other: &Self) -> bool {
        std::ptr::eq(self, other) || self.setting == other.setting
    }
}

fn push_inline(inlines: &mut Vec<Inline>, inline: Inline) {
    match inline {
        Inline::Text { text } => push_text(inlines, &text),
        inline => inlines.push(inline),
    }
}

/// Blanks at the ends of code stand outside of it.
fn push_code(inlines: &mut Vec<Inline>, text: &str) {
    let code = text.trim();
    if text.starts_with(' ') {
        push_text(inlines, " ");
    }
    match inlines.last_mut() {
        Some(Inline::Code { text: before }) => before.push_str(code),
        _ if code.is_empty() => {}
        _ => inlines.push(Inline::Code { text: code.to_owned() }),
    }
    if text.len() > 1 && text.ends_with(' ') {
        push_text(inlines, " ");
    }
}

fn push_text(inlines: &mut Vec<Inline>, text: &str) {
    match inlines.last_mut() {
        Some(Inline::Text { text: before }) => before.push_str(text),
        _ => inlines.push(Inline::Text { text: text.to_owned() }),
    }
}

fn push_atom(inlines: &mut Vec<Inline>, atom: &Atom) {
    match atom {
        Atom::Text(text) => push_text(inlines, text),
        Atom::Image { url, alt } => inlines.push(Inline::Image { url: url.clone(), alt: alt.clone() }),
        Atom::Formula(tex) => inlines.push(Inline::Formula { tex: tex.clone() }),
        Atom::Note(label) => inlines.push(Inline::Note { label: label.clone() }),
        Atom::Break if inlines.is_empty() => {}
        Atom::Break => inlines.push(Inline::LineBreak),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_a_page_are_bounded_together() {
        let mut line = Line { url_bytes: Cell::new(5), ..Line::default() };
        for word in ["a", " b", " c"] {
            line.open(Setting::Link("/xy".to_owned()));
            line.text(word);
            line.close();
        }
        let text = |text: &str| Inline::Text { text: text.to_owned() };
        let link = Inline::Link { url: "/xy".to_owned(), content: vec![text("a")] };
        assert_eq!(line.take(), [[link, text(" b c")]]);
        for url in ["/i", "/j"] {
            line.image(url.to_owned(), String::new());
        }
        let image = Inline::Image { url: "/i".to_owned(), alt: String::new() };
        assert_eq!(line.take(), [[image]]);
    }
}
