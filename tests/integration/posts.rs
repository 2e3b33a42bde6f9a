//! Pages that are posted: what was acknowledged is there whatever happens, one commit is shared by many, a full disk is got over, and nobody
//! who reads is refused meanwhile.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Stdio;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use lopper_archive::page::PageId;
use lopper_collection::DataFolder;
use lopper_collection::ingest::{IngestOptions, PagePreparer, Silent, commit_pages, ingest, verify};
use lopper_content::limits::Limits;
use lopper_content::pipeline::ExtractParams;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::server::{Server, ask, html, wait_until};
use crate::support::{archive, page, run};

/// All pages are in store and index, their HTML is kept, and nothing is wrong.
fn all_are_there(data: &Path, urls: &[String]) {
    let collection = DataFolder::open_to_write(data, ExtractParams::default()).unwrap();
    let searcher = collection.index().searcher();
    for url in urls {
        let id = PageId::of(url, None);
        assert!(collection.store().contains(id).unwrap(), "{url} was acknowledged");
        assert!(collection.store().body(id).unwrap().is_some(), "the HTML of {url} is kept");
        assert!(!searcher.blocks_of_page(&id.to_string()).unwrap().is_empty(), "{url} can be found");
    }
    drop(collection);
    assert_eq!(verify(data, ExtractParams::default(), false).unwrap().faults, []);
}

#[test]
fn pages_posted_at_the_same_time_share_a_commit() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let posts = |client: usize| {
        let urls = (0..6).map(move |number| format!("http://e.example/{client}/{number}"));
        urls.inspect(|url| assert_eq!(server.post_page(url, url).expect("an answer").0, 201)).collect::<Vec<_>>()
    };
    let urls: Vec<String> = thread::scope(|scope| {
        let clients: Vec<_> = (0..12).map(|client| scope.spawn(move || posts(client))).collect();
        clients.into_iter().flat_map(|client| client.join().unwrap()).collect()
    });
    let (_, found) = server.get("/v1/search?q=mills&pages=100").unwrap();
    assert_eq!(found["pages"].as_array().unwrap().len(), 72);
    let stats = run(folder.path(), ["stats", "--data", "data", "--format", "json"]).json();
    let commits = stats["sequence"].as_u64().unwrap();
    assert!(commits < 60, "{commits} commits for 72 pages");
    drop(server);
    all_are_there(&folder.path().join("data"), &urls);
}

/// Whoever sends slowly holds what has arrived and no more.
#[test]
fn slow_posts_keep_nobody_waiting() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let begun = |path: &str, kind: &str, body: &str| {
        let mut client = TcpStream::connect(&server.address).unwrap();
        let head = format!("POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: {kind}\r\n");
        client.write_all(format!("{head}content-length: 1000\r\n\r\n{body}").as_bytes()).unwrap();
        client
    };
    let mut slow: Vec<TcpStream> = Vec::new();
    for number in 0..20 {
        slow.push(begun(&format!("/v1/pages?url=http://e.example/slow/{number}"), "text/html", "<title>Slow"));
        slow.push(begun("/v1/pages", "application/x-ndjson", "{\"url\": "));
        slow.push(begun("/v1/extract", "text/html", "<title>"));
        slow.push(begun("/v1/search", "application/json", "{"));
        slow.push(begun(&format!("/v1/archives?name={number}.warc"), "application/octet-stream", "WARC"));
    }
    // They are there before what follows is asked.
    thread::sleep(Duration::from_millis(300));
    for number in 0..5 {
        let (status, body) = server.post_page(&format!("http://e.example/{number}"), "quick").unwrap();
        assert_eq!(status, 201, "{body}");
    }
    let body = r#"{"q": "quick"}"#;
    let head = "POST /v1/search HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nconnection: close\r\n";
    let found = ask(&server.address, &format!("{head}content-length: {}\r\n\r\n{body}", body.len())).unwrap();
    assert_eq!(found.0, 200, "{}", found.1);
    // The slow ones are answered, too, when they are done.
    let mut first = slow.swap_remove(0);
    first.write_all(&[b' '; 989]).unwrap();
    let mut answer = String::new();
    BufReader::new(first).read_line(&mut answer).unwrap();
    assert!(answer.contains("201"), "{answer}");
}

#[test]
fn posted_pages_are_listed_together() {
    let folder = tempfile::tempdir().unwrap();
    let path = archive("sbeckeriv-warc_nom_parser__bbc.warc");
    run(folder.path(), ["ingest", "--data", "data", path.to_str().unwrap()]).success();
    let server = Server::start(folder.path());
    assert_eq!(server.get("/v1/archives").unwrap().1["archives_total"], 1);
    for number in [1, 2, 3, 2] {
        assert_eq!(server.post_page(&format!("http://e.example/{number}"), "quick").unwrap().0, 201);
    }
    let listed = server.get("/v1/archives").unwrap().1;
    let posted = listed["archives"].as_array().unwrap().iter().find(|entry| entry["archive"] == "POST /v1/pages");
    let posted = posted.unwrap_or_else(|| panic!("{listed}"));
    assert_eq!((&listed["archives_total"], &posted["records"]), (&2.into(), &3.into()), "{listed}");
    assert_eq!((&posted["sums"]["indexed"], &posted["sums"]["replaced"]), (&2.into(), &1.into()), "{listed}");
    let records = |more: &str| {
        let (status, records) =
            server.get(&format!("/v1/archives/{}/records{more}", posted["id"].as_str().unwrap())).unwrap();
        assert_eq!(status, 200, "{records}");
        records
    };
    let (first, last) = (records("?records=2"), records("?records=2&offset=2"));
    assert_eq!((&first["next_offset"], last.get("next_offset")), (&2.into(), None), "{first} {last}");
    let both = [&first, &last].map(|part| part["records"].as_array().unwrap().clone()).concat();
    assert_eq!(Value::from(both.clone()), records("")["records"]);
    let pages: BTreeSet<&str> = both.iter().map(|record| record["page_id"].as_str().unwrap()).collect();
    assert_eq!(pages.len(), 3);
    assert_eq!(records("?state=replaced")["records"].as_array().unwrap().len(), 1);
    let own = both[0]["archive_id"].as_str().unwrap();
    let own = server.get(&format!("/v1/archives/{own}/records")).unwrap().1;
    assert_eq!(own["records"][0], both[0], "each can be asked for alone");
    let (status, shown) = Server::get_from(&server.address, "/ingest").unwrap();
    assert_eq!((status, shown.matches("POST /v1/pages</bdi>").count()), (200, 1), "{shown}");
    let (status, shown) =
        Server::get_from(&server.address, &format!("/ingest?archive={}", posted["id"].as_str().unwrap())).unwrap();
    assert_eq!((status, shown.matches("at byte 0").count()), (200, 3), "{shown}");
    let report = run(folder.path(), ["ingest", "report", "--data", "data"]).success();
    assert_eq!(report.matches("POST /v1/pages").count(), 1, "{report}");
    assert!(report.contains("together, of 2 archives"), "{report}");
    let records = run(folder.path(), ["ingest", "report", "--data", "data", "--records"]).success();
    assert_eq!(records.matches("POST /v1/pages").count(), 3, "{records}");
}

#[test]
fn a_line_is_answered_for_each_page_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let mut urls: Vec<String> = (0..150).map(|number| format!("http://e.example/{number}")).collect();
    let mut lines: Vec<String> = urls.iter().map(|url| json!({ "url": url, "html": html(url) }).to_string()).collect();
    lines[7] = "no JSON".to_owned();
    lines[9] = String::new();
    lines[11] = json!({ "url": "ftp://e.example/", "html": html("x") }).to_string();
    lines[13] = json!({ "url": "http://e.example/13", "html": "" }).to_string();
    let (status, body) = server.post("application/x-ndjson", &lines.join("\n")).unwrap();
    // The answer is in chunks; their lengths stand on lines of their own.
    let answers: Vec<Value> =
        body.lines().filter(|line| line.starts_with('{')).map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((status, answers.len()), (200, 149), "{body}");
    let numbers: Vec<u64> = answers.iter().map(|answer| answer["line"].as_u64().unwrap()).collect();
    assert!(numbers.iter().copied().eq((1..=150).filter(|line| *line != 10)), "{numbers:?}");
    for answer in &answers {
        let line = answer["line"].as_u64().unwrap() as usize;
        let code = match line {
            8 => "bad_body",
            12 => "bad_parameter",
            14 => "no_page",
            _ => {
                assert_eq!((&answer["url"], &answer["blocks"]), (&urls[line - 1].clone().into(), &1.into()));
                continue;
            }
        };
        assert_eq!(answer["error"]["code"], code);
    }
    drop(server);
    for line in [13, 11, 9, 7] {
        urls.remove(line);
    }
    all_are_there(&folder.path().join("data"), &urls);
}

/// A server is killed again and again while pages are posted and others search, by HTTP and by the command line.
#[test]
fn what_was_acknowledged_survives_every_kill_and_no_reader_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    run(
        folder.path(),
        [
            "ingest".as_ref(),
            "--data".as_ref(),
            "data".as_ref(),
            archive("sbeckeriv-warc_nom_parser__bbc.warc").as_os_str(),
        ],
    )
    .success();
    let acknowledged = Mutex::new(Vec::new());
    for kill in 0..5u64 {
        let mut server = Server::start(folder.path());
        let (address, is_over) = (server.address.clone(), AtomicBool::new(false));
        thread::scope(|scope| {
            for client in 0..4 {
                let (address, acknowledged, is_over) = (&address, &acknowledged, &is_over);
                scope.spawn(move || {
                    let poster = |url: &str| {
                        let body = json!({ "url": url, "html": html(url) }).to_string();
                        let head = format!("content-type: application/json\r\ncontent-length: {}\r\n", body.len());
                        ask(
                            address,
                            &format!(
                                "POST /v1/pages HTTP/1.1\r\nhost: localhost\r\n{head}connection: close\r\n\r\n{body}"
                            ),
                        )
                    };
                    for number in 0.. {
                        let url = format!("http://e.example/{kill}/{client}/{number}");
                        match poster(&url) {
                            Some((201, _)) => acknowledged.lock().unwrap().push(url),
                            Some((status, body)) => panic!("{status}: {body}"),
                            None => assert!(is_over.load(Ordering::Acquire), "the server went away by itself"),
                        }
                        if is_over.load(Ordering::Acquire) {
                            return;
                        }
                    }
                });
            }
            scope.spawn(|| {
                while !is_over.load(Ordering::Acquire) {
                    for command in ["search --data data mills", "stats --data data", "ingest report --data data"] {
                        run(folder.path(), command.split(' ')).success();
                    }
                    let answer = ask(
                        &address,
                        "GET /v1/search?q=mills HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n",
                    );
                    assert!(is_over.load(Ordering::Acquire) || answer.is_some_and(|(status, _)| status == 200));
                }
            });
            #[cfg(unix)]
            scope.spawn(|| {
                // Cut off by the kill, or told that it is done; never refused before.
                while !is_over.load(Ordering::Acquire) {
                    let path = archive("derived__chatnoir-cc-filtered.warc.gz");
                    let run = run(folder.path(), ["ingest", "--data", "data", "--again", path.to_str().unwrap()]);
                    assert!(run.code == Some(0) || is_over.load(Ordering::Acquire), "{run:?}");
                }
            });
            thread::sleep(Duration::from_millis(900 + 370 * kill));
            is_over.store(true, Ordering::Release);
            server.kill();
        });
        run(folder.path(), ["search", "--data", "data", "mills"]).success();
    }
    let urls = acknowledged.into_inner().unwrap();
    assert!(urls.len() > 5, "{} posts", urls.len());
    all_are_there(&folder.path().join("data"), &urls);
}

#[cfg(unix)]
#[test]
fn an_ingest_is_handed_to_the_server_that_has_the_folder() {
    let archives = ["derived__chatnoir-cc-filtered.warc.gz", "sbeckeriv-warc_nom_parser__bbc.warc"].map(archive);
    let ingest = |folder: &Path, more: &[&str]| {
        let paths = archives.iter().map(|path| path.to_str().unwrap());
        run(folder, ["ingest", "--data", "data"].iter().copied().chain(more.iter().copied()).chain(paths))
    };
    let counts = |out: &str| out.lines().take(9).map(str::to_owned).collect::<Vec<_>>();
    let alone = tempfile::tempdir().unwrap();
    let expected = ingest(alone.path(), &["--bodies", "keep"]).success();
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    assert_eq!(server.post_page("http://e.example/before", "before").unwrap().0, 201);
    let handed = ingest(folder.path(), &["--bodies", "keep", "--progress", "json"]);
    assert!(handed.err.contains("a server has data: it ingests") && handed.err.contains("\"commit\""), "{handed:?}");
    assert_eq!(counts(&handed.success()), counts(&expected));
    assert!(ingest(folder.path(), &[]).success().contains("already ingested"));
    let found = server.get("/v1/search?q=news").unwrap().1;
    assert!(found["total_blocks"].as_u64() > Some(0), "{found}");
    let input = run(folder.path(), ["ingest", "--data", "data", "-"]);
    assert!(input.code == Some(1) && input.err.contains("standard input cannot be handed"), "{input:?}");
    let missing = run(folder.path(), ["ingest", "--data", "data", "nowhere.warc"]);
    assert_eq!(missing.code, Some(1));
    drop(server);
    all_are_there(&folder.path().join("data"), &["http://e.example/before".to_owned()]);
    let sums = |folder: &Path| run(folder, ["ingest", "report", "--data", "data", "--format", "csv"]).success();
    for archive in sums(alone.path()).lines() {
        assert!(sums(folder.path()).contains(archive), "{archive}");
    }
}

/// Posts come in between the batches of an ingest in the same process, which ends as it would without them.
#[test]
fn pages_are_committed_while_an_ingest_runs() {
    let folder = tempfile::tempdir().unwrap();
    let archives = ["derived__chatnoir-cc-filtered.warc.gz", "webrecorder-warcio__example-iana.org-chunked.warc"];
    let archives: Vec<_> = archives.into_iter().chain(["sbeckeriv-warc_nom_parser__bbc.warc"]).map(archive).collect();
    let alone = tempfile::tempdir().unwrap();
    let open = |folder: &TempDir| DataFolder::open_to_write(folder.path(), ExtractParams::default()).unwrap();
    let options = IngestOptions { batch_records_max: 7, threads: 2, ..IngestOptions::default() };
    let expected = ingest(&open(&alone), &archives, &options, &mut Silent).unwrap().records;
    let collection = open(&folder);
    let (is_over, preparer) = (AtomicBool::new(false), PagePreparer::default());
    let mut urls = Vec::new();
    thread::scope(|scope| {
        let run = scope.spawn(|| {
            let report = ingest(&collection, &archives, &options, &mut Silent);
            is_over.store(true, Ordering::Release);
            report.unwrap().records
        });
        while !is_over.load(Ordering::Acquire) || urls.is_empty() {
            let url = format!("http://e.example/{}", urls.len());
            let posted = preparer.prepare(&collection, &page(&url, html(&url)), &Limits::default()).unwrap();
            assert!(commit_pages(&collection, vec![posted]).unwrap().iter().all(Result::is_ok));
            urls.push(url);
        }
        assert_eq!(run.join().unwrap(), expected);
    });
    assert!(!collection.store().is_within_run());
    drop(collection);
    all_are_there(folder.path(), &urls);
}

/// Something that stands in the way of a commit for a while.
#[test]
fn a_writer_that_failed_says_so_and_writes_again_when_it_can() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    assert_eq!(server.post_page("http://e.example/before", "before").unwrap().0, 201);
    let obstacle = folder.path().join("data/sequence.tmp");
    fs::create_dir(&obstacle).unwrap();
    let (status, body) = server.post_page("http://e.example/during", "during").unwrap();
    assert!(status == 503 && body.contains("writer_stopped"), "{status} {body}");
    let health = |server: &Server| server.get("/healthz").unwrap().1;
    wait_until("the writer stops", || health(&server)["status"] == "writer_stopped");
    assert!(health(&server)["message"].as_str().unwrap().contains("nothing more is taken in"));
    assert_eq!(server.get("/v1/search?q=before").unwrap().1["pages"].as_array().unwrap().len(), 1);
    assert_eq!(server.post_page("http://e.example/during", "during").unwrap().0, 503);
    run(folder.path(), ["search", "--data", "data", "before"]).success();
    fs::remove_dir(&obstacle).unwrap();
    wait_until("the writer goes on", || health(&server)["status"] == "ok");
    assert_eq!(server.post_page("http://e.example/after", "after").unwrap().0, 201);
    assert_eq!(server.get("/v1/search?q=after").unwrap().1["pages"].as_array().unwrap().len(), 1);
    drop(server);
    all_are_there(&folder.path().join("data"), &["before", "after"].map(|name| format!("http://e.example/{name}")));
}

/// A disk that is really full: a small one of memory, where this user may mount one.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_called_that_and_got_over() {
    let folder = tempfile::tempdir().unwrap();
    let script = "mkdir -p small && mount -t tmpfs -o size=48m tmpfs small && mkdir small/data && ln -s small/data data || exit 77
        \"$0\" serve --data data --listen 127.0.0.1:0 &
        until [ -e stop ]; do
            if [ -e fill ]; then rm fill; cat /dev/zero > small/rest 2>/dev/null; touch filled; fi
            if [ -e free ]; then rm free; rm small/rest; touch freed; fi
            sleep 0.05
        done
        kill $!; wait $!; \"$0\" verify --data data > verified 2>&1; echo $? > verdict";
    let mut shell = std::process::Command::new("unshare");
    shell.args(["-rm", "sh", "-c", script, env!("CARGO_BIN_EXE_lopper")]).current_dir(folder.path());
    let Ok(mut child) = shell.stdout(Stdio::piped()).stderr(Stdio::null()).spawn() else {
        eprintln!("skipped: this user may not mount");
        return;
    };
    thread::sleep(Duration::from_millis(300));
    if child.try_wait().unwrap().is_some() {
        eprintln!("skipped: this user may not mount");
        return;
    }
    let server = Server::of(child);
    assert_eq!(server.post_page("http://e.example/before", "before").unwrap().0, 201);
    let signal = |name: &str, done: &str| {
        fs::write(folder.path().join(name), "").unwrap();
        wait_until(done, || folder.path().join(done).exists());
    };
    signal("fill", "filled");
    let mut refused = String::new();
    wait_until("the disk is full", || {
        let (status, body) = server.post_page("http://e.example/during", "during").unwrap();
        refused = body;
        status == 503
    });
    assert!(refused.contains("writer_stopped") && refused.contains("the disk is full"), "{refused}");
    wait_until("it is told", || server.get("/healthz").unwrap().1["status"] == "writer_stopped");
    assert_eq!(server.get("/v1/search?q=before").unwrap().1["pages"].as_array().unwrap().len(), 1);
    signal("free", "freed");
    wait_until("there is room", || server.get("/healthz").unwrap().1["status"] == "ok");
    assert_eq!(server.post_page("http://e.example/after", "after").unwrap().0, 201);
    for name in ["before", "after"] {
        let id = PageId::of(&format!("http://e.example/{name}"), None);
        assert_eq!(server.get(&format!("/v1/pages/{id}")).unwrap().0, 200);
    }
    signal("stop", "verdict");
    wait_until("the verdict", || !fs::read_to_string(folder.path().join("verdict")).unwrap().is_empty());
    let verified = fs::read_to_string(folder.path().join("verified")).unwrap();
    assert_eq!(fs::read_to_string(folder.path().join("verdict")).unwrap().trim(), "0", "{verified}");
}
