//! What a page's runs are, each looked at once.

use crate::cst::ContentStructureTree;

/// Bytes of a run that is no prose: a label, a button, a price, a line of data about a post.
const SHORT_BYTES_MAX: usize = 48;

/// Bytes of a run of prose.
const PROSE_BYTES_MIN: usize = 120;

/// Prose whose words are counted, from the page's beginning, in bytes.
const PROSE_BYTES_READ_MAX: usize = 6 << 10;

/// What a run is.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct RunText {
    pub(super) price: bool,
    pub(super) date: bool,
    /// A run of sentences, more text than links.
    pub(super) prose: bool,
}

/// All runs of a page.
#[derive(Debug, Clone, Default)]
pub(super) struct RunTexts {
    /// By run.
    pub(super) runs: Vec<RunText>,
    pub(super) short: f32,
    pub(super) links: f32,
    pub(super) questions: f32,
    pub(super) cut: f32,
    pub(super) prose: f32,
    pub(super) prose_bytes: f32,
    pub(super) longest: f32,
    pub(super) first_prose: f32,
    /// Prose's words by [`GROUPS`], and all of them.
    pub(super) groups: [f32; GROUPS.len()],
    pub(super) words: f32,
}

/// Groups of little words that tell who speaks to whom, and of what.
pub(super) const GROUPS: [(&str, [&str; 8]); 7] = [
    ("i", ["i", "i'm", "i've", "i’m", "i’ve", "my", "me", "am"]),
    ("you", ["you", "your", "you're", "yours", "", "", "", ""]),
    ("we", ["we", "our", "us", "we're", "ours", "", "", ""]),
    ("they", ["he", "she", "his", "her", "they", "their", "him", "who"]),
    ("said", ["said", "says", "told", "added", "was", "were", "had", ""]),
    ("will", ["will", "can", "must", "should", "may", "if", "use", "when"]),
    ("article", ["the", "a", "an", "of", "that", "", "", ""]),
];

/// Bytes of the longest of these words.
const LITTLE_BYTES_MAX: usize = 6;

/// [`GROUPS`] as numbers, so that a word is compared with all of a group at once. 0 stands for no word.
const KEYS: [[u64; 8]; GROUPS.len()] = {
    let mut keys = [[0; 8]; GROUPS.len()];
    let mut at = 0;
    while at < 8 * GROUPS.len() {
        keys[at / 8][at % 8] = key(GROUPS[at / 8].1[at % 8].as_bytes());
        at += 1;
    }
    keys
};

/// A little word in lower case as a number.
const fn key(word: &[u8]) -> u64 {
    let (mut key, mut at) = (0, 0);
    while at < word.len() {
        key = key << 8 | word[at].to_ascii_lowercase() as u64;
        at += 1;
    }
    key
}

/// The group of a word.
fn group(word: &str) -> Option<usize> {
    if word.is_empty() || word.len() > LITTLE_BYTES_MAX {
        return None;
    }
    let key = key(word.as_bytes());
    KEYS.iter().position(|keys| key != 0 && keys.contains(&key))
}

/// Whether a run is short enough to be a label.
pub(super) fn is_short(text: &str) -> bool {
    !text.is_empty() && text.len() <= SHORT_BYTES_MAX
}

impl RunTexts {
    pub(super) fn of(tree: &ContentStructureTree) -> Self {
        let mut texts = Self { runs: Vec::with_capacity(tree.runs().len()), ..Self::default() };
        let mut unread = PROSE_BYTES_READ_MAX;
        for run in tree.runs() {
            let text = tree.run_text(run);
            let (bytes, linked) = (text.len(), tree.linked_bytes(run));
            let mut about = RunText { prose: bytes >= PROSE_BYTES_MIN && linked * 2 < bytes, ..RunText::default() };
            if is_short(text) {
                about = RunText { price: has_price(text), date: has_date(text), prose: false };
                texts.short += 1.0;
            } else if about.prose {
                texts.add_prose(text, &mut unread);
            }
            match text.as_bytes() {
                [.., b'?'] => texts.questions += 1.0,
                [.., b'.', b'.', b'.'] | [.., 0xE2, 0x80, 0xA6] => texts.cut += 1.0, // `...` or `…`
                _ => {}
            }
            texts.links += f32::from(u8::from(bytes > 0 && linked * 10 >= bytes * 9));
            texts.runs.push(about);
        }
        texts
    }

    fn add_prose(&mut self, text: &str, unread: &mut usize) {
        if self.prose == 0.0 {
            self.first_prose = self.runs.len() as f32;
        }
        self.prose += 1.0;
        self.prose_bytes += text.len() as f32;
        self.longest = self.longest.max(text.len() as f32);
        if *unread == 0 {
            return;
        }
        *unread = unread.saturating_sub(text.len());
        for word in text.split_ascii_whitespace().take(PROSE_BYTES_READ_MAX / 4) {
            self.words += 1.0;
            if let Some(group) = group(word) {
                self.groups[group] += 1.0;
            }
        }
    }
}

/// A number with a currency beside it.
fn has_price(text: &str) -> bool {
    const SIGNS: [&str; 9] = ["$", "€", "£", "¥", "₹", "₽", "zł", "USD", "EUR"];
    // Few labels have any of these bytes, so that few are searched.
    let may_begin = |byte: u8| matches!(byte, b'$' | b'z' | b'U' | b'E' | 0xC2 | 0xE2);
    text.bytes().any(|byte| byte.is_ascii_digit())
        && text.bytes().any(may_begin)
        && SIGNS.iter().any(|sign| text.contains(sign))
}

/// A day with its month or year, or how long ago it was.
fn has_date(text: &str) -> bool {
    let has_digit = text.bytes().any(|byte| byte.is_ascii_digit());
    has_digit && (text.ends_with(" ago") || has_month(text) || is_numeric_date(text))
}

/// Whether the beginning of a month's English name is anywhere in it.
fn has_month(text: &str) -> bool {
    let is_month = |at: &[u8]| match at[0] {
        b'J' => matches!(at, b"Jan" | b"Jun" | b"Jul"),
        b'F' => at == b"Feb",
        b'M' => matches!(at, b"Mar" | b"May"),
        b'A' => matches!(at, b"Apr" | b"Aug"),
        b'S' => at == b"Sep",
        b'O' => at == b"Oct",
        b'N' => at == b"Nov",
        b'D' => at == b"Dec",
        _ => false,
    };
    text.as_bytes().windows(3).any(is_month)
}

/// Digits in three groups, one of them a year.
fn is_numeric_date(text: &str) -> bool {
    let first = text.split_ascii_whitespace().next().unwrap_or("");
    let groups = || first.split(['/', '-', '.']).filter(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
    groups().count() == 3 && groups().any(|part| part.len() == 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn little_words_are_of_groups() {
        for (word, expected) in
            [("I", Some(0)), ("I’ve", Some(0)), ("THE", Some(6)), ("should", Some(5)), ("shoulder", None)]
        {
            assert_eq!(group(word), expected, "{word}");
        }
        assert_eq!([group(""), group("\u{1}"), group("thé")], [None; 3]);
    }

    #[test]
    fn prices_and_dates_are_known() {
        for price in ["$ 12.99", "from 1.299,00 €", "49 zł"] {
            assert!(has_price(price), "{price}");
        }
        for date in ["Jan 5, 2024", "2024-01-05", "05.01.2024 10:00", "3 hours ago"] {
            assert!(has_date(date) && !has_price(date), "{date}");
        }
        for other in ["", "12", "$", "May", "long ago", "1/2", "1.2.3"] {
            assert!(!has_date(other) && !has_price(other), "{other}");
        }
    }
}
