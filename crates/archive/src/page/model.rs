//! The hand-over from records to trees: one captured web page.

use std::path::PathBuf;

use lopper_content::PageId;
use lopper_content::pipeline::PageText;
use serde::{Deserialize, Serialize};

use crate::FailureCode;

/// Where a page came from, so that it can be read again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// Archive file.
    pub archive: PathBuf,
    /// Offset of the record in it, in bytes.
    pub offset_bytes: u64,
    /// `WARC-Record-ID` as written.
    pub record_id: Option<String>,
}

/// A captured web page, decoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Identity, from URL and capture time.
    pub id: PageId,
    /// URL as the archive has it.
    pub url: String,
    /// Capture time, seconds since 1970-01-01T00:00:00Z.
    pub captured_at: Option<i64>,
    /// HTTP status; 200 for bare resources and files.
    pub status: u16,
    /// Media type without parameters, lower case; empty when none was given.
    pub media_type: String,
    /// Name of the encoding that the bytes were decoded with (WHATWG name, e.g. `windows-1252`).
    pub charset: &'static str,
    /// `Content-Language` of the HTTP message, as written.
    pub content_language: Option<String>,
    /// Title by the archive's list of pages, where it has one (WACZ): it counts where the page itself has none.
    pub listed_title: Option<String>,
    /// What is wrong with it although it could be read.
    pub remark: Option<String>,
    /// The page's source text.
    pub html: String,
    /// Where it came from.
    pub provenance: Provenance,
}

impl Page {
    /// What the analysis needs of it.
    pub fn source(&self) -> PageText<'_> {
        PageText {
            url: &self.url,
            html: &self.html,
            content_language: self.content_language.as_deref(),
            listed_title: self.listed_title.as_deref(),
        }
    }
}

/// Why a record gives no page although nothing is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SkipReason {
    /// A record kind that carries no page, and is none of those below.
    RecordKind,
    /// What the archive says of itself.
    Warcinfo,
    /// An HTTP request.
    Request,
    /// What is told of another record (also WAT).
    Metadata,
    /// A record's content in another form (also WET).
    Conversion,
    /// A further part of a record that was begun elsewhere.
    Continuation,
    /// A part of a page that is in another record.
    Part,
    /// Another name of an entry.
    Redirect,
    /// A revisit: its body is in another record.
    Revisit,
    /// A revisit whose original is in none of the archives read so far.
    RevisitUnresolved,
    /// HTTP status other than 200.
    Status,
    /// Not `text/html` or `application/xhtml+xml`, or declared so and something else by its bytes.
    MediaType,
    /// The body has no bytes, or white space alone.
    EmptyBody,
    /// Its page was in the collection, and was deleted.
    Deleted,
    /// A takedown keeps its page out.
    TakenDown,
    /// The same capture (address, time, content) was read from another archive.
    KnownCapture,
    /// A page with next to no text that sends its reader on at once (`meta refresh`).
    RedirectPage,
}

impl SkipReason {
    /// The reason in words, for reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::RecordKind => "not a page record",
            Self::Warcinfo => "the archive's own description",
            Self::Request => "request",
            Self::Metadata => "metadata of another record",
            Self::Conversion => "conversion of another record",
            Self::Continuation => "continuation of another record",
            Self::Part => "part of a page in another record",
            Self::Redirect => "redirect to another entry",
            Self::Revisit => "revisit of another record",
            Self::RevisitUnresolved => "revisit of a record that was not read",
            Self::Status => "HTTP status is not 200",
            Self::MediaType => "not HTML",
            Self::EmptyBody => "empty body",
            Self::Deleted => "page deleted",
            Self::TakenDown => "kept out by a takedown",
            Self::KnownCapture => "known from another archive",
            Self::RedirectPage => "a page that only leads to another",
        }
    }
}

/// Why a record that should hold a page could not be decoded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PageError {
    /// The record has no readable HTTP message.
    #[error("{url}: no HTTP headers in the record: {reason}")]
    NoHttpHeaders {
        /// Target URL.
        url: String,
        /// What was found.
        reason: &'static str,
    },
    /// The body decodes to more than the limit, or at a ratio that only a bomb has.
    #[error("{url}: the body is larger than {max} bytes when decoded")]
    TooLarge {
        /// Target URL.
        url: String,
        /// The limit.
        max: usize,
    },
    /// The body is not in the coding that its headers name, or is damaged from its beginning, and is no text either.
    #[error("{url}: the body cannot be decoded: it is neither {coding} nor text; fetch the page again")]
    Undecodable {
        /// Target URL.
        url: String,
        /// The content coding.
        coding: String,
    },
}

impl PageError {
    /// The failure's code.
    pub fn code(&self) -> FailureCode {
        match self {
            Self::NoHttpHeaders { .. } => FailureCode::NoHttpHeaders,
            Self::TooLarge { .. } => FailureCode::BodyTooLarge,
            Self::Undecodable { .. } => FailureCode::BodyUndecodable,
        }
    }
}
