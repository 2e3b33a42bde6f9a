//! What runs the program on a machine: scripts for shells, manual pages, logs for machines.

use std::collections::BTreeSet;
use std::fs;
#[cfg(target_os = "linux")]
use std::process::Command;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::server::{PATIENCE, Server, ask};
use crate::support::{folder, lopper, names_in, repository, run};

#[test]
fn shells_complete_all_commands() {
    let folder = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = run(folder.path(), ["completions", shell]).success();
        for word in ["ingest", "backup", "restore", "takedowns"] {
            assert!(script.contains(word), "{shell} does not know {word}");
        }
    }
    assert_eq!(run(folder.path(), ["completions", "none"]).code, Some(2));
}

#[test]
fn each_command_has_a_manual_page() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), ["man", "pages"]).success();
    let pages = names_in(&folder.path().join("pages"));
    for page in ["lopper.1", "lopper-ingest.1", "lopper-backup-create.1"] {
        assert!(pages.iter().any(|name| name == page), "no {page} in {pages:?}");
    }
    let page = std::fs::read_to_string(folder.path().join("pages/lopper-backup-restore.1")).unwrap();
    assert!(page.contains(".TH") && page.contains("new or empty data folder"), "{page}");
    std::fs::write(folder.path().join("file"), "").unwrap();
    let refused = run(folder.path(), ["man", "file/pages"]);
    assert!(refused.code == Some(1) && refused.err.contains("cannot write manual pages to file/pages"), "{refused:?}");
}

#[test]
fn logs_are_json_where_that_is_asked_for() {
    let folder = folder(&[("mills.html", b"<title>Mills</title><p>Old mills grind slowly but well.</p>")]);
    run(folder.path(), ["ingest", "--data", "data", "mills.html"]).success();
    let logs = |format: &str| {
        let log = folder.path().join("log");
        let mut serve = lopper(folder.path());
        serve.args(["serve", "--data", "data", "--listen", "127.0.0.1:0"]).env("LOPPER_LOG_FORMAT", format);
        serve.env("LOPPER_LOG", "info").stdout(Stdio::piped()).stderr(fs::File::create(&log).unwrap());
        let mut server = Server::of(serve.spawn().unwrap());
        assert_eq!(server.get("/v1/search?q=mills").unwrap().0, 200);
        let started = Instant::now();
        while !fs::read_to_string(&log).unwrap().contains("answered") && started.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(10));
        }
        server.kill();
        fs::read_to_string(&log).unwrap()
    };
    let json = logs("json");
    let lines: Vec<Value> = json.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    for line in &lines {
        let is_text = |name: &str| line[name].as_str().is_some_and(|text| !text.is_empty());
        assert!(["timestamp", "level", "message", "target"].into_iter().all(is_text), "{line}");
    }
    let answered = lines.iter().find(|line| line["message"] == "answered").expect(&json);
    assert_eq!((&answered["path"], &answered["status"]), (&"/v1/search".into(), &200.into()));
    let text = logs("text");
    assert!(!text.is_empty() && text.lines().all(|line| serde_json::from_str::<Value>(line).is_err()), "{text}");
    assert!(logs("xml").starts_with("lopper: note: LOPPER_LOG_FORMAT is neither `text` nor `json`"));
}

/// The names of figures in a text.
fn figures(text: &str) -> BTreeSet<&str> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter(|word| word.starts_with("lopper_")).collect()
}

#[test]
fn the_board_shows_figures_that_the_service_gives() {
    let folder = folder(&[("mills.html", b"<title>Mills</title><p>Old mills grind slowly but well.</p>")]);
    run(folder.path(), ["ingest", "--data", "data", "mills.html"]).success();
    // With the settings and by the name by which Prometheus asks in docker-compose.yml.
    let settings = repository("deploy/compose.toml");
    let mut serve = lopper(folder.path());
    serve.args(["serve", "--data", "data", "--listen", "127.0.0.1:0"]).env("LOPPER_CONFIG", settings);
    let server = Server::of(serve.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap());
    assert_eq!(server.get("/v1/search?q=mills").unwrap().0, 200);
    assert_eq!(server.get("/v1/search").unwrap().0, 400);
    assert_eq!(server.post_page("http://example.org/", "wheels").unwrap().0, 201);
    let scraped = fs::read_to_string(repository("deploy/prometheus.yml")).unwrap();
    let name = scraped.split_once("targets: [\"").unwrap().1.split_once('"').unwrap().0;
    let request = format!("GET /metrics HTTP/1.1\r\nhost: {name}\r\nconnection: close\r\n\r\n");
    let (status, given) = ask(&server.address, &request).unwrap();
    assert_eq!(status, 200, "{given}");
    for stage in ["wait", "read", "rank", "show", "prepare", "commit"] {
        let line = format!("lopper_stage_duration_seconds_count{{stage=\"{stage}\"}} 1");
        assert!(given.lines().any(|given| given == line), "no {line} in\n{given}");
    }
    let records = "lopper_ingest_records_total{state=\"indexed\"} 1";
    assert!(given.lines().any(|given| given == records), "no {records} in\n{given}");
    let given: BTreeSet<&str> = given.lines().filter(|line| !line.starts_with('#')).flat_map(figures).collect();
    let board: Value = serde_json::from_slice(&fs::read(repository("deploy/grafana/lopper.json")).unwrap()).unwrap();
    let panels = board["panels"].as_array().unwrap().iter();
    let asked = panels.flat_map(|panel| panel["targets"].as_array().unwrap().iter().map(|target| &target["expr"]));
    let asked: Vec<&str> = asked.map(|asked| asked.as_str().unwrap()).collect();
    assert!(asked.iter().all(|asked| !figures(asked).is_empty()), "{asked:?}");
    let shown: BTreeSet<&str> = asked.iter().flat_map(|asked| figures(asked)).collect();
    let unknown: Vec<_> = shown.difference(&given).collect();
    assert!(unknown.is_empty(), "the board shows what the service does not give: {unknown:?}");
    let hidden: Vec<_> = given.difference(&shown).collect();
    assert!(hidden.is_empty(), "the board leaves out: {hidden:?}");
}

/// What the image's health check runs.
#[cfg(target_os = "linux")]
#[test]
fn the_health_check_tells_a_service_that_answers() {
    let folder = folder(&[("mills.html", b"<title>Mills</title><p>Old mills grind slowly but well.</p>")]);
    run(folder.path(), ["ingest", "--data", "data", "mills.html"]).success();
    let mut server = Server::start(folder.path());
    let port = server.address.rsplit_once(':').unwrap().1.to_owned();
    let is_healthy = || Command::new(repository("deploy/healthy")).arg(&port).stderr(Stdio::null()).status().unwrap();
    assert_eq!(is_healthy().code(), Some(0));
    server.kill();
    assert_eq!(is_healthy().code(), Some(1));
}
