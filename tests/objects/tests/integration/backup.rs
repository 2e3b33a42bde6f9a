//! Backups in object storage: like those in a folder, whatever breaks on the way.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hyper::{Method, StatusCode};
use lopper_backup::{BackupError, BucketPlace, Destination, create as create_backup};
use lopper_objects::BucketAddress;
use serde_json::Value;
use tempfile::TempDir;

use crate::server::{Harm, Server};
use crate::support::{Run, archive, lopper, run};

const PLACE: &str = "s3://crawls/backups/main";

const ARCHIVES: [&str; 2] =
    ["webrecorder-warcio__example-iana.org-chunked.warc", "derived__chatnoir-cc-filtered.warc.gz"];

struct Scene {
    server: Server,
    folder: TempDir,
}

impl Scene {
    /// A data folder with these archives beside an empty bucket.
    fn new(archives: &[&str]) -> Self {
        let scene = Self { server: Server::start(), folder: tempfile::tempdir().unwrap() };
        scene.ingest(archives);
        scene
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn ingest(&self, archives: &[&str]) {
        let command = ["ingest", "--data", "data", "--bodies", "keep", "--progress", "none"].map(PathBuf::from);
        run(self.path(), &self.server, command.into_iter().chain(archives.iter().map(|name| archive(name)))).success();
    }

    fn backup(&self, args: &[&str]) -> Run {
        run(self.path(), &self.server, ["backup"].iter().chain(args))
    }

    fn create(&self) -> Value {
        self.backup(&["create", "--data", "data", "--format", "json", PLACE]).json()
    }

    fn list(&self) -> Vec<Value> {
        self.backup(&["list", "--format", "json", PLACE]).json().as_array().unwrap().clone()
    }

    fn answers(&self, data: &str) -> Vec<Value> {
        let asked = ["domain names", "the", "news"].map(|query| vec!["search", "--explain", "--format", "json", query]);
        let all =
            asked.into_iter().chain([vec!["stats", "--format", "json"], vec!["ingest", "report", "--format", "json"]]);
        let told = |args: Vec<&str>| {
            let mut answer = run(self.path(), &self.server, args.into_iter().chain(["--data", data])).json();
            answer.as_object_mut().unwrap().remove("duration_ms");
            answer
        };
        all.map(told).collect()
    }

    fn place(&self, lease: Duration) -> BucketPlace {
        BucketPlace::make(&BucketAddress::parse(PLACE).unwrap(), &self.server.settings()).unwrap().with_lease(lease)
    }

    /// The files of all chunks.
    fn chunks(&self) -> Vec<PathBuf> {
        let below = |folder: PathBuf| fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        below(self.server.file("backups/main/chunks")).flat_map(below).collect()
    }
}

fn is_chunk_written(request: &str) -> bool {
    request.starts_with("PUT") && request.contains("/chunks/")
}

#[test]
fn a_restored_folder_gives_the_same_answers_and_only_what_is_new_is_sent() {
    let scene = Scene::new(&ARCHIVES[..1]);
    let first = scene.create();
    assert_eq!(first["new_bytes"], first["bytes"], "{first}");
    scene.server.requests();
    assert_eq!(scene.create()["new_bytes"], 0);
    assert_eq!(scene.server.requests().iter().filter(|request| is_chunk_written(request)).count(), 0);
    let of_first = scene.answers("data");
    scene.ingest(&ARCHIVES[1..]);
    let before = scene.chunks().len();
    scene.server.requests();
    let third = scene.create();
    let sent = scene.server.requests().iter().filter(|request| is_chunk_written(request)).count();
    assert!(sent > 0 && sent == scene.chunks().len() - before, "{sent} chunks were sent");
    assert!(third["new_bytes"].as_u64() < third["bytes"].as_u64(), "{third}");

    let listed = scene.list();
    assert_eq!((listed.len(), &listed[2]), (3, &third));
    assert!(scene.backup(&["verify", PLACE]).success().contains("3 backups"), "all is as it was written");
    assert!(scene.backup(&["restore", "--data", "last", PLACE]).success().contains("it is sound"));
    assert_eq!(scene.answers("last"), scene.answers("data"));
    scene.backup(&["restore", "--data", "first", PLACE, first["id"].as_str().unwrap()]).success();
    assert_eq!(scene.answers("first"), of_first);

    let pruned = scene.backup(&["prune", "--keep", "1", "--format", "json", PLACE]).json();
    assert_eq!(pruned["snapshots"].as_array().unwrap().len(), 2);
    let verified = scene.backup(&["verify", "--format", "json", PLACE]).json();
    assert_eq!((&verified["unused"], &verified["snapshots"]), (&0.into(), &1.into()));
    assert_eq!(verified["chunks"], scene.chunks().len());
}

#[test]
fn a_backup_that_is_killed_or_cut_off_is_none() {
    let scene = Scene::new(&ARCHIVES[..1]);
    for point in ["backup.chunk:5", "backup.chunks:1"] {
        let mut command = lopper(scene.path(), &scene.server);
        command.args(["backup", "create", "--data", "data", PLACE]).env("LOPPER_FAILPOINT", point);
        let died = command.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
        assert!(!died.success(), "{point}");
        assert_eq!(scene.list(), [] as [Value; 0], "{point}");
        scene.backup(&["verify", PLACE]).success();
        // Its lock is there still. Who looks on for the time of a lease takes it.
        let place = scene.place(Duration::from_secs(1));
        drop(place.lock().unwrap());
    }
    // The server does not take the manifest.
    scene.server.fail(Method::PUT, "/snapshots/", 1, Harm::Status(StatusCode::FORBIDDEN, "AccessDenied"));
    let told = scene.backup(&["create", "--data", "data", PLACE]).failure();
    assert!(
        told.contains("may not write s3://crawls/backups/main/snapshots/") && told.contains("AccessDenied"),
        "{told}"
    );
    assert_eq!(scene.list(), [] as [Value; 0]);
    let made = scene.create();
    assert_eq!(made["new_bytes"], 0, "what was copied stays");
    scene.backup(&["restore", "--data", "again", PLACE]).success();
    assert_eq!(scene.answers("again"), scene.answers("data"));
}

#[test]
fn a_busy_server_and_lost_answers_change_nothing() {
    let scene = Scene::new(&ARCHIVES[..1]);
    scene.server.fail(Method::PUT, "/chunks/", 3, Harm::Status(StatusCode::SERVICE_UNAVAILABLE, "SlowDown"));
    scene.server.fail(Method::PUT, "/chunks/", 2, Harm::Lost);
    scene.server.fail(Method::PUT, "/lock", 1, Harm::Lost);
    scene.create();
    scene.server.fail(Method::GET, "/chunks/", 2, Harm::CutAfter(100));
    scene.backup(&["verify", PLACE]).success();
    scene.backup(&["restore", "--data", "again", PLACE]).success();
    assert_eq!(scene.answers("again"), scene.answers("data"));
}

#[test]
fn damage_is_found_and_not_restored() {
    let scene = Scene::new(&ARCHIVES[..1]);
    scene.create();
    let chunks = scene.chunks();
    let mut bytes = fs::read(&chunks[2]).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&chunks[2], bytes).unwrap();
    fs::remove_file(&chunks[5]).unwrap();
    let verified = scene.backup(&["verify", PLACE]);
    assert_eq!(verified.code, Some(1));
    for (chunk, told) in [(&chunks[2], "is not what was written"), (&chunks[5], "is missing")] {
        let name = chunk.file_name().unwrap().to_str().unwrap();
        assert!(verified.out.contains(&format!("{name} {told}")), "{verified:?}");
    }
    let refused = scene.backup(&["restore", "--data", "again", PLACE]).failure();
    assert!(refused.contains("the backup is damaged"), "{refused}");
    for chunk in [&chunks[2], &chunks[5]] {
        let _ = fs::remove_file(chunk);
    }
    scene.create();
    scene.backup(&["verify", PLACE]).success();
}

#[test]
fn of_two_writers_one_waits_or_gives_way() {
    let scene = Scene::new(&ARCHIVES[..1]);
    let place = scene.place(Duration::from_secs(3));
    let held = place.lock().unwrap();
    for command in [&["create", "--data", "data", PLACE][..], &["prune", "--keep", "1", PLACE]] {
        let told = scene.backup(command).failure();
        assert!(told.contains("another lopper is writing to these backups"), "{told}");
    }
    // Reading needs no lock.
    scene.backup(&["verify", PLACE]).success();
    held.check().unwrap();
    drop(held);
    let since = Instant::now();
    scene.create();
    assert!(since.elapsed() < Duration::from_secs(30), "what was given back is taken at once");
    // Many at a time: each makes its own, or is told to wait; what is there is whole.
    let children: Vec<_> = (0..3)
        .map(|_| {
            let mut command = lopper(scene.path(), &scene.server);
            command.args(["backup", "create", "--data", "data", PLACE]).stderr(Stdio::piped()).stdout(Stdio::null());
            command.spawn().unwrap()
        })
        .collect();
    let ends: Vec<Run> = children.into_iter().map(|child| child.wait_with_output().unwrap().into()).collect();
    let made = ends.iter().filter(|end| end.code == Some(0)).count();
    let told = ends.iter().filter(|end| end.err.contains("another lopper is writing")).count();
    assert!(made >= 1 && made + told == 3, "{ends:?}");
    assert_eq!(scene.list().len(), 1 + made);
    scene.backup(&["verify", PLACE]).success();
}

#[test]
fn a_lock_that_went_to_another_one_stops_who_had_it() {
    let scene = Scene::new(&ARCHIVES[..1]);
    let place = scene.place(Duration::from_secs(2));
    let bucket = scene.server.bucket("backups/main");
    let held = place.lock().unwrap();
    bucket.write("lock", br#"{"holder":"another","renewal":0,"free":false}"#.to_vec()).unwrap();
    std::thread::sleep(Duration::from_secs(1));
    assert_eq!(held.check().unwrap_err().kind(), std::io::ErrorKind::WouldBlock);
    drop(held);
    // That one says nothing any more, so it is taken over.
    let made = create_backup(&scene.path().join("data"), &place, &[]).unwrap();
    assert!(made.bytes > 0);
    // A server that cannot keep two apart is told.
    let marker = scene.server.file("backups/main/LOPPER-BACKUP");
    let forget = move || fs::remove_file(&marker).unwrap();
    scene.server.fail(Method::PUT, "LOPPER-BACKUP", 1, Harm::First(Arc::new(forget)));
    let told = create_backup(&scene.path().join("data"), &place, &[]).unwrap_err();
    let text = std::error::Error::source(&told).unwrap().to_string();
    assert!(matches!(told, BackupError::Destination { .. }) && text.contains("AWS_CONDITIONAL_PUT"), "{told}: {text}");
}

#[test]
fn what_is_wrong_is_told() {
    let scene = Scene::new(&ARCHIVES[..1]);
    let told = scene.backup(&["list", PLACE]).failure();
    assert!(told.contains("s3://crawls/backups/main holds no backups of lopper"), "{told}");
    scene.server.bucket("other").write("file", b"x".to_vec()).unwrap();
    let told = scene.backup(&["create", "--data", "data", "s3://crawls/other"]).failure();
    assert!(told.contains("s3://crawls/other holds no backups of lopper"), "{told}");
    let told = scene.backup(&["create", "--data", "data", "s3://"]).failure();
    assert!(told.contains("no address such as s3://bucket/prefix"), "{told}");
    let told = scene.backup(&["create", "--data", "data", "s3://nowhere/x"]).failure();
    assert!(told.contains("there is no bucket nowhere"), "{told}");
    let with = |name: &str, value: &str| {
        let mut command = lopper(scene.path(), &scene.server);
        command.args(["backup", "create", "--data", "data", PLACE]).env(name, value);
        Run::from(command.output().unwrap()).failure()
    };
    let told = with("AWS_SECRET_ACCESS_KEY", "wrong-one");
    assert!(told.contains("check AWS_ACCESS_KEY_ID") && !told.contains("wrong-one"), "{told}");
    let told = with("AWS_SECRET_ACCESS_KEY", "");
    assert!(told.contains("AWS_SECRET_ACCESS_KEY is not set"), "{told}");
    let told = with("AWS_ENDPOINT_URL", "http://192.0.2.1:9000");
    assert!(told.contains("not encrypted"), "{told}");
    let told = with("AWS_ENDPOINT_URL", "http://127.0.0.1:9");
    assert!(told.contains("nothing answers at http://127.0.0.1:9"), "{told}");
}
