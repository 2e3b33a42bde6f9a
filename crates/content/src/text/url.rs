//! URLs in the form under which captures of one page meet.

use url::Url;

/// Query parameters that name a session or a campaign, not a page.
const SESSION_PARAMETERS: &[&str] = &["jsessionid", "phpsessid", "fbclid", "gclid"];

/// A parameter that names a session on some sites and a page, such as a story of PHP-Nuke, on others.
const SHORT_SESSION: &str = "sid";

/// Characters of a session's name at least: pages have shorter ones.
const SESSION_CHARS_MIN: usize = 16;

/// Beginnings of such parameters.
const SESSION_PREFIXES: &[&str] = &["utm_"];

/// The path parameter by which Java servers carry their sessions.
const PATH_SESSION: &str = ";jsessionid=";

/// `url` with what does not tell pages apart taken off; `None` if it is no absolute URL.
///
/// Scheme and host in lower case, no default port, no fragment, no session or campaign parameters. The other parameters
/// keep their order and their spelling.
///
/// ```
/// use lopper_content::text::url::canonical_url;
///
/// let url = canonical_url("HTTP://Example.ORG:80/a?b=1&utm_source=x&c#top");
/// assert_eq!(url.as_deref(), Some("http://example.org/a?b=1&c"));
/// ```
pub fn canonical_url(url: &str) -> Option<String> {
    Some(canonical(Url::parse(url.trim()).ok()?))
}

/// [`canonical_url`] of a URL that is parsed already.
pub(crate) fn canonical(mut parsed: Url) -> String {
    parsed.set_fragment(None);
    if let Some(path) = without_session(parsed.path()) {
        parsed.set_path(&path);
    }
    if let Some(query) = parsed.query().and_then(kept_parameters) {
        parsed.set_query(Some(query.as_str()).filter(|query| !query.is_empty()));
    }
    parsed.into()
}

/// The [canonical URL](canonical_url), or the text as it is where that is no URL.
pub fn canonical_or_written(url: &str) -> String {
    canonical_url(url).unwrap_or_else(|| url.to_owned())
}

/// What the ways to write one address have in common: a [canonical URL](canonical_url) without scheme, `www.` and closing slashes.
pub fn address(canonical: &str) -> &str {
    origin_and_path(canonical).trim_end_matches('/')
}

/// The same of a URL, or of the beginning of one, whose closing slashes count.
pub fn origin_and_path(canonical: &str) -> &str {
    let bare = canonical.split_once("://").map_or(canonical, |(_, rest)| rest);
    without_www(bare)
}

/// A host, or what begins with one, without `www.`.
pub(crate) fn without_www(host: &str) -> &str {
    host.strip_prefix("www.").unwrap_or(host)
}

/// The beginning of URLs as canonical ones are written: its host in lower case and Latin letters, signs escaped, no usual port. Nothing of a
/// text that is not one.
pub fn canonical_prefix(prefix: &str) -> Option<String> {
    let prefix = prefix.trim();
    let parsed = Url::parse(prefix).ok().filter(|url| url.host().is_some() || url.scheme() == "file")?;
    let rest = prefix.split_once("://").map_or(prefix, |(_, rest)| rest);
    // Such a segment leads elsewhere, and would widen what is named.
    let leads_up = rest.split(['?', '#']).next()?.split('/').skip(1).any(|segment| matches!(segment, "." | ".."));
    let text = String::from(parsed);
    // The beginning of a host is no whole one.
    let text = if rest.contains(['/', '?', '#']) { text } else { text.trim_end_matches('/').to_owned() };
    (!leads_up).then_some(text)
}

/// The canonical URLs of the address that `canonical` is one of: by either scheme of the web, with and without `www.` and a closing slash.
pub fn forms_of(canonical: &str) -> Vec<String> {
    let mut forms = vec![canonical.to_owned()];
    if canonical.starts_with("http://") || canonical.starts_with("https://") {
        let address = address(canonical);
        for (scheme, name) in [("http", ""), ("http", "www."), ("https", ""), ("https", "www.")] {
            for end in ["", "/"] {
                forms.extend(canonical_url(&format!("{scheme}://{name}{address}{end}")));
            }
        }
        forms.sort_unstable();
        forms.dedup();
    }
    forms
}

/// The canonical URL that a page with a short `sid` had in data folders before index format 8, which took each for a session; `None` for others.
pub fn former(canonical: &str) -> Option<String> {
    let (page, query) = canonical.split_once('?')?;
    let is_other =
        |parameter: &&str| !parameter.split('=').next().unwrap_or_default().eq_ignore_ascii_case(SHORT_SESSION);
    let kept: Vec<&str> = query.split('&').filter(is_other).collect();
    let kept = kept.join("&");
    (kept.len() < query.len()).then(|| if kept.is_empty() { page.to_owned() } else { format!("{page}?{kept}") })
}

/// The host of `url` in lower case, names of other scripts in their ASCII form; `None` if it has none.
pub fn host(url: &str) -> Option<String> {
    let parsed = Url::parse(url.trim()).ok()?;
    parsed.host_str().filter(|host| !host.is_empty()).map(str::to_ascii_lowercase)
}

fn without_session(path: &str) -> Option<String> {
    if !path.contains(';') {
        return None; // Nearly every path.
    }
    let start = path.to_ascii_lowercase().find(PATH_SESSION)?;
    let value = &path[start + PATH_SESSION.len()..];
    let end = value.find([';', '/']).unwrap_or(value.len());
    Some(format!("{}{}", &path[..start], &value[end..]))
}

/// The query without what names a session; `None` where it stays as it is.
fn kept_parameters(query: &str) -> Option<String> {
    if !query.is_empty() && !query.split('&').any(is_session) {
        return None;
    }
    let kept: Vec<&str> = query.split('&').filter(|parameter| !is_session(parameter)).collect();
    Some(kept.join("&"))
}

fn is_session(parameter: &str) -> bool {
    let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
    if name.eq_ignore_ascii_case(SHORT_SESSION) {
        return value.len() >= SESSION_CHARS_MIN && value.bytes().all(|byte| byte.is_ascii_alphanumeric());
    }
    let begins = |prefix: &&str| name.get(..prefix.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(prefix));
    SESSION_PARAMETERS.iter().any(|session| name.eq_ignore_ascii_case(session)) || SESSION_PREFIXES.iter().any(begins)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_their_forms() {
        let all = ["http://e.org/a", "http://e.org/a/", "http://www.e.org/a", "http://www.e.org/a/"];
        let mut all: Vec<String> =
            all.iter().flat_map(|url| [(*url).to_owned(), url.replace("http:", "https:")]).collect();
        all.sort();
        for url in &all {
            assert_eq!(forms_of(url), all, "{url}");
            assert_eq!(address(url), "e.org/a");
        }
        assert_eq!(forms_of("https://e.org/").len(), 4);
        assert_eq!(forms_of("file:///a/b"), ["file:///a/b"]);
    }

    #[test]
    fn one_page_has_one_url() {
        for (url, canonical) in [
            ("http://example.org", "http://example.org/"),
            (" HTTPS://EXAMPLE.org:443/A?b=C#d ", "https://example.org/A?b=C"),
            ("http://example.org:8080/", "http://example.org:8080/"),
            ("http://example.org/index.html", "http://example.org/index.html"),
            ("http://example.org/a;jsessionid=1F/b;JSESSIONID=2?PHPSESSID=x", "http://example.org/a/b;JSESSIONID=2"),
            ("http://example.org/?z=1&a=%7e&sid=9&z=2&utm_medium=m", "http://example.org/?z=1&a=%7e&sid=9&z=2"),
            ("http://example.org/?side=1&sid=2&gclid=3&fbclid", "http://example.org/?side=1&sid=2"),
            ("http://example.org/?sid=0f1e2d3c4b5a69788796a5b4c3d2e1f0&t=9", "http://example.org/?t=9"),
            ("http://example.org/?sid=a-story-of-the-mills", "http://example.org/?sid=a-story-of-the-mills"),
            ("http://bücher.example/ü", "http://xn--bcher-kva.example/%C3%BC"),
            ("file:///a/b.html#c", "file:///a/b.html"),
            ("dns:example.org", "dns:example.org"),
        ] {
            assert_eq!(canonical_url(url).as_deref(), Some(canonical), "{url}");
        }
        for url in ["", "example.org/a", "http://", "/a", "http://[", "http://a b/"] {
            assert_eq!(canonical_url(url), None, "{url}");
        }
    }

    #[test]
    fn pages_with_a_short_session_had_another_url() {
        assert_eq!(former("http://e.org/a?sid=9&b=1").as_deref(), Some("http://e.org/a?b=1"));
        assert_eq!(former("http://e.org/a?SID=9").as_deref(), Some("http://e.org/a"));
        assert_eq!((former("http://e.org/a?side=9"), former("http://e.org/a")), (None, None));
    }

    #[test]
    fn canonical_urls_stay_as_they_are() {
        for url in
            ["http://Example.org/?a&sid=1&b#c", "http://example.org/?&&", "http://example.org/a;jsessionid=1;v=2"]
        {
            let once = canonical_url(url).unwrap();
            assert_eq!(canonical_url(&once).as_deref(), Some(once.as_str()));
        }
    }

    #[test]
    fn hosts_are_lower_case() {
        assert_eq!(host("http://WWW.Example.ORG:81/").as_deref(), Some("www.example.org"));
        assert_eq!(host("http://[::1]/").as_deref(), Some("[::1]"));
        assert_eq!(host("file:///a"), None);
        assert_eq!(host("dns:example.org"), None);
        assert_eq!(host("no url"), None);
    }

    #[test]
    fn beginnings_of_urls_are_written_as_urls_are() {
        for (written, canonical) in [
            ("HTTP://Bücher.example:80/Käse", "http://xn--bcher-kva.example/K%C3%A4se"),
            ("https://e.org/a/", "https://e.org/a/"),
            ("http://e.org", "http://e.org"),
            ("http://e.or", "http://e.or"),
            ("http://e.org/a?b=c", "http://e.org/a?b=c"),
        ] {
            assert_eq!(canonical_prefix(written).as_deref(), Some(canonical), "{written}");
        }
        for none in ["e.org/a", "", "http://e.org/.", "http://e.org/a/../", "mailto:a@e.org"] {
            assert_eq!(canonical_prefix(none), None, "{none}");
        }
    }
}
