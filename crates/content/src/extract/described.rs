//! What a reference says of a class, a module or a command, and what the posts of a forum and the box beside an article of
//! Fandom say, in elements that their makers call so, which stays whole.
//!
//! Of a page that has a sentence or two about a class, and then names, types and lists, the model keeps the sentences, and of a thread the
//! long posts. In elements of these names nothing else stands, and others hardly use them.

use super::repeated::WordedRuns;
use super::sections::{Sums, lists};
use crate::cst::{ContentStructureTree, NodeId, NodeKind};
use crate::dom::{AttributeName, ClassNames, Dom, DomId, Tag, classes};

/// What descriptions are called: by Javadoc and Groovydoc, JSDoc, YARD, ExDoc and pdoc, TypeDoc.
const DESCRIPTIONS: &ClassNames = classes![
    "class-description",
    "package-description",
    "module-description",
    "summary-list",
    "details-list",
    "blocklist",
    "container-overview",
    "docstring",
    "tsd-description",
    "tsd-comment",
];

/// What the description of a page and those of its members are called, with their signatures, by Doxygen. Lists of links in them may
/// lead to other pages. Others call a text so too, but no member.
const MEMBERS: &ClassNames = classes!["textblock", "memitem"];
const MEMBER: &ClassNames = classes!["memitem"];

/// What pages of commands are called, by DocBook and Asciidoctor. Lists of links in them may lead to other pages.
const MANUALS: &ClassNames = classes!["refentry", "sectionbody"];

/// What the box beside an article is called (Fandom).
const BOXES: &ClassNames = classes!["portable-infobox"];

/// Share of the text of such a list that is links.
const LINKS_SHARE: f64 = 0.5;

/// What the text of a post is called: by XenForo, Stack Exchange, Discourse and vBulletin 5.
const POSTS: &ClassNames = classes!["bbwrapper", "js-post-body", "cooked", "js-post__content-text"];

/// What vBulletin names the text of a post, and phpBB the element around it, before its number; MyBB and SMF, which give it a class besides.
const POST_OF_VBULLETIN: &str = "post_message_";
const POST_OF_MYBB: (&str, &ClassNames) = ("pid_", classes!["post_body"]);
const POST_OF_SMF: (&str, &ClassNames) = ("msg_", classes!["inner"]);
const AROUND_POST_OF_PHPBB: &str = "post_content";

/// What is in a post beside its own words: the card of a page that it links to, what is quoted in vBulletin, files.
const SET_ASIDE: &ClassNames = classes!["bbcodeblock", "onebox", "smallfont", "attachbox"];

/// Elements around what may be a signature that are looked at for one that stands aside (XenForo).
const LEVELS_MAX: usize = 3;

/// Share of their text, all taken together, that is kept at least: a menu that is called so has none.
const KEPT_SHARE: f64 = 0.1;

/// Keeps all of them, where some of it is kept. `kept` and `probability` are by run. O(nodes).
pub(super) fn keep_whole(
    dom: &Dom,
    tree: &ContentStructureTree,
    units: WordedRuns<'_>,
    probability: &[f32],
    kept: &mut [bool],
) {
    let mut keep = |nodes: Vec<NodeId>, aside: &dyn Fn(&[NodeId], &Sums) -> Vec<bool>| {
        if nodes.is_empty() {
            return;
        }
        let sums = Sums::new(tree, units, probability, kept);
        if sums.kept_share(tree, &nodes) > KEPT_SHARE {
            let aside = aside(&nodes, &sums);
            for run in nodes.into_iter().flat_map(|node| tree.runs_within(node)) {
                kept[run] = kept[run] || !aside.get(run).is_some_and(|is_aside| *is_aside);
            }
        }
    };
    let nothing = |_: &[NodeId], _: &Sums| Vec::new();
    keep(named(dom, tree, DESCRIPTIONS), &nothing);
    keep(named(dom, tree, MANUALS), &|_, sums| of_links(tree, sums));
    if is_there(dom, MEMBER) {
        keep(named(dom, tree, MEMBERS), &|_, sums| of_links(tree, sums));
    }
    keep(outermost(tree, |element| is_post(dom, element)), &|posts, _| set_aside(dom, tree, posts));
    keep(named(dom, tree, BOXES), &nothing);
}

/// Whether an element is the text of a post, and not the signature below it.
fn is_post(dom: &Dom, element: DomId) -> bool {
    let id = |element: DomId| dom.attribute(element, AttributeName::Id);
    let around = |is: &dyn Fn(DomId) -> bool| dom.parent(element).is_some_and(is);
    let is_numbered = |id: &str, name: &str| {
        let number = id.strip_prefix(name).unwrap_or_default();
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    };
    let is_called = |id: &str, (name, class)| is_numbered(id, name) && dom.has_class(element, class);
    let is_signature = || {
        let mut around = std::iter::successors(dom.parent(element), |id| dom.parent(*id)).take(LEVELS_MAX);
        around.any(|around| dom.tag(around) == Some(Tag::Aside))
    };
    (dom.has_class(element, POSTS) && !is_signature())
        || id(element).is_some_and(|id| {
            is_numbered(id, POST_OF_VBULLETIN) || is_called(id, POST_OF_MYBB) || is_called(id, POST_OF_SMF)
        })
        || (dom.has_class(element, classes!["content"])
            && around(&|around| id(around).is_some_and(|id| is_numbered(id, AROUND_POST_OF_PHPBB))))
}

/// By run whether it is of a list of links.
fn of_links(tree: &ContentStructureTree, sums: &Sums) -> Vec<bool> {
    let mut found = vec![false; tree.runs().len()];
    for list in lists(tree).into_iter().map(|list| tree.runs_within(list)) {
        let text = sums.of(&list);
        if text.links > text.all * LINKS_SHARE {
            found[list].fill(true);
        }
    }
    found
}

/// By run whether it is of what a post quotes, or of the card of a page that it links to; the model decides about these.
fn set_aside(dom: &Dom, tree: &ContentStructureTree, posts: &[NodeId]) -> Vec<bool> {
    let mut found = vec![false; tree.runs().len()];
    let within = posts.iter().flat_map(|post| (post.0 + 1..tree.subtree_end(*post).0).map(NodeId));
    for item in within.filter(|id| tree.kind(*id) == NodeKind::HtmlItem) {
        if matches!(tree.tag(item), Tag::Blockquote | Tag::Aside | Tag::Table) || tree.has_class(dom, item, SET_ASIDE) {
            found[tree.runs_within(item)].fill(true);
        }
    }
    found
}

/// The elements that are called so, none of which is within another.
fn outermost(tree: &ContentStructureTree, is_called: impl Fn(DomId) -> bool) -> Vec<NodeId> {
    let mut found = Vec::new();
    let mut end = NodeId(0);
    for item in tree.ids().filter(|id| tree.kind(*id) == NodeKind::HtmlItem) {
        let is_container =
            || matches!(tree.tag(item), Tag::Div | Tag::Section | Tag::Ul | Tag::Blockquote | Tag::Aside);
        if item >= end && is_container() && tree.source(item).is_some_and(&is_called) {
            found.push(item);
            end = tree.subtree_end(item);
        }
    }
    found
}

/// The same of those with one of these class names.
fn named(dom: &Dom, tree: &ContentStructureTree, names: &ClassNames) -> Vec<NodeId> {
    if is_there(dom, names) { outermost(tree, |element| dom.has_class(element, names)) } else { Vec::new() }
}

/// Whether anything on the page has one of these class names.
fn is_there(dom: &Dom, names: &ClassNames) -> bool {
    dom.distinct_classes().any(|class| names.are_in(class))
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    #[test]
    fn classes_of_few_words_stay_whole() {
        let class = "<h1>Mill</h1><section class=class-description><p>It says in plain words what it is.</section>\
            <section class=summary><ul class=summary-list><li><h2>Methods</h2><p>open(gate)</ul></section>\
            <section class=details><ul class=details-list><li><h3>open</h3><p>Parameters: gate</ul></section>\
            <p>Copyright";
        let whole = ["It says in plain words what it is.", "Methods", "open(gate)", "open", "Parameters: gate"];
        assert_eq!(testing::left(class, 0.01, keep_whole), whole);
        let function = "<h1>open</h1><div class=tsd-description><div class=tsd-comment><p>Opens it.</div><h4>Returns</h4><p>The gate, \
            which is plain to see.</div><div class=tsd-comment><p>The gate.</div><p>Copyright";
        let whole = ["Opens it.", "Returns", "The gate, which is plain to see.", "The gate."];
        assert_eq!(testing::left(function, 0.01, keep_whole), whole);
        let menu = "<p>Some plain words.</p><ul class=blockList><li>Mills of the world<li>Wheels</ul>";
        assert_eq!(testing::left(menu, 0.01, keep_whole), ["Some plain words."], "nothing of it is kept");
    }

    #[test]
    fn members_stay_whole_with_what_describes_their_class() {
        let page = "<div class=contents><div class=textblock><p>A mill, in plain words.</div>\
            <div class=memitem><div class=memproto>int sails</div><div class=memdoc>how many</div></div></div><p>Copyright";
        assert_eq!(testing::left(page, 0.01, keep_whole), ["A mill, in plain words.", "int sails", "how many"]);
        let teaser = "<div class=textblock><p>A mill, in plain words.</div><div class=textblock><p>Read on</div>";
        assert_eq!(testing::left(teaser, 0.01, keep_whole), ["A mill, in plain words."], "no member is there");
    }

    #[test]
    fn pages_of_commands_stay_whole_without_the_lists_of_others() {
        let page = "<div class=sect1><h2>Name</h2><div class=sectionbody><p>mill, in plain words</div></div>\
            <div class=sect1><h2>Synopsis</h2><div class=sectionbody><pre>mill -v</pre><ul><li>-v: tells more</ul></div></div>\
            <div class=sect1><div class=sectionbody><ul><li><a href=/b>brook(1)</a><li><a href=/c>creek(1)</a></ul></div></div>";
        assert_eq!(testing::left(page, 0.02, keep_whole), ["mill, in plain words", "mill -v", "-v: tells more"]);
    }

    #[test]
    fn posts_stay_whole() {
        for text in [
            "<div class=bbWrapper>",
            "<div class='s-prose js-post-body'>",
            "<div id=post_message_17>",
            "<div class=post_body id=pid_17>",
            "<div class=inner id=msg_17>",
        ] {
            let post = |words: &str| format!("<div><p>oldjoe<p>Posts: 1200{text}{words}</div></div>");
            let thread =
                [post("<p>Long and plain words.<p>It squeaks.<blockquote>Oil it.</blockquote>"), post("Thanks.")]
                    .concat();
            assert_eq!(testing::left(&thread, 0.05, keep_whole), ["Long and plain words.", "It squeaks.", "Thanks."]);
        }
    }
}
