//! Which path is answered by what.

use std::future::{Ready, ready};

use actix_web::dev::HttpServiceFactory;
use actix_web::guard::{self, Guard};
use actix_web::http::header::ACCEPT;
use actix_web::{FromRequest, Handler, HttpRequest, HttpResponse, Resource, Responder, web};

use super::error::{ApiError, ErrorCode};
use super::parameters::shortened;
use super::{api, site};

/// The routes of the server.
pub(super) fn configure(config: &mut web::ServiceConfig) {
    config
        .service(search())
        .service(export())
        .service(collections())
        .service(web::resource("/v1/collections/{name}").guard(guard::Delete()).to(api::remove_collection))
        .service(readable("/v1/collections/search", api::search_collections))
        .service(posted("/v1/extract", api::extract))
        .service(posted("/v1/mcp", api::mcp))
        .service(posted("/v1/pages/batch", api::batch))
        .service(readable("/v1/cite/{block_id}", api::cite))
        .service(readable("/v1/blocks", api::blocks))
        .service(readable("/v1/pages/{id}/content", api::content))
        .service(readable("/v1/captures", api::captures))
        .service(readable("/v1/blocks/{block_id}/captures", api::block_captures))
        .service(readable("/v1/suggest", api::suggest))
        .service(page())
        .service(readable("/v1/pages/{id}/tree", api::tree))
        .service(pages())
        .service(readable("/v1/takedowns", api::takedowns))
        .service(takedown())
        .service(archives())
        .service(readable("/v1/archives/{id}/records", api::archive_records))
        .service(readable("/v1/jobs", api::list_jobs))
        .service(readable("/v1/jobs/{number}", api::job))
        .service(readable("/v1/jobs/{number}/events", api::job_events))
        .service(readable("/v1/jobs/{number}/records", api::job_records))
        .service(posted("/v1/jobs/{number}/cancel", api::cancel_job))
        .service(readable("/v1/openapi.json", api::openapi))
        .service(readable("/healthz", api::health))
        .service(readable("/readyz", api::ready))
        .service(readable("/metrics", api::metrics))
        .service(readable("/", site::search))
        .service(readable("/page/{id}", site::page))
        .service(readable("/page/{id}/frame", site::frame))
        .service(readable("/page/{id}/picture", site::picture))
        .service(readable("/page/{id}/changes", site::changes))
        .service(readable("/page/{id}/methods", site::page_methods))
        .service(trying())
        .service(readable("/pages/{id}", site::former_page))
        .service(readable("/docs", site::docs))
        .service(readable("/style.css", site::style))
        .service(readable("/search.js", site::search_script))
        .service(ingest())
        .service(posted("/ingest/delete", site::delete_by_form))
        .service(readable("/ingest.js", site::ingest_script))
        .service(readable("/view.js", site::view_script))
        .default_service(web::to(not_found));
}

/// A path that can only be read.
fn readable<F, Args>(path: &str, handler: F) -> Resource
where
    F: Handler<Args>,
    Args: FromRequest + 'static,
    F::Output: Responder + 'static,
{
    let reading = web::route().guard(is_reading()).to(handler);
    web::resource(path).route(reading).default_service(web::to(|| refused("GET, HEAD")))
}

/// A path that only takes bodies.
fn posted<F, Args>(path: &str, handler: F) -> Resource
where
    F: Handler<Args>,
    Args: FromRequest + 'static,
    F::Output: Responder + 'static,
{
    web::resource(path).route(web::post().to(handler)).default_service(web::to(|| refused("POST")))
}

fn search() -> impl HttpServiceFactory {
    let resource = web::resource("/v1/search").route(web::route().guard(is_reading()).to(api::search));
    resource.route(web::post().to(api::search_by_body)).default_service(web::to(|| refused("GET, HEAD, POST")))
}

fn export() -> impl HttpServiceFactory {
    let resource = web::resource("/v1/export").route(web::route().guard(is_reading()).to(api::export));
    resource.route(web::post().to(api::export_by_body)).default_service(web::to(|| refused("GET, HEAD, POST")))
}

fn is_reading() -> impl Guard {
    guard::Any(guard::Get()).or(guard::Head())
}

fn pages() -> impl HttpServiceFactory {
    let resource = web::resource("/v1/pages").route(web::route().guard(is_reading()).to(api::page_of_url));
    let resource = resource.route(web::post().to(api::ingest)).route(web::delete().to(api::delete_pages));
    resource.default_service(web::to(|| refused("GET, HEAD, POST, DELETE")))
}

fn collections() -> impl HttpServiceFactory {
    let resource = web::resource("/v1/collections").route(web::route().guard(is_reading()).to(api::list_collections));
    resource.route(web::post().to(api::make_collection)).default_service(web::to(|| refused("GET, HEAD, POST")))
}

fn archives() -> impl HttpServiceFactory {
    let resource = web::resource("/v1/archives").route(web::route().guard(is_reading()).to(api::archives));
    resource.route(web::post().to(api::add_archive)).default_service(web::to(|| refused("GET, HEAD, POST")))
}

fn page() -> impl HttpServiceFactory {
    let resource = web::resource("/v1/pages/{id}").route(web::route().guard(is_reading()).to(api::page));
    resource.route(web::delete().to(api::delete_page)).default_service(web::to(|| refused("GET, HEAD, DELETE")))
}

fn takedown() -> impl HttpServiceFactory {
    let resource = web::resource("/v1/takedowns/{number}").route(web::delete().to(api::lift_takedown));
    resource.default_service(web::to(|| refused("DELETE")))
}

fn ingest() -> impl HttpServiceFactory {
    let reading = web::route().guard(is_reading()).to(site::ingest);
    web::resource("/ingest")
        .route(reading)
        .route(web::post().to(site::add_by_form))
        .default_service(web::to(|| refused("GET, HEAD, POST")))
}

fn trying() -> impl HttpServiceFactory {
    let reading = web::route().guard(is_reading()).to(site::try_form);
    web::resource("/try")
        .route(reading)
        .route(web::post().to(site::try_page))
        .default_service(web::to(|| refused("GET, HEAD, POST")))
}

fn refused(allow: &'static str) -> Ready<Result<HttpResponse, ApiError>> {
    ready(Err(ApiError::method(allow)))
}

async fn not_found(request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let message = format!("there is nothing at {}", shortened(request.path()));
    let error = ApiError::new(ErrorCode::NotFound, message);
    let accepted = request.headers().get(ACCEPT).and_then(|accepted| accepted.to_str().ok());
    // A browser gets a page.
    if accepted.is_some_and(|accepted| accepted.contains("text/html")) {
        Ok(site::failure(&request, error))
    } else {
        Err(error)
    }
}
