//! HTML text to [`Dom`], with bounded depth and size.
//!
//! html5ever's tree construction is quadratic in the nesting depth, since it looks for open elements along its stack. So start
//! tags below the limit are taken out of the token stream together with their end tags, as browsers flatten them.

use std::cell::{Cell, RefCell};

use html5ever::LocalName;
use html5ever::interface::Tracer;
use html5ever::tokenizer::{TagKind, Token, TokenSink, TokenSinkResult};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts, TreeSink};

use super::script_data::hidden_main;
use super::sink::{ArenaSink, Handle};
use super::source::SourceElements;
use super::tokenizer::{AttributePolicy, Tokenizer, VOID, is_xml, prepare};
use super::{Dom, Tag, Truncation};
use crate::limits::Limits;

/// Average bytes of source to a node, for the arena's first size.
const BYTES_PER_NODE: usize = 40;

/// Start tags after which the open elements are counted at the latest: so many may be open above the limit.
const START_TAGS_UNCOUNTED_MAX: usize = 256;

/// Parses a page. Scripting is off, so that `noscript` content is read as elements. Never fails.
///
/// A page of frames shows other pages; its own text is what it offers to readers without frames. The standard takes that as raw
/// text, so it is parsed in the page's place. A page without words whose scripts would show those of its data has them behind its
/// elements, in a `main`.
pub fn parse(html: &str, limits: &Limits) -> Dom {
    parse_as(html, limits, AttributePolicy::Read).0
}

/// Parses a page into the same tree as [`parse`], and keeps every element as the source has it.
pub fn parse_with_source(html: &str, limits: &Limits) -> (Dom, SourceElements) {
    parse_as(html, limits, AttributePolicy::All)
}

fn parse_as(html: &str, limits: &Limits, policy: AttributePolicy) -> (Dom, SourceElements) {
    let parsed = parse_document(html, limits, policy);
    match without_frames(&parsed.0).or_else(|| Some(format!("{html}{}", hidden_main(&parsed.0)?))) {
        Some(html) => parse_document(&html, limits, policy),
        None => parsed,
    }
}

/// The page for readers without frames, with the title of the page of frames.
fn without_frames(dom: &Dom) -> Option<String> {
    dom.find(Tag::Frameset)?;
    let alternative = dom.text_content(dom.find(Tag::Noframes)?);
    let title = dom.find(Tag::Title).map(|title| dom.text_content(title)).unwrap_or_default();
    Some(format!("<title>{title}</title>{alternative}"))
}

fn parse_document(html: &str, limits: &Limits, policy: AttributePolicy) -> (Dom, SourceElements) {
    let (html, cut) = cut_at_boundary(html, limits.html_bytes_max);
    let capacity = (html.len() / BYTES_PER_NODE).min(limits.nodes_max) + 16;
    let options = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    let sink = ArenaSink::new(capacity);
    let sink = if policy == AttributePolicy::All { sink.with_source() } else { sink };
    let guard = LimitGuard::new(TreeBuilder::new(sink, options), limits);
    let spare = guard.builder.sink.spare_attributes();
    let input = prepare(html);
    let tokenizer = Tokenizer::new(&input, &guard, policy).with_spare(spare);
    tokenizer.ending_unclosed().read_as_xml(is_xml(html)).run();
    let truncation = Truncation { depth: guard.depth_hit.get(), nodes: guard.nodes_hit.get(), html_bytes: cut };
    let source = guard.builder.sink.take_source();
    let mut dom = guard.builder.sink.finish();
    dom.truncation = truncation;
    (dom, source)
}

fn cut_at_boundary(html: &str, max: usize) -> (&str, bool) {
    if html.len() <= max {
        return (html, false);
    }
    (&html[..html.floor_char_boundary(max)], true)
}

/// Stands between tokenizer and tree builder and takes out what a limit forbids.
struct LimitGuard {
    builder: TreeBuilder<Handle, ArenaSink>,
    depth_max: u16,
    nodes_max: usize,
    dropped: RefCell<Vec<LocalName>>,
    /// Start tags since the open elements were counted.
    uncounted: Cell<usize>,
    is_full: Cell<bool>,
    depth_hit: Cell<bool>,
    nodes_hit: Cell<bool>,
}

impl LimitGuard {
    fn new(builder: TreeBuilder<Handle, ArenaSink>, limits: &Limits) -> Self {
        Self {
            builder,
            depth_max: limits.depth_max,
            nodes_max: limits.nodes_max,
            dropped: RefCell::default(),
            uncounted: Cell::default(),
            is_full: Cell::default(),
            depth_hit: Cell::default(),
            nodes_hit: Cell::default(),
        }
    }

    fn forbids(&self, token: &Token) -> bool {
        if self.builder.sink.node_count() >= self.nodes_max {
            self.nodes_hit.set(true);
            return !matches!(token, Token::EOFToken);
        }
        match token {
            Token::TagToken(tag) if tag.kind == TagKind::StartTag => self.forbids_start(&tag.name, tag.self_closing),
            Token::TagToken(tag) => self.closes_dropped(&tag.name),
            _ => false,
        }
    }

    fn forbids_start(&self, name: &LocalName, self_closing: bool) -> bool {
        if !self.may_be_full() || holds_no_elements(name) {
            return false;
        }
        if self_closing && self.closes_itself(name) {
            return false;
        }
        if !self.is_full_depth() {
            return false;
        }
        self.depth_hit.set(true);
        self.dropped.borrow_mut().push(name.clone());
        true
    }

    /// Whether the stack of open elements has to be counted before another start tag: the sink's figure says that it
    /// may be full, it was full when last counted, or it was not counted for long.
    fn may_be_full(&self) -> bool {
        self.uncounted.set(self.uncounted.get() + 1);
        let is_due = self.is_full.get() || self.uncounted.get() >= START_TAGS_UNCOUNTED_MAX;
        is_due || self.builder.sink.open_depth() >= self.depth_max
    }

    /// A self-closing tag is closed in SVG and MathML alone; in HTML it opens an element like any other.
    fn closes_itself(&self, name: &LocalName) -> bool {
        matches!(&**name, "svg" | "math") || self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }

    /// Whether the stack of open elements is as deep as allowed. The tree builder does not tell the sink of every
    /// element that it closes, and leaves elements open that it moves up in the tree (`<b><i><div></b>`), so the sink's
    /// figure may be too high and too low; here the stack itself is counted.
    fn is_full_depth(&self) -> bool {
        let count = HandleCount::default();
        self.builder.trace_handles(&count);
        self.builder.sink.set_open_depth(count.0.get());
        self.uncounted.set(0);
        self.is_full.set(count.0.get() >= self.depth_max);
        self.is_full.get()
    }

    fn closes_dropped(&self, name: &LocalName) -> bool {
        let mut dropped = self.dropped.borrow_mut();
        let hit = dropped.last() == Some(name);
        if hit {
            dropped.pop();
        }
        hit
    }
}

/// Counts the handles that the tree builder holds: its open elements, and a few more.
#[derive(Default)]
struct HandleCount(Cell<u16>);

impl Tracer for HandleCount {
    type Handle = Handle;

    fn trace_handle(&self, _node: &Handle) {
        self.0.set(self.0.get().saturating_add(1));
    }
}

/// Void and raw-text elements: they cannot nest, and the tokenizer must see raw-text ones to switch its state.
fn holds_no_elements(name: &LocalName) -> bool {
    const RAW_TEXT: [&str; 9] =
        ["iframe", "noembed", "noframes", "plaintext", "script", "style", "textarea", "title", "xmp"];
    VOID.contains(&&**name) || RAW_TEXT.contains(&&**name)
}

impl TokenSink for LimitGuard {
    type Handle = Handle;

    fn process_token(&self, token: Token, line_number: u64) -> TokenSinkResult<Handle> {
        if self.forbids(&token) {
            return TokenSinkResult::Continue;
        }
        self.builder.process_token(token, line_number)
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depth(dom: &Dom) -> usize {
        let mut deepest = 0;
        for id in dom.descendants(Dom::DOCUMENT) {
            deepest = deepest.max(std::iter::successors(Some(id), |at| dom.parent(*at)).count());
        }
        deepest
    }

    #[test]
    fn text_is_merged_and_foster_parented() {
        let dom = parse("<table>a<tr><td>b</td></tr>c</table>d", &Limits::default());
        let body = dom.find(Tag::Body).unwrap();
        assert_eq!(dom.text_content(body), "acbd");
        assert_eq!(dom.text(dom.first_child(body).unwrap()), Some("ac"));
    }

    #[test]
    fn noscript_is_read_as_elements_and_templates_are_not_read() {
        let dom = parse("<noscript><p>seen</p></noscript><template><p>unseen</p></template>", &Limits::default());
        assert_eq!(dom.text_content(dom.find(Tag::Body).unwrap_or(Dom::DOCUMENT)), "seen");
    }

    #[test]
    fn comments_part_no_text() {
        for html in [
            "<h1>The w<!-- -->ater mill in <!-- -->7<!-- --><!-- --> steps</h1>",
            "<h1>The w<?php x ?>ater mill in 7 steps",
        ] {
            let dom = parse(html, &Limits::default());
            let texts: Vec<&str> = dom.descendants(Dom::DOCUMENT).filter_map(|id| dom.text(id)).collect();
            assert_eq!(texts, ["The water mill in 7 steps"], "{html}");
        }
    }

    #[test]
    fn what_nothing_ends_does_not_swallow_the_page() {
        let body = "<p>One <b>word</b></p><!-- seen --><p>Two</p>";
        for (head, seen) in [
            ("<title>\n A title\n", "One wordTwo"),
            ("<title>A title", "One wordTwo"),
            ("<style>p { color: red }\n", "One wordTwo"),
            ("<script>document.write('<i>' + x);\n", "One wordTwo"),
            ("<body><textarea>", "One wordTwo"),
            ("<body><iframe src=x>", "One wordTwo"),
            ("<body><!-- no end -- <i>>", ">One wordTwo"),
            ("<body><noscript>", "One wordTwo"),
            ("<noscript>", "One wordTwo"),
            ("<body><template>", "One wordTwo"),
            ("<body><TEMPLATE></template><template>", "One wordTwo"),
            ("<body><select><option>a<option>b", "abOne wordTwo"),
            ("<body><div><select><optgroup><option>a</div>", "aOne wordTwo"),
            ("<body><canvas>", "One wordTwo"),
            ("<body><object><param name=x>", "One wordTwo"),
            ("<body><map name=m><area href=x>", "One wordTwo"),
            ("<body><video src=x>", "One wordTwo"),
            ("<body><audio src=x>", "One wordTwo"),
            ("<body><datalist>", "One wordTwo"),
            ("<body><a href=\"x>", "One wordTwo"),
        ] {
            let body = if head.contains("<!--") { body.replace("<!-- seen -->", "") } else { body.to_owned() };
            let dom = parse(&format!("{head}{body}"), &Limits::default());
            let paragraphs = dom.descendants(Dom::DOCUMENT).filter(|id| dom.tag(*id) == Some(Tag::P)).count();
            assert_eq!(paragraphs, 2, "{head}");
            let is_shown = |id: crate::dom::DomId| {
                std::iter::successors(Some(id), |id| dom.parent(*id))
                    .filter_map(|id| dom.tag(id))
                    .all(|tag| tag.info().display != crate::dom::Display::Dropped || tag == Tag::Noscript)
            };
            let shown = dom.descendants(Dom::DOCUMENT).filter(|id| dom.tag(*id) == Some(Tag::P) && is_shown(*id));
            assert_eq!(shown.count(), 2, "{head}");
            assert!(dom.text_content(dom.find(Tag::Body).unwrap()).ends_with(seen), "{head}");
        }
        let title = |html: &str| {
            let dom = parse(html, &Limits::default());
            dom.text_content(dom.find(Tag::Title).unwrap())
        };
        assert_eq!(title("<title>A title<p>One"), "A title");
        assert_eq!(title("<title>A title\n of <two> lines</title><p>One"), "A title\n of <two> lines");
        assert_eq!(title("<title>All there is"), "All there is");
        let plain = parse("<body><p>Before<plaintext>One <b>word", &Limits::default());
        assert_eq!(plain.text_content(plain.find(Tag::Body).unwrap()), "BeforeOne <b>word", "shown as it is");
    }

    #[test]
    fn a_page_that_declares_xml_is_read_as_that() {
        let body = "<html><head><title/><script src=\"a.js\"/></head><body><p>One <i/>two <a id=\"x\"/><![CDATA[a < b]]><br/></p>\
                    <svg><title/><g/></svg><p>Three</p></body></html>";
        let text = |html: &str| {
            let dom = parse(html, &Limits::default());
            (dom.text_content(dom.find(Tag::Body).unwrap()), dom.find(Tag::I).map(|id| dom.text_content(id)))
        };
        let xml = format!("\u{feff}<?xml version=\"1.0\"?>\n<!DOCTYPE html>{body}");
        assert_eq!(text(&xml), ("One two a < bThree".to_owned(), Some(String::new())));
        assert_eq!(
            text(&format!("<!DOCTYPE html>{}", body.replace("<script src=\"a.js\"/>", ""))).1.as_deref(),
            Some("two ")
        );
    }

    #[test]
    fn what_stands_in_the_shadow_of_elements_is_read_where_nearly_all_words_are() {
        let card = |name: &str, inner: &str| {
            format!(
                "<x-card><template {name}><style>p {{}}</style><h2>The mills of the valley and of the hills</h2>{inner}<slot></slot></template><p>They turn.</p></x-card>"
            )
        };
        let body = |html: &str| {
            let dom = parse(&format!("<body>{html}"), &Limits::default());
            assert!(dom.find(Tag::H2).is_none_or(|id| dom.parent(id).is_some()));
            dom.text_content(dom.find(Tag::Body).unwrap())
        };
        for mode in ["shadowrootmode=open", "shadowrootmode=closed"] {
            assert_eq!(body(&card(mode, "")), "They turn.p {}The mills of the valley and of the hills");
            let nested = card(mode, &card(mode, ""));
            assert_eq!(body(&nested).matches("The mills of the valley").count(), 2, "{nested}");
            let beside = format!("<p>They turn.</p>{}", card(mode, ""));
            assert_eq!(body(&beside), "They turn.They turn.");
        }
        assert_eq!(body(&card("id=x", "")), "They turn.");
    }

    #[test]
    fn frames_give_way_to_what_stands_for_them() {
        let html = "<title>T</title><frameset><frame src=a><noframes><body><p>Plain</noframes></frameset>";
        let dom = parse(html, &Limits::default());
        assert_eq!(dom.text_content(dom.find(Tag::Body).unwrap()), "Plain");
        assert_eq!(dom.text_content(dom.find(Tag::Title).unwrap()), "T");
    }

    #[test]
    fn nesting_is_flattened_at_the_limit_and_keeps_its_text() {
        let html = format!("{}deep{}<p>after</p>", "<div>".repeat(10_000), "</div>".repeat(10_000));
        let dom = parse(&html, &Limits::default());
        assert!(dom.truncated().depth);
        assert!(depth(&dom) <= 520, "{}", depth(&dom));
        assert_eq!(dom.text_content(Dom::DOCUMENT), "deepafter");
        let after = dom.find(Tag::P).unwrap();
        assert_eq!(dom.parent(after), dom.find(Tag::Body), "end tags of flattened elements close nothing else");
    }

    #[test]
    fn self_closing_tags_nest_up_to_the_limit_too() {
        let dom = parse(&format!("{}deep", "<x/>".repeat(10_000)), &Limits::default());
        assert!(dom.truncated().depth);
        assert!(depth(&dom) <= 520, "{}", depth(&dom));
        assert_eq!(dom.text_content(Dom::DOCUMENT), "deep");
        let drawing = format!("{}<svg>{}</svg>deep", "<div>".repeat(600), "<path/>".repeat(10));
        let dom = parse(&drawing, &Limits::default());
        assert_eq!(dom.text_content(Dom::DOCUMENT), "deep");
    }

    #[test]
    fn elements_that_are_moved_up_are_flattened_too() {
        let limits = Limits { depth_max: 64, ..Limits::default() };
        let stack = |html: &str| {
            let guard = LimitGuard::new(TreeBuilder::new(ArenaSink::new(16), TreeBuilderOpts::default()), &limits);
            Tokenizer::new(&prepare(html), &guard, AttributePolicy::Read).run();
            let count = HandleCount::default();
            guard.builder.trace_handles(&count);
            count.0.get()
        };
        let open = stack(&"<b><i><div></b>".repeat(2000));
        assert!(usize::from(open) <= 64 + 2 * START_TAGS_UNCOUNTED_MAX, "{open}");
        let dom = parse(&format!("{}<p>deep", "<b><i><div></b>".repeat(2000)), &limits);
        assert!(dom.truncated().depth);
        assert_eq!(dom.text_content(Dom::DOCUMENT), "deep");
    }

    #[test]
    fn nodes_and_bytes_are_bounded() {
        let limits = Limits { nodes_max: 100, ..Limits::default() };
        let dom = parse(&"<p>x".repeat(1000), &limits);
        assert!(dom.truncated().nodes && dom.len() < 110);
        let limits = Limits { html_bytes_max: 10, ..Limits::default() };
        let dom = parse("<p>ééééééééé", &limits);
        assert!(dom.truncated().html_bytes);
        assert_eq!(dom.text_content(Dom::DOCUMENT), "ééé");
    }
}
