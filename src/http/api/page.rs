//! `GET /v1/pages/{id}`.

use actix_web::{HttpRequest, HttpResponse, web};
use lopper_archive::page::PageId;
use lopper_collection::PageSource;
use lopper_collection::search::{AsOf, Locator};
use lopper_content::page_type::PageType;
use lopper_index::BlockDocument;
use lopper_store::StoredPage;
use serde::Serialize;

use crate::http::dates::rfc_3339;
use crate::http::error::{ApiError, ErrorCode};
use crate::http::etag;
use crate::http::parameters::{Parameters, bad, page_id, page_not_found, shortened};
use crate::http::replay::replay_url;
use crate::http::state::{State, reading};

/// A page and what is indexed of it.
#[derive(Serialize)]
pub(super) struct PageView {
    page_id: String,
    url: String,
    canonical_url: String,
    host: String,
    title: String,
    description: String,
    language: Option<String>,
    page_type: Option<PageType>,
    /// RFC 3339.
    captured_at: Option<String>,
    status: u16,
    charset: String,
    source: PageSource,
    #[serde(skip_serializing_if = "Option::is_none")]
    replay_url: Option<String>,
    html_bytes: u64,
    runs: u32,
    main_blocks: u32,
    /// The main blocks, in page order.
    blocks: Vec<BlockView>,
}

#[derive(Serialize)]
struct BlockView {
    block_id: String,
    ordinal: u32,
    heading_path: Vec<String>,
    lead: String,
    text: String,
    link_text: String,
    image_text: String,
    /// Cosine similarity to the page's topic, in [0, 1].
    similarity: f32,
    weight: f32,
    locator: Locator,
}

/// Answers with the page and its main blocks.
pub(in crate::http) async fn page(
    id: web::Path<String>,
    request: HttpRequest,
    state: web::Data<State>,
) -> Result<HttpResponse, ApiError> {
    let id = page_id(&id)?;
    let as_of = Parameters::parse(request.query_string(), &["as_of"])?.time("as_of")?;
    let page = reading(state, move |state, _| {
        let Some(at) = as_of else { return view(state, id) };
        let page = state.collection().store().page(id)?.ok_or_else(|| page_not_found(id))?;
        view(state, stood(state, &page.url, Some(at))?)
    });
    etag::json(&request, &page.await?)
}

/// Answers with the page of a URL as its newest capture has it, or the newest that is not later than a time.
pub(in crate::http) async fn page_of_url(
    request: HttpRequest,
    state: web::Data<State>,
) -> Result<HttpResponse, ApiError> {
    let parameters = Parameters::parse(request.query_string(), &["url", "as_of"])?;
    let as_of = parameters.time("as_of")?;
    let Some(url) = parameters.get("url").map(str::to_owned) else { return Err(bad("the parameter `url` is missing")) };
    let page = reading(state, move |state, _| view(state, stood(state, &url, as_of)?));
    etag::json(&request, &page.await?)
}

/// The page that the newest capture of a URL gave that is not later. Without a time, captures without one count as the oldest.
fn stood(state: &State, url: &str, as_of: Option<AsOf>) -> Result<PageId, ApiError> {
    let collection = state.collection();
    let store = collection.store();
    let dated = store.capture_as_of(url, as_of.map_or(i64::MAX, |at| at.0))?.map(|(_, page)| page);
    let page = match (dated, as_of) {
        (None, None) => store.captures(url)?.first().map(|capture| capture.page),
        (dated, _) => dated,
    };
    page.ok_or_else(|| {
        let when = as_of.map(|at| format!(" that is not later than {at}")).unwrap_or_default();
        ApiError::new(ErrorCode::PageNotFound, format!("there is no capture of {}{when}", shortened(url)))
    })
}

pub(super) fn view(state: &State, id: PageId) -> Result<PageView, ApiError> {
    let page = state.collection().store().page(id)?.ok_or_else(|| page_not_found(id))?;
    let blocks = state.searcher().blocks_of_page(&id.to_string())?;
    Ok(PageView::new(page, blocks.into_iter().map(BlockView::from).collect(), &state.options().replay_url))
}

impl PageView {
    fn new(page: StoredPage, blocks: Vec<BlockView>, replay: &str) -> Self {
        let source = PageSource::from(&page);
        let captured_at = page.captured_at.and_then(rfc_3339);
        let replay_url = replay_url(replay, &page.url, captured_at.as_deref());
        Self {
            page_id: page.id.to_string(),
            url: page.url,
            canonical_url: page.canonical_url,
            host: page.host,
            title: page.title,
            description: page.description,
            language: page.language,
            page_type: page.page_type,
            captured_at,
            status: page.status,
            charset: page.charset,
            source,
            replay_url,
            html_bytes: page.html_bytes,
            runs: page.runs,
            main_blocks: page.main_blocks,
            blocks,
        }
    }
}

impl From<BlockDocument> for BlockView {
    fn from(block: BlockDocument) -> Self {
        Self {
            locator: Locator::of(&block),
            block_id: block.block_id,
            ordinal: block.ordinal,
            heading_path: block.heading_path,
            lead: block.lead,
            text: block.body,
            link_text: block.link_text,
            image_text: block.image_text,
            similarity: block.similarity,
            weight: block.weight,
        }
    }
}
