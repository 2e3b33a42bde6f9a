//! Every command that writes calls a full disk that, and goes through when there is room again. The disk is a small one of memory, where this
//! user may mount one.

#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::{Run, archive, names_in, run};

/// Runs a command on a disk without room; then once more with room, and verifies.
const SCRIPT: &str = "mkdir -p small && mount -t tmpfs -o size=64m tmpfs small && cp -r data small/ && mount --bind small/data data || exit 77
    cat /dev/zero > small/rest 2>/dev/null
    \"$0\" \"$@\"; code=$?
    rm small/rest
    \"$0\" \"$@\" > again 2>&1 || exit 98
    \"$0\" verify --data data > verified 2>&1 || exit 99
    exit $code";

fn on_a_full_disk(folder: &Path, command: &[&str]) -> Option<Run> {
    let mut shell = Command::new("unshare");
    shell.args(["-rm", "sh", "-c", SCRIPT, env!("CARGO_BIN_EXE_lopper")]).args(command).current_dir(folder);
    let run: Run = shell.output().ok()?.into();
    (run.code != Some(77) && !run.err.starts_with("unshare")).then_some(run)
}

#[test]
fn a_full_disk_is_called_that_by_every_command_that_writes() {
    let folder = tempfile::tempdir().unwrap();
    let names = ["derived__chatnoir-cc-filtered.warc.gz", "webrecorder-warcio__example-iana.org-chunked.warc"];
    let paths = names.map(|name| archive(name).to_string_lossy().into_owned());
    run(folder.path(), ["ingest", "--data", "data", "--bodies", "keep", &paths[0], &paths[1]]).success();
    run(
        folder.path(),
        ["delete", "--data", "data", "--url", "http://06.live-radsport.ch/fahrerstatistik_801/Anthony_Ravard.html"],
    )
    .success();
    let commands: [&[&str]; 7] = [
        &["ingest", "--data", "data", "--again", &paths[0]],
        &["delete", "--data", "data", "--host", "www.iana.org"],
        &["compact", "--data", "data"],
        &["rebuild", "--data", "data"],
        &["rebuild", "--data", "data", "--from", "bodies"],
        &["verify", "--data", "data", "--mend"],
        &["repair", "--data", "data"],
    ];
    for command in commands {
        if command[0] == "verify" {
            // Now there is something to mend.
            let rows = names_in(&folder.path().join("data")).into_iter().filter(|name| name.starts_with("rows-"));
            rows.for_each(|name| fs::remove_file(folder.path().join("data").join(name)).unwrap());
        }
        let Some(run) = on_a_full_disk(folder.path(), command) else {
            eprintln!("skipped: this user may not mount");
            return;
        };
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap_or_default();
        assert!(run.code == Some(1), "{command:?}: {run:?} {} {}", read("again"), read("verified"));
        assert!(run.err.contains("the disk is full"), "{command:?}: {run:?}");
    }
}
