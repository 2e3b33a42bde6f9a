//! The arena of elements and texts.

use std::borrow::Cow;

use html5ever::tendril::StrTendril;

use super::class_values::{ClassId, ClassValue};
use super::streamed::{self, StreamMarks};
use super::{Attribute, AttributeName, ClassNames, Tag};

/// Elements around one that are looked at for a heading.
const HEADING_LEVELS: usize = 3;

/// Index of a node in its [`Dom`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DomId(pub(super) u32);

impl DomId {
    pub(super) const NONE: Self = Self(u32::MAX);

    /// The index as a number, for arrays beside the tree.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    fn some(self) -> Option<Self> {
        (self != Self::NONE).then_some(self)
    }
}

/// What a node is.
#[derive(Debug, Clone)]
pub enum NodeData {
    /// The document itself: node 0.
    Document,
    /// An element.
    Element {
        /// Its name.
        tag: Tag,
        /// Where its kept attributes stand among all.
        attributes: AttributeRange,
    },
    /// Character data.
    Text(StrTendril),
    /// A comment, processing instruction or template content: nothing is read from it. Of comments and instructions only those stand in
    /// the tree that open or close a place which is filled later.
    Other,
}

/// The attributes of one element, in source order, in the list of the page's. One list takes less time than one for each element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AttributeRange {
    first: u32,
    len: u32,
}

impl AttributeRange {
    /// The attributes from `first` to the end of the list.
    pub(super) fn from(first: usize, list: &[Attribute]) -> Self {
        Self { first: first as u32, len: (list.len() - first) as u32 }
    }

    /// These attributes of the list.
    #[inline]
    pub(super) fn of(self, list: &[Attribute]) -> &[Attribute] {
        &list[self.first as usize..][..self.len as usize]
    }
}

#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) data: NodeData,
    pub(super) parent: DomId,
    pub(super) previous: DomId,
    pub(super) next: DomId,
    pub(super) first_child: DomId,
    pub(super) last_child: DomId,
    pub(super) depth: u16,
    /// An element's `class`.
    pub(super) class: ClassId,
}

impl Node {
    pub(super) fn new(data: NodeData) -> Self {
        let none = DomId::NONE;
        Self {
            data,
            parent: none,
            previous: none,
            next: none,
            first_child: none,
            last_child: none,
            depth: 0,
            class: ClassId::default(),
        }
    }
}

/// Which limit cut a page short, if any.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Truncation {
    /// Start tags below the depth limit were ignored.
    pub depth: bool,
    /// The node limit was reached; the rest was not read.
    pub nodes: bool,
    /// The source was longer than the limit; the rest was not read.
    pub html_bytes: bool,
}

/// A page's elements and texts.
#[derive(Debug, Clone)]
pub struct Dom {
    pub(super) nodes: Vec<Node>,
    /// Of all elements.
    pub(super) attributes: Vec<Attribute>,
    /// The distinct values of `class`.
    pub(super) classes: Vec<ClassValue>,
    /// All elements of the document, in its order.
    pub(super) elements: Vec<DomId>,
    pub(super) streamed: StreamMarks,
    pub(super) truncation: Truncation,
}

impl Dom {
    /// The document node, parent of `html`.
    pub const DOCUMENT: DomId = DomId(0);

    /// Number of nodes, detached ones included: the length of arrays indexed by [`DomId::index`].
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no element at all.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() <= 1
    }

    /// Which limits cut the page short.
    pub fn truncated(&self) -> Truncation {
        self.truncation
    }

    /// The page as its own scripts make it where it was streamed: late parts in their places. Nodes keep their ids.
    pub(crate) fn in_place(&self) -> Cow<'_, Self> {
        streamed::in_place(self)
    }

    fn node(&self, id: DomId) -> &Node {
        &self.nodes[id.index()]
    }

    /// What the node is.
    pub fn data(&self, id: DomId) -> &NodeData {
        &self.node(id).data
    }

    /// All elements of the document, in its order. To go through them is faster than from one node to the next.
    pub fn elements(&self) -> impl ExactSizeIterator<Item = DomId> + '_ {
        self.elements.iter().copied()
    }

    /// Lists the elements, after the tree was made or changed.
    pub(super) fn list_elements(&mut self) {
        self.elements = self.descendants(Self::DOCUMENT).filter(|id| self.tag(*id).is_some()).collect();
    }

    /// The element's tag; `None` for texts and others.
    pub fn tag(&self, id: DomId) -> Option<Tag> {
        match self.data(id) {
            NodeData::Element { tag, .. } => Some(*tag),
            _ => None,
        }
    }

    /// The node's text, if it is a text.
    pub fn text(&self, id: DomId) -> Option<&str> {
        match self.data(id) {
            NodeData::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The element's kept attributes.
    #[inline]
    pub fn attributes(&self, id: DomId) -> &[Attribute] {
        match self.data(id) {
            NodeData::Element { attributes, .. } => attributes.of(&self.attributes),
            _ => &[],
        }
    }

    /// The value of one attribute.
    #[inline]
    pub fn attribute(&self, id: DomId, name: AttributeName) -> Option<&str> {
        self.attributes(id).iter().find(|attribute| attribute.name == name).map(|attribute| &*attribute.value)
    }

    /// An element's `class`, empty when it has none; of a very long one the beginning, since elements are asked for it
    /// by all their children.
    pub(crate) fn class(&self, id: DomId) -> &str {
        self.class_value(id).text()
    }

    /// Which of the page's values of `class` an element has.
    #[inline]
    pub(crate) fn class_id(&self, id: DomId) -> ClassId {
        self.node(id).class
    }

    #[inline]
    fn class_value(&self, id: DomId) -> &ClassValue {
        &self.classes[self.class_id(id).index()]
    }

    /// The page's values of `class`, each once: the place of each is its [`ClassId`].
    pub(crate) fn distinct_classes(&self) -> impl Iterator<Item = &ClassValue> {
        self.classes.iter()
    }

    /// The names in an element's `class`.
    pub(crate) fn class_names(&self, id: DomId) -> impl Iterator<Item = &str> + Clone {
        self.class(id).split_ascii_whitespace()
    }

    /// Whether one of the names in an element's `class` is among these, in any case.
    #[inline]
    pub(crate) fn has_class(&self, id: DomId, names: &ClassNames) -> bool {
        names.are_in(self.class_value(id))
    }

    /// Whether a node is white space or a comment.
    pub(crate) fn is_blank(&self, id: DomId) -> bool {
        self.tag(id).is_none() && self.text(id).is_none_or(|text| text.trim().is_empty())
    }

    /// Whether a heading is one of the nearest elements around it.
    pub(crate) fn is_in_heading(&self, id: DomId) -> bool {
        self.heading_around(id).is_some()
    }

    /// The heading that is one of the nearest elements around it.
    pub(crate) fn heading_around(&self, id: DomId) -> Option<DomId> {
        let mut around = std::iter::successors(self.parent(id), |id| self.parent(*id)).take(HEADING_LEVELS);
        around.find(|id| self.tag(*id).is_some_and(|tag| tag.heading_level().is_some()))
    }

    /// Whether the element is a script of that media type.
    pub(crate) fn is_script_of(&self, id: DomId, media_type: &str) -> bool {
        let is_it = |kind: &str| kind.trim().eq_ignore_ascii_case(media_type);
        self.tag(id) == Some(Tag::Script) && self.attribute(id, AttributeName::Type).is_some_and(is_it)
    }

    /// The parent, `None` for the document and for detached nodes.
    pub fn parent(&self, id: DomId) -> Option<DomId> {
        self.node(id).parent.some()
    }

    /// Its depth, or somewhat more: the tree builder moves nodes without telling how deep they were.
    pub(super) fn depth(&self, id: DomId) -> u16 {
        self.node(id).depth
    }

    /// The first child.
    pub fn first_child(&self, id: DomId) -> Option<DomId> {
        self.node(id).first_child.some()
    }

    /// The next sibling.
    pub fn next_sibling(&self, id: DomId) -> Option<DomId> {
        self.node(id).next.some()
    }

    /// The previous sibling.
    pub fn previous_sibling(&self, id: DomId) -> Option<DomId> {
        self.node(id).previous.some()
    }

    /// The children in order.
    pub fn children(&self, id: DomId) -> impl Iterator<Item = DomId> + '_ {
        std::iter::successors(self.first_child(id), |child| self.next_sibling(*child))
    }

    /// The node and all below it, in document order. No recursion: links are followed.
    pub fn descendants(&self, root: DomId) -> impl Iterator<Item = DomId> + '_ {
        std::iter::successors(Some(root), move |id| self.following(*id, root))
    }

    /// The node after `id` in document order within `root`'s subtree.
    pub fn following(&self, id: DomId, root: DomId) -> Option<DomId> {
        self.first_child(id).or_else(|| self.following_after(id, root))
    }

    /// The node after `id`'s whole subtree in document order, within `root`'s subtree.
    pub(crate) fn following_after(&self, id: DomId, root: DomId) -> Option<DomId> {
        let mut at = id;
        while at != root {
            if let Some(next) = self.next_sibling(at) {
                return Some(next);
            }
            at = self.parent(at)?;
        }
        None
    }

    /// The first element of that tag below the document, in document order.
    pub fn find(&self, tag: Tag) -> Option<DomId> {
        self.elements().find(|id| self.tag(*id) == Some(tag))
    }

    /// The first child of that tag of the `html` element: `head` or `body`.
    pub(crate) fn find_in_html(&self, tag: Tag) -> Option<DomId> {
        let html = self.children(Self::DOCUMENT).find(|id| self.tag(*id) == Some(Tag::Html))?;
        self.children(html).find(|id| self.tag(*id) == Some(tag))
    }

    /// What the page's links are relative to, as its `base` element says.
    pub(crate) fn base_href(&self) -> Option<&str> {
        let head = self.find_in_html(Tag::Head)?;
        let base = self.descendants(head).find(|id| self.tag(*id) == Some(Tag::Base))?;
        self.attribute(base, AttributeName::Href).map(str::trim).filter(|href| !href.is_empty())
    }

    /// The texts below a node joined as they stand.
    pub fn text_content(&self, id: DomId) -> String {
        self.descendants(id).filter_map(|node| self.text(node)).collect()
    }
}
