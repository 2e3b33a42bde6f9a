//! `GET /healthz`.

use actix_web::{HttpResponse, web};
use serde::Serialize;

use crate::http::state::State;

#[derive(Serialize)]
struct Health {
    status: &'static str,
    /// Captures ingested, as `lopper stats` counts them.
    pages: u64,
    version: &'static str,
}

/// Answers as long as requests are read at all: it counts nothing and waits for nobody.
pub(in crate::http) async fn health(state: web::Data<State>) -> HttpResponse {
    let pages = state.collection().store().stats().pages;
    HttpResponse::Ok().json(Health { status: "ok", pages, version: env!("CARGO_PKG_VERSION") })
}
