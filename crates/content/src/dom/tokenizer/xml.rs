//! Pages that are XML: those that begin with its declaration.
//!
//! Browsers read such a page by the rules of XML where its type says so, as they do the pages of a book in EPUB. Two of these rules matter
//! here: `<script/>` has no content, and `<![CDATA[ … ]]>` is text, but in a title or script. By the rules of HTML such a page would lose
//! all that follows the first and what is in the second; a page that was made for these has neither.

use html5ever::LocalName;
use html5ever::tokenizer::TokenSink;

use super::Tokenizer;

/// Elements without content, which nothing ends.
pub(in crate::dom) const VOID: [&str; 18] = [
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input", "keygen", "link",
    "meta", "param", "source", "track", "wbr",
];

/// Whether the first thing of a page is the declaration of XML. Feeds, which have HTML in CDATA, are no pages.
pub(in crate::dom) fn is_xml(html: &str) -> bool {
    /// Bytes behind the declaration in which the page's element begins.
    const HEAD_BYTES: usize = 4096;
    let declared = html.trim_start_matches('\u{feff}').trim_ascii_start().strip_prefix("<?xml");
    declared.is_some_and(|rest| {
        let head = &rest.as_bytes()[..rest.len().min(HEAD_BYTES)];
        rest.starts_with(|next: char| next.is_ascii_whitespace())
            && head.windows(5).any(|name| name.eq_ignore_ascii_case(b"<html"))
    })
}

impl<S: TokenSink> Tokenizer<'_, S> {
    /// The same by the rules of XML.
    pub(in crate::dom) fn read_as_xml(self, is_xml: bool) -> Self {
        Self { is_xml, ..self }
    }

    /// Whether a start tag that closes itself ends the element. In SVG and MathML the tree builder sees to it.
    pub(super) fn ends_itself(&self, name: &LocalName, self_closing: bool) -> bool {
        let is_foreign =
            || matches!(&**name, "svg" | "math") || self.sink.adjusted_current_node_present_but_not_in_html_namespace();
        self.is_xml && self_closing && !VOID.contains(&&**name) && !is_foreign()
    }
}
