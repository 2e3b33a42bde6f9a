//! What the pages load: a style sheet and a script, part of the program.

use actix_web::HttpResponse;
use actix_web::http::header::CacheControl;
use actix_web::http::header::CacheDirective::{MaxAge, Public};

const STYLE: &str = include_str!("../../../web/style.css");
const SEARCH: &str = include_str!("../../../web/search.js");
const INGEST: &str = include_str!("../../../web/ingest.js");
const VIEW: &str = include_str!("../../../web/view.js");

/// Time that a browser may keep a file, in seconds.
const CACHE_SECONDS: u32 = 300;

/// `GET /style.css`.
pub(in crate::http) async fn style() -> HttpResponse {
    file("text/css; charset=utf-8", STYLE)
}

/// `GET /search.js`.
pub(in crate::http) async fn search_script() -> HttpResponse {
    script(SEARCH)
}

/// `GET /view.js`.
pub(in crate::http) async fn view_script() -> HttpResponse {
    script(VIEW)
}

/// `GET /ingest.js`.
pub(in crate::http) async fn ingest_script() -> HttpResponse {
    script(INGEST)
}

fn script(body: &'static str) -> HttpResponse {
    file("text/javascript; charset=utf-8", body)
}

fn file(content_type: &'static str, body: &'static str) -> HttpResponse {
    let cached = CacheControl(vec![Public, MaxAge(CACHE_SECONDS)]);
    HttpResponse::Ok().insert_header(cached).content_type(content_type).body(body)
}
