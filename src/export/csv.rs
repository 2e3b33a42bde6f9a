//! Comma-separated values (RFC 4180) that a spreadsheet takes for what they are.

use lopper_collection::search::{BlockHit, PageHit};

/// The columns, a row a block.
const COLUMNS: [&str; 25] = [
    "rank",
    "page_id",
    "block_id",
    "url",
    "host",
    "title",
    "language",
    "page_type",
    "captured_at",
    "page_score",
    "block_score",
    "similarity",
    "block_language",
    "heading_path",
    "table_head",
    "text",
    "fragment_url",
    "archive",
    "offset_bytes",
    "record_id",
    "digest",
    "last_captured_at",
    "stood_at",
    "newer_captured_at",
    "replay_url",
];

/// Signs with which a spreadsheet lets a formula begin, also in the wide forms of East Asian keyboards; and those that it passes over before.
const FORMULA_SIGNS: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

/// A field of text. What a spreadsheet would take for a formula gets an apostrophe in front.
pub(crate) fn field(text: &str) -> String {
    let guard = if text.trim_start_matches(' ').starts_with(FORMULA_SIGNS) { "'" } else { "" };
    if guard.is_empty() && !text.contains(['"', ',', '\r', '\n']) && text.trim() == text {
        return text.to_owned();
    }
    format!("\"{guard}{}\"", text.replace('"', "\"\""))
}

/// The head line.
pub(super) fn head() -> Vec<u8> {
    (COLUMNS.join(",") + "\r\n").into_bytes()
}

/// The rows of a page.
pub(super) fn rows(page: &PageHit, rank: usize, part: &mut Vec<u8>) {
    for block in &page.blocks {
        let row = row(page, block, rank);
        debug_assert_eq!(row.len(), COLUMNS.len());
        part.extend_from_slice(row.join(",").as_bytes());
        part.extend_from_slice(b"\r\n");
    }
}

fn row(page: &PageHit, block: &BlockHit, rank: usize) -> [String; 25] {
    let given = |text: &Option<String>| text.as_deref().map(field).unwrap_or_default();
    let source = page.source.as_ref();
    [
        rank.to_string(),
        field(&page.page_id),
        field(&block.block_id),
        field(&page.url),
        field(&page.host),
        field(&page.title),
        field(&page.language),
        field(&page.page_type),
        given(&page.captured_at),
        page.score.to_string(),
        block.score.to_string(),
        block.similarity.to_string(),
        given(&block.block_language),
        field(&block.heading_path.join(" › ")),
        field(&block.table_head),
        field(&block.text),
        field(&block.locator.url),
        source.map(|source| field(&source.archive)).unwrap_or_default(),
        source.map(|source| source.offset_bytes.to_string()).unwrap_or_default(),
        source.map(|source| given(&source.record_id)).unwrap_or_default(),
        source.map(|source| given(&source.digest)).unwrap_or_default(),
        given(&page.last_captured_at),
        given(&page.stood_at),
        page.newer_capture.as_ref().map(|newer| given(&newer.captured_at)).unwrap_or_default(),
        given(&page.replay_url),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_as_they_were_and_are_no_formulas() {
        for (text, written) in [
            ("", ""),
            ("plain text", "plain text"),
            ("http://e.org/?a=1", "http://e.org/?a=1"),
            ("a,b", "\"a,b\""),
            ("say \"so\"", "\"say \"\"so\"\"\""),
            ("two\nlines", "\"two\nlines\""),
            (" around ", "\" around \""),
            ("=HYPERLINK(\"http://e.org\")", "\"'=HYPERLINK(\"\"http://e.org\"\")\""),
            ("+1", "\"'+1\""),
            ("-1+cmd|' /C calc'!A0", "\"'-1+cmd|' /C calc'!A0\""),
            ("@SUM(A1)", "\"'@SUM(A1)\""),
            ("\t=1", "\"'\t=1\""),
            ("  =1", "\"'  =1\""),
            ("\r\n=1", "\"'\r\n=1\""),
            ("＝1", "\"'＝1\""),
        ] {
            assert_eq!(field(text), written);
        }
    }
}
