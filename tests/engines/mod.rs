//! A collection in the naive engine, to hold the engine inside against it. For the tests, and for `examples/engine_agreement.rs`.

#[path = "../../index/tests/integration/naive/mod.rs"]
pub(crate) mod naive;

use std::sync::Arc;

use lopper_collection::documents::{PageFacts, page_documents};
use lopper_collection::ingest::Collection;
use lopper_content::pipeline::LinkResolver;
use lopper_index::BlockSearcher;
use lopper_index::engine::BlockEngineWriter;

use self::naive::NaiveEngine;

/// All pages of a collection in a naive engine.
pub(crate) fn naive_copy(collection: &Collection) -> BlockSearcher {
    let engine = NaiveEngine::default();
    let mut writer = engine.writer();
    for page in collection.store().pages() {
        let page = page.unwrap();
        let tree = collection.tree(page.id).unwrap();
        let blocks = tree.map(|tree| tree.blocks(&collection.params())).unwrap_or_default();
        let documents = page_documents(&PageFacts::from(&page), blocks, &mut LinkResolver::new(&page.url));
        writer.add_page(&documents.page, &documents.blocks).unwrap();
    }
    writer.commit("copy").unwrap();
    BlockSearcher::new(Arc::new(engine))
}
