//! Many pages, on all cores: an iterator in, an iterator out, in order, in bounded memory.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyTuple};

use crate::error::LopperError;
use crate::html::OwnedHtml;
use crate::options::{Asked, Options};
use crate::told::tell;

/// Pages, for each thread, that are taken and not yet given back.
const PAGES_PER_THREAD_MAX: usize = 8;

/// Bytes of such pages; one page may be larger.
const BYTES_MAX: usize = 64 << 20;

/// Time between two looks whether Ctrl-C was pressed.
const LOOK_INTERVAL: Duration = Duration::from_millis(100);

struct Job {
    number: u64,
    html: OwnedHtml,
    url: String,
}

struct Done {
    number: u64,
    size_bytes: usize,
    told: Result<String, String>,
}

/// The iterator over what is extracted of an iterable's pages.
#[pyclass(module = "lopper._native")]
pub(crate) struct ExtractMany {
    pages: Py<PyIterator>,
    jobs: SyncSender<Job>,
    results: Mutex<Receiver<Done>>,
    threads: usize,
    /// What came before its turn.
    waiting: HashMap<u64, Done>,
    /// Pages taken from the iterable.
    taken: u64,
    /// Pages given back.
    given: u64,
    /// Bytes of the pages between the two.
    in_flight_bytes: usize,
    /// Whether the iterable has no more, or failed.
    is_exhausted: bool,
    /// Why the iterable ended early: told behind the pages before.
    failure: Option<PyErr>,
}

#[pymethods]
impl ExtractMany {
    #[new]
    fn new(pages: &Bound<'_, PyAny>, options: Asked, threads: Option<usize>) -> PyResult<Self> {
        let options = Options::try_from(options)?;
        let threads = match threads {
            Some(0) => return Err(PyValueError::new_err("threads is 0; it must be at least 1")),
            Some(threads) => threads,
            None => thread::available_parallelism().map_or(1, NonZeroUsize::get),
        };
        let pages = pages.try_iter()?.unbind();
        let (jobs, results) = start(threads, options)?;
        Ok(Self {
            pages,
            jobs,
            results: Mutex::new(results),
            threads,
            waiting: HashMap::new(),
            taken: 0,
            given: 0,
            in_flight_bytes: 0,
            is_exhausted: false,
            failure: None,
        })
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<String>> {
        self.take(py)?;
        if self.given == self.taken {
            return self.failure.take().map_or(Ok(None), Err);
        }
        let done = self.wait(py)?;
        self.given += 1;
        self.in_flight_bytes -= done.size_bytes;
        done.told.map(Some).map_err(|fault| LopperError::new_err(format!("page {}: {fault}", done.number)))
    }
}

impl ExtractMany {
    /// Takes pages until there are enough in flight. A slow iterable does not hold back what is done: some pages are taken for each that is
    /// given, and more only while the next one is not ready.
    fn take(&mut self, py: Python<'_>) -> PyResult<()> {
        let mut now_taken = 0;
        while !self.is_exhausted && !self.is_full() && (now_taken < self.threads || !self.is_next_ready()) {
            match self.pages.bind(py).clone().next() {
                None => self.is_exhausted = true,
                Some(page) => match page.and_then(|page| job(&page, self.taken)) {
                    Ok(job) => self.begin(job)?,
                    Err(error) => (self.failure, self.is_exhausted) = (Some(error), true),
                },
            }
            now_taken += 1;
        }
        Ok(())
    }

    fn is_full(&self) -> bool {
        let in_flight = self.taken - self.given;
        in_flight >= (self.threads * PAGES_PER_THREAD_MAX) as u64 || self.in_flight_bytes >= BYTES_MAX
    }

    fn is_next_ready(&mut self) -> bool {
        let results = self.results.get_mut().unwrap_or_else(PoisonError::into_inner);
        self.waiting.extend(results.try_iter().map(|done| (done.number, done)));
        self.waiting.contains_key(&self.given)
    }

    fn begin(&mut self, job: Job) -> PyResult<()> {
        self.in_flight_bytes += job.html.len();
        self.taken += 1;
        self.jobs.send(job).map_err(|_| stopped())
    }

    /// Waits for the next page in order. Ctrl-C is heard meanwhile.
    fn wait(&mut self, py: Python<'_>) -> PyResult<Done> {
        loop {
            if let Some(done) = self.waiting.remove(&self.given) {
                return Ok(done);
            }
            let results = &self.results;
            let received =
                py.detach(|| results.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(LOOK_INTERVAL));
            match received {
                Ok(done) => drop(self.waiting.insert(done.number, done)),
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
                Err(RecvTimeoutError::Disconnected) => return Err(stopped()),
            }
        }
    }
}

/// Starts threads that work until the sender is gone.
fn start(threads: usize, options: Options) -> PyResult<(SyncSender<Job>, Receiver<Done>)> {
    // As many as can be in flight, so that sending never waits.
    let (job_sender, jobs) = sync_channel::<Job>(threads * PAGES_PER_THREAD_MAX);
    let (result_sender, results) = sync_channel(threads * PAGES_PER_THREAD_MAX);
    let jobs = Arc::new(Mutex::new(jobs));
    for _ in 0..threads {
        let (jobs, results) = (Arc::clone(&jobs), result_sender.clone());
        thread::Builder::new().name("lopper-extract".to_owned()).spawn(move || work(&jobs, &results, &options))?;
    }
    Ok((job_sender, results))
}

fn work(jobs: &Mutex<Receiver<Job>>, results: &SyncSender<Done>, options: &Options) {
    loop {
        let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(Job { number, html, url }) = job else { return };
        let told = tell(&html.decoded(&url), &url, options);
        if results.send(Done { number, size_bytes: html.len(), told }).is_err() {
            return;
        }
    }
}

/// A page of the iterable: its HTML, or its HTML and URL.
fn job(page: &Bound<'_, PyAny>, number: u64) -> PyResult<Job> {
    let pair = |pair: &Bound<'_, PyTuple>| -> PyResult<Job> {
        let (html, url): (Bound<'_, PyAny>, Option<String>) = pair.extract()?;
        Ok(Job { number, html: OwnedHtml::of(&html)?, url: url.unwrap_or_default() })
    };
    let job = match page.cast::<PyTuple>() {
        Ok(tuple) => pair(tuple),
        Err(_) => OwnedHtml::of(page).map(|html| Job { number, html, url: String::new() }),
    };
    job.map_err(|error| {
        let message = format!("page {number} of the iterable: {error}; give `html` or `(html, url)`");
        PyTypeError::new_err(message)
    })
}

fn stopped() -> PyErr {
    LopperError::new_err("the threads that extract have stopped; please report this")
}
