//! Answers of extraction, of what is taken in and of what is deleted.

use super::search_schemas::ID;
use super::shape::Shape::{Count, Flag, List, Map, Named, Number, OneOf, OrNull, Share, Text, Time};
use super::shape::{Schema, Shape, field, maybe};

const BLOCKS: Shape = List(&Named("ContentBlock"));
const WORDS: Shape = List(&Named("Inline"));
const STATES: Shape = OneOf(&["indexed", "replaced", "duplicate", "revisit", "skipped", "failed"]);

pub(super) const SCHEMAS: &[Schema] = &[
    Schema {
        name: "Extracted",
        meaning: "A page's head, and its content in the field that is named as its format (`json`: `content`).",
        fields: &[&[
            maybe("url", Text, "Where it is known."),
            field("title", Text, ""),
            field("lang", Text, ""),
            field("method", Text, ""),
            maybe("text", Text, ""),
            maybe("markdown", Text, ""),
            maybe("html", Text, "Clean: nothing that runs."),
            maybe("tei", Text, ""),
            maybe("content", BLOCKS, ""),
            field("page_type", Named("LikelyType"), ""),
            maybe("author", Text, ""),
            maybe("date", Text, "As the page has it."),
            maybe("description", Text, ""),
            maybe("site_name", Text, ""),
            maybe("canonical_url", Text, ""),
            field("images", List(&Text), "Addresses."),
            maybe("cut_short", Text, "The limit that the page is beyond: what follows is missing."),
            maybe("blocks", List(&Named("ExtractedBlock")), "With `blocks`."),
        ]],
    },
    Schema {
        name: "LikelyType",
        meaning: "The likeliest type of a page.",
        fields: &[&[
            field("name", Text, ""),
            field("probability", Share, ""),
            field("told", Flag, "Whether that is enough for search to know the page by it."),
        ]],
    },
    Schema {
        name: "ExtractedBlock",
        meaning: "A text of the page, kept or not.",
        fields: &[&[
            field("path", Text, "CSS path."),
            field("kind", Text, "The element."),
            field("text", Text, ""),
            field("kept", Flag, ""),
            field("score", Number, ""),
            field("comment", Flag, "A reader's comment."),
            maybe("reasons", List(&Named("RunReason")), "The strongest three."),
        ]],
    },
    Schema {
        name: "ContentBlock",
        meaning: "What stands on lines of its own; which fields there are, `type` says.",
        fields: &[&[
            field("type", OneOf(BLOCK_TYPES), ""),
            maybe("level", Count, "Of a heading, 1 to 6."),
            maybe("content", WORDS, "Of a heading or paragraph."),
            maybe("ordered", Flag, "Of a list."),
            maybe("reversed", Flag, "Of a list whose numbers count down."),
            maybe("start", Count, "Number of a list's first entry."),
            maybe("entries", List(&Named("ContentEntry")), "Of a list, or of definitions."),
            maybe("language", Text, "Of code."),
            maybe("text", Text, "Of code."),
            maybe("caption", WORDS, "Of a table or figure."),
            maybe("head_rows", Count, "Of a table."),
            maybe("rows", List(&Named("ContentRow")), "Of a table."),
            maybe("blocks", BLOCKS, "Of a quote, figure or footnote."),
            maybe("tex", Text, "Of a formula."),
            maybe("label", Text, "Of a footnote."),
        ]],
    },
    Schema {
        name: "ContentEntry",
        meaning: "An entry of a list (`blocks`), or terms with their definitions.",
        fields: &[&[
            maybe("blocks", BLOCKS, ""),
            maybe("terms", List(&WORDS), ""),
            maybe("definitions", List(&BLOCKS), ""),
        ]],
    },
    Schema { name: "ContentRow", meaning: "", fields: &[&[field("cells", List(&Named("ContentCell")), "")]] },
    Schema {
        name: "ContentCell",
        meaning: "",
        fields: &[&[
            maybe("header", Flag, ""),
            maybe("columns", Count, "That it spans, where it is more than one."),
            maybe("rows", Count, "That it spans, where it is more than one."),
            field("blocks", BLOCKS, ""),
        ]],
    },
    Schema {
        name: "Inline",
        meaning: "A stretch of a line.",
        fields: &[&[
            field("type", OneOf(INLINE_TYPES), ""),
            maybe("text", Text, "Of text and code."),
            maybe("content", WORDS, "Of what holds others."),
            maybe("url", Text, "Of a link or image."),
            maybe("alt", Text, "Of an image."),
            maybe("tex", Text, "Of a formula."),
            maybe("label", Text, "Of a note: that of its footnote."),
        ]],
    },
    Schema {
        name: "Ingested",
        meaning: "A page that was taken in: it is on disk and can be found.",
        fields: &[&[
            field("page_id", ID, ""),
            field("url", Text, ""),
            field("title", Text, ""),
            field("language", OrNull(&Text), "ISO 639-1 code."),
            field("blocks", Count, "In the index."),
        ]],
    },
    Schema {
        name: "Deleted",
        meaning: "What was deleted, or would be.",
        fields: &[&[
            field("pages", Count, ""),
            field("blocks", Count, ""),
            field("captures", Count, ""),
            maybe("takedown", Named("Takedown"), "What is kept out from now on; not with `dry_run`."),
        ]],
    },
    Schema {
        name: "Takedown",
        meaning: "What is kept out, by one of `pages`, `url`, `prefix`, `host`, `archive`.",
        fields: &[&[
            field("number", Count, ""),
            field("since", OrNull(&Time), ""),
            maybe("pages", List(&Named("TakenPage")), ""),
            maybe("url", Text, ""),
            maybe("prefix", Text, ""),
            maybe("host", Text, ""),
            maybe("archive", Text, "The file's name."),
            maybe("query", Text, "What found the `pages`, where a query did."),
            maybe("note", Text, "Why."),
        ]],
    },
    Schema {
        name: "TakenPage",
        meaning: "",
        fields: &[&[field("id", ID, ""), field("url", Text, ""), maybe("digest", Text, "Of the HTML.")]],
    },
    Schema { name: "Takedowns", meaning: "", fields: &[&[field("takedowns", List(&Named("Takedown")), "")]] },
    Schema {
        name: "Job",
        meaning: "Archives that are or were taken in.",
        fields: &[&[
            field("number", Count, "From 1 since the server was started."),
            field("archive", Text, "The file's or folder's name."),
            field("state", OneOf(&["running", "done", "cancelled", "failed"]), ""),
            field("is_cancelled", Flag, "Whether it was told to stop."),
            field("progress", Named("Progress"), ""),
            field("seconds", Number, "Since it began, or that it took."),
            maybe("seconds_left", Count, "By what was read."),
            maybe("report", Named("IngestReport"), "At the end."),
            maybe("message", Text, "Why it failed."),
        ]],
    },
    Schema {
        name: "Progress",
        meaning: "",
        fields: &[&[
            field("bytes_read", Count, ""),
            field("bytes_total", Count, ""),
            field("records", Count, ""),
            field("pages", Count, ""),
            field("failed", Count, "Records."),
        ]],
    },
    Schema {
        name: "IngestReport",
        meaning: "The end of an ingest.",
        fields: &[&[
            field("archives", Count, "Read, or gone on with."),
            field("archives_resumed", Count, "Of these, begun before."),
            field("archives_already_ingested", Count, "Passed over."),
            field("archives_moved", Count, "Of these, elsewhere now."),
            field("files_same", Count, "Names of files that the run had come to by another name."),
            field("same_messages", List(&Text), "The first of these."),
            field("removed", Count, "Pages whose HTML files are gone."),
            field("interrupted", Flag, ""),
            field("unreadable", List(&Text), "Files that are no archives."),
            field("records", Named("RecordSums"), ""),
            field("remarks", Count, "Records that were taken although something is wrong with them."),
            field("remark_messages", List(&Text), "The first of these."),
            field("messages", List(&Text), "The first about what failed."),
            field("messages_left_out", Count, ""),
            field("duration", Named("Duration"), ""),
        ]],
    },
    Schema { name: "Duration", meaning: "", fields: &[&[field("secs", Count, ""), field("nanos", Count, "")]] },
    Schema {
        name: "RecordSums",
        meaning: "Records by what became of them.",
        fields: &[&[
            field("indexed", Count, ""),
            field("replaced", Count, ""),
            field("duplicates", Count, ""),
            field("revisits", Count, ""),
            field("blocks", Count, "Of the pages."),
            field("skipped", Map(&Count), "By reason."),
            field("failed", Count, ""),
        ]],
    },
    Schema { name: "Jobs", meaning: "", fields: &[&[field("jobs", List(&Named("Job")), "The newest last.")]] },
    Schema {
        name: "Archives",
        meaning: "",
        fields: &[&[
            field("archives", List(&Named("Archive")), "By name."),
            field("archives_total", Count, ""),
            maybe("next_offset", Count, "Where the next answer begins; left out at the end."),
        ]],
    },
    Schema {
        name: "Archive",
        meaning: "An archive that was read.",
        fields: &[&[
            field("id", ID, ""),
            field("archive", Text, "The file's name."),
            field("finished", Flag, "Whether it was read to its end."),
            field("position_bytes", Count, ""),
            field("records", Count, ""),
            field("sums", Named("RecordSums"), ""),
        ]],
    },
    Schema {
        name: "Records",
        meaning: "",
        fields: &[&[
            field("records", List(&Named("Record")), ""),
            maybe("next_offset", Count, "Where the next answer begins; left out at the end."),
        ]],
    },
    Schema {
        name: "Record",
        meaning: "A record, and what became of it.",
        fields: &[&[
            field("archive_id", ID, ""),
            field("archive", Text, ""),
            field("ordinal", Count, ""),
            field("offset_bytes", Count, ""),
            maybe("record_id", Text, ""),
            field("state", STATES, ""),
            maybe("page_id", ID, "The page that it gave, or stands for."),
            maybe("reason", Text, "Why it was skipped, or what failed."),
            maybe("message", Text, ""),
        ]],
    },
    Schema {
        name: "Health",
        meaning: "",
        fields: &[&[
            field("status", OneOf(&["ok", "writer_stopped"]), ""),
            maybe("message", Text, "Why nothing can be taken in."),
            field("pages", Count, "Captures."),
            field("version", Text, ""),
        ]],
    },
    Schema {
        name: "Readiness",
        meaning: "",
        fields: &[&[
            field("status", OneOf(&["ready", "writer_stopped"]), ""),
            maybe("message", Text, "Why nothing can be taken in."),
        ]],
    },
];

const BLOCK_TYPES: &[&str] =
    &["heading", "paragraph", "list", "definitions", "code", "table", "quote", "formula", "figure", "rule", "footnote"];

const INLINE_TYPES: &[&str] = &[
    "text",
    "emphasis",
    "strong",
    "code",
    "link",
    "image",
    "deleted",
    "superscript",
    "subscript",
    "formula",
    "note",
    "line_break",
];
