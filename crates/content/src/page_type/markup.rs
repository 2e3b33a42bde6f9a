//! What a page is marked up with: one pass over its elements.

use crate::dom::{AttributeName, Dom, DomId, Tag};

/// Elements by tag, and what the first of them say.
#[derive(Debug)]
pub(super) struct Markup<'a> {
    counts: [u32; Tag::COUNT],
    /// `class` of `html` and `body`.
    pub(super) classes: [&'a str; 2],
    /// The program that made the page, as it says.
    pub(super) generator: &'a str,
}

impl<'a> Markup<'a> {
    pub(super) fn of(dom: &'a Dom) -> Self {
        let mut markup = Self { counts: [0; Tag::COUNT], classes: [""; 2], generator: "" };
        for id in dom.elements() {
            let Some(tag) = dom.tag(id) else { continue };
            markup.counts[tag as usize] += 1;
            match tag {
                Tag::Html => markup.classes[0] = class(dom, id),
                Tag::Body => markup.classes[1] = class(dom, id),
                Tag::Meta if is_generator(dom, id) => {
                    markup.generator = dom.attribute(id, AttributeName::Content).unwrap_or("");
                }
                _ => {}
            }
        }
        markup
    }

    pub(super) fn count(&self, tag: Tag) -> f32 {
        self.counts[tag as usize] as f32
    }
}

fn class(dom: &Dom, id: DomId) -> &str {
    dom.attribute(id, AttributeName::Class).unwrap_or("")
}

fn is_generator(dom: &Dom, meta: DomId) -> bool {
    dom.attribute(meta, AttributeName::Name).is_some_and(|name| name.eq_ignore_ascii_case("generator"))
}
