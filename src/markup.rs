//! HTML that the program writes: what its pages have in common.
//!
//! Markup is written with [`maud::html`], which escapes every text and attribute. The one way around that, `PreEscaped`, is used in this
//! file alone, and only for literals of the program.

use maud::{Markup, PreEscaped, Render, html};
use url::Url;

/// A finished page. Control characters, which HTML does not allow, become U+FFFD.
pub(crate) fn finished(page: Markup) -> String {
    let page = page.into_string();
    let is_allowed = |c: char| !c.is_control() || matches!(c, '\n' | '\t');
    if page.chars().all(is_allowed) {
        return page;
    }
    page.chars().map(|c| if is_allowed(c) { c } else { char::REPLACEMENT_CHARACTER }).collect()
}

/// Whether a browser may be sent to an archived address: others than those of http and https can be code.
pub(crate) fn is_web(url: &str) -> bool {
    Url::parse(url).is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
}

/// A link to an archived address; its text alone unless a browser may be sent there.
pub(crate) fn web_link(url: &str, text: &str) -> Markup {
    html! {
        @if is_web(url) { a href=(url) rel="noreferrer noopener" { (text) } } @else { (text) }
    }
}

/// Markup that is written on a walk, so that elements are closed long after they were opened.
#[derive(Debug, Default)]
pub(crate) struct MarkupStream(String);

impl MarkupStream {
    /// A tag, or several, of the program's.
    pub(crate) fn tags(&mut self, tags: &'static str) {
        self.0.push_str(tags);
    }

    /// Finished markup.
    pub(crate) fn put(&mut self, markup: &Markup) {
        markup.render_to(&mut self.0);
    }

    /// All of it.
    pub(crate) fn into_markup(self) -> Markup {
        PreEscaped(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_texts_is_only_shown() {
        let text = "<script>alert(\"x\")</script> & &amp;\0\u{1b}[2J";
        let page = finished(html! { p title=(text) { (text) } });
        let shown = "&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &amp;amp;\u{fffd}\u{fffd}[2J";
        assert_eq!(page, format!("<p title=\"{shown}\">{shown}</p>"));
        assert_eq!(finished(html! { "a\n\tb" }), "a\n\tb");
    }

    #[test]
    fn only_web_addresses_are_linked() {
        let link = web_link("HTTPS://e.org/?a&b", "e").into_string();
        assert_eq!(link, "<a href=\"HTTPS://e.org/?a&amp;b\" rel=\"noreferrer noopener\">e</a>");
        for url in
            ["javascript:alert(1)", " JavaScript:alert(1)", "data:text/html,x", "file:///etc/passwd", "//e.org", ""]
        {
            assert_eq!(web_link(url, "<e>").into_string(), "&lt;e&gt;", "{url}");
        }
    }
}
