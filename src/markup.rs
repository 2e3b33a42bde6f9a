//! HTML that the program writes: what its pages have in common.
//!
//! Markup is written with [`maud::html`], which escapes every text and attribute. The one way around that, `PreEscaped`, is used in this
//! file alone, for literals of the program and for what went through a gate that is written here.

use std::borrow::Cow;
use std::sync::OnceLock;

use lopper_content::marked::{ATTRIBUTES, ELEMENTS, harmless_css};
use maud::{Markup, PreEscaped, Render, html};
use serde::Serialize;
use url::Url;

/// HTML of elsewhere, through the last gate before it is shown: what is not on the list of [`lopper_content::marked`] is taken out, and of
/// addresses all but places in the page itself and pictures that they hold themselves.
pub(crate) fn sanitised(fragment: &str) -> Markup {
    PreEscaped(sanitiser().clean(fragment).to_string())
}

fn sanitiser() -> &'static ammonia::Builder<'static> {
    static SANITISER: OnceLock<ammonia::Builder<'static>> = OnceLock::new();
    SANITISER.get_or_init(|| {
        let mut builder = ammonia::Builder::empty();
        builder
            .tags(ELEMENTS.iter().copied().collect())
            .generic_attributes(ATTRIBUTES.iter().copied().chain(["data-run", "data-fate", "data-found"]).collect())
            .tag_attributes([("a", ["href", "name"].into()), ("img", ["src"].into())].into())
            .clean_content_tags(["script", "style"].into())
            .url_schemes(["data"].into())
            .link_rel(None)
            .attribute_filter(harmless_attribute);
        builder
    })
}

/// An attribute's value, unless it leads elsewhere.
fn harmless_attribute<'v>(element: &str, attribute: &str, value: &'v str) -> Option<Cow<'v, str>> {
    let is_harmless = match (element, attribute) {
        (_, "href") => value.starts_with('#'),
        (_, "src") => value.starts_with("data:image/") || is_own_picture(value),
        _ => true,
    };
    is_harmless.then(|| if attribute == "style" { harmless_css(value).into() } else { value.into() })
}

/// An address of ours for a picture `url` of a page, as it is beside the page's frame; no other address of ours is let into an archived
/// page.
pub(crate) fn own_picture(url: &str) -> String {
    let query: String = url::form_urlencoded::byte_serialize(url.as_bytes()).collect();
    format!("picture?url={query}")
}

fn is_own_picture(address: &str) -> bool {
    let is_encoded = |url: &str| url.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"*-._+%".contains(&byte));
    address.strip_prefix("picture?url=").is_some_and(is_encoded)
}

/// A `style` element. Its text ends where it ends.
pub(crate) fn style_sheet(css: &str) -> Markup {
    let is_sound = !css.contains("</") && !css.contains("<!");
    html! { @if is_sound { style { (PreEscaped(css)) } } }
}

/// Data for a script of ours, in an element of its own that is none.
pub(crate) fn json(id: &str, value: &impl Serialize) -> Markup {
    let text = serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned()).replace('<', "\\u003c");
    html! { script id=(id) type="application/json" { (PreEscaped(text)) } }
}

/// A script of ours within the page, by the nonce of the page's policy.
pub(crate) fn inline_script(script: &'static str, nonce: &str) -> Markup {
    debug_assert!(!script.contains("</script"));
    html! { script type="module" nonce=(nonce) { (PreEscaped(script)) } }
}

/// An element with attributes that are known at run time only.
pub(crate) fn with_attributes(name: &'static str, attributes: &[(&'static str, String)], content: &Markup) -> Markup {
    let attribute = |(name, value): &(&str, String)| format!(" {name}=\"{}\"", html! { (value) }.0);
    let attributes: String = attributes.iter().map(attribute).collect();
    PreEscaped(format!("<{name}{attributes}>{}</{name}>", content.0))
}

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
    fn what_runs_or_leads_elsewhere_is_taken_out() {
        for (given, shown) in [
            ("<p data-run=1 onclick=x()>a<script>b</script>", "<p data-run=\"1\">a</p>"),
            ("<a href=javascript:x()>a</a><a href=#b>c</a>", "<a>a</a><a href=\"#b\">c</a>"),
            ("<img src=//e.org/a.png><img src='data:text/html,x'>", "<img><img>"),
            ("<img src='data:image/png;base64,AA=='>", "<img src=\"data:image/png;base64,AA==\">"),
            ("<img src='picture?url=http%3A%2F%2Fe.org'>", "<img src=\"picture?url=http%3A%2F%2Fe.org\">"),
            (
                "<img src='picture?url=a&amp;b'><img src='/page/0f/picture?url=a'><img src='/v1/pages'>",
                "<img><img><img>",
            ),
            ("<svg><style><img onerror=x()></style></svg>", "<img>"),
            ("<i style='color:red;background:url(x)'>", "<i style=\"color:red;background:none\"></i>"),
            ("<form action=//e><iframe srcdoc=x></iframe><meta http-equiv=refresh><base href=//e>", ""),
        ] {
            assert_eq!(sanitised(given).into_string(), shown, "{given}");
        }
    }

    #[test]
    fn data_and_styles_stay_in_their_elements() {
        assert_eq!(style_sheet("a{}</style><b>").into_string(), "");
        let data = json("d", &"</script><!--").into_string();
        assert_eq!(data, "<script id=\"d\" type=\"application/json\">\"\\u003c/script>\\u003c!--\"</script>");
        let body = with_attributes("body", &[("class", "\"><b>".to_owned())], &html! { "x" }).into_string();
        assert_eq!(body, "<body class=\"&quot;&gt;&lt;b&gt;\">x</body>");
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
