//! The frame of all pages: `web/index.html`, whose slots are filled in one go.

use super::Html;

const FRAME: &str = include_str!("../../../web/index.html");

/// What a page puts into the frame.
pub(super) struct Content<'a> {
    /// Kind of the page, for the style sheet.
    pub(super) kind: &'static str,
    pub(super) title: &'a str,
    /// What stands in the search field.
    pub(super) query: &'a str,
    pub(super) main: &'a Html,
}

/// The frame around a page's content.
pub(super) fn framed(content: &Content<'_>) -> Html {
    let mut html = Html::new();
    let mut rest = FRAME;
    while let Some((before, slot, after)) = next_slot(rest) {
        html.raw(before);
        match slot {
            "kind" => html.raw(content.kind),
            "title" => html.text(content.title),
            "query" => html.text(content.query),
            "main" => html.html(content.main),
            "version" => html.raw(env!("CARGO_PKG_VERSION")),
            _ => unreachable!("web/index.html has no other slots"),
        };
        rest = after;
    }
    html.raw(rest);
    html
}

fn next_slot(frame: &'static str) -> Option<(&'static str, &'static str, &'static str)> {
    let (before, rest) = frame.split_once("{{")?;
    let (slot, after) = rest.split_once("}}")?;
    Some((before, slot, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_filled_once() {
        let mut main = Html::new();
        main.text("{{title}}");
        let content = Content { kind: "home", title: "<T>", query: "\"{{main}}", main: &main };
        let page = framed(&content).into_string();
        assert!(page.contains("<title>&lt;T&gt;</title>"), "{page}");
        assert!(page.contains("value=\"&quot;{{main}}\""), "{page}");
        assert_eq!(page.matches("{{title}}").count(), 1, "{page}");
    }
}
