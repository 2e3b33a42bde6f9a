//! The words of a content node: what its text, image or link says.

use std::collections::HashMap;

use crate::cst::{ContentStructureTree, NodeId, NodeKind, Span};
use crate::dom::Tag;

/// Characters of a URL that are read for words: its last ones say the most.
const URL_BYTES_MAX: usize = 200;

/// Bytes of a caption that are read for words.
const CAPTION_BYTES_MAX: usize = 2048;

/// Images of a figure that its caption speaks for.
const CAPTION_IMAGES_MAX: usize = 8;

/// Calls `sink` with every piece of text that a content node's terms are taken from: the text of a text node; anchor text,
/// title and URL words of a link; alternative text, title, caption and file name words of an image.
pub(super) fn pieces(tree: &ContentStructureTree, captions: &mut Captions, id: NodeId, mut sink: impl FnMut(&str)) {
    match tree.kind(id) {
        NodeKind::Text => sink(tree.text(id)),
        NodeKind::Link => {
            sink(tree.text(id));
            if let Some(link) = tree.link(id) {
                sink(tree.attribute_text(link.title));
                sink(&url_words(tree, link.href));
            }
        }
        NodeKind::Image => {
            if let Some(image) = tree.image(id) {
                sink(tree.attribute_text(image.alt));
                sink(tree.attribute_text(image.title));
                sink(&file_name_words(tree, image.src));
            }
            if let Some(caption) = captions.give(tree, id) {
                sink(caption);
            }
        }
        NodeKind::HtmlItem | NodeKind::Element => {}
    }
}

/// The words of a URL's path: separators become blanks, scheme, host, query and escapes are left out.
fn url_words(tree: &ContentStructureTree, span: Span) -> String {
    let url = tree.attribute_text(span);
    let path = url.split(['?', '#']).next().unwrap_or("");
    let path = match path.split_once("://") {
        Some((_, rest)) => rest.split_once('/').map_or("", |(_, path)| path),
        None => path,
    };
    words_of(path)
}

fn file_name_words(tree: &ContentStructureTree, span: Span) -> String {
    let url = tree.attribute_text(span);
    let path = url.split(['?', '#']).next().unwrap_or("");
    let name = path.rsplit('/').next().unwrap_or("");
    words_of(name.rsplit_once('.').map_or(name, |(stem, _)| stem))
}

fn words_of(path: &str) -> String {
    let start = path.floor_char_boundary(path.len().saturating_sub(URL_BYTES_MAX));
    let mut words = String::with_capacity(path.len() - start);
    let mut letters = path[start..].chars();
    while let Some(c) = letters.next() {
        if c == '%' {
            letters.by_ref().take(2).for_each(drop);
        }
        words.push(if c.is_alphanumeric() { c } else { ' ' });
    }
    words
}

/// The `figcaption`s of a tree, by their figures.
#[derive(Default)]
pub(super) struct Captions(HashMap<NodeId, Caption>);

struct Caption {
    item: NodeId,
    /// Images of the figure that have been given it.
    images: usize,
}

impl Captions {
    /// Those of `tree`: the first of each figure.
    pub(super) fn of(tree: &ContentStructureTree) -> Self {
        let mut captions = HashMap::new();
        for item in tree.ids().filter(|id| tree.kind(*id) == NodeKind::HtmlItem && tree.tag(*id) == Tag::Figcaption) {
            if let Some(figure) = tree.parent(item).filter(|parent| tree.tag(*parent) == Tag::Figure) {
                captions.entry(figure).or_insert(Caption { item, images: 0 });
            }
        }
        Self(captions)
    }

    /// The beginning of the caption of the figure that an image stands in, for the first images of a figure.
    fn give<'t>(&mut self, tree: &'t ContentStructureTree, image: NodeId) -> Option<&'t str> {
        if self.0.is_empty() {
            return None;
        }
        let figure = tree.ancestors(image).skip(1).take(3).find(|id| tree.tag(*id) == Tag::Figure)?;
        let caption = self.0.get_mut(&figure).filter(|caption| caption.images < CAPTION_IMAGES_MAX)?;
        caption.images += 1;
        let text = tree.subtree_text(caption.item);
        Some(&text[..text.floor_char_boundary(CAPTION_BYTES_MAX)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cst::{self, Profile};
    use crate::dom;
    use crate::limits::Limits;

    fn pieces_of(html: &str, kind: NodeKind) -> Vec<String> {
        let limits = Limits::default();
        let tree = cst::build(&dom::parse(html, &limits), Profile::Modern, &limits);
        let node = tree.ids().find(|id| tree.kind(*id) == kind).unwrap();
        let mut found = Vec::new();
        pieces(&tree, &mut Captions::of(&tree), node, |piece| found.push(piece.trim().to_owned()));
        found
    }

    #[test]
    fn links_speak_by_anchor_title_and_path() {
        let html = "<a href='https://e.org/big-red/caf%C3%A9_x.html?q=1' title='The title'>Anchor</a>";
        assert_eq!(pieces_of(html, NodeKind::Link), ["Anchor", "The title", "big red caf   x html"]);
    }

    #[test]
    fn images_speak_by_alt_title_file_name_and_caption() {
        let html = "<figure><img src=/i/old-mill.jpg alt=Mill><figcaption>At the river</figcaption></figure>";
        assert_eq!(pieces_of(html, NodeKind::Image), ["Mill", "", "old mill", "At the river"]);
    }

    #[test]
    fn a_caption_speaks_for_few_images_and_by_its_beginning() {
        let html = format!(
            "<figure>{}<figcaption>{}</figcaption></figure>",
            "<p><img src=a.png></p>".repeat(20),
            "word ".repeat(2000)
        );
        let limits = Limits::default();
        let tree = cst::build(&dom::parse(&html, &limits), Profile::Modern, &limits);
        let mut captions = Captions::of(&tree);
        let given: Vec<&str> = tree
            .ids()
            .filter(|id| tree.kind(*id) == NodeKind::Image)
            .filter_map(|image| captions.give(&tree, image))
            .collect();
        assert_eq!(given.len(), CAPTION_IMAGES_MAX);
        assert!(given.iter().all(|caption| caption.len() == CAPTION_BYTES_MAX), "{given:?}");
    }
}
