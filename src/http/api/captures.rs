//! `GET /v1/captures` and `GET /v1/blocks/{block_id}/captures`: what was captured when.

use std::collections::HashMap;

use actix_web::{HttpRequest, HttpResponse, web};
use lopper_analysis::bare_words;
use lopper_archive::page::PageId;
use lopper_collection::{archive_name, rfc_3339};
use lopper_index::{BlockDocument, Budget};
use lopper_store::{Capture, CaptureKind};
use serde::Serialize;

use crate::http::error::{ApiError, ErrorCode};
use crate::http::parameters::{Parameters, bad, shortened};
use crate::http::replay::replay_url;
use crate::http::state::{State, reading};

/// Captures of one answer: the newest.
const CAPTURES_MAX: usize = 10_000;

/// A capture of a URL.
#[derive(Serialize)]
struct CaptureView {
    /// RFC 3339.
    captured_at: Option<String>,
    /// The page that holds what was captured.
    page_id: String,
    kind: CaptureKind,
    archive: String,
    offset_bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    replay_url: Option<String>,
}

impl CaptureView {
    fn new(capture: &Capture, url: &str, template: &str) -> Self {
        let captured_at = capture.captured_at.and_then(rfc_3339);
        Self {
            replay_url: replay_url(template, url, captured_at.as_deref()),
            captured_at,
            page_id: capture.page.to_string(),
            kind: capture.kind,
            archive: archive_name(&capture.archive),
            offset_bytes: capture.offset_bytes,
        }
    }
}

#[derive(Serialize)]
struct CapturesOfUrl {
    url: String,
    /// The oldest first, those without a time before them.
    captures: Vec<CaptureView>,
    /// Older ones than these.
    captures_left_out: usize,
}

/// The captures of a URL, whatever form of it is given; with `as_of` those that are not later.
pub(in crate::http) async fn captures(request: HttpRequest, state: web::Data<State>) -> Result<HttpResponse, ApiError> {
    let parameters = Parameters::parse(request.query_string(), &["url", "as_of"])?;
    let as_of = parameters.time("as_of")?;
    let Some(url) = parameters.get("url").map(str::to_owned) else { return Err(bad("the parameter `url` is missing")) };
    let captures = reading(state, move |state, _| {
        let mut found = state.collection().captures(&url)?;
        found.retain(|capture| as_of.is_none_or(|at| capture.captured_at.is_some_and(|time| time <= at.0)));
        let captures_left_out = newest(&mut found);
        let view = |capture: &Capture| CaptureView::new(capture, &url, &state.options().replay_url);
        Ok(CapturesOfUrl { captures: found.iter().map(view).collect(), captures_left_out, url })
    });
    Ok(HttpResponse::Ok().json(captures.await?))
}

/// Leaves as many as an answer has; gives how many are left out.
fn newest(captures: &mut Vec<Capture>) -> usize {
    let left_out = captures.len().saturating_sub(CAPTURES_MAX);
    captures.drain(..left_out);
    left_out
}

/// How a capture has a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Holds {
    /// As a block that can be found.
    Block,
    /// As text of the page that was cut or judged in another way.
    Text,
    /// Not.
    No,
    /// The time was spent before it was looked at.
    Unknown,
}

#[derive(Serialize)]
struct BlockCapture {
    #[serde(flatten)]
    capture: CaptureView,
    holds: Holds,
}

/// Captures in a row that hold the block.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Span {
    /// Time of the first, RFC 3339.
    from: String,
    /// Time of the last.
    to: String,
    captures: usize,
    /// Time of the next capture, which does not hold it; left out where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    gone_by: Option<String>,
}

#[derive(Serialize)]
struct BlockCaptures {
    block_id: String,
    url: String,
    /// Whether all captures were looked at.
    is_complete: bool,
    /// By time, the oldest first; captures without a time are in none.
    spans: Vec<Span>,
    captures: Vec<BlockCapture>,
    captures_left_out: usize,
}

/// Which captures of its page hold a block, and from when to when.
pub(in crate::http) async fn block_captures(
    id: web::Path<String>,
    state: web::Data<State>,
) -> Result<HttpResponse, ApiError> {
    let held = reading(state, move |state, budget| {
        let missing = || ApiError::new(ErrorCode::BlockNotFound, format!("there is no block `{}`", shortened(&id)));
        let block = state.searcher().get_block(&id)?.ok_or_else(missing)?;
        held(state, block, budget)
    });
    Ok(HttpResponse::Ok().json(held.await?))
}

fn held(state: &State, block: BlockDocument, budget: &Budget) -> Result<BlockCaptures, ApiError> {
    let mut found = state.collection().captures(&block.url)?;
    let captures_left_out = newest(&mut found);
    let wanted = squeezed(&block.body);
    let mut known: HashMap<PageId, Holds> = HashMap::new();
    let mut captures = Vec::with_capacity(found.len());
    for capture in &found {
        let holds = match known.get(&capture.page) {
            Some(holds) => *holds,
            None if !budget.has_time() => Holds::Unknown,
            None => holds(state, capture.page, &wanted)?,
        };
        known.insert(capture.page, holds);
        let capture = CaptureView::new(capture, &block.url, &state.options().replay_url);
        captures.push(BlockCapture { capture, holds });
    }
    let is_complete = captures_left_out == 0 && captures.iter().all(|capture| capture.holds != Holds::Unknown);
    let spans = spans(captures.iter().map(|capture| (capture.capture.captured_at.as_deref(), capture.holds)));
    Ok(BlockCaptures { block_id: block.block_id, url: block.url, is_complete, spans, captures, captures_left_out })
}

/// How a page has the text.
fn holds(state: &State, page: PageId, wanted: &str) -> Result<Holds, ApiError> {
    let blocks = state.searcher().blocks_of_page(&page.to_string())?;
    if blocks.iter().any(|block| squeezed(&block.body) == wanted) {
        return Ok(Holds::Block);
    }
    let Some(stored) = state.collection().tree(page)? else { return Ok(Holds::No) };
    let tree = &stored.tree;
    let text = tree.runs().iter().fold(String::new(), |text, run| text + tree.run_text(run) + "\n");
    Ok(if squeezed(&text).contains(wanted) { Holds::Text } else { Holds::No })
}

/// The words of a text.
fn squeezed(text: &str) -> String {
    bare_words(text).collect::<Vec<_>>().join(" ")
}

/// Captures in a row that hold the block, of captures by time.
fn spans<'a>(captures: impl Iterator<Item = (Option<&'a str>, Holds)>) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    let mut is_open = false;
    for (time, holds) in captures {
        let Some(time) = time else { continue };
        match (holds, spans.last_mut()) {
            (Holds::Block | Holds::Text, Some(span)) if is_open => {
                time.clone_into(&mut span.to);
                span.captures += 1;
            }
            (Holds::Block | Holds::Text, _) => {
                is_open = true;
                spans.push(Span { from: time.to_owned(), to: time.to_owned(), captures: 1, gone_by: None });
            }
            (Holds::No, Some(span)) if is_open => {
                is_open = false;
                span.gone_by = Some(time.to_owned());
            }
            (Holds::No, _) => {}
            // What was not looked at ends no span and is in none.
            (Holds::Unknown, _) => is_open = false,
        }
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_go_from_the_first_to_the_last_capture_in_a_row() {
        let captures = [
            (None, Holds::Block),
            (Some("1"), Holds::No),
            (Some("2"), Holds::Block),
            (Some("3"), Holds::Text),
            (Some("4"), Holds::No),
            (Some("5"), Holds::No),
            (Some("6"), Holds::Block),
            (Some("7"), Holds::Unknown),
            (Some("8"), Holds::Block),
        ];
        let span = |from: &str, to: &str, captures, gone_by: Option<&str>| Span {
            from: from.to_owned(),
            to: to.to_owned(),
            captures,
            gone_by: gone_by.map(str::to_owned),
        };
        let expected = [span("2", "3", 2, Some("4")), span("6", "6", 1, None), span("8", "8", 1, None)];
        assert_eq!(spans(captures.into_iter()), expected);
    }
}
