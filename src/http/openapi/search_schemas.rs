//! Answers of searches and of pages.

use super::shape::Shape::{Count, Either, Flag, Like, List, Named, Number, OneOf, OrNull, Share, Text, Time};
use super::shape::{Field, Schema, Shape, field, maybe};

/// An id of a page or block.
pub(in crate::http) const ID: Shape = Like("^[0-9a-fA-F]{32}$");

pub(super) const TEXTS: Shape = List(&Text);
const LANGUAGE: &str = "ISO 639-1 code; `und` where it is not known.";
pub(super) const CAPTURED: &str = "Capture time.";
pub(super) const LAST_CAPTURED: &str =
    "When the address last gave the same HTML, where that is later; not with `as_of`.";
pub(super) const NEWER: &str = "The newest capture, where it is later and gave other HTML; not with `as_of`.";
pub(super) const REPLAY: &str = "Where a replay shows the capture.";
const SIMILARITY: &str = "Cosine, from 0 to 1.";
const ORDINAL: &str = "Place among the page's blocks, from 0.";
const HEADINGS: &str = "Headings above, outermost first.";
pub(super) const PAGE_TYPES: Shape =
    OneOf(&["article", "documentation", "service", "forum", "listing", "collection", "product"]);
const REASONS: Shape = OneOf(&[
    "root",
    "only_child",
    "part",
    "best",
    "above_share",
    "keep_all",
    "not_best",
    "below_share",
    "noise",
    "not_noise",
    "template",
    "not_content",
    "content",
]);

const SUMMED: &[Field] = &[
    field("total_blocks", Count, "Blocks that match."),
    field("total_is_exact", Flag, "Whether that is exact, or at least so many match."),
    field("is_complete", Flag, "Whether the search came to its end."),
    field("notes", List(&Named("QueryNote")), "How the query was understood."),
];

/// A page that a search found.
const HIT: &[Field] = &[
    field("page_id", ID, ""),
    field("url", Text, "As the archive has it."),
    maybe("canonical_url", Text, "Where it differs."),
    field("host", Text, ""),
    field("title", Text, ""),
    field("language", Text, LANGUAGE),
    maybe("page_type", PAGE_TYPES, "Left out where none was told."),
    maybe("captured_at", Time, CAPTURED),
    maybe("last_captured_at", Time, LAST_CAPTURED),
    maybe("stood_at", Time, "With `as_of`: the newest capture that is not later."),
    maybe("source", Named("PageSource"), ""),
    maybe("replay_url", Text, REPLAY),
    field("score", Number, "Comparable within one answer."),
    field("blocks", List(&Named("BlockHit")), "The best ones, best first."),
    maybe("newer_capture", Named("NewerCapture"), NEWER),
    maybe("captures", Named("OtherHits"), "Other captures of the page that match."),
    maybe("similar", Named("OtherHits"), "Hits with nearly the same text."),
    maybe("pruned", Named("PrunedPage"), "With `prune`."),
    maybe("explanation", Named("PageExplanation"), "With `explain`."),
];

/// Why a block stayed with `prune=focus`.
const FOCUS_REASONS: Shape = OneOf(&["answers", "has_words", "linked", "beside"]);

pub(super) const JUDGED: &[Field] = &[
    field("path", Text, "Places among siblings from the root down."),
    field("tag", Text, ""),
    field("similarity", Number, SIMILARITY),
    maybe("content", Share, "Mean probability of being content."),
    field("kept", Flag, "Whether it stayed beside its siblings."),
    field("reason_code", OrNull(&REASONS), "Why."),
    field("reason", Text, "Why, in words."),
];

/// Parts of a page that is told whole.
pub(super) const BLOCK_LANGUAGE: &str = "Its language, where that is another than the page's: ISO 639-1 code.";
pub(super) const TABLE_HEAD: &str = "Of a part of a table: the rows that head its columns.";

pub(super) const BLOCK: &[Field] = &[
    field("block_id", ID, ""),
    field("ordinal", Count, ORDINAL),
    field("heading_path", TEXTS, HEADINGS),
    field("lead", Text, "The first line."),
    maybe("block_language", Text, BLOCK_LANGUAGE),
    maybe("table_head", Text, TABLE_HEAD),
    field("text", Text, ""),
    field("similarity", Number, SIMILARITY),
    field("locator", Named("Locator"), ""),
];

pub(super) const SCHEMAS: &[Schema] = &[
    Schema {
        name: "SearchResponse",
        meaning: "Pages, best first, each with its best blocks.",
        fields: &[
            SUMMED,
            &[
                field("query", Text, "As it was given."),
                maybe("coverage", Share, "How far the answer is to be trusted; left out where it is not known."),
                field("offset", Count, "Pages passed over."),
                maybe("next_offset", Count, "Where the next answer begins; left out at the end."),
                maybe("next_cursor", Text, "The same, whatever is committed meanwhile."),
                maybe("facets", Named("Facets"), "With `facets`."),
                maybe("explanation", Named("QueryExplanation"), "With `explain`."),
                field("pages", List(&Named("PageHit")), ""),
                field("duration_ms", Number, "Milliseconds of the search."),
            ],
        ],
    },
    Schema { name: "PageHit", meaning: "A page with its best blocks.", fields: &[HIT] },
    Schema {
        name: "BlockHit",
        meaning: "A block that answers.",
        fields: &[
            BLOCK,
            &[
                field("score", Number, "Comparable within one answer."),
                field("snippet", Named("Snippet"), ""),
                field("passage", Text, "The part of the text that answers."),
                maybe("missing_words", TEXTS, "Words of the query that it lacks and the collection has."),
                maybe("explanation", Named("BlockExplanation"), "With `explain`."),
            ],
        ],
    },
    Schema {
        name: "Snippet",
        meaning: "Up to three places of a text, apart by `…`.",
        fields: &[&[field("text", Text, ""), field("highlights", List(&Named("ByteRange")), "Ranges of its UTF-8.")]],
    },
    Schema {
        name: "ByteRange",
        meaning: "",
        fields: &[&[field("start", Count, ""), field("end", Count, "Of the byte behind.")]],
    },
    Schema {
        name: "Locator",
        meaning: "Where a block stands.",
        fields: &[&[
            field("url", Text, "The page's, with a text fragment."),
            field("css_path", Text, ""),
            maybe("anchor", Text, "The nearest anchor above."),
            field("block_path", Text, "Of the content structure tree."),
        ]],
    },
    Schema {
        name: "PageSource",
        meaning: "The record that a page was read from.",
        fields: &[&[
            field("archive", Text, "The file's name."),
            field("offset_bytes", Count, ""),
            field("record_id", OrNull(&Text), ""),
            field("digest", OrNull(&Text), "Of the HTML."),
        ]],
    },
    Schema {
        name: "NewerCapture",
        meaning: "A later capture of an address, which gave other HTML.",
        fields: &[&[field("page_id", ID, ""), maybe("captured_at", Time, CAPTURED)]],
    },
    Schema {
        name: "OtherHits",
        meaning: "Hits that another one stands for.",
        fields: &[&[field("count", Count, ""), field("blocks", List(&Named("OtherBlock")), "The best 20.")]],
    },
    Schema {
        name: "OtherBlock",
        meaning: "",
        fields: &[&[
            field("block_id", ID, ""),
            field("page_id", ID, ""),
            field("url", Text, ""),
            maybe("captured_at", Time, CAPTURED),
            field("score", Number, ""),
        ]],
    },
    Schema {
        name: "Facets",
        meaning: "Counts over all that matches.",
        fields: &[&[
            field("is_exact", Flag, ""),
            field("host", Named("Facet"), ""),
            field("language", Named("Facet"), ""),
            field("year", Named("Facet"), ""),
            field("type", Named("Facet"), ""),
        ]],
    },
    Schema {
        name: "Facet",
        meaning: "",
        fields: &[&[
            field("values", List(&Named("FacetValue")), "The most frequent ten."),
            field("values_total", Count, "All values that there are."),
            field("other_blocks", Count, "Blocks of the others."),
        ]],
    },
    Schema { name: "FacetValue", meaning: "", fields: &[&[field("value", Text, ""), field("blocks", Count, "")]] },
    Schema {
        name: "QueryExplanation",
        meaning: "What was ranked by.",
        fields: &[&[
            field("ranking", Text, ""),
            field("sort", Text, ""),
            field("words", List(&Named("QueryWord")), ""),
        ]],
    },
    Schema {
        name: "QueryWord",
        meaning: "A word that ranks.",
        fields: &[&[
            field("surface", Text, "As it was written or corrected."),
            field("weight", Number, ""),
            field("idf", Number, "Over blocks."),
            field("page_idf", Number, "Over pages."),
            field("forms", List(&Named("WordForm")), "The terms that it is looked up by."),
        ]],
    },
    Schema {
        name: "WordForm",
        meaning: "",
        fields: &[&[
            field("term", Text, ""),
            field("languages", TEXTS, "That it is the stem in; none for all."),
            field("factor", Number, "What it counts."),
            field("is_further", Flag, "Another spelling, a part of a name, or a compound."),
        ]],
    },
    Schema {
        name: "PageExplanation",
        meaning: "How a page's score is made.",
        fields: &[&[field("documents", Text, ""), field("blocks", List(&Named("BlockShare")), "")]],
    },
    Schema {
        name: "BlockShare",
        meaning: "",
        fields: &[&[
            field("ordinal", Count, ORDINAL),
            field("score", Number, ""),
            field("share", Number, ""),
            field("contribution", Number, "To the page's score."),
        ]],
    },
    Schema {
        name: "BlockExplanation",
        meaning: "How a block's score is made.",
        fields: &[&[
            field("parts", List(&Named("FeatureScore")), "The contributions add up to the score."),
            field("fields", List(&Named("FieldCounts")), ""),
            maybe("content", Share, "Mean probability of being content."),
            maybe("content_reasons", List(&Named("RunReason")), ""),
            field("survival", List(&Named("Floor")), "The elements from the root down to the block's own."),
        ]],
    },
    Schema {
        name: "FeatureScore",
        meaning: "",
        fields: &[&[
            field("name", Text, ""),
            field("evidence", Number, ""),
            field("weight", Number, ""),
            field("contribution", Number, ""),
        ]],
    },
    Schema {
        name: "FieldCounts",
        meaning: "",
        fields: &[&[
            field("field", Text, ""),
            field("length", Number, "In words."),
            field("counts", List(&Number), "Of the words, in their order."),
        ]],
    },
    Schema {
        name: "RunReason",
        meaning: "What spoke for or against a run.",
        fields: &[&[
            field("feature", Text, ""),
            field("value", Number, ""),
            field("contribution", Number, "To the log-odds of being content."),
        ]],
    },
    Schema {
        name: "Floor",
        meaning: "An element as it was judged, and its siblings.",
        fields: &[JUDGED, &[field("siblings", List(&Named("Judged")), ""), field("siblings_left_out", Count, "")]],
    },
    Schema { name: "Judged", meaning: "An element as it was judged.", fields: &[JUDGED] },
    Schema {
        name: "PrunedPage",
        meaning: "A page pruned by the query.",
        fields: &[&[
            field("rule", Text, ""),
            field("words", Text, "What it was pruned by."),
            field("blocks", List(&Named("PrunedBlock")), "Those that stay, in page order."),
            field("eliminated", Count, "Elements."),
            field("dropped_words", Count, ""),
        ]],
    },
    Schema {
        name: "PrunedBlock",
        meaning: "",
        fields: &[&[
            field("ordinal", Count, ""),
            field("block_path", Text, ""),
            field("css_path", Text, ""),
            field("heading_path", TEXTS, HEADINGS),
            field("text", Text, ""),
            field("similarity", Number, SIMILARITY),
            field("reason_code", Either(&[REASONS, FOCUS_REASONS]), ""),
            field("reason", Text, ""),
        ]],
    },
    Schema {
        name: "Suggestions",
        meaning: "How a query could go on.",
        fields: &[&[
            field("query", Text, ""),
            field("queries", TEXTS, "With the last word completed."),
            field("titles", List(&Named("TitleSuggestion")), "Of pages that have all of its words."),
        ]],
    },
    Schema {
        name: "TitleSuggestion",
        meaning: "",
        fields: &[&[field("title", Text, ""), field("page_id", ID, ""), field("host", Text, "")]],
    },
    Schema { name: "Collections", meaning: "", fields: &[&[field("collections", List(&Named("Collection")), "")]] },
    Schema {
        name: "Collection",
        meaning: "",
        fields: &[&[
            field("name", Text, ""),
            field("is_open", Flag, "Others open when they are asked for."),
            maybe("pages", Count, "Captures, of those that are open."),
        ]],
    },
    Schema {
        name: "MergedResponse",
        meaning: "Pages of several collections, by their places.",
        fields: &[&[
            field("query", Text, ""),
            field("collections", List(&Named("CollectionPart")), ""),
            field("is_complete", Flag, ""),
            field("offset", Count, ""),
            maybe("next_offset", Count, ""),
            field("pages", List(&Named("CollectionHit")), ""),
        ]],
    },
    Schema { name: "CollectionPart", meaning: "", fields: &[SUMMED, &[field("name", Text, "")]] },
    Schema {
        name: "CollectionHit",
        meaning: "",
        fields: &[
            HIT,
            &[
                field("collection", Text, ""),
                field("place", Count, "In its collection's answer, from 1."),
                field("place_score", Number, "1 / (60 + place)."),
            ],
        ],
    },
];
