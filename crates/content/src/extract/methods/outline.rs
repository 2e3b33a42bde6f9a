//! The element tree as the methods read it: in document order, with what is not text of the page left out, and with the
//! lengths that their formulas ask for already summed up. O(nodes of the page).

use crate::cst::{ContentStructureTree, RunId};
use crate::dom::{Display, Dom, DomId, Tag};

const NO_RUN: u32 = u32::MAX;

/// An element or a text of the page. Lengths are of clear text: white space folded, in characters.
#[derive(Debug, Clone, Copy)]
pub(super) struct OutlineItem {
    pub(super) source: DomId,
    /// `None` for texts.
    pub(super) tag: Option<Tag>,
    /// The entry it stands in; the root is its own parent.
    pub(super) parent: u32,
    /// One past the last entry of its subtree.
    pub(super) end: u32,
    pub(super) text_len_chars: u32,
    /// Length of the part that is inside links.
    pub(super) link_text_len_chars: u32,
    /// Links in its subtree, itself included.
    pub(super) links: u32,
    /// Elements in its subtree, itself not included.
    pub(super) elements: u32,
    /// Of texts: the run.
    run: u32,
}

impl OutlineItem {
    /// The run that a text is part of.
    pub(super) fn run(&self) -> RunId {
        debug_assert!(self.tag.is_none());
        self.run as RunId
    }

    fn new(source: DomId, tag: Option<Tag>, parent: u32, index: u32) -> Self {
        let links = u32::from(tag == Some(Tag::A));
        Self {
            source,
            tag,
            parent,
            end: index + 1,
            text_len_chars: 0,
            link_text_len_chars: 0,
            links,
            elements: 0,
            run: NO_RUN,
        }
    }

    fn absorb(&mut self, child: &Self) {
        self.text_len_chars += child.text_len_chars;
        self.link_text_len_chars += child.link_text_len_chars;
        self.links += child.links;
        self.elements += child.elements + u32::from(child.tag.is_some());
    }
}

/// The entries of a page, root first.
#[derive(Debug)]
pub(super) struct Outline {
    entries: Vec<OutlineItem>,
    /// The run of every text of the page, by [`DomId`].
    run_of: Vec<u32>,
}

impl Outline {
    pub(super) fn of(dom: &Dom, tree: &ContentStructureTree) -> Self {
        let mut run_of = vec![NO_RUN; dom.len()];
        for (text, run) in tree.source_texts() {
            run_of[text.index()] = *run as u32;
        }
        let root = tree.source(ContentStructureTree::ROOT).unwrap_or(Dom::DOCUMENT);
        let mut outline = Self { entries: Vec::with_capacity(dom.len()), run_of };
        outline.walk(dom, root);
        outline
    }

    pub(super) fn entries(&self) -> &[OutlineItem] {
        &self.entries
    }

    /// The texts, each with its place among the entries.
    pub(super) fn texts(&self) -> impl Iterator<Item = (usize, &OutlineItem)> {
        self.entries.iter().enumerate().filter(|(_, entry)| entry.tag.is_none())
    }

    /// The places of an entry's children.
    pub(super) fn children(&self, parent: usize) -> impl Iterator<Item = usize> + '_ {
        let end = self.entries[parent].end as usize;
        let first = (parent + 1 < end).then_some(parent + 1);
        std::iter::successors(first, move |child| {
            let next = self.entries[*child].end as usize;
            (next < end).then_some(next)
        })
    }

    /// The run that a text of the page is part of; `None` for what is not text of the page.
    pub(super) fn run_of(&self, text: DomId) -> Option<RunId> {
        let run = self.run_of[text.index()];
        (run != NO_RUN).then_some(run as RunId)
    }

    fn walk(&mut self, dom: &Dom, root: DomId) {
        self.entries.push(OutlineItem::new(root, Some(dom.tag(root).unwrap_or(Tag::Body)), 0, 0));
        let mut open = vec![(0, dom.first_child(root))];
        while let Some((parent, child)) = open.last_mut() {
            let Some(id) = *child else {
                let index = *parent;
                open.pop();
                self.close(index);
                continue;
            };
            *child = dom.next_sibling(id);
            let (parent, index) = (*parent, self.entries.len() as u32);
            if let Some(text) = dom.text(id) {
                self.add_text(id, text, parent);
            } else if let Some(tag) = dom.tag(id).filter(|tag| tag.info().display != Display::Dropped) {
                self.entries.push(OutlineItem::new(id, Some(tag), parent, index));
                open.push((index, dom.first_child(id)));
            }
        }
    }

    fn add_text(&mut self, source: DomId, text: &str, parent: u32) {
        let Some(run) = self.run_of(source) else { return };
        let mut entry = OutlineItem::new(source, None, parent, self.entries.len() as u32);
        entry.text_len_chars = clear_text_len_chars(text);
        entry.run = run as u32;
        self.entries[parent as usize].absorb(&entry);
        self.entries.push(entry);
    }

    fn close(&mut self, index: u32) {
        let length = self.entries.len() as u32;
        let entry = &mut self.entries[index as usize];
        entry.end = length;
        if entry.tag == Some(Tag::A) {
            entry.link_text_len_chars = entry.text_len_chars;
        }
        let entry = *entry;
        if entry.tag == Some(Tag::Noscript) && entry.text_len_chars == 0 {
            // The tree holds nothing of it: it is not there for a reader.
            self.entries.truncate(index as usize);
        } else if index > 0 {
            self.entries[entry.parent as usize].absorb(&entry);
        }
    }
}

/// Length of a text in characters, with its white space folded.
pub(super) fn clear_text_len_chars(text: &str) -> u32 {
    let lengths = text.split_whitespace().map(|word| word.chars().count() as u32 + 1);
    lengths.sum::<u32>().saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cst::{self, Profile};
    use crate::dom;
    use crate::limits::Limits;

    #[test]
    fn lengths_links_and_runs_are_summed_upwards() {
        let html = "<div><p>ab  c <a href=x>de</a></p><script>no</script><noscript>no</noscript><p>f<img></p></div>";
        let dom = dom::parse(html, &Limits::default());
        let tree = cst::build(&dom, Profile::Modern, &Limits::default());
        let outline = Outline::of(&dom, &tree);
        let tags: Vec<_> = outline.entries().iter().map(|entry| entry.tag.map_or("text", Tag::name)).collect();
        assert_eq!(tags, ["body", "div", "p", "text", "a", "text", "p", "text", "img"]);
        let div = &outline.entries()[1];
        assert_eq!((div.text_len_chars, div.link_text_len_chars, div.links, div.elements), (7, 2, 1, 4));
        assert_eq!(div.end, 9);
        assert_eq!(outline.children(1).collect::<Vec<_>>(), [2, 6]);
        assert_eq!(outline.texts().map(|(_, text)| text.run()).collect::<Vec<_>>(), [0, 0, 1]);
    }

    #[test]
    fn clear_text_is_counted_without_its_layout() {
        assert_eq!(clear_text_len_chars("  ä b\n\t c "), 5);
        assert_eq!(clear_text_len_chars(" \n"), 0);
    }
}
