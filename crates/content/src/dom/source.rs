//! Elements as the source has them: every name and attribute, beside the [`Dom`](super::Dom), which keeps what the trees read.

use html5ever::tendril::StrTendril;
use html5ever::{Attribute, LocalName, QualName, ns};

use super::DomId;

/// An element with its own name and all of its attributes.
#[derive(Debug, Clone)]
pub struct SourceElement {
    id: DomId,
    name: LocalName,
    is_html: bool,
    attributes: Vec<(LocalName, StrTendril)>,
}

impl SourceElement {
    /// Its name, in lower case.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it is an element of HTML, and not of SVG or MathML.
    pub fn is_html(&self) -> bool {
        self.is_html
    }

    /// Its attributes, in source order.
    pub fn attributes(&self) -> impl Iterator<Item = (&str, &str)> {
        self.attributes.iter().map(|(name, value)| (&**name, &**value))
    }

    /// The value of one attribute.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes().find(|(given, _)| *given == name).map(|(_, value)| value)
    }
}

/// The elements of a page, by their ids.
#[derive(Debug, Clone, Default)]
pub struct SourceElements(Vec<SourceElement>);

impl SourceElements {
    pub(super) fn push(&mut self, id: DomId, name: &QualName, attributes: Vec<Attribute>) {
        debug_assert!(self.0.last().is_none_or(|last| last.id < id), "ids are given in ascending order");
        let attributes = attributes.into_iter().map(|attribute| (attribute.name.local, attribute.value)).collect();
        self.0.push(SourceElement { id, name: name.local.clone(), is_html: name.ns == ns!(html), attributes });
    }

    pub(super) fn add_missing(&mut self, id: DomId, attributes: &[Attribute]) {
        let Ok(place) = self.place(id) else { return };
        let own = &mut self.0[place].attributes;
        for attribute in attributes {
            if own.iter().all(|(name, _)| *name != attribute.name.local) {
                own.push((attribute.name.local.clone(), attribute.value.clone()));
            }
        }
    }

    fn place(&self, id: DomId) -> Result<usize, usize> {
        self.0.binary_search_by_key(&id, |element| element.id)
    }

    /// The element with that id; `None` for texts and others.
    pub fn get(&self, id: DomId) -> Option<&SourceElement> {
        self.place(id).ok().map(|place| &self.0[place])
    }
}

#[cfg(test)]
mod tests {
    use crate::dom::{self, Dom, Tag};
    use crate::limits::Limits;

    #[test]
    fn the_tree_is_the_same_and_all_attributes_are_there() {
        let html =
            "<body class=a><my-box data-x=1 onclick=y()><svg><path d='M0'/></svg><p>One<body bgcolor=red class=b>";
        let limits = Limits::default();
        let (dom, source) = dom::parse_with_source(html, &limits);
        let plain = dom::parse(html, &limits);
        assert_eq!(dom.len(), plain.len());
        let tags = |dom: &Dom| dom.descendants(Dom::DOCUMENT).map(|id| dom.tag(id)).collect::<Vec<_>>();
        assert_eq!(tags(&dom), tags(&plain));
        let element = |name| {
            dom.descendants(Dom::DOCUMENT)
                .find_map(|id| source.get(id).filter(|element| element.name() == name))
                .unwrap()
        };
        assert_eq!(element("my-box").attributes().collect::<Vec<_>>(), [("data-x", "1"), ("onclick", "y()")]);
        assert!(element("my-box").is_html() && !element("path").is_html());
        let body = source.get(dom.find(Tag::Body).unwrap()).unwrap();
        assert_eq!((body.attribute("class"), body.attribute("bgcolor")), (Some("a"), Some("red")));
    }
}
