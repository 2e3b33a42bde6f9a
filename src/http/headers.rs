//! Headers of every answer.

use actix_web::middleware::DefaultHeaders;

/// What a browser may load for our pages: their own style sheet and script, nothing from anywhere else.
pub(super) const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; \
    form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Adds what keeps archived texts from being taken for our own code, and our addresses from archived sites.
pub(super) fn security() -> DefaultHeaders {
    DefaultHeaders::new()
        .add(("Content-Security-Policy", CONTENT_SECURITY_POLICY))
        .add(("X-Content-Type-Options", "nosniff"))
        .add(("Referrer-Policy", "no-referrer"))
        .add(("Cross-Origin-Resource-Policy", "same-origin"))
}
