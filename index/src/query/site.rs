//! Hosts, and places on them, as they are written behind `site:`.

use std::net::IpAddr;

use url::{Position, Url};

/// A host, and the beginning of a path on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Site {
    /// In lower case.
    pub(super) host: String,
    /// From the first slash on, without one at its end; empty for the whole host.
    pub(super) path: String,
}

impl Site {
    /// Reads `host`, `host/path` or a URL. A port is passed over. Letters of other scripts are as in a URL.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let text = text.split_once("://").map_or(text, |(_, rest)| rest);
        if let Some(url) = Url::parse(&format!("http://{text}")).ok().filter(|_| !text.is_ascii()) {
            let (host, path) = (url.host_str()?.trim_matches('.').to_owned(), &url[Position::BeforePath..]);
            return Some(Self { host, path: path.trim_end_matches(['/', '*']).to_owned() });
        }
        let end = text.find('/').unwrap_or(text.len());
        let (authority, path) = text.split_at(end);
        let host = match authority.rsplit_once(':') {
            Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
            _ => authority,
        };
        let host = host.trim_matches('.').to_lowercase();
        let is_host = host.chars().all(|char| char.is_alphanumeric() || "-._[]:".contains(char));
        (is_host && host.contains(char::is_alphanumeric))
            .then(|| Self { host, path: path.trim_end_matches(['/', '*']).to_owned() })
    }
}

/// A host and the domains it is part of, most special first: `www.example.org`, `example.org`, `org`. An address is itself.
pub fn host_and_parents(host: &str) -> impl Iterator<Item = &str> {
    let is_address = host.starts_with('[') || host.parse::<IpAddr>().is_ok();
    let parents = std::iter::successors(Some(host), move |host| {
        let (_, parent) = host.split_once('.').filter(|_| !is_address)?;
        Some(parent)
    });
    parents.filter(|host| !host.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_and_paths() {
        for (text, host, path) in [
            ("example.org", "example.org", ""),
            ("WWW.Example.org/", "www.example.org", ""),
            (".gov.uk", "gov.uk", ""),
            ("https://example.org:8080/a/b/?c=d", "example.org", "/a/b/?c=d"),
            ("example.org/a/*", "example.org", "/a"),
            ("[::1]:80/x", "[::1]", "/x"),
            ("bücher.example", "xn--bcher-kva.example", ""),
            ("Bücher.example:80/Ü b/", "xn--bcher-kva.example", "/%C3%9C%20b"),
        ] {
            let expected = Site { host: host.to_owned(), path: path.to_owned() };
            assert_eq!(Site::parse(text), Some(expected), "{text}");
        }
        for text in ["", "/path", "...", "a b", "ex!ample", "*"] {
            assert_eq!(Site::parse(text), None, "{text}");
        }
    }

    #[test]
    fn parents_of_hosts() {
        let parents = |host| host_and_parents(host).collect::<Vec<&str>>();
        assert_eq!(parents("www.example.org"), ["www.example.org", "example.org", "org"]);
        assert_eq!(parents("localhost"), ["localhost"]);
        assert_eq!(parents("192.168.0.1"), ["192.168.0.1"]);
        assert_eq!(parents("[::1]"), ["[::1]"]);
        assert_eq!(parents(""), [""; 0]);
    }
}
