//! The engine as a whole.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use lopper_index::engine::{BlockEngine, BlockEngineWriter, BlockSnapshot, BytesKeeper, Capabilities, EngineError};
use lopper_index::{BlockDocument, Budget, PageDocument, WriterError};
use serde_json::json;

use crate::bulk::BYTES_MAX;
use crate::client::{Answer, Asked, Client, message, refused};
use crate::commits::Log;
use crate::error::RemoteError;
use crate::keep;
use crate::layout::ALL;
use crate::settings::RemoteSettings;
use crate::snapshot::{RemoteSnapshot, State};
use crate::writer::RemoteWriter;

/// One generation of a collection in an engine.
pub struct RemoteEngine {
    client: Client,
    location: PathBuf,
    state: RwLock<Arc<State>>,
}

/// What a check found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// What the engine says that it is.
    pub engine: String,
    /// Milliseconds from the first document to its commit.
    pub commit_ms: u64,
    /// Milliseconds of a search.
    pub search_ms: u64,
}

impl std::fmt::Debug for RemoteEngine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RemoteEngine").field("location", &self.location).finish_non_exhaustive()
    }
}

impl RemoteEngine {
    /// Reads a generation that is there.
    ///
    /// # Errors
    /// [`RemoteError`], also for an engine of another kind, and where there is no such generation.
    pub fn open(settings: RemoteSettings) -> Result<Self, RemoteError> {
        let client = Client::new(settings);
        probe(&client)?;
        Self::of(client)
    }

    /// Makes the generation where it is not there.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_or_create(settings: RemoteSettings) -> Result<Self, RemoteError> {
        let client = Client::new(settings);
        probe(&client)?;
        create(&client)?;
        Self::of(client)
    }

    fn of(client: Client) -> Result<Self, RemoteError> {
        let mut log = Log::default();
        keep::read_commits(&client, &mut log)?;
        let state = RwLock::new(Arc::new(State::new(client.clone(), log)));
        Ok(Self { location: client.settings.location(), client, state })
    }

    /// A writer. Let there be one at a time: of two whose commits the engine shows at the same moment both may succeed, and then what one
    /// of them committed is not found. One that commits later than that fails.
    ///
    /// # Errors
    /// [`RemoteError`].
    pub fn writer(&self) -> Result<RemoteWriter, RemoteError> {
        RemoteWriter::new(self.client.clone())
    }

    /// The number of the commit that is read, from 1; 0 where there is none.
    pub fn commit(&self) -> u64 {
        self.state().log.place
    }

    /// Drops the generation, with all that is in it.
    ///
    /// # Errors
    /// [`RemoteError`].
    pub fn drop_generation(settings: RemoteSettings) -> Result<(), RemoteError> {
        let client = Client::new(settings);
        let dialect = client.settings.kind.dialect();
        for layout in ALL {
            let path = (dialect.drop)(&client.settings.index(layout.part));
            let Answer { url, status, body } = client.ask("DELETE", &path, &Asked::Nothing)?;
            if status >= 300 && status != 404 {
                return Err(refused(url, status, &body));
            }
        }
        Ok(())
    }

    /// Writes a block into a generation of its own, finds it, deletes it, and drops the generation.
    ///
    /// # Errors
    /// What does not work, as [`EngineError`].
    pub fn check(settings: &RemoteSettings) -> Result<Check, EngineError> {
        let generation = format!("check-{:08x}", crate::client::random() as u32);
        let settings = RemoteSettings { generation, ..settings.clone() };
        let name = probe(&Client::new(settings.clone()))?;
        let checked =
            Self::open_or_create(settings.clone()).map_err(EngineError::from).and_then(|own| own.round_trip(name));
        let dropped = Self::drop_generation(settings);
        let check = checked?;
        dropped?;
        Ok(check)
    }

    fn round_trip(&self, engine: String) -> Result<Check, EngineError> {
        let page_id = format!("{:032x}", 1);
        let block = BlockDocument {
            block_id: format!("{page_id}:0"),
            page_id: page_id.clone(),
            body: "probe".to_owned(),
            ..BlockDocument::default()
        };
        let page = PageDocument { page_id: page_id.clone(), ..PageDocument::default() };
        let mut writer = self.writer()?;
        let begun = std::time::Instant::now();
        let written = |error: WriterError| EngineError::new(error);
        writer.add_page(&page, &[block]).map_err(written)?;
        writer.commit("check").map_err(written)?;
        let commit_ms = begun.elapsed().as_millis() as u64;
        self.refresh()?;
        let begun = std::time::Instant::now();
        let found = RemoteSnapshot(self.state()).any_with("probe", 1)?;
        let search_ms = begun.elapsed().as_millis() as u64;
        writer.delete_page(&page_id).map_err(written)?;
        writer.commit("check").map_err(written)?;
        self.refresh()?;
        let left = RemoteSnapshot(self.state()).any_with("probe", 1)?;
        if (found, left) != (1, 0) {
            return Err(EngineError::new(format!("a block was written: {found} found; it was deleted: {left} found")));
        }
        Ok(Check { engine, commit_ms, search_ms })
    }

    fn state(&self) -> Arc<State> {
        Arc::clone(&self.state.read().unwrap_or_else(PoisonError::into_inner))
    }
}

/// What an engine is; an error where it is not what was said.
fn probe(client: &Client) -> Result<String, RemoteError> {
    let dialect = client.settings.kind.dialect();
    let path = format!("{}/", dialect.base);
    let answer = client.ask("GET", &path, &Asked::Nothing)?;
    let version = &answer.body["version"];
    let (distribution, number) =
        (version["distribution"].as_str().unwrap_or_default(), version["number"].as_str().unwrap_or_default());
    let is_there = (200..300).contains(&answer.status);
    let name = if is_there {
        format!("{} {number}", if distribution.is_empty() { "an engine" } else { distribution })
    } else {
        format!("{} ({})", answer.status, message(&answer.body))
    };
    if is_there && (client.settings.force || (dialect.is_known)(distribution, number)) {
        return Ok(name);
    }
    let (url, wanted) = (client.settings.url.clone(), dialect.wanted.to_owned());
    Err(RemoteError::OtherEngine { url, found: name, wanted })
}

/// Makes the indexes that are not there.
fn create(client: &Client) -> Result<(), RemoteError> {
    let dialect = client.settings.kind.dialect();
    for layout in ALL {
        let index = client.settings.index(layout.part);
        let (method, path) = dialect.create;
        let Answer { url, status, body } =
            client.ask(method, &path(&index), &Asked::json(&(dialect.definition)(&index, layout)))?;
        let is_there = status == 400 && body.to_string().contains("already");
        if !is_there && !(200..300).contains(&status) {
            return Err(refused(url, status, &body));
        }
    }
    // What was just made can be asked after a moment.
    let ready = json!({"match_all": {}});
    ALL.iter().try_for_each(|layout| client.count(&client.settings.index(layout.part), &ready).map(drop))
}

impl BlockEngine for RemoteEngine {
    fn capabilities(&self) -> Capabilities {
        let mut capabilities = Capabilities::ALL;
        capabilities.has_term_patterns = false;
        capabilities.has_global_frequencies = false;
        capabilities.batch_bytes_max = BYTES_MAX;
        capabilities
    }

    fn location(&self) -> &Path {
        &self.location
    }

    fn snapshot(&self) -> Result<Arc<dyn BlockSnapshot>, EngineError> {
        Ok(Arc::new(RemoteSnapshot(self.state())))
    }

    fn snapshot_within(&self, budget: &Budget) -> Result<Arc<dyn BlockSnapshot>, EngineError> {
        Ok(Arc::new(RemoteSnapshot(Arc::new(self.state().within(budget)))))
    }

    fn refresh(&self) -> Result<(), EngineError> {
        let state = self.state();
        let newer = keep::commits_behind(&self.client, state.log.last)?;
        if newer.is_empty() {
            return Ok(());
        }
        let mut log = Log::clone(&state.log);
        log.extend(newer);
        if log.last != state.log.last {
            *self.state.write().unwrap_or_else(PoisonError::into_inner) =
                Arc::new(State::new(self.client.clone(), log));
        }
        Ok(())
    }
}

impl BytesKeeper for RemoteEngine {
    fn kept(&self, kind: &str, key: &str) -> Result<Option<Vec<u8>>, EngineError> {
        Ok(keep::read(&self.client, &self.state().log, kind, key)?)
    }

    fn checkpoint(&self) -> Option<String> {
        self.state().log.checkpoint.clone()
    }
}
