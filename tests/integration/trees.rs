//! Small pages of many kinds with the tree and the blocks that come of them.
//!
//! A case is a folder of `tests/pages`: `source.html`, `expected.cst` and `expected.blocks.json`. Where there is an
//! `expected.paper.cst`, the tree is compared in the paper's profile and by the paper's rule too. The page is weighed alone and
//! pruned by its own topic.
//!
//! `LOPPER_UPDATE=1 cargo test --test integration trees` writes the expectations anew. A new case is a new folder with its
//! `source.html`. Every change of an expectation is read before it is committed: is this what the tree ought to be?

use std::fmt::Write;
use std::path::Path;

use lopper_content::cst::{ContentStructureTree, NodeId, NodeKind, Profile};
use lopper_content::limits::Limits;
use lopper_content::pipeline::{AnalysedPage, ExtractParams, PageAnalyser};
use lopper_content::prune::{PruneRule, PrunedTree};
use serde_json::json;

use crate::support::{check_file, names_in, page, repository};

fn analyse(folder: &Path, params: ExtractParams) -> AnalysedPage {
    let html = std::fs::read_to_string(folder.join("source.html")).unwrap();
    PageAnalyser::new(params, Limits::default()).analyse(page("http://page.example/", html).source(), None).unwrap()
}

/// The tree as indented lines. An HtmlItem shows the sum of all weights in it, its value (the Element node's, of what survives),
/// its similarity and the decision; a content node its weight.
fn text_form(analysed: &AnalysedPage) -> String {
    let pruned = &analysed.pruned;
    let tree = pruned.tree();
    let mut form = format!("topic {:?}\nlanguage {:?}\n\n", analysed.metadata.topic(), analysed.language);
    for id in tree.ids().filter(|id| tree.kind(*id) != NodeKind::Element) {
        let indent = "  ".repeat(tree.ancestors(id).count() - 1);
        let _ = writeln!(form, "{indent}{}", node_line(pruned, id));
    }
    form
}

fn node_line(pruned: &PrunedTree, id: NodeId) -> String {
    let tree = pruned.tree();
    let weight = pruned.weighted().weight(id).total();
    match tree.kind(id) {
        NodeKind::HtmlItem | NodeKind::Element => item_line(pruned, id, weight),
        NodeKind::Text => format!("Text {weight:.3} {:?}", tree.text(id)),
        NodeKind::Link => format!("Link {weight:.3} {:?}{}", tree.text(id), link_words(tree, id)),
        NodeKind::Image => format!("Image {weight:.3}{}", image_words(tree, id)),
    }
}

fn item_line(pruned: &PrunedTree, id: NodeId, weight: f32) -> String {
    let tree = pruned.tree();
    let name = tree.element_id(id).map_or_else(String::new, |name| format!("#{name}"));
    let decision = pruned.decision(id).expect("every HtmlItem is judged");
    let verdict = match (decision.kept, pruned.survives(id)) {
        (true, true) => "kept",
        (true, false) => "gone",
        (false, _) => "DROPPED",
    };
    let tag = Some(tree.tag(id).name()).filter(|name| !name.is_empty()).unwrap_or("custom");
    let value = pruned.element_value(id);
    let (similarity, reason) = (decision.similarity, decision.reason.as_str());
    format!("<{tag}{name}> {weight:.3} value {value:.3} similarity {similarity:.3} {verdict}: {reason}")
}

fn link_words(tree: &ContentStructureTree, id: NodeId) -> String {
    let link = tree.link(id).expect("a Link node has its detail");
    words(tree, [("->", link.href), ("title", link.title)])
}

fn image_words(tree: &ContentStructureTree, id: NodeId) -> String {
    let image = tree.image(id).expect("an Image node has its detail");
    words(tree, [("alt", image.alt), ("title", image.title), ("src", image.src)])
}

fn words<const N: usize>(tree: &ContentStructureTree, spans: [(&str, lopper_content::cst::Span); N]) -> String {
    let known = spans.into_iter().filter(|(_, span)| !span.is_empty());
    known.fold(String::new(), |line, (name, span)| format!("{line} {name} {:?}", tree.attribute_text(span)))
}

fn blocks_form(analysed: &AnalysedPage) -> String {
    let rounded = |value: f32| (f64::from(value) * 1000.0).round() / 1000.0;
    let blocks = analysed.blocks.iter().map(|block| {
        json!({
            "ordinal": block.ordinal,
            "path": block.path,
            "css_path": block.css_path,
            "anchor": block.anchor,
            "heading_path": block.heading_path,
            "lead": block.lead,
            "text": block.text,
            "link_text": block.link_text,
            "image_text": block.image_text,
            "similarity": rounded(block.similarity),
            "weight": rounded(block.weight),
        })
    });
    let blocks: Vec<_> = blocks.collect();
    serde_json::to_string_pretty(&blocks).unwrap() + "\n"
}

fn check(folder: &Path) -> Result<(), String> {
    let modern = analyse(folder, ExtractParams::default());
    check_file(&folder.join("expected.cst"), &text_form(&modern))?;
    check_file(&folder.join("expected.blocks.json"), &blocks_form(&modern))?;
    let paper = folder.join("expected.paper.cst");
    if paper.exists() {
        let params = ExtractParams { profile: Profile::Paper, prune: PruneRule::Paper, ..ExtractParams::default() };
        check_file(&paper, &text_form(&analyse(folder, params)))?;
    }
    Ok(())
}

#[test]
fn pages_give_their_trees_and_blocks() {
    let pages = repository("tests/pages");
    let names = names_in(&pages);
    assert!(names.len() >= 12, "the cases are found");
    let wrong: Vec<String> = names.iter().filter_map(|name| check(&pages.join(name)).err()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
