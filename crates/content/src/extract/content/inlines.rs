//! Elements within a line: what each says of the words in it.

use super::anchors::{is_beside_words, is_permalink, leads_to_contents, leads_to_itself, sorts_table};
use super::builder::{Builder, End};
use super::containers::Container;
use super::email;
use super::emoji;
use super::equations;
use super::formula;
use super::joined_lists::element_before;
use super::line::Setting;
use super::notes::{inline_note, is_sign_of_inline_note, is_sign_within_note};
use super::own_marks::is_bullet;
use super::read_out::is_remark;
use super::tabs;
use super::tex_fonts;
use crate::cst::{announces_word, continues_link, display, image_source, is_code};
use crate::dom::{AttributeName, ClassNames, Display, Dom, DomId, Tag, classes};

impl Builder<'_> {
    pub(super) fn enter_inline(&mut self, element: DomId, tag: Tag) -> Option<End> {
        (!self.is_written_whole(element, tag)).then(|| self.open_inline(element, tag))
    }

    /// Whether nothing inside an element is read: it says nothing, or this writes it.
    fn is_written_whole(&mut self, element: DomId, tag: Tag) -> bool {
        if is_beside_words(self.dom, element, tag) || (tag == Tag::Label && tabs::is_label_list(self.dom, element)) {
            return true;
        }
        if matches!(tag, Tag::Span | Tag::A)
            && let Some(mailbox) = email::of_element(self.dom, element)
        {
            self.mailbox(&mailbox, tag == Tag::A);
            return true;
        }
        if (self.is_within_note && is_sign_within_note(self.dom, element, tag))
            || is_sign_of_inline_note(self.dom, element, tag)
            || is_said_before(self.dom, element)
            || is_remark(self.dom, element, tag)
        {
            return true;
        }
        if let Some(content) = inline_note(self.dom, element, tag) {
            let label = self.notes.next_label(self.inline_notes.len());
            self.line.note(label.clone());
            self.inline_notes.push((label, content));
            return true;
        }
        if tag == Tag::Span && self.is_sign_of_entry(element) {
            return true;
        }
        if tag == Tag::Span
            && let Some(number) = equations::number_before(self.dom, element)
        {
            self.equation_number = Some(number);
            return true;
        }
        if tag == Tag::Code && self.is_block_of_code(element) {
            self.end_paragraph();
            self.code(element);
            return true;
        }
        if self.notes.is_sign_in_note(self.dom, element, tag) {
            return true;
        }
        if tag == Tag::Sup
            && let Some(label) = self.notes.reference_in(self.dom, element)
        {
            self.line.note(label.to_owned());
            return true;
        }
        if tag == Tag::A {
            if is_permalink(self.dom, element) || self.notes.is_back(self.dom, element) {
                return true;
            }
            if let Some(label) = self.notes.reference(element) {
                self.line.note(label.to_owned());
                return true;
            }
        }
        false
    }

    /// Whether an element is the sign of the entry that it begins (LaTeXML): a number goes before its words, a bullet is what lists have.
    fn is_sign_of_entry(&mut self, element: DomId) -> bool {
        let is_sign = self.dom.has_class(element, classes!["ltx_tag_item"])
            && self.dom.parent(element).is_some_and(|entry| self.dom.tag(entry) == Some(Tag::Li));
        if is_sign {
            let text = self.dom.text_content(element).trim().to_owned();
            self.sign = Some(text).filter(|text| !is_bullet(text));
        }
        is_sign
    }

    fn open_inline(&mut self, element: DomId, tag: Tag) -> End {
        let mut end = End::default();
        if tag == Tag::Cite
            && self.line.is_empty()
            && !self.containers.is_line()
            && is_source_of_quotation(self.dom, element)
        {
            self.containers.open(Container::Quote(Vec::new()));
            (end.paragraph, end.container) = (true, true);
        }
        let setting = match tag {
            Tag::Cite if self.dom.has_class(element, classes!["ltx_cite"]) => None,
            Tag::Em | Tag::I | Tag::Cite | Tag::Dfn | Tag::Var => Some(Setting::Emphasis),
            Tag::Strong | Tag::B => Some(Setting::Strong),
            Tag::Del | Tag::S | Tag::Strike => Some(Setting::Deleted),
            Tag::Code | Tag::Kbd | Tag::Samp | Tag::Tt => Some(Setting::Code),
            Tag::Sup => Some(Setting::Superscript),
            Tag::Sub => Some(Setting::Subscript),
            Tag::A => self.link(element),
            Tag::Span if !self.containers.is_line() => tex_fonts::setting(self.dom, element),
            _ => None,
        };
        if announces_word(self.dom, element, tag) {
            self.line.part();
        }
        if self.code == 0 {
            self.seam.open(element, tag);
        }
        end.paragraph |= tag == Tag::Cite && self.begins_quotation() && is_attribution(self.dom, element);
        end.quotation = tag == Tag::Q;
        if end.quotation {
            self.line.text("\u{201c}");
        }
        end.reading = tag == Tag::Rt && !self.is_set_off(element);
        if end.reading {
            self.line.text("(");
        }
        end.code = is_code(tag);
        self.code += u32::from(end.code);
        if matches!(tag, Tag::A | Tag::Button) {
            if tag != Tag::A || !continues_link(self.dom, element) {
                self.line.begin_control();
            }
            end.control = true;
        }
        if let Some(setting) = setting {
            self.line.open(setting);
            end.setting = true;
        }
        end
    }

    /// Whether nothing of a quotation is there yet.
    fn begins_quotation(&self) -> bool {
        self.line.is_empty() && matches!(self.containers.last(), Some(Container::Quote(blocks)) if blocks.is_empty())
    }

    fn mailbox(&mut self, mailbox: &str, is_link: bool) {
        let is_link = is_link && self.options.links;
        if is_link {
            self.line.open(Setting::Link(format!("mailto:{mailbox}")));
        }
        self.line.text(mailbox);
        if is_link {
            self.line.close();
        }
    }

    /// Whether code that is written within a line has lines of its own, as lists or some of them indented, and stands alone.
    fn is_block_of_code(&self, element: DomId) -> bool {
        let is_alone = self.line.is_empty() && self.code == 0 && !self.containers.is_line();
        let is_indented = |line_break: DomId| {
            let text = self.dom.next_sibling(line_break).and_then(|behind| self.dom.text(behind));
            text.is_some_and(|text| text.trim_start_matches(['\n', '\r', '\t', ' ']).starts_with('\u{a0}'))
        };
        let mut breaks = self.dom.children(element).filter(|child| self.dom.tag(*child) == Some(Tag::Br));
        let is_list = |id: DomId| self.dom.tag(id) == Some(Tag::Ul);
        is_alone && (breaks.any(is_indented) || self.dom.children(element).take(CODE_NODES_MAX).any(is_list))
    }

    /// Whether parentheses stand around how a word is read.
    fn is_set_off(&self, reading: DomId) -> bool {
        let mut before = std::iter::successors(self.dom.previous_sibling(reading), |id| self.dom.previous_sibling(*id));
        before.find_map(|id| self.dom.tag(id)).is_some_and(|tag| tag == Tag::Rp)
    }

    fn link(&self, element: DomId) -> Option<Setting> {
        let href = self.dom.attribute(element, AttributeName::Href).filter(|_| self.options.links)?;
        if let Some(mailbox) = email::of_link(self.dom, element, href) {
            return Some(Setting::Link(format!("mailto:{mailbox}")));
        }
        let is_plain = leads_to_itself(self.dom, element, href)
            || leads_to_contents(self.dom, element, href)
            || sorts_table(self.dom, element, href);
        self.address.link(href).filter(|_| !is_plain).map(Setting::Link)
    }

    pub(super) fn image(&mut self, element: DomId) {
        if let Some(formula) = formula::of_image(self.dom, element) {
            return self.formula(formula);
        }
        if let Some(character) = emoji::of_image(self.dom, element) {
            return self.line.text(character);
        }
        if !self.options.images || is_ornament(self.dom, element) || is_of_quoted(self.dom, element) {
            return;
        }
        if let Some(url) = self.address.image(image_source(self.dom, element)) {
            let alt = self.dom.attribute(element, AttributeName::Alt).unwrap_or("");
            let alt = alt.split_whitespace().collect::<Vec<_>>().join(" ");
            self.line.image(url, alt);
        }
    }
}

/// Whether an image is that of whoever a quotation is of, beside the name (Discourse).
fn is_of_quoted(dom: &Dom, image: DomId) -> bool {
    let is_title = |title: DomId| {
        dom.has_class(title, classes!["title"])
            && dom.parent(title).is_some_and(|around| dom.has_class(around, classes!["quote"]))
    };
    dom.has_class(image, classes!["avatar"]) && dom.parent(image).is_some_and(is_title)
}

/// Whether a drawing in a heading says that it has no meaning beside the heading's words (pkg.go.dev).
fn is_ornament(dom: &Dom, image: DomId) -> bool {
    let is_within = |heading: DomId| dom.parent(image) == Some(heading) && !dom.text_content(heading).trim().is_empty();
    let address = dom.attribute(image, AttributeName::Src).and_then(|address| address.split(['?', '#']).next());
    dom.attribute(image, AttributeName::Alt) == Some("")
        && address
            .and_then(|address| address.rsplit_once('.'))
            .is_some_and(|(_, kind)| kind.eq_ignore_ascii_case("svg"))
        && dom.heading_around(image).is_some_and(is_within)
}

/// Nodes in code that are looked at for a list of its lines, as Redoc has them.
const CODE_NODES_MAX: usize = 16;

/// Whether a citation at the beginning of a quotation says whose it is, on a line of its own: it ends with a colon, or
/// words begin right behind it.
fn is_attribution(dom: &Dom, cite: DomId) -> bool {
    let behind = dom.next_sibling(cite).and_then(|id| dom.text(id));
    dom.text_content(cite).trim_end().ends_with(':')
        || behind.is_some_and(|text| text.starts_with(|c: char| c.is_alphanumeric() || "“„«\"".contains(c)))
}

/// Whether an element alone behind a quotation says whose it is: it belongs to that.
pub(super) fn is_source_of_quotation(dom: &Dom, element: DomId) -> bool {
    let mut behind = std::iter::successors(dom.next_sibling(element), |id| dom.next_sibling(*id)).take(2);
    let behind = behind.find(|id| !dom.is_blank(*id));
    let is_alone = behind.is_none_or(|id| dom.tag(id).is_some_and(|tag| display(dom, id, tag) != Display::Inline));
    is_alone && element_before(dom, element).is_some_and(|before| dom.tag(before) == Some(Tag::Blockquote))
}

/// Characters of a text that is shown in one form and read out in another, and nodes that it consists of.
const SAID_CHARS_MAX: usize = 40;
const SAID_NODES_MAX: usize = 32;

/// Class names of what is read out and not shown.
pub(super) const READ_OUT: &ClassNames =
    classes!["a-offscreen", "sr-only", "visually-hidden", "visuallyhidden", "screen-reader-text"];

/// Whether an element only shows what the one before it says to those who do not see the page, as shops do with prices.
fn is_said_before(dom: &Dom, element: DomId) -> bool {
    if dom.attribute(element, AttributeName::AriaHidden) != Some("true") {
        return false;
    }
    let mut before = std::iter::successors(dom.previous_sibling(element), |id| dom.previous_sibling(*id)).take(2);
    let Some(before) = before.find(|id| dom.text(*id).is_none_or(|text| !text.trim().is_empty())) else { return false };
    dom.has_class(before, READ_OUT) && signs(dom, element).is_some_and(|own| Some(own) == signs(dom, before))
}

/// The signs of a short text without blanks; `None` where there is none, or more.
fn signs(dom: &Dom, element: DomId) -> Option<String> {
    let nodes = dom.descendants(element).take(SAID_NODES_MAX + 1);
    let texts: Vec<Option<&str>> = nodes.map(|id| dom.text(id)).collect();
    let all = texts.iter().flatten().flat_map(|text| text.chars()).filter(|c| !c.is_whitespace());
    let signs: String = all.take(SAID_CHARS_MAX + 1).collect();
    (texts.len() <= SAID_NODES_MAX && !signs.is_empty() && signs.chars().count() <= SAID_CHARS_MAX).then_some(signs)
}
