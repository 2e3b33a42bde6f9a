//! What can be asked for with each request.

use super::openapi::Field;
use super::openapi::Shape::{self, Few, Flag, From, Like, Object, OneOf, Share, Text, Time, Url};

/// Where a parameter stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// In the address.
    Query,
    /// In a JSON body.
    Field,
    /// In a JSON body, where `null` is as if it were left out.
    FieldOrNull,
}

/// A parameter.
#[derive(Debug, Clone, Copy)]
pub(super) struct Parameter {
    pub(super) place: Place,
    pub(super) field: Field,
}

const fn optional(place: Place, name: &'static str, shape: Shape, meaning: &'static str) -> Parameter {
    Parameter { place, field: Field { name, shape, is_required: false, meaning } }
}

const fn required(place: Place, name: &'static str, shape: Shape, meaning: &'static str) -> Parameter {
    Parameter { place, field: Field { name, shape, is_required: true, meaning } }
}

const AS_OF: &str = "A time, as 2008, 2008-05-17 or 2008-05-17T12:00:00Z: of each page the newest capture not later.";
/// A whole number that every program can hold.
pub(super) const INDEX: Shape = From(0, WHOLE_MAX);
pub(super) const WHOLE_MAX: u64 = (1 << 53) - 1;
const OF_TIME: Shape = Like(concat!(
    "^[0-9]{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01])",
    r"(T([01][0-9]|2[0-3])(:[0-5][0-9]){2}(\.[0-9]{1,9})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9]))?)?)?$"
));
const DOCUMENTS: Shape = Like("^(blend|max|sum:0*([1-9][0-9]?|100))$");
const PRUNE: Shape = Like("^(focus|balanced|main|everything|strict|relative|paper|relative:.+)$");

/// What a search takes.
const fn search(place: Place) -> [Parameter; 16] {
    [
        optional(place, "q", Text, "The query; required without `like`."),
        optional(place, "like", Text, "A block, to find more like it."),
        optional(place, "as_of", OF_TIME, AS_OF),
        optional(place, "pages", From(1, 1000), "Pages wanted, by default 10."),
        optional(
            place,
            "cursor",
            Like("^[0-9a-fA-F]{48}$"),
            "Where to go on, of a former answer; in place of `offset`.",
        ),
        optional(place, "offset", From(0, 10_000), "Pages to skip."),
        optional(place, "blocks_per_page", From(1, 50), "Blocks shown of a page, by default 3."),
        optional(place, "snippet_chars", From(1, 10_000), "Characters of a snippet, by default 240."),
        optional(place, "ranking", OneOf(&["blend", "bm25", "cosine"]), "How blocks are ranked."),
        optional(place, "documents", DOCUMENTS, "How a page is scored by its blocks: `blend`, `max` or `sum:K`."),
        optional(place, "sort", OneOf(&["relevance", "date"]), "The best first, or the newest of what answers."),
        optional(place, "collapse", OneOf(&["captures", "similar", "none"]), "What counts as one hit."),
        optional(place, "min_coverage", Share, "Coverage below which the answer has no pages."),
        optional(place, "facets", Flag, "Counts by host, language, year and type."),
        optional(place, "prune", PRUNE, "How pages are pruned by the query: `focus`, or a rule by element."),
        optional(place, "explain", Flag, "Shows what every score is made of."),
    ]
}

/// What an export takes.
const fn export(place: Place) -> [Parameter; 13] {
    [
        optional(place, "q", Text, "The query; required without `like`."),
        optional(place, "like", Text, "A block, to find more like it."),
        optional(place, "as_of", OF_TIME, AS_OF),
        optional(place, "format", OneOf(&["ndjson", "csv", "warc"]), "`ndjson` by default."),
        optional(place, "pages", From(1, 10_000), "Most pages, by default 1000."),
        optional(place, "offset", From(0, 10_000), "Pages to skip."),
        optional(place, "blocks_per_page", From(1, 50), "Blocks shown of a page, by default 3."),
        optional(place, "snippet_chars", From(1, 10_000), "Characters of a snippet, by default 240."),
        optional(place, "ranking", OneOf(&["blend", "bm25", "cosine"]), "How blocks are ranked."),
        optional(place, "documents", DOCUMENTS, "How a page is scored by its blocks: `blend`, `max` or `sum:K`."),
        optional(place, "sort", OneOf(&["relevance", "date"]), "The best first, or the newest of what answers."),
        optional(place, "collapse", OneOf(&["captures", "similar", "none"]), "What counts as one hit."),
        optional(place, "explain", Flag, "Shows what every score is made of."),
    ]
}

const METHODS: Shape =
    OneOf(&["lopper", "cst", "bte", "bte-original", "distribution", "punctuation", "link-density", "full-text"]);

/// What extraction takes.
const fn extraction(place: Place) -> [Parameter; 7] {
    let formats = OneOf(&["text", "markdown", "html", "tei", "json"]);
    [
        optional(place, "method", METHODS, "Extraction method, `lopper` by default."),
        optional(place, "variant", OneOf(&["best", "literal"]), "Reading of the method."),
        optional(place, "comments", OneOf(&["auto", "keep", "drop"]), "Readers' comments."),
        optional(place, "links", OneOf(&["keep", "drop"]), "Links, or their words alone."),
        optional(place, "images", OneOf(&["keep", "drop"]), "Images."),
        optional(place, "format", formats, "Form of the content, `text` by default."),
        optional(place, "blocks", Flag, "All blocks, kept or not."),
    ]
}

const URL: &str = "The page's address.";
const HTML_OF: &str = "The page.";
const CAPTURED: &str = "Capture time, RFC 3339.";
pub(super) const OF_URL: &[Parameter] =
    &[required(Place::Query, "url", Text, URL), optional(Place::Query, "as_of", OF_TIME, AS_OF)];
pub(super) const STOOD: &[Parameter] = &[optional(Place::Query, "as_of", OF_TIME, AS_OF)];
const NOTE: &str = "Why.";
const DRY_RUN: &str = "Only counts.";

pub(super) const SENT: &[Parameter] = &{
    let [a, b, c, d, e, f, g] = extraction(Place::FieldOrNull);
    let [h, i, j, k, l, m, n] = extraction(Place::Query);
    let html = required(Place::Field, "html", Text, HTML_OF);
    let url = [optional(Place::FieldOrNull, "url", Text, URL), optional(Place::Query, "url", Text, URL)];
    [html, url[0], url[1], a, b, c, d, e, f, g, h, i, j, k, l, m, n]
};

pub(super) const NEW_COLLECTION: &[Parameter] = &[
    required(Place::Field, "name", Like("^[a-z0-9][a-z0-9_-]{0,63}$"), "Its name: letters a to z, digits, `-`, `_`."),
    optional(Place::Field, "extract", Object, "Parameters of the extraction."),
    optional(Place::FieldOrNull, "weights", Object, "Weights of the ranking."),
];

pub(super) const OVER_SEVERAL: &[Parameter] = &{
    let [q, _, as_of, _, _, _, blocks, snippet, ranking, documents, sort, collapse, coverage, _, prune, explain] =
        search(Place::Query);
    let collections = optional(Place::Query, "collections", Text, "Names with commas; all where it is left out.");
    let pages = optional(Place::Query, "pages", From(1, 1000), "Pages wanted, with `offset` up to 1000.");
    let offset = optional(Place::Query, "offset", From(0, 999), "Pages to skip.");
    let q = required(Place::Query, q.field.name, q.field.shape, "The query.");
    [
        collections,
        q,
        pages,
        offset,
        as_of,
        blocks,
        snippet,
        ranking,
        documents,
        sort,
        collapse,
        coverage,
        prune,
        explain,
    ]
};

pub(super) const BY_PATH: &[Parameter] = &[
    optional(Place::Query, "name", Text, "Its file name; required where it is sent."),
    optional(Place::Field, "path", Text, "An archive, or a folder of them, below a folder that is allowed."),
    optional(Place::Field, "url", Url, "In its place: an archive behind a URL that begins as one that is allowed."),
    optional(Place::Field, "bodies", OneOf(&["keep", "refer", "none"]), "What is kept of the HTML."),
    optional(Place::Field, "again", Flag, "Reads again what was read to its end."),
];

pub(super) const ARCHIVES: &[Parameter] = &[
    optional(Place::Query, "archives", From(1, 1000), "Archives wanted, by default 1000."),
    optional(Place::Query, "offset", INDEX, "Archives to skip."),
];

pub(super) const RECORDS: &[Parameter] = &[
    optional(
        Place::Query,
        "state",
        OneOf(&["indexed", "replaced", "duplicate", "revisit", "skipped", "failed"]),
        "Records in this state alone.",
    ),
    optional(Place::Query, "records", From(1, 1000), "Records wanted, by default 100."),
    optional(Place::Query, "offset", INDEX, "Records to skip."),
];

/// Parameters of a search in an address.
pub(super) const SEARCH: &[Parameter] = &search(Place::Query);
/// Those in a body.
pub(super) const SEARCH_FIELDS: &[Parameter] = &search(Place::FieldOrNull);
/// Parameters of an export in an address.
pub(super) const EXPORT: &[Parameter] = &export(Place::Query);
/// Those in a body.
pub(super) const EXPORT_FIELDS: &[Parameter] = &export(Place::FieldOrNull);
pub(super) const BLOCKS: &[Parameter] = &[optional(Place::Query, "host", Text, "Blocks of that host alone.")];
/// Parameters of a page whose content is wanted, in a body or in an address.
pub(super) const EXTRACT: &[Parameter] = SENT;
/// The same of a page that is there.
pub(super) const EXTRACTION: &[Parameter] = &extraction(Place::Query);
pub(super) const SUGGESTED: &[Parameter] = &[required(Place::Query, "q", Text, "The query so far.")];
pub(super) const IDS: &[Parameter] = &[required(Place::Field, "ids", Few(&Text, 100), "Ids of pages.")];
pub(super) const DELETED_PAGE: &[Parameter] =
    &[optional(Place::Query, "dry_run", Flag, DRY_RUN), optional(Place::Query, "note", Text, NOTE)];

pub(super) const POSTED: &[Parameter] = &[
    required(Place::Field, "url", Url, URL),
    required(Place::Field, "html", Text, HTML_OF),
    optional(Place::FieldOrNull, "captured_at", Time, CAPTURED),
    optional(Place::Query, "url", Url, "The page's address; required with HTML."),
    optional(Place::Query, "captured_at", Time, CAPTURED),
];

pub(super) const DELETED: &[Parameter] = &[
    optional(Place::Query, "url", Text, "All captures of a URL."),
    optional(Place::Query, "prefix", Text, "All pages whose URL begins so."),
    optional(Place::Query, "host", Text, "All pages of a host."),
    optional(Place::Query, "archive", Text, "All pages of an archive."),
    optional(Place::Query, "q", Text, "All pages that a query finds."),
    optional(Place::Query, "dry_run", Flag, DRY_RUN),
    optional(Place::Query, "note", Text, NOTE),
];
