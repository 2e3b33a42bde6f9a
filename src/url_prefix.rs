//! Beginnings of URLs that an operator allows.

use serde::Deserialize;
use url::Url;

/// What URLs may begin with: scheme, host, port, and a path that ends with `/`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct UrlPrefix(Url);

impl TryFrom<String> for UrlPrefix {
    type Error = String;

    /// # Errors
    ///
    /// What is wrong with it.
    fn try_from(text: String) -> Result<Self, String> {
        let wanted =
            || format!("`{text}` is not the beginning of URLs: http:// or https://, a host, a path that ends with /");
        let url = Url::parse(&text).map_err(|_| wanted())?;
        let is_bare = url.query().is_none() && url.fragment().is_none() && url.username().is_empty();
        let is_prefix = matches!(url.scheme(), "http" | "https") && url.path().ends_with('/');
        (is_bare && is_prefix && url.password().is_none()).then_some(Self(url)).ok_or_else(wanted)
    }
}

impl UrlPrefix {
    /// Whether the URL begins so. Both are in their normal form, so `..` and another spelling of the host lead nowhere else. An escaped
    /// slash is refused: a server that undoes it before it resolves `..` would leave the folder.
    pub fn allows(&self, url: &Url) -> bool {
        let of = |url: &Url| (url.scheme().to_owned(), url.host_str().map(str::to_owned), url.port_or_known_default());
        let is_anonymous = url.username().is_empty() && url.password().is_none();
        let path = url.path().to_ascii_lowercase();
        let has_hidden_slash = ["%2f", "%5c"].iter().any(|slash| path.contains(slash));
        is_anonymous && !has_hidden_slash && of(url) == of(&self.0) && url.path().starts_with(self.0.path())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_else_begins_so() {
        let prefix = UrlPrefix::try_from("https://data.example/crawls/".to_owned()).unwrap();
        let allows = |url: &str| prefix.allows(&Url::parse(url).unwrap());
        for url in ["https://data.example/crawls/a.warc.gz", "HTTPS://DATA.example:443/crawls/2024/a.warc?x=1"] {
            assert!(allows(url), "{url}");
        }
        for url in [
            "http://data.example/crawls/a.warc",
            "https://data.example.evil/crawls/a.warc",
            "https://data.example:8443/crawls/a.warc",
            "https://data.example/crawls-not/a.warc",
            "https://data.example/crawls/../secret.warc",
            "https://data.example/crawls/%2e%2e/secret.warc",
            "https://data.example/crawls/..%2Fsecret.warc",
            "https://data.example/crawls/%2e%2e%5csecret.warc",
            "https://data.example\\@evil.example/crawls/a.warc",
            "https://user@data.example/crawls/a.warc",
            "file:///crawls/a.warc",
        ] {
            assert!(!allows(url), "{url}");
        }
        for text in ["data.example/", "ftp://data.example/", "https://data.example/a", "https://u:p@data.example/", ""]
        {
            assert!(UrlPrefix::try_from(text.to_owned()).is_err(), "{text}");
        }
    }
}
