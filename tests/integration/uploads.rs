//! Archives that were sent to a server that ended before it had taken them in: what it does with them when it begins again.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use lopper::http::ServeOptions;
use lopper_collection::DataFolder;
use lopper_collection::ingest::{IngestOptions, Interrupt, ingest};
use lopper_content::pipeline::ExtractParams;
use serde_json::Value;

use crate::http::{Site, options};
use crate::jobs::warc;
use crate::server::{Server, ask, wait_until};
use crate::support::{StopAfter, copy_folder, names_in, run};

/// The files that were sent.
fn uploads(folder: &Path) -> Vec<String> {
    names_in(&folder.join("data/uploads"))
}

/// A file that was received whole.
fn sent(folder: &Path, name: &str, content: &str) -> PathBuf {
    let uploads = folder.join("data/uploads");
    fs::create_dir_all(&uploads).unwrap();
    fs::write(uploads.join(name), content).unwrap();
    uploads.join(name)
}

fn open(folder: &Path) -> DataFolder {
    DataFolder::open_to_write(&folder.join("data"), ExtractParams::default()).unwrap()
}

fn jobs(server: &Server) -> Vec<Value> {
    server.get("/v1/jobs").unwrap().1["jobs"].as_array().unwrap().clone()
}

fn wait_for_jobs(server: &Server) {
    wait_until("the jobs end", || jobs(server).iter().all(|job| job["state"] != "running"));
}

fn send(server: &Server, name: &str, content: &str) -> Value {
    let head = format!("POST /v1/archives?name={name} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n");
    let length = content.len();
    let head = format!("{head}content-type: application/octet-stream\r\ncontent-length: {length}\r\n\r\n");
    let (status, body) = ask(&server.address, &format!("{head}{content}")).unwrap();
    assert_eq!(status, 202, "{body}");
    serde_json::from_str(&body).unwrap()
}

fn found(server: &Server, words: &str) -> usize {
    server.get(&format!("/v1/search?q={words}&pages=1000")).unwrap().1["pages"].as_array().unwrap().len()
}

#[test]
fn what_was_received_whole_is_taken_in_by_the_next_server() {
    let folder = tempfile::tempdir().unwrap();
    drop(open(folder.path()));
    sent(folder.path(), "north.warc", &warc("north", 3));
    // One of which the ledger has a part.
    let south = sent(folder.path(), "south.warc", &warc("south", 40));
    let interrupt = Interrupt::default();
    let options =
        IngestOptions { batch_records_max: 5, threads: 1, interrupt: interrupt.clone(), ..IngestOptions::default() };
    let report = ingest(&open(folder.path()), &[south], &options, &mut StopAfter(10, interrupt)).unwrap();
    assert!(report.interrupted && report.records.indexed < 40, "{report:?}");
    sent(folder.path(), "cut.warc.part", "WARC");
    let server = Server::start(folder.path());
    wait_for_jobs(&server);
    let ended = jobs(&server);
    assert_eq!((ended.len(), &ended[0]["state"]), (1, &"done".into()), "{ended:?}");
    assert_eq!(
        (found(&server, "harbour"), uploads(folder.path())),
        (43, vec!["north.warc".into(), "south.warc".into()])
    );
    drop(server);
    let server = Server::start(folder.path());
    assert_eq!(jobs(&server), Vec::<Value>::new(), "nothing is left to do");
    assert_eq!(uploads(folder.path()), ["north.warc", "south.warc"]);
}

#[test]
fn copies_of_what_is_known_and_what_is_no_archive_go() {
    let folder = tempfile::tempdir().unwrap();
    drop(open(folder.path()));
    fs::write(folder.path().join("own.warc"), warc("north", 3)).unwrap();
    run(folder.path(), ["ingest", "--data", "data", "own.warc"]).success();
    sent(folder.path(), "copy.warc", &warc("north", 3));
    sent(folder.path(), "garbage.warc", "no archive at all");
    let server = Server::start(folder.path());
    wait_for_jobs(&server);
    wait_until("they are gone", || uploads(folder.path()).is_empty());
    assert_eq!(found(&server, "harbour"), 3);
}

/// The ledger of a copy names the files of the folder that it was copied from.
#[test]
fn a_copied_data_folder_keeps_its_uploads() {
    let folder = tempfile::tempdir().unwrap();
    drop(open(folder.path()));
    let mut server = Server::start(folder.path());
    send(&server, "north.warc", &warc("north", 3));
    wait_for_jobs(&server);
    server.kill();
    // A socket cannot be copied.
    drop(fs::remove_file(folder.path().join("data/ingest.sock")));
    let copy = tempfile::tempdir().unwrap();
    copy_folder(&folder.path().join("data"), &copy.path().join("data"));
    let server = Server::start(copy.path());
    assert_eq!((jobs(&server).len(), uploads(copy.path())), (0, vec!["north.warc".into()]));
    drop(server);
    drop(folder);
    let server = Server::start(copy.path());
    assert_eq!((jobs(&server).len(), uploads(copy.path())), (0, vec!["north.warc".into()]));
}

/// Names that end as those of parts do.
#[test]
fn nothing_that_the_ledger_refers_to_goes() {
    let folder = tempfile::tempdir().unwrap();
    drop(open(folder.path()));
    let part = sent(folder.path(), "old.warc.part", &warc("north", 3));
    run(folder.path(), ["ingest", "--data", "data", part.to_str().unwrap()]).success();
    let mut server = Server::start(folder.path());
    send(&server, "new.part", &warc("south", 2));
    wait_for_jobs(&server);
    server.kill();
    let server = Server::start(folder.path());
    assert_eq!(
        (found(&server, "harbour"), uploads(folder.path())),
        (5, vec!["new.part_".into(), "old.warc.part".into()])
    );
}

#[test]
fn what_was_cancelled_is_gone_on_with_when_it_is_sent_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(folder.path());
    let archive = warc("north", 3000);
    let job = send(&server, "north.warc", &archive);
    wait_until("a part is committed", || found(&server, "harbour") > 0);
    let number = &job["number"];
    let (status, _) = Server::ask(&server.address, "POST", &format!("/v1/jobs/{number}/cancel")).unwrap();
    assert_eq!(status, 202);
    wait_for_jobs(&server);
    let before = server.get("/healthz").unwrap().1["pages"].as_u64().unwrap();
    assert!(before < 3000, "{before}");
    assert_eq!(uploads(folder.path()), ["north.warc", "north.warc.held"]);
    server.kill();
    let server = Server::start(folder.path());
    thread::sleep(Duration::from_millis(300));
    assert_eq!((jobs(&server), &server.get("/healthz").unwrap().1["pages"]), (Vec::new(), &before.into()));
    send(&server, "north.warc", &archive);
    wait_for_jobs(&server);
    assert_eq!(server.get("/healthz").unwrap().1["pages"], 3000);
    assert_eq!(uploads(folder.path()), ["2-north.warc"], "the copy took its place");
}

/// A place for an archive is not for who was fast once and sends a byte now and then.
#[test]
fn a_sender_who_grows_slow_gives_its_place_up() {
    let folder = tempfile::tempdir().unwrap();
    let data = open(folder.path());
    let bounds =
        ServeOptions { upload_duration_max: Duration::from_millis(400), archives_arriving_max: 1, ..options() };
    let site = Site::serving(folder, data, ServeOptions { archive_bytes_per_second_min: 1000, ..bounds });
    let mut sender = TcpStream::connect(site.address()).unwrap();
    sender.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
    let head = "POST /v1/archives?name=slow.warc HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
    let begin = "Content-Type: application/octet-stream\r\nContent-Length: 9000000\r\n\r\n";
    sender.write_all(format!("{head}{begin}{}", "x".repeat(100_000)).as_bytes()).unwrap();
    let (mut answer, begun) = (Vec::new(), Instant::now());
    while !String::from_utf8_lossy(&answer).contains("body_too_slow") {
        assert!(begun.elapsed() < Duration::from_secs(30), "{}", String::from_utf8_lossy(&answer));
        let mut part = [0; 1000];
        match sender.read(&mut part) {
            Ok(read) => answer.extend_from_slice(&part[..read]),
            Err(_) => sender.write_all(b"x").unwrap(),
        }
    }
    let answer = String::from_utf8_lossy(&answer).into_owned();
    assert!(answer.starts_with("HTTP/1.1 408") && answer.contains("at 1000 bytes a second"), "{answer}");
    let other = site.post("/v1/archives?name=north.warc", "application/octet-stream", &warc("north", 3));
    assert_eq!(other.status, 202, "{}", other.body);
}
