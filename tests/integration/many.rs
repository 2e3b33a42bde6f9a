//! Many at once on one folder: readers by HTTP and by command, posts, deletions, an ingest that is handed over or has the folder itself, and
//! kills in between. Every acknowledged write is found, every deletion stays, and no reader is refused.
//!
//! `LOPPER_MANY_SECONDS=60` runs it that long; `LOPPER_CRASH_SEED` repeats the moments of the kills.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use lopper_archive::page::PageId;
use lopper_collection::DataFolder;
use lopper_collection::ingest::verify;
use lopper_content::pipeline::ExtractParams;
use tempfile::TempDir;

use crate::crash::Numbers;
use crate::server::{Server, html};
use crate::support::{Run, archive, lopper, run};

/// How long the ordinary run takes, about.
const SECONDS: u64 = 10;

/// Of pages, captures, failures and revisits, in several commits each.
const ARCHIVES: [&str; 3] = [
    "derived__chatnoir-cc-filtered.warc.gz",
    "oduwsdl-ipwb__5mementos.warc",
    "netarchivesuite-jwat__invalid-warcfile-record-then-garbage.warc",
];

const COMMANDS: [&str; 4] = [
    "search --data data mills",
    "search --data data --prune balanced --format json the",
    "stats --data data",
    "ingest report --data data --format csv",
];

/// What was acknowledged. A write that was cut off is in neither.
#[derive(Default)]
struct Acknowledged {
    posted: Vec<String>,
    deleted: BTreeSet<String>,
}

/// The folder, and what it must hold.
struct Scene {
    folder: TempDir,
    acknowledged: Mutex<Acknowledged>,
    /// Numbers of the pages.
    next: AtomicU64,
    /// Answers that readers had, by HTTP and by command.
    read: AtomicU64,
}

impl Scene {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("lopper.toml"), "[ingest]\nbatch_records = 5\n").unwrap();
        let (next, read) = (AtomicU64::new(0), AtomicU64::new(0));
        let scene = Self { folder, acknowledged: Mutex::default(), next, read };
        scene.ingest().success();
        scene
    }

    fn data(&self) -> std::path::PathBuf {
        self.folder.path().join("data")
    }

    fn ingest(&self) -> Run {
        run(self.folder.path(), Self::ingest_arguments())
    }

    fn ingest_arguments() -> Vec<String> {
        let paths = ARCHIVES.iter().map(|name| archive(name).to_string_lossy().into_owned());
        ["ingest", "--data", "data", "--again", "--bodies", "keep"]
            .map(str::to_owned)
            .into_iter()
            .chain(paths)
            .collect()
    }

    fn acknowledged(&self) -> MutexGuard<'_, Acknowledged> {
        self.acknowledged.lock().unwrap()
    }

    /// A page that was posted, and is to be deleted now.
    fn take_posted(&self) -> Option<String> {
        let mut acknowledged = self.acknowledged();
        let count = acknowledged.posted.len();
        (count > 5).then(|| acknowledged.posted.swap_remove(count / 2))
    }

    fn note_deleted(&self, url: String) {
        self.acknowledged().deleted.insert(url);
    }

    /// A server has the folder and is killed after a while.
    fn served(&self, duration: Duration) {
        let mut server = Server::start(self.folder.path());
        let is_over = AtomicBool::new(false);
        let address = server.address.clone();
        let asked = |answer: Option<(u16, String)>| {
            assert!(answer.is_some() || is_over.load(Ordering::Acquire), "the server went away by itself");
            answer
        };
        thread::scope(|scope| {
            for _ in 0..6 {
                scope.spawn(|| {
                    while !is_over.load(Ordering::Acquire) {
                        self.post(&address, &asked);
                    }
                });
            }
            scope.spawn(|| {
                while !is_over.load(Ordering::Acquire) {
                    self.delete_served(&address, &asked);
                }
            });
            scope.spawn(|| {
                while !is_over.load(Ordering::Acquire) {
                    self.search_served(&address, &asked);
                }
            });
            scope.spawn(|| {
                while !is_over.load(Ordering::Acquire) {
                    let run = self.ingest();
                    assert!(run.code == Some(0) || is_over.load(Ordering::Acquire), "{run:?}");
                }
            });
            thread::sleep(duration);
            is_over.store(true, Ordering::Release);
            server.kill();
        });
    }

    fn post(&self, address: &str, asked: &impl Fn(Option<(u16, String)>) -> Option<(u16, String)>) {
        let url = format!("http://e.example/{}", self.next.fetch_add(1, Ordering::Relaxed));
        let body = serde_json::json!({ "url": url, "html": html(&url) }).to_string();
        let Some((status, answer)) = asked(Server::post_to(address, "application/json", &body)) else { return };
        assert_eq!(status, 201, "{answer}");
        if let Some((status, answer)) =
            asked(Server::get_from(address, &format!("/v1/pages/{}", PageId::of(&url, None))))
        {
            assert_eq!(status, 200, "{url} was acknowledged: {answer}");
        }
        self.acknowledged().posted.push(url);
    }

    /// Deletes a page, and tries to post one again that was deleted.
    fn delete_served(&self, address: &str, asked: &impl Fn(Option<(u16, String)>) -> Option<(u16, String)>) {
        thread::sleep(Duration::from_millis(50));
        let Some(url) = self.take_posted() else { return };
        let Some((status, answer)) = asked(Server::ask(address, "DELETE", &format!("/v1/pages?url={url}"))) else {
            return;
        };
        assert_eq!(status, 200, "{answer}");
        self.note_deleted(url.clone());
        if let Some((status, _)) = asked(Server::get_from(address, &format!("/v1/pages/{}", PageId::of(&url, None)))) {
            assert_eq!(status, 404, "{url} was deleted");
        }
        let body = serde_json::json!({ "url": url, "html": html("again") }).to_string();
        if let Some((status, answer)) = asked(Server::post_to(address, "application/json", &body)) {
            assert_eq!(status, 409, "{url} is kept out: {answer}");
        }
    }

    fn search_served(&self, address: &str, asked: &impl Fn(Option<(u16, String)>) -> Option<(u16, String)>) {
        for path in ["/v1/search?q=mills+slowly", "/v1/search?q=news&facets=true&prune=balanced", "/healthz"] {
            if let Some((status, answer)) = asked(Server::get_from(address, path)) {
                assert_eq!(status, 200, "{path}: {answer}");
                self.read.fetch_add(1, Ordering::Relaxed);
            }
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// An ingest has the folder and is killed after a while; who deletes waits for its turn.
    fn direct(&self, duration: Duration) {
        let mut ingest = lopper(self.folder.path());
        ingest.args(Self::ingest_arguments()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = ingest.spawn().unwrap();
        thread::scope(|scope| {
            scope.spawn(|| {
                let Some(url) = self.take_posted() else { return };
                let deleted = (0..100).any(|_| {
                    let run = run(self.folder.path(), ["delete", "--data", "data", "--url", &url]);
                    assert!(run.code == Some(0) || run.err.contains("in use"), "{run:?}");
                    run.code == Some(0)
                });
                assert!(deleted, "the folder is never free");
                self.note_deleted(url);
            });
            thread::sleep(duration);
            child.kill().unwrap();
            child.wait().unwrap();
        });
    }

    /// Whether all that was acknowledged is there, and all that was deleted is not.
    fn check(&self) {
        let acknowledged = self.acknowledged();
        let collection = DataFolder::open_to_write(&self.data(), ExtractParams::default()).unwrap();
        let searcher = collection.index().searcher();
        let is_there = |url: &str| {
            let id = PageId::of(url, None);
            let blocks = searcher.blocks_of_page(&id.to_string()).unwrap().len();
            (collection.store().contains(id).unwrap(), blocks > 0)
        };
        for url in &acknowledged.posted {
            assert_eq!(is_there(url), (true, true), "{url} was acknowledged");
            assert!(collection.store().body(PageId::of(url, None)).unwrap().is_some(), "the HTML of {url} is kept");
        }
        for url in &acknowledged.deleted {
            assert_eq!(is_there(url), (false, false), "{url} was deleted");
        }
        assert_eq!(collection.store().captures(TAKEN_DOWN).unwrap(), [], "an ingest brings back nothing");
        drop(collection);
        assert_eq!(verify(&self.data(), ExtractParams::default(), false).unwrap().faults, []);
    }
}

/// A page of the first archive.
const TAKEN_DOWN: &str = "http://06.live-radsport.ch/fahrerstatistik_801/Anthony_Ravard.html";

fn seconds() -> u64 {
    std::env::var("LOPPER_MANY_SECONDS").ok().and_then(|seconds| seconds.parse().ok()).unwrap_or(SECONDS)
}

/// Reads by the command line, whoever has the folder or was killed with it.
fn read(folder: &Path, is_over: &AtomicBool, read: &AtomicU64) {
    while !is_over.load(Ordering::Acquire) {
        for command in COMMANDS {
            run(folder, command.split(' ')).success();
            read.fetch_add(1, Ordering::Relaxed);
        }
    }
}

#[cfg(unix)]
#[test]
fn many_at_once_lose_nothing_and_refuse_nobody() {
    let mut numbers = Numbers::new();
    let scene = Scene::new();
    run(scene.folder.path(), ["delete", "--data", "data", "--url", TAKEN_DOWN]).success();
    let (started, is_over) = (Instant::now(), AtomicBool::new(false));
    let mut rounds = 0;
    thread::scope(|scope| {
        let reader = scope.spawn(|| read(scene.folder.path(), &is_over, &scene.read));
        // Ends the reader also when a check fails.
        let over = Over(&is_over);
        while started.elapsed() < Duration::from_secs(seconds()) {
            scene.served(Duration::from_millis(700 + numbers.below(1500)));
            scene.check();
            scene.direct(Duration::from_millis(50 + numbers.below(900)));
            scene.check();
            rounds += 1;
        }
        drop(over);
        reader.join().unwrap();
    });
    let acknowledged = scene.acknowledged();
    let (posted, deleted) = (acknowledged.posted.len(), acknowledged.deleted.len());
    let read = scene.read.load(Ordering::Relaxed);
    eprintln!(
        "{rounds} rounds, {} kills: {posted} pages posted and there, {deleted} deleted, {read} reads",
        2 * rounds
    );
    assert!(posted > 5 && deleted > 3 && read > 20, "{posted} {deleted} {read}");
}

struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}
