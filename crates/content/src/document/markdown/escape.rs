//! Text with the signs that Markdown reads escaped, where it would read them.

use super::{Context, Writer};

impl Writer {
    /// Writes words as they are to be read.
    pub(super) fn text(&mut self, text: &str) {
        let context = self.context;
        let mut rest = text;
        while let Some(at) = rest.bytes().position(is_sign) {
            self.out.push_str(&rest[..at]);
            let mut behind = rest[at..].chars();
            if let Some(sign) = behind.next() {
                rest = behind.as_str();
                self.sign(sign, rest, context);
            }
        }
        self.out.push_str(rest);
    }

    fn sign(&mut self, sign: char, rest: &str, context: Context) {
        if sign.is_ascii_control() {
            if !self.out.ends_with(' ') && self.out.len() > self.line_start {
                self.out.push(' ');
            }
            return;
        }
        if self.is_read(sign, rest, context) {
            self.out.push('\\');
        }
        self.out.push(sign);
    }

    /// Whether Markdown would read `sign` at the present place, before `rest`.
    fn is_read(&self, sign: char, rest: &str, context: Context) -> bool {
        let line = &self.out[self.line_start..];
        let next = rest.chars().next();
        let is_blank = next.is_none_or(char::is_whitespace);
        let begins_line = line.is_empty() && !context.cell;
        match sign {
            '`' | '*' | '$' | '~' => true,
            '\\' => next.is_none_or(|c| c.is_ascii_punctuation()),
            '_' => {
                let before = line.chars().next_back();
                !(before.is_some_and(char::is_alphanumeric) && next.is_some_and(char::is_alphanumeric))
            }
            '[' => {
                context.escapes_brackets || rest.starts_with('^') || (begins_line && (may_define(rest) || ticks(rest)))
            }
            ']' => context.escapes_brackets || rest.starts_with(['(', '[']),
            // A tag, or the address of a page or mailbox.
            '<' => next != Some(' '),
            '&' => begins_reference(rest),
            '|' => context.cell || begins_line,
            '>' | '#' | '=' | ':' => begins_line,
            '-' => begins_line && !next.is_some_and(char::is_alphanumeric),
            '+' => begins_line && is_blank,
            '.' | ')' => {
                let is_number = (1..=9).contains(&line.len()) && line.bytes().all(|byte| byte.is_ascii_digit());
                is_number && is_blank && !context.cell
            }
            _ => false,
        }
    }
}

/// Signs that are looked at: all are of ASCII.
fn is_sign(byte: u8) -> bool {
    byte.is_ascii_control()
        || matches!(
            byte,
            b'`' | b'*'
                | b'$'
                | b'\\'
                | b'_'
                | b'['
                | b']'
                | b'<'
                | b'&'
                | b'~'
                | b'|'
                | b'>'
                | b'#'
                | b'='
                | b'-'
                | b':'
                | b'+'
                | b'.'
                | b')'
        )
}

/// Whether a bracket at the beginning of a line may define a link's target: `[a]: b`.
fn may_define(rest: &str) -> bool {
    rest.find(']').is_none_or(|end| rest[end + 1..].starts_with(':') || rest[end + 1..].is_empty())
}

/// Whether a bracket at the beginning of an entry is the sign of a task: `[x] a`.
fn ticks(rest: &str) -> bool {
    let behind = rest.strip_prefix(['x', 'X', ' ']).and_then(|rest| rest.strip_prefix(']'));
    behind.is_some_and(|behind| behind.starts_with(char::is_whitespace))
}

/// Whether `&` before `rest` may begin a character reference.
pub(super) fn begins_reference(rest: &str) -> bool {
    let name = rest.strip_prefix('#').unwrap_or(rest);
    let length = name.bytes().take(33).take_while(u8::is_ascii_alphanumeric).count();
    length > 0 && name[length..].starts_with(';')
}
