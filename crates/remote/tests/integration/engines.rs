//! The engines that the conformance suite is held against here: the one inside, the stand-in in both dialects, and a live one.

use std::env;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use lopper_engine_fake::{FakeEngine, Kind};
use lopper_index::engine::BlockEngineWriter;
use lopper_index::{BlockDocument, BlockEngine, BlockIndex, BlockSearcher, PageDocument, WriterOptions};
use lopper_remote::{EngineKind, RemoteEngine, RemoteSettings};
use tempfile::TempDir;

/// An engine under test with its writer.
pub(crate) struct Tested {
    pub(crate) name: &'static str,
    pub(crate) engine: Arc<dyn BlockEngine>,
    pub(crate) writer: Box<dyn BlockEngineWriter>,
    _dir: Option<TempDir>,
    _fake: Option<FakeEngine>,
    _live: Option<Live>,
}

/// A generation in a live engine, which goes with its test.
struct Live(RemoteSettings);

/// Both dialects of the stand-in.
pub(crate) const KINDS: [(Kind, EngineKind); 2] =
    [(Kind::Quickwit, EngineKind::Quickwit), (Kind::Elasticsearch, EngineKind::Elasticsearch)];

pub(crate) fn all() -> Vec<Tested> {
    let fakes = KINDS.map(|(kind, own)| {
        let fake = FakeEngine::start(kind);
        // So that pages and blocks are in several splits.
        fake.set_split_documents(3);
        let settings = RemoteSettings::new(own, fake.url(), "tests");
        Tested { _fake: Some(fake), ..Tested::remote(own.name(), settings) }
    });
    let mut all = vec![Tested::embedded()];
    all.extend(fakes);
    all.extend(live());
    all
}

/// The engine that the environment names; `LOPPER_TEST_ENGINE_KIND` says what it is.
fn live() -> Option<Tested> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let Ok(url) = env::var("LOPPER_TEST_ENGINE_URL") else {
        eprintln!("SKIPPED: no live engine is tested; LOPPER_TEST_ENGINE_URL names one");
        return None;
    };
    let kind = env::var("LOPPER_TEST_ENGINE_KIND").unwrap_or_else(|_| "quickwit".to_owned());
    let mut settings = RemoteSettings::new(kind.parse().expect("LOPPER_TEST_ENGINE_KIND"), &url, "lopper-tests");
    settings.generation = format!("{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
    let tested = Tested::remote("live", settings.clone());
    Some(Tested { _live: Some(Live(settings)), ..tested })
}

impl Tested {
    fn embedded() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let index = BlockIndex::create(dir.path()).unwrap();
        let writer = Box::new(index.writer(WriterOptions::default()).unwrap());
        Self { name: "embedded", engine: Arc::new(index), writer, _dir: Some(dir), _fake: None, _live: None }
    }

    fn remote(name: &'static str, settings: RemoteSettings) -> Self {
        let engine = RemoteEngine::open_or_create(settings).unwrap();
        let writer = Box::new(engine.writer().unwrap());
        Self { name, engine: Arc::new(engine), writer, _dir: None, _fake: None, _live: None }
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

impl Drop for Live {
    fn drop(&mut self) {
        let _ = RemoteEngine::drop_generation(self.0.clone());
    }
}
