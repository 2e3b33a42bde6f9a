//! `GET /v1/cite/{block_id}`: a block as others can be pointed to it, checked against the page's own HTML.

use actix_web::{HttpRequest, HttpResponse, web};
use lopper_collection::PageSource;
use lopper_collection::search::Locator;
use lopper_index::BlockDocument;
use lopper_store::{BodyPlace, StoredPage};
use serde::Serialize;

use crate::http::dates::rfc_3339;
use crate::http::error::{ApiError, ErrorCode};
use crate::http::etag;
use crate::http::parameters::{page_id, shortened};
use crate::http::replay::replay_url;
use crate::http::state::{State, reading};
use crate::view::Viewed;

/// Where a quote is from, and whether it is there.
#[derive(Serialize)]
struct Citation {
    block_id: String,
    page_id: String,
    url: String,
    title: String,
    /// RFC 3339.
    captured_at: Option<String>,
    source: PageSource,
    /// The block's exact text.
    quote: String,
    /// URL with a text fragment, CSS path, element id, block path.
    locator: Locator,
    #[serde(skip_serializing_if = "Option::is_none")]
    replay_url: Option<String>,
    /// What became of the check.
    verification: Verification,
    /// Where the HTML was that it was checked against.
    #[serde(skip_serializing_if = "Option::is_none")]
    checked_in: Option<&'static str>,
}

/// What became of a check.
#[derive(Serialize, Debug, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
enum Verification {
    /// The HTML has the digest of the capture, and the quote at that place.
    Verified,
    /// The HTML is there and the quote is not where it was: the page is cut in another way by now.
    Differs,
    /// Neither the data folder nor the archive has the HTML any more.
    NotAtHand,
}

/// Answers with the citation of a block.
pub(in crate::http) async fn cite(
    id: web::Path<String>,
    request: HttpRequest,
    state: web::Data<State>,
) -> Result<HttpResponse, ApiError> {
    let citation = reading(state, move |state, _| citation(state, &id)).await?;
    etag::json(&request, &citation)
}

fn citation(state: &State, block_id: &str) -> Result<Citation, ApiError> {
    let missing = || ApiError::new(ErrorCode::BlockNotFound, format!("there is no block `{}`", shortened(block_id)));
    let block = state.searcher().get_block(block_id)?.ok_or_else(missing)?;
    let page = state.collection().store().page(page_id(&block.page_id)?)?.ok_or_else(missing)?;
    let verification = verified(state, &page, &block)?;
    let checked_in = match (verification, page.body) {
        (Verification::NotAtHand, _) => None,
        (_, BodyPlace::Kept) => Some("data_folder"),
        _ => Some("archive"),
    };
    let captured_at = page.captured_at.and_then(rfc_3339);
    Ok(Citation {
        replay_url: replay_url(&state.options().replay_url, &page.url, captured_at.as_deref()),
        locator: Locator::of(&block),
        source: PageSource::from(&page),
        page_id: page.id.to_string(),
        url: page.url,
        title: page.title,
        captured_at,
        block_id: block.block_id,
        quote: block.body,
        verification,
        checked_in,
    })
}

/// Looks the quote up in the page's HTML, which is only given when its digest is that of the capture.
fn verified(state: &State, page: &StoredPage, block: &BlockDocument) -> Result<Verification, ApiError> {
    let collection = state.collection();
    let limits = state.options().limits;
    let (Some(body), Some(tree)) = (collection.body(page, &limits)?, collection.tree(page.id)?) else {
        return Ok(Verification::NotAtHand);
    };
    // Its elements are only there when the HTML gives the same tree as it did.
    let viewed = Viewed::new(&tree, Some(&body), &collection.params(), &limits);
    let is_there = viewed.parsed().is_some_and(|(parsed, _)| {
        let is_block =
            |known: &lopper_content::blocks::MainBlock| known.path == block.block_path && known.text == block.body;
        // A page without text stands in the index by its title and description.
        let head = [&parsed.metadata.title, &parsed.metadata.description];
        let is_head = || block.body.lines().all(|line| head.iter().any(|text| text.contains(line)));
        viewed.blocks.iter().any(is_block) || (viewed.blocks.is_empty() && is_head())
    });
    Ok(if is_there { Verification::Verified } else { Verification::Differs })
}
