//! From a record to a page: the HTTP message taken apart and its body turned into text.

use std::borrow::Cow;

use lopper_content::PageId;
use lopper_content::limits::Limits;
use lopper_content::text::{charset, url};

use super::coding::{self, Fault, Undone};
use super::http::HttpHead;
use super::model::{Page, PageError, Provenance, SkipReason};
use super::redirect::is_redirect;
use super::{sniff, transfer};
use crate::{ArchiveRecord, Listing, Payload, RecordKind};

/// What a record gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PageOutcome {
    /// A page to index.
    Page(Box<Page>),
    /// No page, although nothing is broken.
    Skipped(SkipReason),
}

/// A record's message after its parts are told apart.
struct Message<'a> {
    status: u16,
    content_type: Option<&'a str>,
    content_language: Option<&'a str>,
    body: Cow<'a, [u8]>,
}

/// Decodes a record to a page: status 200, HTML or XHTML, and a body.
///
/// Where no media type is given, the body is looked at; an image or a PDF that is declared as HTML is none, nor is a page that only sends its
/// reader on. Codings that are declared but not applied, and bodies that are
/// cut off, give what can be read of them.
///
/// # Errors
///
/// [`PageError`] when a response has no readable head, or decodes to more than `limits` allow.
pub fn decode(mut record: ArchiveRecord, limits: &Limits) -> Result<PageOutcome, PageError> {
    match std::mem::replace(&mut record.payload, Payload::Skipped) {
        Payload::Http(message) => decode_http(record, message, limits),
        Payload::Bare { content_type, body } => {
            let content_type = content_type.as_deref();
            let message = Message { status: 200, content_type, content_language: None, body: Cow::Owned(body) };
            decode_message(record, message, &[], limits)
        }
        Payload::Skipped => Ok(PageOutcome::Skipped(skipped_by_kind(record.kind))),
    }
}

fn skipped_by_kind(kind: RecordKind) -> SkipReason {
    match kind {
        RecordKind::Revisit => SkipReason::Revisit,
        RecordKind::Warcinfo => SkipReason::Warcinfo,
        RecordKind::Request => SkipReason::Request,
        RecordKind::Metadata => SkipReason::Metadata,
        RecordKind::Conversion => SkipReason::Conversion,
        RecordKind::Continuation => SkipReason::Continuation,
        RecordKind::Part => SkipReason::Part,
        RecordKind::Redirect => SkipReason::Redirect,
        _ => SkipReason::RecordKind,
    }
}

fn decode_http(record: ArchiveRecord, mut message: Vec<u8>, limits: &Limits) -> Result<PageOutcome, PageError> {
    let head = match HttpHead::parse(&message, limits.header_bytes_max) {
        Ok(head) => head,
        // Servers of the first protocol answered with the page alone.
        Err(_) if sniff::is_html(&message) => HttpHead::of_bare_page(),
        Err(reason) => return Err(PageError::NoHttpHeaders { url: record.url, reason }),
    };
    message.drain(..head.len);
    let (body, codings) = transfer::unframed(&head, Cow::Owned(message));
    let message = Message {
        status: head.status,
        content_type: head.first("content-type"),
        content_language: head.first("content-language"),
        body,
    };
    decode_message(record, message, &codings, limits)
}

fn decode_message(
    record: ArchiveRecord,
    message: Message<'_>,
    codings: &[String],
    limits: &Limits,
) -> Result<PageOutcome, PageError> {
    if let Some(reason) = skipped_by_head(&message) {
        return Ok(PageOutcome::Skipped(reason));
    }
    let Undone { body, damaged } = match coding::undo(message.body, codings, limits) {
        Ok(undone) => undone,
        Err(Fault::TooLarge) => return Err(PageError::TooLarge { url: record.url, max: limits.body_bytes_max }),
        Err(Fault::Undecodable { coding }) => return Err(PageError::Undecodable { url: record.url, coding }),
    };
    let media_type = message.content_type.and_then(media_type);
    let is_empty = body.iter().all(u8::is_ascii_whitespace);
    let is_html =
        if media_type.is_none() { sniff::is_html(&body) } else { !sniff::is_binary(&body) && !sniff::is_data(&body) };
    if !is_empty && !is_html {
        return Ok(PageOutcome::Skipped(SkipReason::MediaType));
    }
    if is_empty {
        return Ok(PageOutcome::Skipped(SkipReason::EmptyBody));
    }
    let host = url::host(&record.url);
    let (html, encoding) = charset::decode(body, message.content_type, host.as_deref());
    if is_redirect(&html, limits) {
        return Ok(PageOutcome::Skipped(SkipReason::RedirectPage));
    }
    Ok(PageOutcome::Page(Box::new(Page {
        id: PageId::of(&record.url, record.captured_at),
        url: record.url,
        captured_at: record.captured_at,
        status: message.status,
        media_type: media_type.unwrap_or_default(),
        charset: encoding,
        content_language: message.content_language.map(str::to_owned),
        listed_title: record.listing.and_then(listed_title),
        remark: damaged
            .map(|coding| format!("the page's {coding} coding is cut off or damaged; it is read up to there")),
        html,
        provenance: Provenance {
            archive: record.archive,
            offset_bytes: record.offset_bytes,
            record_id: record.record_id,
        },
    })))
}

fn listed_title(listing: Listing) -> Option<String> {
    let Listing::Page { title } = listing else { return None };
    title.map(|title| title.split_whitespace().collect::<Vec<_>>().join(" ")).filter(|title| !title.is_empty())
}

/// The length of the HTTP head that `message` begins with, if the head is whole and says that no page follows.
pub(crate) fn head_without_page(message: &[u8], limits: &Limits) -> Option<usize> {
    let head = HttpHead::parse(message, limits.header_bytes_max).ok()?;
    let content_type = head.first("content-type");
    let is_no_page = head.status != 200 || content_type.is_some_and(|content_type| !may_be_html(content_type));
    (is_no_page && head.len < message.len()).then_some(head.len)
}

/// Whether a media type is that of pages, or none at all.
pub(crate) fn may_be_html(content_type: &str) -> bool {
    media_type(content_type).is_none_or(|media_type| is_html_type(&media_type))
}

fn is_html_type(media_type: &str) -> bool {
    matches!(media_type, "text/html" | "application/xhtml+xml")
}

fn skipped_by_head(message: &Message<'_>) -> Option<SkipReason> {
    if message.status != 200 {
        return Some(SkipReason::Status);
    }
    match message.content_type.and_then(media_type) {
        Some(media_type) if !is_html_type(&media_type) => Some(SkipReason::MediaType),
        Some(_) if message.body.is_empty() => Some(SkipReason::EmptyBody),
        _ => None,
    }
}

/// A media type without its parameters, lower case; `None` if it is none.
fn media_type(content_type: &str) -> Option<String> {
    let essence = content_type.split([';', ',']).next()?.trim();
    essence.contains('/').then(|| essence.to_ascii_lowercase())
}
