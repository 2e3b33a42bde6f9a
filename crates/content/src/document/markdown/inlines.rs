//! Lines of Markdown.

use super::super::{Inline, has_content, plain_text};
use super::Writer;
use super::escape::begins_reference;

impl Writer {
    /// Writes inlines one after another.
    pub(super) fn inlines(&mut self, inlines: &[Inline]) {
        let mut place = 0;
        while let Some(inline) = inlines.get(place) {
            place += 1;
            match inline {
                Inline::Text { text } => self.text(text),
                Inline::Code { text } => {
                    let mut code = text.clone();
                    // Two stretches of code in a row would be read as one.
                    while let Some(Inline::Code { text }) = inlines.get(place) {
                        code.push_str(text);
                        place += 1;
                    }
                    self.code_span(&code);
                }
                Inline::Emphasis { content } => self.emphasis(content, inlines.get(place)),
                Inline::Strong { content } => self.strong(content, inlines.get(place)),
                Inline::Deleted { content } => self.deleted(content, inlines.get(place)),
                Inline::Link { url, content } => self.link(url, content),
                Inline::Image { .. } if self.context.repeated => {}
                Inline::Image { url, alt } => self.image(url, alt),
                Inline::Superscript { content } => self.tagged("sup", content),
                Inline::Subscript { content } => self.tagged("sub", content),
                Inline::Formula { tex } => self.formula(tex),
                Inline::Note { label } => {
                    let is_first = self.out.len() == self.line_start;
                    self.out.push_str("[^");
                    self.out.push_str(label);
                    self.out.push(']');
                    if inlines
                        .get(place)
                        .and_then(first_char)
                        .is_some_and(|c| matches!(c, '[' | '(') || (c == ':' && is_first))
                    {
                        self.out.push(' ');
                    }
                }
                Inline::LineBreak => self.line_break(place < inlines.len()),
            }
        }
    }

    fn line_break(&mut self, more: bool) {
        if self.context.cell {
            self.out.push_str("<br>");
        } else if self.context.one_line {
            if !self.out.ends_with(' ') {
                self.out.push(' ');
            }
        } else if more && self.out.len() > self.line_start {
            self.out.truncate(self.out.trim_end_matches(' ').len().max(self.line_start));
            self.out.push_str("  ");
            self.separate(true);
        }
    }

    fn code_span(&mut self, code: &str) {
        let code = code.trim();
        if code.is_empty() {
            return;
        }
        let longest = code.split(|c| c != '`').map(str::len).max().unwrap_or(0);
        let fence = "`".repeat(longest + 1);
        let blank = if code.starts_with('`') || code.ends_with('`') { " " } else { "" };
        self.out.push_str(&fence);
        self.out.push_str(blank);
        self.verbatim(code);
        self.out.push_str(blank);
        self.out.push_str(&fence);
    }

    fn formula(&mut self, tex: &str) {
        if self.out.len() > self.line_start && self.out.ends_with('$') && !self.out.ends_with("\\$") {
            self.out.push(' ');
        }
        let mark = self.out.len();
        self.out.push('$');
        self.tex(tex);
        if self.out.len() == mark + 1 {
            self.out.truncate(mark);
        } else {
            self.out.push('$');
        }
    }

    /// TeX in one line, such that no sign in it ends the formula.
    pub(super) fn tex(&mut self, tex: &str) {
        let mut line = String::with_capacity(tex.len());
        for word in tex.split_whitespace() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        let mut escaped = false;
        let mut plain = String::with_capacity(line.len());
        for c in line.chars() {
            if c == '$' && !escaped {
                plain.push('\\');
            }
            escaped = c == '\\' && !escaped;
            plain.push(c);
        }
        if escaped {
            // A backslash at the end would escape the sign behind.
            plain.push_str(" {}");
        }
        self.verbatim(&plain);
    }

    fn verbatim(&mut self, text: &str) {
        if self.context.cell && text.contains('|') {
            self.out.push_str(&text.replace('|', "\\|"));
        } else {
            self.out.push_str(text);
        }
    }

    fn tagged(&mut self, tag: &str, content: &[Inline]) {
        let mark = self.out.len();
        self.out.push('<');
        self.out.push_str(tag);
        self.out.push('>');
        let start = self.out.len();
        self.inlines(content);
        if self.out.len() == start {
            self.out.truncate(mark);
            return;
        }
        self.out.push_str("</");
        self.out.push_str(tag);
        self.out.push('>');
    }

    pub(super) fn strong(&mut self, content: &[Inline], next: Option<&Inline>) {
        if self.context.strong {
            return self.inlines(content);
        }
        self.context.strong = true;
        self.delimited("**", "strong", content, next);
        self.context.strong = false;
    }

    fn deleted(&mut self, content: &[Inline], next: Option<&Inline>) {
        if self.context.deleted {
            return self.inlines(content);
        }
        self.context.deleted = true;
        self.delimited("~~", "del", content, next);
        self.context.deleted = false;
    }

    pub(super) fn emphasis(&mut self, content: &[Inline], next: Option<&Inline>) {
        if self.context.emphasis {
            return self.inlines(content);
        }
        let mark = if self.context.strong || holds_strong(content) { "_" } else { "*" };
        self.context.emphasis = true;
        self.delimited(mark, "em", content, next);
        self.context.emphasis = false;
    }

    /// Inlines between two delimiters; between tags where delimiters would not be read as such.
    fn delimited(&mut self, mark: &str, tag: &str, content: &[Inline], next: Option<&Inline>) {
        let before = self.out[self.line_start..].chars().next_back();
        let start = self.out.len();
        self.out.push_str(mark);
        let inner = self.out.len();
        self.inlines(content);
        if self.out.len() == inner {
            self.out.truncate(start);
            return;
        }
        let words = &self.out[inner..];
        let (first, last) = (words.chars().next(), words.chars().next_back());
        let sound = flanks(mark, before, first) && flanks(mark, next.and_then(first_char), last);
        if sound {
            self.out.push_str(mark);
        } else {
            self.out.replace_range(start..inner, &format!("<{tag}>"));
            self.out.push_str("</");
            self.out.push_str(tag);
            self.out.push('>');
        }
    }

    fn link(&mut self, url: &str, content: &[Inline]) {
        if self.context.anchor || !has_content(content) {
            return self.inlines(content);
        }
        self.escape_exclamation();
        let before = self.context;
        self.context.anchor = true;
        self.context.escapes_brackets = !is_balanced(&plain_text(content));
        self.out.push('[');
        self.inlines(content);
        self.context = before;
        self.out.push_str("](");
        self.target(url);
        self.out.push(')');
    }

    fn image(&mut self, url: &str, alt: &str) {
        if self.out.len() > self.line_start && self.out.ends_with(|c: char| c.is_alphanumeric()) {
            self.out.push(' ');
        }
        self.escape_exclamation();
        let before = self.context;
        self.context.anchor = true;
        self.context.escapes_brackets = !is_balanced(alt);
        self.out.push_str("![");
        self.text(alt);
        self.context = before;
        self.out.push_str("](");
        self.target(url);
        self.out.push(')');
    }

    /// An exclamation mark right before a link would make it an image.
    fn escape_exclamation(&mut self) {
        if self.out.len() > self.line_start && self.out.ends_with('!') {
            self.out.pop();
            self.out.push_str("\\!");
        }
    }

    fn target(&mut self, url: &str) {
        for (place, c) in url.char_indices() {
            match c {
                '(' => self.out.push_str("%28"),
                ')' => self.out.push_str("%29"),
                '<' => self.out.push_str("%3C"),
                '>' => self.out.push_str("%3E"),
                '\\' => self.out.push_str("%5C"),
                '|' => self.out.push_str("%7C"),
                c if c.is_whitespace() || c.is_control() => self.out.push_str("%20"),
                '&' if begins_reference(&url[place + 1..]) => self.out.push_str("\\&"),
                c => self.out.push(c),
            }
        }
    }
}

/// Whether a delimiter is read as one between `outer`, the character outside of it, and `inner`.
///
/// CommonMark asks for punctuation or a blank outside where there is punctuation inside; `_` besides for no word outside. Other delimiters
/// outside would be joined to this one.
fn flanks(mark: &str, outer: Option<char>, inner: Option<char>) -> bool {
    let Some(inner) = inner.filter(|c| !c.is_whitespace()) else { return false };
    if mark == "~~" {
        // Another one beside it, or punctuation on the wrong side, would make it words.
        let is_apart = outer.is_none_or(|c| c.is_whitespace() || (c.is_ascii_punctuation() && !"~*_".contains(c)));
        return is_apart && inner != '~' && (inner.is_alphanumeric() || outer.is_none_or(|c| !c.is_alphanumeric()));
    }
    match outer {
        None => !matches!(inner, '*' | '_') || mark != inner.encode_utf8(&mut [0; 4]),
        Some('*' | '_') => mark == "_" && outer == Some('*') && inner != '_',
        Some(outer) if outer.is_whitespace() => !(inner == '*' && mark.starts_with('*') || inner == '_' && mark == "_"),
        Some(outer) if outer.is_ascii_punctuation() => !matches!(inner, '*' | '_'),
        Some(_) => mark != "_" && inner.is_alphanumeric(),
    }
}

/// The first character that an inline is written with; `None` for one that ends the line.
fn first_char(inline: &Inline) -> Option<char> {
    match inline {
        Inline::Text { text } => text.chars().next(),
        Inline::Code { .. } => Some('`'),
        Inline::Emphasis { .. } | Inline::Strong { .. } => Some('*'),
        Inline::Deleted { .. } => Some('~'),
        Inline::Link { .. } | Inline::Note { .. } => Some('['),
        Inline::Image { .. } => Some('!'),
        Inline::Superscript { .. } | Inline::Subscript { .. } => Some('<'),
        Inline::Formula { .. } => Some('$'),
        Inline::LineBreak => None,
    }
}

fn holds_strong(inlines: &[Inline]) -> bool {
    inlines.iter().any(|inline| match inline {
        Inline::Strong { .. } => true,
        Inline::Emphasis { content }
        | Inline::Deleted { content }
        | Inline::Link { content, .. }
        | Inline::Superscript { content }
        | Inline::Subscript { content } => holds_strong(content),
        _ => false,
    })
}

/// Whether each bracket has its partner, and none is read as more than a bracket.
fn is_balanced(text: &str) -> bool {
    if ["[^", "](", "]["].iter().any(|pair| text.contains(pair)) {
        return false;
    }
    let mut depth = 0_usize;
    for byte in text.bytes() {
        match byte {
            b'[' => depth += 1,
            b']' if depth == 0 => return false,
            b']' => depth -= 1,
            _ => {}
        }
    }
    depth == 0
}
