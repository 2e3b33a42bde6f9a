//! A page as it was, with what was kept of it.

use lopper_collection::{archive_name, rfc_3339};
use lopper_content::page_type::PageType;
use lopper_store::{BodyPlace, Capture, StoredPage};
use maud::{Markup, html};

use super::boxes::boxes;
use super::captures::timeline;
use super::figures::{bytes, grouped};
use super::layout::Content;
use super::text::encoded;
use crate::http::dates::day;
use crate::markup::{is_web, web_link};
use crate::view::{Action, Place, Shown, Stage, Verdicts, Viewed, stage};

/// Characters shown of a page's topic.
const TOPIC_CHARS_MAX: usize = 200;

/// What stands around a page.
pub(in crate::http) struct PageAround<'a> {
    pub(in crate::http) page: &'a StoredPage,
    pub(in crate::http) captures: &'a [Capture],
    /// The query that led here.
    pub(in crate::http) query: &'a str,
    /// Whether the page's HTML was found.
    pub(in crate::http) has_body: bool,
}

/// The page of a page.
pub(in crate::http) fn page(around: &PageAround<'_>, viewed: &Viewed<'_>, shown: &Shown) -> Content {
    let PageAround { page, query, .. } = around;
    let heading = if page.title.trim().is_empty() { &page.url } else { &page.title };
    let own = format!("page/{}", page.id);
    let is_seen = viewed.parsed().is_some();
    let verdicts = Verdicts::new(viewed, is_seen.then(|| format!("{own}/methods")));
    let instead = html! { @if !is_seen { (instead(around)) (boxes(viewed.stored)) } };
    let place = if is_seen { Place::At(frame_address(&own, shown)) } else { Place::Missing(&instead) };
    let main = html! {
        @if !query.is_empty() { p.back { a href={ "?q=" (encoded(query)) } { "← Back to the results" } } }
        div.title-line {
            h1 dir="auto" { (heading) }
            (facts(page))
        }
        (timeline(page, around.captures))
        (stage(&Stage { viewed, shown, place, verdicts: &verdicts, action: Action::Get(&own) }))
        (about(page, viewed))
    };
    let title = format!("{heading} – Lopper");
    Content { query: (*query).to_owned(), script: Some("/view.js"), ..Content::new("view", title, main) }
}

fn frame_address(own: &str, shown: &Shown) -> String {
    let parameters = shown.parameters();
    let place = if shown.block.is_some() { format!("#{}", lopper_content::marked::FOUND_ID) } else { String::new() };
    if parameters.is_empty() { format!("{own}/frame") } else { format!("{own}/frame?{parameters}{place}") }
}

/// Address, day, language and type, on one line.
fn facts(page: &StoredPage) -> Markup {
    let captured = page.captured_at.and_then(rfc_3339);
    html! {
        p.facts {
            bdi.host { (web_link(&page.url, &page.url)) }
            @if let Some(time) = &captured {
                " · captured " time datetime=(time) title=(time) { (day(time).as_deref().unwrap_or(time)) }
            }
            @if let Some(language) = &page.language { " · " (language) }
            @if let Some(kind) = page.page_type.map(PageType::name) { " · " (kind) }
            @if is_web(&page.url) { " · " a href={ "?q=" (encoded(&format!("site:{}", page.host))) } { "more of this site" } }
        }
    }
}

/// Why the page itself is not shown.
fn instead(around: &PageAround<'_>) -> Markup {
    html! {
        p.note {
            @match (around.page.body, around.has_body) {
                (_, true) => { "The page is cut in another way now than when it was ingested, so its parts cannot be marked in it. \
                    Make the trees anew with " code { "lopper rebuild --from bodies" } "." }
                (BodyPlace::None, _) => { "The page’s HTML was not kept. Ingest with " code { "--bodies keep" } " to see it here as it was." }
                (_, false) => { "The archive that has the page’s HTML is not where it was. Put it back, or ingest with "
                    code { "--bodies keep" } ", which keeps the HTML in the data folder." }
            }
            " Below are its parts, kept and dropped, with the reasons."
        }
    }
}

fn about(page: &StoredPage, viewed: &Viewed<'_>) -> Markup {
    let topic = viewed.stored.topic.split_whitespace().collect::<Vec<_>>().join(" ");
    let topic: String = topic.chars().take(TOPIC_CHARS_MAX).collect();
    html! {
        details.about-page {
            summary { "About this page and how it was cut" }
            dl.about {
                dt { "Topic" } dd { @if topic.is_empty() { "none" } @else { q dir="auto" { (topic) } } }
                dt { "Rule" } dd { code { (viewed.stored.rule.to_string()) } }
                dt { "Passages" } dd { (grouped(page.main_blocks.into())) " to search, of " (grouped(page.runs.into())) " pieces of text" }
                dt { "Archive" } dd { (archive_name(&page.provenance.archive)) ", at byte " (grouped(page.provenance.offset_bytes)) }
                dt { "Source" } dd { (bytes(page.html_bytes)) " of HTML, decoded as " (page.charset) }
                dt { "As data" } dd {
                    a href={ "v1/pages/" (page.id) } { "page" } ", " a href={ "v1/pages/" (page.id) "/tree" } { "tree" }
                }
            }
        }
    }
}
