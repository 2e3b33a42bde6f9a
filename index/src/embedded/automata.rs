//! Which terms of a dictionary to visit.

use percent_encoding::percent_decode_str;
use tantivy_fst::Automaton;

/// The hosts and paths that archives write for one: a host in Latin letters and in its own, a path with its signs escaped and as they are.
pub(super) fn spellings(host: &str, path: &str) -> Vec<(String, String)> {
    let (own_host, is_host) = idna::domain_to_unicode(host);
    let hosts = std::iter::once(host.to_owned()).chain(Some(own_host).filter(|own| is_host.is_ok() && own != host));
    let own_path = percent_decode_str(path).decode_utf8().ok().filter(|own| own != path);
    let paths: Vec<String> = std::iter::once(path.to_owned()).chain(own_path.map(Into::into)).collect();
    hosts.flat_map(|host| paths.iter().map(move |path| (host.clone(), path.clone()))).collect()
}

/// Accepts the `http` and `https` URLs of a host, with or without `www.` and a port, in small letters and in capitals, whose path is `path`
/// or goes on behind it.
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
        let small = byte.to_ascii_lowercase();
        let alive = std::array::from_fn(|at| alive[at] && self.origins[at].as_bytes().get(bytes) == Some(&small));
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
    fn urls_under_a_path() {
        let urls = UrlsUnder::new("www.example.org", "/a/b");
        for url in [
            "http://example.org/a/b",
            "https://www.example.org/a/b/c?d",
            "https://example.org:8080/a/b?c",
            "http://www.example.org/a/b#c",
            "HTTP://WWW.Example.org/a/b",
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

    #[test]
    fn hosts_and_paths_have_several_spellings() {
        let owned = |host: &str, path: &str| (host.to_owned(), path.to_owned());
        assert_eq!(spellings("example.org", "/a"), [owned("example.org", "/a")]);
        let german = spellings("xn--bcher-kva.example", "/K%C3%A4se");
        assert_eq!(
            german,
            [
                owned("xn--bcher-kva.example", "/K%C3%A4se"),
                owned("xn--bcher-kva.example", "/Käse"),
                owned("bücher.example", "/K%C3%A4se"),
                owned("bücher.example", "/Käse"),
            ]
        );
        assert_eq!(spellings("example.org", "/%FF"), [owned("example.org", "/%FF")]);
    }
}
