//! What a page says it is about.

use crate::dom::{AttributeName, Dom, DomId, Tag};

/// The page's title, first heading and description, in that order; what it has of them. O(nodes).
pub(super) fn pieces(dom: &Dom) -> Vec<String> {
    let [mut title, mut heading, mut description] = [const { None::<String> }; 3];
    for id in dom.elements() {
        match dom.tag(id) {
            Some(Tag::Title) if title.is_none() => title = Some(dom.text_content(id)),
            Some(Tag::H1) if heading.is_none() => heading = Some(dom.text_content(id)),
            Some(Tag::Meta) if description.is_none() && is_description(dom, id) => {
                description = dom.attribute(id, AttributeName::Content).map(str::to_owned);
            }
            _ => {}
        }
    }
    [title, heading, description].into_iter().flatten().collect()
}

fn is_description(dom: &Dom, meta: DomId) -> bool {
    let names = [AttributeName::Name, AttributeName::Property];
    let mut names = names.into_iter().filter_map(|name| dom.attribute(meta, name));
    names.any(|name| name.eq_ignore_ascii_case("description") || name.eq_ignore_ascii_case("og:description"))
}
