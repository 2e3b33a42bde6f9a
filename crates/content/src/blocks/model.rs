//! The hand-over from pruned trees to the index.

use std::fmt;

use crate::PageId;
use crate::cst::NodeId;

/// A block's stable identity: 128 bits of hash over its page's identity and its block path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(pub u128);

impl BlockId {
    /// The identity of the block at `path` of a page.
    pub fn of(page: PageId, path: &str) -> Self {
        Self(xxhash_rust::xxh3::xxh3_128(format!("{page}/{path}").as_bytes()))
    }
}

impl fmt::Display for BlockId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// A link of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockLink {
    /// Where it leads, as the page has it.
    pub href: String,
    /// Its text.
    pub text: String,
}

/// A passage of a page: consecutive surviving runs under one heading.
#[derive(Debug, Clone, PartialEq)]
pub struct MainBlock {
    /// Place in the page's list of main blocks, from 0.
    pub ordinal: u32,
    /// Block path of the first run's HtmlItem, `:`, and the run's place among the item's own runs; where the block begins within a run, `+` and
    /// the place among its pieces.
    pub path: String,
    /// CSS selector of the first run's HtmlItem.
    pub css_path: String,
    /// The name that links can lead to nearest before the first run: that of an element around it, or of the heading above it.
    pub anchor: Option<String>,
    /// Ids of the elements that open in the block, at or nearest above one of its runs: what it defines.
    pub names: Vec<String>,
    /// Names in the block that links can lead to, of elements that are no HtmlItems or hold nothing: few of them say anything.
    pub places: Vec<String>,
    /// The first run's HtmlItem.
    pub item: NodeId,
    /// Where it begins within a table, below the rows that head its columns: these, a row a line, written as in `text`. Else empty.
    pub table_head: String,
    /// Texts of the headings above, outermost first; a heading in the block itself is the last one.
    pub heading_path: Vec<String>,
    /// The first line of the text, of a table the first cell.
    pub lead: String,
    /// The texts of its runs, or of their pieces, one a line; cells of a table's row that are no more than a run each on one line, apart
    /// by [`CELL_BORDER`](lopper_analysis::CELL_BORDER).
    pub text: String,
    /// Which of its lines and cells ([`parts_of`](super::parts_of)) is the first whose beginning stands nowhere before the block on the page.
    pub landmark: Option<u32>,
    /// Anchor texts of the block's links, one a line.
    pub link_text: String,
    /// The block's links with a target.
    pub links: Vec<BlockLink>,
    /// Alternative texts and titles of the block's images, one a line.
    pub image_text: String,
    /// The language that the elements of all its runs declare, or what is around them below the body, as ISO 639-1 code.
    pub language: Option<&'static str>,
    /// Cosine similarity to the query that the page was pruned by, in [0, 1].
    pub similarity: f32,
    /// Sum of the content weights of its nodes.
    pub weight: f32,
    /// Length of its vector of term frequencies, `sqrt(Σ tf_i²)`.
    pub norm: f32,
    /// Mean probability of being content, in [0, 1]; 1 where no judge was asked.
    pub content: f32,
}
