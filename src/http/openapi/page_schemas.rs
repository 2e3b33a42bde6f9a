//! Answers of pages and of their blocks.

use super::search_schemas::{BLOCK, CAPTURED, ID, JUDGED, LAST_CAPTURED, NEWER, PAGE_TYPES, REPLAY, TEXTS};
use super::shape::Shape::{Count, Either, Flag, List, Named, Number, OneOf, OrNull, Share, Text, Time};
use super::shape::{Field, Schema, field, maybe};

const CAPTURE: &[Field] = &[
    field("captured_at", OrNull(&Time), CAPTURED),
    field("page_id", ID, "The page that holds what was captured."),
    field("kind", OneOf(&["page", "duplicate", "revisit"]), ""),
    field("archive", Text, "The file's name."),
    field("offset_bytes", Count, ""),
    maybe("replay_url", Text, REPLAY),
];

pub(super) const SCHEMAS: &[Schema] = &[
    Schema {
        name: "Citation",
        meaning: "What others need to find a block again.",
        fields: &[&[
            field("block_id", ID, ""),
            field("page_id", ID, ""),
            field("url", Text, ""),
            field("title", Text, ""),
            field("captured_at", OrNull(&Time), CAPTURED),
            maybe("last_captured_at", Time, LAST_CAPTURED),
            maybe("newer_capture", Named("NewerCapture"), NEWER),
            field("source", Named("PageSource"), ""),
            field("quote", Text, "The block's text, to the letter."),
            field("locator", Named("Locator"), ""),
            maybe("replay_url", Text, REPLAY),
            field("verification", OneOf(&["verified", "differs", "not_at_hand"]), "Whether the quote is there."),
            maybe("checked_in", Text, "Where."),
        ]],
    },
    Schema {
        name: "Page",
        meaning: "A page and its blocks.",
        fields: &[&[
            field("page_id", ID, ""),
            field("url", Text, ""),
            field("canonical_url", Text, ""),
            field("host", Text, ""),
            field("title", Text, ""),
            field("description", Text, ""),
            field("language", OrNull(&Text), "ISO 639-1 code."),
            field("page_type", OrNull(&PAGE_TYPES), ""),
            field("captured_at", OrNull(&Time), CAPTURED),
            maybe("last_captured_at", Time, LAST_CAPTURED),
            maybe("newer_capture", Named("NewerCapture"), NEWER),
            field("status", Count, "Of HTTP."),
            field("charset", Text, ""),
            field("source", Named("PageSource"), ""),
            maybe("replay_url", Text, REPLAY),
            field("html_bytes", Count, ""),
            field("runs", Count, "Texts of the page."),
            field("main_blocks", Count, ""),
            field("blocks", List(&Named("PageBlock")), "In page order."),
        ]],
    },
    Schema {
        name: "PageBlock",
        meaning: "A block of a page; `similarity` is to the page's topic.",
        fields: &[BLOCK, &[field("link_text", Text, ""), field("image_text", Text, ""), field("weight", Number, "")]],
    },
    Schema {
        name: "Pages",
        meaning: "Pages in the order that they were asked for.",
        fields: &[&[field("pages", List(&Either(&[Named("Page"), Named("MissingPage")])), "")]],
    },
    Schema {
        name: "MissingPage",
        meaning: "A page that is not there.",
        fields: &[&[field("page_id", Text, "As it was asked for."), field("error", Named("Error"), "")]],
    },
    Schema {
        name: "Captures",
        meaning: "The captures of a URL, the oldest first.",
        fields: &[&[
            field("url", Text, ""),
            field("captures", List(&Named("Capture")), ""),
            field("captures_left_out", Count, "Older ones than these."),
        ]],
    },
    Schema { name: "Capture", meaning: "", fields: &[CAPTURE] },
    Schema {
        name: "BlockCaptures",
        meaning: "Which captures hold a block, and from when to when.",
        fields: &[&[
            field("block_id", ID, ""),
            field("url", Text, ""),
            field("is_complete", Flag, "Whether all captures were looked at."),
            field("spans", List(&Named("Span")), "By time, the oldest first."),
            field("captures", List(&Named("BlockCapture")), ""),
            field("captures_left_out", Count, ""),
        ]],
    },
    Schema {
        name: "BlockCapture",
        meaning: "",
        fields: &[
            CAPTURE,
            &[field(
                "holds",
                OneOf(&["block", "text", "no", "unknown"]),
                "How it has the block; `unknown` where the time was spent.",
            )],
        ],
    },
    Schema {
        name: "Span",
        meaning: "Captures in a row that hold the block.",
        fields: &[&[
            field("from", Time, ""),
            field("to", Time, ""),
            field("captures", Count, ""),
            maybe("gone_by", Time, "Of the next capture, which does not hold it."),
        ]],
    },
    Schema {
        name: "Tree",
        meaning: "What pruning made of a page.",
        fields: &[&[
            field("page_id", ID, ""),
            field("rule", Text, ""),
            field("topic", Text, "What the page was pruned by."),
            field("profile", Text, "Which elements are blocks."),
            maybe("judge", Text, "Who judged what is content."),
            field("is_truncated", Flag, "Whether a limit cut the page short."),
            field("nodes", List(&Named("TreeNode")), "In document order."),
            field("nodes_left_out", Count, ""),
        ]],
    },
    Schema {
        name: "TreeNode",
        meaning: "An element; its children follow it and are one deeper.",
        fields: &[
            JUDGED,
            &[
                field("depth", Count, "0 for the root."),
                field("css_path", Text, ""),
                field("best_similarity", Number, "Among its siblings."),
                field("template_score", Number, "Share of its site's pages that hold it."),
                field("survives", Flag, "Whether it and every block around it stayed."),
                field("runs", TEXTS, "Its own texts."),
                maybe("judgements", List(&Named("RunJudgement")), "Of these texts, in their order."),
                field("runs_left_out", Count, ""),
                field("contents", Named("Contents"), "Its own content nodes."),
            ],
        ],
    },
    Schema {
        name: "RunJudgement",
        meaning: "",
        fields: &[&[
            field("probability", Share, "Of being content."),
            field("content", Flag, ""),
            field("comment", Flag, "A reader's comment."),
            field("survives", Flag, "Whether it is in the index."),
            maybe("reasons", List(&Named("RunReason")), ""),
        ]],
    },
    Schema {
        name: "Contents",
        meaning: "",
        fields: &[&[field("texts", Count, ""), field("links", Count, ""), field("images", Count, "")]],
    },
];
