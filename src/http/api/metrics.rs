//! `GET /metrics` and `GET /readyz`.

use std::collections::BTreeMap;
use std::fmt::Write;

use actix_web::{HttpResponse, web};
use serde_json::json;

use crate::http::error::ApiError;
use crate::http::metrics::{counter, gauge, head};
use crate::http::state::{State, blocking};

/// Figures for Prometheus.
pub(in crate::http) async fn metrics(state: web::Data<State>) -> Result<HttpResponse, ApiError> {
    let mut out = String::new();
    let collection = state.collection();
    let stats = collection.stats();
    // It looks at files.
    let disk = blocking(move || Ok(collection.disk_bytes())).await?;
    let version = env!("CARGO_PKG_VERSION");
    let _ = writeln!(
        out,
        "# HELP lopper_build_info The program's version.\n# TYPE lopper_build_info gauge\nlopper_build_info{{version=\"{version}\"}} 1"
    );
    gauge(&mut out, "lopper_pages", "Captures in the collection.", stats.pages);
    gauge(&mut out, "lopper_distinct_pages", "Pages, each counted once.", stats.distinct_pages);
    gauge(&mut out, "lopper_blocks", "Blocks in the index.", stats.blocks);
    gauge(&mut out, "lopper_hosts", "Hosts of pages.", stats.hosts);
    gauge(&mut out, "lopper_html_bytes", "HTML of the pages.", stats.bytes);
    head(&mut out, "lopper_disk_bytes", "gauge", "Bytes of the data folder's files.");
    for (part, bytes) in [("store", disk.store), ("index", disk.index), ("rest", disk.rest)] {
        let _ = writeln!(out, "lopper_disk_bytes{{part=\"{part}\"}} {bytes}");
    }
    let stopped = u64::from(state.writer_stopped().is_some());
    gauge(&mut out, "lopper_writer_stopped", "1 while a failed commit keeps pages from being taken in.", stopped);
    let running = u64::from(state.jobs().is_running());
    gauge(&mut out, "lopper_ingest_running", "1 while an archive is taken in.", running);
    gauge(&mut out, "lopper_requests_waiting", "Searches that wait in turn.", state.searches_waiting() as u64);
    let (rate, at_work) = state.callers().refused();
    let help = "Requests beyond what their caller may ask for, by what was too much.";
    counter(
        &mut out,
        "lopper_http_limited_total",
        help,
        "limit",
        &BTreeMap::from([("rate", rate), ("at_work", at_work)]),
    );
    state.metrics().write(&mut out);
    Ok(HttpResponse::Ok().content_type("text/plain; version=0.0.4; charset=utf-8").body(out))
}

/// Whether all that the server does can be asked of it: 503 while it cannot write.
pub(in crate::http) async fn ready(state: web::Data<State>) -> HttpResponse {
    match state.writer_stopped() {
        None => HttpResponse::Ok().json(json!({ "status": "ready" })),
        Some(message) => {
            HttpResponse::ServiceUnavailable().json(json!({ "status": "writer_stopped", "message": message }))
        }
    }
}
