//! `POST /v1/extract`, and `GET /v1/pages/{id}/content`: the content of a page, by any method.

use std::path::PathBuf;

use actix_web::http::header::{CONTENT_SECURITY_POLICY, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, web};
use lopper_archive::page::{Page, PageId, PageOutcome, decode};
use lopper_archive::{ArchiveRecord, Payload, RecordKind};
use lopper_content::document::{Document, to_html, to_markdown, to_text};
use lopper_content::extract::content::ContentOptions;
use lopper_content::extract::methods::Variant;
use lopper_content::extract::{Comments, ContentJudge, ContentVerdict, Extractor, titled};
use lopper_content::limits::Limits;
use lopper_content::pipeline::{PageText, ParsedPage};
use serde::Serialize;

use crate::extracted::{ExtractedPage, tei};
use crate::http::URL_UNKNOWN;
use crate::http::asked::{EXTRACT, EXTRACTION};
use crate::http::bodies::receive;
use crate::http::error::{ApiError, ErrorCode};
use crate::http::etag;
use crate::http::media::media_type;
use crate::http::parameters::{Parameters, bad, names, page_id, page_not_found, shortened};
use crate::http::state::{State, reading};

/// Content does nothing and loads nothing where its address is opened in a browser.
const CONTENT_POLICY: &str = "default-src 'none'; sandbox; frame-ancestors 'none'";

/// What is wanted of a page.
#[derive(Debug, Clone, Copy)]
struct Wanted {
    method: Extractor,
    comments: Comments,
    options: ContentOptions,
    form: Form,
    has_blocks: bool,
}

/// The content's form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Text,
    Markdown,
    Html,
    Tei,
    Json,
}

impl Wanted {
    fn read(parameters: &Parameters<'_>) -> Result<Self, ApiError> {
        let keeps = |name| match parameters.get(name) {
            None | Some("keep") => Ok(true),
            Some("drop") => Ok(false),
            Some(other) => Err(bad(format!("{name} is `{}`; it must be `keep` or `drop`", shortened(other)))),
        };
        let form = match parameters.get("format") {
            None | Some("text") => Form::Text,
            Some("markdown") => Form::Markdown,
            Some("html") => Form::Html,
            Some("tei") => Form::Tei,
            Some("json") => Form::Json,
            Some(other) => {
                let other = shortened(other);
                return Err(bad(format!(
                    "format is `{other}`; it must be `text`, `markdown`, `html`, `tei` or `json`"
                )));
            }
        };
        Ok(Self {
            method: parameters
                .choice("method", Extractor::default())?
                .with_variant(parameters.choice("variant", Variant::Best)?),
            comments: parameters.choice("comments", Comments::default())?,
            options: ContentOptions { links: keeps("links")?, images: keeps("images")? },
            form,
            has_blocks: parameters.switch("blocks")?,
        })
    }
}

/// A page with its content in the form that was asked for.
#[derive(Serialize)]
struct Extracted<'a> {
    #[serde(flatten)]
    page: ExtractedPage<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    markdown: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    html: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tei: Option<String>,
}

/// Answers with the content of the page in the body. Nothing is stored.
pub(in crate::http) async fn extract(
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<State>,
) -> Result<HttpResponse, ApiError> {
    let (body, room) = receive(&request, payload, &state, state.options().upload_bytes_max).await?;
    let place = state.uploads_place().await?;
    let content_type = crate::http::form::whole_content_type(&request);
    let query = request.query_string().to_owned();
    let is_json = match media_type(&request).as_str() {
        "application/json" => true,
        "text/html" | "application/xhtml+xml" => false,
        other => {
            let message = format!("the body is `{}`: send application/json or text/html", shortened(other));
            return Err(ApiError::new(ErrorCode::UnsupportedMediaType, message));
        }
    };
    let answer = reading(state, move |state, _| {
        let _held = (room, place);
        let limits = state.options().limits;
        let (parameters, content_type, html) = if is_json {
            if !query.is_empty() {
                return Err(bad("a post of JSON takes no parameters: they are fields of the body"));
            }
            let parameters = Parameters::from_json(&body, EXTRACT)?;
            let html = parameters.get("html").ok_or_else(|| ApiError::new(ErrorCode::BadBody, "`html` is missing"))?;
            let html = html.as_bytes().to_vec();
            (parameters, "text/html; charset=utf-8".to_owned(), html)
        } else {
            (Parameters::parse(&query, &names(EXTRACT))?.into_owned(), content_type, body.to_vec())
        };
        let page = sent(parameters.get("url").unwrap_or(URL_UNKNOWN), content_type, html, &limits)?;
        json(&page, Wanted::read(&parameters)?, &limits)
    });
    Ok(HttpResponse::Ok().content_type("application/json").body(answer.await?))
}

/// Decodes a page that was sent.
fn sent(url: &str, content_type: String, html: Vec<u8>, limits: &Limits) -> Result<Box<Page>, ApiError> {
    let payload = Payload::Bare { content_type: Some(content_type), body: html };
    let place = PathBuf::from("POST /v1/extract");
    let record = ArchiveRecord::new(RecordKind::Resource, url.to_owned(), place, 0, payload);
    match decode(record, limits) {
        Ok(PageOutcome::Page(page)) => Ok(page),
        Ok(PageOutcome::Skipped(reason)) => {
            Err(ApiError::new(ErrorCode::NoPage, format!("there is no page in the body: {}", reason.as_str())))
        }
        Err(error) => Err(ApiError::new(ErrorCode::TooLarge, error.to_string())),
    }
}

/// Answers with the content of a page of the collection, in its own media type.
pub(in crate::http) async fn content(
    id: web::Path<String>,
    request: HttpRequest,
    state: web::Data<State>,
) -> Result<HttpResponse, ApiError> {
    let id = page_id(&id)?;
    let wanted = Wanted::read(&Parameters::parse(request.query_string(), &names(EXTRACTION))?)?;
    let body = reading(state, move |state, _| {
        let page = kept(state, id)?;
        let limits = state.options().limits;
        if wanted.form == Form::Json { json(&page, wanted, &limits) } else { Ok(plain(&page, wanted, &limits)) }
    });
    let content_type = match wanted.form {
        Form::Text => "text/plain; charset=utf-8",
        Form::Markdown => "text/markdown; charset=utf-8",
        Form::Html => "text/html; charset=utf-8",
        Form::Tei => "application/tei+xml; charset=utf-8",
        Form::Json => "application/json",
    };
    let mut response = etag::answer(&request, content_type, body.await?);
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(CONTENT_POLICY));
    Ok(response)
}

/// The page with its HTML.
fn kept(state: &State, id: PageId) -> Result<Page, ApiError> {
    let collection = state.collection();
    let page = collection.page(id)?.ok_or_else(|| page_not_found(id))?;
    collection.body(&page, &state.options().limits)?.ok_or_else(|| {
        let message = "the page's HTML is neither in the data folder nor in its archive any more";
        ApiError::new(ErrorCode::BodyNotFound, message)
    })
}

fn extracted<T>(
    page: &Page,
    wanted: Wanted,
    limits: &Limits,
    tell: impl FnOnce(&ParsedPage<'_>, &ContentVerdict, &Document) -> T,
) -> T {
    let parsed = ParsedPage::parse(PageText { url: &page.url, ..page.source() }, limits);
    let view = parsed.view();
    let verdict = wanted.method.judge(&view).with_comments(wanted.comments);
    let content = verdict.content_with(&view, wanted.options);
    tell(&parsed, &verdict, &content)
}

/// The page's address, empty where it is not known.
fn told_url(page: &Page) -> &str {
    if page.url == URL_UNKNOWN { "" } else { &page.url }
}

fn plain(page: &Page, wanted: Wanted, limits: &Limits) -> String {
    extracted(page, wanted, limits, |parsed, _, content| match wanted.form {
        Form::Text | Form::Json => to_text(content),
        Form::Markdown => to_markdown(&titled(content, parsed.metadata())),
        Form::Html => to_html(&titled(content, parsed.metadata())),
        Form::Tei => tei(parsed.metadata(), &page.url, content),
    })
}

fn json(page: &Page, wanted: Wanted, limits: &Limits) -> Result<String, ApiError> {
    let form = wanted.form;
    let told = extracted(page, wanted, limits, |parsed, verdict, content| {
        let blocks_of = wanted.has_blocks.then_some(verdict);
        let mut told = ExtractedPage::new(told_url(page), parsed, wanted.method, content, blocks_of);
        told.text = (form == Form::Text).then(|| to_text(content));
        told.content = (form == Form::Json).then_some(content.blocks.as_slice());
        serde_json::to_string(&Extracted {
            page: told,
            markdown: (form == Form::Markdown).then(|| to_markdown(&titled(content, parsed.metadata()))),
            html: (form == Form::Html).then(|| to_html(&titled(content, parsed.metadata()))),
            tei: (form == Form::Tei).then(|| tei(parsed.metadata(), &page.url, content)),
        })
    });
    told.map_err(|error| ApiError::internal(&error))
}
