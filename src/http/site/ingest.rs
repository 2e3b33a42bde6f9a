//! `GET /ingest`.

use actix_web::{HttpRequest, HttpResponse, web};
use lopper_store::ArchiveEntry;
use maud::Markup;

use super::answer::answer;
use crate::http::error::{ApiError, ErrorCode};
use crate::http::parameters::value_of;
use crate::http::render::{self, Ledger, Records};
use crate::http::state::{State, reading};

/// Records on one page.
const RECORDS_MAX: usize = 100;

/// Archives, what became of their records, and a way to add and delete.
pub(in crate::http) async fn ingest(request: HttpRequest, state: web::Data<State>) -> HttpResponse {
    let parameters = request.query_string().to_owned();
    answer("", reading(state, move |state, _| view(state, &parameters)).await)
}

fn view(state: &State, parameters: &str) -> Result<Markup, ApiError> {
    let collection = state.collection();
    let store = collection.store();
    let mut archives = store.archives().collect::<Result<Vec<_>, _>>()?;
    archives.sort_by(|a, b| a.key.path.cmp(&b.key.path));
    let records = match value_of(parameters, "archive") {
        Some(id) => Some(records(state, parameters, &archives, &id)?),
        None => None,
    };
    Ok(render::ingest(&Ledger { stats: store.stats(), archives, records }))
}

fn records(state: &State, parameters: &str, archives: &[ArchiveEntry], id: &str) -> Result<Records, ApiError> {
    let archive = u128::from_str_radix(id, 16).ok().and_then(|id| archives.iter().find(|entry| entry.key.id == id));
    let archive = archive.ok_or_else(|| ApiError::new(ErrorCode::NotFound, "there is no such archive"))?;
    let wanted = value_of(parameters, "state").and_then(|state| state.parse().ok());
    let offset = value_of(parameters, "offset").and_then(|offset| offset.parse().ok()).unwrap_or(0);
    let collection = state.collection();
    let found = collection.store().records(archive, wanted).skip(offset).take(RECORDS_MAX + 1);
    let mut entries = found.collect::<Result<Vec<_>, _>>()?;
    let has_more = entries.len() > RECORDS_MAX;
    entries.truncate(RECORDS_MAX);
    Ok(Records { archive: archive.clone(), wanted, entries, offset, has_more })
}
