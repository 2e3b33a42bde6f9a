//! `GET` and `POST /try`: a page that is pasted or uploaded, looked at and not stored.

use std::path::PathBuf;

use actix_web::http::header::CONTENT_SECURITY_POLICY;
use actix_web::{HttpRequest, HttpResponse, web};
use lopper_archive::page::{Page, PageOutcome, decode};
use lopper_archive::{ArchiveRecord, Payload, RecordKind};
use lopper_content::pipeline::{PageAnalyser, StoredTree};

use super::answer::{answer, answer_with};
use crate::http::URL_UNKNOWN;
use crate::http::bodies;
use crate::http::error::{ApiError, ErrorCode};
use crate::http::form::{Field, boundary, fields, whole_content_type};
use crate::http::headers::TRY_POLICY;
use crate::http::render::{self, Content};
use crate::http::state::{State, reading};
use crate::view::{Shown, Viewed};

/// The form.
pub(in crate::http) async fn try_form(request: HttpRequest) -> HttpResponse {
    answer(&request, "", Ok(render::try_form()))
}

/// The page of the form, with what is kept of it.
pub(in crate::http) async fn try_page(
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<State>,
) -> HttpResponse {
    let rendered = receive(&request, payload, &state).await;
    answer_with(&request, "", rendered, &[(CONTENT_SECURITY_POLICY, TRY_POLICY)])
}

async fn receive(request: &HttpRequest, payload: web::Payload, state: &web::Data<State>) -> Result<Content, ApiError> {
    let Some(boundary) = boundary(&whole_content_type(request)) else {
        let message = "send the form of this page: multipart/form-data with `html` or `file`";
        return Err(ApiError::new(ErrorCode::UnsupportedMediaType, message));
    };
    let (body, room) = bodies::receive(request, payload, state, state.options().upload_bytes_max).await?;
    let place = state.uploads_place().await?;
    reading(state.clone(), move |state, _| {
        let _held = (room, place);
        view(state, &fields(&body, &boundary))
    })
    .await
}

fn view(state: &State, form: &[Field<'_>]) -> Result<Content, ApiError> {
    let page = submitted(state, form)?;
    let (params, limits) = (state.collection().params(), state.options().limits);
    let snapshot = state.collection().statistics();
    let analysed = PageAnalyser::new(params, limits).analyse(page.source(), Some(&snapshot));
    let analysed = analysed.map_err(|error| ApiError::new(ErrorCode::TooLarge, error.to_string()))?;
    let title = analysed.metadata.title.clone();
    let tree = StoredTree::of(analysed);
    let field = |name: &str| form.iter().find(|field| field.name == name);
    let shown = Shown::read(|name| Some(String::from_utf8_lossy(field(name)?.value).into_owned()));
    Ok(render::tried(&title, &Viewed::new(&tree, Some(&page), &params, &limits), &shown, &page))
}

/// The page of the form: the file, or else the text.
fn submitted(state: &State, form: &[Field<'_>]) -> Result<Box<Page>, ApiError> {
    let field = |name: &str| form.iter().find(|field| field.name == name && !field.value.trim_ascii().is_empty());
    let url = field("url").map(|field| String::from_utf8_lossy(field.value).trim().to_owned());
    let url = url.filter(|url| url::Url::parse(url).is_ok()).unwrap_or_else(|| URL_UNKNOWN.to_owned());
    let Some(source) = field("file").or_else(|| field("html")) else {
        return Err(ApiError::new(ErrorCode::NoPage, "there is no page in the form: paste HTML, or choose a file"));
    };
    let content_type = if source.is_file { "text/html" } else { "text/html; charset=utf-8" };
    let payload = Payload::Bare { content_type: Some(content_type.to_owned()), body: source.value.to_vec() };
    let record = ArchiveRecord::new(RecordKind::Resource, url, PathBuf::from("/try"), 0, payload);
    match decode(record, &state.options().limits) {
        Ok(PageOutcome::Page(page)) => Ok(page),
        Ok(PageOutcome::Skipped(reason)) => {
            Err(ApiError::new(ErrorCode::NoPage, format!("there is no page in it: {}", reason.as_str())))
        }
        Err(error) => Err(ApiError::new(ErrorCode::TooLarge, error.to_string())),
    }
}
