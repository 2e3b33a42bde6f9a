//! The indexes of a generation and their fields.

/// What a field is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FieldKind {
    /// One value, found and counted as it is.
    Word,
    /// Terms apart by blanks, found one by one; not given back.
    Terms {
        /// Whether their order counts.
        positions: bool,
    },
    /// A whole number, found by ranges and sorted by.
    Number,
    /// Given back, and nothing else.
    Kept,
}

/// An index.
#[derive(Debug)]
pub(crate) struct IndexLayout {
    /// The end of its name.
    pub(crate) part: &'static str,
    pub(crate) fields: &'static [(&'static str, FieldKind)],
}

const WORDS: FieldKind = FieldKind::Terms { positions: false };
const TEXT: FieldKind = FieldKind::Terms { positions: true };

/// Blocks, a document each.
pub(crate) static BLOCKS: IndexLayout = IndexLayout {
    part: "blocks",
    fields: &[
        // Sixteen hexadecimal digits that name the block here.
        ("handle", FieldKind::Word),
        ("page_id", FieldKind::Word),
        // The batch it was written in.
        ("batch", FieldKind::Number),
        // By the page's name, then by the place in it.
        ("block_order", FieldKind::Number),
        ("ordinal", FieldKind::Number),
        // Seconds since 1970; UNDATED where nobody knows.
        ("captured_at", FieldKind::Number),
        ("host", FieldKind::Word),
        ("lang", FieldKind::Word),
        ("page_type", FieldKind::Word),
        ("year", FieldKind::Word),
        // Its host and all domains above that; host and path, and each beginning of that.
        ("sites", WORDS),
        ("places", WORDS),
        // The terms of the joined text, and again those of its parts.
        ("terms", TEXT),
        ("title_terms", TEXT),
        ("heading_terms", TEXT),
        ("url_terms", TEXT),
        ("name_terms", WORDS),
        // Keys of links that lead to it: its own, and of a page's first block those of the page.
        ("targets", WORDS),
        // The block itself, as JSON.
        ("block", FieldKind::Kept),
    ],
};

/// Pages, a document each: what speaks for their blocks.
pub(crate) static PAGES: IndexLayout = IndexLayout {
    part: "pages",
    fields: &[
        ("page_id", FieldKind::Word),
        ("batch", FieldKind::Number),
        ("block_order", FieldKind::Number),
        ("terms", WORDS),
        ("page", FieldKind::Kept),
    ],
};

/// Commits, and bytes that callers keep by name.
pub(crate) static KEPT: IndexLayout = IndexLayout {
    part: "kept",
    fields: &[
        ("kind", FieldKind::Word),
        ("key", FieldKind::Word),
        ("batch", FieldKind::Number),
        ("block_order", FieldKind::Number),
        ("data", FieldKind::Kept),
    ],
};

pub(crate) static ALL: [&IndexLayout; 3] = [&BLOCKS, &PAGES, &KEPT];

/// Capture time of what has none: before all others.
pub(crate) const UNDATED: i64 = -(1 << 60);

/// Places of a page that are told apart in `block_order`.
const ORDINAL_BITS: u32 = 20;

/// The order of blocks by the names of their pages, then by their places, as one number that is not below zero.
pub(crate) fn block_order(page_order: u64, ordinal: u64) -> i64 {
    let page = page_order >> (ORDINAL_BITS + 1);
    (page << ORDINAL_BITS | ordinal.min((1 << ORDINAL_BITS) - 1)) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_in_the_order_of_pages_and_places() {
        let orders = [(0, 0), (0, 7), (0, u64::MAX), (1 << 21, 0), (u64::MAX, 0), (u64::MAX, 1)];
        let orders = orders.map(|(page, ordinal)| block_order(page, ordinal));
        assert!(orders.is_sorted() && orders[0] == 0, "{orders:?}");
    }
}
