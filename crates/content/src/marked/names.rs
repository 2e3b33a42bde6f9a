//! Which elements and attributes are shown.

use super::css::harmless_css;
use crate::dom::SourceElement;

/// Elements that may be written.
pub const ELEMENTS: &[&str] = &[
    "a",
    "abbr",
    "acronym",
    "address",
    "article",
    "aside",
    "b",
    "bdi",
    "bdo",
    "big",
    "blockquote",
    "br",
    "caption",
    "center",
    "cite",
    "code",
    "col",
    "colgroup",
    "data",
    "dd",
    "del",
    "details",
    "dfn",
    "dir",
    "div",
    "dl",
    "dt",
    "em",
    "fieldset",
    "figcaption",
    "figure",
    "font",
    "footer",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hgroup",
    "hr",
    "i",
    "img",
    "ins",
    "kbd",
    "label",
    "legend",
    "li",
    "main",
    "mark",
    "menu",
    "nav",
    "ol",
    "p",
    "pre",
    "q",
    "rp",
    "rt",
    "ruby",
    "s",
    "samp",
    "section",
    "small",
    "span",
    "strike",
    "strong",
    "sub",
    "summary",
    "sup",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "time",
    "tr",
    "tt",
    "u",
    "ul",
    "var",
    "wbr",
];

/// Attributes that may be written, of any element.
pub const ATTRIBUTES: &[&str] = &[
    "align",
    "alt",
    "bgcolor",
    "border",
    "cellpadding",
    "cellspacing",
    "class",
    "color",
    "colspan",
    "dir",
    "face",
    "height",
    "hidden",
    "id",
    "lang",
    "open",
    "rowspan",
    "size",
    "span",
    "start",
    "style",
    "title",
    "type",
    "valign",
    "value",
    "width",
];

/// What becomes of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is written under this name.
    Written(&'static str),
    /// What is in it is written, it is not.
    Opened,
    /// A word stands in its place.
    Named(&'static str),
    /// It is left out with all that is in it.
    LeftOut,
}

/// What becomes of an element, by its name.
pub(super) fn fate(element: &SourceElement) -> Fate {
    if !element.is_html() {
        // Of formulas the text stays; drawings go.
        return if element.name() == "svg" { Fate::LeftOut } else { Fate::Written("span") };
    }
    match element.name() {
        "script" | "style" | "template" | "head" | "title" | "link" | "meta" | "base" | "input" | "textarea"
        | "track" | "param" | "source" | "area" | "frame" | "noframes" | "noembed" | "datalist" | "bgsound"
        | "basefont" => Fate::LeftOut,
        "iframe" => Fate::Named("frame"),
        "video" => Fate::Named("video"),
        "audio" => Fate::Named("sound"),
        "object" | "embed" | "applet" | "canvas" => Fate::Named("embedded object"),
        "form" | "noscript" | "search" | "marquee" | "dialog" | "select" | "optgroup" | "option" => {
            Fate::Written("div")
        }
        "picture" | "body" | "html" => Fate::Opened,
        "xmp" | "plaintext" | "listing" => Fate::Written("pre"),
        name => Fate::Written(written_name(name).unwrap_or("span")),
    }
}

fn written_name(name: &str) -> Option<&'static str> {
    ELEMENTS.binary_search(&name).ok().map(|place| ELEMENTS[place])
}

pub(super) fn is_void(name: &str) -> bool {
    matches!(name, "br" | "col" | "hr" | "img" | "wbr")
}

/// The attribute as it is written; `None` where it is not.
pub(super) fn attribute(element: &str, name: &str, value: &str) -> Option<(&'static str, String)> {
    match (element, name) {
        ("a", "href") if value.starts_with('#') => return Some(("href", value.to_owned())),
        ("a", "name") => return Some(("name", value.to_owned())),
        _ => {}
    }
    let known = ATTRIBUTES[ATTRIBUTES.binary_search(&name).ok()?];
    Some((known, if known == "style" { harmless_css(value) } else { value.to_owned() }))
}

/// Attributes of `html` and `body` by which style sheets know them.
pub(super) fn root_attributes(element: &SourceElement) -> Vec<(&'static str, String)> {
    let taken = |(name, value)| {
        let (name, value) = attribute("body", name, value)?;
        matches!(name, "class" | "id" | "style" | "lang" | "dir").then_some((name, value))
    };
    element.attributes().filter_map(taken).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_in_order() {
        assert!(ELEMENTS.is_sorted() && ATTRIBUTES.is_sorted());
        assert_eq!((written_name("td"), written_name("script")), (Some("td"), None));
    }

    #[test]
    fn attributes_that_load_or_act_are_not_written() {
        for name in ["src", "srcset", "background", "onclick", "href", "action", "formaction", "ping", "poster", "name"]
        {
            assert_eq!(attribute("div", name, "#x"), None, "{name}");
        }
        assert_eq!(attribute("a", "href", "http://e/"), None);
        assert_eq!(attribute("p", "style", "color:url(x)"), Some(("style", "color:none".to_owned())));
    }
}
