//! The stages of an ingest, timed apart, in one thread.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use lopper_archive::page::{self, Page, PageOutcome};
use lopper_archive::paths::expand;
use lopper_content::limits::Limits;
use lopper_content::pipeline::{PageAnalyser, Stage};
use lopper_index::PageEncoder;
use lopper_store::{ArchiveKey, RecordPlace};
use serde::Serialize;

use super::{Bodies, IngestError, PageBundle};
use crate::DataFolder;
use crate::disk::bytes_of;
use crate::open_commit::OpenCommit;

/// Pages of a commit.
const BATCH_PAGES: u64 = 2000;

/// Names of the stages, in their order.
const NAMES: [&str; 11] =
    ["read", "decode", "parse", "tree", "judge", "weigh", "prune", "blocks", "documents", "index", "store"];

const DOCUMENTS: usize = 8;
const INDEX: usize = 9;
const STORE: usize = 10;

fn place(stage: Stage) -> usize {
    match stage {
        Stage::Parse => 2,
        Stage::Tree => 3,
        Stage::Judge => 4,
        Stage::Weigh => 5,
        Stage::Prune => 6,
        Stage::Blocks => 7,
    }
}

/// What each stage of an ingest took.
#[derive(Debug, Clone, Serialize)]
pub struct StageReport {
    /// Pages that were indexed.
    pub pages: u64,
    /// Their HTML, in bytes.
    pub html_bytes: u64,
    /// The archives, in bytes.
    pub archive_bytes: u64,
    /// Processor time of the whole, with the threads of the index's engine; wall time where the system does not tell it.
    pub cpu_seconds: f64,
    /// Wall time of the whole.
    pub wall_seconds: f64,
    /// Size of the index's files, in bytes.
    pub index_bytes: u64,
    /// Size of the whole data folder, in bytes.
    pub data_bytes: u64,
    /// Most memory the process had, in bytes; 0 where the system does not tell it.
    pub memory_peak_bytes: u64,
    /// The stages in their order; the last is what the engine's own threads did.
    pub stages: Vec<StageRow>,
}

/// One stage.
#[derive(Debug, Clone, Serialize)]
pub struct StageRow {
    /// Its name.
    pub stage: &'static str,
    /// Processor time.
    pub seconds: f64,
}

impl StageReport {
    /// Pages a second through reading and extraction alone: all stages up to the passages.
    pub fn extraction_pages_per_cpu_second(&self) -> f64 {
        let seconds: f64 = self.stages.iter().take(DOCUMENTS).map(|row| row.seconds).sum();
        self.pages as f64 / seconds.max(1e-9)
    }
}

/// Ingests `paths` into `collection`, page by page in this thread, and times each stage. Records that are no pages or cannot be
/// read are passed over.
///
/// # Errors
///
/// As [`ingest`](super::ingest).
pub fn time_stages(collection: &DataFolder, paths: &[PathBuf], limits: &Limits) -> Result<StageReport, IngestError> {
    let files = expand(paths)?;
    let (started, cpu_before, thread_before) = (Instant::now(), cpu::of_process(), cpu::of_thread());
    let mut run = StageRun::new(collection, limits);
    for file in &files {
        run.read_file(file)?;
    }
    run.commit()?;
    let wall = started.elapsed();
    let cpu = since(cpu_before, cpu::of_process(), wall);
    let thread = since(thread_before, cpu::of_thread(), wall).min(cpu);
    let data = collection.store().data();
    Ok(StageReport {
        pages: run.pages,
        html_bytes: run.html_bytes,
        archive_bytes: files.iter().map(|file| bytes_of(file)).sum(),
        cpu_seconds: cpu.as_secs_f64(),
        wall_seconds: wall.as_secs_f64(),
        index_bytes: bytes_of(&data.join("index")),
        data_bytes: bytes_of(data),
        memory_peak_bytes: cpu::memory_peak_bytes(),
        stages: run.watch.rows(thread, cpu),
    })
}

fn since(before: Option<Duration>, after: Option<Duration>, wall: Duration) -> Duration {
    before.zip(after).map_or(wall, |(before, after)| after.saturating_sub(before))
}

/// Wall time by stage.
struct Watch {
    last: Instant,
    times: [Duration; NAMES.len()],
}

impl Watch {
    fn end(&mut self, stage: usize) {
        let now = Instant::now();
        self.times[stage] += now - self.last;
        self.last = now;
    }

    /// The thread's processor time shared out by wall time, so that what else the machine does falls on all stages alike.
    fn rows(&self, thread: Duration, process: Duration) -> Vec<StageRow> {
        let wall: Duration = self.times.iter().sum();
        let share = thread.as_secs_f64() / wall.as_secs_f64().max(1e-9);
        let stages = NAMES.iter().zip(self.times);
        let rows = stages.map(|(stage, time)| StageRow { stage, seconds: time.as_secs_f64() * share });
        let engine = StageRow { stage: "engine threads", seconds: process.saturating_sub(thread).as_secs_f64() };
        rows.chain([engine]).collect()
    }
}

struct StageRun<'a> {
    collection: &'a DataFolder,
    limits: &'a Limits,
    analyser: PageAnalyser,
    encoder: PageEncoder,
    open: OpenCommit<'a>,
    watch: Watch,
    pages: u64,
    html_bytes: u64,
}

impl<'a> StageRun<'a> {
    fn new(collection: &'a DataFolder, limits: &'a Limits) -> Self {
        let analyser = PageAnalyser::new(collection.params(), *limits);
        let watch = Watch { last: Instant::now(), times: Default::default() };
        Self {
            collection,
            limits,
            analyser,
            encoder: PageEncoder::default(),
            open: OpenCommit::begin(collection),
            watch,
            pages: 0,
            html_bytes: 0,
        }
    }

    fn read_file(&mut self, file: &Path) -> Result<(), IngestError> {
        let key = ArchiveKey { id: 0, path: file.to_owned(), fingerprint: 0, site: None };
        let Ok(mut reader) = lopper_archive::open(file, self.limits) else { return Ok(()) };
        while let Some(record) = reader.next_record() {
            self.watch.end(0);
            let Ok(record) = record else { continue };
            let outcome = page::decode(record, self.limits);
            self.watch.end(1);
            if let Ok(PageOutcome::Page(page)) = outcome {
                self.put(&page, &key)?;
            }
        }
        Ok(())
    }

    fn put(&mut self, page: &Page, key: &ArchiveKey) -> Result<(), IngestError> {
        let watch = &mut self.watch;
        let statistics = self.collection.store().snapshot();
        let put = PageBundle::analyse_watched(page, &statistics, &mut self.analyser, Bodies::Refer, &mut |stage| {
            watch.end(place(stage));
        });
        watch.end(DOCUMENTS);
        let Ok(PageBundle { put, documents, .. }) = put else { return Ok(()) };
        let encoded = documents.encoded(&mut self.encoder, &mut self.analyser);
        let place = RecordPlace { archive: key, ordinal: self.pages, offset_bytes: page.provenance.offset_bytes };
        self.open.put_own(&place, put, encoded)?;
        watch.end(INDEX);
        self.pages += 1;
        self.html_bytes += page.html.len() as u64;
        if self.pages.is_multiple_of(BATCH_PAGES) {
            self.commit()?;
        }
        Ok(())
    }

    /// Commits the batch; the index's part of it, which is most, counts as the store's.
    fn commit(&mut self) -> Result<(), IngestError> {
        self.open.commit()?;
        self.watch.end(STORE);
        Ok(())
    }
}

/// Processor time and memory as Linux tells them.
mod cpu {
    use std::fs;
    use std::time::Duration;

    /// Clock ticks in a second, as `/proc` counts them on all platforms in use.
    const TICKS: f64 = 100.0;

    /// User and system time of the process.
    pub(super) fn of_process() -> Option<Duration> {
        let stat = fs::read_to_string("/proc/self/stat").ok()?;
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        let ticks: f64 = [11, 12].iter().filter_map(|at| fields.get(*at)?.parse::<f64>().ok()).sum();
        Some(Duration::from_secs_f64(ticks / TICKS))
    }

    /// The same of this thread.
    pub(super) fn of_thread() -> Option<Duration> {
        let stat = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        stat.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
    }

    /// The most memory that the process had.
    pub(super) fn memory_peak_bytes() -> u64 {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
        kilobytes.unwrap_or(0) * 1024
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use lopper_content::pipeline::ExtractParams;

    #[test]
    fn stages_add_up_to_the_processor_time() {
        let folder = tempfile::tempdir().unwrap();
        let collection = DataFolder::open_to_write(&folder.path().join("data"), ExtractParams::default()).unwrap();
        let file = folder.path().join("a.html");
        fs::write(&file, "<title>Mills</title><h1>Mills</h1><p>Old mills grind slowly but well.</p>").unwrap();
        let report = time_stages(&collection, &[file], &Limits::default()).unwrap();
        assert_eq!((report.pages, report.stages.len()), (1, NAMES.len() + 1));
        assert!(report.index_bytes > 0 && report.data_bytes > report.index_bytes);
        let sum: f64 = report.stages.iter().map(|row| row.seconds).sum();
        assert!((sum - report.cpu_seconds).abs() < 0.05, "{sum} of {}", report.cpu_seconds);
    }
}
