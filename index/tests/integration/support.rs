//! Blocks and indexes to test with.

use lopper_index::{BlockDocument, BlockIndex, BlockSearcher, BlockWriter, WriterOptions};
use tempfile::TempDir;

pub(crate) fn page_id(page: u32) -> String {
    format!("{page:016x}{:016x}", u64::MAX)
}

pub(crate) fn block(page: u32, ordinal: u32, language: &str, body: &str) -> BlockDocument {
    BlockDocument {
        block_id: format!("{}:{ordinal}", page_id(page)),
        page_id: page_id(page),
        url: format!("https://example.org/{page}"),
        host: "example.org".to_owned(),
        body: body.to_owned(),
        language: language.into(),
        ordinal,
        ..BlockDocument::default()
    }
}

/// An index in a directory of its own, with its writer.
pub(crate) struct TestIndex {
    pub(crate) dir: TempDir,
    pub(crate) index: BlockIndex,
    pub(crate) writer: BlockWriter,
}

impl TestIndex {
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let index = BlockIndex::create(dir.path()).unwrap();
        let writer = index.writer(WriterOptions::default()).unwrap();
        Self { dir, index, writer }
    }

    /// An index of blocks already committed.
    pub(crate) fn of(blocks: &[BlockDocument]) -> Self {
        let mut test = Self::new();
        for block in blocks {
            test.writer.add(block).unwrap();
        }
        test.writer.commit("test").unwrap();
        test
    }

    pub(crate) fn searcher(&self) -> BlockSearcher {
        let searcher = self.index.searcher();
        searcher.reload().unwrap();
        searcher
    }
}
