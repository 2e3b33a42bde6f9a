//! The process that takes jobs, and watches over the one that does them.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use lopper_collection::parts::{Published, Receipt};
use lopper_content::limits::Limits;
use lopper_content::pipeline::ExtractParams;

use super::place::PartPlace;
use super::task::{Answer, Job, Said, Task};

/// Time between two looks at a child.
const LOOK_INTERVAL: Duration = Duration::from_millis(100);

/// What a worker is told to do with every archive.
#[derive(Debug, Clone)]
pub(crate) struct WorkerOptions {
    /// Folder or address that the parts go to.
    pub output: String,
    /// Folder that they are made in, where they go to an address.
    pub made_in: Option<PathBuf>,
    /// What writes the archive at a URL to its standard output.
    pub fetch: Option<String>,
    /// Counts to weigh the plain blocks by.
    pub counts: Option<PathBuf>,
    /// Whether the HTML goes with the pages.
    pub html: bool,
    /// Parameters of the extraction.
    pub params: ExtractParams,
    /// Limits on records and pages.
    pub limits: Limits,
    /// Time that a record has.
    pub record_duration_max: Duration,
    /// Memory that a child may take.
    pub memory_bytes_max: u64,
    /// Records in quarantine with which an archive is given up.
    pub quarantined_max: usize,
}

/// Why a job gives no part.
struct Failure {
    code: String,
    error: String,
}

impl Failure {
    fn new(code: &str, error: impl Into<String>) -> Self {
        Self { code: code.to_owned(), error: error.into() }
    }
}

/// How a child ended.
enum End {
    Done {
        part: String,
        published: Published,
    },
    Failed(Failure),
    /// It was ended, or died, while it was at a record.
    Record {
        ordinal: u64,
        reason: String,
    },
}

impl WorkerOptions {
    /// Answers a line of standard input.
    pub(crate) fn answer_line(&self, line: &str) -> Answer {
        match serde_json::from_str::<Job>(line) {
            Ok(job) => self.answer(job),
            Err(error) => Answer::Failed {
                attempt: None,
                range: None,
                archive: line.chars().take(200).collect(),
                code: "job_unreadable".to_owned(),
                error: format!("no job ({error}); give {{\"archive\": \"PATH\"}}, a line each"),
            },
        }
    }

    /// Makes the part of a job.
    pub(crate) fn answer(&self, job: Job) -> Answer {
        let part = self.part(&job);
        let Job { archive, range, attempt, .. } = job;
        match part {
            Ok(receipt) => Answer::Made { attempt, range, receipt },
            Err(Failure { code, error }) => Answer::Failed { attempt, range, archive, code, error },
        }
    }

    fn part(&self, job: &Job) -> Result<Receipt, Failure> {
        let archive = &job.archive;
        let mut task = Task {
            archive: archive.clone(),
            range: job.range,
            version: job.version.clone(),
            fetch: self.fetch.clone(),
            output: self.output.clone(),
            made_in: self.made_in.clone(),
            counts: self.counts.clone(),
            html: self.html,
            params: self.params,
            limits: self.limits,
            quarantined: BTreeMap::new(),
        };
        loop {
            let end = self.child(&task).map_err(|error| Failure::new("worker", error.to_string()))?;
            match end {
                End::Done { part, published } => return self.receipt(archive, &part, published),
                End::Failed(failure) => return Err(failure),
                End::Record { ordinal, reason } => {
                    // Without what may be a signature.
                    let shown = archive.split('?').next().unwrap_or_default();
                    eprintln!("lopper: {shown}, record {ordinal}: {reason}; it is left out");
                    task.quarantined.insert(ordinal, reason);
                }
            }
            if task.quarantined.len() > self.quarantined_max {
                let error = format!("more than {} records stop the worker", self.quarantined_max);
                return Err(Failure::new("too_many_quarantined", error));
            }
        }
    }

    fn receipt(&self, archive: &str, part: &str, published: Published) -> Result<Receipt, Failure> {
        let place = PartPlace::open(&self.output, self.made_in.as_deref());
        let receipt = place.and_then(|place| place.receipt(archive, part, published));
        receipt.map_err(|error| Failure::new(error.code(), error.to_string()))
    }

    /// Has a child try.
    fn child(&self, task: &Task) -> io::Result<End> {
        let mut child = Command::new(std::env::current_exe()?)
            .args(["worker", "--child", "--output", "."])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut line = serde_json::to_vec(task)?;
        line.push(b'\n');
        // Its end stays open as long as this process lives: see `child::end_with_parent`. One that is dead is seen below.
        let mut input = child.stdin.take();
        if let Some(input) = &mut input {
            let _ = input.write_all(&line).and_then(|()| input.flush());
        }
        let said = listen(&mut child);
        let (end, writing) = self.watch(&mut child, &said);
        let _ = child.kill();
        let status = child.wait()?;
        drop(input);
        if let (false, Some(path)) = (matches!(end, Watched::Said(Said::Done { .. })), writing) {
            // Where it is gone already, there is nothing to do.
            let _ = fs::remove_file(path);
        }
        Ok(end.into_end(&format!("the worker's process ended ({status})")))
    }

    /// Listens until the child is done, dead or to be ended; gives also the file that it was writing.
    fn watch(&self, child: &mut Child, said: &Receiver<Said>) -> (Watched, Option<PathBuf>) {
        let (mut last, mut since, mut writing) = (None, Instant::now(), None);
        loop {
            match said.recv_timeout(LOOK_INTERVAL) {
                Ok(Said::Writing { path }) => writing = Some(path),
                Ok(end @ (Said::Done { .. } | Said::Failed { .. })) => return (Watched::Said(end), writing),
                Ok(now) => (last, since) = (Some(now), Instant::now()),
                Err(RecvTimeoutError::Disconnected) => return (Watched::Dead(last), writing),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if since.elapsed() > self.record_duration_max {
                let reason = format!("it took more than {} s", self.record_duration_max.as_secs_f64());
                return (Watched::Ended(last, reason), writing);
            }
            if memory_bytes(child.id()).is_some_and(|bytes| bytes > self.memory_bytes_max) {
                let reason = format!("it took more than {} MB of memory", self.memory_bytes_max >> 20);
                return (Watched::Ended(last, reason), writing);
            }
        }
    }
}

/// What was seen of a child.
enum Watched {
    /// Its last word.
    Said(Said),
    /// It died after saying that.
    Dead(Option<Said>),
    /// It is to be ended after saying that.
    Ended(Option<Said>, String),
}

impl Watched {
    fn into_end(self, death: &str) -> End {
        let (last, reason) = match self {
            Self::Said(Said::Done { part, published }) => return End::Done { part, published },
            Self::Said(Said::Failed { code, error }) => return End::Failed(Failure { code, error }),
            Self::Said(said) => (Some(said), death.to_owned()),
            Self::Dead(last) => (last, death.to_owned()),
            Self::Ended(last, reason) => (last, reason),
        };
        match last {
            Some(Said::Record { ordinal, .. }) => End::Record { ordinal, reason },
            Some(Said::Sending { bytes }) => {
                let error = format!("sending the part, of which {bytes} bytes are there: {reason}");
                End::Failed(Failure::new("sending_stopped", error))
            }
            Some(Said::Reading { ordinal, position_bytes }) => {
                let error = format!("reading record {ordinal} behind byte {position_bytes}: {reason}");
                End::Failed(Failure::new("reading_stopped", error))
            }
            _ => End::Failed(Failure::new("worker_stopped", reason)),
        }
    }
}

/// What the child says, from a thread that ends with it.
fn listen(child: &mut Child) -> Receiver<Said> {
    let (sender, said) = sync_channel(64);
    if let Some(out) = child.stdout.take() {
        thread::spawn(move || {
            let lines = BufReader::new(out).lines().map_while(Result::ok);
            for said in lines.filter_map(|line| serde_json::from_str(&line).ok()) {
                if sender.send(said).is_err() {
                    return;
                }
            }
        });
    }
    said
}

/// Memory of a process, where the system tells it.
fn memory_bytes(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}
