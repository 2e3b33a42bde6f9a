//! Backups: taken beside who writes, incremental, checked, restored to the same answers.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{Run, archive, folder, lopper, names_in, run};

const ARCHIVES: [&str; 3] = [
    "derived__chatnoir-cc-filtered.warc.gz",
    "webrecorder-warcio__example-iana.org-chunked.warc",
    "sbeckeriv-warc_nom_parser__bbc.warc",
];

const MILLS: &str = "<title>Mills</title><h1>Mills</h1><p>Old mills grind slowly but exceedingly well.</p>";

/// A folder with these archives in `data`.
fn ingested(archives: &[&str]) -> TempDir {
    let folder = folder(&[("mills.html", MILLS.as_bytes())]);
    ingest(folder.path(), &archives.iter().map(|name| archive(name).display().to_string()).collect::<Vec<_>>());
    folder
}

fn ingest(folder: &Path, paths: &[String]) {
    let command = ["ingest", "--data", "data", "--bodies", "keep"].map(str::to_owned);
    run(folder, command.iter().chain(paths)).success();
}

fn create(folder: &Path) -> Value {
    run(folder, ["backup", "create", "--data", "data", "--format", "json", "backups"]).json()
}

fn restore(folder: &Path, to: &str, id: Option<&str>) -> Run {
    run(folder, ["backup", "restore", "--data", to, "backups"].into_iter().chain(id))
}

fn list(folder: &Path) -> Vec<Value> {
    let listed = run(folder, ["backup", "list", "--format", "json", "backups"]).json();
    listed.as_array().unwrap().clone()
}

#[test]
fn collections_that_are_left_out_are_told() {
    let folder = folder(&[("mills.html", MILLS.as_bytes())]);
    ingest(folder.path(), &["mills.html".to_owned()]);
    assert_eq!(run(folder.path(), ["backup", "create", "--data", "data", "backups"]).err, "");
    let own = ["ingest", "--data", "data/collections/news", "mills.html"];
    run(folder.path(), own).success();
    let told = run(folder.path(), ["backup", "create", "--data", "data", "backups"]).err;
    let command = "backup create --data data/collections/news backups-news";
    assert!(told.contains(&format!("the collection news is not in this backup: lopper {command}")), "{told}");
    run(folder.path(), command.split(' ')).success();
}

#[test]
fn a_place_takes_one_collection() {
    let folder = folder(&[("mills.html", MILLS.as_bytes())]);
    ingest(folder.path(), &["mills.html".to_owned()]);
    run(folder.path(), ["ingest", "--data", "other", "mills.html"]).success();
    create(folder.path());
    let refused = run(folder.path(), ["backup", "create", "--data", "other", "backups"]);
    assert_eq!(refused.code, Some(1), "{}", refused.out);
    assert!(refused.err.contains("of another collection"), "{}", refused.err);
    // What is restored is the same collection, and so is what is rebuilt.
    restore(folder.path(), "restored", None).success();
    run(folder.path(), ["rebuild", "--data", "restored"]).success();
    run(folder.path(), ["backup", "create", "--data", "restored", "backups"]).success();
    assert_eq!(list(folder.path()).len(), 2);
    // Folders of earlier versions have no name, and are taken.
    let marker = folder.path().join("other/LOPPER");
    let two_lines: Vec<String> = fs::read_to_string(&marker).unwrap().lines().take(2).map(str::to_owned).collect();
    fs::write(&marker, two_lines.join("\n")).unwrap();
    run(folder.path(), ["backup", "create", "--data", "other", "backups"]).success();
}

/// What a folder answers, without the times.
fn answers(folder: &Path, data: &str) -> Vec<Value> {
    let queries = ["domain names", "the", "mills grind", "news"].iter();
    let mut answers: Vec<Value> = queries
        .map(|query| run(folder, ["search", "--data", data, "--explain", "--facets", "--format", "json", query]).json())
        .collect();
    answers.push(run(folder, ["stats", "--data", data, "--format", "json"]).json());
    answers.push(run(folder, ["ingest", "report", "--data", data, "--format", "json"]).json());
    for answer in &mut answers {
        if let Some(answer) = answer.as_object_mut() {
            answer.remove("duration_ms");
        }
    }
    answers
}

/// The paths of all chunks.
fn chunks(folder: &Path) -> Vec<std::path::PathBuf> {
    let all = folder.join("backups/chunks");
    let below =
        |name: String| names_in(&all.join(&name)).into_iter().map(|chunk| all.join(&name).join(chunk)).collect();
    names_in(&all).into_iter().flat_map(|name| -> Vec<_> { below(name) }).collect()
}

#[test]
fn a_restored_folder_is_sound_and_gives_the_same_answers() {
    let folder = ingested(&ARCHIVES);
    run(folder.path(), ["delete", "--data", "data", "--host", "www.bbc.co.uk"]).success();
    run(folder.path(), ["keys", "add", "--data", "data", "ann"]).success();
    let expected = answers(folder.path(), "data");
    let made = create(folder.path());
    assert_eq!(made["new_bytes"], made["bytes"], "{made}");
    let told = restore(folder.path(), "other/data", None).success();
    assert!(told.contains("it is sound"), "{told}");
    assert_eq!(answers(folder.path(), "other/data"), expected);
    let verified = run(folder.path(), ["verify", "--data", "other/data", "--format", "json"]).json();
    assert_eq!((&verified["faults"], &verified["beside_others"]), (&serde_json::json!([]), &false.into()));
    for command in ["takedowns", "keys list"] {
        let told = |data| run(folder.path(), command.split(' ').chain(["--data", data])).success();
        assert!(told("other/data") == told("data") && told("data").lines().count() == 1, "{command}");
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let keys = fs::metadata(folder.path().join("other/data/keys.json")).unwrap();
        assert_eq!(keys.permissions().mode() & 0o777, 0o600);
    }
    // It goes on like the one that it was made of.
    for data in ["data", "other/data"] {
        run(folder.path(), ["ingest", "--data", data, "--bodies", "keep", "mills.html"]).success();
    }
    assert_eq!(answers(folder.path(), "other/data"), answers(folder.path(), "data"));
    let refused = restore(folder.path(), "other/data", None);
    assert!(refused.code == Some(1) && refused.err.contains("is not empty: choose a new"), "{refused:?}");
}

#[test]
fn what_is_there_is_not_copied_again_and_old_backups_go() {
    let folder = ingested(&ARCHIVES);
    let first = create(folder.path());
    assert_eq!(create(folder.path())["new_bytes"], 0);
    let of_first = answers(folder.path(), "data");
    ingest(folder.path(), &["mills.html".to_owned()]);
    let third = create(folder.path());
    let [new, bytes] = ["new_bytes", "bytes"].map(|name| third[name].as_u64().unwrap());
    assert!(new > 0 && new < bytes / 3, "{new} of {bytes} bytes were copied for one small page");
    let listed = list(folder.path());
    let ids: Vec<&str> = listed.iter().map(|entry| entry["id"].as_str().unwrap()).collect();
    assert_eq!((ids.len(), ids[0], ids[2]), (3, first["id"].as_str().unwrap(), third["id"].as_str().unwrap()));
    assert_eq!(listed[2], third);
    restore(folder.path(), "first", Some(ids[0])).success();
    assert_eq!(answers(folder.path(), "first"), of_first);
    let before = chunks(folder.path()).len();
    let pruned = run(folder.path(), ["backup", "prune", "--keep", "1", "--format", "json", "backups"]).json();
    assert_eq!(pruned["snapshots"], serde_json::json!(ids[..2]));
    let after = chunks(folder.path()).len();
    assert_eq!(pruned["chunks"], before - after);
    assert!(after < before && list(folder.path()).len() == 1);
    let verified = run(folder.path(), ["backup", "verify", "--format", "json", "backups"]).json();
    assert_eq!((&verified["unused"], &verified["chunks"]), (&0.into(), &after.into()));
    restore(folder.path(), "third", None).success();
    assert_eq!(answers(folder.path(), "third"), answers(folder.path(), "data"));
    let gone = restore(folder.path(), "fourth", Some(ids[0]));
    assert!(gone.code == Some(1) && gone.err.contains("`lopper backup list` lists them"), "{gone:?}");
}

/// Snapshots beside a run that commits all the time, each restored.
#[test]
fn a_backup_beside_an_ingest_is_of_one_moment() {
    let folder = ingested(&ARCHIVES[1..2]);
    fs::write(folder.path().join("lopper.toml"), "[ingest]\nbatch_records = 1\n").unwrap();
    let mut ingest = lopper(folder.path());
    ingest.args(["ingest", "--data", "data", "--bodies", "keep"]).args(ARCHIVES.map(archive));
    let mut child = ingest.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut made = Vec::new();
    while child.try_wait().unwrap().is_none() {
        made.push(create(folder.path()));
    }
    assert!(child.wait().unwrap().success());
    made.push(create(folder.path()));
    let sequences: Vec<u64> = made.iter().map(|made| made["sequence"].as_u64().unwrap()).collect();
    assert!(sequences.is_sorted() && sequences.first() < sequences.last(), "{sequences:?}");
    // Some of them: each is a whole folder.
    for made in made.iter().step_by(made.len().div_ceil(6)).chain(made.last()) {
        let data = format!("restored-{}", made["id"].as_str().unwrap());
        if folder.path().join(&data).exists() {
            continue;
        }
        restore(folder.path(), &data, made["id"].as_str()).success();
        let stats = run(folder.path(), ["stats", "--data", &data, "--format", "json"]).json();
        assert_eq!((&stats["distinct_pages"], &stats["sequence"]), (&made["pages"], &made["sequence"]));
        run(folder.path(), ["verify", "--data", &data]).success();
    }
    restore(folder.path(), "last", None).success();
    assert_eq!(answers(folder.path(), "last"), answers(folder.path(), "data"));
}

#[test]
fn a_backup_that_is_killed_is_none() {
    for (point, is_made) in
        [("backup.chunk:1", false), ("backup.chunk:7", false), ("backup.chunks:1", false), ("backup.manifest:1", true)]
    {
        let folder = ingested(&ARCHIVES[1..2]);
        let first = create(folder.path());
        ingest(folder.path(), &["mills.html".to_owned(), archive(ARCHIVES[0]).display().to_string()]);
        let mut command = lopper(folder.path());
        command.args(["backup", "create", "--data", "data", "backups"]).env("LOPPER_FAILPOINT", point);
        let died = command.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
        assert!(!died.success(), "{point}");
        assert_eq!(list(folder.path()).len(), 1 + usize::from(is_made), "{point}");
        run(folder.path(), ["backup", "verify", "backups"]).success();
        restore(folder.path(), "former", first["id"].as_str()).success();
        let second = create(folder.path());
        assert!(second["new_bytes"].as_u64() < second["bytes"].as_u64(), "{point}: what was copied stays");
        assert_eq!(second["new_bytes"] == 0, point.starts_with("backup.chunks") || is_made, "{point}");
        restore(folder.path(), "again", None).success();
        assert_eq!(answers(folder.path(), "again"), answers(folder.path(), "data"), "{point}");
        run(folder.path(), ["backup", "prune", "--keep", "1", "backups"]).success();
        let verified = run(folder.path(), ["backup", "verify", "--format", "json", "backups"]).json();
        assert_eq!(verified["unused"], 0, "{point}");
    }
}

#[test]
fn a_flipped_byte_is_found_and_not_restored() {
    let folder = ingested(&ARCHIVES[1..2]);
    let id = create(folder.path())["id"].as_str().unwrap().to_owned();
    let manifest = folder.path().join("backups/snapshots").join(&id);
    let all = chunks(folder.path());
    assert!(all.len() > 10, "{all:?}");
    for (number, path) in all.iter().chain([&manifest]).enumerate() {
        let sound = fs::read(path).unwrap();
        let mut bytes = sound.clone();
        let at = bytes.len() / 2;
        bytes[at] ^= 1;
        fs::write(path, bytes).unwrap();
        let verified = run(folder.path(), ["backup", "verify", "backups"]);
        let name = path.file_name().unwrap().to_str().unwrap();
        assert!(verified.code == Some(1) && verified.out.contains(name), "{name}: {verified:?}");
        let refused = restore(folder.path(), &format!("restored-{number}"), Some(&id));
        assert!(refused.code == Some(1) && refused.err.contains("the backup is damaged"), "{name}: {refused:?}");
        fs::write(path, sound).unwrap();
    }
    fs::remove_file(&all[3]).unwrap();
    let verified = run(folder.path(), ["backup", "verify", "backups"]);
    assert!(verified.code == Some(1) && verified.out.contains("is missing"), "{verified:?}");
    create(folder.path());
    run(folder.path(), ["backup", "verify", "backups"]).success();
}

#[test]
fn other_folders_are_no_backups() {
    let folder = folder(&[("mills.html", MILLS.as_bytes())]);
    for command in ["list", "verify", "restore"] {
        let refused = run(folder.path(), ["backup", command, "none"]);
        assert!(refused.code == Some(1) && refused.err.contains("holds no backups of lopper"), "{refused:?}");
    }
    let refused = run(folder.path(), ["backup", "create", "--data", "none", "backups"]);
    assert!(refused.code == Some(1) && refused.err.contains("there is no data in none"), "{refused:?}");
    assert!(!folder.path().join("backups").exists());
    run(folder.path(), ["ingest", "--data", "data", "mills.html"]).success();
    let refused = run(folder.path(), ["backup", "create", "--data", "data", "."]);
    assert!(refused.code == Some(1) && refused.err.contains("holds no backups of lopper"), "{refused:?}");
}
