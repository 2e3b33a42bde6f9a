//! Figure 4: from the element tree to the content structure tree.
//!
//! Differs from the paper: 1) recursion is an explicit stack; 2) an HtmlItem without any content below it is not added, nor is a
//! Link or Image that leads and shows nothing; 3) neighbouring texts with no boundary between them are one Text node; 4) text inside a
//! link belongs to the Link node, and a link that spans several blocks is a Link node in each; 5) `noscript` counts when it
//! holds real text, since the parse is that of a browser without scripts.

use std::sync::OnceLock;

use super::aside::OpenAsides;
use super::display::{display, holds_block};
use super::image::image_source;
use super::language::declared_language;
use super::line_break::keeps_lines;
use super::macros::is_macros;
use super::places::Places;
use super::raised::Joints;
use super::seam::{announces_word, continues_link, is_code, is_preformatted, is_variant_before_another};
use super::text::{Gap, TextBuffer, is_blank};
use super::tree::{CutShort, ItemDetail, Node, Step};
use super::{ContentStructureTree, ImageDetail, LinkDetail, NodeId, NodeKind, Profile, Run, Span};
use crate::dom::{AttributeName, Display, Dom, DomId, Tag};
use crate::limits::Limits;

/// Builds the tree of a page. Never fails; limits cut off what is beyond them.
pub fn build(dom: &Dom, profile: Profile, limits: &Limits) -> ContentStructureTree {
    let root = dom.find(Tag::Body).or_else(|| dom.find(Tag::Frameset)).unwrap_or(Dom::DOCUMENT);
    let mut builder = Builder::new(dom, profile, limits);
    builder.elements.push(Step { tag: Tag::Body as u8, nth: 1 });
    builder.open_item(root, Tag::Body);
    builder.walk(root);
    builder.close_item(true);
    builder.finish()
}

/// An element whose end has not been reached.
struct Frame {
    element: DomId,
    child: Option<DomId>,
    elements_seen: u16,
    tag: Tag,
    opened_item: bool,
    opened_link: bool,
    /// `elements` and `item_base` as they were before this element.
    elements_before: usize,
    base_before: usize,
}

/// A link that text is now inside of.
struct OpenLink {
    detail: u32,
    source: DomId,
    /// Whether it goes on with the word of the link before it.
    continues: bool,
    /// Its node in the current run.
    node: Option<NodeId>,
}

struct Builder<'a> {
    dom: &'a Dom,
    tree: ContentStructureTree,
    buffer: TextBuffer,
    /// Open HtmlItems, outermost first.
    open_items: Vec<NodeId>,
    /// The open elements below the root; those from `item_base` on are inside the innermost HtmlItem.
    elements: Vec<Step>,
    item_base: usize,
    /// First content node and first text byte of the run that is being filled.
    run: Option<(u32, usize)>,
    link: Option<OpenLink>,
    /// Text length at the end of the last link or button: two of them side by side are two words.
    control_end: usize,
    asides: OpenAsides,
    preformatted: u32,
    /// Open elements with code, in which nothing parts words but white space.
    code: u32,
    /// Open elements whose line ends are shown.
    lines: Vec<DomId>,
    joints: Joints,
    places: Places,
}

impl<'a> Builder<'a> {
    fn new(dom: &'a Dom, profile: Profile, limits: &Limits) -> Self {
        let tree = ContentStructureTree {
            profile,
            nodes: Vec::with_capacity(dom.len()),
            items: Vec::new(),
            links: Vec::new(),
            images: Vec::new(),
            steps: Vec::new(),
            runs: Vec::new(),
            runs_before: OnceLock::new(),
            text: String::new(),
            attribute_text: String::new(),
            asides: Vec::new(),
            places: Vec::new(),
            languages: Vec::new(),
            is_cut_short: false,
            sources: Vec::with_capacity(dom.len()),
            source_texts: Vec::with_capacity(dom.len() / 2),
            truncation: dom.truncated(),
            cut_short: None,
        };
        Self {
            dom,
            tree,
            buffer: TextBuffer::new(dom.len() * 8, limits.text_bytes_max),
            open_items: Vec::new(),
            elements: Vec::new(),
            item_base: 0,
            run: None,
            link: None,
            control_end: usize::MAX,
            asides: OpenAsides::default(),
            preformatted: 0,
            code: 0,
            lines: Vec::new(),
            joints: Joints::default(),
            places: Places::default(),
        }
    }

    fn walk(&mut self, root: DomId) {
        let mut stack = vec![self.frame(root, Tag::Body, false, false)];
        while let Some(frame) = stack.last_mut() {
            let Some(child) = frame.child else {
                if let Some(frame) = stack.pop() {
                    self.leave(&frame);
                }
                continue;
            };
            frame.child = self.dom.next_sibling(child);
            if let Some(text) = self.dom.text(child) {
                self.add_text(child, text);
            } else if let Some(tag) = self.dom.tag(child) {
                frame.elements_seen = frame.elements_seen.saturating_add(1);
                let nth = frame.elements_seen;
                if let Some(frame) = self.enter(child, tag, nth) {
                    stack.push(frame);
                }
            }
        }
    }

    fn frame(&self, element: DomId, tag: Tag, opened_item: bool, opened_link: bool) -> Frame {
        let child = self.dom.first_child(element);
        let (elements_before, base_before) = (self.elements.len(), self.item_base);
        Frame { element, child, elements_seen: 0, tag, opened_item, opened_link, elements_before, base_before }
    }

    /// Opens an element; `None` when nothing inside it is read.
    fn enter(&mut self, element: DomId, tag: Tag, nth: u16) -> Option<Frame> {
        match display(self.dom, element, tag) {
            Display::Dropped => return None,
            Display::Break => {
                self.buffer.separate(Gap::Line);
                return None;
            }
            Display::Rule => {
                self.end_run();
                return None;
            }
            Display::Inline if tag == Tag::Img => {
                self.add_image(element);
                return None;
            }
            Display::Inline => self.open_inline(element, tag, nth),
            Display::Block => self.end_run(),
        }
        let mut frame = self.frame(element, tag, self.opens_item(element, tag), false);
        self.elements.push(Step { tag: tag as u8, nth });
        if frame.opened_item {
            self.open_item(element, tag);
        } else if self.preformatted == 0 {
            self.add_place(element, tag);
        }
        frame.opened_link = tag == Tag::A && self.link.is_none() && self.open_link(element);
        self.asides.open(self.dom, element, tag, self.buffer.len());
        self.preformatted += u32::from(is_preformatted(tag));
        self.code += u32::from(is_code(tag));
        self.lines.extend(keeps_lines(self.dom, element).then_some(element));
        Some(frame)
    }

    /// Takes note of where words may be parted.
    fn open_inline(&mut self, element: DomId, tag: Tag, nth: u16) {
        if announces_word(self.dom, element, tag) {
            self.buffer.separate(Gap::Space);
        }
        if !self.is_in_code() {
            let gap = self.joints.open(self.dom, (element, tag), &self.buffer.text, nth);
            self.buffer.separate(gap);
        }
    }

    fn is_in_code(&self) -> bool {
        self.code > 0 || self.preformatted > 0
    }

    fn leave(&mut self, frame: &Frame) {
        if self.preformatted > 0 && is_variant_before_another(self.dom, frame.element) {
            self.buffer.push_preformatted("\n");
        }
        self.preformatted -= u32::from(is_preformatted(frame.tag));
        self.code -= u32::from(is_code(frame.tag));
        self.lines.pop_if(|open| *open == frame.element);
        if !self.is_in_code() {
            self.joints.close(frame.element, frame.tag, self.buffer.len());
        }
        self.close_aside(frame.element, frame.tag);
        if frame.opened_link {
            self.close_link();
        }
        if frame.tag == Tag::A || frame.tag == Tag::Button {
            self.control_end = self.buffer.len();
        }
        if display(self.dom, frame.element, frame.tag) == Display::Block {
            self.end_run();
        }
        if frame.opened_item {
            self.close_item(false);
        }
        self.elements.truncate(frame.elements_before);
        self.item_base = frame.base_before;
    }

    fn opens_item(&self, element: DomId, tag: Tag) -> bool {
        let profile = self.tree.profile;
        let container = matches!(tag, Tag::Custom | Tag::Unknown) && holds_block(self.dom, element);
        profile.opens_item(tag) || (container && profile == Profile::Modern)
    }

    // Items

    fn open_item(&mut self, element: DomId, tag: Tag) {
        let first = self.tree.steps.len() as u32;
        self.tree.steps.extend_from_slice(&self.elements[self.item_base..]);
        self.item_base = self.elements.len();
        let steps = Span { start: first, end: self.tree.steps.len() as u32 };
        let id = self.kept_words(element, AttributeName::Id);
        let detail = self.tree.items.len() as u32;
        self.tree.items.push(ItemDetail { steps, id });
        let item = self.push_node(NodeKind::HtmlItem, element, tag, detail);
        let language = self.tree.keep_words(declared_language(self.dom, element, tag));
        self.tree.declare_language(item, language);
        self.open_items.push(item);
        self.push_node(NodeKind::Element, element, tag, detail);
    }

    fn close_item(&mut self, is_root: bool) {
        self.end_run();
        let Some(item) = self.open_items.pop() else { return };
        let length = self.tree.nodes.len();
        if length == item.index() + 2 && !is_root {
            let is_heading = self.tree.tag(item).heading_level().is_some();
            self.drop_item(item);
            if is_heading {
                self.places.end_empty_heading();
            }
        } else {
            self.tree.nodes[item.index()].end = length as u32;
        }
    }

    /// Takes back an item in which nothing was found.
    fn drop_item(&mut self, item: NodeId) {
        self.tree.nodes.truncate(item.index());
        self.tree.sources.truncate(item.index());
        self.tree.languages.pop_if(|language| language.node >= item.0);
        if let Some(ItemDetail { steps, id }) = self.tree.items.pop() {
            self.tree.steps.truncate(steps.start as usize);
            self.places.push(id);
        }
    }

    /// Takes note of the name of an element that is no HtmlItem.
    fn add_place(&mut self, element: DomId, tag: Tag) {
        let mut name = self.kept_words(element, AttributeName::Id);
        if name.is_empty() && tag == Tag::A {
            name = self.kept_words(element, AttributeName::Name);
        }
        self.places.push(name);
    }

    fn push_node(&mut self, kind: NodeKind, source: DomId, tag: Tag, detail: u32) -> NodeId {
        let id = self.tree.nodes.len() as u32;
        let parent = self.open_items.last().map_or(0, |item| item.0);
        let text = Span { start: self.buffer.len() as u32, end: self.buffer.len() as u32 };
        self.tree.nodes.push(Node { kind, tag: tag as u8, parent, end: id + 1, text, detail });
        self.tree.sources.push(source);
        NodeId(id)
    }

    // Runs and contents

    fn start_run(&mut self) {
        if self.run.is_none() {
            self.buffer.start_run();
            self.run = Some((self.tree.nodes.len() as u32, self.buffer.len()));
        }
    }

    fn end_run(&mut self) {
        self.joints = Joints::default();
        let Some((first_node, first_byte)) = self.run.take() else { return };
        let nodes = first_node..self.tree.nodes.len() as u32;
        if let Some(link) = &mut self.link {
            link.node = None;
        }
        let text = Span { start: first_byte as u32, end: self.buffer.len() as u32 };
        if nodes.is_empty() {
            return;
        }
        let item = self.open_items.last().copied().unwrap_or(ContentStructureTree::ROOT);
        self.tree.runs.push(Run { item, nodes, text });
    }

    fn add_text(&mut self, source: DomId, text: &str) {
        if is_blank(text) {
            if self.preformatted == 0 {
                self.buffer.separate(Gap::Space);
            } else if self.run.is_some() {
                self.buffer.push_preformatted(text);
            }
            return;
        }
        if self.buffer.is_full() || (!self.is_in_code() && is_macros(self.dom, source, text)) {
            return;
        }
        self.start_run();
        let begins_control = match &self.link {
            Some(link) => self.control_end == self.buffer.len() && !link.continues,
            None => self.control_end == self.buffer.len() && self.asides.is_in_button(),
        };
        if begins_control {
            self.buffer.separate(Gap::Space);
        }
        let (written, run_start) = self.buffer.written();
        let gap = self.joints.take(self.dom, written, run_start, text);
        self.buffer.separate(gap);
        self.tree.source_texts.push((source, self.tree.runs.len()));
        let node = self.text_target(source);
        self.places.settle(node);
        let keeps_indentation = self.preformatted > 0 && !self.buffer.run_has_text();
        if self.preformatted > 0 {
            self.buffer.push_preformatted(text);
        } else {
            self.buffer.push_folded(text, self.code == 0 && self.lines.is_empty());
        }
        let span = &mut self.tree.nodes[node.index()].text;
        if span.is_empty() {
            // The gap before the node's first word is between nodes.
            let written = &self.buffer.text[span.start as usize..];
            let leading = written.len() - written.trim_start().len();
            span.start += if keeps_indentation { 0 } else { leading as u32 };
        }
        span.end = self.buffer.len() as u32;
    }

    /// The node that takes the next text: the open link's, the last text of the run, or a new one.
    fn text_target(&mut self, source: DomId) -> NodeId {
        if let Some(node) = self.link_node() {
            return node;
        }
        let last = NodeId(self.tree.nodes.len() as u32 - 1);
        let in_run = self.run.is_some_and(|(first, _)| first <= last.0);
        if in_run && self.tree.kind(last) == NodeKind::Text {
            return last;
        }
        let tag = self.dom.parent(source).and_then(|parent| self.dom.tag(parent)).unwrap_or(Tag::Unknown);
        self.push_node(NodeKind::Text, source, tag, 0)
    }

    /// The open link's node in this run, made when it has none yet; `None` outside links.
    fn link_node(&mut self) -> Option<NodeId> {
        let OpenLink { detail, source, node, .. } = self.link.as_ref()?;
        if node.is_some() {
            return *node;
        }
        let node = Some(self.push_node(NodeKind::Link, *source, Tag::A, *detail));
        if let Some(link) = &mut self.link {
            link.node = node;
        }
        node
    }

    fn open_link(&mut self, element: DomId) -> bool {
        if self.dom.attribute(element, AttributeName::Href).is_none() {
            return false;
        }
        let href = self.tree.keep_url(self.dom.attribute(element, AttributeName::Href).unwrap_or(""));
        let title = self.kept_words(element, AttributeName::Title);
        let detail = self.tree.links.len() as u32;
        self.tree.links.push(LinkDetail { href, title });
        let continues = continues_link(self.dom, element);
        self.link = Some(OpenLink { detail, source: element, continues, node: None });
        true
    }

    fn close_link(&mut self) {
        self.link = None;
    }

    /// Takes note of what stands beside words: a button does in a heading or in code.
    fn close_aside(&mut self, element: DomId, tag: Tag) {
        let is_beside = tag == Tag::Button && (self.preformatted > 0 || self.dom.is_in_heading(element));
        if let Some(span) = self.asides.close(element, tag, &self.buffer.text, is_beside) {
            // What is within it goes with it, and a reading with its bracket.
            while self.tree.asides.pop_if(|within| within.start >= span.start).is_some() {}
            self.tree.asides.push(span);
        }
    }

    fn add_image(&mut self, element: DomId) {
        let src = self.tree.keep_url(image_source(self.dom, element));
        let alt = self.kept_words(element, AttributeName::Alt);
        if src.is_empty() && alt.is_empty() {
            return;
        }
        let title = self.kept_words(element, AttributeName::Title);
        self.start_run();
        self.link_node();
        let detail = self.tree.images.len() as u32;
        self.tree.images.push(ImageDetail { src, alt, title });
        let node = self.push_node(NodeKind::Image, element, Tag::Img, detail);
        self.places.settle(node);
    }

    /// Keeps an attribute that is words or a name.
    fn kept_words(&mut self, element: DomId, name: AttributeName) -> Span {
        self.tree.keep_words(self.dom.attribute(element, name).unwrap_or(""))
    }

    fn finish(mut self) -> ContentStructureTree {
        self.tree.cut_short = CutShort::of(self.tree.truncation, self.buffer.truncated);
        self.tree.is_cut_short = self.tree.cut_short.is_some();
        self.tree.places = self.places.finish();
        self.tree.text = self.buffer.text;
        debug_assert!(self.open_items.is_empty(), "every opened item is closed");
        debug_assert_eq!(self.tree.sources.len(), self.tree.nodes.len());
        self.tree
    }
}

#[cfg(test)]
mod tests;
