//! `/v1/collections`: which there are, more of them, and a search over several.

use actix_web::{HttpRequest, HttpResponse, web};
use lopper_collection::search::{PageHit, SearchRequest};
use lopper_index::QueryNote;
use serde::Serialize;

use super::ingest::receive_json;
use crate::http::access::Bound;
use crate::http::collections::{Collections, NewCollection, Told};
use crate::http::error::{ApiError, ErrorCode};
use crate::http::parameters::{bad, search_request, without};
use crate::http::replay::with_replays;
use crate::http::state::{State, blocking, reading};

/// Collections of one search.
const SEARCHED_MAX: usize = 32;

/// Places of all collections together that a search over several looks at.
const PLACES_MAX: usize = 1000;

/// The first place counts 1/(1 + this); the larger it is, the less the first few places differ.
const PLACE_OFFSET: f32 = 60.0;

#[derive(Serialize)]
struct Listed {
    collections: Vec<Told>,
}

/// Lists the collections that the request's key may see.
pub(in crate::http) async fn list_collections(
    request: HttpRequest,
    collections: web::Data<Collections>,
) -> HttpResponse {
    let bound = Bound::of(&request);
    let collections = collections.list().into_iter().filter(|told| bound.allows(&told.name)).collect();
    HttpResponse::Ok().json(Listed { collections })
}

/// Makes one.
pub(in crate::http) async fn make_collection(
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<State>,
    collections: web::Data<Collections>,
) -> Result<HttpResponse, ApiError> {
    if !Bound::of(&request).is_free() {
        return Err(ApiError::new(ErrorCode::ScopeMissing, "a key of some collections makes no others"));
    }
    let body = receive_json(&request, payload, &state).await?;
    let wanted: NewCollection = serde_json::from_slice(&body)
        .map_err(|error| ApiError::new(ErrorCode::BadBody, format!("the body is not {{\"name\": …}}: {error}")))?;
    let made = blocking(move || collections.make(&wanted)).await?;
    Ok(HttpResponse::Created().json(made))
}

/// Removes one that was made.
pub(in crate::http) async fn remove_collection(
    request: HttpRequest,
    name: web::Path<String>,
    collections: web::Data<Collections>,
) -> Result<HttpResponse, ApiError> {
    if !Bound::of(&request).is_free() {
        return Err(ApiError::new(ErrorCode::ScopeMissing, "a key of some collections removes none"));
    }
    blocking(move || collections.remove(&name)).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// What one collection gave.
#[derive(Serialize)]
struct Part {
    name: String,
    total_blocks: u64,
    total_is_exact: bool,
    is_complete: bool,
    notes: Vec<QueryNote>,
}

/// A page of one of the collections.
#[derive(Serialize)]
struct Hit {
    collection: String,
    /// Its place in its own collection's answer, from 1.
    place: usize,
    /// What the pages are ordered by.
    place_score: f32,
    #[serde(flatten)]
    page: PageHit,
}

#[derive(Serialize)]
struct Merged {
    query: String,
    collections: Vec<Part>,
    is_complete: bool,
    offset: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<usize>,
    pages: Vec<Hit>,
}

/// Searches several collections, and puts their pages into one order by their places.
pub(in crate::http) async fn search_collections(
    request: HttpRequest,
    collections: web::Data<Collections>,
) -> Result<HttpResponse, ApiError> {
    let (names, rest) = without(request.query_string(), "collections")?;
    let wanted = search_request(&rest)?;
    if wanted.cursor.is_some() || wanted.like.is_some() || wanted.facets {
        return Err(bad("`cursor`, `like` and `facets` are of one collection"));
    }
    let (offset, pages) = (wanted.offset, wanted.pages);
    if offset.saturating_add(pages) > PLACES_MAX {
        return Err(bad(format!("offset and pages may come to {PLACES_MAX} in a search over several collections")));
    }
    let names = chosen(&collections, &Bound::of(&request), names)?;
    let each = SearchRequest { offset: 0, pages: (offset + pages + 1).min(SearchRequest::PAGES_MAX), ..wanted.clone() };
    let (mut parts, mut hits) = (Vec::new(), Vec::new());
    for name in names {
        let (part, found) = part(&collections, name, each.clone()).await?;
        parts.push(part);
        hits.extend(found);
    }
    // The order of the collections, and of the pages in them, decides between equals.
    hits.sort_by(|a: &Hit, b: &Hit| b.place_score.total_cmp(&a.place_score));
    let next_offset = (hits.len() > offset + pages).then_some(offset + pages);
    let pages = hits.into_iter().skip(offset).take(pages).collect();
    let is_complete = parts.iter().all(|part: &Part| part.is_complete);
    Ok(HttpResponse::Ok().json(Merged {
        query: wanted.query,
        collections: parts,
        is_complete,
        offset,
        next_offset,
        pages,
    }))
}

/// The collections that are named, or all that the key may see.
fn chosen(collections: &Collections, bound: &Bound, named: Option<String>) -> Result<Vec<String>, ApiError> {
    let mut names: Vec<String> = match named {
        Some(named) => named.split(',').map(|name| name.trim().to_owned()).collect(),
        None => collections.list().into_iter().map(|told| told.name).filter(|name| bound.allows(name)).collect(),
    };
    let mut seen = std::collections::HashSet::new();
    names.retain(|name| seen.insert(name.clone()));
    if let Some(other) = names.iter().find(|name| !bound.allows(name)) {
        let message = format!("this key is not for the collection `{}`", crate::http::parameters::shortened(other));
        return Err(ApiError::new(ErrorCode::ScopeMissing, message));
    }
    if names.len() > SEARCHED_MAX {
        return Err(bad(format!("a search goes over {SEARCHED_MAX} collections at most: name them in `collections`")));
    }
    Ok(names)
}

async fn part(
    collections: &web::Data<Collections>,
    name: String,
    wanted: SearchRequest,
) -> Result<(Part, Vec<Hit>), ApiError> {
    let (own, opened) = (collections.clone(), name.clone());
    let state = match collections.open_already(&name)? {
        Some(state) => state,
        None => blocking(move || own.open(&opened)).await?,
    };
    let response = reading(state, move |state, budget| {
        Ok(with_replays(&state.options().replay_url, state.engine().search_within(&wanted, budget)?))
    });
    let response = response.await?;
    let hit = |(place, page): (usize, PageHit)| Hit {
        collection: name.clone(),
        place,
        place_score: 1.0 / (PLACE_OFFSET + place as f32),
        page,
    };
    let hits = (1..).zip(response.pages).map(hit).collect();
    let (total_blocks, total_is_exact) = (response.total_blocks, response.total_is_exact);
    let (is_complete, notes) = (response.is_complete, response.notes);
    Ok((Part { name, total_blocks, total_is_exact, is_complete, notes }, hits))
}
