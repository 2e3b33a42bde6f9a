//! Which headings stand above a run.

use std::collections::HashMap;
use std::ops::Range;

use super::entries::ReferenceEntry;
use crate::cst::{ContentStructureTree, HEADING_DEPTH_MAX, NodeId, NodeKind, Run};
use crate::dom::Tag;

/// A `header` whose text is at most this much longer than the heading in it, in bytes, only dresses the heading up (with a date and
/// an author), so the heading speaks for what comes after it.
const HEADER_DRESSING_BYTES_MAX: usize = 300;

/// The same for a `div`, which may as well be a short section.
const DIV_DRESSING_BYTES_MAX: usize = 40;

/// Signs that documentation generators put behind or before a heading as a link to itself; the last two are of icon fonts.
pub(crate) const PERMALINK_SIGNS: [char; 8] = ['¶', '§', '#', '🔗', '⚓', '◆', '\u{f0c1}', '\u{e9cb}'];

/// What such links say instead to those who hear the page, in small letters: this alone, or with more behind it.
pub(crate) const PERMALINK_WORDS: [&str; 5] =
    ["permalink", "link to this", "direct link to", "section titled", "link to heading"];

/// Longest heading text kept, in bytes.
const HEADING_BYTES_MAX: usize = 300;

/// Levels from one of `h1` to `h6` to the next: the name of an entry stands between.
const LEVEL_STEP: u8 = 2;

/// Level of `h1`.
const FIRST_LEVEL: u8 = LEVEL_STEP;

/// Level of a definition term; those of `h1` to `h6` are multiples of [`LEVEL_STEP`].
const TERM_LEVEL: u8 = 7 * LEVEL_STEP;

/// Definitions within definitions that are told apart, and elements around a run among which its part of a list is looked for.
const TERM_DEPTH_MAX: usize = 30;

/// Runs of terms that share a definition, at most.
const SHARED_TERMS_MAX: usize = 16;

/// Nodes of a heading among which its name is looked for.
const NAME_NODES_MAX: u32 = 64;

#[derive(Clone)]
struct Heading<'t> {
    level: u8,
    /// Its element.
    item: NodeId,
    is_term: bool,
    text: String,
    /// The name that links can lead to, and where it stands.
    name: Option<(NodeId, &'t str)>,
    /// One past the last node that it can stand above.
    end: u32,
}

impl Heading<'_> {
    /// Whether this term, behind which nothing has come yet, is of the same definition as the run in the term `item`: the first of them
    /// heads it. A list of terms alone defines nothing. O(log runs).
    fn shares(&self, tree: &ContentStructureTree, item: NodeId, run: &Run) -> bool {
        let list = tree.parent(item);
        if tree.tag(self.item) != Tag::Dt || tree.tag(item) != Tag::Dt || tree.parent(self.item) != list {
            return false;
        }
        let mut behind = runs_behind(tree, run).iter().take(SHARED_TERMS_MAX).map(|run| part_of(tree, list, run.item));
        behind.find(|tag| *tag != Some(Tag::Dt)) == Some(Some(Tag::Dd))
    }
}

/// The runs that come after one.
fn runs_behind<'t>(tree: &'t ContentStructureTree, run: &Run) -> &'t [Run] {
    &tree.runs()[tree.runs().partition_point(|other| other.nodes.start <= run.nodes.start)..]
}

/// What the child of `list` is that `item` is in, or is.
fn part_of(tree: &ContentStructureTree, list: Option<NodeId>, item: NodeId) -> Option<Tag> {
    let within = tree.ancestors(item).take(TERM_DEPTH_MAX).find(|near| tree.parent(*near) == list);
    within.map(|part| tree.tag(part))
}

/// What a run is to the text around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// It opens a section: a heading, a definition term with a name to link to, a question.
    Heading,
    /// It opens an entry of a list, which may be too short to stand alone.
    Term,
    /// It is what headings stand above.
    Body,
    /// It is for those who edit the page.
    Aside,
}

/// Follows the runs of a tree in document order.
#[derive(Default)]
pub(super) struct HeadingTrail<'t> {
    open: Vec<Heading<'t>>,
    /// Where each name of a place on the page stands, the first of it; made when it is asked for.
    places: Option<HashMap<&'t str, NodeId>>,
    /// Whether the last run that was visited is the innermost heading, a definition term: terms behind it share its definition.
    is_at_term: bool,
}

impl<'t> HeadingTrail<'t> {
    /// Takes notice of the next run.
    pub(super) fn visit(&mut self, tree: &'t ContentStructureTree, run: &Run) -> Role {
        self.leave(tree, run);
        let is_behind_term = std::mem::take(&mut self.is_at_term);
        if is_edit_link(tree, run) || self.is_permalink_behind(tree, run) {
            return Role::Aside;
        }
        let Some((item, level)) = heading_of(tree, run) else { return Role::Body };
        if self.is_entry_of_contents(tree, run) {
            return Role::Body;
        }
        let text = tree.without_readings(bare_text(tree, run, 0..run.text.len(), run.nodes.clone()));
        let text = without_permalink(&text);
        if text.is_empty() {
            return Role::Body;
        }
        let own_name = item_name(tree, item);
        let is_term = level >= TERM_LEVEL && own_name.is_none() && !text.ends_with(['?', '？']);
        let role = if is_term { Role::Term } else { Role::Heading };
        self.is_at_term = tree.tag(item) == Tag::Dt;
        if let Some(first) = self.open.last_mut().filter(|first| is_behind_term && first.shares(tree, item, run)) {
            first.name = first.name.or(own_name);
            return role;
        }
        self.open.retain(|heading| heading.level < level);
        let text = text[..text.floor_char_boundary(HEADING_BYTES_MAX)].replace('\n', " ");
        let name = own_name.or_else(|| tree.places(near_nodes(tree, item)).next());
        let heading = Heading { level, item, is_term, text, name, end: scope_end(tree, item) };
        let level_of = |run: &Run| heading_of(tree, run).map(|(_, level)| level).filter(|level| *level < TERM_LEVEL);
        if let Some(entry) = ReferenceEntry::at(tree, item, level_of) {
            let (text, place) = (entry.name.replace('\n', " "), Some(entry.place));
            self.open.push(Heading { level: level - 1, item, is_term: false, text, name: place, end: entry.end });
        }
        if self.open.last().is_none_or(|entry| entry.item != item || entry.text != heading.text) {
            self.open.push(heading);
        }
        role
    }

    /// Whether a heading is a link alone that leads on to a place behind what comes next, which is a link or a heading too: an entry of
    /// contents that are written as headings, which opens no section.
    fn is_entry_of_contents(&mut self, tree: &'t ContentStructureTree, run: &Run) -> bool {
        let link = tree.link(NodeId(run.nodes.start)).filter(|_| run.nodes.len() == 1);
        let Some((_, name)) = link.and_then(|link| tree.attribute_text(link.href).split_once('#')) else {
            return false;
        };
        let Some(next) = runs_behind(tree, run).first() else { return false };
        let mut nodes = next.nodes.clone().map(NodeId);
        if heading_of(tree, next).is_none() && !nodes.all(|node| tree.kind(node) == NodeKind::Link) {
            return false;
        }
        let places = self.places.get_or_insert_with(|| places_of(tree));
        places.get(name).is_some_and(|place| place.0 >= next.nodes.end)
    }

    /// Whether a run is a link that says that it leads to the heading it stands behind (Starlight).
    fn is_permalink_behind(&self, tree: &ContentStructureTree, run: &Run) -> bool {
        let node = NodeId(run.nodes.start);
        let name = self.open.last().and_then(|heading| heading.name);
        run.nodes.len() == 1
            && name.is_some_and(|(_, name)| own_place(tree, node) == Some(name))
            && says_permalink(tree, node)
    }

    /// Leaves the containers that end before `run`. Where no heading is left, an `h1` goes on heading the part behind its container.
    fn leave(&mut self, tree: &ContentStructureTree, run: &Run) {
        let first = self.open.first().filter(|heading| heading.level == FIRST_LEVEL && heading.end <= run.nodes.start);
        let first = first.cloned();
        self.open.retain(|heading| run.nodes.start < heading.end);
        if let Some(mut heading) = first.filter(|_| self.open.is_empty())
            && let Some(end) = part_behind(tree, &heading, run)
        {
            heading.end = end;
            self.open.push(heading);
        }
    }

    /// The texts of the headings above the last visited run, outermost first.
    pub(super) fn path(&self) -> Vec<String> {
        self.open.iter().map(|heading| heading.text.clone()).collect()
    }

    /// The innermost name of these headings, and where it stands.
    pub(super) fn name(&self) -> Option<(NodeId, &'t str)> {
        self.open.iter().rev().find_map(|heading| heading.name)
    }

    /// How many of these headings open the section: the terms of its lists are not among them.
    pub(super) fn section_len(&self) -> usize {
        self.open.iter().rposition(|heading| !heading.is_term).map_or(0, |last| last + 1)
    }
}

/// A heading or lead without the sign of a link to itself.
pub(super) fn without_permalink(text: &str) -> &str {
    let bare = text.trim_end_matches(PERMALINK_SIGNS);
    // `C#` is a name: the plain sign counts only behind a blank.
    if text.ends_with('#') && !bare.ends_with(char::is_whitespace) { text } else { bare.trim_end() }
}

/// The text of a part of a run, without what stands at its ends for those who browse the page: signs that link to the part itself,
/// buttons of headings and code, and links to edit a section. `nodes` are those of the part; a text of nothing else stays.
pub(super) fn bare_text<'t>(
    tree: &'t ContentStructureTree,
    run: &Run,
    part: Range<usize>,
    nodes: Range<u32>,
) -> &'t str {
    let whole = &tree.run_text(run)[part.clone()];
    let signs = [nodes.clone().next_back(), nodes.clone().next()].into_iter().flatten().map(NodeId);
    let signs = signs.filter(|node| is_permalink(tree, *node)).map(|node| tree.text(node));
    let mut bare = whole;
    for aside in signs.chain(tree.asides(run, part).rev()) {
        let (text, aside) = (bare.trim(), aside.trim());
        let before = text.strip_suffix(aside).map(str::trim_end);
        bare = before.or_else(|| Some(text.strip_prefix(aside)?.trim_start())).unwrap_or(bare);
    }
    if bare.trim().is_empty() { whole } else { bare }
}

/// Whether a run is nothing but a link to edit a section. Buttons alone are text: they may be all that a heading or code is.
fn is_edit_link(tree: &ContentStructureTree, run: &Run) -> bool {
    let text = tree.run_text(run);
    tree.asides(run, 0..text.len()).any(|aside| aside.trim() == text.trim())
        && run.nodes.clone().any(|node| tree.is_in_aside(NodeId(node)))
}

/// Whether a node is a link whose text is such a sign alone, or says that it leads to the heading at which it stands.
pub(super) fn is_permalink(tree: &ContentStructureTree, node: NodeId) -> bool {
    let text = || tree.text(node).trim();
    tree.kind(node) == NodeKind::Link
        && !text().is_empty()
        && (text().chars().all(|sign| PERMALINK_SIGNS.contains(&sign)) || says_permalink(tree, node))
}

/// Whether a link to a place of its page says so in words.
fn says_permalink(tree: &ContentStructureTree, node: NodeId) -> bool {
    let says = |words: &&str| {
        let text = tree.text(node).trim();
        let starts = text.get(..words.len()).is_some_and(|start| start.eq_ignore_ascii_case(words));
        starts && !text[words.len()..].starts_with(char::is_alphanumeric)
    };
    own_place(tree, node).is_some() && PERMALINK_WORDS.iter().any(says)
}

/// The name of the place on its own page that a link leads to.
fn own_place(tree: &ContentStructureTree, node: NodeId) -> Option<&str> {
    tree.attribute_text(tree.link(node)?.href).strip_prefix('#')
}

/// Whether a run is the name of a place, a link that leads to itself and is all of its element: it belongs to what comes after it.
pub(super) fn is_place_name(tree: &ContentStructureTree, run: &Run) -> bool {
    let Some(target) = own_place(tree, NodeId(run.nodes.start)).filter(|_| run.nodes.len() == 1) else { return false };
    let length = tree.run_text(run).len();
    let mut around = tree.ancestors(run.item).take_while(|item| tree.subtree_text(*item).trim().len() <= length);
    let is_within = || tree.places(run.nodes.clone()).any(|(_, name)| name == target);
    around.any(|item| tree.element_id(item) == Some(target)) || is_within()
}

/// The heading element that a run stands in, with its level. A definition term or a summary heads what follows it below an `h6`,
/// and in a list within a definition below that definition's term.
fn heading_of(tree: &ContentStructureTree, run: &Run) -> Option<(NodeId, u8)> {
    let mut near = tree.ancestors(run.item).take(HEADING_DEPTH_MAX);
    near.find_map(|item| match tree.tag(item) {
        Tag::Dt => {
            let outer = tree.ancestors(item).skip(1).filter(|item| tree.tag(*item) == Tag::Dd);
            Some((item, TERM_LEVEL + outer.take(TERM_DEPTH_MAX).count() as u8))
        }
        Tag::Summary => Some((item, TERM_LEVEL)),
        tag => {
            let level = tag.heading_level().filter(|_| !is_swallowed(tree, item, run));
            level.map(|level| (item, level * LEVEL_STEP))
        }
    })
}

/// Whether a run stands in a heading that nobody closed, behind what the heading says.
fn is_swallowed(tree: &ContentStructureTree, heading: NodeId, run: &Run) -> bool {
    tree.subtree_text(heading).len() > HEADING_BYTES_MAX
        && tree.runs().get(tree.runs_within(heading).start).is_some_and(|first| first.nodes.start != run.nodes.start)
}

/// The first `id` of an HtmlItem in an element, its own as a rule, and where it stands.
fn item_name(tree: &ContentStructureTree, item: NodeId) -> Option<(NodeId, &str)> {
    near_nodes(tree, item).map(NodeId).find_map(|node| Some((node, tree.element_id(node)?)))
}

fn near_nodes(tree: &ContentStructureTree, item: NodeId) -> Range<u32> {
    item.0..tree.subtree_end(item).0.min(item.0 + NAME_NODES_MAX)
}

/// The names that links can lead to, each where it stands first. The page chooses them, so the map has a key of its own. O(nodes).
fn places_of(tree: &ContentStructureTree) -> HashMap<&str, NodeId> {
    let ids = tree.ids().filter_map(|item| Some((item, tree.element_id(item)?)));
    let all = tree.places(0..tree.len() as u32);
    let mut places = HashMap::new();
    for (node, name) in ids.chain(all) {
        places.entry(name).and_modify(|first: &mut NodeId| *first = node.min(*first)).or_insert(node);
    }
    places
}

/// The end of the nearest container that holds more than the heading and its dressing. What stands before an `h1` that ends its
/// container, as the module and package of a class, dresses it up as well; lower headings may stand below what they name, as in cards.
fn scope_end(tree: &ContentStructureTree, heading: NodeId) -> u32 {
    let length = tree.subtree_text(heading).len();
    let outer = tree.ancestors(heading).skip(1).find(|item| {
        let is_last = || tree.tag(heading) == Tag::H1 && tree.runs_within(*item).end == tree.runs_within(heading).end;
        let spare = match tree.tag(*item) {
            Tag::Header | Tag::Hgroup => HEADER_DRESSING_BYTES_MAX,
            Tag::Div if is_last() => HEADER_DRESSING_BYTES_MAX,
            Tag::Div => DIV_DRESSING_BYTES_MAX,
            _ => 0,
        };
        tree.subtree_text(*item).len() > length + spare
    });
    tree.subtree_end(outer.unwrap_or(ContentStructureTree::ROOT)).0
}

/// The end of the part that begins with `run` behind the container of an `h1`, where the `h1` heads it too, as a table whose section was
/// closed too early: it has no heading of its own, and more text than the `h1` has below it in its container. What stands beside a text
/// as its foot or a list of links has less, or is marked as such. O(runs of the part before its first heading).
fn part_behind(tree: &ContentStructureTree, heading: &Heading<'_>, run: &Run) -> Option<u32> {
    let is_closed = |item: &NodeId| tree.subtree_end(*item).0 <= heading.end;
    let mut left = tree.ancestors(heading.item).take_while(is_closed);
    if left.any(|item| is_apart(tree.tag(item))) {
        return None;
    }
    let part = tree.ancestors(run.item).take_while(|item| item.0 >= heading.end).last()?;
    let below = tree.runs_within(heading.item).end;
    let below = tree.runs().get(below).map_or(0, |first| (run.text.start.saturating_sub(first.text.start)) as usize);
    if tree.subtree_text(part).len() <= below || is_apart(tree.tag(part)) {
        return None;
    }
    let has_heading = tree.runs()[tree.runs_within(part)].iter().any(|run| tree.is_in_heading(run));
    (!has_heading).then(|| tree.subtree_end(part).0)
}

/// Whether what is in such an element is finished with it, and stands beside what comes after it.
fn is_apart(tag: Tag) -> bool {
    matches!(tag, Tag::Article | Tag::Aside | Tag::Nav | Tag::Footer | Tag::Section | Tag::Header)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cst::{self, Profile};
    use crate::dom;
    use crate::limits::Limits;

    /// The headings above each run with text that has this in it.
    fn paths(html: &str, text: &str) -> Vec<String> {
        let limits = Limits::default();
        let tree = cst::build(&dom::parse(html, &limits), Profile::Modern, &limits);
        let mut trail = HeadingTrail::default();
        let visited = tree.runs().iter().filter_map(|run| {
            trail.visit(&tree, run);
            tree.run_text(run).contains(text).then(|| trail.path().join(" › "))
        });
        visited.collect()
    }

    #[test]
    fn a_table_behind_the_container_of_an_h1_is_under_it() {
        let table = format!("<table>{}</table>", "<tr><td>Add<td>Adds two registers.".repeat(20));
        let page = |before: &str, behind: &str| {
            let of = format!(
                "<div><h1>Code</h1><p>Sails.</p><h1>The Opcodes</h1><p>There are some of them in the machine.</p></div>{behind}"
            );
            paths(&format!("<body>{before}{of}"), "Add")[0].clone()
        };
        assert_eq!(page("", &format!("<div><blockquote>{table}</blockquote></div>")), "The Opcodes");
        let more = format!("<div><p>Some.</p></div><div>{table}</div>");
        assert_eq!(page("", &more), "", "what is shorter ends the section");
        assert_eq!(page("", "<div>Address</div>"), "");
        assert_eq!(page("", &format!("<div>{table}<h2>Other</h2></div>")), "", "a part with headings of its own");
        assert_eq!(page("", &format!("<nav>{table}</nav>")), "");
    }

    #[test]
    fn of_terms_that_share_a_definition_the_first_heads_it() {
        let list = |terms: &str| format!("<h1>Text</h1><dl><dt>replace(old)<dd>One.{terms}<dd>It cuts.</dl>");
        let shared = list("<dt>split(text)<dt>split(text, sep)<dt>rsplit(text)");
        assert_eq!(paths(&shared, "It cuts"), ["Text › split(text)"]);
        assert_eq!(paths(&shared, "One"), ["Text › replace(old)"]);
        let alone = "<dl><dt>split(text)<dt>join(texts)<dt>trim(text)</dl><p>They cut.</p>";
        assert_eq!(paths(alone, "trim"), ["trim(text)"], "terms alone share nothing");
        let of_two_runs = list("<dt><p>split(text)</p><p>New in 3.1</p>");
        assert_eq!(paths(&of_two_runs, "It cuts"), ["Text › split(text)"]);
        let apart = "<dl><div><dt>split(text)</div><div><dt>join(texts)<dd>It joins.</div></dl>";
        assert_eq!(paths(apart, "It joins"), ["join(texts)"], "each div is a definition of its own");
    }

    #[test]
    fn contents_written_as_headings_head_nothing() {
        let contents = "<h2><a href=a.html#w>1 Wind</a></h2><h2><a href=#s>2 Sails</a></h2>";
        let sections = "<h3><a name=w>1 Wind</a></h3><p>It blows.</p><h3 id=s>2 Sails</h3><p>They turn.</p>";
        let page = |between: &str| format!("<h1>Mills</h1>{contents}{between}{sections}");
        assert_eq!(paths(&page("<h3>Introduction</h3>"), "They turn"), ["Mills › 2 Sails"]);
        assert_eq!(paths(&page(""), "It blows"), ["Mills › 1 Wind"]);
        let teasers = page("<p>They are of cloth.</p>");
        assert_eq!(paths(&teasers, "of cloth"), ["Mills › 2 Sails"], "what has a text of its own heads it");
        let own = "<h1>Mills</h1><h2 id=w><a href=#w>Wind</a></h2><h3 id=s><a href=#s>Sails</a></h3><p>They turn.</p>";
        assert_eq!(paths(own, "They turn"), ["Mills › Wind › Sails"]);
    }

    #[test]
    fn headings_of_parts_that_stand_beside_head_nothing_behind_them() {
        let text = format!("<div>{}</div>", "<p>Text</p>".repeat(20));
        for beside in [
            "<aside><h1>Menu</h1><p>a</p></aside>",
            "<div><h2>Menu</h2><p>Some of the links that lead to other pages</p><p>a</p></div>",
        ] {
            assert!(paths(&format!("<body>{beside}{text}"), "Text").iter().all(String::is_empty), "{beside}");
        }
        let articles = format!("<article><h1>One</h1><p>a</p></article>{text}");
        assert!(paths(&articles, "Text").iter().all(String::is_empty));
    }

    #[test]
    fn the_name_of_an_entry_of_a_reference_heads_its_sections() {
        let entry = |name: &str| {
            format!(
                "<div class=refentry><a id=RT_{name}></a><div class=titlepage></div><div class=refnamediv><h2>Name</h2>
                <p>{name} — Returns it.</p></div><div class=refsynopsisdiv><h2>Synopsis</h2><p>{name}(raster)</p></div>
                <div class=refsection><h2>Description</h2><p>About {name}</p></div></div>"
            )
        };
        let html = format!(
            "<div class=chapter><h1>Raster Reference</h1><p>All of it.</p><div>{}{}</div></div>",
            entry("ST_A"),
            entry("ST_B")
        );
        assert_eq!(paths(&html, "Returns it"), ["Raster Reference › ST_A › Name", "Raster Reference › ST_B › Name"]);
        assert_eq!(paths(&html, "About ST_B"), ["Raster Reference › ST_B › Description"]);
        let title = "<div id=SQL-X><div class=refnamediv><h2>ALTER X</h2><p>ALTER X — change it</p></div>
            <div><h2>Synopsis</h2><p>ALTER X name</p></div><div><h2>Description</h2><p>About it</p></div></div>";
        assert_eq!(paths(title, "About it"), ["ALTER X › Description"]);
        let cards: String =
            ["Ann", "Bob"].map(|who| format!("<div><h2>Chair</h2><p>{who} — Miller</p><p>About</p></div>")).concat();
        assert!(paths(&format!("<div id=team>{cards}</div>"), "About").iter().all(|path| path == "Chair"));
        let short: String =
            ["Ann", "Bob"].map(|who| format!("<div><h2>Chair</h2><p>{who} — Miller</p></div>")).concat();
        assert_eq!(paths(&format!("<div id=team>{short}</div>"), "Bob"), ["Chair"]);
    }
}
