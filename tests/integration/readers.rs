//! Whoever reads a data folder is never refused: beside a server, beside an ingest, on a read-only mount, after a crash.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use lopper_collection::DataFolder;
use lopper_content::pipeline::ExtractParams;
use tempfile::TempDir;

use crate::support::{Run, archive, lopper, names_in, repository, run};

const ARCHIVES: [&str; 3] = [
    "derived__chatnoir-cc-filtered.warc.gz",
    "webrecorder-warcio__example-iana.org-chunked.warc",
    "sbeckeriv-warc_nom_parser__bbc.warc",
];

/// A folder with these archives in `data`.
fn ingested(archives: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    ingest(folder.path(), archives).success();
    folder
}

fn ingest(folder: &Path, archives: &[&str]) -> Run {
    let paths = archives.iter().map(|name| archive(name).to_string_lossy().into_owned());
    let command = ["ingest", "--data", "data", "--bodies", "keep"].map(str::to_owned);
    run(folder, command.into_iter().chain(paths).collect::<Vec<_>>())
}

/// Every command that reads a data folder.
fn reading_commands() -> Vec<Vec<String>> {
    let page = repository("tests/pages/article/source.html").to_string_lossy().into_owned();
    let quality = |name: &str| repository("tests/quality/retrieval").join(name).to_string_lossy().into_owned();
    let commands = [
        "search --data data domain names".to_owned(),
        "search --data data --explain --prune balanced --format json domain".to_owned(),
        "stats --data data --near-duplicates".to_owned(),
        format!("tree --data data {page}"),
        "ingest report --data data".to_owned(),
        "ingest report --data data --records --format csv".to_owned(),
        "verify --data data".to_owned(),
        format!(
            "eval retrieval --data data --queries {} --qrels {} --every 97",
            quality("queries.jsonl"),
            quality("qrels.jsonl")
        ),
    ];
    commands.iter().map(|command| command.split(' ').map(str::to_owned).collect()).collect()
}

/// What readers are told, without the times; every command must succeed.
fn answers(mut read: impl FnMut(&[String]) -> Run) -> Vec<String> {
    let without_times = |out: String| {
        let timed =
            |line: &&str| !["duration_ms", "The data is", " ms", "Remark"].iter().any(|time| line.contains(time));
        out.lines().filter(timed).collect::<Vec<_>>().join("\n")
    };
    reading_commands().iter().map(|command| without_times(read(command).success())).collect()
}

/// Names, lengths and contents of all files but sled's and locks.
fn files(place: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for name in names_in(place) {
        let path = place.join(&name);
        if path.is_dir() {
            files.extend(self::files(&path).into_iter().map(|(below, bytes)| (format!("{name}/{below}"), bytes)));
        } else {
            files.push((name, fs::read(&path).unwrap()));
        }
    }
    files
}

#[test]
fn readers_work_beside_the_process_that_has_the_folder_and_change_nothing() {
    let folder = ingested(&ARCHIVES);
    let expected = answers(|command| run(folder.path(), command));
    assert!(expected[0].contains("iana.org"), "{}", expected[0]);
    let _held = DataFolder::open_to_write(&folder.path().join("data"), ExtractParams::default()).unwrap();
    let before = files(&folder.path().join("data"));
    assert_eq!(answers(|command| run(folder.path(), command)), expected);
    assert!(files(&folder.path().join("data")) == before, "a reader wrote something");
    let verify = run(folder.path(), ["verify", "--data", "data", "--format", "json"]).json();
    assert_eq!((&verify["beside_others"], &verify["faults"]), (&true.into(), &serde_json::json!([])));
}

/// Where this user may make mounts of its own, that is, on most Linux systems.
#[cfg(target_os = "linux")]
fn in_namespace(folder: &Path, mount: &str, command: &[String]) -> Option<Run> {
    let mut shell = std::process::Command::new("unshare");
    shell.args(["-rm", "sh", "-c", &format!("{mount} || exit 77; exec \"$0\" \"$@\"")]);
    shell.arg(env!("CARGO_BIN_EXE_lopper")).args(command).current_dir(folder);
    let run: Run = shell.output().ok()?.into();
    let is_possible = run.code != Some(77) && !run.err.starts_with("unshare");
    is_possible.then_some(run)
}

#[cfg(target_os = "linux")]
#[test]
fn a_read_only_mount_is_read() {
    let folder = ingested(&ARCHIVES);
    let expected = answers(|command| run(folder.path(), command));
    let mount = "mount --bind data data && mount -o remount,ro,bind data data && ! touch data/try 2>/dev/null";
    if in_namespace(folder.path(), mount, &["archives".to_owned()]).is_none() {
        eprintln!("skipped: this user may not mount");
        return;
    }
    let read = |command: &[String]| in_namespace(folder.path(), mount, command).expect("a mount is possible");
    assert_eq!(answers(read), expected);
    let refused = read(&["compact".to_owned(), "--data".to_owned(), "data".to_owned()]);
    assert!(refused.code == Some(1) && refused.err.contains("Read-only"), "{refused:?}");
}

/// A full disk keeps nobody from reading.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_read() {
    let folder = ingested(&ARCHIVES);
    let expected = answers(|command| run(folder.path(), command));
    let mount = "mkdir -p small && mount -t tmpfs -o size=64m tmpfs small && cp -r data small/ && \
                 mount --bind small/data data && ! cat /dev/zero > small/rest 2>/dev/null && ! echo 1 2>/dev/null > data/try";
    if in_namespace(folder.path(), mount, &["archives".to_owned()]).is_none() {
        eprintln!("skipped: this user may not mount");
        return;
    }
    let read = |command: &[String]| in_namespace(folder.path(), mount, command).expect("a mount is possible");
    assert_eq!(answers(read), expected);
}

/// A run dies between the commits of store and index. Readers see the commit before, and are told so; the next run puts it right.
#[test]
fn a_folder_that_a_crash_left_is_read_as_it_was_before_the_last_commit() {
    for point in
        ["collection.between:1", "collection.between:2", "database.flushed:2", "store.published:2", "store.rows:2"]
    {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("lopper.toml"), "[ingest]\nbatch_records = 5\n").unwrap();
        let mut ingest = lopper(folder.path());
        ingest.args(["ingest", "--data", "data"]).args(ARCHIVES.map(archive)).env("LOPPER_FAILPOINT", point);
        let died = ingest.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
        assert!(!died.success(), "{point}");
        let search = run(folder.path(), ["search", "--data", "data", "the"]);
        assert!(!search.err.contains("ingest"), "{point}: {search:?}");
        let has_note = search.err.contains("note: the last commit is not in the index yet");
        assert_eq!(has_note, point.starts_with("collection"), "{point}: {search:?}");
        search.success();
        for command in reading_commands().iter().filter(|command| command[0] != "verify") {
            run(folder.path(), command).success();
        }
        drop(DataFolder::open_to_write(&folder.path().join("data"), ExtractParams::default()).unwrap());
        let search = run(folder.path(), ["search", "--data", "data", "the"]);
        assert!(search.code == Some(0) && !search.err.contains("commit"), "{point}: {search:?}");
        run(folder.path(), ["verify", "--data", "data"]).success();
    }
}

/// Readers beside a run that commits all the time.
#[test]
fn readers_work_while_an_ingest_commits() {
    let folder = ingested(&ARCHIVES[1..2]);
    fs::write(folder.path().join("lopper.toml"), "[ingest]\nbatch_records = 1\n").unwrap();
    let mut ingest = lopper(folder.path());
    ingest.args(["ingest", "--data", "data"]).args(ARCHIVES.map(archive));
    let mut child = ingest.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut rounds = 0;
    while child.try_wait().unwrap().is_none() {
        for command in reading_commands() {
            run(folder.path(), command).success();
        }
        rounds += 1;
    }
    assert!(child.wait().unwrap().success() && rounds > 0);
    let blocks = |folder: &Path| {
        run(folder, ["search", "--data", "data", "--format", "json", "the"]).json()["total_blocks"].clone()
    };
    assert_eq!(blocks(folder.path()), blocks(ingested(&ARCHIVES).path()));
}

#[test]
fn what_is_published_for_readers_is_checked_and_mended() {
    let folder = ingested(&ARCHIVES);
    let expected = answers(|command| run(folder.path(), command));
    let data = folder.path().join("data");
    let newest = fs::read_to_string(data.join("sequence")).unwrap();
    let rows = data.join(format!("rows-{}.bin", newest.trim()));
    let mut bytes = fs::read(&rows).unwrap();
    bytes[30] ^= 1;
    fs::write(&rows, bytes).unwrap();
    let verify = run(folder.path(), ["verify", "--data", "data"]);
    assert!(verify.code == Some(1) && verify.out.contains("`lopper verify --mend` publishes it again"), "{verify:?}");
    run(folder.path(), ["verify", "--data", "data", "--mend"]).success();
    assert_eq!(answers(|command| run(folder.path(), command)), expected);
}
