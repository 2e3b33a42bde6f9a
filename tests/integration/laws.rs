//! Laws of the way from HTML to blocks: whatever the page, nothing is lost, nothing is out of order, nothing panics.

use lopper_content::cst::{self, ContentStructureTree, NodeId, NodeKind, Profile};
use lopper_content::dom;
use lopper_content::limits::Limits;
use lopper_content::pipeline::{ExtractParams, PageAnalyser};
use lopper_content::pipeline::{ItemId, StoredTree};
use lopper_content::prune::PruneRule;
use proptest::prelude::*;

use crate::support::page;

/// Pieces that pages are made of, the odd ones included.
fn piece() -> impl Strategy<Value = String> {
    let tags = "(div|p|table|tr|td|ul|li|a href=x|b|span|section|article|h1|h2|pre|noscript|br|hr|img src=i alt=pic|x-card|form|font|dl|dt|dd|figure|figcaption|button|svg|template|script|body|frameset|select)";
    let open = proptest::string::string_regex(&format!("<{tags}>")).unwrap();
    let close =
        "</(div|p|table|tr|td|ul|li|a|b|span|section|article|h1|pre|noscript|x-card|form|svg|template|script|body)>";
    let close = proptest::string::string_regex(close).unwrap();
    let sign = proptest::string::string_regex("<a href=#x>[¶§#]</a>").unwrap();
    let words = proptest::string::string_regex("[a-zäß \n\u{ad}\u{200b}东京]{0,12}").unwrap();
    prop_oneof![4 => open, 3 => close, 5 => words, 1 => sign, 1 => ".{0,6}"]
}

fn html() -> impl Strategy<Value = String> {
    proptest::collection::vec(piece(), 0..80).prop_map(|pieces| pieces.concat())
}

fn tree(html: &str, profile: Profile) -> ContentStructureTree {
    cst::build(&dom::parse(html, &Limits::default()), profile, &Limits::default())
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

/// What a block may leave out of its runs' text: buttons beside words, and links that are a sign alone.
fn left_out_of_blocks(tree: &ContentStructureTree) -> impl Iterator<Item = &str> {
    let buttons = tree.runs().iter().flat_map(|run| tree.asides(run, 0..run.text.len()));
    let links = tree.ids().filter(|id| tree.kind(*id) == NodeKind::Link).map(|id| tree.text(id));
    buttons.chain(links.filter(|text| !text.contains(char::is_alphanumeric)))
}

/// The text of the page's own elements that a browser without scripts shows.
fn visible_text_of_dom(html: &str) -> String {
    const UNSEEN: [&str; 7] = ["script", "style", "template", "svg", "select", "head", "noscript"];
    let dom = dom::parse(html, &Limits::default());
    let Some(body) = dom.find(dom::Tag::Body) else { return String::new() };
    let seen = |id| {
        let mut ancestors = std::iter::successors(Some(id), |at| dom.parent(*at));
        !ancestors.any(|at| dom.tag(at).is_some_and(|tag| UNSEEN.contains(&tag.name())))
    };
    let texts = dom.descendants(body).filter(|id| seen(*id)).filter_map(|id| dom.text(id));
    squeezed(&texts.collect::<String>()).replace(['\u{ad}', '\u{200b}', '\u{2060}', '\u{feff}'], "")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn content_nodes_joined_are_the_visible_text(html in html()) {
        for profile in [Profile::Paper, Profile::Modern] {
            let tree = tree(&html, profile);
            let joined: String = tree.ids().filter(|id| tree.kind(*id).is_content()).map(|id| tree.text(id)).collect();
            prop_assert_eq!(squeezed(&joined), squeezed(tree.visible_text()));
            let runs: String = tree.runs().iter().map(|run| tree.run_text(run)).collect();
            prop_assert_eq!(squeezed(&runs), squeezed(tree.visible_text()));
            if !html.contains("<noscript>") {
                prop_assert_eq!(squeezed(tree.visible_text()), visible_text_of_dom(&html));
            }
        }
    }

    #[test]
    fn the_tree_is_well_formed(html in html()) {
        let tree = tree(&html, Profile::Modern);
        for id in tree.ids() {
            let end = tree.subtree_end(id);
            prop_assert!(id < end && end.index() <= tree.len());
            if let Some(parent) = tree.parent(id) {
                prop_assert!(parent < id && end <= tree.subtree_end(parent));
                prop_assert_eq!(tree.kind(parent), NodeKind::HtmlItem);
            }
            if tree.kind(id) == NodeKind::HtmlItem {
                prop_assert_eq!(tree.kind(tree.element(id)), NodeKind::Element);
                prop_assert!(tree.subtree_text(id).len() <= tree.visible_text().len());
            }
        }
        let ends: Vec<u32> = tree.runs().iter().map(|run| run.nodes.end).collect();
        prop_assert!(tree.runs().iter().skip(1).zip(&ends).all(|(run, before)| run.nodes.start >= *before));
    }

    #[test]
    fn pruning_keeps_an_ordered_subset(html in html(), query in "[a-z ]{0,20}", share in 0f32..1.0) {
        for prune in [PruneRule::Paper, PruneRule::Relative { share }, PruneRule::Everything] {
            let params = ExtractParams { prune, ..ExtractParams::default() };
            let mut analyser = PageAnalyser::new(params, Limits::default());
            let analysed = analyser.analyse_for(page("http://e.example/", html.clone()).source(), None, Some(&query)).unwrap();
            let tree = analysed.pruned.tree();
            let kept: Vec<NodeId> = analysed.pruned.surviving_runs().map(|run| NodeId(run.nodes.start)).collect();
            prop_assert!(kept.is_sorted());
            if prune == PruneRule::Everything {
                prop_assert_eq!(kept.len(), tree.runs().len());
            }
            for id in tree.ids() {
                if let Some(decision) = analysed.pruned.decision(id) {
                    prop_assert!((0.0..=1.0).contains(&decision.similarity));
                    prop_assert!(analysed.pruned.element_value(id) >= 0.0);
                }
            }
            // Borders of cells are written only in blocks.
            let letters = |text: &str| squeezed(text).replace('|', "");
            let kept: String = analysed.pruned.surviving_runs().map(|run| letters(tree.run_text(run))).collect();
            let in_blocks: String = analysed.blocks.iter().map(|block| letters(&block.text)).collect();
            let left_out = || left_out_of_blocks(tree).map(letters);
            if left_out().next().is_none() {
                prop_assert_eq!(in_blocks, kept);
            } else {
                let mut rest = kept.chars();
                prop_assert!(in_blocks.chars().all(|letter| rest.any(|other| other == letter)));
                prop_assert!(kept.len() - in_blocks.len() <= left_out().map(|text| text.len()).sum::<usize>());
            }
            prop_assert!(analysed.blocks.iter().all(|block| (0.0..=1.0).contains(&block.similarity)));
        }
    }

    #[test]
    fn a_stored_tree_gives_the_same_blocks(html in html()) {
        let params = ExtractParams::default();
        let analysed = PageAnalyser::new(params, Limits::default()).analyse(page("http://e.example/", html).source(), None).unwrap();
        let blocks = analysed.blocks.clone();
        let stored = StoredTree::decode(&StoredTree::of(analysed).encode().bytes).unwrap();
        prop_assert_eq!(stored.blocks(&params), blocks);
    }

    #[test]
    fn damaged_stored_trees_do_not_panic(html in html(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let params = ExtractParams::default();
        let analysed = PageAnalyser::new(params, Limits::default()).analyse(page("http://e.example/", html).source(), None).unwrap();
        let mut bytes = StoredTree::of(analysed).encode().bytes;
        let place = at.index(bytes.len());
        bytes[place] = byte;
        // Whatever it says: an error or a tree, no panic. The store's checksum is the first guard.
        let _ = StoredTree::decode(&bytes);
        let Ok(outline) = StoredTree::decode_outline(&bytes) else { return Ok(()) };
        let mut items = vec![ItemId::ROOT];
        while let Some(item) = items.pop() {
            let _ = (outline.tag(item), outline.decision(item), outline.content(item), outline.reasons(&[item]));
            items.extend(outline.child_items(item));
        }
    }
}
