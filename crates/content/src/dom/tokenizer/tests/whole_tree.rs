//! A tree with everything in it, and its notation in the tests of html5lib.

use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt::Write;

use html5ever::interface::{ElementFlags, ExpandedName, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, QualName, ns};

#[derive(Clone)]
pub(super) struct Handle {
    id: usize,
    name: Option<QualName>,
}

enum Kind {
    Document,
    Element { name: QualName, attributes: Vec<Attribute>, content: Option<usize> },
    Text(String),
    Other(String),
}

struct Node {
    kind: Kind,
    parent: Option<usize>,
    children: Vec<usize>,
}

pub(super) struct WholeTree(RefCell<Vec<Node>>);

impl Default for WholeTree {
    fn default() -> Self {
        Self(RefCell::new(vec![Node { kind: Kind::Document, parent: None, children: Vec::new() }]))
    }
}

impl WholeTree {
    /// Takes away what may be left out without changing the tree: attributes, and the texts of comments.
    pub(super) fn strip(&self) {
        for node in self.0.borrow_mut().iter_mut() {
            match &mut node.kind {
                Kind::Element { attributes, .. } => attributes.clear(),
                Kind::Other(text) if text.starts_with("<!-- ") => text.clear(),
                _ => {}
            }
        }
    }

    fn push(&self, kind: Kind) -> usize {
        let mut nodes = self.0.borrow_mut();
        nodes.push(Node { kind, parent: None, children: Vec::new() });
        nodes.len() - 1
    }

    fn detach(&self, id: usize) {
        let mut nodes = self.0.borrow_mut();
        if let Some(parent) = nodes[id].parent.take() {
            nodes[parent].children.retain(|child| *child != id);
        }
    }

    fn insert(&self, parent: usize, before: Option<usize>, child: NodeOrText<Handle>) {
        if let NodeOrText::AppendNode(handle) = &child {
            self.detach(handle.id);
        }
        let children = self.0.borrow()[parent].children.clone();
        let place = before.map_or(children.len(), |before| children.iter().position(|child| *child == before).unwrap());
        let id = match child {
            NodeOrText::AppendNode(handle) => handle.id,
            NodeOrText::AppendText(text) => {
                if let Some(neighbour) = place.checked_sub(1)
                    && let Kind::Text(before) = &mut self.0.borrow_mut()[children[neighbour]].kind
                {
                    return before.push_str(&text);
                }
                self.push(Kind::Text(text.to_string()))
            }
        };
        let mut nodes = self.0.borrow_mut();
        nodes[parent].children.insert(place, id);
        nodes[id].parent = Some(parent);
    }

    /// The tree in the notation of html5lib's tests.
    pub(super) fn outline(&self) -> String {
        let mut outline = String::new();
        let nodes = self.0.borrow();
        let mut open: Vec<(usize, usize)> = nodes[0].children.iter().rev().map(|child| (*child, 0)).collect();
        while let Some((id, depth)) = open.pop() {
            let below = outline_node(&nodes[id].kind, depth, &mut outline);
            open.extend(nodes[id].children.iter().rev().map(|child| (*child, depth + 1)));
            if let Some(content) = below {
                let _ = writeln!(outline, "| {}content", "  ".repeat(depth + 1));
                open.extend(nodes[content].children.iter().rev().map(|child| (*child, depth + 2)));
            }
        }
        outline
    }
}

/// Writes a node; gives the content of a template.
fn outline_node(kind: &Kind, depth: usize, outline: &mut String) -> Option<usize> {
    let indent = "  ".repeat(depth);
    let _ = match kind {
        Kind::Document => Ok(()),
        Kind::Text(text) => writeln!(outline, "| {indent}\"{text}\""),
        Kind::Other(text) => writeln!(outline, "| {indent}{text}"),
        Kind::Element { name, attributes, content } => {
            let _ = writeln!(outline, "| {indent}<{}{}>", prefix(name), name.local);
            let mut lines: Vec<String> = attributes.iter().map(attribute).collect();
            lines.sort();
            for line in lines {
                let _ = writeln!(outline, "| {indent}  {line}");
            }
            return *content;
        }
    };
    None
}

fn prefix(name: &QualName) -> &'static str {
    match name.ns {
        ns!(svg) => "svg ",
        ns!(mathml) => "math ",
        _ => "",
    }
}

fn attribute(attribute: &Attribute) -> String {
    let space = match attribute.name.ns {
        ns!(xlink) => "xlink ",
        ns!(xml) => "xml ",
        ns!(xmlns) => "xmlns ",
        _ => "",
    };
    format!("{space}{}=\"{}\"", attribute.name.local, attribute.value)
}

impl TreeSink for WholeTree {
    type Handle = Handle;
    type Output = ();
    type ElemName<'a> = ExpandedName<'a>;

    fn finish(self) {}

    fn parse_error(&self, _msg: Cow<'static, str>) {}

    fn get_document(&self) -> Handle {
        Handle { id: 0, name: None }
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> ExpandedName<'a> {
        target.name.as_ref().unwrap().expanded()
    }

    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, flags: ElementFlags) -> Handle {
        let content = flags.template.then(|| self.push(Kind::Document));
        Handle { id: self.push(Kind::Element { name: name.clone(), attributes, content }), name: Some(name) }
    }

    fn create_comment(&self, text: StrTendril) -> Handle {
        Handle { id: self.push(Kind::Other(format!("<!-- {text} -->"))), name: None }
    }

    fn create_pi(&self, target: StrTendril, data: StrTendril) -> Handle {
        Handle { id: self.push(Kind::Other(format!("<?{target} {data}>"))), name: None }
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        self.insert(parent.id, None, child);
    }

    fn append_based_on_parent_node(&self, element: &Handle, previous: &Handle, child: NodeOrText<Handle>) {
        let parent = self.0.borrow()[element.id].parent;
        match parent {
            Some(parent) => self.insert(parent, Some(element.id), child),
            None => self.insert(previous.id, None, child),
        }
    }

    fn append_doctype_to_document(&self, name: StrTendril, public: StrTendril, system: StrTendril) {
        let named = !(public.is_empty() && system.is_empty());
        let identifiers = if named { format!(" \"{public}\" \"{system}\"") } else { String::new() };
        let id = self.push(Kind::Other(format!("<!DOCTYPE {name}{identifiers}>")));
        self.insert(0, None, NodeOrText::AppendNode(Handle { id, name: None }));
    }

    fn get_template_contents(&self, target: &Handle) -> Handle {
        match self.0.borrow()[target.id].kind {
            Kind::Element { content: Some(id), .. } => Handle { id, name: None },
            _ => unreachable!("only templates are asked for their content"),
        }
    }

    fn same_node(&self, x: &Handle, y: &Handle) -> bool {
        x.id == y.id
    }

    fn set_quirks_mode(&self, _mode: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &Handle, child: NodeOrText<Handle>) {
        let parent = self.0.borrow()[sibling.id].parent;
        if let Some(parent) = parent {
            self.insert(parent, Some(sibling.id), child);
        }
    }

    fn add_attrs_if_missing(&self, target: &Handle, new: Vec<Attribute>) {
        if let Kind::Element { attributes, .. } = &mut self.0.borrow_mut()[target.id].kind {
            for attribute in new {
                if attributes.iter().all(|present| present.name != attribute.name) {
                    attributes.push(attribute);
                }
            }
        }
    }

    fn remove_from_parent(&self, target: &Handle) {
        self.detach(target.id);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        let children = std::mem::take(&mut self.0.borrow_mut()[node.id].children);
        let mut nodes = self.0.borrow_mut();
        for child in &children {
            nodes[*child].parent = Some(new_parent.id);
        }
        nodes[new_parent.id].children.extend(children);
    }
}
