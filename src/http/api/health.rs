//! `GET /healthz`.

use actix_web::{HttpResponse, web};
use serde::Serialize;

use crate::http::state::State;

#[derive(Serialize)]
struct Health {
    /// `ok`, or `writer_stopped`: searches are answered, and nothing is taken in for now.
    status: &'static str,
    /// Why the writer stopped.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    /// Captures ingested, as `lopper stats` counts them.
    pages: u64,
    version: &'static str,
}

/// Answers as long as requests are read at all: it counts nothing and waits for nobody.
pub(in crate::http) async fn health(state: web::Data<State>) -> HttpResponse {
    let pages = state.collection().stats().distinct_pages;
    let message = state.writer_stopped();
    let status = if message.is_some() { "writer_stopped" } else { "ok" };
    HttpResponse::Ok().json(Health { status, message, pages, version: env!("CARGO_PKG_VERSION") })
}
