//! HTML under construction, in which every foreign text is escaped.

use std::fmt::{self, Display, Write};

use lopper_collection::search::HighlightedText;
use url::Url;

/// What stands between two lines that are shown in one.
const LINE_BREAK: &str = " <i>·</i> ";

/// A piece of HTML. Markup comes from literals only, so nothing foreign can become markup.
#[derive(Debug, Clone, Default)]
pub(in crate::http) struct Html(String);

impl Html {
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// Appends markup of the program.
    pub(super) fn raw(&mut self, markup: &'static str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// Appends a text.
    pub(super) fn text(&mut self, text: impl Display) -> &mut Self {
        // Writing to a string does not fail, and a text that fails to display is left out.
        let _ = write!(Escaper(&mut self.0), "{text}");
        self
    }

    /// Appends a text with its marks, its lines in one.
    pub(super) fn marked(&mut self, text: &HighlightedText) -> &mut Self {
        let escaped = |text: &str| escape(text).replace('\n', LINE_BREAK);
        self.0 += &text.marked("<mark>", "</mark>", escaped);
        self
    }

    /// Appends ` name="value"`. For addresses there is [`Html::href`].
    pub(super) fn attribute(&mut self, name: &'static str, value: impl Display) -> &mut Self {
        self.raw(" ").raw(name).raw("=\"").text(value).raw("\"")
    }

    /// Appends the attributes of a link to an archived address: of http and https only, since others can be code.
    pub(super) fn href(&mut self, url: &str) -> &mut Self {
        debug_assert!(is_web(url));
        if is_web(url) { self.attribute("href", url).raw(" rel=\"noreferrer noopener\"") } else { self }
    }

    /// Appends finished HTML.
    pub(super) fn html(&mut self, html: &Self) -> &mut Self {
        self.0.push_str(&html.0);
        self
    }

    /// The HTML.
    pub(in crate::http) fn into_string(self) -> String {
        self.0
    }
}

/// Whether a browser may be sent to an archived address.
pub(super) fn is_web(url: &str) -> bool {
    Url::parse(url).is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
}

/// `text` as HTML text or attribute value.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let _ = Escaper(&mut escaped).write_str(text);
    escaped
}

/// Escapes what is written through it. Control characters, which HTML does not allow, become U+FFFD.
struct Escaper<'a>(&'a mut String);

impl Write for Escaper<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for c in text.chars() {
            match c {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                '\n' | '\t' => self.0.push(c),
                c if c.is_control() => self.0.push(char::REPLACEMENT_CHARACTER),
                c => self.0.push(c),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_texts_is_only_shown() {
        assert_eq!(escape("<script>alert('x')</script>"), "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;");
        assert_eq!(escape("a & b &amp; c\0\u{1b}[2J"), "a &amp; b &amp;amp; c\u{fffd}\u{fffd}[2J");
    }

    #[test]
    fn values_do_not_leave_their_attribute() {
        let mut html = Html::new();
        html.raw("<a").attribute("title", "\" onmouseover=\"alert(1)").raw(">");
        assert_eq!(html.into_string(), "<a title=\"&quot; onmouseover=&quot;alert(1)\">");
    }

    #[test]
    fn only_web_addresses_are_linked() {
        assert!(is_web("http://e.org/") && is_web("HTTPS://e.org"));
        for url in
            ["javascript:alert(1)", " JavaScript:alert(1)", "data:text/html,x", "file:///etc/passwd", "//e.org", ""]
        {
            assert!(!is_web(url), "{url}");
        }
    }
}
