//! The stretches of one run: texts with their setting and links, images, line breaks.

use url::Url;

use super::{Inline, Style};
use crate::cst::{ContentStructureTree, INVISIBLE, NodeId, NodeKind, Run};
use crate::dom::{AttributeName, Dom, DomId, Tag};

/// Reads runs of one page.
pub(super) struct InlineReader<'a> {
    dom: &'a Dom,
    tree: &'a ContentStructureTree,
    base: Option<Url>,
}

impl<'a> InlineReader<'a> {
    /// `url` is what links and images are relative to.
    pub(super) fn new(dom: &'a Dom, tree: &'a ContentStructureTree, url: &str) -> Self {
        Self { dom, tree, base: Url::parse(url).ok() }
    }

    /// The stretches of a run. `texts` are its text nodes. A text without page neighbours keeps no outer blanks.
    pub(super) fn read(&self, run: &Run, texts: &[DomId], preformatted: bool) -> Vec<Inline> {
        let item = self.tree.source(run.item);
        let mut inlines = Vec::new();
        let mut before = None;
        for &text in texts {
            if let Some(before) = before {
                self.add_between(before, text, preformatted, &mut inlines);
            }
            self.add_text(text, item, preformatted, &mut inlines);
            before = Some(text);
        }
        inlines.extend(run.nodes.clone().map(NodeId).filter_map(|node| self.image(node)));
        trim_ends(&mut inlines, preformatted);
        inlines
    }

    /// What stands between two texts without being one: line breaks, and blanks that are texts of their own.
    fn add_between(&self, before: DomId, after: DomId, preformatted: bool, inlines: &mut Vec<Inline>) {
        let mut at = self.dom.following_after(before, Dom::DOCUMENT);
        while let Some(id) = at.filter(|id| *id != after) {
            if self.dom.tag(id) == Some(Tag::Br) {
                inlines.push(Inline::Break);
            } else if let Some(blank) = self.dom.text(id).filter(|text| text.contains(char::is_whitespace)) {
                let text = if preformatted { blank } else { " " }.to_owned();
                inlines.push(Inline::Text { text, style: Style::default(), link: None });
            }
            let mut below = self.dom.descendants(id);
            below.next();
            at = below.next().or_else(|| self.dom.following_after(id, Dom::DOCUMENT));
        }
    }

    fn add_text(&self, id: DomId, item: Option<DomId>, preformatted: bool, inlines: &mut Vec<Inline>) {
        let source = self.dom.text(id).unwrap_or("");
        let text = if preformatted { source.to_owned() } else { folded(source) };
        let mut style = Style::default();
        let mut link = None;
        let ancestors = std::iter::successors(self.dom.parent(id), |at| self.dom.parent(*at));
        for element in ancestors.take_while(|element| Some(*element) != item) {
            match self.dom.tag(element) {
                Some(Tag::Strong | Tag::B) => style.strong = true,
                Some(Tag::Em | Tag::I) => style.emphasis = true,
                Some(Tag::Code | Tag::Kbd | Tag::Samp | Tag::Tt) => style.code = true,
                Some(Tag::A) => link = link.or_else(|| self.target(element)),
                _ => {}
            }
        }
        inlines.push(Inline::Text { text, style, link });
    }

    fn target(&self, element: DomId) -> Option<String> {
        self.absolute(self.dom.attribute(element, AttributeName::Href)?, &["http", "https", "mailto"])
    }

    fn image(&self, node: NodeId) -> Option<Inline> {
        if self.tree.kind(node) != NodeKind::Image {
            return None;
        }
        let image = self.tree.image(node)?;
        let url = self.absolute(self.tree.attribute_text(image.src), &["http", "https"])?;
        Some(Inline::Image { url, alt: folded(self.tree.attribute_text(image.alt)).trim().to_owned() })
    }

    /// The absolute form of a URL whose scheme is one of `schemes`.
    fn absolute(&self, reference: &str, schemes: &[&str]) -> Option<String> {
        let url = match &self.base {
            Some(base) => base.join(reference.trim()).ok()?,
            None => Url::parse(reference.trim()).ok()?,
        };
        schemes.contains(&url.scheme()).then(|| url.to_string())
    }
}

/// White space folded to single blanks, those at the ends kept.
fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_whitespace() || INVISIBLE.contains(&c)) {
        folded.push_str(&rest[..at]);
        let mut after = rest[at..].chars();
        let is_blank = after.next().is_some_and(char::is_whitespace);
        if is_blank && !folded.ends_with(' ') {
            folded.push(' ');
        }
        rest = after.as_str();
    }
    folded.push_str(rest);
    folded
}

fn trim_ends(inlines: &mut Vec<Inline>, preformatted: bool) {
    while matches!(inlines.last(), Some(Inline::Break)) {
        inlines.pop();
    }
    if let Some(Inline::Text { text, .. }) = inlines.first_mut() {
        let start = if preformatted { text.trim_start_matches(['\n', '\r']) } else { text.trim_start() };
        *text = start.to_owned();
    }
    if let Some(Inline::Text { text, .. }) = inlines.last_mut() {
        text.truncate(text.trim_end().len());
    }
    // No blank after a blank or a line break.
    let mut spaced = true;
    for inline in inlines.iter_mut() {
        match inline {
            Inline::Text { text, .. } if !preformatted => {
                if spaced {
                    *text = text.trim_start().to_owned();
                }
                spaced = if text.is_empty() { spaced } else { text.ends_with(' ') };
            }
            Inline::Text { .. } => {}
            Inline::Break => spaced = true,
            Inline::Image { .. } => spaced = false,
        }
    }
    inlines.retain(|inline| !matches!(inline, Inline::Text { text, .. } if text.is_empty()));
}
