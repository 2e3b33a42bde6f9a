//! The engines that the conformance suite is held against here.

use std::sync::Arc;

use lopper_index::engine::BlockEngineWriter;
use lopper_index::{BlockDocument, BlockEngine, BlockIndex, BlockSearcher, PageDocument, WriterOptions};
use tempfile::TempDir;

use crate::naive::NaiveEngine;

/// An engine under test with its writer.
pub(crate) struct Tested {
    pub(crate) name: &'static str,
    pub(crate) engine: Arc<dyn BlockEngine>,
    pub(crate) writer: Box<dyn BlockEngineWriter>,
    _dir: Option<TempDir>,
}

/// The engine inside and the naive one.
pub(crate) fn all() -> Vec<Tested> {
    vec![Tested::embedded(), Tested::naive()]
}

impl Tested {
    fn embedded() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let index = BlockIndex::create(dir.path()).unwrap();
        let writer = Box::new(index.writer(WriterOptions::default()).unwrap());
        Self { name: "embedded", engine: Arc::new(index), writer, _dir: Some(dir) }
    }

    fn naive() -> Self {
        let engine = NaiveEngine::default();
        Self { name: "naive", writer: Box::new(engine.writer()), engine: Arc::new(engine), _dir: None }
    }

    pub(crate) fn add(&mut self, pages: &[(PageDocument, Vec<BlockDocument>)]) {
        for (page, blocks) in pages {
            self.writer.add_page(page, blocks).unwrap();
        }
    }

    pub(crate) fn commit(&mut self, checkpoint: &str) -> BlockSearcher {
        self.writer.commit(checkpoint).unwrap();
        self.searcher()
    }

    pub(crate) fn searcher(&self) -> BlockSearcher {
        self.engine.refresh().unwrap();
        BlockSearcher::new(Arc::clone(&self.engine))
    }
}
