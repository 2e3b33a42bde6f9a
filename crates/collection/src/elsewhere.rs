//! A collection whose blocks and pages are in an engine, read by whoever has its address.
//!
//! [`push`](crate::push) has put there what a page's view and a search need: of each page its row and its tree, the captures of its URL, and the
//! statistics of all. Nothing is kept on this side but the statistics, in memory.

use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use lopper_archive::page::PageId;
use lopper_content::pipeline::{ExtractParams, PageOutline, StoredTree};
use lopper_content::statistics::{CountLayer, StatisticsSnapshot};
use lopper_content::text::url::{canonical_or_written, forms_of};
use lopper_index::engine::{BlockEngine, BytesKeeper, EngineError};
use lopper_index::{BlockSearcher, FORMAT_VERSION};
#[cfg(doc)]
use lopper_store::Store;
use lopper_store::{Capture, Sequence, StoreStatistics, StoredPage};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use crate::{CollectionError, DataFolder};

/// Kinds of what is kept by name.
pub(crate) const PAGE: &str = "page";
pub(crate) const TREE: &str = "tree";
pub(crate) const CAPTURES: &str = "captures";
pub(crate) const LAYER: &str = "layer";
pub(crate) const VERSIONS: &str = "versions";

/// What the last commit of a push says of the collection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Pushed {
    pub(crate) sequence: Sequence,
    pub(crate) extract: ExtractParams,
    pub(crate) stats: StoreStatistics,
    pub(crate) epoch: u64,
    pub(crate) pages: u64,
    /// Epoch and name of each layer of the statistics, the oldest first.
    pub(crate) layers: Vec<(u64, String)>,
    /// Index format of the program that pushed; 0 of one that did not say it.
    #[serde(default)]
    pub(crate) format: u32,
}

impl Pushed {
    /// From a checkpoint; one of a push that was never ended says nothing.
    pub(crate) fn read(checkpoint: Option<&str>) -> Result<Option<Self>, EngineError> {
        let text = checkpoint.filter(|text| !text.is_empty());
        text.map(serde_json::from_str).transpose().map_err(EngineError::new)
    }
}

/// Where the collection is.
pub(crate) struct Elsewhere {
    engine: Arc<dyn BlockEngine>,
    keeper: Arc<dyn BytesKeeper>,
    current: RwLock<Arc<Current>>,
}

struct Current {
    checkpoint: Option<String>,
    pushed: Pushed,
    statistics: StatisticsSnapshot,
}

impl Elsewhere {
    pub(crate) fn new(engine: Arc<dyn BlockEngine>, keeper: Arc<dyn BytesKeeper>) -> Result<Self, CollectionError> {
        let current = RwLock::new(Arc::new(Current::read(&*keeper)?));
        Ok(Self { engine, keeper, current })
    }

    /// Goes on to the newest commit.
    pub(crate) fn refresh(&self) -> Result<(), CollectionError> {
        self.engine.refresh()?;
        if self.keeper.checkpoint() != self.current().checkpoint {
            let new = Arc::new(Current::read(&*self.keeper)?);
            *self.current.write().unwrap_or_else(PoisonError::into_inner) = new;
        }
        Ok(())
    }

    fn current(&self) -> Arc<Current> {
        Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn searcher(&self) -> BlockSearcher {
        BlockSearcher::new(Arc::clone(&self.engine))
    }

    pub(crate) fn params(&self) -> ExtractParams {
        self.current().pushed.extract
    }

    pub(crate) fn stats(&self) -> StoreStatistics {
        self.current().pushed.stats.clone()
    }

    pub(crate) fn statistics(&self) -> StatisticsSnapshot {
        self.current().statistics.clone()
    }

    pub(crate) fn page(&self, id: PageId) -> Result<Option<StoredPage>, CollectionError> {
        self.read(PAGE, &id.to_string())
    }

    pub(crate) fn tree_bytes(&self, id: PageId) -> Result<Option<Vec<u8>>, CollectionError> {
        Ok(self.keeper.kept(TREE, &id.to_string())?)
    }

    pub(crate) fn captures(&self, url: &str) -> Result<Vec<Capture>, CollectionError> {
        // They are kept under the forms that were captured, under each all of them.
        for form in forms_of(&canonical_or_written(url)) {
            if let Some(captures) = self.read(CAPTURES, &captures_key(&form))? {
                return Ok(captures);
            }
        }
        Ok(Vec::new())
    }

    fn read<T: DeserializeOwned>(&self, kind: &str, key: &str) -> Result<Option<T>, CollectionError> {
        let bytes = self.keeper.kept(kind, key)?;
        let read = bytes.map(|bytes| serde_json::from_slice(&bytes)).transpose();
        Ok(read.map_err(EngineError::new)?)
    }
}

impl Current {
    fn read(keeper: &dyn BytesKeeper) -> Result<Self, CollectionError> {
        let checkpoint = keeper.checkpoint();
        let Some(pushed) = Pushed::read(checkpoint.as_deref())? else { return Err(CollectionError::NotPushed) };
        if pushed.format != FORMAT_VERSION {
            let (found, own) = (pushed.format, FORMAT_VERSION);
            tracing::warn!(
                found,
                own,
                "the collection was pushed in another index format, so some words are not found: push into a new generation"
            );
        }
        let mut layers = Vec::with_capacity(pushed.layers.len());
        for (epoch, key) in &pushed.layers {
            let lost = || EngineError::new(format!("layer {key} of the statistics is not in the engine"));
            let bytes = keeper.kept(LAYER, key)?.ok_or_else(lost)?;
            layers.push(Arc::new(CountLayer::from_bytes(*epoch, &bytes).map_err(EngineError::new)?));
        }
        let statistics = StatisticsSnapshot::from_layers(pushed.epoch, pushed.pages, layers);
        Ok(Self { checkpoint, pushed, statistics })
    }
}

/// What is read of a collection, wherever it is.
impl DataFolder {
    /// A collection in an engine, where [`push`](crate::push) has put it. `scratch` is an empty folder, or one that was used so before; it stays
    /// empty but for what a server keeps of its own.
    ///
    /// # Errors
    ///
    /// [`CollectionError::Engine`], [`CollectionError::NotPushed`].
    pub fn open_elsewhere(
        scratch: &Path,
        engine: Arc<dyn BlockEngine>,
        keeper: Arc<dyn BytesKeeper>,
    ) -> Result<Self, CollectionError> {
        let elsewhere = Elsewhere::new(engine, keeper)?;
        drop(Self::open_to_write(scratch, ExtractParams::default())?);
        let mut folder = Self::open_to_read(scratch)?;
        folder.elsewhere = Some(elsewhere);
        Ok(folder)
    }

    /// Whether its pages and blocks are in an engine elsewhere.
    pub fn is_elsewhere(&self) -> bool {
        self.elsewhere.is_some()
    }

    /// Goes on to what is newest in the engine; nothing, where there is none.
    ///
    /// # Errors
    ///
    /// [`CollectionError::Engine`]; what was read before stays.
    pub fn refresh(&self) -> Result<(), CollectionError> {
        self.elsewhere.as_ref().map_or(Ok(()), Elsewhere::refresh)
    }

    /// A searcher of its blocks, wherever they are.
    pub fn searcher(&self) -> BlockSearcher {
        self.elsewhere.as_ref().map_or_else(|| self.index().searcher(), Elsewhere::searcher)
    }

    /// What is known of a page besides its tree; `None` when it is unknown.
    ///
    /// # Errors
    ///
    /// [`CollectionError::Store`], [`CollectionError::Engine`].
    pub fn page(&self, id: PageId) -> Result<Option<StoredPage>, CollectionError> {
        match &self.elsewhere {
            Some(elsewhere) => elsewhere.page(id),
            None => Ok(self.store().page(id)?),
        }
    }

    /// The stored tree of a page; `None` when the page is unknown.
    ///
    /// # Errors
    ///
    /// [`CollectionError::Store`], [`CollectionError::Tree`].
    pub fn tree(&self, page: PageId) -> Result<Option<StoredTree>, CollectionError> {
        let bytes = match &self.elsewhere {
            Some(elsewhere) => elsewhere.tree_bytes(page)?,
            None => self.store().tree_bytes(page)?,
        };
        bytes.map(|bytes| self.decoded(page, &bytes)).transpose()
    }

    /// What was said of the items of a page, without its text; `None` where the page is not there.
    ///
    /// # Errors
    ///
    /// As [`tree`](Self::tree).
    pub fn outline(&self, page: PageId) -> Result<Option<PageOutline>, CollectionError> {
        let bytes = match &self.elsewhere {
            Some(elsewhere) => elsewhere.tree_bytes(page)?,
            None => self.store().tree_start(page)?,
        };
        let outline = bytes.map(|bytes| StoredTree::decode_outline(&bytes)).transpose();
        outline.map_err(|source| CollectionError::Tree { data: self.store().data().to_owned(), page, source })
    }

    /// All captures of a URL: see [`Store::captures`].
    ///
    /// # Errors
    ///
    /// As [`page`](Self::page).
    pub fn captures(&self, url: &str) -> Result<Vec<Capture>, CollectionError> {
        match &self.elsewhere {
            Some(elsewhere) => elsewhere.captures(url),
            None => Ok(self.store().captures(url)?),
        }
    }

    /// The newest capture of a URL, whatever form of it is given, that is not later than `at`: its time, and the page that holds what was
    /// captured. Captures without a time are none. Of several at the same second it is the one of the last page by name.
    ///
    /// # Errors
    ///
    /// As [`page`](Self::page).
    pub fn capture_as_of(&self, url: &str, at: i64) -> Result<Option<(i64, PageId)>, CollectionError> {
        let mut newest = None;
        self.dated_captures(url, &mut |time, page| {
            newest = newest.max(Some((time, page)).filter(|_| time <= at));
            true
        })?;
        Ok(newest)
    }

    /// Shows `see` the dated captures of a URL: see [`Store::dated_captures`].
    ///
    /// # Errors
    ///
    /// As [`page`](Self::page).
    pub fn dated_captures(&self, url: &str, see: &mut dyn FnMut(i64, PageId) -> bool) -> Result<bool, CollectionError> {
        let Some(elsewhere) = &self.elsewhere else { return Ok(self.store().dated_captures(url, see)?) };
        let captures = elsewhere.captures(url)?.into_iter();
        let mut dated = captures.filter_map(|capture| Some((capture.captured_at?, capture.page)));
        Ok(dated.all(|(time, page)| see(time, page)))
    }

    /// The statistics of the collection.
    pub fn statistics(&self) -> StatisticsSnapshot {
        self.elsewhere.as_ref().map_or_else(|| self.store().snapshot(), Elsewhere::statistics)
    }

    /// The collection in numbers.
    pub fn stats(&self) -> StoreStatistics {
        self.elsewhere.as_ref().map_or_else(|| self.store().stats(), Elsewhere::stats)
    }
}

/// The name under which the captures of a URL are kept.
pub(crate) fn captures_key(url: &str) -> String {
    let canonical = canonical_or_written(url);
    format!("{:032x}", xxh3_128(canonical.as_bytes()))
}
