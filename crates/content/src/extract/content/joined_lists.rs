//! Lists that are written as several: one an entry, or one a level (Notion, Google Docs, Word).

use super::classes::class;
use super::marks::Marks;
use crate::document::{Block, List, Numbering};
use crate::dom::{AttributeName, Dom, DomId, Tag};

/// Siblings and elements around or in an element that are looked at for what stands before it.
const STEPS_MAX: usize = 4;

/// Nodes in an element that are looked at for whether it holds one alone.
const CHILDREN_MAX: usize = 16;

/// The deepest level of a list, from 0.
const LEVEL_MAX: usize = 8;

/// Beginning of the class names that Google Docs gives its lists; behind it stand the list's name and the level.
const GOOGLE: &str = "lst-kix_";

/// How a list goes on with the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Joint {
    /// Whether it does at all; else it is the first of some with levels.
    goes_on: bool,
    place: Place,
    /// Whether its entries are of the list at that level, whatever their numbers are.
    is_same: bool,
}

/// Where a list stands among those that are one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// So many levels below the first.
    Depth(usize),
    /// At a level that counts from elsewhere.
    Level(usize),
}

impl Joint {
    /// A list that goes on so many levels below the one before it.
    pub(super) fn below(depth: usize, is_same: bool) -> Self {
        Self { goes_on: true, place: Place::Depth(depth), is_same }
    }
}

/// The levels of the lists that are one, from the first one's down to the present one's. The first may be of any level,
/// and levels may be left out.
#[derive(Debug, Default)]
pub(super) struct Levels(Vec<usize>);

impl Levels {
    /// Adds a list to the one before it; gives back the list where it was not added.
    pub(super) fn join(&mut self, before: Option<&mut List>, list: List, joint: Joint) -> Option<List> {
        let depth = match joint.place {
            Place::Depth(depth) => depth,
            Place::Level(level) => self.depth(level, joint.goes_on),
        };
        match before {
            Some(before) if joint.goes_on => join(before, list, depth, joint.is_same),
            _ => Some(list),
        }
    }

    /// How many lists a list of this level is within.
    fn depth(&mut self, level: usize, goes_on: bool) -> usize {
        let above = |other: &usize| goes_on && *other < level;
        self.0.truncate(self.0.iter().take_while(|other| above(other)).count());
        self.0.push(level);
        self.0.len() - 1
    }
}

/// Adds a list to the one before it; `None` where it was added. The depth is bounded by the number of levels.
fn join(before: &mut List, list: List, depth: usize, is_same: bool) -> Option<List> {
    if depth == 0 {
        let next = before.number(before.entries.len());
        let follows = is_same
            || (list.ordered
                && (list.reversed, list.numbering) == (before.reversed, before.numbering)
                && next == list.start);
        if before.ordered != list.ordered || !follows {
            return Some(list);
        }
        before.entries.extend(list.entries);
        return None;
    }
    let Some(entry) = before.entries.last_mut() else { return Some(list) };
    let rest = match entry.blocks.last_mut() {
        Some(Block::List(inner)) => join(inner, list, depth - 1, is_same),
        _ => Some(list),
    };
    entry.blocks.extend(rest.map(Block::List));
    None
}

/// How a list goes on with the kept one right before it: by the level in its class, by its first number and the kind of
/// its numbers, or by the class of both, where each has one entry.
pub(super) fn joint(dom: &Dom, marks: &Marks, list: DomId, tag: Tag) -> Option<Joint> {
    let before = element_before(dom, list).filter(|before| marks.is_kept(*before));
    let before = before.filter(|before| matches!(dom.tag(*before), Some(Tag::Ul | Tag::Ol)));
    let google = GoogleList::of(dom, list);
    if let Some(own) = &google
        && let other = before.and_then(|before| GoogleList::of(dom, before))
        && (other.is_some() || before.is_none())
    {
        return Some(own.behind(other.as_ref(), tag));
    }
    let before = before.filter(|before| dom.tag(*before) == Some(tag))?;
    let goes_on = match tag {
        Tag::Ol => {
            dom.attribute(list, AttributeName::Start).is_some() && numbering(dom, list) == numbering(dom, before)
        }
        _ => has_one_entry(dom, list) && has_one_entry(dom, before) && is_alike(dom, list, before),
    };
    goes_on.then_some(Joint::below(0, tag == Tag::Ul))
}

/// How a list's numbers are written, where not in digits: by its type, by its style, or by the class that Docutils gives it.
pub(super) fn numbering(dom: &Dom, list: DomId) -> Option<Numbering> {
    if let Some(name) = dom.attribute(list, AttributeName::Type) {
        return Numbering::of_html(name.trim());
    }
    let styled = dom.attribute(list, AttributeName::Style).and_then(Numbering::of_style);
    let class = class(dom, list);
    styled.or_else(|| by_class(class))
}

fn by_class(class: &str) -> Option<Numbering> {
    class.split_ascii_whitespace().find_map(|class| {
        Some(match class {
            "loweralpha" => Numbering::LowerLetters,
            "upperalpha" => Numbering::UpperLetters,
            "lowerroman" => Numbering::LowerRoman,
            "upperroman" => Numbering::UpperRoman,
            _ => return None,
        })
    })
}

/// The element right before another one. Divisions that hold one element alone count as that.
pub(super) fn element_before(dom: &Dom, element: DomId) -> Option<DomId> {
    let mut at = element;
    for _ in 0..STEPS_MAX {
        let mut before = std::iter::successors(dom.previous_sibling(at), |id| dom.previous_sibling(*id));
        if let Some(before) = before.by_ref().take(STEPS_MAX).find(|id| !dom.is_blank(*id)) {
            return dom.tag(before).map(|_| innermost(dom, before));
        }
        let around = dom.parent(at).filter(|around| dom.tag(*around) == Some(Tag::Div))?;
        at = only_child(dom, around).filter(|only| *only == at).map(|_| around)?;
    }
    None
}

/// What a division holds, if that is one element alone, and so on.
fn innermost(dom: &Dom, element: DomId) -> DomId {
    let inner = |id: &DomId| only_child(dom, *id).filter(|_| dom.tag(*id) == Some(Tag::Div));
    std::iter::successors(Some(element), inner).take(STEPS_MAX).last().unwrap_or(element)
}

/// The child of an element that has one and, besides, some white space.
fn only_child(dom: &Dom, element: DomId) -> Option<DomId> {
    let children: Vec<DomId> = dom.children(element).take(CHILDREN_MAX + 1).collect();
    let mut parts = children.iter().filter(|id| !dom.is_blank(**id));
    let only = parts.next().filter(|child| dom.tag(**child).is_some() && parts.next().is_none());
    only.copied().filter(|_| children.len() <= CHILDREN_MAX)
}

fn has_one_entry(dom: &Dom, list: DomId) -> bool {
    only_child(dom, list).is_some_and(|entry| dom.tag(entry) == Some(Tag::Li))
}

fn is_alike(dom: &Dom, list: DomId, other: DomId) -> bool {
    !class(dom, list).is_empty() && class(dom, list) == class(dom, other)
}

/// What the class of a list of Google Docs says: `lst-kix_a3f-0`.
#[derive(Debug, PartialEq, Eq)]
struct GoogleList<'d> {
    name: &'d str,
    level: usize,
}

impl<'d> GoogleList<'d> {
    fn of(dom: &'d Dom, list: DomId) -> Option<Self> {
        let named = class(dom, list).split_ascii_whitespace().find_map(|class| class.strip_prefix(GOOGLE));
        let (name, level) = named?.rsplit_once('-')?;
        let level = level.parse().ok()?;
        (level <= LEVEL_MAX).then_some(Self { name, level })
    }

    /// How it goes on with the one right before it. One of a lower level may have another name.
    fn behind(&self, before: Option<&Self>, tag: Tag) -> Joint {
        let has_name = before.is_some_and(|before| self.name == before.name);
        let goes_on = has_name || before.is_some_and(|before| self.level > before.level);
        Joint { goes_on, place: Place::Level(self.level), is_same: tag != Tag::Ol && has_name }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{content, markdown};
    use super::*;
    use crate::document::{Document, TeiHead, to_html, to_tei};

    #[test]
    fn lists_of_one_entry_each_are_one() {
        let list = |text: &str| format!("<ul class=b><li>{text}</ul>");
        let lists = [list("a"), list("b"), list("c")];
        assert_eq!(markdown(&lists.concat()), "- a\n- b\n- c\n");
        let wrapped = lists.map(|list| format!("<div style='display:contents'>{list}</div>\n"));
        assert_eq!(markdown(&wrapped.concat()), "- a\n- b\n- c\n");
        let nested = format!("<ul class=b><li>a{}{}</ul>{}", list("x"), list("y"), list("b"));
        assert_eq!(markdown(&nested), "- a\n  - x\n  - y\n- b\n");
        for other in ["<ul class=c><li>b</ul>", "<ul class=b><li>b<li>c</ul>", "<ol class=b><li>b</ol>"] {
            assert!(!markdown(&format!("{}{other}", list("a"))).starts_with("- a\n- b"), "{other}");
        }
        assert_eq!(markdown(&format!("{}<p>So</p>{}", list("a"), list("b"))), "- a\n\nSo\n\n- b\n");
    }

    #[test]
    fn a_list_that_begins_with_the_next_number_goes_on() {
        let two = |start: u32| format!("<ol><li>a<li>b</ol> <ol start={start}><li>c</ol>");
        assert_eq!(markdown(&two(3)), "1. a\n2. b\n3. c\n");
        assert_eq!(markdown(&two(1)), "1. a\n2. b\n\n1) c\n");
        assert_eq!(markdown(&two(4)), "1. a\n2. b\n\n4) c\n");
        let dropped = "<ol><li>DROP<li>b</ol><ol start=3><li>c</ol>";
        assert_eq!(markdown(dropped), "2. b\n3. c\n");
    }

    #[test]
    fn lists_of_google_docs_have_levels() {
        let list = |tag: &str, class: &str, start: u32, text: &str| {
            format!("<{tag} class='c1 lst-kix_{class} start' start={start}><li>{text}</{tag}>")
        };
        let html = [("a-0", "one"), ("a-1", "in"), ("a-2", "deep"), ("a-1", "in 2"), ("a-0", "two"), ("b-0", "other")];
        let html = html.map(|(class, text)| list("ul", class, 1, text)).concat();
        assert_eq!(markdown(&html), "- one\n  - in\n    - deep\n  - in 2\n- two\n\n+ other\n");
        let numbered = [("a-0", 1, "one"), ("a-1", 1, "in"), ("a-1", 2, "in 2"), ("a-0", 2, "two")];
        let numbered = numbered.map(|(class, start, text)| list("ol", class, start, text)).concat();
        assert_eq!(markdown(&numbered), "1. one\n   1. in\n   2. in 2\n2. two\n");
        assert_eq!(markdown(&list("ul", "a-99999999999999999999", 1, "one")), "- one\n");
    }

    #[test]
    fn lists_of_google_docs_may_begin_at_any_level() {
        let lists = |levels: &[usize]| {
            let list = |level: &usize| format!("<ul class='lst-kix_a-{level}'><li>l{level}</ul>");
            markdown(&levels.iter().map(list).collect::<String>())
        };
        assert_eq!(lists(&[1, 2, 1]), "- l1\n  - l2\n- l1\n");
        assert_eq!(lists(&[2, 1, 0, 1]), "- l2\n- l1\n- l0\n  - l1\n");
        assert_eq!(lists(&[0, 2, 2, 0]), "- l0\n  - l2\n  - l2\n- l0\n", "a level is left out");
        assert_eq!(lists(&[0, 2, 1]), "- l0\n  - l2\n  - l1\n");
    }

    #[test]
    fn letters_do_not_go_on_with_numbers() {
        let two = |first: &str, second: &str| format!("<ol {first}><li>a<li>b</ol><ol {second} start=3><li>c</ol>");
        assert_eq!(markdown(&two("", "type=a")), "1. a\n2. b\n\n- c. c\n");
        assert_eq!(markdown(&two("type=a", "type=a")), "- a. a\n- b. b\n- c. c\n");
        assert_eq!(markdown(&two("type=1", "")), "1. a\n2. b\n3. c\n");
    }

    #[test]
    fn lists_by_letters_keep_them() {
        let html = "<p>x</p><ol type=a start=3><li>wind<ol type=I><li>west<li value=4>north</ol></ol>";
        let of = |kept: &str| format!("<main><h1>Mills</h1><p>What the law says of them.</p>{kept}</main>");
        assert!(markdown(&of(html)).contains("- c. wind\n"), "{}", markdown(&of(html)));
        let document = content(&of(html));
        let text = to_html(&document);
        for part in ["<ol type=\"a\" start=\"3\">", "<ol type=\"I\">", "<ol type=\"I\" start=\"4\">"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let tei = to_tei(&document, &TeiHead::default());
        assert!(tei.contains("<item n=\"c\">") && tei.contains("<item n=\"IV\">north"), "{tei}");
        let json = serde_json::to_string(&document).unwrap();
        assert!(json.contains(r#""ordered":true,"numbering":"a","start":3"#), "{json}");
        assert_eq!(serde_json::from_str::<Document>(&json).unwrap(), document);
        let docutils = of(
            "<ol class='loweralpha simple'><li>wind<li>water</ol><ol class=arabic><li>one</ol><ol type=1><li>two</ol>",
        );
        assert!(markdown(&docutils).contains("- a. wind\n- b. water\n\n1. one"), "{}", markdown(&docutils));
        let mark =
            |numbering, start| List { ordered: true, numbering: Some(numbering), start, ..List::default() }.mark(0);
        let letters = [1, 26, 27, 0].map(|start| mark(Numbering::LowerLetters, start));
        assert_eq!(letters, ["a", "z", "aa", "0"]);
        assert_eq!([1994, 4000].map(|start| mark(Numbering::UpperRoman, start)), ["MCMXCIV", "4000"]);
    }
}
