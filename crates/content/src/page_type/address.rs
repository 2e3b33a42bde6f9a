//! The parts of an address that tell types apart.

use crate::text::url::without_www;

/// An address in parts, borrowed.
#[derive(Debug, Clone, Default)]
pub(super) struct Address<'a> {
    /// The host without its last two labels: `docs` of `docs.example.org`.
    pub(super) subdomain: &'a str,
    /// The path's parts that are not empty.
    pub(super) segments: Vec<&'a str>,
    /// Whether there is a query.
    pub(super) has_query: bool,
}

/// Parts of a path that are looked at.
const SEGMENTS_MAX: usize = 12;

impl<'a> Address<'a> {
    /// A file's place says nothing of the page in it.
    pub(super) fn of(url: &'a str) -> Self {
        let url = if url.starts_with("file:") { "" } else { url };
        let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
        let rest = rest.split('#').next().unwrap_or("");
        let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (host, path) = path.split_once('/').unwrap_or((path, ""));
        let host = without_www(host);
        let last_labels = host.rmatch_indices('.').nth(1).map_or(0, |(at, _)| at);
        let segments = path.split('/').filter(|segment| !segment.is_empty());
        Self {
            subdomain: &host[..last_labels],
            segments: segments.take(SEGMENTS_MAX).collect(),
            has_query: !query.is_empty(),
        }
    }

    pub(super) fn last(&self) -> &'a str {
        self.segments.last().copied().unwrap_or("")
    }

    /// Whether a part is a year, as in the address of a post.
    pub(super) fn has_year(&self) -> bool {
        let is_year = |part: &&str| part.len() == 4 && (part.starts_with("19") || part.starts_with("20"));
        self.segments.iter().filter(|part| part.bytes().all(|byte| byte.is_ascii_digit())).any(is_year)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_taken_apart() {
        let address = Address::of("https://www.docs.example.org/v2//guide/2024/a-b.html?x=1#y/z");
        assert_eq!((address.subdomain, address.last(), address.has_query), ("docs", "a-b.html", true));
        assert_eq!(address.segments, ["v2", "guide", "2024", "a-b.html"]);
        assert!(Address::of("file:///home/2024/a.html").segments.is_empty());
        assert!(address.has_year() && !Address::of("http://e.org/20/abcd/20é").has_year());
        let nothing = Address::of("");
        assert_eq!((nothing.subdomain, nothing.segments.len(), nothing.last()), ("", 0, ""));
    }
}
