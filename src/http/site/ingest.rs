//! `GET /ingest`, and its forms.

use actix_web::http::header::{LOCATION, ORIGIN};
use actix_web::{HttpRequest, HttpResponse, web};
use lopper_collection::{archive_id, entries_of, listed_archives, records_from};
use lopper_store::ArchiveEntry;

use super::answer::answer;
use crate::http::api::{Source, selection, take_archive, with_ledger};
use crate::http::error::{ApiError, ErrorCode};
use crate::http::file_part::FilePart;
use crate::http::form::{boundary, whole_content_type};
use crate::http::parameters::value_of;
use crate::http::render::{self, ARCHIVES_SHOWN, Content, Deletion, Ledger, Records};
use crate::http::state::{State, blocking, reading};

/// Records on one page.
const RECORDS_MAX: usize = 100;

/// Bytes of the form that deletes.
const FORM_BYTES_MAX: usize = 64 << 10;

/// Archives, what became of their records, and a way to add and delete. `by` and `value` count what would be deleted.
pub(in crate::http) async fn ingest(request: HttpRequest, state: web::Data<State>) -> HttpResponse {
    let parameters = request.query_string().to_owned();
    let rendered = reading(state, move |state, _| {
        let deletion = chosen(&parameters).map(|chosen| deletion(state, chosen, true)).transpose()?;
        view(state, &parameters, deletion)
    });
    answer(&request, "", rendered.await)
}

/// Takes the archive of the form in, and shows how far it is.
pub(in crate::http) async fn add_by_form(
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<State>,
) -> HttpResponse {
    let added = async {
        from_own_page(&request)?;
        let boundary = boundary(&whole_content_type(&request)).ok_or_else(no_form)?;
        take_archive(Source::Form(FilePart::new(&boundary)), payload, &state).await
    };
    match added.await {
        Ok(_) => HttpResponse::SeeOther().insert_header((LOCATION, "/ingest")).finish(),
        Err(error) => answer(&request, "", Err(error)),
    }
}

/// Deletes what the form names, and tells what that was.
pub(in crate::http) async fn delete_by_form(
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<State>,
) -> HttpResponse {
    let deleted = async {
        from_own_page(&request)?;
        let form = payload.to_bytes_limited(FORM_BYTES_MAX).await;
        let form = form.ok().and_then(Result::ok).ok_or_else(no_form)?;
        let chosen = std::str::from_utf8(&form).ok().and_then(chosen).ok_or_else(no_form)?;
        blocking(move || {
            let deletion = deletion(&state, chosen, false)?;
            view(&state, "", Some(deletion))
        })
        .await
    };
    answer(&request, "", deleted.await)
}

fn no_form() -> ApiError {
    ApiError::new(ErrorCode::BadBody, "this is not the form of /ingest")
}

/// That a page of this server sent the form. What the `Origin` says was looked at before; here it must say something.
fn from_own_page(request: &HttpRequest) -> Result<(), ApiError> {
    let message = "forms are taken from this server's own pages; programs use /v1";
    request.headers().get(ORIGIN).map(|_| ()).ok_or_else(|| ApiError::new(ErrorCode::OriginNotAllowed, message))
}

/// What is to be deleted: by what, and which.
fn chosen(form: &str) -> Option<(String, String)> {
    let value = value_of(form, "value").map(|value| value.trim().to_owned()).filter(|value| !value.is_empty());
    value_of(form, "by").zip(value)
}

fn deletion(state: &State, (by, value): (String, String), is_dry: bool) -> Result<Deletion, ApiError> {
    let selected = selection(|name| (name == by).then(|| value.clone()))?;
    Ok(Deletion { report: state.delete(&selected, is_dry, None)?, by, value })
}

fn view(state: &State, parameters: &str, deletion: Option<Deletion>) -> Result<Content, ApiError> {
    let collection = with_ledger(state)?;
    let store = collection.store();
    let mut archives = listed_archives(store)?;
    archives.sort_by(|a, b| a.key.path.cmp(&b.key.path));
    let records = match value_of(parameters, "archive") {
        Some(id) => Some(records(state, parameters, &archives, &id)?),
        None => None,
    };
    let (jobs, archives_total) = (state.jobs().list(), archives.len());
    let offset = value_of(parameters, "offset").and_then(|offset| offset.parse().ok()).unwrap_or(0);
    let offset = if offset < archives_total { offset } else { 0 };
    let archives = archives.into_iter().skip(offset).take(ARCHIVES_SHOWN).collect();
    Ok(render::ingest(&Ledger { stats: store.stats(), archives, archives_total, offset, records, jobs, deletion }))
}

fn records(state: &State, parameters: &str, archives: &[ArchiveEntry], id: &str) -> Result<Records, ApiError> {
    let archive = archive_id(id).and_then(|id| archives.iter().find(|entry| entry.key.id == id));
    let archive = archive.ok_or_else(|| ApiError::new(ErrorCode::NotFound, "there is no such archive"))?;
    let wanted = value_of(parameters, "state").and_then(|state| state.parse().ok());
    let offset = value_of(parameters, "offset").and_then(|offset| offset.parse().ok()).unwrap_or(0);
    let collection = state.collection();
    let read = entries_of(collection.store(), archive.key.id)?;
    let found = records_from(collection.store(), &read, wanted, offset as u64).take(RECORDS_MAX + 1);
    let mut entries = found.map(|found| found.map(|(_, record)| record)).collect::<Result<Vec<_>, _>>()?;
    let has_more = entries.len() > RECORDS_MAX;
    entries.truncate(RECORDS_MAX);
    Ok(Records { archive: archive.clone(), wanted, entries, offset, has_more })
}
