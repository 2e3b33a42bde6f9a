//! Addresses of links and images.

use url::Url;

use crate::dom::{AttributeName, Dom, Tag};

/// Longest reference, base and address, in bytes. One with more is none.
const URL_BYTES_MAX: usize = 4096;

/// What a page's links are relative to.
#[derive(Debug)]
pub(super) struct Address {
    base: Option<Url>,
}

impl Address {
    /// `url` is the page's, empty or a file's when unknown: then what the page names as its own counts. A `base` element goes before it.
    pub(super) fn new(dom: &Dom, url: &str) -> Self {
        let page = parsed(None, url).filter(|url| url.scheme() != "file").or_else(|| own_address(dom));
        let base = dom.base_href().and_then(|href| parsed(page.as_ref(), href));
        Self { base: base.or(page) }
    }

    /// Where a link leads, if that is a page or a mailbox.
    pub(super) fn link(&self, reference: &str) -> Option<String> {
        self.resolved(reference, &["http", "https", "mailto"]).map(behind_google)
    }

    /// Where an image is.
    pub(super) fn image(&self, reference: &str) -> Option<String> {
        self.resolved(reference, &["http", "https"])
    }

    /// The absolute form of a URL whose scheme is one of `schemes`; what is relative to nothing known stays as written.
    fn resolved(&self, reference: &str, schemes: &[&str]) -> Option<String> {
        let reference = reference.trim();
        match resolve(self.base.as_ref(), reference) {
            Some(Ok(url)) => schemes.contains(&url.scheme()).then(|| url.to_string()),
            Some(Err(url::ParseError::RelativeUrlWithoutBase)) if !reference.is_empty() => {
                // As URLs are written: blanks by their number, ends of lines left out.
                Some(reference.replace(char::is_control, "").replace(' ', "%20"))
            }
            _ => None,
        }
    }
}

/// The page that a link of Google's leads on to: documents that Google exports have such links in place of the author's.
fn behind_google(link: String) -> String {
    const BEGINNING: &str = "https://www.google.com/url?";
    let target = || {
        let url = Url::parse(&link).ok()?;
        let is_of_document = url.query_pairs().any(|(name, value)| name == "sa" && value == "D");
        let target = url.query_pairs().find(|(name, value)| name == "q" && value.starts_with("http"))?.1.into_owned();
        is_of_document.then_some(target)
    };
    if link.starts_with(BEGINNING) { target().unwrap_or(link) } else { link }
}

fn parsed(base: Option<&Url>, reference: &str) -> Option<Url> {
    resolve(base, reference)?.ok()
}

/// The absolute form; `None` where it is too long, or what is written is.
fn resolve(base: Option<&Url>, reference: &str) -> Option<Result<Url, url::ParseError>> {
    if reference.len() > URL_BYTES_MAX {
        return None;
    }
    let url = base.map_or_else(|| Url::parse(reference), |base| base.join(reference));
    Some(url).filter(|url| url.as_ref().map_or(0, |url| url.as_str().len()) <= URL_BYTES_MAX)
}

/// The address that a page names as its own: `link rel=canonical` or `og:url`.
fn own_address(dom: &Dom) -> Option<Url> {
    let head = dom.find_in_html(Tag::Head)?;
    dom.descendants(head).find_map(|id| {
        let named = match dom.tag(id)? {
            Tag::Link if dom.attribute(id, AttributeName::Rel)?.eq_ignore_ascii_case("canonical") => {
                dom.attribute(id, AttributeName::Href)
            }
            Tag::Meta if dom.attribute(id, AttributeName::Property)? == "og:url" => {
                dom.attribute(id, AttributeName::Content)
            }
            _ => None,
        };
        parsed(None, named?.trim()).filter(|url| matches!(url.scheme(), "http" | "https"))
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::markdown;

    #[test]
    fn links_of_documents_of_google_lead_where_they_lead() {
        let link = |query: &str| markdown(&format!("<p>See <a href='https://www.google.com/url?{query}'>Mills</a>."));
        assert_eq!(
            link("q=https://e.org/a%3Fb%3Dc&amp;sa=D&amp;source=editors&amp;ust=17"),
            "See [Mills](https://e.org/a?b=c).\n"
        );
        assert!(link("q=https://e.org/a").contains("google.com"));
        assert!(link("q=javascript:a()&amp;sa=D").contains("google.com"));
    }
}
