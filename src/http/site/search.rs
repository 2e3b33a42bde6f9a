//! `GET /`.

use actix_web::{HttpRequest, HttpResponse, web};

use super::answer::answer;
use crate::http::error::ApiError;
use crate::http::parameters::value_of;
use crate::http::render::{self, Html, Overview};
use crate::http::state::{State, blocking};
use crate::search::SearchRequest;

/// Most pages of results on one page.
const PAGES_MAX: usize = 100;

/// Characters of a snippet.
const SNIPPET_CHARS: usize = 320;

/// The search page: with `q` its results, without what is there to be searched. Other parameters are passed over.
pub(in crate::http) async fn search(request: HttpRequest, state: web::Data<State>) -> HttpResponse {
    let query = value_of(request.query_string(), "q").unwrap_or_default();
    let pages = value_of(request.query_string(), "pages").and_then(|pages| pages.parse().ok());
    let words = query.clone();
    let rendered = blocking(move || if words.trim().is_empty() { home(&state) } else { results(&state, words, pages) });
    answer(&query, rendered.await)
}

fn home(state: &State) -> Result<Html, ApiError> {
    Ok(render::home(&overview(state)?))
}

fn results(state: &State, words: String, pages: Option<usize>) -> Result<Html, ApiError> {
    let default = SearchRequest::new(words);
    let pages = pages.unwrap_or(default.pages).clamp(1, PAGES_MAX);
    let request = SearchRequest { pages, snippet_chars: SNIPPET_CHARS, ..default };
    let response = state.engine().search(&request)?;
    if response.pages.is_empty() {
        return Ok(render::no_results(&response, &overview(state)?));
    }
    let more = (response.pages.len() == pages && pages < PAGES_MAX).then(|| (pages * 2).min(PAGES_MAX));
    Ok(render::results(&response, more))
}

fn overview(state: &State) -> Result<Overview, ApiError> {
    let store = state.collection().store();
    let languages = state.searcher().languages()?;
    Overview::new(store.stats(), languages, store.pages()).map_err(ApiError::from)
}
