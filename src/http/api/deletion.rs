//! `DELETE /v1/pages` and `/v1/takedowns`.

use actix_web::{HttpRequest, HttpResponse, web};
use lopper_collection::{DeleteReport, Selection, rfc_3339};
use lopper_store::{Takedown, TakedownScope, TakenPage};
use serde::Serialize;

use crate::http::error::{ApiError, ErrorCode};
use crate::http::parameters::{Parameters, bad, page_id, page_not_found};
use crate::http::state::{State, blocking};

/// Parameters of `DELETE /v1/pages`: one of the first four, and how.
const PARAMETERS: [&str; 7] = ["url", "prefix", "host", "archive", "q", "dry_run", "note"];

/// What was deleted, or would be.
#[derive(Serialize)]
struct Deleted {
    pages: u64,
    blocks: u64,
    captures: u64,
    /// Absent where nothing was done but counting.
    #[serde(skip_serializing_if = "Option::is_none")]
    takedown: Option<TakedownView>,
}

impl From<DeleteReport> for Deleted {
    fn from(report: DeleteReport) -> Self {
        let DeleteReport { pages, blocks, captures, takedown, .. } = report;
        Self { pages, blocks, captures, takedown: takedown.map(TakedownView::from) }
    }
}

/// A takedown; of an archive the file's name alone.
#[derive(Serialize)]
struct TakedownView {
    number: u64,
    /// RFC 3339.
    since: Option<String>,
    #[serde(flatten)]
    scope: ScopeView,
    /// What found the pages.
    #[serde(skip_serializing_if = "Option::is_none")]
    query: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum ScopeView {
    Pages(Vec<TakenPage>),
    Url(String),
    Prefix(String),
    Host(String),
    Archive(String),
}

impl From<Takedown> for TakedownView {
    fn from(takedown: Takedown) -> Self {
        let scope = match takedown.scope {
            TakedownScope::Pages(pages) => ScopeView::Pages(pages),
            TakedownScope::Url(url) => ScopeView::Url(url),
            TakedownScope::Prefix(prefix) => ScopeView::Prefix(prefix),
            TakedownScope::Host(host) => ScopeView::Host(host),
            TakedownScope::Archive { path, .. } => {
                let name = path.file_name().unwrap_or_default();
                ScopeView::Archive(name.to_string_lossy().into_owned())
            }
        };
        let Takedown { number, since, query, note, .. } = takedown;
        Self { number, since: rfc_3339(since), scope, query, note }
    }
}

/// Deletes a page.
pub(in crate::http) async fn delete_page(
    request: HttpRequest,
    id: web::Path<String>,
    state: web::Data<State>,
) -> Result<HttpResponse, ApiError> {
    let id = page_id(&id)?;
    let parameters = Parameters::parse(request.query_string(), &["dry_run", "note"])?;
    let dry_run = parameters.switch("dry_run")?;
    let note = parameters.get("note").map(str::to_owned);
    let report = blocking(move || {
        let known = state.collection().store().contains(id)?;
        if !known {
            return Err(page_not_found(id));
        }
        state.delete(&Selection::Page(id), dry_run, note)
    });
    Ok(HttpResponse::Ok().json(Deleted::from(report.await?)))
}

/// Deletes the pages that the parameters select.
pub(in crate::http) async fn delete_pages(
    request: HttpRequest,
    state: web::Data<State>,
) -> Result<HttpResponse, ApiError> {
    let parameters = Parameters::parse(request.query_string(), &PARAMETERS)?;
    let selection = selection_of(&parameters)?;
    let dry_run = parameters.switch("dry_run")?;
    let note = parameters.get("note").map(str::to_owned);
    let report = blocking(move || state.delete(&selection, dry_run, note)).await?;
    Ok(HttpResponse::Ok().json(Deleted::from(report)))
}

fn selection_of(parameters: &Parameters<'_>) -> Result<Selection, ApiError> {
    selection(|name| parameters.get(name).map(str::to_owned))
}

/// What exactly one of the parameters selects.
pub(in crate::http) fn selection(text: impl Fn(&str) -> Option<String>) -> Result<Selection, ApiError> {
    let given = [
        text("url").map(Selection::Url),
        text("prefix").map(Selection::UrlPrefix),
        text("host").map(Selection::Host),
        text("archive").map(|path| Selection::Archive(path.into())),
        text("q").map(Selection::Query),
    ];
    let mut given = given.into_iter().flatten();
    match (given.next(), given.next()) {
        (Some(selection), None) => Ok(selection),
        _ => Err(bad("say what to delete by exactly one of `url`, `prefix`, `host`, `archive`, `q`")),
    }
}

/// Lists the takedowns.
pub(in crate::http) async fn takedowns(state: web::Data<State>) -> Result<HttpResponse, ApiError> {
    let takedowns = blocking(move || Ok(state.collection().store().takedowns())).await?;
    let views: Vec<TakedownView> = takedowns.into_iter().map(TakedownView::from).collect();
    Ok(HttpResponse::Ok().json(serde_json::json!({ "takedowns": views })))
}

/// Lifts a takedown.
pub(in crate::http) async fn lift_takedown(
    number: web::Path<String>,
    state: web::Data<State>,
) -> Result<HttpResponse, ApiError> {
    let number: u64 = number.parse().map_err(|_| bad("a takedown is named by its number"))?;
    let lifted = blocking(move || Ok(state.collection().store().lift_takedown(number)?)).await?;
    if !lifted {
        return Err(ApiError::new(ErrorCode::TakedownNotFound, format!("there is no takedown {number}")));
    }
    Ok(HttpResponse::NoContent().finish())
}
