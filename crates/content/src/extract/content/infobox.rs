//! The box beside an article of Fandom's wikis, whose entries are names and values in divisions.

use crate::dom::{Dom, DomId, Tag, classes};

/// What an element of such a box is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum InfoboxPart {
    Entry,
    Name,
    Value,
}

/// What an element is in a box.
pub(super) fn part(dom: &Dom, element: DomId, tag: Tag) -> Option<InfoboxPart> {
    match tag {
        Tag::Div if dom.has_class(element, classes!["pi-data-value"]) => Some(InfoboxPart::Value),
        Tag::Div if dom.has_class(element, classes!["pi-data"]) => Some(InfoboxPart::Entry),
        Tag::H3 if dom.has_class(element, classes!["pi-data-label"]) => Some(InfoboxPart::Name),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::markdown;

    #[test]
    fn entries_are_names_with_their_values() {
        let entry = |name: &str, value: &str| {
            format!(
                "<div class='pi-item pi-data'><h3 class='pi-data-label'>{name}</h3><div class='pi-data-value pi-font'>\
                 {value}</div></div>"
            )
        };
        let html = [entry("Place", "<a href=/v>The Valley</a>"), entry("Built", "1720<br>1801")].concat();
        assert_eq!(
            markdown(&format!("<aside class=portable-infobox>{html}</aside><p>It turns.")),
            "Place\n: [The Valley](https://e.org/v)\n\nBuilt\n: 1720  \n  1801\n\nIt turns.\n"
        );
        assert_eq!(markdown("<h3 class=pi-data-label>Place</h3><p>Here."), "### Place\n\nHere.\n", "in no box");
    }
}
