//! Writes what the default method keeps of a set's pages, for the scorer: a line `{"id", "text"}` a page.
//!
//! `predict SET OUT.jsonl [--model FILE] [--ids FILE] [--comments keep|drop] [--written text|body|markdown]`: the set is a folder with
//! `html/ID.html.gz` and `gold.jsonl.gz`; `--ids` restricts it to the ids of a file, one a line. Without `--written` these are the kept
//! runs; with it what `lopper extract` writes of them: the text, that of the body alone, or Markdown.

use std::collections::HashSet;
use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use lopper_content::cst::ContentStructureTree;
use lopper_content::document::{to_markdown, to_text};
use lopper_content::dom::{Dom, Tag};
use lopper_content::extract::content::{ContentOptions, content_of};
use lopper_content::extract::forest_judge::{ForestVerdict, decide};
use lopper_content::extract::model::Model;
use lopper_content::extract::{Comments, PageView, body_only, titled};
use lopper_content::limits::Limits;
use lopper_content::metadata::Metadata;
use lopper_content::{cst, dom};

#[path = "support/labelled.rs"]
mod labelled;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [set, out, options @ ..] = arguments.as_slice() else {
        return Err(
            "usage: predict SET OUT.jsonl [--model FILE] [--ids FILE] [--comments keep|drop] [--written text|body|markdown]"
                .into(),
        );
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
    let comments: Comments = option("--comments").map_or(Ok(Comments::Auto), |value| value.parse())?;
    let written = option("--written").map(String::as_str);
    let mut out = BufWriter::new(File::create(out)?);
    for page in labelled::pages(Path::new(set), ids.as_ref())? {
        let page = page?;
        let line = serde_json::json!({ "id": page.id, "text": content(&page, &model, comments, written) });
        writeln!(out, "{line}")?;
    }
    Ok(())
}

fn content(page: &labelled::Page, model: &Model, comments: Comments, written: Option<&str>) -> String {
    let limits = Limits::default();
    let dom = dom::parse(&page.html, &limits);
    let tree = cst::build(&dom, cst::Profile::Modern, &limits);
    let view = PageView::new(&dom, &tree, &page.url);
    let decision = decide(&view, model);
    let is_kept = |(run, kept): (usize, &bool)| match comments {
        Comments::Auto => *kept,
        Comments::Keep => *kept || decision.is_comment(run),
        Comments::Drop => *kept && !decision.is_comment(run),
    };
    let kept: Vec<bool> = decision.kept.iter().enumerate().map(is_kept).collect();
    match written {
        Some(form) => document(&dom, &view, &decision, &kept, form),
        None => runs(&tree, &decision, &kept),
    }
}

/// As `lopper extract` writes it.
fn document(dom: &Dom, view: &PageView<'_>, decision: &ForestVerdict, kept: &[bool], form: &str) -> String {
    let mut document = content_of(dom, view.tree, view.url, kept, ContentOptions::default());
    for hidden in decision.hidden_texts() {
        document.push_paragraph(hidden);
    }
    match form {
        "markdown" => to_markdown(&titled(&document, &Metadata::read(dom))),
        "body" => to_text(&body_only(document, &Metadata::read(dom))),
        _ => to_text(&document),
    }
}

/// The kept runs, each on a line; the cells of a row on one.
fn runs(tree: &ContentStructureTree, decision: &ForestVerdict, kept: &[bool]) -> String {
    let mut text = String::new();
    for (_, run) in tree.runs().iter().enumerate().filter(|(id, run)| kept[*id] && !run.text.is_empty()) {
        if !text.is_empty() {
            text.push(if is_later_cell(tree, run) { ' ' } else { '\n' });
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
