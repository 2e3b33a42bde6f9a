//! `GET /`.

use actix_web::http::header::LOCATION;
use actix_web::{HttpRequest, HttpResponse, web};
use lopper_collection::search::SearchRequest;
use lopper_index::Budget;

use super::answer::answer;
use crate::http::error::ApiError;
use crate::http::parameters::value_of;
use crate::http::render::{self, Content, Overview, with_only};
use crate::http::replay::with_replays;
use crate::http::state::{State, reading};

/// Most pages of results on one page.
const PAGES_MAX: usize = 100;

/// Characters of a snippet.
const SNIPPET_CHARS: usize = 320;

/// Characters of a day in a range.
const DAY_CHARS_MAX: usize = 16;

/// The search page: with `q` or `like` its results, without what is there to be searched. `pages` and `offset` tell which of them,
/// `sort=date` puts the newest first, `collapse=similar` shows once what is nearly the same; `from` and `to` become a `date:` in the query.
/// Other parameters, and values that are none, are passed over.
pub(in crate::http) async fn search(request: HttpRequest, state: web::Data<State>) -> HttpResponse {
    let parameters = request.query_string();
    let query = value_of(parameters, "q").unwrap_or_default();
    if let Some(dated) = dated(&query, parameters) {
        let address = render::address(&SearchRequest { offset: 0, ..wanted(dated, parameters) });
        return HttpResponse::SeeOther().insert_header((LOCATION, format!("/{address}"))).finish();
    }
    let wanted = wanted(query.clone(), parameters);
    let rendered = reading(state, move |state, budget| match (wanted.query.trim(), &wanted.like) {
        ("", None) => home(state),
        _ => results(state, &wanted, budget),
    });
    answer(&request, &query, rendered.await)
}

/// The query with the range of days that the form gives. What is no day stays, so that the answer says what days are.
fn dated(query: &str, parameters: &str) -> Option<String> {
    let day = |name| {
        let day = value_of(parameters, name).unwrap_or_default();
        day.chars().filter(|c| c.is_alphanumeric() || *c == '-').take(DAY_CHARS_MAX).collect::<String>()
    };
    let is_form = value_of(parameters, "from").is_some() || value_of(parameters, "to").is_some();
    let range = match (day("from"), day("to")) {
        (from, to) if from.is_empty() && to.is_empty() => None,
        (from, to) => Some(format!("{from}..{to}")),
    };
    is_form.then(|| with_only(query, "date", range.as_deref()))
}

fn home(state: &State) -> Result<Content, ApiError> {
    Ok(render::home(&overview(state)?))
}

fn wanted(words: String, parameters: &str) -> SearchRequest {
    let default = SearchRequest::new(words);
    let number = |name| value_of(parameters, name).and_then(|value| value.parse::<usize>().ok());
    SearchRequest {
        like: value_of(parameters, "like").filter(|like| !like.is_empty()),
        pages: number("pages").unwrap_or(default.pages).clamp(1, PAGES_MAX),
        offset: number("offset").unwrap_or(0).min(SearchRequest::OFFSET_MAX),
        sort: value_of(parameters, "sort").and_then(|sort| sort.parse().ok()).unwrap_or_default(),
        collapse: value_of(parameters, "collapse").and_then(|collapse| collapse.parse().ok()).unwrap_or_default(),
        snippet_chars: SNIPPET_CHARS,
        facets: true,
        ..default
    }
}

fn results(state: &State, request: &SearchRequest, budget: &Budget) -> Result<Content, ApiError> {
    let response = with_replays(&state.options().replay_url, state.engine().search_within(request, budget)?);
    if response.pages.is_empty() && request.offset == 0 {
        return Ok(render::no_results(request, &response, &overview(state)?));
    }
    let like = request.like.as_ref().map(|like| state.searcher().get_block(like)).transpose()?.flatten();
    Ok(render::results(request, &response, like.as_ref().map(|block| block.lead.as_str())))
}

fn overview(state: &State) -> Result<Overview, ApiError> {
    let collection = state.collection();
    let languages = state.searcher().languages()?;
    Overview::new(collection.stats(), languages, collection.store().pages()).map_err(ApiError::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_forms_days_become_a_range_in_the_query() {
        assert_eq!(dated("mill date:2009", "q=x&from=2008&to=2010-05"), Some("mill date:2008..2010-05".to_owned()));
        assert_eq!(dated("mill date:2009", "from=&to="), Some("mill".to_owned()));
        assert_eq!(
            dated("mill", "from=x%20y&to=2010"),
            Some("mill date:xy..2010".to_owned()),
            "the answer says what is wrong"
        );
        assert_eq!(dated("mill", "from=May+2019&to=)"), Some("mill date:May2019..".to_owned()));
        assert_eq!(dated("mill", "q=mill"), None);
    }
}
