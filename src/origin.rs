//! Origins of web pages that an operator allows.

use serde::Deserialize;
use url::Url;

/// Scheme, host and port of a site, as browsers write them: `https://reader.example.org`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Origin(String);

impl TryFrom<String> for Origin {
    type Error = String;

    /// # Errors
    ///
    /// What is wrong with it.
    fn try_from(text: String) -> Result<Self, String> {
        let wanted = || format!("`{text}` is no origin: wanted is scheme, host and port as https://reader.example.org");
        let url = Url::parse(&text).map_err(|_| wanted())?;
        let origin = url.origin().ascii_serialization();
        let is_bare = text.trim_end_matches('/').eq_ignore_ascii_case(&origin);
        (matches!(url.scheme(), "http" | "https") && is_bare).then_some(Self(origin)).ok_or_else(wanted)
    }
}

impl Origin {
    /// As browsers write it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_scheme_host_and_port() {
        let read = |text: &str| Origin::try_from(text.to_owned()).map(|origin| origin.as_str().to_owned());
        assert_eq!(read("https://Reader.example.org/").unwrap(), "https://reader.example.org");
        assert_eq!(read("http://localhost:3000").unwrap(), "http://localhost:3000");
        for text in ["*", "reader.example.org", "https://reader.example.org/app", "file:///a", "null", "https://a@b.c"]
        {
            assert!(read(text).unwrap_err().contains(text), "{text}");
        }
    }
}
