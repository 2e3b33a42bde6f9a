//! `GET /`.

use actix_web::{HttpRequest, HttpResponse, web};
use lopper_collection::search::SearchRequest;
use lopper_index::Budget;
use maud::Markup;

use super::answer::answer;
use crate::http::error::ApiError;
use crate::http::parameters::value_of;
use crate::http::render::{self, Overview};
use crate::http::state::{State, reading};

/// Most pages of results on one page.
const PAGES_MAX: usize = 100;

/// Characters of a snippet.
const SNIPPET_CHARS: usize = 320;

/// The search page: with `q` its results, without what is there to be searched. `pages` and `offset` tell which of them, and
/// `sort=date` puts the newest first; other parameters, and values that are none, are passed over.
pub(in crate::http) async fn search(request: HttpRequest, state: web::Data<State>) -> HttpResponse {
    let query = value_of(request.query_string(), "q").unwrap_or_default();
    let wanted = wanted(query.clone(), request.query_string());
    let rendered = reading(state, move |state, budget| match wanted.query.trim() {
        "" => home(state),
        _ => results(state, &wanted, budget),
    });
    answer(&query, rendered.await)
}

fn home(state: &State) -> Result<Markup, ApiError> {
    Ok(render::home(&overview(state)?))
}

fn wanted(words: String, parameters: &str) -> SearchRequest {
    let default = SearchRequest::new(words);
    let number = |name| value_of(parameters, name).and_then(|value| value.parse::<usize>().ok());
    SearchRequest {
        pages: number("pages").unwrap_or(default.pages).clamp(1, PAGES_MAX),
        offset: number("offset").unwrap_or(0).min(SearchRequest::OFFSET_MAX),
        sort: value_of(parameters, "sort").and_then(|sort| sort.parse().ok()).unwrap_or_default(),
        snippet_chars: SNIPPET_CHARS,
        facets: true,
        ..default
    }
}

fn results(state: &State, request: &SearchRequest, budget: &Budget) -> Result<Markup, ApiError> {
    let response = state.engine().search_within(request, budget)?;
    if response.pages.is_empty() && request.offset == 0 {
        return Ok(render::no_results(&response, &overview(state)?));
    }
    Ok(render::results(request, &response))
}

fn overview(state: &State) -> Result<Overview, ApiError> {
    let store = state.collection().store();
    let languages = state.searcher().languages()?;
    Overview::new(store.stats(), languages, store.pages()).map_err(ApiError::from)
}
