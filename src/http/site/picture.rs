//! `GET /page/{id}/picture?url=`: a picture of an archived page, from the archive that has the page.

use std::sync::{Arc, OnceLock};

use actix_web::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY};
use actix_web::{HttpRequest, HttpResponse, web};
use lopper_archive::page::{PageId, Resource};
use lopper_collection::resources::Resources;
use lopper_content::limits::Limits;
use lopper_store::StoredPage;

use crate::http::error::{ApiError, ErrorCode};
use crate::http::parameters::{page_id, page_not_found, value_of};
use crate::http::state::{State, reading};
use crate::markup::own_picture;
use crate::view::Belongings;

/// A picture does nothing, wherever its address is opened.
const PICTURE_POLICY: &str = "default-src 'none'; sandbox; frame-ancestors 'none'";

/// What a browser may keep, in seconds.
const CACHE: &str = "private, max-age=3600";

/// The picture, if the archive has it and it is one by its first bytes.
pub(in crate::http) async fn picture(
    id: web::Path<String>,
    request: HttpRequest,
    state: web::Data<State>,
) -> Result<HttpResponse, ApiError> {
    let id = page_id(&id)?;
    let url = value_of(request.query_string(), "url").unwrap_or_default();
    let (kind, body) = reading(state, move |state, _| found(state, id, &url)).await?;
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_SECURITY_POLICY, PICTURE_POLICY))
        .insert_header((CACHE_CONTROL, CACHE))
        .content_type(kind)
        .body(body))
}

fn found(state: &State, id: PageId, url: &str) -> Result<(&'static str, Vec<u8>), ApiError> {
    let page = state.collection().page(id)?.ok_or_else(|| page_not_found(id))?;
    let picture = PageResources::of(state, &page).get(url);
    let picture = picture.and_then(|picture| Some((kind_of(&picture.body)?, picture.body)));
    picture.ok_or_else(|| ApiError::new(ErrorCode::NotFound, "the archive has no such picture"))
}

/// The media type of a picture by its first bytes. SVG, which can hold scripts, is none.
fn kind_of(body: &[u8]) -> Option<&'static str> {
    let of_file = |kind: &[u8]| body.starts_with(kind);
    let of_box = |kind: &[u8]| body.get(4..12) == Some(kind);
    let of_chunk = |kind: &[u8]| of_file(b"RIFF") && body.get(8..12) == Some(kind);
    match () {
        () if of_file(b"\x89PNG\r\n\x1a\n") => Some("image/png"),
        () if of_file(b"\xff\xd8\xff") => Some("image/jpeg"),
        () if of_file(b"GIF87a") || of_file(b"GIF89a") => Some("image/gif"),
        () if of_chunk(b"WEBP") => Some("image/webp"),
        () if of_box(b"ftypavif") => Some("image/avif"),
        () if of_file(b"BM") => Some("image/bmp"),
        () if of_file(b"\0\0\x01\0") => Some("image/x-icon"),
        () => None,
    }
}

/// What the archive of a page has of what belongs to it.
pub(super) struct PageResources<'a> {
    page: &'a StoredPage,
    resources: Option<Arc<OnceLock<Resources>>>,
    state: &'a State,
    limits: Limits,
}

impl<'a> PageResources<'a> {
    pub(super) fn of(state: &'a State, page: &'a StoredPage) -> Self {
        let limits = state.options().limits;
        Self { page, resources: state.resources().of(page, &limits), state, limits }
    }

    fn known(&self, url: &str) -> Option<&Resources> {
        let resources = self.resources.as_ref()?.get()?;
        let is_kept_out = || self.state.collection().store().keeps_out_url(url);
        (resources.has(url) && !is_kept_out()).then_some(resources)
    }

    fn get(&self, url: &str) -> Option<Resource> {
        self.known(url)?.get(url, self.page.provenance.offset_bytes, &self.limits)
    }
}

impl Belongings for PageResources<'_> {
    fn picture(&self, url: &str) -> Option<String> {
        self.known(url).map(|_| own_picture(url))
    }

    fn sheet(&self, url: &str) -> Option<String> {
        let sheet = self.get(url).filter(|sheet| sheet.content_type.to_ascii_lowercase().contains("css"))?;
        Some(String::from_utf8_lossy(&sheet.body).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_known_by_their_first_bytes() {
        for (body, kind) in [
            (&b"\x89PNG\r\n\x1a\n.."[..], Some("image/png")),
            (b"\xff\xd8\xff\xe0", Some("image/jpeg")),
            (b"GIF89a", Some("image/gif")),
            (b"RIFF1234WEBPVP8 ", Some("image/webp")),
            (b"\0\0\0\x1cftypavif", Some("image/avif")),
            (b"<svg xmlns='http://www.w3.org/2000/svg'><script>x()</script></svg>", None),
            (b"<html><script>", None),
            (b"RIFF1234WAVE", None),
            (b"", None),
        ] {
            assert_eq!(kind_of(body), kind, "{}", String::from_utf8_lossy(body));
        }
    }
}
