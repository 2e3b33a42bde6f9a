//! `POST /v1/archives`: an archive that is sent, one in a folder of the server, or one behind a URL.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;

use actix_web::http::header::LOCATION;
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, web};
use futures_util::StreamExt;
use lopper_collection::ingest::Bodies;
use lopper_faults::disk::is_full;
use serde::Deserialize;

use super::ingest::receive_json;
use crate::http::allowed_archives::archives_at;
use crate::http::bodies::Room;
use crate::http::error::{ApiError, ErrorCode};
use crate::http::fetched_archive::archive_behind;
use crate::http::file_part::FilePart;
use crate::http::job_run::{self, Archives};
use crate::http::jobs::Job;
use crate::http::media::{media_type, refuse_compressed};
use crate::http::pace::Pace;
use crate::http::parameters::{Parameters, bad};
use crate::http::received::{Place, file_name};
use crate::http::state::{State, blocking};

/// Media type that a browser does not send elsewhere without asking first.
const MEDIA_TYPE: &str = "application/octet-stream";

/// Bytes that are gathered before they are written.
const CHUNK_BYTES: usize = 1 << 20;

/// Receives an archive into the data folder and begins to take it in.
pub(in crate::http) async fn add_archive(
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<State>,
) -> Result<HttpResponse, ApiError> {
    let media_type = media_type(&request);
    if media_type == "application/json" {
        return add_named(&request, payload, &state).await;
    }
    refuse_compressed(&request)?;
    if media_type != MEDIA_TYPE {
        let message = format!("send the archive as {MEDIA_TYPE}, or its path or URL as application/json");
        return Err(ApiError::new(ErrorCode::UnsupportedMediaType, message));
    }
    let parameters = Parameters::parse(request.query_string(), &["name"])?;
    let name = parameters.get("name").ok_or_else(|| bad("the parameter `name` is missing: the archive's file name"))?;
    let name = file_name(name).ok_or_else(|| bad("the parameter `name` is no file name"))?;
    let job = take_archive(Source::Bare(name), payload, &state).await?;
    Ok(begun(&job))
}

fn begun(job: &Job) -> HttpResponse {
    HttpResponse::Accepted().insert_header((LOCATION, format!("/v1/jobs/{}", job.number))).json(job)
}

/// What can be asked for of archives that are not sent: exactly one of `path` and `url`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    path: Option<String>,
    url: Option<String>,
    #[serde(default)]
    bodies: Bodies,
    #[serde(default)]
    again: bool,
}

async fn add_named(
    request: &HttpRequest,
    payload: web::Payload,
    state: &web::Data<State>,
) -> Result<HttpResponse, ApiError> {
    let body = receive_json(request, payload, state).await?;
    let wanted = serde_json::from_slice(&body);
    let what = "the body is not {\"path\": …} or {\"url\": …}";
    let Named { path, url, bodies, again } =
        wanted.map_err(|error| ApiError::new(ErrorCode::BadBody, format!("{what}: {error}")))?;
    may_begin(state)?;
    let own = state.clone();
    let found = match (path, url) {
        (Some(path), None) => blocking(move || archives_at(&own.options().archive_folders, &path)).await?,
        (None, Some(url)) => archive_behind(&own, &url)?,
        _ => return Err(ApiError::new(ErrorCode::BadBody, format!("{what}, one of them"))),
    };
    Ok(begun(&job_run::start(state, Archives { bodies, again, ..found })?))
}

fn may_begin(state: &State) -> Result<(), ApiError> {
    if !state.collection().is_writable() {
        return Err(ApiError::read_only());
    }
    if state.jobs().is_running() {
        return Err(ApiError::new(ErrorCode::Busy, "an archive is being taken in; try again when it is done"));
    }
    Ok(())
}

/// An archive that arrives.
pub(in crate::http) enum Source {
    /// As it is, under this name.
    Bare(String),
    /// As the file of a form.
    Form(FilePart),
}

impl Source {
    /// The archive's name, once it is known.
    fn name(&self) -> Option<&str> {
        match self {
            Self::Bare(name) => Some(name),
            Self::Form(part) => part.name(),
        }
    }

    /// Adds what `chunk` has of the archive to `content`.
    fn push(&mut self, chunk: &[u8], content: &mut Vec<u8>) -> Result<(), ApiError> {
        match self {
            Self::Bare(_) => content.extend_from_slice(chunk),
            Self::Form(part) => {
                part.push(chunk, content).map_err(|message| ApiError::new(ErrorCode::BadBody, message))?;
            }
        }
        Ok(())
    }

    fn is_broken_off(&self) -> bool {
        matches!(self, Self::Form(part) if !part.is_whole())
    }
}

/// Receives an archive into the data folder and begins to take it in.
pub(in crate::http) async fn take_archive(
    source: Source,
    payload: web::Payload,
    state: &web::Data<State>,
) -> Result<Job, ApiError> {
    may_begin(state)?;
    let place = state.archive_place()?;
    let archive = receive(source, payload, state).await?;
    drop(place);
    let begun = job_run::start(state, Archives::uploaded(vec![archive.clone()]));
    begun.inspect_err(|_| {
        // Whoever sent it is told to send it again.
        let _ = std::fs::remove_file(&archive);
    })
}

/// Writes the archive to a file as it comes.
async fn receive(mut source: Source, mut payload: web::Payload, state: &State) -> Result<PathBuf, ApiError> {
    let options = state.options();
    let (mut gathered, mut room) = (Vec::new(), Room::new(state));
    let mut begun: Option<(Place, File)> = None;
    let mut total: u64 = 0;
    let mut pace = Pace::new(options.upload_duration_max, options.archive_bytes_per_second_min);
    loop {
        let length =
            |chunk: &Option<Result<Bytes, _>>| chunk.as_ref().map_or(0, |chunk| chunk.as_ref().map_or(0, Bytes::len));
        let chunk = match pace.wait(payload.next(), length).await {
            Some(Some(Ok(chunk))) => chunk,
            Some(Some(Err(error))) => {
                return Err(ApiError::new(ErrorCode::BadBody, format!("the archive broke off: {error}")));
            }
            Some(None) => break,
            None => return Err(too_slow(options.archive_bytes_per_second_min)),
        };
        total += chunk.len() as u64;
        if total > options.archive_bytes_max {
            let message = format!("the archive has more than {} bytes; use `lopper ingest`", options.archive_bytes_max);
            return Err(ApiError::new(ErrorCode::TooLarge, message));
        }
        let held = (gathered.len() + chunk.len()).min(options.upload_bytes_max);
        room.hold(held, options.upload_duration_max).await?;
        source.push(&chunk, &mut gathered)?;
        if gathered.len() >= CHUNK_BYTES {
            let (place, file) = begun.take().map_or_else(|| begin(&source, state), Ok)?;
            let (file, written) = write(file, gathered).await?;
            (begun, gathered) = (Some((place, file)), written);
            drop(room.split());
        }
    }
    if source.is_broken_off() {
        return Err(ApiError::new(ErrorCode::BadBody, "the archive broke off"));
    }
    if begun.is_none() && gathered.is_empty() {
        return Err(ApiError::new(ErrorCode::NoPage, "the archive is empty"));
    }
    let (place, file) = begun.map_or_else(|| begin(&source, state), Ok)?;
    write(file, gathered).await?;
    blocking(move || place.keep().map_err(|error| not_kept(&error))).await
}

fn too_slow(bytes_per_second_min: u64) -> ApiError {
    let message = format!("the archive came too slowly: it must go on at {bytes_per_second_min} bytes a second");
    ApiError::new(ErrorCode::BodyTooSlow, message)
}

/// An archive that could not be written.
fn not_kept(error: &std::io::Error) -> ApiError {
    if is_full(error) {
        return ApiError::new(ErrorCode::WriterStopped, "the disk is full: nothing of the archive was kept");
    }
    ApiError::internal(error)
}

fn begin(source: &Source, state: &State) -> Result<(Place, File), ApiError> {
    let name = source.name().and_then(file_name).ok_or_else(|| bad("the archive has no name for a file"))?;
    Place::new(state.collection().store().data(), &name).map_err(|error| not_kept(&error))
}

/// Writes what was gathered on a thread where it keeps no other request waiting; gives the room back.
async fn write(mut file: File, mut gathered: Vec<u8>) -> Result<(File, Vec<u8>), ApiError> {
    blocking(move || {
        file.write_all(&gathered).map_err(|error| not_kept(&error))?;
        gathered.clear();
        Ok((file, gathered))
    })
    .await
}
