//! Text of bounded length. Models pay by tokens, which every model counts in another way: here a token is 3 bytes of UTF-8. English text
//! has more bytes a token, so it comes out shorter than asked for; other scripts have about as many.

/// Bytes that are counted as a token.
const TOKEN_BYTES: usize = 3;

/// Fewest bytes of a text that is cut: less says nothing.
const CUT_BYTES_MIN: usize = 120;

/// A text that grows up to its bound.
pub(super) struct Bounded {
    text: String,
    bytes_max: usize,
}

impl Bounded {
    pub(super) fn new(tokens_max: usize) -> Self {
        Self { text: String::new(), bytes_max: tokens_max * TOKEN_BYTES }
    }

    /// Adds `part` if it has room as a whole.
    pub(super) fn push(&mut self, part: &str) -> bool {
        let has_room = self.text.len() + part.len() <= self.bytes_max;
        if has_room {
            self.text.push_str(part);
        }
        has_room
    }

    /// Adds `head` with `body`, of which the end is left out where there is no room for all of it. `None` where there is not even room for
    /// a beginning; else the bytes left out.
    pub(super) fn push_cut(&mut self, head: &str, body: &str) -> Option<usize> {
        const MARK: &str = " … (cut)\n";
        let room = self.bytes_max.checked_sub(self.text.len() + head.len() + MARK.len())?;
        if body.len() < room {
            self.text += head;
            self.text += body;
            self.text.push('\n');
            return Some(0);
        }
        let end = body.floor_char_boundary(room);
        if end < CUT_BYTES_MIN {
            return None;
        }
        self.text += head;
        self.text += body[..end].trim_end();
        self.text += MARK;
        Some(body.len() - end)
    }

    /// The text, and behind it what must be said whatever the length: a line or two.
    pub(super) fn end(mut self, last: &str) -> String {
        self.text += last;
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_room_is_cut_or_left_out() {
        let mut bounded = Bounded::new(100);
        assert!(bounded.push(&"a".repeat(50)) && !bounded.push(&"b".repeat(251)));
        assert_eq!(bounded.push_cut("head ", "body"), Some(0));
        let left_out = bounded.push_cut("", &"é".repeat(200)).unwrap();
        assert!(left_out > 160 && left_out.is_multiple_of(2));
        assert_eq!(bounded.push_cut("", &"x".repeat(200)), None);
        let text = bounded.end("end");
        assert!(text.ends_with(" … (cut)\nend") && text.len() <= 303, "{}", text.len());
    }
}
