//! A page as it was, for showing: its own elements and harmless styles, with the runs of its tree marked.
//!
//! Nothing that runs, loads or leads elsewhere is written: elements and attributes are those of a list, style sheets go through
//! [`harmless_css`], scripts, frames, forms and foreign markup are left out. What is written is a fragment for a document of the
//! caller's, which has the last word on safety with a sanitiser and a content security policy of its own.

mod css;
mod names;
mod runs;
mod writer;

use crate::cst::RunId;
use crate::dom::{Dom, SourceElement, SourceElements, Tag};
use crate::pipeline::ParsedPage;

pub use css::harmless_css;
pub use names::{ATTRIBUTES, ELEMENTS};
use writer::Writer;

/// Bytes of style sheets that are taken of a page.
const STYLE_BYTES_MAX: usize = 1 << 20;

/// Style sheets that a page may link to; the others are passed over.
const LINKED_SHEETS_MAX: usize = 32;

/// The id of the first element of the found runs.
pub const FOUND_ID: &str = "lopper-found";

/// What is said of runs and pictures in the markup.
pub struct Marking<'a> {
    /// What became of a run, as the value of `data-fate`; `None` leaves it unmarked.
    pub fate: &'a dyn Fn(RunId) -> Option<&'static str>,
    /// Whether a run is what the reader came for: `data-found`.
    pub found: &'a dyn Fn(RunId) -> bool,
    /// Where a picture can be had, by its address as the page has it; `None` leaves its place and its words.
    pub picture: &'a dyn Fn(&str) -> Option<String>,
    /// The text of a style sheet that the page links to, by its address as the page has it; `None` where there is none.
    pub sheet: &'a dyn Fn(&str) -> Option<String>,
}

/// A page for showing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MarkedPage {
    /// What is in `body`, as HTML. Elements that hold one run's text have its number in `data-run`.
    pub body: String,
    /// The page's own style sheets, in order, without what loads.
    pub style: String,
    /// Attributes of `html`.
    pub html_attributes: Vec<(&'static str, String)>,
    /// Attributes of `body`.
    pub body_attributes: Vec<(&'static str, String)>,
}

impl MarkedPage {
    /// Writes a page that was parsed together with its `source`. O(nodes); no recursion.
    pub fn new(page: &ParsedPage<'_>, source: &SourceElements, marking: &Marking<'_>) -> Self {
        let dom = &page.dom;
        let attributes = |tag: Tag| {
            let id = dom.find(tag);
            let element = id.and_then(|id| source.get(id));
            element.map(names::root_attributes).unwrap_or_default()
        };
        Self {
            body: Writer::new(page, source, marking).body(),
            style: style(dom, source, marking),
            html_attributes: attributes(Tag::Html),
            body_attributes: attributes(Tag::Body),
        }
    }
}

/// The page's style sheets, its own and those that it links to, one after another.
fn style(dom: &Dom, source: &SourceElements, marking: &Marking<'_>) -> String {
    let mut all = String::new();
    let mut links_left = LINKED_SHEETS_MAX;
    for id in dom.elements() {
        let (Some(Tag::Style | Tag::Link), Some(element)) = (dom.tag(id), source.get(id)) else { continue };
        let css = if element.name() == "style" {
            Some(dom.text_content(id))
        } else {
            let href = sheet_address(element).filter(|_| links_left > 0);
            links_left -= usize::from(href.is_some());
            href.and_then(marking.sheet)
        };
        let is_css = element.attribute("type").is_none_or(|kind| kind.trim().is_empty() || kind.contains("css"));
        let Some(css) = css.filter(|css| is_css && all.len() + css.len() <= STYLE_BYTES_MAX) else { continue };
        match element.attribute("media").map(str::trim).unwrap_or_default() {
            "" | "all" | "screen" => all += &harmless_css(&css),
            media if is_plain_media(media) => all.extend(["@media ", media, " {\n", &harmless_css(&css), "\n}"]),
            _ => {}
        }
        all.push('\n');
    }
    all
}

/// Where the style sheet of a `link` is.
fn sheet_address(link: &SourceElement) -> Option<&str> {
    let is_sheet = |rel: &str| {
        let mut words = rel.split_ascii_whitespace();
        words.clone().any(|word| word.eq_ignore_ascii_case("stylesheet"))
            && !words.any(|word| word.eq_ignore_ascii_case("alternate"))
    };
    link.attribute("rel").filter(|rel| is_sheet(rel))?;
    link.attribute("href").map(str::trim)
}

fn is_plain_media(media: &str) -> bool {
    media.chars().all(|c| c.is_ascii_alphanumeric() || " ():,.-".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use crate::pipeline::PageText;

    fn marked(html: &str) -> MarkedPage {
        let source = PageText { url: "http://e.org/", html, ..PageText::default() };
        let (page, elements) = ParsedPage::parse_with_source(source, crate::cst::Profile::Modern, &Limits::default());
        let marking = Marking {
            fate: &|run| (run == 1).then_some("drop"),
            found: &|run| run == 2,
            picture: &|src| (src == "/a.png").then(|| "/kept".to_owned()),
            sheet: &|href| (href == "a.css").then(|| "i { color: blue; background: url(//e) }".to_owned()),
        };
        MarkedPage::new(&page, &elements, &marking)
    }

    #[test]
    fn runs_are_marked_at_their_outermost_element() {
        let page = marked("<div id=x>loose <b>words</b><p class='a b'>One <i>two</i></p><ul><li>three</ul></div>");
        let expected = "<div id=\"x\"><span data-run=\"0\">loose </span><b data-run=\"0\">words</b>\
            <p class=\"a b\" data-run=\"1\" data-fate=\"drop\">One <i>two</i></p>\
            <ul data-run=\"2\" id=\"lopper-found\" data-found=\"\"><li>three</li></ul></div>";
        assert_eq!(page.body, expected);
    }

    #[test]
    fn what_runs_or_loads_is_left_out() {
        let html = "<body onload=a() class=c background=//e/x.png><script>x()</script><iframe src=//e></iframe>
            <a href=javascript:x() onclick=y()>one</a><a href=#part>two</a><form action=//e><input name=q><button>Go</button></form>
            <img src=/a.png alt=A onerror=x() srcset='//e/b 2x'><img src=//e/c.png alt='C \"c\"'><svg><a href=//e>s</a></svg>
            <object data=//e>o</object><p style='color:red;background:url(//e)'>three</p><base href=//e><meta http-equiv=refresh>";
        let MarkedPage { body, body_attributes, .. } = marked(html);
        for bad in ["script", "x()", "y()", "//e", "iframe ", "<form", "<input", "svg", "base", "meta", "javascript"] {
            assert!(!body.contains(bad), "{bad} in {body}");
        }
        for good in ["href=\"#part\"", "alt=\"A\" src=\"/kept\"", "alt=\"C &quot;c&quot;\"", "color:red", ">Go</span>"]
        {
            assert!(body.contains(good), "no {good} in {body}");
        }
        assert_eq!(body_attributes, [("class", "c".to_owned())]);
    }

    #[test]
    fn style_sheets_are_taken_without_what_loads() {
        let page = marked(
            "<style>@import 'x'; p { color: red }</style><style media=print>a{}</style><style media='x;{'>b{}</style>
            <link rel=StyleSheet href=a.css><link rel='alternate stylesheet' href=a.css><link rel=icon href=a.css>
            <link rel=stylesheet href=b.css><p>x",
        );
        assert_eq!(
            page.style.split_whitespace().collect::<Vec<_>>().join(" "),
            "p { color: red } @media print { a{} } i { color: blue; background: none }"
        );
    }
}
