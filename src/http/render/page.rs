//! A page's blocks: what was kept of it, what was dropped and why.

use lopper_content::page_type::PageType;
use lopper_content::pipeline::StoredTree;
use lopper_store::StoredPage;
use maud::{Markup, html};

use super::boxes::boxes;
use super::figures::{bytes, grouped};
use super::layout::{Content, framed};
use crate::http::dates::rfc_3339;
use crate::markup::web_link;

/// Characters shown of a page's topic.
const TOPIC_CHARS_MAX: usize = 200;

/// The page of a page.
pub(in crate::http) fn page(page: &StoredPage, tree: &StoredTree) -> Markup {
    let heading = if page.title.trim().is_empty() { &page.url } else { &page.title };
    let main = html! {
        h1 dir="auto" { (heading) }
        (facts(page))
        (explanation(page, tree))
        (boxes(tree))
    };
    framed(&Content { kind: "tree", title: &format!("{heading} – Lopper"), query: "", main })
}

fn facts(page: &StoredPage) -> Markup {
    let archive = page.provenance.archive.to_string_lossy();
    let captured = page.captured_at.and_then(rfc_3339);
    html! {
        dl.about {
            dt { "Address" } dd { (web_link(&page.url, &page.url)) }
            dt { "Captured" } dd { (captured.as_deref().unwrap_or("at an unknown time")) }
            dt { "Language" } dd { (page.language.as_deref().unwrap_or("unknown")) }
            dt { "Type" } dd { (page.page_type.map_or("unknown", PageType::name)) }
            dt { "Archive" } dd { (archive) ", at byte " (grouped(page.provenance.offset_bytes)) }
            dt { "Source" } dd { (bytes(page.html_bytes)) " of HTML, decoded as " (page.charset) }
        }
    }
}

fn explanation(page: &StoredPage, tree: &StoredTree) -> Markup {
    let topic = tree.topic.split_whitespace().collect::<Vec<_>>().join(" ");
    let topic: String = topic.chars().take(TOPIC_CHARS_MAX).collect();
    html! {
        p.explanation {
            "The page was compared, block by block, with its own topic"
            @if !topic.is_empty() { " " q dir="auto" { (topic) } }
            ". What stayed is searched as " b { (grouped(page.main_blocks.into())) }
            @if page.main_blocks == 1 { " block" } @else { " blocks" }
            "; what was dropped is greyed and can be opened. Rule: " code { (tree.rule.to_string()) } "."
        }
    }
}
