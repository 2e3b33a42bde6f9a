//! Parts by many workers, and a collection of them: what an ingest of the archives gives, whatever is killed, hangs or is broken on the way.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use lopper_collection::DataFolder;
use lopper_collection::ingest::verify;
use lopper_collection::parts::{ByteRange, PartCounts, PartInput, PartReader, is_part_name};
use lopper_content::limits::Limits;
use lopper_content::pipeline::ExtractParams;
use lopper_content::statistics::StatisticsSnapshot;
use lopper_faults::failpoint::POINTS;
use lopper_store::RecordSums;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::crash::Numbers;
use crate::support::{archive, archives, copy_folder, lopper, names_in, repository, run};

/// Pages of several kinds, revisits, duplicates, failures, several containers.
const ARCHIVES: [&str; 9] = [
    "derived__chatnoir-cc-filtered.warc.gz",
    "webrecorder-warcio__example-iana.org-chunked.warc",
    "sbeckeriv-warc_nom_parser__bbc.warc",
    "netarchivesuite-jwat__small_BNF.arc",
    "oduwsdl-ipwb__5mementos.warc",
    "oduwsdl-ipwb__salam-home.warc",
    "netarchivesuite-jwat__invalid-warcfile-record-then-garbage.warc",
    "webrecorder-py-wacz__valid_example_2.wacz",
    "ispras-dedoc__example.mhtml",
];

/// Few records a commit, so that statistics change on the way.
const SETTINGS: &str = "[ingest]\nbatch_records = 5\n";

/// All that a collection holds.
#[derive(PartialEq)]
struct Content {
    /// By block: its document, in full.
    blocks: BTreeMap<String, String>,
    /// By page: its stored row and tree.
    pages: BTreeMap<String, (String, Vec<u8>)>,
    sums: RecordSums,
    statistics: StatisticsSnapshot,
}

fn scene() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("lopper.toml"), SETTINGS).unwrap();
    folder
}

fn content(data: &Path) -> Content {
    let report = verify(data, ExtractParams::default(), false).unwrap();
    assert_eq!(report.faults, []);
    let collection = DataFolder::open_to_read(data).unwrap();
    let searcher = collection.index().searcher();
    let (mut blocks, mut pages) = (BTreeMap::new(), BTreeMap::new());
    for page in collection.store().pages().map(Result::unwrap) {
        for block in searcher.blocks_of_page(&page.id.to_string()).unwrap() {
            blocks.insert(block.block_id.clone(), format!("{block:?}"));
        }
        let tree = collection.store().tree_bytes(page.id).unwrap().unwrap();
        pages.insert(page.id.to_string(), (format!("{page:?}"), tree));
    }
    let (sums, statistics) = (collection.store().sums().unwrap(), collection.store().snapshot());
    Content { blocks, pages, sums, statistics }
}

fn ingest(folder: &Path, data: &str, paths: &[PathBuf]) -> Content {
    let mut command = lopper(folder);
    command.args(["ingest", "--data", data, "--progress", "none", "--threads", "3"]).args(paths);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    content(&folder.join(data))
}

fn worker(folder: &Path) -> Command {
    let mut command = lopper(folder);
    command.args(["worker", "--output", "parts"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs a worker on jobs; gives its answers.
fn answers(command: &mut Command, jobs: &str) -> Vec<Value> {
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(jobs.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn job(archive: &Path) -> String {
    format!("{}\n", json!({ "archive": archive, "attempt": 1 }))
}

/// Has four workers make the parts of jobs at the same time; gives the parts in the order of the jobs.
fn parts_by_four(folder: &Path, jobs: &[String]) -> Vec<PathBuf> {
    let mut parts: Vec<(usize, PathBuf)> = thread::scope(|scope| {
        let quarter = |first: usize| {
            let own: Vec<usize> = (0..jobs.len()).skip(first).step_by(4).collect();
            let text: String = own.iter().map(|job| jobs[*job].clone()).collect();
            let answers = answers(&mut worker(folder), &text);
            assert_eq!(answers.len(), own.len());
            let part = |answer: &Value| {
                folder.join("parts").join(answer["part"].as_str().unwrap_or_else(|| panic!("{answer}")))
            };
            own.into_iter().zip(answers.iter().map(part).collect::<Vec<_>>()).collect::<Vec<_>>()
        };
        let four: Vec<_> = (0..4).map(|first| scope.spawn(move || quarter(first))).collect();
        four.into_iter().flat_map(|quarter| quarter.join().unwrap()).collect()
    });
    parts.sort();
    parts.into_iter().map(|(_, part)| part).collect()
}

fn assert_same(found: &Content, expected: &Content, told: &str) {
    assert!(expected.blocks.len() > 20 && expected.sums.indexed > 5, "{:?}", expected.sums);
    assert_eq!(found.sums, expected.sums, "{told}");
    assert!(found.blocks == expected.blocks, "{told}: blocks");
    assert!(found.pages == expected.pages, "{told}: pages");
    assert!(found.statistics == expected.statistics, "{told}: statistics");
}

#[test]
fn four_workers_and_an_ingest_of_their_parts_give_what_an_ingest_gives() {
    let scene = scene();
    let archives = ARCHIVES.map(archive);
    let plain = ingest(scene.path(), "plain", &archives);
    assert!(plain.sums.failed > 0, "{:?}", plain.sums);
    let parts = parts_by_four(scene.path(), &archives.each_ref().map(|archive| job(archive)));
    let from_parts = ingest(scene.path(), "data", &parts);
    assert_same(&from_parts, &plain, "parts");
    assert!(ingest(scene.path(), "data", &parts) == plain, "a part is taken once");
    assert!(ingest(scene.path(), "data", &archives) == plain, "and so is the archive that it was made of");
    let kept = ingest(scene.path(), "kept", &archives[..1]);
    assert!(kept != plain, "archives count");
}

/// The demo's archive in four ranges whose borders are anywhere.
#[test]
fn the_demo_in_four_ranges_answers_as_the_demo() {
    let scene = scene();
    let name = names_in(&repository("demo")).into_iter().find(|name| name.contains(".warc")).unwrap();
    let demo = repository("demo").join(name);
    let length = fs::metadata(&demo).unwrap().len();
    let borders = [0, length / 5, length / 2, length * 3 / 4, length];
    let range = |at: usize| format!("{}\n", json!({ "archive": demo, "range": [borders[at], borders[at + 1]] }));
    let parts = parts_by_four(scene.path(), &[0, 1, 2, 3].map(range));
    let plain = ingest(scene.path(), "plain", std::slice::from_ref(&demo));
    let from_parts = ingest(scene.path(), "data", &parts);
    assert_same(&from_parts, &plain, "ranges");
    for query in ["how do I contact support", "privacy", "history of the company", "\"terms of use\" OR price"] {
        let answer = |data: &str| {
            let mut answer = run(scene.path(), ["search", "--data", data, "--format", "json", query]).json();
            answer.as_object_mut().unwrap().retain(|name, _| !name.contains("ms") && name != "timings");
            answer
        };
        assert_eq!(answer("data"), answer("plain"), "{query}");
    }
}

/// Whatever the borders of ranges are, each record is in one of them.
#[test]
fn ranges_share_nothing_and_leave_nothing_out() {
    let mut numbers = Numbers::new();
    for name in [
        "derived__chatnoir-cc-filtered.warc.gz",
        "archivesunleashed-aut__issue-493.warc",
        "oduwsdl-ipwb__5mementos.warc",
    ] {
        let (path, limits) = (archive(name), Limits::default());
        let offsets = |range: Option<ByteRange>| {
            let input = PartInput::open(&path, range, &limits).unwrap();
            input.filter_map(Result::ok).map(|record| (record.offset_bytes, record.url)).collect::<Vec<_>>()
        };
        let (whole, length) = (offsets(None), fs::metadata(&path).unwrap().len());
        assert!(whole.len() > 2, "{name}");
        for _ in 0..20 {
            let mut borders = vec![0, length];
            (0..3).for_each(|_| borders.push(numbers.below(length)));
            // On a record's first byte as well.
            borders.push(whole[numbers.below(whole.len() as u64) as usize].0);
            borders.sort_unstable();
            let ranges = borders.windows(2).filter(|ends| ends[0] < ends[1]);
            let found: Vec<_> =
                ranges.flat_map(|ends| offsets(Some(ByteRange { start: ends[0], end: ends[1] }))).collect();
            assert_eq!(found, whole, "{name} at {borders:?}");
        }
    }
}

/// Every archive there is, sound or broken: its part stands for it.
#[test]
fn parts_of_all_archives_stand_for_them() {
    let scene = scene();
    let archives: Vec<PathBuf> = archives().iter().map(|name| archive(name)).collect();
    let is_readable = |path: &&PathBuf| lopper_archive::open(path, &Limits::default()).is_ok();
    let readable: Vec<PathBuf> = archives.iter().filter(is_readable).cloned().collect();
    assert!(readable.len() > 40, "{}", readable.len());
    let jobs: Vec<String> = readable.iter().map(|archive| job(archive)).collect();
    let parts = parts_by_four(scene.path(), &jobs);
    let plain = ingest(scene.path(), "plain", &readable);
    assert!(plain.sums.failed > 0 && plain.sums.revisits > 0 && plain.sums.duplicates > 0, "{:?}", plain.sums);
    assert_same(&ingest(scene.path(), "data", &parts), &plain, "all archives");
}

#[test]
fn a_part_has_the_same_bytes_whoever_makes_it() {
    let (one, two) = (scene(), scene());
    let jobs: String = ARCHIVES.map(|name| job(&archive(name))).concat();
    let told = |folder: &Path| {
        let answers = answers(&mut worker(folder), &jobs);
        answers.iter().map(|answer| (answer["part"].clone(), answer["sha256"].clone())).collect::<Vec<_>>()
    };
    let first = told(one.path());
    assert!(first.iter().all(|(_, digest)| digest.as_str().is_some_and(|digest| digest.len() == 64)));
    assert_eq!(first, told(two.path()));
    let again = answers(&mut worker(one.path()), &jobs);
    assert!(again.iter().all(|answer| answer["published"] == "existing"), "{again:?}");
    assert_eq!(
        again.iter().map(|answer| (answer["part"].clone(), answer["sha256"].clone())).collect::<Vec<_>>(),
        first
    );
}

#[test]
fn parts_are_lines_for_any_program_and_counts_add_up() {
    let scene = scene();
    let jobs: Vec<String> = ARCHIVES.iter().take(4).map(|name| job(&archive(name))).collect();
    let parts = parts_by_four(scene.path(), &jobs);
    let text = zstd::decode_all(fs::File::open(&parts[0]).unwrap()).unwrap();
    let lines: Vec<Value> = text
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect();
    assert_eq!(lines[0]["lopper_part"], 2);
    let page = lines.iter().find(|line| line["became"] == "page").unwrap();
    assert!(page["page"]["url"].as_str().unwrap().starts_with("http"));
    assert!(!page["blocks"][0]["text"].as_str().unwrap().is_empty());
    assert_eq!(lines.last().unwrap()["end"]["records"], lines.len() as u64 - 2);

    run(scene.path(), ["merge-counts", "--output", "all.counts", "parts"]).success();
    let sum = PartCounts::read(&scene.path().join("all.counts")).unwrap().snapshot();
    let pages = parts.iter().map(|part| {
        let mut reader = PartReader::open(part).unwrap();
        while reader.next_line().unwrap().is_some() {}
        reader.end().unwrap().pages
    });
    assert_eq!(sum.page_count(), pages.sum::<u64>());
    // Weighed by these, the parts are others, and the collection that takes them in is the same.
    let jobs = jobs.concat();
    let weighed = answers(worker(scene.path()).args(["--counts", "all.counts"]), &jobs);
    let weighed: Vec<PathBuf> =
        weighed.iter().map(|answer| scene.path().join("parts").join(answer["part"].as_str().unwrap())).collect();
    assert!(weighed.iter().zip(&parts).all(|(one, other)| one != other));
    assert_same(&ingest(scene.path(), "weighed", &weighed), &ingest(scene.path(), "data", &parts), "weighed");
}

/// Workers and the writer are killed at any time; whoever starts again ends in the same.
#[test]
fn kills_change_nothing() {
    let mut numbers = Numbers::new();
    let scene = scene();
    let archives = ARCHIVES.map(archive);
    let plain = ingest(scene.path(), "plain", &archives);
    let jobs: String = archives.each_ref().map(|archive| job(archive)).concat();
    for _ in 0..6 {
        let mut child = worker(scene.path()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(jobs.as_bytes()).unwrap();
        thread::sleep(Duration::from_millis(numbers.below(1500)));
        child.kill().unwrap();
        child.wait().unwrap();
        // Whatever is there is whole.
        for name in names_in(&scene.path().join("parts")).iter().filter(|name| is_part_name(Path::new(name))) {
            let part = scene.path().join("parts").join(name);
            let mut reader = PartReader::open(&part).unwrap();
            while reader.next_line().unwrap().is_some() {}
            assert!(fs::metadata(part.with_file_name(format!("{name}.counts"))).is_ok(), "a part has its counts");
        }
    }
    let parts: Vec<PathBuf> = answers(&mut worker(scene.path()), &jobs)
        .iter()
        .map(|answer| scene.path().join("parts").join(answer["part"].as_str().unwrap()))
        .collect();
    for point in POINTS.iter().filter(|point| !point.starts_with("rebuild.") && **point != "file.made") {
        let mut command = lopper(scene.path());
        command.args(["ingest", "--data", "killed", "--progress", "none"]).args(&parts).stdout(Stdio::null());
        let passes = 1 + numbers.below(2);
        command.stderr(Stdio::null()).env("LOPPER_FAILPOINT", format!("{point}:{passes}")).status().unwrap();
        // Opening mends what a crash leaves.
        drop(DataFolder::open_to_write(&scene.path().join("killed"), ExtractParams::default()).unwrap());
        content(&scene.path().join("killed"));
    }
    assert_same(&ingest(scene.path(), "killed", &parts), &plain, "after kills");
}

/// A record that hangs, dies or grows costs itself, and is told with its place.
#[test]
fn a_record_that_stops_the_worker_is_left_out() {
    let name = "derived__chatnoir-cc-filtered.warc.gz";
    for (harm, told) in [("hang", "more than 1.5 s"), ("abort", "process ended"), ("grow", "MB of memory")] {
        let scene = scene();
        let mut command = worker(scene.path());
        command.args(["--record-seconds", "1.5", "--memory-max-mb", "300"]);
        command.env("LOPPER_POISON", format!("{harm}:fahrerstatistik_801/Anthony_Ravard"));
        let answers = answers(&mut command, &job(&archive(name)));
        let left_out = answers[0]["quarantined"].as_array().unwrap_or_else(|| panic!("{harm}: {answers:?}"));
        assert!(!left_out.is_empty(), "{harm}: {answers:?}");
        for record in left_out {
            assert!(record["reason"].as_str().unwrap().contains(told), "{harm}: {record}");
            assert!(record["offset_bytes"].as_u64().unwrap() > 0);
        }
        assert!(answers[0]["pages"].as_u64().unwrap() > 0);
        let part = scene.path().join("parts").join(answers[0]["part"].as_str().unwrap());
        let found = ingest(scene.path(), "data", &[part]);
        assert_eq!(found.sums.failed, left_out.len() as u64, "{harm}");
    }
}

/// A process whose watcher is killed ends by itself, and takes away what it was writing.
#[test]
fn no_process_is_left_behind() {
    let scene = scene();
    let writing = || fs::read_dir(scene.path().join("parts/.incomplete")).map_or(0, Iterator::count);
    let within_ten_seconds = |is_so: &dyn Fn() -> bool| {
        (0..200).any(|_| {
            thread::sleep(Duration::from_millis(50));
            is_so()
        })
    };
    let mut command = worker(scene.path());
    command.env("LOPPER_POISON", "hang:fahrerstatistik_801/Anthony_Ravard");
    let mut child = command.spawn().unwrap();
    child.stdin.as_mut().unwrap().write_all(job(&archive(ARCHIVES[0])).as_bytes()).unwrap();
    assert!(within_ten_seconds(&|| writing() == 1), "it is at work");
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(within_ten_seconds(&|| writing() == 0), "it has ended");
    assert!(names_in(&scene.path().join("parts")).iter().all(|name| !is_part_name(Path::new(name))));
}

#[test]
fn garbage_gives_answers_and_not_an_end() {
    let scene = scene();
    fs::write(scene.path().join("noise"), [7u8; 3000]).unwrap();
    fs::write(scene.path().join("empty.warc"), "").unwrap();
    let sound = archive(ARCHIVES[0]);
    let jobs = format!(
        "no job\n{{\"archive\": 7}}\n{}{}{}\n{}",
        job(&scene.path().join("noise")),
        job(&scene.path().join("missing.warc")),
        json!({ "archive": "empty.warc" }),
        job(&sound)
    );
    let mut command = worker(scene.path());
    let answers = answers(&mut command, &jobs);
    let codes: Vec<&str> = answers.iter().map(|answer| answer["code"].as_str().unwrap_or("made")).collect();
    assert_eq!(codes, ["job_unreadable", "job_unreadable", "archive_unknown", "io", "made", "made"]);
    assert!(answers[3]["error"].as_str().unwrap().contains("missing.warc"), "{}", answers[3]);
    assert_eq!(names_in(&scene.path().join("parts/.incomplete")), [] as [&str; 0]);
}

#[test]
fn damaged_parts_are_told_and_cost_what_is_damaged() {
    let scene = scene();
    let archives = [archive(ARCHIVES[0]), archive(ARCHIVES[1])];
    let plain = ingest(scene.path(), "plain", &archives);
    let parts = parts_by_four(scene.path(), &archives.each_ref().map(|archive| job(archive)));
    let sound = fs::read(&parts[0]).unwrap();
    let mut flipped = sound.clone();
    flipped[sound.len() / 2] ^= 4;
    let other_version = zstd::decode_all(&sound[..]).unwrap();
    let other_version = String::from_utf8(other_version).unwrap().replacen(env!("CARGO_PKG_VERSION"), "9.9.9", 1);
    let other_version = zstd::encode_all(other_version.as_bytes(), 1).unwrap();
    for (bytes, told) in [
        (&sound[..sound.len() / 2], "remove the part"),
        (&flipped, "remove the part"),
        (b"no zstd", "remove the part"),
        (&other_version, "9.9.9"),
    ] {
        fs::write(&parts[0], bytes).unwrap();
        let run = run(scene.path(), [["ingest", "--data", "data"].map(PathBuf::from).to_vec(), parts.clone()].concat());
        assert_eq!(run.code, Some(1), "{run:?}");
        assert!(run.out.contains(told), "{told}: {run:?}");
    }
    fs::write(&parts[0], &sound).unwrap();
    let mended = ingest(scene.path(), "data", &parts);
    assert!(mended.pages.keys().eq(plain.pages.keys()), "nothing was taken of the damaged part");
    assert_eq!(mended.sums.failed, plain.sums.failed + 1, "which stands in the ledger");
    fs::write(scene.path().join("lopper.toml"), "[extract]\nprune = \"paper\"\n").unwrap();
    let other = run(scene.path(), ["ingest", "--data", "other", &parts[0].to_string_lossy()]);
    assert!(other.code == Some(1) && other.out.contains("other extraction parameters"), "{other:?}");
}

/// On a disk that is too small a worker says so, leaves nothing, and goes through when there is room.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_and_leaves_nothing() {
    const SCRIPT: &str = "mkdir -p parts && mount -t tmpfs -o size=64k tmpfs parts || exit 77
        \"$0\" worker --output parts \"$1\" > told; code=$?; ls -A parts parts/.incomplete >> told
        mount -o remount,size=64m parts || exit 77
        \"$0\" worker --output parts \"$1\" >> told && exit $code; exit 99";
    let scene = scene();
    let mut shell = Command::new("unshare");
    shell
        .args(["-rm", "sh", "-c", SCRIPT, env!("CARGO_BIN_EXE_lopper")])
        .arg(archive(ARCHIVES[0]))
        .current_dir(scene.path());
    let Ok(output) = shell.output() else { return };
    let told = fs::read_to_string(scene.path().join("told")).unwrap_or_default();
    if output.status.code() == Some(77) || told.is_empty() {
        eprintln!("skipped: this user may not mount");
        return;
    }
    assert_eq!(output.status.code(), Some(1), "{told} {output:?}");
    let lines: Vec<&str> = told.lines().collect();
    assert!(lines[0].contains("\"code\":\"disk_full\"") && lines[0].contains("the disk is full"), "{told}");
    assert!(told.contains("\"published\":\"created\""), "{told}");
    assert!(!lines[1..lines.len() - 1].iter().any(|name| name.contains("warc")), "{told}");
}

/// Parts that are made with the HTML give it to a collection that keeps it.
#[test]
fn html_goes_with_the_pages_when_asked() {
    let scene = scene();
    let archive = archive(ARCHIVES[0]);
    run(scene.path(), ["ingest", "--data", "plain", "--bodies", "keep", &archive.to_string_lossy()]).success();
    let answer = &answers(worker(scene.path()).arg("--html"), &job(&archive))[0];
    let part = format!("parts/{}", answer["part"].as_str().unwrap());
    run(scene.path(), ["ingest", "--data", "data", "--bodies", "keep", &part]).success();
    let plain = content(&scene.path().join("plain"));
    assert_same(&content(&scene.path().join("data")), &plain, "kept");
    assert!(plain.pages.values().all(|(row, _)| row.contains("body: Kept")));
    copy_folder(&scene.path().join("parts"), &scene.path().join("elsewhere"));
    let again = run(scene.path(), ["ingest", "--data", "data", "elsewhere"]).success();
    assert!(again.contains("already ingested"), "{again}");
}

/// What is behind a URL comes from a command; one that fails, at once or late, leaves no part.
#[cfg(unix)]
#[test]
fn archives_behind_urls_are_fetched_by_a_command() {
    let scene = scene();
    let name = ARCHIVES[0];
    let from = archive(name).parent().unwrap().to_path_buf();
    let jobs = |versions: &[&str]| -> String {
        let job =
            |version: &&str| format!("{}\n", json!({ "archive": format!("s3://bucket/{name}"), "version": version }));
        versions.iter().map(job).collect()
    };
    let fetched = |command: &str, versions: &[&str]| {
        let mut worker = worker(scene.path());
        worker.args(["--fetch", command]).env("FROM", &from);
        answers(&mut worker, &jobs(versions))
    };
    for (command, told) in
        [("exit 7", "exit status: 7"), ("head -c 60000 \"$FROM/$(basename \"$1\")\"; exit 9", "exit status: 9")]
    {
        let failed = fetched(command, &["1"]);
        assert!(failed[0]["error"].as_str().is_some_and(|error| error.contains(told)), "{failed:?}");
        assert!(failed[0]["error"].as_str().unwrap().contains("s3://bucket/"), "{failed:?}");
        assert!(names_in(&scene.path().join("parts")).iter().all(|name| !is_part_name(Path::new(name))));
    }
    let made = fetched("cat \"$FROM/$(basename \"$1\")\"", &["1", "1", "2"]);
    let published: Vec<&Value> = made.iter().map(|answer| &answer["published"]).collect();
    assert_eq!(published, ["created", "existing", "created"], "{made:?}");
    let plain = ingest(scene.path(), "plain", &[archive(name)]);
    let part = scene.path().join("parts").join(made[0]["part"].as_str().unwrap());
    let from_part = ingest(scene.path(), "data", &[part]);
    assert_eq!(from_part.sums, plain.sums);
    assert!(from_part.blocks == plain.blocks && from_part.statistics == plain.statistics);
    let unsaid = answers(&mut worker(scene.path()), &jobs(&["1"]).replace("s3://", "gs://"));
    assert!(unsaid[0]["error"].as_str().unwrap().contains("--fetch"), "{unsaid:?}");
}

/// The drivers that need nothing but a shell: the list of archives goes in, the same collection comes out.
#[cfg(unix)]
#[test]
fn drivers_of_the_shell_make_the_parts() {
    let scene = scene();
    // A name that a shell would take apart.
    let odd = scene.path().join("an odd 'name'.warc");
    fs::copy(archive(ARCHIVES[1]), &odd).unwrap();
    let archives = [archive(ARCHIVES[0]), odd, archive(ARCHIVES[4])];
    let names: Vec<String> = archives.iter().map(|path| path.display().to_string()).collect();
    fs::write(scene.path().join("list"), names.join("\n") + "\n").unwrap();
    let plain = ingest(scene.path(), "plain", &archives);
    let drive = |driver: &str, parts: &str, variables: &[(&str, &str)]| {
        let mut command = Command::new(repository("deploy").join(driver));
        command.args(["list", parts]).current_dir(scene.path()).env("LOPPER", env!("CARGO_BIN_EXE_lopper"));
        let output = command.envs(variables.iter().copied()).output().unwrap();
        assert!(output.status.success(), "{driver}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let receipts = drive("xargs.sh", "parts", &[]);
    assert_eq!(receipts.lines().filter(|line| line.contains("\"published\":\"created\"")).count(), 3, "{receipts}");
    for task in ["1", "2"] {
        let array = [("SLURM_ARRAY_TASK_MIN", "1"), ("SLURM_ARRAY_TASK_COUNT", "2"), ("SLURM_ARRAY_TASK_ID", task)];
        drive("slurm.sbatch", "slurm", &array);
    }
    let parts = |folder: &str| {
        let names = names_in(&scene.path().join(folder));
        names.into_iter().filter(|name| is_part_name(Path::new(name))).collect::<Vec<_>>()
    };
    assert_eq!(parts("slurm"), parts("parts"));
    let taken = ingest(scene.path(), "data", &[scene.path().join("slurm")]);
    assert!(taken.pages.keys().eq(plain.pages.keys()) && taken.sums == plain.sums);
}

/// The recipe, with files in the place of Common Crawl.
#[cfg(unix)]
#[test]
fn a_crawl_goes_from_its_list_to_a_collection() {
    let scene = scene();
    let names = [ARCHIVES[0], ARCHIVES[1]];
    fs::write(scene.path().join("paths"), names.join("\n") + "\n").unwrap();
    let base = format!("{}/", repository("tests/archives").display());
    for round in ["first", "again"] {
        let mut script = Command::new(repository("deploy/common-crawl.sh"));
        script.args(["paths", "work", "data", "2"]).current_dir(scene.path()).env("BASE", &base);
        let output = script.env("LOPPER", env!("CARGO_BIN_EXE_lopper")).output().unwrap();
        assert!(output.status.success(), "{round}: {output:?}");
        let told = String::from_utf8(output.stdout).unwrap();
        assert_eq!(told.contains("2 already ingested"), round == "again", "{told}");
    }
    let plain = ingest(scene.path(), "plain", &names.map(archive));
    let crawled = content(&scene.path().join("data"));
    assert!(crawled.pages.keys().eq(plain.pages.keys()) && crawled.sums == plain.sums);
}
