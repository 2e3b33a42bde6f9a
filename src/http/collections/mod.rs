//! Several collections behind one server: each a data folder of its own, opened when it is asked for and closed when it is idle.
//!
//! What bounds the work of requests is shared by all: the places of searches and of posts, the bodies that are received, the keys. What a
//! collection keeps in memory is bounded by how many are open at the same time, who share what one alone would have.

mod places;
mod select;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use actix_web::web;
use lopper_collection::search::{SearchEngine, read_weights};
use lopper_collection::{CollectionError, DataFolder, Memory};
use lopper_content::pipeline::ExtractParams;
use lopper_index::{IndexError, RankingWeights};
use lopper_store::StoreError;
pub(super) use places::{NewCollection, Place};
pub(super) use select::{select, selected, split};

use super::error::{ApiError, ErrorCode};
use super::handover::Handover;
use super::job_run;
use super::parameters::shortened;
use super::state::State;

/// The name of the collection that a server begins with.
pub(super) const DEFAULT: &str = "default";

/// Characters of a name.
const NAME_CHARS_MAX: usize = 64;

/// Time that a collection has to let go of its folder after it was closed.
const RELEASE_MAX: Duration = Duration::from_secs(10);

/// Time between two looks for what is idle.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);

/// The collections of a server.
pub(super) struct Collections {
    first: web::Data<State>,
    known: Mutex<BTreeMap<String, Entry>>,
    /// Held while one is opened: one at a time.
    opening: Mutex<()>,
}

/// A collection, open or not.
struct Entry {
    place: Place,
    state: Option<Arc<State>>,
    /// Where ingests of others can be handed over, while it is open and can be written.
    handover: Option<Handover>,
    /// Of one that was closed and is still in use.
    closing: Weak<State>,
    closed_at: Option<Instant>,
    used_at: Instant,
}

impl Entry {
    fn new(place: Place) -> Self {
        Self { place, state: None, handover: None, closing: Weak::new(), closed_at: None, used_at: Instant::now() }
    }

    /// Whether no request and no job has it.
    fn is_idle(&self) -> bool {
        self.state.as_ref().is_some_and(|state| Arc::strong_count(state) == 1)
    }

    fn open(&mut self, state: Arc<State>) {
        self.handover = state.collection().is_writable().then(|| Handover::listen(&state)).flatten();
        self.state = Some(state);
        self.used_at = Instant::now();
    }

    /// Gives what is to be dropped where that keeps nobody waiting: it waits for an ingest that was handed over a moment ago.
    fn close(&mut self) -> Option<(Option<Handover>, Arc<State>)> {
        let handover = self.handover.take().inspect(Handover::close);
        let state = self.state.take()?;
        self.closing = Arc::downgrade(&state);
        self.closed_at = Some(Instant::now());
        Some((handover, state))
    }
}

/// A collection, as it is told.
#[derive(Debug, PartialEq, serde::Serialize)]
pub(super) struct Told {
    pub(super) name: String,
    /// Whether it is open: others open when they are asked for.
    pub(super) is_open: bool,
    /// Captures; of those that are open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) pages: Option<u64>,
}

impl Told {
    fn new(name: &str, state: Option<&State>) -> Self {
        let pages = state.map(|state| state.collection().stats().distinct_pages);
        Self { name: name.to_owned(), is_open: state.is_some(), pages }
    }
}

impl Collections {
    /// The collection that the server was started with, those of the settings, and those that were made before.
    pub(super) fn new(first: web::Data<State>) -> Arc<Self> {
        let options = first.options();
        let mut places = places::made_before(first.collection().store().data());
        for (name, settings) in &options.collections {
            let data = settings.data.clone().unwrap_or_else(|| places::folder(&first.collection(), name));
            let place = Place {
                data,
                extract: settings.extract,
                weights: settings.weights.clone(),
                own_weights: None,
                is_made: false,
            };
            places.insert(name.clone(), place);
        }
        let known = places.into_iter().map(|(name, place)| (name, Entry::new(place))).collect();
        let collections = Arc::new(Self { first, known: Mutex::new(known), opening: Mutex::default() });
        let watched = Arc::downgrade(&collections);
        thread::spawn(move || {
            while let Some(collections) = watched.upgrade() {
                collections.close_idle();
                drop(collections);
                thread::sleep(LOOK_INTERVAL);
            }
        });
        collections
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Entry>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All of them, the first one first.
    pub(super) fn list(&self) -> Vec<Told> {
        let known = self.lock();
        let others = known.iter().map(|(name, entry)| Told::new(name, entry.state.as_deref()));
        std::iter::once(Told::new(DEFAULT, Some(&self.first))).chain(others).collect()
    }

    /// The names of all, the first one's first.
    pub(super) fn names(&self) -> Vec<String> {
        std::iter::once(DEFAULT.to_owned()).chain(self.lock().keys().cloned()).collect()
    }

    /// The collection, if it is open; an error where there is none of that name.
    pub(super) fn open_already(&self, name: &str) -> Result<Option<web::Data<State>>, ApiError> {
        if name == DEFAULT {
            return Ok(Some(self.first.clone()));
        }
        let mut known = self.lock();
        let entry = known.get_mut(name).ok_or_else(|| missing(name))?;
        entry.used_at = Instant::now();
        if let (None, Some(state)) = (&entry.state, entry.closing.upgrade()) {
            entry.open(state);
        }
        Ok(entry.state.clone().map(web::Data::from))
    }

    /// The collection, opened where it is not. Takes its time, as opening does.
    pub(super) fn open(&self, name: &str) -> Result<web::Data<State>, ApiError> {
        let _one = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(state) = self.open_already(name)? {
            return Ok(state);
        }
        let (place, closed_at) = self.make_room(name)?;
        let state = Arc::new(self.opened(&place, closed_at)?);
        if let Some(entry) = self.lock().get_mut(name) {
            entry.open(Arc::clone(&state));
        }
        tracing::info!(collection = name, "opened");
        let state = web::Data::from(state);
        job_run::go_on(&state);
        Ok(state)
    }

    /// Closes what was used longest ago until one more may be open. Gives the place of the one that is to be opened,
    /// and when it was closed.
    fn make_room(&self, name: &str) -> Result<(Place, Option<Instant>), ApiError> {
        let max = self.first.options().collections_open_max;
        let mut closed = Vec::new();
        let mut known = self.lock();
        while known.values().filter(|entry| entry.state.is_some()).count() >= max {
            let oldest = known.values_mut().filter(|entry| entry.is_idle()).min_by_key(|entry| entry.used_at);
            let Some(oldest) = oldest else {
                let message = format!("{max} collections are in use; try again in a moment");
                return Err(ApiError::new(ErrorCode::Busy, message));
            };
            closed.extend(oldest.close());
        }
        let place = known.get(name).map(|entry| (entry.place.clone(), entry.closed_at));
        drop(known);
        place.ok_or_else(|| missing(name))
    }

    fn opened(&self, place: &Place, closed_at: Option<Instant>) -> Result<State, ApiError> {
        let folder = Arc::new(self.folder(place, closed_at)?);
        let mut engine = SearchEngine::new(folder)?;
        if let Some(weights) = place.weights().map_err(|error| ApiError::internal(&error))? {
            engine = engine.with_weights(weights);
        }
        Ok(self.first.beside(engine))
    }

    /// Opens the folder. One that was closed here a moment ago is waited for; one that another process has is not, since others wait
    /// behind this.
    fn folder(&self, place: &Place, closed_at: Option<Instant>) -> Result<DataFolder, ApiError> {
        let is_being_released = || closed_at.is_some_and(|at| at.elapsed() < RELEASE_MAX);
        loop {
            let opened = if self.first.collection().is_writable() {
                DataFolder::open_to_write_within(&place.data, place.extract, self.memory())
            } else {
                DataFolder::open_to_read(&place.data)
            };
            match opened {
                Err(error) if is_in_use(&error) && is_being_released() => {
                    thread::sleep(Duration::from_millis(20));
                }
                Err(error) if is_in_use(&error) => {
                    let message = "another process has this collection open; try again when it has ended";
                    return Err(ApiError::new(ErrorCode::Busy, message));
                }
                opened => return Ok(opened?),
            }
        }
    }

    /// What each may keep in memory, so that all that are open keep no more than one alone would.
    fn memory(&self) -> Memory {
        let share = self.first.options().collections_open_max.max(1);
        let whole = Memory::default();
        Memory { cache_bytes: whole.cache_bytes / share as u64, writer_bytes: whole.writer_bytes / share }
    }

    fn close_idle(&self) {
        let idle_max = self.first.options().collections_idle_max;
        let mut known = self.lock();
        let idle = known.iter_mut().filter(|(_, entry)| entry.is_idle() && entry.used_at.elapsed() >= idle_max);
        let closed: Vec<_> = idle.map(|(name, entry)| (name.clone(), entry.close())).collect();
        drop(known);
        for (collection, state) in closed {
            drop(state);
            tracing::info!(collection, "closed, since nobody asked for it");
        }
    }

    /// Makes a collection.
    pub(super) fn make(&self, wanted: &NewCollection) -> Result<Told, ApiError> {
        if !self.first.collection().is_writable() {
            return Err(ApiError::read_only());
        }
        check_name(&wanted.name)?;
        let _one = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        if self.lock().contains_key(&wanted.name) {
            let message = format!("there is a collection `{}` already", wanted.name);
            return Err(ApiError::new(ErrorCode::CollectionExists, message));
        }
        let place = places::make(&self.first.collection(), wanted).map_err(|error| ApiError::internal(&error))?;
        self.lock().insert(wanted.name.clone(), Entry::new(place));
        Ok(Told::new(&wanted.name, None))
    }

    /// Removes a collection that was [made](Self::make), with all that is in it. One that is at work is left alone.
    pub(super) fn remove(&self, name: &str) -> Result<(), ApiError> {
        if !self.first.collection().is_writable() {
            return Err(ApiError::read_only());
        }
        let _one = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        let (place, closing) = self.closed_for_good(name)?;
        let asked_at = Instant::now();
        while closing.upgrade().is_some() {
            if asked_at.elapsed() > RELEASE_MAX {
                return Err(at_work(name));
            }
            thread::sleep(Duration::from_millis(20));
        }
        places::remove(&place).map_err(|error| ApiError::internal(&error))?;
        self.lock().remove(name);
        tracing::info!(collection = name, "removed");
        Ok(())
    }

    /// Closes a collection that was made and that nobody uses. It is opened by nobody while the caller holds `opening`.
    fn closed_for_good(&self, name: &str) -> Result<(Place, Weak<State>), ApiError> {
        if name == DEFAULT {
            let message = "`default` is the collection of the server itself: it is not removed";
            return Err(ApiError::new(ErrorCode::CollectionKept, message));
        }
        let mut known = self.lock();
        let entry = known.get_mut(name).ok_or_else(|| missing(name))?;
        if !entry.place.is_made {
            let message = format!("the settings name the collection `{name}`: take it out of them");
            return Err(ApiError::new(ErrorCode::CollectionKept, message));
        }
        if entry.state.is_some() && !entry.is_idle() {
            return Err(at_work(name));
        }
        let closed = entry.close();
        let found = (entry.place.clone(), entry.closing.clone());
        drop(known);
        drop(closed);
        Ok(found)
    }

    /// Tells the jobs of all to stop, and waits until they have committed what they read.
    pub(super) fn stop(&self) {
        let mut known = self.lock();
        let handovers: Vec<_> = known.values_mut().filter_map(|entry| entry.handover.take()).collect();
        let open: Vec<Arc<State>> = known.values().filter_map(|entry| entry.state.clone()).collect();
        drop(known);
        // Waits for their runs, which commit what they read.
        drop(handovers);
        for state in &open {
            state.jobs().stop();
        }
    }
}

impl Place {
    fn weights(&self) -> Result<Option<RankingWeights>, lopper_collection::search::WeightsError> {
        match (&self.own_weights, &self.weights) {
            (Some(weights), _) => Ok(Some(weights.clone())),
            (None, Some(file)) => read_weights(file).map(Some),
            (None, None) => Ok(None),
        }
    }
}

/// Whether somebody has the folder: of one that is being closed, the index is let go of after the store.
fn is_in_use(error: &CollectionError) -> bool {
    matches!(
        error,
        CollectionError::Store(StoreError::DataInUse { .. }) | CollectionError::Index(IndexError::Locked { .. })
    )
}

fn at_work(name: &str) -> ApiError {
    ApiError::new(ErrorCode::Busy, format!("the collection `{name}` is in use; try again in a moment"))
}

fn missing(name: &str) -> ApiError {
    let message = format!("there is no collection `{}`: `GET /v1/collections` lists them", shortened(name));
    ApiError::new(ErrorCode::CollectionNotFound, message)
}

/// Whether a collection can be called so: a name that is good for a folder and an address.
pub(crate) fn is_name(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-' || byte == b'_';
    let begins_well = name.as_bytes().first().is_some_and(u8::is_ascii_alphanumeric);
    name.len() <= NAME_CHARS_MAX && begins_well && name.bytes().all(is_plain)
}

fn check_name(name: &str) -> Result<(), ApiError> {
    if name == DEFAULT {
        return Err(ApiError::new(ErrorCode::CollectionExists, "`default` is the collection of the server itself"));
    }
    let message =
        "a collection's name has up to 64 letters a to z, digits, `-` and `_`, and begins with a letter or digit";
    is_name(name).then_some(()).ok_or_else(|| ApiError::new(ErrorCode::BadParameter, message))
}

/// A collection of the settings.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CollectionSettings {
    /// Its data folder. Default: a folder of its name in that of the server.
    pub data: Option<PathBuf>,
    /// Parameters of the extraction, for a new folder.
    pub extract: ExtractParams,
    /// Weights of the ranking, a file.
    pub weights: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_good_for_folders_and_addresses() {
        for name in ["a", "news-2024", "0_x"] {
            assert!(is_name(name), "{name}");
        }
        for name in ["", ".", "..", "a/b", "A", "-a", "_a", "ä", "a b", "a.json", &"a".repeat(65)] {
            assert!(!is_name(name), "{name}");
        }
    }
}
