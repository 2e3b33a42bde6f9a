//! What is told of damage, that nothing panics, and that a rebuild brings back what was kept. Full disks and folders that cannot be written.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use lopper_collection::DataFolder;
use lopper_collection::ingest::{FaultKind, VerifyReport, verify};
use lopper_content::pipeline::ExtractParams;
use tempfile::TempDir;

use crate::support::{Run, archive, copy_folder, names_in, run};

const ARCHIVES: [&str; 3] = [
    "derived__chatnoir-cc-filtered.warc.gz",
    "webrecorder-warcio__example-iana.org-chunked.warc",
    "sbeckeriv-warc_nom_parser__bbc.warc",
];

/// A copy of data with kept bodies.
fn data() -> TempDir {
    static SOUND: OnceLock<TempDir> = OnceLock::new();
    let sound = SOUND.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        for archives in [&ARCHIVES[..1], &ARCHIVES[1..]] {
            ingest(folder.path(), archives, &["--bodies", "keep"]).success();
        }
        folder
    });
    let folder = tempfile::tempdir().unwrap();
    copy_folder(&sound.path().join("data"), &folder.path().join("data"));
    folder
}

fn ingest(folder: &Path, archives: &[&str], flags: &[&str]) -> Run {
    let paths = archives.iter().map(|name| archive(name).to_string_lossy().into_owned());
    let flags = ["ingest", "--data", "data"].iter().chain(flags).map(|flag| (*flag).to_owned());
    run(folder, flags.chain(paths).collect::<Vec<_>>())
}

fn checked(folder: &TempDir, mend: bool) -> VerifyReport {
    verify(&folder.path().join("data"), ExtractParams::default(), mend).unwrap()
}

fn kinds(report: &VerifyReport) -> BTreeSet<&'static str> {
    let name = |kind| match kind {
        FaultKind::Store => "store",
        FaultKind::Published => "published",
        FaultKind::Statistics => "statistics",
        FaultKind::Tree => "tree",
        FaultKind::Body => "body",
        FaultKind::Ledger => "ledger",
        FaultKind::Index => "index",
        FaultKind::Blocks => "blocks",
    };
    report.faults.iter().filter(|fault| !fault.mended).map(|fault| name(fault.kind)).collect()
}

/// The names of all blocks, in index and store.
fn blocks(folder: &TempDir) -> BTreeSet<String> {
    let collection = DataFolder::open_to_write(&folder.path().join("data"), ExtractParams::default()).unwrap();
    let searcher = collection.index().searcher();
    let pages = collection.store().pages().map(|page| page.unwrap().id.to_string());
    pages.flat_map(|page| searcher.blocks_of_page(&page).unwrap()).map(|block| block.block_id).collect()
}

fn file(folder: &TempDir, is_it: impl Fn(&str) -> bool, below: &str) -> PathBuf {
    let place = folder.path().join("data").join(below);
    let name = names_in(&place).into_iter().find(|name| is_it(name)).expect("the file is there");
    place.join(name)
}

fn flip(path: &Path, at: usize) {
    let mut bytes = fs::read(path).unwrap();
    let at = at % bytes.len();
    bytes[at] ^= 0x55;
    fs::write(path, bytes).unwrap();
}

fn halve(path: &Path) {
    let bytes = fs::read(path).unwrap();
    fs::write(path, &bytes[..bytes.len() / 2]).unwrap();
}

/// The program tells of the damage and of the command that helps, or goes on without harm; it does not panic.
fn tells(run: &Run, advice: &str) -> bool {
    assert!(!run.err.contains("panicked") && run.code.is_some(), "{run:?}");
    if run.code == Some(0) {
        return false;
    }
    let told = run.err.starts_with("lopper: ") && run.err.contains(advice);
    assert!(run.code == Some(1) && told, "{run:?}");
    true
}

fn search(folder: &TempDir) -> Run {
    run(folder.path(), ["search", "--data", "data", "domain", "names"])
}

fn repaired(folder: &TempDir, flags: &[&str]) -> Run {
    run(folder.path(), ["repair", "--data", "data"].iter().chain(flags))
}

#[test]
fn sound_data_has_no_fault() {
    let folder = data();
    let report = run(folder.path(), ["verify", "--data", "data", "--format", "json"]).json();
    assert_eq!(report["faults"].as_array().map(Vec::len), Some(0), "{report}");
    assert!(["pages", "blocks", "bodies", "records"].iter().all(|key| report[key].as_u64() > Some(0)), "{report}");
    let text = run(folder.path(), ["verify", "--data", "data", "--mend"]).success();
    assert!(text.contains("The data is sound"), "{text}");
}

#[test]
fn damage_in_the_database_is_told_and_kept_bodies_bring_the_pages_back() {
    let expected = blocks(&data());
    let mut told = 0;
    for part in 0..8 {
        let folder = data();
        let path = folder.path().join("data/store/db");
        let bytes = fs::read(&path).unwrap();
        let used = bytes.iter().rposition(|byte| *byte != 0).unwrap();
        flip(&path, used * part / 8);
        let search = search(&folder);
        assert!(search.code == Some(0) && search.out.contains("iana.org"), "readers do without it: {search:?}");
        if !tells(&run(folder.path(), ["compact", "--data", "data"]), "`lopper repair") {
            continue;
        }
        told += 1;
        let report = run(folder.path(), ["verify", "--data", "data"]);
        assert!(report.code == Some(1) && report.out.contains("Fault "), "{report:?}");
        assert!(report.out.contains("`lopper repair`") && !report.err.contains("panicked"), "{report:?}");
        repaired(&folder, &["--from-bodies"]);
        assert_eq!(checked(&folder, false).faults, []);
        assert_eq!(blocks(&folder), expected);
    }
    assert!(told > 0, "no damage was noticed");
}

#[test]
fn a_damaged_snapshot_does_no_harm() {
    let folder = data();
    let path = file(&folder, |name| name.starts_with("snap."), "store");
    for damage in [|path: &Path| flip(path, 20), |path: &Path| flip(path, 0), |path: &Path| halve(path)] {
        if path.exists() {
            damage(&path);
        }
        search(&folder).success();
        assert_eq!(checked(&folder, false).faults, []);
    }
}

#[test]
fn damage_in_the_index_is_told_and_mended() {
    let expected = blocks(&data());
    for ending in ["term", "idx", "pos", "store", "fast", "fieldnorm", "meta.json"] {
        for at in [0, usize::MAX / 2] {
            let folder = data();
            flip(&file(&folder, |name| name.ends_with(ending), "index"), at);
            tells(&search(&folder), "`lopper rebuild");
            let mended = run(folder.path(), ["verify", "--mend", "--data", "data"]);
            assert!(mended.code == Some(0) && !mended.err.contains("panicked"), "{ending} {at}: {mended:?}");
            assert!(mended.out.contains("Mended") || ending == "meta.json", "{ending} {at}: {mended:?}");
            assert_eq!(blocks(&folder), expected);
        }
    }
}

#[test]
fn pages_that_the_index_lacks_or_has_too_many_of_are_mended() {
    let folder = data();
    let expected = blocks(&folder);
    let index = lopper_index::BlockIndex::open(folder.path().join("data/index")).unwrap();
    let payload = index.committed_payload().unwrap().unwrap();
    let pages: Vec<String> = index.searcher().documents_by_page().unwrap().into_keys().collect();
    let mut writer = index.writer(lopper_index::WriterOptions::default()).unwrap();
    let mut block = index.searcher().blocks_of_page(&pages[1]).unwrap().swap_remove(0);
    writer.delete_page(&pages[0]).unwrap();
    writer.add(&block).unwrap();
    block.page_id = "f".repeat(32);
    writer.add(&block).unwrap();
    writer.commit(&payload).unwrap();
    drop((writer, index));
    let report = checked(&folder, false);
    assert_eq!((report.faults.len(), kinds(&report)), (3, BTreeSet::from(["blocks"])), "{report:?}");
    let mended = checked(&folder, true);
    assert_eq!((mended.faults.len(), mended.faults_left()), (3, 0), "{mended:?}");
    assert_eq!((checked(&folder, false).faults, blocks(&folder)), (vec![], expected));
}

#[test]
fn files_that_were_cut_off_are_told_and_made_anew() {
    let expected = blocks(&data());
    let cases: [(&str, &[&str]); 4] =
        [("trees.bin", &[]), ("pages.bin", &[]), ("bodies.bin", &["body"]), ("ledger.bin", &[])];
    for (name, left) in cases {
        let folder = data();
        halve(&folder.path().join("data").join(name));
        let searched = search(&folder);
        assert!(tells(&searched, "`lopper repair") && searched.err.contains(name), "{searched:?}");
        assert_eq!(kinds(&checked(&folder, false)), BTreeSet::from(["store"]), "{name}");
        let planned = repaired(&folder, &["--dry-run"]);
        assert!(planned.out.contains(name) && planned.out.contains("Lost       what lay behind"), "{planned:?}");
        assert!(tells(&search(&folder), "`lopper repair"), "{name}: a dry run changes nothing");
        repaired(&folder, &["--from-bodies"]);
        assert_eq!(kinds(&checked(&folder, false)), left.iter().copied().collect(), "{name}");
        assert_eq!(blocks(&folder), expected, "{name}");
        ingest(folder.path(), &ARCHIVES, &["--again", "--bodies", "keep"]).success();
        assert_eq!(checked(&folder, false).faults, [], "{name}");
    }
}

/// Each file's head, number or counts come back from the others, with one command and without a page's HTML.
#[test]
fn one_flipped_byte_is_repaired_by_one_command() {
    let expected = blocks(&data());
    for name in ["trees.bin", "pages.bin", "bodies.bin", "ledger.bin", "sequence", "statistics-2.bin"] {
        for at in [0, 9] {
            let folder = data();
            let path = folder.path().join("data").join(name);
            let sound = fs::read(&path).unwrap();
            flip(&path, at);
            let damaged = fs::read(&path).unwrap();
            let searched = search(&folder);
            let goes_on = ["statistics-2.bin", "sequence"].contains(&name);
            assert_eq!(tells(&searched, "`lopper repair"), !goes_on, "{name}: {searched:?}");
            let planned = repaired(&folder, &["--dry-run"]);
            assert!(planned.code == Some(1) && planned.out.contains(name), "{name}: {planned:?}");
            assert!(planned.out.contains("Nothing was changed"), "{name}: {planned:?}");
            assert_eq!(fs::read(&path).unwrap(), damaged, "{name}");
            let report = repaired(&folder, &[]).success();
            assert!(report.contains("Done ") && report.contains("The data is sound"), "{name}: {report}");
            assert!(name == "statistics-2.bin" || fs::read(&path).unwrap() == sound, "{name}");
            assert_eq!((checked(&folder, false).faults, blocks(&folder)), (vec![], expected.clone()), "{name}");
            assert!(repaired(&folder, &[]).success().starts_with("The data is sound"), "{name}");
        }
    }
}

/// Of pages with kept HTML a plain rebuild loses none. An index of an earlier format is made anew without the damaged page alone, and
/// compacting, which would lose it, refuses.
#[test]
fn a_damaged_tree_costs_at_most_its_page() {
    let expected = blocks(&data());
    let damaged = || {
        let folder = data();
        let path = folder.path().join("data/trees.bin");
        flip(&path, fs::read(&path).unwrap().len() / 2);
        assert_eq!(kinds(&checked(&folder, false)), BTreeSet::from(["tree"]));
        folder
    };
    let folder = damaged();
    let told = run(folder.path(), ["rebuild", "--data", "data"]).success();
    assert!(told.contains("analysed again") && !told.contains("lost"), "{told}");
    assert_eq!((checked(&folder, false).faults, blocks(&folder)), (vec![], expected.clone()));

    let folder = damaged();
    fs::write(folder.path().join("data/index/lopper-index-format"), "6\n").unwrap();
    ingest(folder.path(), &ARCHIVES[..1], &[]).success();
    let left = blocks(&folder);
    assert!(left.is_subset(&expected) && left.len() < expected.len() && left.len() > expected.len() / 2);

    let folder = damaged();
    run(folder.path(), ["delete", "--data", "data", "--host", "www.iana.org"]).success();
    assert!(tells(&run(folder.path(), ["compact", "--data", "data"]), "`lopper re"));
}

/// The database with its number comes back whole, with the ledger and the pages whose HTML is in archives, as long as the rows for readers
/// are there; without those, the pages whose HTML was kept.
#[test]
fn a_lost_database_is_never_taken_for_a_new_one_and_comes_back() {
    let expected = blocks(&data());
    let report =
        |folder: &TempDir| run(folder.path(), ["ingest", "report", "--data", "data", "--format", "json"]).success();
    let ledger = report(&data());
    for more in [&["store"][..], &["store", "sequence"], &["store", "sequence", "trees.bin", "index"]] {
        for with_rows in [true, false] {
            let folder = data();
            let place = folder.path().join("data");
            let is_lost = |name: &str| more.contains(&name) || (!with_rows && name.starts_with("rows-"));
            for path in names_in(&place).into_iter().filter(|name| is_lost(name)).map(|name| place.join(name)) {
                if path.is_dir() { fs::remove_dir_all(path).unwrap() } else { fs::remove_file(path).unwrap() }
            }
            let bodies = fs::metadata(place.join("bodies.bin")).unwrap().len();
            assert!(tells(&run(folder.path(), ["compact", "--data", "data"]), "`lopper repair"), "{more:?}");
            assert!(tells(&ingest(folder.path(), &ARCHIVES, &[]), "`lopper repair"), "{more:?}");
            assert_eq!(fs::metadata(place.join("bodies.bin")).unwrap().len(), bodies, "{more:?}");
            let planned = repaired(&folder, &["--dry-run"]);
            assert!(planned.code == Some(1) && planned.out.contains("lost its rows"), "{planned:?}");
            let done = repaired(&folder, &["--from-bodies"]);
            assert!(done.code == Some(0), "{more:?} {with_rows}: {done:?}");
            assert_eq!((checked(&folder, false).faults, blocks(&folder)), (vec![], expected.clone()), "{more:?}");
            assert_eq!(report(&folder) == ledger, with_rows, "{more:?}");
        }
    }
}

/// Of a damaged part of the ledger the pages tell their records, and the others are named as lost until the archive is read again.
#[test]
fn a_damaged_part_of_the_ledger_is_repaired() {
    let folder = data();
    flip(&folder.path().join("data/ledger.bin"), 80);
    let planned = repaired(&folder, &["--dry-run"]);
    assert!(planned.code == Some(1) && planned.out.contains("To do      the archive's records"), "{planned:?}");
    assert_eq!(kinds(&checked(&folder, false)), BTreeSet::from(["ledger"]), "a dry run changes nothing");
    let done = repaired(&folder, &[]);
    assert!(done.code == Some(0) && done.out.contains("Lost       what became of"), "{done:?}");
    assert_eq!(checked(&folder, false).faults, []);
    let failed = run(folder.path(), ["ingest", "report", "--data", "data", "--state", "failed"]);
    assert!(failed.out.contains("ledger_damaged") || failed.out.contains("part of the ledger"), "{failed:?}");
    ingest(folder.path(), &ARCHIVES, &["--again", "--bodies", "keep"]).success();
    assert!(
        !run(folder.path(), ["ingest", "report", "--data", "data", "--state", "failed"])
            .out
            .contains("part of the ledger")
    );
}

/// Opened for writing, the folder counts its statistics again.
#[test]
fn damaged_statistics_stop_nobody() {
    let expected = blocks(&data());
    let folder = data();
    flip(&folder.path().join("data/statistics-2.bin"), 50);
    assert!(search(&folder).success().contains("block"));
    assert_eq!(blocks(&folder), expected, "opened for writing");
    assert_eq!(checked(&folder, false).faults, []);
}

#[test]
fn damaged_records_of_a_file_are_told_one_by_one() {
    for (name, kind) in
        [("trees.bin", "tree"), ("pages.bin", "store"), ("bodies.bin", "body"), ("ledger.bin", "ledger")]
    {
        let folder = data();
        let path = folder.path().join("data").join(name);
        let bytes = fs::metadata(&path).unwrap().len() as usize;
        flip(&path, bytes - 10);
        let report = checked(&folder, false);
        assert!(kinds(&report).contains(kind), "{name}: {report:?}");
    }
}

// No room, no right

/// Pages whose words hardly compress, so that the files of the data folder pass a limit.
#[cfg(unix)]
fn large_pages(folder: &Path) {
    use std::fmt::Write as _;
    let (mut number, mut lines) = (1u64, String::new());
    for page in 0..30 {
        let mut html = format!("<title>Page {page}</title><h1>Page {page}</h1>");
        for _ in 0..60 {
            html.push_str("<p>");
            for _ in 0..40 {
                number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                write!(html, "{:x} ", number >> 24).unwrap();
            }
        }
        let line = serde_json::json!({ "url": format!("http://e.example/{page}"), "html": html });
        writeln!(lines, "{line}").unwrap();
    }
    fs::write(folder.join("pages.ndjson"), lines).unwrap();
    fs::write(folder.join("lopper.toml"), "[ingest]\nbatch_records = 5\n").unwrap();
}

/// A limit on the size of files stands in for a full disk: writing ends in an error in the same places. 1,030 blocks are just more than an empty
/// database has.
#[cfg(unix)]
#[test]
fn a_full_disk_is_told_and_leaves_what_was_committed() {
    let undisturbed = tempfile::tempdir().unwrap();
    large_pages(undisturbed.path());
    let ingest = ["ingest", "--data", "data", "--bodies", "keep", "pages.ndjson"];
    run(undisturbed.path(), ingest).success();
    let expected = blocks(&undisturbed);
    for limit_blocks in [20, 1030, 1300] {
        let folder = tempfile::tempdir().unwrap();
        large_pages(folder.path());
        let mut command = std::process::Command::new("sh");
        let limited = format!("trap '' XFSZ; ulimit -f {limit_blocks}; exec \"$0\" \"$@\"");
        command.args(["-c", &limited, env!("CARGO_BIN_EXE_lopper")]).args(ingest).current_dir(folder.path());
        let stopped: Run = command.output().unwrap().into();
        assert!(stopped.code == Some(1) && stopped.err.contains("lopper: cannot "), "{limit_blocks}: {stopped:?}");
        eprintln!("{limit_blocks}: {}", stopped.err);
        let causes = ["File too large", "is the disk full?"];
        assert!(causes.iter().any(|cause| stopped.err.contains(cause)), "{limit_blocks}: {stopped:?}");
        if folder.path().join("data/LOPPER").exists() {
            drop(DataFolder::open_to_write(&folder.path().join("data"), ExtractParams::default()).unwrap());
            assert_eq!(checked(&folder, false).faults, [], "{limit_blocks}");
        }
        run(folder.path(), ingest).success();
        assert_eq!((checked(&folder, false).faults, blocks(&folder)), (vec![], expected.clone()), "{limit_blocks}");
    }
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_is_told_and_left_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = data();
    let place = folder.path().join("data");
    let allow = |mode| fs::set_permissions(&place, fs::Permissions::from_mode(mode)).unwrap();
    allow(0o555);
    let is_refused = fs::write(place.join("try"), "").is_err();
    if is_refused {
        let refused = ingest(folder.path(), &ARCHIVES, &["--again"]);
        assert!(refused.code == Some(1) && refused.err.starts_with("lopper: cannot "), "{refused:?}");
        assert!(refused.err.contains("Permission denied"), "{refused:?}");
    } else {
        eprintln!("skipped: this user may write everywhere");
        fs::remove_file(place.join("try")).unwrap();
    }
    allow(0o755);
    assert_eq!(checked(&folder, false).faults, []);
}
