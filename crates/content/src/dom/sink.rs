//! The tree builder's sink: every change goes straight into the arena.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use html5ever::interface::{ElementFlags, ExpandedName, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute as SourceAttribute, LocalName, Namespace, QualName, local_name};

use super::arena::{Arena, Position};
use super::class_values::ClassValues;
use super::shadow::{self, Shadows};
use super::source::SourceElements;
use super::streamed::StreamMarks;
use super::tree::{AttributeRange, Node};
use super::{Attribute, AttributeName, Dom, DomId, NodeData, Tag, Truncation};

/// Nodes of the expected number for each kept attribute, for the first size of their list.
const NODES_PER_ATTRIBUTE: usize = 2;

/// A list of attributes that an element had, empty: the next element's are put into it, since to allocate one for each takes time.
pub(super) type SpareAttributes = Rc<Cell<Vec<SourceAttribute>>>;

/// A node with its name, so that the tree builder's questions need no look-up.
#[derive(Clone)]
pub(super) struct Handle {
    id: DomId,
    namespace: Namespace,
    local: LocalName,
}

impl Handle {
    fn unnamed(id: DomId) -> Self {
        Self { id, namespace: Namespace::default(), local: LocalName::default() }
    }
}

#[derive(Default)]
pub(super) struct ArenaSink {
    nodes: RefCell<Vec<Node>>,
    attributes: RefCell<Vec<Attribute>>,
    spare: SpareAttributes,
    classes: RefCell<ClassValues>,
    open_depth: Cell<u16>,
    /// The elements as the source has them, where that is asked for.
    source: Option<RefCell<SourceElements>>,
    /// Places that the page's scripts fill.
    streamed: RefCell<StreamMarks>,
    /// The fragments of templates that hold the shadow of an element.
    shadow_of: RefCell<HashMap<DomId, DomId>>,
    shadows: RefCell<Shadows>,
}

impl ArenaSink {
    pub(super) fn new(capacity: usize) -> Self {
        let mut nodes = Vec::with_capacity(capacity);
        nodes.push(Node::new(NodeData::Document));
        let attributes = RefCell::new(Vec::with_capacity(capacity / NODES_PER_ATTRIBUTE));
        Self { nodes: RefCell::new(nodes), attributes, ..Self::default() }
    }

    /// The same, and every element's own name and attributes are kept.
    pub(super) fn with_source(self) -> Self {
        Self { source: Some(RefCell::default()), ..self }
    }

    /// What the attributes of the next elements may be put into.
    pub(super) fn spare_attributes(&self) -> SpareAttributes {
        Rc::clone(&self.spare)
    }

    /// What was kept of the source.
    pub(super) fn take_source(&self) -> SourceElements {
        self.source.as_ref().map(RefCell::take).unwrap_or_default()
    }

    pub(super) fn node_count(&self) -> usize {
        self.nodes.borrow().len()
    }

    /// Depth of the last element that was added or moved: as a rule at least the number of the open ones, but less
    /// where the tree builder moved it up and left those around it open.
    pub(super) fn open_depth(&self) -> u16 {
        self.open_depth.get()
    }

    pub(super) fn set_open_depth(&self, depth: u16) {
        self.open_depth.set(depth);
    }

    fn push(&self, data: NodeData) -> DomId {
        let mut nodes = self.nodes.borrow_mut();
        let id = DomId(nodes.len() as u32);
        nodes.push(Node::new(data));
        id
    }

    fn push_element(&self, tag: Tag, mut attributes: Vec<SourceAttribute>) -> DomId {
        let mut list = self.attributes.borrow_mut();
        let first = list.len();
        list.extend(kept_attributes(attributes.drain(..)));
        self.spare.set(attributes);
        let id = self.push(NodeData::Element { tag, attributes: AttributeRange::from(first, &list) });
        self.nodes.borrow_mut()[id.index()].class = self.classes.borrow_mut().of(&list[first..]);
        id
    }

    /// Whether a node is a comment that nothing asks for. It stands nowhere in the tree, so that the text around it is one text as readers
    /// see it: `pa<!-- -->ge`.
    fn is_left_out(&self, arena: &Arena, id: DomId) -> bool {
        matches!(arena.0[id.index()].data, NodeData::Other) && !self.streamed.borrow().is_border(id)
    }

    fn insert(&self, position: Position, child: NodeOrText<Handle>) {
        let mut arena = Arena(&mut self.nodes.borrow_mut());
        match child {
            NodeOrText::AppendText(text) => arena.insert_text(position, &text),
            NodeOrText::AppendNode(handle) if self.is_left_out(&arena, handle.id) => {}
            NodeOrText::AppendNode(handle) => {
                arena.detach(handle.id);
                arena.link(position, handle.id);
                self.open_depth.set(arena.0[handle.id.index()].depth);
            }
        }
    }
}

fn kept_attributes(attributes: impl Iterator<Item = SourceAttribute>) -> impl Iterator<Item = Attribute> {
    attributes.filter_map(|attribute| {
        AttributeName::of(&attribute.name.local).map(|name| Attribute { name, value: attribute.value })
    })
}

impl TreeSink for ArenaSink {
    type Handle = Handle;
    type Output = Dom;
    type ElemName<'a> = ExpandedName<'a>;

    fn finish(self) -> Dom {
        let (nodes, attributes) = (self.nodes.into_inner(), self.attributes.into_inner());
        let (classes, streamed) = (self.classes.into_inner().into_list(), self.streamed.into_inner());
        let mut dom =
            Dom { nodes, attributes, classes, elements: Vec::new(), streamed, truncation: Truncation::default() };
        shadow::place(&mut dom, &self.shadows.into_inner());
        dom.list_elements();
        dom
    }

    fn parse_error(&self, _msg: Cow<'static, str>) {}

    fn get_document(&self) -> Handle {
        Handle::unnamed(Dom::DOCUMENT)
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> ExpandedName<'a> {
        ExpandedName { ns: &target.namespace, local: &target.local }
    }

    fn create_element(&self, name: QualName, attrs: Vec<SourceAttribute>, _flags: ElementFlags) -> Handle {
        let source = self.source.as_ref().map(|source| (source, attrs.clone()));
        let id = self.push_element(Tag::of(&name.local), attrs);
        if name.local == local_name!("template") {
            self.streamed.borrow_mut().see_template(id);
        }
        if let Some((source, attrs)) = source {
            source.borrow_mut().push(id, &name, attrs);
        }
        Handle { id, namespace: name.ns, local: name.local }
    }

    fn create_comment(&self, text: StrTendril) -> Handle {
        let id = self.push(NodeData::Other);
        self.streamed.borrow_mut().see_comment(id, &text);
        Handle::unnamed(id)
    }

    fn create_pi(&self, _target: StrTendril, _data: StrTendril) -> Handle {
        Handle::unnamed(self.push(NodeData::Other))
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        self.insert(Position::LastIn(parent.id), child);
    }

    fn append_based_on_parent_node(&self, element: &Handle, previous: &Handle, child: NodeOrText<Handle>) {
        let has_parent = self.nodes.borrow()[element.id.index()].parent != DomId::NONE;
        let position = if has_parent { Position::Before(element.id) } else { Position::LastIn(previous.id) };
        self.insert(position, child);
    }

    fn append_doctype_to_document(&self, _name: StrTendril, _public: StrTendril, _system: StrTendril) {}

    /// A template's contents are a fragment of their own that nothing links to: they are no part of the page, but for those in the
    /// [shadow](super::shadow) of an element.
    fn get_template_contents(&self, target: &Handle) -> Handle {
        let shadow = self.shadow_of.borrow().get(&target.id).copied();
        Handle::unnamed(shadow.unwrap_or_else(|| self.push(NodeData::Other)))
    }

    fn attach_declarative_shadow(&self, location: &Handle, template: &Handle, _attrs: &[SourceAttribute]) -> bool {
        // What nests within shadows counts as deep as where it may be put.
        let shadow = self.push(NodeData::Other);
        let depth = self.nodes.borrow()[location.id.index()].depth;
        self.nodes.borrow_mut()[shadow.index()].depth = depth;
        self.shadow_of.borrow_mut().insert(template.id, shadow);
        self.shadows.borrow_mut().push((location.id, shadow));
        // The template itself stands where another would.
        self.insert(Position::LastIn(location.id), NodeOrText::AppendNode(template.clone()));
        true
    }

    fn same_node(&self, x: &Handle, y: &Handle) -> bool {
        x.id == y.id
    }

    fn set_quirks_mode(&self, _mode: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &Handle, new_node: NodeOrText<Handle>) {
        self.insert(Position::Before(sibling.id), new_node);
    }

    fn add_attrs_if_missing(&self, target: &Handle, attrs: Vec<SourceAttribute>) {
        if let Some(source) = &self.source {
            source.borrow_mut().add_missing(target.id, &attrs);
        }
        let mut nodes = self.nodes.borrow_mut();
        let node = &mut nodes[target.id.index()];
        let NodeData::Element { attributes, .. } = &mut node.data else { return };
        let mut list = self.attributes.borrow_mut();
        let mut all = attributes.of(&list).to_vec();
        let present = all.len();
        for attribute in kept_attributes(attrs.into_iter()) {
            if all.iter().all(|present| present.name != attribute.name) {
                all.push(attribute);
            }
        }
        if all.len() > present {
            let first = list.len();
            node.class = self.classes.borrow_mut().of(&all);
            list.extend(all);
            *attributes = AttributeRange::from(first, &list);
        }
    }

    fn remove_from_parent(&self, target: &Handle) {
        Arena(&mut self.nodes.borrow_mut()).detach(target.id);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        Arena(&mut self.nodes.borrow_mut()).reparent_children(node.id, new_parent.id);
    }
}
