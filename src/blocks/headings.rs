//! Which headings stand above a run.

use crate::cst::{ContentStructureTree, NodeId, Run};
use crate::dom::Tag;

/// A `header` whose text is at most this much longer than the heading in it, in bytes, only dresses the heading up (with a date and
/// an author), so the heading speaks for what comes after it.
const HEADER_DRESSING_BYTES_MAX: usize = 300;

/// The same for a `div`, which may as well be a short section.
const DIV_DRESSING_BYTES_MAX: usize = 40;

/// Signs that documentation generators put behind a heading as a link to itself.
const PERMALINK_SIGNS: [char; 4] = ['¶', '§', '#', '🔗'];

/// Longest heading text kept, in bytes.
const HEADING_BYTES_MAX: usize = 300;

struct Heading {
    level: u8,
    text: String,
    /// One past the last node that it can stand above.
    end: u32,
}

/// Follows the runs of a tree in document order.
#[derive(Default)]
pub(super) struct HeadingTrail {
    open: Vec<Heading>,
}

impl HeadingTrail {
    /// Takes notice of the next run; returns whether it is a heading.
    pub(super) fn visit(&mut self, tree: &ContentStructureTree, run: &Run) -> bool {
        self.open.retain(|heading| run.nodes.start < heading.end);
        let Some((item, level)) = heading_of(tree, run) else { return false };
        let text = without_permalink(tree.run_text(run));
        if text.is_empty() {
            return false;
        }
        self.open.retain(|heading| heading.level < level);
        let text = text[..text.floor_char_boundary(HEADING_BYTES_MAX)].replace('\n', " ");
        self.open.push(Heading { level, text, end: scope_end(tree, item) });
        true
    }

    /// The texts of the headings above the last visited run, outermost first.
    pub(super) fn path(&self) -> Vec<String> {
        self.open.iter().map(|heading| heading.text.clone()).collect()
    }
}

/// A heading or lead without the sign of a link to itself.
pub(super) fn without_permalink(text: &str) -> &str {
    let bare = text.trim_end_matches(PERMALINK_SIGNS);
    // `C#` is a name: the plain sign counts only behind a blank.
    if text.ends_with('#') && !bare.ends_with(char::is_whitespace) { text } else { bare.trim_end() }
}

/// The heading element that a run stands in, with its level. A definition term or a summary heads what follows it like an `h6`.
fn heading_of(tree: &ContentStructureTree, run: &Run) -> Option<(NodeId, u8)> {
    let mut near = tree.ancestors(run.item).take(3);
    near.find_map(|item| match tree.tag(item) {
        Tag::Dt | Tag::Summary => Some((item, 7)),
        tag => tag.heading_level().map(|level| (item, level)),
    })
}

/// The end of the nearest container that holds more than the heading and its dressing.
fn scope_end(tree: &ContentStructureTree, heading: NodeId) -> u32 {
    let length = tree.subtree_text(heading).len();
    let outer = tree.ancestors(heading).skip(1).find(|item| {
        let spare = match tree.tag(*item) {
            Tag::Header | Tag::Hgroup => HEADER_DRESSING_BYTES_MAX,
            Tag::Div => DIV_DRESSING_BYTES_MAX,
            _ => 0,
        };
        tree.subtree_text(*item).len() > length + spare
    });
    tree.subtree_end(outer.unwrap_or(ContentStructureTree::ROOT)).0
}
