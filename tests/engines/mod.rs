//! A collection in the naive engine, to hold the engine inside against it. For the tests, and for `examples/engine_agreement.rs`.

#[path = "../../index/tests/integration/naive/mod.rs"]
pub(crate) mod naive;

use std::sync::Arc;

use lopper_collection::DataFolder;
use lopper_collection::documents::PageDocuments;
use lopper_index::BlockSearcher;
use lopper_index::engine::BlockEngineWriter;

use self::naive::NaiveEngine;

/// All pages of a collection in a naive engine.
pub(crate) fn naive_copy(collection: &DataFolder) -> BlockSearcher {
    let engine = NaiveEngine::default();
    let mut writer = engine.writer();
    for page in collection.store().pages() {
        let page = page.unwrap();
        let tree = collection.tree(page.id).unwrap().expect("a page has its tree");
        let documents = PageDocuments::of(&page, &tree, &collection.params());
        writer.add_page(&documents.page, &documents.blocks).unwrap();
    }
    writer.commit("copy").unwrap();
    BlockSearcher::new(Arc::new(engine))
}
