//! `GET /v1/archives`, `/v1/archives/{id}/records`, `/v1/jobs/{number}/records`: what became of each record.

use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse, web};
use lopper_collection::{DataFolder, archive_id, archive_name, entries_of, listed_archives, records_from};
use lopper_store::{ArchiveEntry, RecordEntry, RecordState, RecordSums, StateKind};
use serde::Serialize;

use crate::http::asked::WHOLE_MAX;
use crate::http::error::{ApiError, ErrorCode};
use crate::http::parameters::{Parameters, bad, shortened};
use crate::http::state::{State, reading};

/// Archives of one answer, where nobody asked for fewer.
const ARCHIVES_MAX: usize = 1000;

/// Records of one answer.
const RECORDS_MAX: usize = 1000;

/// Records of an answer that nobody asked for more or less of.
const RECORDS_DEFAULT: usize = 100;

/// An archive that was read.
#[derive(Serialize)]
struct ArchiveView {
    id: String,
    /// Its file name.
    archive: String,
    /// Whether it was read to its end.
    finished: bool,
    position_bytes: u64,
    records: u64,
    sums: RecordSums,
}

#[derive(Serialize)]
struct Listing {
    archives: Vec<ArchiveView>,
    archives_total: usize,
    /// Where the next answer begins; left out at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<usize>,
}

/// A record, and what became of it.
#[derive(Serialize)]
struct RecordView {
    archive_id: String,
    archive: String,
    ordinal: u64,
    offset_bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    record_id: Option<String>,
    state: StateKind,
    /// The page that it gave, or stands for.
    #[serde(skip_serializing_if = "Option::is_none")]
    page_id: Option<String>,
    /// Why it was skipped, or the stable name of what failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

#[derive(Serialize)]
struct Records {
    records: Vec<RecordView>,
    /// Where the next answer begins; left out at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<u64>,
}

/// Which records are wanted.
struct Wanted {
    state: Option<StateKind>,
    offset: u64,
    count: usize,
}

impl Wanted {
    fn read(query: &str) -> Result<Self, ApiError> {
        let parameters = Parameters::parse(query, &["state", "offset", "records"])?;
        let kind = |name: &str| name.parse::<StateKind>().map_err(|error| bad(format!("state: {}", shortened(&error))));
        let state = parameters.get("state").map(kind).transpose()?;
        let offset = place(&parameters)? as u64;
        let count = parameters.number("records", RECORDS_DEFAULT)?;
        if !(1..=RECORDS_MAX).contains(&count) {
            return Err(bad(format!("records is {count}; it must be from 1 to {RECORDS_MAX}")));
        }
        Ok(Self { state, offset, count })
    }
}

/// The collection, if it has a ledger: one that is in an engine has none.
pub(in crate::http) fn with_ledger(state: &State) -> Result<Arc<DataFolder>, ApiError> {
    let collection = state.collection();
    let message = "what became of each record is told where the data folder is; this server reads an engine";
    if collection.is_elsewhere() { Err(ApiError::new(ErrorCode::ReadOnly, message)) } else { Ok(collection) }
}

/// How many are passed over: what every program can hold as a whole number.
fn place(parameters: &Parameters) -> Result<usize, ApiError> {
    let offset = parameters.number("offset", 0)?;
    let fits = u64::try_from(offset).is_ok_and(|offset| offset <= WHOLE_MAX);
    fits.then_some(offset).ok_or_else(|| bad(format!("offset is {offset}; it must be from 0 to {WHOLE_MAX}")))
}

/// The archives that were read, by name.
pub(in crate::http) async fn archives(request: HttpRequest, state: web::Data<State>) -> Result<HttpResponse, ApiError> {
    let parameters = Parameters::parse(request.query_string(), &["offset", "archives"])?;
    let (offset, count) = (place(&parameters)?, parameters.number("archives", ARCHIVES_MAX)?);
    if !(1..=ARCHIVES_MAX).contains(&count) {
        return Err(bad(format!("archives is {count}; it must be from 1 to {ARCHIVES_MAX}")));
    }
    let archives = reading(state, move |state, _| {
        let collection = with_ledger(state)?;
        let mut archives: Vec<ArchiveView> =
            listed_archives(collection.store())?.into_iter().map(ArchiveView::from).collect();
        archives.sort_by(|a, b| (&a.archive, &a.id).cmp(&(&b.archive, &b.id)));
        let archives_total = archives.len();
        let end = offset.saturating_add(count);
        let archives = archives.into_iter().skip(offset).take(count).collect();
        Ok(Listing { archives, archives_total, next_offset: (end < archives_total).then_some(end) })
    });
    Ok(HttpResponse::Ok().json(archives.await?))
}

/// The records of an archive.
pub(in crate::http) async fn archive_records(
    id: web::Path<String>,
    request: HttpRequest,
    state: web::Data<State>,
) -> Result<HttpResponse, ApiError> {
    let wanted = Wanted::read(request.query_string())?;
    let records = reading(state, move |state, _| {
        let missing = || {
            let message = format!("there is no archive `{}`: `GET /v1/archives` lists them", shortened(&id));
            ApiError::new(ErrorCode::ArchiveNotFound, message)
        };
        let id = archive_id(&id).ok_or_else(missing)?;
        let entries = entries_of(with_ledger(state)?.store(), id)?;
        if entries.is_empty() { Err(missing()) } else { records(state, &entries, &wanted) }
    });
    Ok(HttpResponse::Ok().json(records.await?))
}

/// The records of the archives that a job read, as far as they are committed.
pub(in crate::http) async fn job_records(
    number: web::Path<String>,
    request: HttpRequest,
    state: web::Data<State>,
) -> Result<HttpResponse, ApiError> {
    let wanted = Wanted::read(request.query_string())?;
    let job = state.jobs().named(&number)?;
    let records = reading(state, move |state, _| {
        let collection = state.collection();
        let entries = job.archives.iter().map(|id| collection.store().archive(*id));
        let entries: Vec<Option<ArchiveEntry>> = entries.collect::<Result<_, _>>()?;
        records(state, &entries.into_iter().flatten().collect::<Vec<_>>(), &wanted)
    });
    Ok(HttpResponse::Ok().json(records.await?))
}

fn records(state: &State, archives: &[ArchiveEntry], wanted: &Wanted) -> Result<Records, ApiError> {
    let collection = state.collection();
    let mut found = records_from(collection.store(), archives, wanted.state, wanted.offset);
    let records =
        found.by_ref().take(wanted.count).map(|found| found.map(|(entry, record)| RecordView::new(entry, record)));
    let records = records.collect::<Result<_, _>>()?;
    let next_offset = found.next().is_some().then_some(wanted.offset + wanted.count as u64);
    Ok(Records { records, next_offset })
}

impl From<ArchiveEntry> for ArchiveView {
    fn from(entry: ArchiveEntry) -> Self {
        Self {
            id: format!("{:032x}", entry.key.id),
            archive: archive_name(&entry.key.path),
            finished: entry.finished,
            position_bytes: entry.position_bytes,
            records: entry.sums.records(),
            sums: entry.sums,
        }
    }
}

impl RecordView {
    fn new(archive: &ArchiveEntry, record: RecordEntry) -> Self {
        let page_id = record.state.page().map(|page| page.to_string());
        let state = record.state.kind();
        let (path, name) = (archive.key.path.to_string_lossy(), archive_name(&archive.key.path));
        let (reason, message) = match record.state {
            RecordState::Skipped { reason } => (serde_json::to_value(reason).ok(), None),
            RecordState::Failed { code, message } => (Some(code.into()), Some(message.replace(&*path, &name))),
            _ => (None, None),
        };
        Self {
            archive_id: format!("{:032x}", archive.key.id),
            archive: name,
            ordinal: record.ordinal,
            offset_bytes: record.offset_bytes,
            record_id: record.record_id,
            state,
            page_id,
            reason: reason.and_then(|reason| reason.as_str().map(str::to_owned)),
            message,
        }
    }
}
