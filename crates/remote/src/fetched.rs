//! Blocks and pages that came back, with their terms.

use lopper_analysis::Analyzer;
use lopper_index::{BlockDocument, BlockPart, BlockTerms, Layout, PageDocument, PagePart, PlacedTerm, TextField};

use crate::document::{KeptBlock, KeptPage, handle};
use crate::hits::Hit;

/// A text as its terms with their positions.
#[derive(Debug, Default)]
pub(crate) struct Terms {
    /// By term, then by position.
    placed: Vec<PlacedTerm>,
}

impl Terms {
    fn new(mut placed: Vec<PlacedTerm>) -> Self {
        placed.sort();
        Self { placed }
    }

    /// Where a term stands, in order.
    pub(crate) fn of(&self, term: &str) -> &[PlacedTerm] {
        let begin = self.placed.partition_point(|(own, _)| own.as_str() < term);
        let rest = &self.placed[begin..];
        &rest[..rest.partition_point(|(own, _)| own == term)]
    }

    pub(crate) fn positions(&self, term: &str) -> impl Iterator<Item = u32> {
        self.of(term).iter().map(|(_, position)| *position)
    }

    pub(crate) fn count(&self, term: &str) -> u32 {
        self.of(term).len() as u32
    }

    /// Number of terms.
    pub(crate) fn length(&self) -> u32 {
        self.placed.len() as u32
    }
}

/// A block.
#[derive(Debug)]
pub(crate) struct FetchedBlock {
    pub(crate) handle: u64,
    pub(crate) batch: u64,
    pub(crate) document: BlockDocument,
    /// Key of links to its page.
    pub(crate) page_key: Option<u64>,
    pub(crate) joined: Terms,
    title: Terms,
    headings: Terms,
    pub(crate) names: Terms,
    url: Terms,
    pub(crate) layout: Layout<{ BlockPart::COUNT }>,
}

impl FetchedBlock {
    pub(crate) fn text(&self, field: TextField) -> &Terms {
        match field {
            TextField::All => &self.joined,
            TextField::Title => &self.title,
            TextField::Headings => &self.headings,
            TextField::Url => &self.url,
        }
    }
}

/// A page.
#[derive(Debug)]
pub(crate) struct FetchedPage {
    pub(crate) batch: u64,
    pub(crate) document: PageDocument,
    /// Number of its blocks.
    pub(crate) blocks: u64,
    /// Terms of its joined text with their counts, by term.
    counts: Vec<(String, u32)>,
    /// Terms of its joined text.
    pub(crate) length: u32,
    pub(crate) head: Terms,
    pub(crate) head_layout: Layout<{ PagePart::COUNT }>,
}

impl FetchedPage {
    pub(crate) fn count(&self, term: &str) -> u32 {
        self.counts.binary_search_by(|(own, _)| own.as_str().cmp(term)).map_or(0, |place| self.counts[place].1)
    }
}

/// Reads what came back. Keep one a thread.
#[derive(Default)]
pub(crate) struct Reader {
    pub(crate) analyzer: Analyzer,
    terms: BlockTerms,
}

impl Reader {
    /// A block; `None` where the document holds none that is understood.
    pub(crate) fn block(&mut self, hit: &Hit) -> Option<FetchedBlock> {
        let KeptBlock { block: document, page_key } = serde_json::from_str(hit.text("block")).ok()?;
        self.terms.begin_page();
        self.terms.read_block(&mut self.analyzer, &document);
        let terms = &self.terms;
        Some(FetchedBlock {
            handle: handle(&document.block_id),
            batch: hit.batch(),
            page_key: Some(page_key).filter(|key| *key != 0),
            joined: Terms::new(terms.joined()),
            title: Terms::new(terms.title()),
            headings: Terms::new(terms.headings()),
            names: Terms::new(terms.names()),
            url: Terms::new(terms.url()),
            layout: *terms.layout(),
            document,
        })
    }

    /// A page, likewise.
    pub(crate) fn page(&mut self, hit: &Hit) -> Option<FetchedPage> {
        let KeptPage { page: document, blocks, counts } = serde_json::from_str(hit.text("page")).ok()?;
        self.terms.begin_page();
        self.terms.read_page(&mut self.analyzer, &document);
        let mut words = counts.split_ascii_whitespace();
        let mut counts = Vec::new();
        while let (Some(term), Some(count)) = (words.next(), words.next()) {
            counts.push((term.to_owned(), count.parse().ok()?));
        }
        counts.sort();
        let length = counts.iter().map(|(_, count)| *count).sum();
        let (head, head_layout) = (Terms::new(self.terms.joined()), *self.terms.head_layout());
        Some(FetchedPage { batch: hit.batch(), document, blocks, counts, length, head, head_layout })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_tell_their_places() {
        let placed = [("mill", 0), ("sail", 1), ("mill", 7), ("milling", 8)];
        let terms = Terms::new(placed.map(|(term, at)| (term.to_owned(), at)).into());
        assert_eq!(terms.positions("mill").collect::<Vec<_>>(), [0, 7]);
        assert_eq!((terms.count("sail"), terms.count("mil"), terms.count("zoo"), terms.length()), (1, 0, 0, 4));
    }
}
