//! A page's blocks: what was kept of it, what was dropped and why.

use lopper_content::page_type::PageType;
use lopper_content::pipeline::StoredTree;
use lopper_store::StoredPage;

use super::Html;
use super::boxes::boxes;
use super::figures::{bytes, grouped};
use super::html::is_web;
use super::layout::{Content, framed};
use crate::http::dates::rfc_3339;

/// The page of a page.
pub(in crate::http) fn page(page: &StoredPage, tree: &StoredTree) -> Html {
    let heading = if page.title.trim().is_empty() { &page.url } else { &page.title };
    let mut main = Html::new();
    main.raw("<h1 dir=\"auto\">").text(heading).raw("</h1>").html(&facts(page));
    main.html(&explanation(page, tree)).html(&boxes(tree));
    let title = format!("{heading} – Lopper");
    framed(&Content { kind: "tree", title: &title, query: "", main: &main })
}

fn facts(page: &StoredPage) -> Html {
    let mut html = Html::new();
    html.raw("<dl class=\"about\"><dt>Address</dt><dd>");
    if is_web(&page.url) {
        html.raw("<a").href(&page.url).raw(">").text(&page.url).raw("</a>");
    } else {
        html.text(&page.url);
    }
    html.raw("</dd>");
    fact(&mut html, "Captured", page.captured_at.and_then(rfc_3339).as_deref().unwrap_or("at an unknown time"));
    fact(&mut html, "Language", page.language.as_deref().unwrap_or("unknown"));
    fact(&mut html, "Type", page.page_type.map_or("unknown", PageType::name));
    let archive = page.provenance.archive.to_string_lossy();
    fact(&mut html, "Archive", &format!("{archive}, at byte {}", grouped(page.provenance.offset_bytes)));
    fact(&mut html, "Source", &format!("{} of HTML, decoded as {}", bytes(page.html_bytes), page.charset));
    html.raw("</dl>");
    html
}

fn fact(html: &mut Html, name: &'static str, value: &str) {
    html.raw("<dt>").raw(name).raw("</dt><dd>").text(value).raw("</dd>");
}

fn explanation(page: &StoredPage, tree: &StoredTree) -> Html {
    let mut html = Html::new();
    html.raw("<p class=\"explanation\">The page was compared, block by block, with its own topic");
    if !tree.topic.trim().is_empty() {
        let topic: String = tree.topic.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(200).collect();
        html.raw(" <q dir=\"auto\">").text(&topic).raw("</q>");
    }
    html.raw(". What stayed is searched as <b>").text(grouped(page.main_blocks.into())).raw("</b> ");
    html.raw(if page.main_blocks == 1 { "block" } else { "blocks" });
    html.raw("; what was dropped is greyed and can be opened. Rule: <code>").text(tree.rule).raw("</code>.</p>");
    html
}
