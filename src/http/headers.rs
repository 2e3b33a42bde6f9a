//! Headers of every answer.

use actix_web::middleware::DefaultHeaders;

/// What a browser may load for our pages: their own style sheet, scripts, data and frame, nothing from anywhere else.
pub(super) const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; \
    connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'self'; frame-ancestors 'none'";

/// The same for a page that is not stored: its frame's document is an attribute of ours and has its styles by our leave. It may have less
/// than this, by a policy and a sandbox of its own.
pub(super) const TRY_POLICY: &str = "default-src 'none'; style-src 'self' 'unsafe-inline'; script-src 'self'; \
    connect-src 'self'; frame-src 'self'; img-src data:; form-action 'self'; base-uri 'self'; frame-ancestors 'none'";

/// Adds what keeps archived texts from being taken for our own code, and our addresses from archived sites.
pub(super) fn security() -> DefaultHeaders {
    DefaultHeaders::new()
        .add(("Content-Security-Policy", CONTENT_SECURITY_POLICY))
        .add(("X-Content-Type-Options", "nosniff"))
        .add(("Referrer-Policy", "same-origin"))
        .add(("Cross-Origin-Resource-Policy", "same-origin"))
}
