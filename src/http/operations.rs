//! What the interface can be asked for, and what it answers.

use super::asked::{
    ARCHIVES, BLOCKS, BY_PATH, DELETED, DELETED_PAGE, EXPORT, EXPORT_FIELDS, EXTRACT, EXTRACTION, IDS, INDEX,
    NEW_COLLECTION, OF_URL, OVER_SEVERAL, POSTED, Parameter, RECORDS, SEARCH, SEARCH_FIELDS, STOOD, SUGGESTED,
};
use super::error::ErrorCode::{
    self, ArchiveNotFound, BadPageId, BadParameter, BadQuery, BlockNotFound, BodyNotFound, Busy, CollectionExists,
    CollectionKept, CollectionNotFound, CutShort, JobEnded, JobNotFound, NoPage, PageNotFound, PathNotAllowed,
    ReadOnly, TakedownNotFound, TakenDown, WriterStopped,
};
use super::openapi::ID;
use super::openapi::Shape::{self, Named, Object};

/// One method of one path.
#[derive(Debug)]
pub(super) struct Operation {
    pub(super) method: &'static str,
    pub(super) path: &'static str,
    pub(super) summary: &'static str,
    pub(super) parameters: &'static [Parameter],
    /// Media types of its body; none where it has none.
    pub(super) bodies: &'static [&'static str],
    /// Its good answers, the usual one first.
    pub(super) answers: &'static [Answer],
    /// What can go wrong, besides what can with all of its kind.
    pub(super) errors: &'static [ErrorCode],
}

/// A good answer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Answer {
    pub(super) status: u16,
    /// Its media types; none where it has no body.
    pub(super) media_types: &'static [&'static str],
    /// What JSON it has.
    pub(super) schema: Option<Shape>,
}

const JSON: &str = "application/json";
const HTML: &str = "text/html";
const NDJSON: &str = "application/x-ndjson";
const BYTES: &str = "application/octet-stream";

/// An answer in JSON.
const fn json(status: u16, schema: &'static str) -> Answer {
    Answer { status, media_types: &[JSON], schema: Some(Named(schema)) }
}

/// An answer in other forms.
const fn other(status: u16, media_types: &'static [&'static str]) -> Answer {
    Answer { status, media_types, schema: None }
}

const EXPORTED: &[Answer] = &[other(200, &[NDJSON, "text/csv", "application/warc"])];
const JOB: &[Answer] = &[json(202, "Job")];
const GONE: &[Answer] = &[json(200, "Deleted")];
const PAGE: &[Answer] = &[json(200, "Page"), other(304, &[])];

/// A path that is read.
const fn get(path: &'static str, summary: &'static str, answers: &'static [Answer]) -> Operation {
    Operation { method: "GET", path, summary, parameters: &[], bodies: &[], answers, errors: &[] }
}

/// A path that takes a body.
const fn post(
    path: &'static str,
    summary: &'static str,
    parameters: &'static [Parameter],
    bodies: &'static [&'static str],
    answers: &'static [Answer],
) -> Operation {
    Operation { method: "POST", path, summary, parameters, bodies, answers, errors: &[] }
}

/// A path by which something is deleted.
const fn delete(path: &'static str, summary: &'static str, parameters: &'static [Parameter]) -> Operation {
    Operation { method: "DELETE", path, summary, parameters, bodies: &[], answers: GONE, errors: &[] }
}

const BY_BODY: &str = "The same with the parameters in the body.";
const FOUND: &[Answer] = &[json(200, "SearchResponse")];
const SEARCH_ERRORS: &[ErrorCode] = &[BadQuery, BlockNotFound, Busy];
const EXPORT_ERRORS: &[ErrorCode] = &[BadQuery, BlockNotFound, Busy, CutShort];
const PAGE_ERRORS: &[ErrorCode] = &[BadPageId, PageNotFound, Busy];
const WRITING: &[ErrorCode] = &[ReadOnly, TakenDown, NoPage, WriterStopped];

/// All of them, in groups.
pub(super) const GROUPS: &[(&str, &[Operation])] = &[
    (
        "Searching",
        &[
            Operation {
                parameters: SEARCH,
                errors: SEARCH_ERRORS,
                ..get("/v1/search", "Pages, scored by their blocks, with their best blocks.", FOUND)
            },
            Operation { errors: SEARCH_ERRORS, ..post("/v1/search", BY_BODY, SEARCH_FIELDS, &[JSON], FOUND) },
            Operation {
                parameters: EXPORT,
                errors: EXPORT_ERRORS,
                ..get("/v1/export", "An answer as a file, page by page.", EXPORTED)
            },
            Operation { errors: EXPORT_ERRORS, ..post("/v1/export", BY_BODY, EXPORT_FIELDS, &[JSON], EXPORTED) },
            Operation {
                parameters: BLOCKS,
                errors: &[ReadOnly, Busy],
                ..get("/v1/blocks", "All blocks with where they come from, a line each.", &[other(200, &[NDJSON])])
            },
            Operation {
                parameters: SUGGESTED,
                errors: &[Busy],
                ..get("/v1/suggest", "How a query that ends within a word could go on.", &[json(200, "Suggestions")])
            },
            Operation {
                errors: &[BlockNotFound, Busy],
                ..get(
                    "/v1/cite/{block_id}",
                    "A block's place, with its quote checked against the page's HTML.",
                    &[json(200, "Citation"), other(304, &[])],
                )
            },
        ],
    ),
    (
        "Pages",
        &[
            Operation {
                parameters: OF_URL,
                errors: &[PageNotFound, Busy],
                ..get("/v1/pages", "A page by its URL, as it stood last, or at a time.", PAGE)
            },
            Operation {
                parameters: STOOD,
                errors: PAGE_ERRORS,
                ..get("/v1/pages/{id}", "A page and its blocks, or the capture of it that stood at a time.", PAGE)
            },
            Operation {
                errors: &[Busy],
                ..post("/v1/pages/batch", "Several pages.", IDS, &[JSON], &[json(200, "Pages")])
            },
            Operation {
                parameters: EXTRACTION,
                errors: &[BadPageId, PageNotFound, BodyNotFound, Busy],
                ..get(
                    "/v1/pages/{id}/content",
                    "The page's content in its own media type.",
                    &[
                        Answer {
                            status: 200,
                            media_types: &["text/plain", "text/markdown", HTML, "application/tei+xml", JSON],
                            schema: Some(Named("Extracted")),
                        },
                        other(304, &[]),
                    ],
                )
            },
            Operation {
                errors: PAGE_ERRORS,
                ..get("/v1/pages/{id}/tree", "What pruning made of the page.", &[json(200, "Tree"), other(304, &[])])
            },
            Operation {
                parameters: OF_URL,
                errors: &[Busy],
                ..get("/v1/captures", "The captures of a URL.", &[json(200, "Captures")])
            },
            Operation {
                errors: &[BlockNotFound, Busy],
                ..get(
                    "/v1/blocks/{block_id}/captures",
                    "Which captures hold a block, and from when to when.",
                    &[json(200, "BlockCaptures")],
                )
            },
            Operation {
                errors: &[NoPage],
                ..post(
                    "/v1/extract",
                    "The content of a page that is sent; nothing is stored.",
                    EXTRACT,
                    &[JSON, HTML],
                    &[json(200, "Extracted")],
                )
            },
        ],
    ),
    (
        "Language models",
        &[Operation {
            errors: &[Busy],
            ..post(
                "/v1/mcp",
                "The tools of language models: one message of the Model Context Protocol.",
                &[],
                &[JSON],
                &[Answer { status: 200, media_types: &[JSON], schema: Some(Object) }, other(202, &[])],
            )
        }],
    ),
    (
        "Adding and deleting",
        &[
            Operation {
                errors: WRITING,
                ..post(
                    "/v1/pages",
                    "Takes a page in, or of NDJSON many, with a line of answer for each.",
                    POSTED,
                    &[JSON, HTML, NDJSON],
                    &[json(201, "Ingested"), other(200, &[NDJSON])],
                )
            },
            Operation {
                errors: &[BadQuery, ArchiveNotFound, ReadOnly, WriterStopped, CutShort],
                ..delete("/v1/pages", "Deletes what one of the parameters selects, and keeps it out.", DELETED)
            },
            Operation {
                errors: &[BadPageId, PageNotFound, ReadOnly, WriterStopped],
                ..delete("/v1/pages/{id}", "Deletes a page, and keeps it out.", DELETED_PAGE)
            },
            Operation {
                errors: &[ReadOnly, PathNotAllowed, ArchiveNotFound, NoPage],
                ..post("/v1/archives", "Takes archives in.", BY_PATH, &[BYTES, JSON], JOB)
            },
            Operation {
                parameters: ARCHIVES,
                errors: &[Busy],
                ..get("/v1/archives", "Archives that were read.", &[json(200, "Archives")])
            },
            Operation {
                parameters: RECORDS,
                errors: &[ArchiveNotFound, Busy],
                ..get("/v1/archives/{id}/records", "What became of an archive's records.", &[json(200, "Records")])
            },
            get("/v1/jobs", "Archives that are or were taken in since the start.", &[json(200, "Jobs")]),
            Operation { errors: &[JobNotFound], ..get("/v1/jobs/{number}", "How far a job is.", &[json(200, "Job")]) },
            Operation {
                errors: &[JobNotFound, Busy],
                ..get(
                    "/v1/jobs/{number}/events",
                    "The job, whenever it changes.",
                    &[other(200, &["text/event-stream"])],
                )
            },
            Operation {
                parameters: RECORDS,
                errors: &[JobNotFound, Busy],
                ..get("/v1/jobs/{number}/records", "What became of a job's records.", &[json(200, "Records")])
            },
            Operation {
                errors: &[JobNotFound, JobEnded],
                ..post("/v1/jobs/{number}/cancel", "Tells a job to stop.", &[], &[], JOB)
            },
            get("/v1/takedowns", "What is kept out.", &[json(200, "Takedowns")]),
            Operation {
                answers: &[other(204, &[])],
                errors: &[BadParameter, TakedownNotFound, ReadOnly],
                ..delete("/v1/takedowns/{number}", "Lifts a takedown.", &[])
            },
        ],
    ),
    (
        "Collections",
        &[
            get("/v1/collections", "The collections; `/v1/c/NAME/…` is `/v1/…` of one.", &[json(200, "Collections")]),
            Operation {
                errors: &[CollectionExists, ReadOnly],
                ..post("/v1/collections", "Makes a collection.", NEW_COLLECTION, &[JSON], &[json(201, "Collection")])
            },
            Operation {
                answers: &[other(204, &[])],
                errors: &[CollectionKept, CollectionNotFound, ReadOnly, Busy],
                ..delete("/v1/collections/{name}", "Removes a collection that was made, with all that is in it.", &[])
            },
            Operation {
                parameters: OVER_SEVERAL,
                errors: &[BadQuery, CollectionNotFound, Busy],
                ..get(
                    "/v1/collections/search",
                    "Pages of several collections, by their places.",
                    &[json(200, "MergedResponse")],
                )
            },
        ],
    ),
    (
        "The service",
        &[
            get(
                "/v1/openapi.json",
                "This document.",
                &[Answer { status: 200, media_types: &[JSON], schema: Some(Object) }, other(304, &[])],
            ),
            get("/healthz", "The server's state.", &[json(200, "Health")]),
            get(
                "/readyz",
                "Whether all can be asked of it: 503 while nothing can be taken in.",
                &[json(200, "Readiness"), json(503, "Readiness")],
            ),
            get("/metrics", "Figures for Prometheus.", &[other(200, &["text/plain"])]),
        ],
    ),
];

/// All of them.
#[cfg(test)]
pub(super) fn operations() -> impl Iterator<Item = &'static Operation> {
    GROUPS.iter().flat_map(|(_, operations)| *operations)
}

/// What a name between braces in a path is.
pub(super) fn in_path(name: &str) -> Shape {
    match name {
        "number" => INDEX,
        "name" => Shape::Text,
        _ => ID,
    }
}
