//! Content that a page sends late and hidden, and that its own scripts put in its place.
//!
//! A page that React streams has a `template` where a part is not ready yet, between two comments and with something to show
//! meanwhile. The part comes later, in a hidden element at the end, followed by a script that moves it:
//!
//! ```html
//! <p>Run:</p><!--$?--><template id="B:0"></template><p>Loading<!--/$-->
//! <div hidden id="S:0"><pre>make</pre></div><script>$RC("B:0","S:0")</script>
//! ```
//!
//! `$RC(template, part)` and `$RR(template, part, styles)` put the children of the part where the template and what is shown meanwhile
//! are. `$RS(part, template)` puts them where the template is. Where the page was saved without its scripts, the parts are told by their
//! numbers.

use std::borrow::Cow;
use std::collections::HashMap;

use super::arena::{Arena, Position};
use super::{AttributeName, Dom, DomId, Tag};

/// The calls that put a part in its place, and whether the part is the first argument.
const CALLS: [(&str, bool); 3] = [("$RC(", false), ("$RR(", false), ("$RS(", true)];

/// How often a node may be moved, on average: parts may come in parts.
const MOVES_A_NODE_MAX: usize = 4;

/// Deepest element that a part may come to hold.
const DEPTH_MAX: u16 = 512;

/// Calls that are followed.
const CALLS_MAX: usize = 10_000;

/// Siblings behind a template that are looked at for the end of its place.
const SIBLINGS_MAX: usize = 1_000;

/// Comments and templates that were met during the parse.
#[derive(Debug, Clone, Default)]
pub(super) struct StreamMarks {
    templates: Vec<DomId>,
    /// By node: whether the comment opens a place or closes one.
    borders: HashMap<DomId, bool>,
}

impl StreamMarks {
    pub(super) fn see_template(&mut self, id: DomId) {
        self.templates.push(id);
    }

    pub(super) fn see_comment(&mut self, id: DomId, text: &str) {
        match text {
            "$" | "$?" | "$!" | "$~" => self.borders.insert(id, true),
            "/$" => self.borders.insert(id, false),
            _ => None,
        };
    }

    /// Whether a comment opens a place or closes one.
    pub(super) fn is_border(&self, id: DomId) -> bool {
        self.borders.contains_key(&id)
    }
}

/// A part and the template in whose place it belongs.
#[derive(Debug, Clone, Copy)]
struct Placement {
    part: DomId,
    template: DomId,
    /// Whether what is shown meanwhile goes.
    replaces: bool,
}

/// The page with the parts of a stream in their places. O(nodes), for pages with named templates alone.
pub(super) fn in_place(dom: &Dom) -> Cow<'_, Dom> {
    let is_named = |id: &DomId| dom.attribute(*id, AttributeName::Id).is_some();
    if !dom.streamed.templates.iter().any(is_named) {
        return Cow::Borrowed(dom);
    }
    let placements = placements(dom);
    if placements.is_empty() {
        return Cow::Borrowed(dom);
    }
    let mut placed = dom.clone();
    let mut moves_left = dom.len() * MOVES_A_NODE_MAX;
    for placement in placements {
        if may_move(&placed, placement, &mut moves_left) {
            put(&mut placed, placement);
        }
    }
    placed.list_elements();
    Cow::Owned(placed)
}

/// The placements in the order in which the page makes them.
fn placements(dom: &Dom) -> Vec<Placement> {
    let by_id = elements_by_id(dom);
    let find = |id: &str| by_id.get(id).copied();
    let template = |id: &str| find(id).filter(|id| dom.tag(*id) == Some(Tag::Template));
    let scripts = dom.elements().filter(|id| dom.tag(*id) == Some(Tag::Script));
    let calls: Vec<Call> = scripts.flat_map(|script| calls_of(&dom.text_content(script))).take(CALLS_MAX).collect();
    if calls.is_empty() {
        return by_number(dom, &by_id);
    }
    let placement = |call: &Call| {
        Some(Placement { part: find(&call.part)?, template: template(&call.template)?, replaces: call.replaces })
    };
    calls.iter().filter_map(placement).collect()
}

/// The first element of each id, in document order.
fn elements_by_id(dom: &Dom) -> HashMap<&str, DomId> {
    let mut by_id = HashMap::new();
    for element in dom.elements() {
        if let Some(id) = dom.attribute(element, AttributeName::Id) {
            by_id.entry(id).or_insert(element);
        }
    }
    by_id
}

/// The placements of a page without the scripts that tell them: `S:1` belongs to `P:1`, else to `B:1`.
fn by_number(dom: &Dom, by_id: &HashMap<&str, DomId>) -> Vec<Placement> {
    let placement = |template: DomId| {
        let id = dom.attribute(template, AttributeName::Id)?;
        let (before, number) = id.rsplit_once(':')?;
        let replaces = before.ends_with('B');
        let prefix = before.strip_suffix(['B', 'P'])?;
        let part = *by_id.get(format!("{prefix}S:{number}").as_str())?;
        let is_hidden = dom.attribute(part, AttributeName::Hidden).is_some();
        let is_filled = replaces && by_id.contains_key(format!("{prefix}P:{number}").as_str());
        (is_hidden && !is_filled).then_some(Placement { part, template, replaces })
    };
    dom.streamed.templates.iter().filter_map(|template| placement(*template)).collect()
}

/// A call in a script, with the ids that it names.
#[derive(Debug, PartialEq, Eq)]
struct Call {
    part: String,
    template: String,
    replaces: bool,
}

/// The calls of a script, in order.
fn calls_of(script: &str) -> Vec<Call> {
    let places = script.match_indices("$R").filter_map(|(at, _)| {
        let rest = &script[at..];
        let (name, part_first) = CALLS.iter().find(|(name, _)| rest.starts_with(name))?;
        let (first, rest) = string(&rest[name.len()..])?;
        let (second, _) = string(rest.trim_start().strip_prefix(',')?)?;
        let (part, template) = if *part_first { (first, second) } else { (second, first) };
        Some(Call { part: part.to_owned(), template: template.to_owned(), replaces: !part_first })
    });
    places.collect()
}

/// The plain string literal at the beginning of a source, and what is behind it.
fn string(source: &str) -> Option<(&str, &str)> {
    let source = source.trim_start();
    let quote = source.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    let (value, rest) = source[1..].split_once(quote)?;
    (!value.contains('\\')).then_some((value, rest))
}

/// Whether a placement may be made: not into the part itself, nor deeper than pages may be. Takes what it looks at off `moves_left`.
fn may_move(dom: &Dom, placement: Placement, moves_left: &mut usize) -> bool {
    let Placement { part, template, .. } = placement;
    let mut around = std::iter::successors(Some(template), |id| dom.parent(*id));
    if dom.parent(template).is_none() || dom.parent(part).is_none() || around.any(|id| id == part) {
        return false;
    }
    let (mut moves, mut deepest) = (0, dom.depth(part));
    for id in dom.descendants(part).take(*moves_left) {
        moves += 1;
        deepest = deepest.max(dom.depth(id));
    }
    *moves_left -= moves;
    *moves_left > 0 && dom.depth(template).saturating_add(deepest - dom.depth(part)) <= DEPTH_MAX
}

fn put(dom: &mut Dom, placement: Placement) {
    let Placement { part, template, replaces } = placement;
    let meanwhile = if replaces { meanwhile(dom, template) } else { Vec::new() };
    let moved: Vec<DomId> = dom.descendants(part).skip(1).collect();
    let children: Vec<DomId> = dom.children(part).collect();
    let (from, to) = (dom.depth(part).saturating_add(1), dom.depth(template));
    for id in moved {
        let depth = &mut dom.nodes[id.index()].depth;
        *depth = (*depth).saturating_sub(from).saturating_add(to);
    }
    let mut arena = Arena(&mut dom.nodes);
    for child in children {
        arena.detach(child);
        arena.link(Position::Before(template), child);
    }
    for gone in meanwhile.into_iter().chain([template, part]) {
        arena.detach(gone);
    }
}

/// What is shown while a part is not there: the template's later siblings up to the comment that closes the place; nothing where
/// there is no such comment.
fn meanwhile(dom: &Dom, template: DomId) -> Vec<DomId> {
    let mut open = 1;
    let mut seen = Vec::new();
    let later = std::iter::successors(dom.next_sibling(template), |id| dom.next_sibling(*id));
    for sibling in later.take(SIBLINGS_MAX) {
        match dom.streamed.borders.get(&sibling) {
            Some(true) => open += 1,
            Some(false) => open -= 1,
            None => {}
        }
        if open == 0 {
            return seen;
        }
        seen.push(sibling);
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom::parse;
    use crate::limits::Limits;

    fn text(html: &str) -> String {
        let parsed = parse(html, &Limits::default());
        let dom = parsed.in_place();
        let body = dom.find(Tag::Body).unwrap();
        let is_shown = |id: &DomId| dom.parent(*id).and_then(|parent| dom.tag(parent)) != Some(Tag::Script);
        dom.descendants(body).filter(is_shown).filter_map(|id| dom.text(id)).collect()
    }

    const PLACE: &str = "<p>a</p><!--$?--><template id=B:0></template><p>wait<!--$-->!<!--/$--></p><!--/$--><p>d</p>";

    #[test]
    fn parts_replace_what_is_shown_meanwhile() {
        let part = "<div hidden id=S:1><p>b</p><p>c</p></div>";
        for call in ["$RC(\"B:0\",\"S:1\")", "$RR('B:0', 'S:1', [])", "f=1;$RC=function(a,b){};$RC(\"B:0\",\"S:1\")"] {
            assert_eq!(text(&format!("{PLACE}{part}<script>{call}</script>")), "abcd", "{call}");
        }
        assert_eq!(text(&format!("{PLACE}{part}<script>$RC(\"B:0\",\"S:2\")</script>")), "await!dbc");
        assert_eq!(text(&format!("{PLACE}{part}<script>$RC(\"B:0\",x)</script>")), "await!dbc");
    }

    #[test]
    fn parts_come_in_parts() {
        let segments = "<div hidden id=S:0>b<template id=P:1></template></div><div hidden id=S:1>c</div>";
        for calls in ["$RS('S:1','P:1');$RC('B:0','S:0')", "$RC('B:0','S:0');$RS('S:1','P:1')"] {
            assert_eq!(text(&format!("{PLACE}{segments}<script>{calls}</script>")), "abcd", "{calls}");
        }
        assert_eq!(text(&format!("{PLACE}{segments}")), "abcd", "told by their numbers");
    }

    #[test]
    fn without_the_comment_at_the_end_nothing_is_taken_away() {
        let html = "<p>a</p><template id=B:0></template><p>d</p><div hidden id=S:0>b</div>";
        assert_eq!(text(html), "abd");
        assert_eq!(text(&html.replace("hidden", "")), "adb", "a part is hidden");
    }

    #[test]
    fn no_part_is_put_into_itself_or_too_deep() {
        let html = "<div hidden id=S:0>b<template id=B:0></template></div><script>$RC('B:0','S:0')</script>";
        assert_eq!(text(html), "b");
        let nested = (0..400).map(|n| {
            let deep = format!("{}<template id=P:{}></template>{}", "<i>".repeat(100), n + 1, "</i>".repeat(100));
            format!("<div hidden id=S:{n}>{n}{deep}</div>")
        });
        let calls = (0..400).map(|n| format!("$RS('S:{n}','P:{n}');")).collect::<Vec<_>>().concat();
        let html =
            format!("<p><template id=P:0></template>{}<script>{calls}</script>", nested.collect::<Vec<_>>().concat());
        let parsed = parse(&html, &Limits::default());
        let dom = parsed.in_place();
        let deepest = dom
            .descendants(Dom::DOCUMENT)
            .map(|id| std::iter::successors(Some(id), |at| dom.parent(*at)).count())
            .max();
        assert!(deepest.unwrap() <= 520, "{deepest:?}");
        let all: String = (0..400).map(|n| n.to_string()).collect();
        assert_eq!(text(&html).len(), all.len(), "nothing is lost");
    }
}
