//! A collection in a folder. Answers go to Python as JSON; `python/lopper/collection.py` gives them types.

use std::path::PathBuf;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use lopper_archive::page::PageId;
use lopper_collection::ingest::{Bodies, IngestOptions, Interrupt};
use lopper_collection::search::{AllBlocks, SearchRequest};
use lopper_collection::{Collection, Error, Selection};
use lopper_content::limits::Limits;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde::Serialize;

use crate::error::{LopperError, folder_error, told};
use crate::submission::Submission;

/// Time between two looks whether Ctrl-C was pressed.
const LOOK_INTERVAL: Duration = Duration::from_millis(100);

/// An open collection; `None` when it was closed.
#[pyclass(module = "lopper._native", name = "Collection", frozen)]
pub(crate) struct OpenCollection {
    data: PathBuf,
    open: Mutex<Option<Arc<Collection>>>,
}

#[pymethods]
impl OpenCollection {
    #[new]
    fn new(py: Python<'_>, data: PathBuf, read_only: bool) -> PyResult<Self> {
        let opened = py.detach(|| if read_only { Collection::open_to_read(&data) } else { Collection::open(&data) });
        let open = opened.map_err(|error| folder_error(&error))?;
        Ok(Self { data, open: Mutex::new(Some(Arc::new(open))) })
    }

    /// Lets go of the folder, when what runs in other threads has ended.
    fn close(&self, py: Python<'_>) {
        let closed = self.open.lock().unwrap_or_else(PoisonError::into_inner).take();
        py.detach(|| drop(closed));
    }

    fn ingest(&self, py: Python<'_>, paths: Vec<PathBuf>, bodies: &str, again: bool) -> PyResult<String> {
        let bodies = match bodies {
            "keep" => Bodies::Keep,
            "refer" => Bodies::Refer,
            "none" => Bodies::None,
            other => {
                let message = format!("bodies cannot be `{other}`: use `keep`, `refer` or `none`");
                return Err(PyValueError::new_err(message));
            }
        };
        let interrupt = Interrupt::default();
        let options = IngestOptions { bodies, again, interrupt: interrupt.clone(), ..IngestOptions::default() };
        let run = self.run(py, Some(&interrupt), move |collection| collection.ingest(&paths, &options));
        json(&run?.map_err(|error| told(&error))?)
    }

    /// Takes pages in; gives their stored form, or why one is kept out.
    fn add(&self, py: Python<'_>, pages: Vec<Submission>) -> PyResult<String> {
        let limits = Limits::default();
        let pages = py.detach(|| pages.into_iter().map(|page| page.into_page(&limits)).collect::<Result<Vec<_>, _>>());
        let pages = pages.map_err(LopperError::new_err)?;
        let added = self.run(py, None, move |collection| collection.add(&pages, &limits))?;
        let added: Result<Vec<_>, _> = added.map_err(|error| told(&error))?.into_iter().collect();
        json(&added.map_err(|error| told(&error))?.into_iter().map(Added::from).collect::<Vec<_>>())
    }

    fn search(&self, py: Python<'_>, request: &str) -> PyResult<String> {
        let request: SearchRequest =
            serde_json::from_str(request).map_err(|error| PyValueError::new_err(error.to_string()))?;
        let answer = self.run(py, None, move |collection| collection.search(&request))?;
        json(&answer.map_err(|error| told(&error))?)
    }

    fn page(&self, py: Python<'_>, page_id: &str) -> PyResult<Option<String>> {
        let id = self::page_id(page_id)?;
        let page = self.run(py, None, move |collection| collection.page(id))?;
        page.map_err(|error| told(&error))?.map(|page| json(&page)).transpose()
    }

    /// What goes through all blocks, those of a page at a time.
    fn blocks(&self, py: Python<'_>, host: Option<String>) -> PyResult<StoredBlocks> {
        let collection = self.collection()?;
        let all = self.run(py, None, move |collection| Ok(AllBlocks::new(collection.engine(), host.as_deref())?))?;
        let all = all.map_err(|error| told(&error))?;
        Ok(StoredBlocks { collection, all: Mutex::new(all) })
    }

    fn cite(&self, py: Python<'_>, block_id: String) -> PyResult<Option<String>> {
        let cited = self.run(py, None, move |collection| collection.cite(&block_id, &Limits::default()))?;
        cited.map_err(|error| told(&error))?.map(|citation| json(&citation)).transpose()
    }

    /// Deletes by one of the ways to say what; counts alone with `dry_run`.
    fn delete(&self, py: Python<'_>, by: &str, value: String, note: Option<String>, dry_run: bool) -> PyResult<String> {
        let selection = match by {
            "page_id" => Selection::Page(page_id(&value)?),
            "url" => Selection::Url(value),
            "url_prefix" => Selection::UrlPrefix(value),
            "host" => Selection::Host(value),
            "archive" => Selection::Archive(value.into()),
            _ => Selection::Query(value),
        };
        let report = self.run(py, None, move |collection| {
            if dry_run { collection.count_deletion(&selection) } else { collection.delete(&selection, note) }
        });
        json(&report?.map_err(|error| told(&error))?)
    }

    fn takedowns(&self) -> PyResult<String> {
        json(&self.collection()?.takedowns())
    }

    fn lift_takedown(&self, py: Python<'_>, number: u64) -> PyResult<bool> {
        self.run(py, None, move |collection| collection.lift_takedown(number))?.map_err(|error| told(&error))
    }
}

impl OpenCollection {
    fn collection(&self) -> PyResult<Arc<Collection>> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner).clone();
        open.ok_or_else(|| LopperError::new_err(format!("the collection {} was closed", self.data.display())))
    }

    /// Runs `work` in a thread of its own, so that Ctrl-C is heard. What can be interrupted ends early and keeps what it has; other work goes
    /// on to its end unheard.
    fn run<T: Send + 'static>(
        &self,
        py: Python<'_>,
        interrupt: Option<&Interrupt>,
        work: impl FnOnce(&Collection) -> Result<T, Error> + Send + 'static,
    ) -> PyResult<Result<T, Error>> {
        let collection = self.collection()?;
        let (sender, receiver) = sync_channel(1);
        thread::Builder::new().name("lopper-collection".to_owned()).spawn(move || {
            let done = work(&collection);
            // The folder is let go of before the caller goes on.
            drop(collection);
            drop(sender.send(done));
        })?;
        let receiver = Mutex::new(receiver);
        let mut heard = Ok(());
        loop {
            let received =
                py.detach(|| receiver.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(LOOK_INTERVAL));
            match received {
                Ok(done) => return heard.map(|()| done),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(LopperError::new_err("a fault of the program stopped this; please report it"));
                }
                Err(RecvTimeoutError::Timeout) if heard.is_err() => {}
                Err(RecvTimeoutError::Timeout) => {
                    heard = py.check_signals();
                    match (interrupt, &heard) {
                        (Some(interrupt), Err(_)) => drop(interrupt.ask()),
                        (None, Err(_)) => return Err(heard.expect_err("it was just looked at")),
                        _ => {}
                    }
                }
            }
        }
    }
}

/// All blocks, those of a page at a time.
#[pyclass(module = "lopper._native", frozen)]
pub(crate) struct StoredBlocks {
    collection: Arc<Collection>,
    all: Mutex<AllBlocks>,
}

#[pymethods]
impl StoredBlocks {
    fn __iter__(own: PyRef<'_, Self>) -> PyRef<'_, Self> {
        own
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let next = py.detach(|| {
            let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
            all.next_page(self.collection.engine()).map_err(Error::from)
        });
        next.map_err(|error| told(&error))?.map(|blocks| json(&blocks)).transpose()
    }
}

/// A page that was taken in.
#[derive(Serialize)]
struct Added {
    page_id: String,
    url: String,
    title: String,
    language: Option<String>,
    blocks: u32,
}

impl From<lopper_store::StoredPage> for Added {
    fn from(page: lopper_store::StoredPage) -> Self {
        let (page_id, blocks) = (page.id.to_string(), page.main_blocks);
        Self { page_id, url: page.url, title: page.title, language: page.language, blocks }
    }
}

fn page_id(text: &str) -> PyResult<PageId> {
    let message = format!("`{text}` is no page id: it has 32 hexadecimal digits");
    text.parse().map_err(|_| PyValueError::new_err(message))
}

fn json(value: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|error| LopperError::new_err(error.to_string()))
}
