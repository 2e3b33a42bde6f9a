//! Blocks that are called navigation: the head and foot of a manual's page, bars with menus, the way to a page, the foot of the site and what
//! it announces above its head; lists of other posts; lists of a page's own headings; and dialogs of the site.
//!
//! They name the page and those beside it, and a menu that opens when it is pointed at is all there in the page's text, so to the model some
//! of them are content. What they are called says what they are. They are told before the page is cut into content and the rest, so that a
//! long menu does not stand for the content of a page that has little.

use std::collections::HashSet;

use super::PageView;
use super::dialogs::is_of_the_site;
use super::features::hints::MAY_LEAD;
use super::repeated::WordedRuns;
use super::sections::{Sums, Text, lists};
use crate::cst::{ContentStructureTree, NodeId, NodeKind, RunId};
use crate::dom::{AttributeName, ClassNames, ClassValue, Dom, DomId, Tag, classes};

/// What nothing but the head and the foot of a page is called (DocBook).
const SURE: &ClassNames = classes!["navheader", "navfooter"];

/// What the foot of a site, the bar above its head, menus that open over the page with texts and news, the boxes of links below articles
/// (MediaWiki), and the list of all classes beside one (Crystal) are called, in whole names.
const SITE: &ClassNames = classes![
    "announcement-bar",
    "announcementbar",
    "promo-bar",
    "promobar",
    "footer-block",
    "footer-bottom",
    "footer-container",
    "footer-content",
    "footer-inner",
    "footer-menu",
    "footer-section",
    "footer-top",
    "footer-widgets",
    "footer-wrapper",
    "global-footer",
    "main-footer",
    "page-footer",
    "site-footer",
    "elementor-location-footer",
    "has-mega-menu",
    "has-megamenu",
    "m-megamenu",
    "mega-dropdown",
    "mega-dropdown-menu",
    "mega-menu",
    "mega-menu-container",
    "mega-menu-item",
    "mega-menu-wrap",
    "mega-nav",
    "megamenu",
    "megamenu-navigation",
    "td-mega-menu",
    "td_block_mega_menu",
    "ubermenu",
    "navbox",
    "types-list",
];

/// What lists of other posts are called, by themes and plugins that add them to each (tagDiv, Jetpack, YARPP, Contextual Related Posts), in
/// whole names.
const RELATED: &ClassNames = classes![
    "crp_related",
    "jp-relatedposts",
    "related-articles",
    "related-content",
    "related-news",
    "related-posts",
    "related-stories",
    "related_posts",
    "relatedarticles",
    "relatedposts",
    "td_block_related_posts",
    "wp_rp_wrap",
    "yarpp",
    "yarpp-related",
];

/// What bars, and the way to a page, are called, in one of the parts of a name: `t-navbar-head`.
const PARTS: &ClassNames = classes!["navbar", "navigationbar", "breadcrumb", "breadcrumbs", "subpages"];

/// What they are called in whole names alone: `content-sidebar` is called what holds the content and a side bar.
const NAMES: &ClassNames = classes!["sidebar", "sphinxsidebar"];

/// Mean probability from which on such a block is what the page is for.
const PROBABILITY_MAX: f64 = 0.5;

/// Share of the text of a block that is links.
const LINKS_SHARE: f64 = 0.5;

/// Fewest links of a list of the page's headings, share of them that are headings, and share of its letters outside of links.
const CONTENTS_LINKS_MIN: usize = 3;
const CONTENTS_HEADINGS_SHARE: f64 = 0.8;
const CONTENTS_REST_SHARE: f64 = 0.05;

/// Words of what stands aside and names a list that is not there.
const LABEL_WORDS_MAX: usize = 2;

/// Bytes of the page's other text.
const REST_BYTES_MIN: f64 = 100.0;

/// Gives the runs of such blocks, ascending, where the page has other text that is as likely. They are no content to whoever asks:
/// their `probability`, by unit, is 0 then. O(nodes).
pub(super) fn called_navigation(page: &PageView<'_>, units: WordedRuns<'_>, probability: &mut [f32]) -> Vec<RunId> {
    let called = called(page);
    if called.is_empty() {
        return Vec::new();
    }
    let found = without_main(page.tree, units, probability, called);
    for run in &found {
        if let Ok(unit) = units.runs.binary_search(run) {
            probability[unit] = 0.0;
        }
    }
    found
}

/// The blocks that are called so, in their order.
fn called(page: &PageView<'_>) -> Vec<(NodeId, Name)> {
    let (dom, tree) = (page.dom, page.tree);
    let of_class = names_of_classes(page);
    let items = tree.ids().filter(|id| tree.kind(*id) == NodeKind::HtmlItem);
    let called = items.filter_map(|item| {
        if is_label(tree, item) {
            return Some((item, Name::Sure));
        }
        let element = tree.source(item)?;
        let name = if is_of_the_site(dom, element) { Some(Name::Sure) } else { name(dom, element, &of_class) };
        Some((item, name?))
    });
    let mut called: Vec<(NodeId, Name)> = called.collect();
    called.extend(contents(tree).into_iter().map(|list| (list, Name::Sure)));
    called.sort_by_key(|(item, _)| *item);
    called
}

/// The runs of those of the blocks that are not what the page is for, and leave some text.
fn without_main(
    tree: &ContentStructureTree,
    units: WordedRuns<'_>,
    probability: &[f32],
    called: Vec<(NodeId, Name)>,
) -> Vec<RunId> {
    let mut by_run = vec![0.0; tree.runs().len()];
    for (run, probability) in units.runs.iter().zip(probability) {
        by_run[*run] = *probability;
    }
    let sums = Sums::new(tree, units, &by_run, &vec![false; by_run.len()]);
    let whole = sums.of(&(0..tree.runs().len()));
    let mains = mains(tree);
    let holds_main = |item: NodeId| {
        mains.get(mains.partition_point(|main| *main < item)).is_some_and(|main| *main < tree.subtree_end(item))
    };
    let (mut found, mut end, mut bytes) = (Vec::new(), 0, 0.0);
    for (item, name) in called {
        let runs = tree.runs_within(item);
        let block = sums.of(&runs);
        let rest = whole.all - block.all - bytes;
        let is_called = match name {
            Name::Sure => true,
            Name::Site => !holds_main(item),
            Name::Likely => is_likely(block, whole),
        };
        if item.0 >= end && rest >= REST_BYTES_MIN && is_called {
            end = tree.subtree_end(item).0;
            bytes += block.all;
            found.extend(runs);
        }
    }
    found
}

/// The elements that hold what a page is for, in their order.
fn mains(tree: &ContentStructureTree) -> Vec<NodeId> {
    let is_main = |item: &NodeId| {
        tree.kind(*item) == NodeKind::HtmlItem && matches!(tree.tag(*item), Tag::Main | Tag::Article | Tag::H1)
    };
    tree.ids().filter(is_main).collect()
}

/// The lists that are the page's own contents: links to places on it, which are called as its headings are. They have every word that a
/// section is about, and none of what it says.
fn contents(tree: &ContentStructureTree) -> Vec<NodeId> {
    let lists = lists(tree).into_iter().filter_map(|list| Some((list, contents_links(tree, list)?)));
    let lists: Vec<(NodeId, Vec<String>)> = lists.collect();
    if lists.is_empty() {
        return Vec::new();
    }
    let is_heading =
        |item: &NodeId| tree.kind(*item) == NodeKind::HtmlItem && tree.tag(*item).heading_level().is_some();
    let headings: HashSet<String> =
        tree.ids().filter(is_heading).map(|item| letters(tree.subtree_text(item))).collect();
    let is_contents = |links: &[String]| {
        let known = links.iter().filter(|link| headings.contains(*link)).count();
        known as f64 >= links.len() as f64 * CONTENTS_HEADINGS_SHARE
    };
    lists.into_iter().filter(|(_, links)| is_contents(links)).map(|(list, _)| list).collect()
}

/// What the links of a list are called that holds nothing but links to places on the page.
fn contents_links(tree: &ContentStructureTree, list: NodeId) -> Option<Vec<String>> {
    let (mut links, mut linked, mut rest) = (Vec::new(), 0, 0);
    for id in (list.0..tree.subtree_end(list).0).map(NodeId) {
        match tree.kind(id) {
            NodeKind::Link => {
                let href = tree.link(id).map(|link| tree.attribute_text(link.href))?;
                let text = letters(tree.text(id));
                if !href.starts_with('#') || text.is_empty() {
                    return None;
                }
                linked += text.len();
                links.push(text);
            }
            NodeKind::Text => rest += letters(tree.text(id)).len(),
            NodeKind::Image => return None,
            NodeKind::HtmlItem | NodeKind::Element => {}
        }
    }
    let is_list = links.len() >= CONTENTS_LINKS_MIN && rest as f64 <= linked as f64 * CONTENTS_REST_SHARE;
    is_list.then_some(links)
}

/// A heading's letters and digits, without a number before them.
pub(super) fn letters(text: &str) -> String {
    let text = text.trim_start_matches(|char: char| !char.is_alphabetic());
    if text.is_ascii() {
        let letters = text.bytes().filter(u8::is_ascii_alphanumeric);
        return letters.map(|letter| char::from(letter.to_ascii_lowercase())).collect();
    }
    text.chars().filter(|char| char.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether an item stands aside and is no more than the name of a list that scripts would show there.
fn is_label(tree: &ContentStructureTree, item: NodeId) -> bool {
    tree.tag(item) == Tag::Aside && tree.subtree_text(item).split_whitespace().nth(LABEL_WORDS_MAX).is_none()
}

/// How sure a name is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Name {
    Sure,
    /// Unless it holds what a page is for.
    Site,
    Likely,
}

/// The name of an element by its `class`, told of each of the page's values, or by its id.
fn name(dom: &Dom, element: DomId, of_class: &[Option<Name>]) -> Option<Name> {
    let is_likely = |id: &str| PARTS.are_parts_of(id) || NAMES.contains(id.as_bytes());
    let of_id = || dom.attribute(element, AttributeName::Id).is_some_and(is_likely).then_some(Name::Likely);
    of_class[dom.class_id(element).index()].or_else(of_id)
}

/// How sure each of the page's values of `class` is.
fn names_of_classes(page: &PageView<'_>) -> Vec<Option<Name>> {
    let classes = page.dom.distinct_classes().zip(page.class_hints());
    classes.map(|(class, hints)| name_of_class(class, hints & MAY_LEAD != 0)).collect()
}

/// `may_lead` is false where [`PARTS`] are surely no parts of it.
fn name_of_class(class: &ClassValue, may_lead: bool) -> Option<Name> {
    if SURE.are_in(class) {
        return Some(Name::Sure);
    }
    if SITE.are_in(class) || RELATED.are_in(class) {
        return Some(Name::Site);
    }
    (may_lead && PARTS.are_parts_of(class.text()) || NAMES.are_in(class)).then_some(Name::Likely)
}

/// Whether a block is mostly links, and no likelier to be content than the rest of the page.
fn is_likely(block: Text, page: Text) -> bool {
    let rest = (page.probable - block.probable) / (page.all - block.all);
    let mean = block.probable / block.all.max(1.0);
    block.links >= block.all * LINKS_SHARE && mean < PROBABILITY_MAX.min(rest)
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    fn left(html: &str, likely: f32) -> Vec<String> {
        testing::left(html, 0.4, |dom, tree, units, _, kept| {
            let text = |run: &RunId| tree.run_text(&tree.runs()[*run]);
            let mut probability: Vec<f32> =
                units.runs.iter().map(|run| if text(run).contains("turn") { 0.6 } else { likely }).collect();
            kept.fill(true);
            let found = called_navigation(&PageView::new(dom, tree, ""), units, &mut probability);
            assert!(found.is_sorted() && found.iter().all(|run| probability[*run] == 0.0));
            for run in found {
                kept[run] = false;
            }
        })
    }

    const TEXT: &str =
        "The mills at the river turn by day and by night, and grind what the farmers of the valley bring to them.";

    #[test]
    fn what_is_called_the_head_of_a_page_goes() {
        let head = "<div class=navheader><table><tr><th>1.2. Mills<tr><td><a href=a>Zurück</a></table></div>";
        assert_eq!(left(&format!("{head}<p>{TEXT}</p>"), 0.9), [TEXT]);
        let aside = "<aside><label>Index 🔎︎ </label><nav></nav></aside>";
        assert_eq!(
            left(&format!("{aside}<p>{TEXT}</p><aside>They turn by day.</aside>"), 0.9).len(),
            2,
            "an empty list"
        );
        assert_eq!(left(&format!("{head}<p>They turn.</p>"), 0.9).len(), 3, "next to nothing else is there");
    }

    #[test]
    fn dialogs_of_the_site_go() {
        let foot = "<footer><div role=dialog><h2>Terms</h2><p>You agree to indemnify us.</p></div></footer>";
        assert_eq!(left(&format!("<p>{TEXT}</p>{foot}"), 0.9), [TEXT]);
        assert_eq!(left(&format!("<p>They turn.</p>{foot}"), 0.9).len(), 3, "next to nothing else is there");
    }

    #[test]
    fn the_foot_of_the_site_and_what_it_announces_go() {
        for name in [
            "site-footer",
            "x Footer-Wrapper",
            "promo-bar",
            "announcement-bar",
            "x mega-menu",
            "related-posts",
            "types-list",
        ] {
            let part = |html: &str| {
                format!("<div class='{name}'><p>Free shipping of flour by day.</p>{html}</div><p>{TEXT}</p>")
            };
            assert_eq!(left(&part(""), 0.9), [TEXT], "{name}");
            assert_eq!(left(&part("<h1>Mills</h1>"), 0.9).len(), 3, "it holds the page");
        }
        for name in ["entry-footer", "promo", "announcement-barometer"] {
            let part = format!("<div class='{name}'><p>Free shipping of flour by day.</p></div><p>{TEXT}</p>");
            assert_eq!(left(&part, 0.9).len(), 2, "{name}");
        }
    }

    #[test]
    fn lists_of_the_pages_headings_go() {
        let page = |links: &str, more: &str| {
            format!(
                "<ul><li><a href=#a>Chapter 1: Mills</a><ul>{links}</ul>{more}</ul><h1><a name=a></a>Chapter 1: Mills</h1><p>{TEXT}</p>\
                 <h2 id=b>1.1 ‘Wind mills’</h2><p>{TEXT}</p><h2 id=c>1.2 Water mills</h2><p>{TEXT}</p>"
            )
        };
        let links = "<li><a href=#b>1.1 ‘Wind mills’</a><li>1.2 <a href=#c>Water mills</a>";
        assert_eq!(left(&page(links, ""), 0.9).len(), 6);
        let other = links.replace("#c", "water.html");
        assert_eq!(left(&page(&other, ""), 0.9).len(), 9, "links to another page");
        let other = links.replace("Water mills", "Do mills need water?");
        assert_eq!(left(&page(&other, ""), 0.9).len(), 9, "other words");
        assert_eq!(left(&page(links, "<li>More of both in the village"), 0.9).len(), 10, "text");
    }

    #[test]
    fn bars_of_links_go_where_the_rest_is_likelier() {
        let links = "<p><a href=a>Wind mills</a></p><p><a href=b>Water mills</a> <i>(new)</i></p>".repeat(9);
        let page = |class: &str| format!("<div class='{class}'><div>{links}</div></div><p>{TEXT}</p>");
        assert_eq!(left(&page("t-navbar"), 0.4), [TEXT]);
        assert_eq!(left(&page("x Breadcrumbs"), 0.4), [TEXT]);
        assert_eq!(left(&page("x sidebar"), 0.4), [TEXT]);
        assert_eq!(left(&page("content-sidebar"), 0.4).len(), 19, "content with a side bar");
        assert_eq!(left(&page("t-navbar"), 0.7).len(), 19, "content to the model");
        assert_eq!(left(&page("navbarish"), 0.4).len(), 19, "another name");
        let plain = page("t-navbar").replace("<a href", "<b title").replace("</a>", "</b>");
        assert_eq!(left(&plain, 0.4).len(), 19, "no links");
    }
}
