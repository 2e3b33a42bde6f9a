//! Workers that read from and write to object storage: the same parts, whatever breaks on the way.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

use hyper::{Method, StatusCode};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::server::{BUCKET, Harm, Server};
use crate::support::{archive, lopper, run};

const ARCHIVES: [&str; 3] = [
    "derived__chatnoir-cc-filtered.warc.gz",
    "webrecorder-warcio__example-iana.org-chunked.warc",
    "oduwsdl-ipwb__5mementos.warc",
];

const PARTS: &str = "s3://crawls/parts";

struct Scene {
    server: Server,
    folder: TempDir,
}

impl Scene {
    /// The archives in a bucket.
    fn new() -> Self {
        Self::with(Server::start())
    }

    fn with(server: Server) -> Self {
        fs::create_dir(server.file("archives")).unwrap();
        for name in ARCHIVES {
            fs::copy(archive(name), server.file("archives").join(name)).unwrap();
        }
        Self { server, folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn worker(&self, output: &str) -> Command {
        let mut command = lopper(self.path(), &self.server);
        command.args(["worker", "--output", output]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        command
    }

    fn stored(&self) -> Vec<String> {
        let listed = self.server.bucket("parts").list("").unwrap();
        listed.into_iter().map(|listed| listed.name).collect()
    }

    fn json(&self, args: &[&str]) -> Value {
        run(self.path(), &self.server, args).json()
    }
}

fn answers(mut command: Command, jobs: &[Value]) -> Vec<Value> {
    let mut child = command.spawn().unwrap();
    let lines = jobs.iter().fold(String::new(), |lines, job| lines + &format!("{job}\n"));
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let text = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn stored_archive(name: &str) -> String {
    format!("s3://{BUCKET}/archives/{name}")
}

fn job(name: &str) -> Value {
    json!({ "archive": stored_archive(name) })
}

/// Each archive in three ranges, whose borders are within records.
fn ranges(address: impl Fn(&str) -> String) -> Vec<Value> {
    let of = |name: &&str| {
        let length = fs::metadata(archive(name)).unwrap().len();
        let borders = [0, length / 3 + 7, length * 2 / 3 + 1, length + 5];
        let job = |ends: &[u64]| json!({ "archive": address(name), "range": [ends[0], ends[1]] });
        borders.windows(2).map(job).collect::<Vec<_>>()
    };
    ARCHIVES.iter().flat_map(of).collect()
}

/// What a collection answers, without the times and the places of archives.
fn told(scene: &Scene, data: &str) -> Vec<Value> {
    let stats = scene.json(&["stats", "--data", data, "--format", "json"]);
    let mut told = vec![json!([stats["distinct_pages"], stats["blocks"], stats["captures"]])];
    for query in ["domain names", "the", "news"] {
        let answer = scene.json(&["search", "--data", data, "--format", "json", query]);
        assert!(answer["pages"].as_array().is_some_and(|pages| !pages.is_empty()), "{query}");
        let pages = answer["pages"].as_array().unwrap().iter();
        told.extend(pages.map(|page| json!([page["url"], page["title"], page["score"], page["blocks"][0]["text"]])));
    }
    told
}

#[test]
fn parts_by_way_of_storage_give_what_the_archives_give() {
    let scene = Scene::new();
    let jobs = ranges(stored_archive);
    scene.server.fail(Method::GET, "/archives/", 2, Harm::CutAfter(30_000));
    scene.server.fail(Method::GET, "/archives/", 3, Harm::Status(StatusCode::SERVICE_UNAVAILABLE, "SlowDown"));
    scene.server.fail(Method::PUT, "/parts/", 3, Harm::Status(StatusCode::SERVICE_UNAVAILABLE, "SlowDown"));
    let made = answers(scene.worker(PARTS), &jobs);
    assert_eq!(made.len(), jobs.len());
    assert!(made.iter().all(|answer| answer["published"] == "created"), "{made:?}");
    let stored = scene.stored();
    for answer in &made {
        let part = answer["part"].as_str().unwrap();
        for ending in ["", ".counts", ".receipt.json"] {
            assert!(stored.contains(&format!("{part}{ending}")), "{part}{ending}");
        }
    }
    assert_eq!(stored.len(), 3 * jobs.len());
    // The same again costs no archive, and into a folder gives the same bytes.
    let again = answers(scene.worker(PARTS), &jobs);
    let same = |ours: &[Value], theirs: &[Value]| {
        ours.iter()
            .zip(theirs)
            .all(|(ours, theirs)| ours["sha256"] == theirs["sha256"] && ours["pages"] == theirs["pages"])
    };
    assert!(again.iter().all(|answer| answer["published"] == "existing") && same(&again, &made), "{again:?}");
    assert!(same(&answers(scene.worker("folder"), &jobs), &made));

    let ingest = |data: &str, paths: &[&str]| {
        run(scene.path(), &scene.server, ["ingest", "--data", data, "--progress", "none"].iter().chain(paths)).success()
    };
    ingest("data", &[PARTS]);
    let archives = ARCHIVES.map(|name| archive(name).display().to_string());
    ingest("plain", &archives.each_ref().map(String::as_str));
    assert_eq!(told(&scene, "data"), told(&scene, "plain"));
    let told = ingest("data", &["s3://crawls/parts/"]);
    assert!(told.contains(&format!("{} already ingested", jobs.len())), "{told}");
    for (output, from) in [("one.counts", PARTS), ("other.counts", "folder")] {
        run(scene.path(), &scene.server, ["merge-counts", "--output", output, from]).success();
    }
    let read = |name: &str| fs::read(scene.path().join(name)).unwrap();
    assert_eq!(read("one.counts"), read("other.counts"));
    let refused = run(scene.path(), &scene.server, ["ingest", "--data", "none", "s3://crawls/archives"]).failure();
    assert!(refused.contains("`lopper worker` puts it there"), "{refused}");
}

#[test]
fn archives_and_parts_of_the_web_are_read_by_ranges() {
    let scene = Scene::with(Server::open());
    let address = |name: &str| format!("{}/{BUCKET}/archives/{name}", scene.server.url());
    let jobs = ranges(address);
    let undisturbed = answers(scene.worker("parts"), &jobs);
    assert!(undisturbed.iter().all(|answer| answer["published"] == "created"), "{undisturbed:?}");
    scene.server.requests();
    scene.server.fail(Method::GET, "/archives/", 2, Harm::CutAfter(30_000));
    scene.server.fail(Method::GET, "/archives/", 2, Harm::Status(StatusCode::TOO_MANY_REQUESTS, "TooMany"));
    let disturbed = answers(scene.worker("others"), &jobs);
    for (one, other) in undisturbed.iter().zip(&disturbed) {
        assert_eq!((&one["sha256"], &one["part"]), (&other["sha256"], &other["part"]), "{other}");
    }
    assert!(scene.server.requests().iter().any(|request| request.contains("bytes=")));
    // Parts behind URLs.
    let folder = scene.server.file("made");
    fs::create_dir(&folder).unwrap();
    let mut urls = Vec::new();
    for answer in &undisturbed {
        let name = answer["part"].as_str().unwrap();
        fs::copy(scene.path().join("parts").join(name), folder.join(name)).unwrap();
        urls.push(format!("{}/{BUCKET}/made/{name}", scene.server.url()));
    }
    let ingest = ["ingest", "--data", "data", "--progress", "none"].map(str::to_owned);
    run(scene.path(), &scene.server, ingest.iter().chain(&urls)).success();
    let archives = ARCHIVES.map(|name| archive(name).display().to_string());
    let ingest = ["ingest", "--data", "plain", "--progress", "none"].map(str::to_owned);
    run(scene.path(), &scene.server, ingest.iter().chain(&archives)).success();
    assert_eq!(told(&scene, "data"), told(&scene, "plain"));
    let refused = run(scene.path(), &scene.server, ["ingest", "--data", "data", &address(ARCHIVES[0])]).failure();
    assert!(refused.contains("only parts are taken from there"), "{refused}");
}

/// Killed while its part is sent, or stopped between part and receipt.
#[test]
fn a_worker_that_is_killed_while_it_sends_is_made_good() {
    let plain = {
        let scene = Scene::new();
        answers(scene.worker("folder"), &[job(ARCHIVES[0])])
    };
    for is_there in [false, true] {
        let scene = Scene::new();
        if is_there {
            scene.server.fail(Method::PUT, ".receipt.json", 1, Harm::Status(StatusCode::FORBIDDEN, "AccessDenied"));
            let stopped = answers(scene.worker(PARTS), &[job(ARCHIVES[0])]);
            assert_eq!(stopped[0]["code"], "object_denied", "{stopped:?}");
        } else {
            let worker = Arc::new(Mutex::new(scene.worker(PARTS).spawn().unwrap()));
            let killed = worker.clone();
            let kill = move || killed.lock().unwrap().kill().unwrap();
            scene.server.fail(Method::PUT, ".counts", 1, Harm::First(Arc::new(kill)));
            let mut input = worker.lock().unwrap().stdin.take().unwrap();
            input.write_all(format!("{}\n", job(ARCHIVES[0])).as_bytes()).unwrap();
            let mut said = String::new();
            let mut out = worker.lock().unwrap().stdout.take().unwrap();
            out.read_to_string(&mut said).unwrap();
            assert_eq!(said, "", "it is killed before it answers");
            assert!(!worker.lock().unwrap().wait().unwrap().success());
        }
        let stored = scene.stored();
        if is_there {
            assert!(!stored.iter().any(|name| name.ends_with(".receipt.json")), "{stored:?}");
        }
        let again = answers(scene.worker(PARTS), &[job(ARCHIVES[0])]);
        // The process that is killed has one that sends, which may get to its end.
        let published = again[0]["published"].as_str().unwrap();
        assert!(published == "existing" || !is_there && published == "created", "{again:?}");
        assert_eq!(scene.stored().len(), 3);
        for field in ["part", "sha256", "bytes_out", "pages", "blocks"] {
            assert!(!again[0][field].is_null());
        }
        assert_eq!((&again[0]["pages"], &again[0]["blocks"]), (&plain[0]["pages"], &plain[0]["blocks"]));
        let part = scene.server.file("parts").join(again[0]["part"].as_str().unwrap());
        assert_eq!(again[0]["bytes_out"], fs::metadata(part).unwrap().len());
    }
}

#[test]
fn two_workers_on_one_job_give_one_part() {
    let scene = Scene::new();
    let made: Vec<Value> = std::thread::scope(|scope| {
        let two = [0, 1].map(|_| scope.spawn(|| answers(scene.worker(PARTS), &[job(ARCHIVES[0])])));
        two.into_iter().flat_map(|one| one.join().unwrap()).collect()
    });
    assert_eq!(made[0]["sha256"], made[1]["sha256"], "{made:?}");
    let created = made.iter().filter(|answer| answer["published"] == "created").count();
    assert_eq!((created, scene.stored().len()), (1, 3), "{made:?}");
}

#[test]
fn an_archive_that_goes_or_changes_gives_no_part() {
    type Change = fn(&Path);
    let scene = Scene::new();
    let name = ARCHIVES[0];
    let file = scene.server.file("archives").join(name);
    let harms: [(&str, Change); 2] = [
        ("object_missing", |file| fs::remove_file(file).unwrap()),
        ("object_changed", |file| fs::write(file, "WARC/1.0\r\n").unwrap()),
    ];
    for (code, harm) in harms {
        fs::copy(archive(name), &file).unwrap();
        scene.server.fail(Method::GET, "/archives/", 1, Harm::CutAfter(30_000));
        let harmed = file.clone();
        scene.server.fail(Method::GET, "/archives/", 1, Harm::First(Arc::new(move || harm(&harmed))));
        let failed = answers(scene.worker(PARTS), &[job(name)]);
        assert_eq!(failed[0]["code"], code, "{failed:?}");
        assert!(failed[0]["error"].as_str().unwrap().contains(&stored_archive(name)), "{failed:?}");
        assert_eq!(scene.stored(), [] as [String; 0], "{code}");
    }
    fs::copy(archive(name), &file).unwrap();
    let wanted = json!({ "archive": stored_archive(name), "version": "0123456789abcdef" });
    let failed = answers(scene.worker(PARTS), &[wanted]);
    assert_eq!(failed[0]["code"], "object_changed", "{failed:?}");
    let version = scene.server.bucket("archives").read_version(name).unwrap().unwrap().1.unwrap();
    let wanted = json!({ "archive": stored_archive(name), "version": version });
    let made = answers(scene.worker(PARTS), &[wanted, job(name)]);
    assert_eq!((&made[0]["published"], &made[1]["published"]), (&json!("created"), &json!("existing")), "{made:?}");
}

#[test]
fn what_is_refused_is_told_and_leaves_nothing() {
    let scene = Scene::new();
    scene.server.fail(Method::PUT, "/parts/", 100, Harm::Status(StatusCode::FORBIDDEN, "AccessDenied"));
    let failed = answers(scene.worker(PARTS), &[job(ARCHIVES[1])]);
    assert_eq!(failed[0]["code"], "object_denied", "{failed:?}");
    assert!(failed[0]["error"].as_str().unwrap().contains("check AWS_ACCESS_KEY_ID"), "{failed:?}");
    scene.server.heal();
    assert_eq!(scene.stored(), [] as [String; 0]);
    let jobs = [json!({ "archive": "s3://crawls/none.warc.gz" }), json!({ "archive": "s3://nowhere/a.warc.gz" })];
    let failed = answers(scene.worker(PARTS), &jobs);
    assert_eq!(failed[0]["code"], "object_missing", "{failed:?}");
    assert_eq!(failed[1]["code"], "object_no_bucket", "{failed:?}");
    let mut worker = scene.worker("s3://");
    let refused = worker.stderr(Stdio::piped()).spawn().unwrap().wait_with_output().unwrap();
    let told = String::from_utf8(refused.stderr).unwrap();
    assert!(refused.status.code() == Some(1) && told.contains("no address such as s3://bucket/prefix"), "{told}");
}
