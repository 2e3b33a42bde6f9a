//! Writes what the default method keeps of a set's pages, for the scorer: a line `{"id", "text"}` a page.
//!
//! `predict SET OUT.jsonl [--model FILE] [--ids FILE] [--comments keep]`: the set is a folder with `html/ID.html.gz` and `gold.jsonl.gz`;
//! `--ids` restricts it to the ids of a file, one a line.

use std::collections::HashSet;
use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use lopper_content::cst::ContentStructureTree;
use lopper_content::dom::Tag;
use lopper_content::extract::PageView;
use lopper_content::extract::forest_judge::decide;
use lopper_content::extract::model::Model;
use lopper_content::limits::Limits;
use lopper_content::{cst, dom};

#[path = "support/labelled.rs"]
mod labelled;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [set, out, options @ ..] = arguments.as_slice() else {
        return Err("usage: predict SET OUT.jsonl [--model FILE] [--ids FILE] [--comments keep]".into());
    };
    let option = |name: &str| options.iter().position(|option| option == name).and_then(|at| options.get(at + 1));
    let model = match option("--model") {
        Some(file) => Model::from_bytes(&std::fs::read(file)?)?,
        None => Model::embedded().clone(),
    };
    let ids: Option<HashSet<String>> = match option("--ids") {
        Some(file) => Some(std::fs::read_to_string(file)?.lines().map(str::to_owned).collect()),
        None => None,
    };
    let comments = option("--comments").is_some_and(|value| value == "keep");
    let mut out = BufWriter::new(File::create(out)?);
    for page in labelled::pages(Path::new(set), ids.as_ref())? {
        let page = page?;
        let line = serde_json::json!({ "id": page.id, "text": content(&page, &model, comments) });
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// The kept runs, each on a line; the cells of a row on one.
fn content(page: &labelled::Page, model: &Model, comments: bool) -> String {
    let limits = Limits::default();
    let dom = dom::parse(&page.html, &limits);
    let tree = cst::build(&dom, cst::Profile::Modern, &limits);
    let decision = decide(&PageView::new(&dom, &tree, &page.url), model);
    let mut text = String::new();
    let kept = |run: usize| decision.kept[run] || (comments && decision.is_comment(run));
    for (_, run) in tree.runs().iter().enumerate().filter(|(id, run)| kept(*id) && !run.text.is_empty()) {
        if !text.is_empty() {
            text.push(if is_later_cell(&tree, run) { ' ' } else { '\n' });
        }
        text.push_str(tree.run_text(run));
    }
    for hidden in decision.hidden_texts() {
        text.push('\n');
        text.push_str(hidden);
    }
    text
}

fn is_later_cell(tree: &ContentStructureTree, run: &cst::Run) -> bool {
    matches!(tree.tag(run.item), Tag::Td | Tag::Th)
        && tree.parent(run.item).is_some_and(|row| tree.child_items(row).next() != Some(run.item))
}
