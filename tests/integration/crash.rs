//! A child ingests and is killed, at random and at every failpoint. What was acknowledged is there afterwards, no page is half there, the
//! ledger adds up, and going on ends in what an undisturbed run ends in.
//!
//! `LOPPER_CRASH_KILLS=N` sets the number of random kills, `LOPPER_CRASH_SEED` repeats a trial. A killed process is not a power cut: what
//! it handed to the system still gets to disk.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant, SystemTime};

use lopper_collection::DataFolder;
use lopper_collection::ingest::verify;
use lopper_content::blocks::BlockId;
use lopper_content::pipeline::ExtractParams;
use lopper_faults::failpoint::POINTS;
use lopper_store::RecordSums;
use serde_json::Value;
use tempfile::TempDir;

use crate::support::{archive, lopper, run};

/// Few records a commit, so that there are many commits.
const SETTINGS: &str = "[ingest]\nbatch_records = 5\n";

/// Random kills of the ordinary run.
const KILLS: u64 = 12;

/// Kills in one folder before the run may end.
const KILLS_A_FOLDER: u64 = 3;

/// Pages of several kinds, revisits, duplicates, failures.
const ARCHIVES: [&str; 7] = [
    "derived__chatnoir-cc-filtered.warc.gz",
    "webrecorder-warcio__example-iana.org-chunked.warc",
    "sbeckeriv-warc_nom_parser__bbc.warc",
    "netarchivesuite-jwat__small_BNF.arc",
    "oduwsdl-ipwb__5mementos.warc",
    "oduwsdl-ipwb__salam-home.warc",
    "netarchivesuite-jwat__invalid-warcfile-record-then-garbage.warc",
];

/// Pseudo-random numbers: splitmix64.
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new() -> Self {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_nanos() as u64;
        let seed = std::env::var("LOPPER_CRASH_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(now);
        eprintln!("LOPPER_CRASH_SEED={seed}");
        Self(seed)
    }

    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut number = self.0;
        number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (number ^ (number >> 31)) % end
    }
}

/// What a folder holds: block texts by id, and the sums of the ledger.
#[derive(Debug, PartialEq)]
struct Content {
    blocks: BTreeMap<String, String>,
    sums: RecordSums,
}

/// A data folder in which runs die.
struct Scene(TempDir);

impl Scene {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("lopper.toml"), SETTINGS).unwrap();
        Self(folder)
    }

    fn data(&self) -> PathBuf {
        self.0.path().join("data")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = lopper(self.0.path());
        let log = File::create(self.0.path().join("log")).unwrap();
        command.args(arguments).args(["--data", "data"]).stdout(Stdio::null()).stderr(log);
        command
    }

    fn ingest(&self) -> Command {
        let mut command = self.command(&["ingest", "--bodies", "keep", "--threads", "2", "--progress", "json"]);
        command.args(ARCHIVES.map(archive));
        command
    }

    /// Sequence and records of the last commit that the last run acknowledged.
    fn acknowledged(&self) -> Option<(u64, u64)> {
        let log = fs::read_to_string(self.0.path().join("log")).unwrap();
        let events = log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let mut commits = events.filter(|event| event["event"] == "commit");
        commits.next_back().map(|event| (event["sequence"].as_u64().unwrap(), event["records"].as_u64().unwrap()))
    }

    /// Opens what a run left, which mends it, and looks at everything. `before`: records of the runs before.
    fn check(&self, before: u64) -> u64 {
        let Ok(collection) = self.open() else { return 0 };
        let (sequence, records) = (collection.store().sequence().0, collection.store().sums().unwrap().records());
        drop(collection);
        if let Some((acknowledged, told)) = self.acknowledged() {
            assert!(sequence >= acknowledged, "commit {acknowledged} was acknowledged, {sequence} is there");
            assert!(records >= before + told, "{before} and {told} records were acknowledged, {records} are there");
        }
        let report = verify(&self.data(), ExtractParams::default(), false).unwrap();
        assert_eq!(report.faults, [], "after a crash");
        assert_eq!(report.records, records);
        records
    }

    fn open(&self) -> Result<DataFolder, ()> {
        if !self.data().join("LOPPER").exists() {
            return Err(());
        }
        Ok(DataFolder::open_to_write(&self.data(), ExtractParams::default()).expect("a crash leaves what opens"))
    }

    /// Lets the run end.
    fn finish(&self) -> Content {
        let status = self.ingest().status().unwrap();
        assert!(status.success(), "{}", fs::read_to_string(self.0.path().join("log")).unwrap());
        self.check(0);
        self.content()
    }

    fn content(&self) -> Content {
        let collection = self.open().unwrap();
        let searcher = collection.index().searcher();
        let mut blocks = BTreeMap::new();
        for page in collection.store().pages().map(Result::unwrap) {
            let found = searcher.blocks_of_page(&page.id.to_string()).unwrap();
            let tree = collection.tree(page.id).unwrap().unwrap();
            for (block, made) in found.into_iter().zip(tree.blocks(&collection.params())) {
                assert_eq!(block.block_id, BlockId::of(page.id, &made.path).to_string());
                blocks.insert(block.block_id, block.body);
            }
        }
        assert_eq!(searcher.count(), blocks.len() as u64);
        Content { blocks, sums: collection.store().sums().unwrap() }
    }
}

/// Whether the run died, of a signal.
#[cfg(unix)]
fn died(status: ExitStatus) -> bool {
    assert!(status.success() || status.code().is_none(), "it ends well or dies: {status}");
    status.code().is_none()
}

#[cfg(not(unix))]
fn died(status: ExitStatus) -> bool {
    !status.success()
}

fn kills() -> u64 {
    std::env::var("LOPPER_CRASH_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(KILLS)
}

#[test]
fn a_killed_ingest_goes_on_to_the_same_end() {
    let mut numbers = Numbers::new();
    let started = Instant::now();
    let undisturbed = Scene::new().finish();
    let duration = started.elapsed().as_micros() as u64;
    assert!(undisturbed.blocks.len() > 20 && undisturbed.sums.failed > 0, "{undisturbed:?}");
    let (mut killed, mut scene, mut records) = (0, Scene::new(), 0);
    while killed < kills() {
        let mut child = scene.ingest().spawn().unwrap();
        std::thread::sleep(Duration::from_micros(numbers.below(duration)));
        child.kill().unwrap();
        let has_died = died(child.wait().unwrap());
        killed += u64::from(has_died);
        records = scene.check(records);
        if !has_died || killed % KILLS_A_FOLDER == 0 {
            assert!(scene.finish() == undisturbed, "after {killed} kills");
            (scene, records) = (Scene::new(), 0);
        }
    }
}

/// Whether a point is passed by what only reads the folder.
fn is_of_copies(point: &str) -> bool {
    point.starts_with("backup.") || point.starts_with("push.")
}

#[test]
fn an_ingest_that_dies_at_any_point_goes_on_to_the_same_end() {
    let mut numbers = Numbers::new();
    let undisturbed = Scene::new().finish();
    let (mut scene, mut records) = (Scene::new(), 0);
    for point in POINTS.iter().filter(|point| !point.starts_with("rebuild.") && !is_of_copies(point)) {
        // What is passed only once is passed first.
        let passes = if *point == "file.made" { 1 } else { 1 + numbers.below(3) };
        let status = scene.ingest().env("LOPPER_FAILPOINT", format!("{point}:{passes}")).status().unwrap();
        assert!(died(status), "{point} is passed {passes} times");
        records = scene.check(records);
        if records * 2 > undisturbed.sums.records() {
            assert!(scene.finish() == undisturbed, "{point}");
            (scene, records) = (Scene::new(), 0);
        }
    }
    assert!(scene.finish() == undisturbed);
}

#[test]
fn a_rebuild_that_dies_at_any_point_leaves_the_old_data_or_the_new() {
    let scene = Scene::new();
    let undisturbed = scene.finish();
    for point in POINTS.iter().filter(|point| !point.starts_with("file.") && !is_of_copies(point)) {
        for from in ["trees", "bodies"] {
            let mut rebuild = scene.command(&["rebuild", "--from", from]);
            let status = rebuild.env("LOPPER_FAILPOINT", format!("{point}:1")).status().unwrap();
            assert!(died(status), "{point}");
            scene.check(0);
            let content = scene.content();
            assert!(content.blocks.keys().eq(undisturbed.blocks.keys()), "{point}");
            assert_eq!(content.sums, undisturbed.sums, "{point}");
        }
    }
    run(scene.0.path(), ["rebuild", "--data", "data"]).success();
    assert!(scene.content().blocks.keys().eq(undisturbed.blocks.keys()));
}

/// A rebuild that is killed after each of its commits goes on, and ends in what an undisturbed one ends in.
#[test]
fn a_rebuild_that_dies_goes_on_where_it_was() {
    for from in ["trees", "bodies"] {
        let [undisturbed, killed] = [Scene::new(), Scene::new()].map(|scene| {
            scene.finish();
            scene
        });
        let rebuild = |scene: &Scene| {
            run(scene.0.path(), ["rebuild", "--data", "data", "--from", from, "--format", "json"]).json()
        };
        let report = rebuild(&undisturbed);
        assert_eq!(report["resumed"], 0, "{report}");
        let mut kills = 0;
        let resumed = loop {
            let mut command = killed.command(&["rebuild", "--from", from]);
            if !died(command.env("LOPPER_FAILPOINT", "collection.committed:1").status().unwrap()) {
                break kills;
            }
            kills += 1;
        };
        assert!(resumed > 2, "{resumed} kills");
        assert!(killed.content() == undisturbed.content(), "{from}");
        // One more, killed once: what was made before is said.
        let mut command = killed.command(&["rebuild", "--from", from]);
        assert!(died(command.env("LOPPER_FAILPOINT", "collection.committed:3").status().unwrap()));
        let report = rebuild(&killed);
        assert_eq!(report["resumed"], 15, "{report}");
    }
}
