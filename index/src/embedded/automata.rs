//! Which terms of a dictionary to visit.

use tantivy_fst::Automaton;

/// Accepts the words that a stem of `word`, or of a word that begins with it, may be: its beginnings of at least `bytes_min`,
/// also with their last character changed or one more (`happy` has the stem `happi`).
pub(super) struct Family<'a> {
    pub(super) word: &'a str,
    pub(super) bytes_min: usize,
}

/// How far a term agrees with the word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FamilyState {
    /// So many bytes are those of the word.
    Same(usize),
    /// A character is another; so many of its bytes are to come.
    Changed(usize),
    Parted,
}

impl Automaton for Family<'_> {
    type State = FamilyState;

    fn start(&self) -> FamilyState {
        FamilyState::Same(0)
    }

    fn is_match(&self, state: &FamilyState) -> bool {
        match *state {
            FamilyState::Same(bytes) => bytes >= self.bytes_min && self.word.is_char_boundary(bytes),
            FamilyState::Changed(bytes_to_come) => bytes_to_come == 0,
            FamilyState::Parted => false,
        }
    }

    fn can_match(&self, state: &FamilyState) -> bool {
        *state != FamilyState::Parted
    }

    fn accept(&self, state: &FamilyState, byte: u8) -> FamilyState {
        match *state {
            FamilyState::Same(bytes) if self.word.as_bytes().get(bytes) == Some(&byte) => FamilyState::Same(bytes + 1),
            FamilyState::Same(bytes) => {
                let border = self.word.floor_char_boundary(bytes);
                if border < self.bytes_min {
                    return FamilyState::Parted;
                }
                let lead = if border < bytes { self.word.as_bytes()[border] } else { byte };
                FamilyState::Changed(char_bytes(lead).saturating_sub(bytes - border + 1))
            }
            FamilyState::Changed(0) | FamilyState::Parted => FamilyState::Parted,
            FamilyState::Changed(bytes_to_come) => FamilyState::Changed(bytes_to_come - 1),
        }
    }
}

/// Bytes of a character in UTF-8 by its first.
fn char_bytes(lead: u8) -> usize {
    match lead {
        0xF0.. => 4,
        0xE0.. => 3,
        0xC0.. => 2,
        _ => 1,
    }
}

/// Accepts the `http` and `https` URLs of a host, with or without `www.` and a port, whose path is `path` or goes on behind it.
#[derive(Debug)]
pub(super) struct UrlsUnder {
    /// What comes before the port.
    origins: [String; 4],
    path: String,
}

impl UrlsUnder {
    /// `path` begins with a slash.
    pub(super) fn new(host: &str, path: &str) -> Self {
        debug_assert!(path.starts_with('/'));
        let host = host.strip_prefix("www.").unwrap_or(host);
        let origins = ["http://", "https://", "http://www.", "https://www."].map(|start| format!("{start}{host}"));
        Self { origins, path: path.to_owned() }
    }

    fn origin(&self, alive: [bool; 4], bytes: usize, byte: u8) -> UrlState {
        let is_whole = self.origins.iter().zip(alive).any(|(origin, alive)| alive && origin.len() == bytes);
        match byte {
            b':' if is_whole => return UrlState::Port,
            b'/' if is_whole => return UrlState::Path(1),
            _ => {}
        }
        let alive = std::array::from_fn(|at| alive[at] && self.origins[at].as_bytes().get(bytes) == Some(&byte));
        if alive.contains(&true) { UrlState::Origin { alive, bytes: bytes + 1 } } else { UrlState::Parted }
    }
}

/// How far a URL has been read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UrlState {
    /// So many bytes are those of the origins marked.
    Origin {
        alive: [bool; 4],
        bytes: usize,
    },
    Port,
    /// So many bytes are those of the path.
    Path(usize),
    /// Behind the path.
    Under,
    Parted,
}

impl Automaton for UrlsUnder {
    type State = UrlState;

    fn start(&self) -> UrlState {
        UrlState::Origin { alive: [true; 4], bytes: 0 }
    }

    fn is_match(&self, state: &UrlState) -> bool {
        *state == UrlState::Under || *state == UrlState::Path(self.path.len())
    }

    fn can_match(&self, state: &UrlState) -> bool {
        *state != UrlState::Parted
    }

    fn accept(&self, state: &UrlState, byte: u8) -> UrlState {
        match *state {
            UrlState::Origin { alive, bytes } => self.origin(alive, bytes, byte),
            UrlState::Port if byte.is_ascii_digit() => UrlState::Port,
            UrlState::Port if byte == b'/' => UrlState::Path(1),
            UrlState::Path(bytes) if self.path.as_bytes().get(bytes) == Some(&byte) => UrlState::Path(bytes + 1),
            UrlState::Path(bytes) if bytes == self.path.len() && b"/?#".contains(&byte) => UrlState::Under,
            UrlState::Under => UrlState::Under,
            UrlState::Port | UrlState::Path(_) | UrlState::Parted => UrlState::Parted,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepts<A: Automaton>(automaton: &A, text: &str) -> bool {
        let state = text.bytes().fold(automaton.start(), |state, byte| automaton.accept(&state, byte));
        automaton.is_match(&state)
    }

    #[test]
    fn a_family_has_the_beginnings_and_their_neighbours() {
        let family = Family { word: "organizé", bytes_min: 5 };
        for stem in ["organ", "organi", "organiz", "organizé", "organs", "organiża", "organizéx", "organß", "organizè"]
        {
            assert_eq!(accepts(&family, stem), stem != "organiża", "{stem}");
        }
        for other in ["orga", "orgas", "organst", "", "organizéxy", "morgan"] {
            assert!(!accepts(&family, other), "{other}");
        }
    }

    #[test]
    fn urls_under_a_path() {
        let urls = UrlsUnder::new("www.example.org", "/a/b");
        for url in [
            "http://example.org/a/b",
            "https://www.example.org/a/b/c?d",
            "https://example.org:8080/a/b?c",
            "http://www.example.org/a/b#c",
        ] {
            assert!(accepts(&urls, url), "{url}");
        }
        for url in [
            "http://example.org/a/bc",
            "http://example.org/a",
            "http://example.org",
            "ftp://example.org/a/b",
            "http://my.example.org/a/b",
            "http://example.organ/a/b",
            "http://example.org:x/a/b",
        ] {
            assert!(!accepts(&urls, url), "{url}");
        }
    }
}
