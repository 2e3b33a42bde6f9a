//! What the interface can be asked for.

/// Where a parameter stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// In the address.
    Query,
    /// In a JSON body.
    Field,
}

/// A parameter.
#[derive(Debug, Clone, Copy)]
pub(super) struct Parameter {
    pub(super) name: &'static str,
    pub(super) place: Place,
    /// Its JSON type.
    pub(super) kind: &'static str,
    pub(super) is_required: bool,
    pub(super) meaning: &'static str,
}

/// One method of one path.
#[derive(Debug)]
pub(super) struct Operation {
    pub(super) method: &'static str,
    pub(super) path: &'static str,
    pub(super) summary: &'static str,
    pub(super) parameters: &'static [Parameter],
    /// Media types of its body; none where it has none.
    pub(super) bodies: &'static [&'static str],
    /// The status of a good answer.
    pub(super) status: u16,
    /// The media type of a good answer; empty where it has no body.
    pub(super) answer: &'static str,
}

const JSON: &str = "application/json";
const HTML: &str = "text/html";
const NDJSON: &str = "application/x-ndjson";
const BYTES: &str = "application/octet-stream";
const EXPORTED: &str = "application/x-ndjson, text/csv, application/warc";
const EVENTS: &str = "text/event-stream";
const TEXT: &str = "text/plain";

const fn optional(place: Place, name: &'static str, kind: &'static str, meaning: &'static str) -> Parameter {
    Parameter { name, place, kind, is_required: false, meaning }
}

const fn required(place: Place, name: &'static str, kind: &'static str, meaning: &'static str) -> Parameter {
    Parameter { name, place, kind, is_required: true, meaning }
}

const AS_OF: &str = "A time, as 2008, 2008-05-17 or 2008-05-17T12:00:00Z: of each page the newest capture not later.";

/// What a search takes.
const fn search(place: Place) -> [Parameter; 16] {
    [
        optional(place, "q", "string", "The query; required without `like`."),
        optional(place, "like", "string", "A block, to find more like it."),
        optional(place, "as_of", "string", AS_OF),
        optional(place, "pages", "integer", "Pages wanted, 1 to 1000."),
        optional(place, "cursor", "string", "Where to go on, of a former answer; in place of `offset`."),
        optional(place, "offset", "integer", "Pages to skip, up to 10,000."),
        optional(place, "blocks_per_page", "integer", "Blocks shown of a page, 1 to 50."),
        optional(place, "snippet_chars", "integer", "Characters of a snippet, 1 to 10,000."),
        optional(place, "ranking", "string", "`blend`, `bm25` or `cosine`."),
        optional(place, "documents", "string", "`blend`, `max` or `sum:K`."),
        optional(place, "sort", "string", "`relevance` or `date`."),
        optional(place, "collapse", "string", "`captures`, `similar` or `none`."),
        optional(place, "min_coverage", "number", "Coverage below which the answer has no pages, 0 to 1."),
        optional(place, "facets", "boolean", "Counts by host, language, year and type."),
        optional(place, "prune", "string", "A rule by which pages are pruned by the query."),
        optional(place, "explain", "boolean", "Shows what every score is made of."),
    ]
}

/// What an export takes.
const fn export(place: Place) -> [Parameter; 13] {
    [
        optional(place, "q", "string", "The query; required without `like`."),
        optional(place, "like", "string", "A block, to find more like it."),
        optional(place, "as_of", "string", AS_OF),
        optional(place, "format", "string", "`ndjson`, `csv` or `warc`."),
        optional(place, "pages", "integer", "Most pages, 1 to 10,000."),
        optional(place, "offset", "integer", "Pages to skip, up to 10,000."),
        optional(place, "blocks_per_page", "integer", "Blocks shown of a page, 1 to 50."),
        optional(place, "snippet_chars", "integer", "Characters of a snippet, 1 to 10,000."),
        optional(place, "ranking", "string", "`blend`, `bm25` or `cosine`."),
        optional(place, "documents", "string", "`blend`, `max` or `sum:K`."),
        optional(place, "sort", "string", "`relevance` or `date`."),
        optional(place, "collapse", "string", "`captures`, `similar` or `none`."),
        optional(place, "explain", "boolean", "Shows what every score is made of."),
    ]
}

const METHOD: &str = "Extraction method, `lopper` by default.";
const VARIANT: &str = "Reading of the method: `best` or `literal`.";
const COMMENTS: &str = "Readers' comments: `auto`, `keep` or `drop`.";
const FORMAT: &str = "`text`, `markdown`, `html`, `tei` or `json`.";
const LINKS: &str = "`keep`, or `drop` and leave their words.";
const IMAGES: &str = "`keep` or `drop`.";
const BLOCKS: &str = "All blocks, kept or not.";

/// What extraction takes.
const fn extraction(place: Place) -> [Parameter; 7] {
    [
        optional(place, "method", "string", METHOD),
        optional(place, "variant", "string", VARIANT),
        optional(place, "comments", "string", COMMENTS),
        optional(place, "links", "string", LINKS),
        optional(place, "images", "string", IMAGES),
        optional(place, "format", "string", FORMAT),
        optional(place, "blocks", "boolean", BLOCKS),
    ]
}

const URL: &str = "The page's address.";
const HTML_OF: &str = "The page.";
const CAPTURED: &str = "Capture time, RFC 3339.";
const OF_URL: &[Parameter] =
    &[required(Place::Query, "url", "string", URL), optional(Place::Query, "as_of", "string", AS_OF)];
const OF_TIME: &[Parameter] = &[optional(Place::Query, "as_of", "string", AS_OF)];
const NOTE: &str = "Why.";
const DRY_RUN: &str = "Only counts.";

const SENT: &[Parameter] = &{
    let [a, b, c, d, e, f, g] = extraction(Place::Field);
    let [h, i, j, k, l, m, n] = extraction(Place::Query);
    let html = required(Place::Field, "html", "string", HTML_OF);
    [
        html,
        optional(Place::Field, "url", "string", URL),
        optional(Place::Query, "url", "string", URL),
        a,
        b,
        c,
        d,
        e,
        f,
        g,
        h,
        i,
        j,
        k,
        l,
        m,
        n,
    ]
};

const NEW_COLLECTION: &[Parameter] = &[
    required(Place::Field, "name", "string", "Its name: letters a to z, digits, `-`, `_`."),
    optional(Place::Field, "extract", "object", "Parameters of the extraction."),
    optional(Place::Field, "weights", "object", "Weights of the ranking."),
];

const OVER_SEVERAL: &[Parameter] = &[
    optional(Place::Query, "collections", "string", "Names with commas; all where it is left out."),
    required(Place::Query, "q", "string", "The query."),
    optional(Place::Query, "pages", "integer", "Pages wanted, with `offset` up to 1000."),
    optional(Place::Query, "offset", "integer", "Pages to skip."),
    optional(Place::Query, "as_of", "string", AS_OF),
];

const BY_PATH: &[Parameter] = &[
    optional(Place::Query, "name", "string", "Its file name; required where it is sent."),
    required(Place::Field, "path", "string", "An archive, or a folder of them, below a folder that is allowed."),
    optional(Place::Field, "bodies", "string", "What is kept of the HTML: `keep`, `refer` or `none`."),
    optional(Place::Field, "again", "boolean", "Reads again what was read to its end."),
];

const RECORDS: &[Parameter] = &[
    optional(Place::Query, "state", "string", "`indexed`, `replaced`, `duplicate`, `revisit`, `skipped` or `failed`."),
    optional(Place::Query, "records", "integer", "Records wanted, 1 to 1000."),
    optional(Place::Query, "offset", "integer", "Records to skip."),
];

const SEARCH: &[Parameter] = &search(Place::Query);
const SEARCH_FIELDS: &[Parameter] = &search(Place::Field);
const EXPORT: &[Parameter] = &export(Place::Query);
const EXPORT_FIELDS: &[Parameter] = &export(Place::Field);
const EXTRACTION: &[Parameter] = &extraction(Place::Query);
const SUGGESTED: &[Parameter] = &[required(Place::Query, "q", "string", "The query so far.")];
const IDS: &[Parameter] = &[required(Place::Field, "ids", "array", "Up to 100 ids.")];
const DELETED_PAGE: &[Parameter] =
    &[optional(Place::Query, "dry_run", "boolean", DRY_RUN), optional(Place::Query, "note", "string", NOTE)];

const POSTED: &[Parameter] = &[
    required(Place::Field, "url", "string", URL),
    required(Place::Field, "html", "string", HTML_OF),
    optional(Place::Field, "captured_at", "string", CAPTURED),
    optional(Place::Query, "url", "string", URL),
    optional(Place::Query, "captured_at", "string", CAPTURED),
];

const DELETED: &[Parameter] = &[
    optional(Place::Query, "url", "string", "All captures of a URL."),
    optional(Place::Query, "prefix", "string", "All pages whose URL begins so."),
    optional(Place::Query, "host", "string", "All pages of a host."),
    optional(Place::Query, "archive", "string", "All pages of an archive."),
    optional(Place::Query, "q", "string", "All pages that a query finds."),
    optional(Place::Query, "dry_run", "boolean", DRY_RUN),
    optional(Place::Query, "note", "string", NOTE),
];

/// A path that is read.
const fn get(path: &'static str, summary: &'static str, parameters: &'static [Parameter]) -> Operation {
    Operation { method: "GET", path, summary, parameters, bodies: &[], status: 200, answer: JSON }
}

/// A path that takes a body.
const fn post(
    path: &'static str,
    summary: &'static str,
    parameters: &'static [Parameter],
    bodies: &'static [&'static str],
) -> Operation {
    Operation { method: "POST", path, summary, parameters, bodies, status: 200, answer: JSON }
}

/// A path by which something is deleted.
const fn delete(path: &'static str, summary: &'static str, parameters: &'static [Parameter]) -> Operation {
    Operation { method: "DELETE", path, summary, parameters, bodies: &[], status: 200, answer: JSON }
}

/// All of them.
pub(super) const OPERATIONS: &[Operation] = &[
    get("/v1/search", "Pages, scored by their blocks, with their best blocks.", SEARCH),
    post("/v1/search", "The same with the parameters in the body.", SEARCH_FIELDS, &[JSON]),
    Operation { answer: EXPORTED, ..get("/v1/export", "An answer as a file, page by page.", EXPORT) },
    Operation {
        answer: EXPORTED,
        ..post("/v1/export", "The same with the parameters in the body.", EXPORT_FIELDS, &[JSON])
    },
    get("/v1/suggest", "How a query that ends within a word could go on.", SUGGESTED),
    get("/v1/cite/{block_id}", "A block's place, with its quote checked against the page's HTML.", &[]),
    post("/v1/extract", "The content of a page that is sent; nothing is stored.", SENT, &[JSON, HTML]),
    get("/v1/pages", "A page by its URL, as it stood last, or at a time.", OF_URL),
    get("/v1/pages/{id}", "A page and its blocks, or the capture of it that stood at a time.", OF_TIME),
    get("/v1/captures", "The captures of a URL.", OF_URL),
    get("/v1/blocks/{block_id}/captures", "Which captures hold a block, and from when to when.", &[]),
    get("/v1/pages/{id}/tree", "What pruning made of the page.", &[]),
    get("/v1/pages/{id}/content", "The page's content in its own media type.", EXTRACTION),
    post("/v1/pages/batch", "Several pages.", IDS, &[JSON]),
    Operation { status: 201, ..post("/v1/pages", "Takes a page in, or many.", POSTED, &[JSON, HTML, NDJSON]) },
    delete("/v1/pages", "Deletes what one of the parameters selects, and keeps it out.", DELETED),
    delete("/v1/pages/{id}", "Deletes a page, and keeps it out.", DELETED_PAGE),
    get("/v1/archives", "Archives that were read.", &[]),
    Operation { status: 202, ..post("/v1/archives", "Takes archives in.", BY_PATH, &[BYTES, JSON]) },
    get("/v1/archives/{id}/records", "What became of an archive's records.", RECORDS),
    get("/v1/jobs", "Archives that are or were taken in since the start.", &[]),
    get("/v1/jobs/{number}", "How far a job is.", &[]),
    Operation { answer: EVENTS, ..get("/v1/jobs/{number}/events", "The job, whenever it changes.", &[]) },
    get("/v1/jobs/{number}/records", "What became of a job's records.", RECORDS),
    Operation { status: 202, ..post("/v1/jobs/{number}/cancel", "Tells a job to stop.", &[], &[]) },
    get("/v1/takedowns", "What is kept out.", &[]),
    Operation { status: 204, answer: "", ..delete("/v1/takedowns/{number}", "Lifts a takedown.", &[]) },
    get("/v1/collections", "The collections; `/v1/c/NAME/…` is `/v1/…` of one.", &[]),
    Operation { status: 201, ..post("/v1/collections", "Makes a collection.", NEW_COLLECTION, &[JSON]) },
    get("/v1/collections/search", "Pages of several collections, by their places.", OVER_SEVERAL),
    get("/v1/openapi.json", "This document.", &[]),
    get("/healthz", "The server's state.", &[]),
    get("/readyz", "503 while nothing can be taken in.", &[]),
    Operation { answer: TEXT, ..get("/metrics", "Figures for Prometheus.", &[]) },
];
