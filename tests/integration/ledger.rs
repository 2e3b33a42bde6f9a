//! The ledger: every record in exactly one state, runs that were stopped and go on, archives told by content, duplicates and revisits, and
//! rebuilding.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use lopper_archive::page::SkipReason;
use lopper_collection::DataFolder;
use lopper_collection::documents::PageDocuments;
use lopper_collection::ingest::{
    Bodies, IngestOptions, IngestReport, Interrupt, Observer, Progress, RebuildFrom, Silent, ingest, rebuild,
};
use lopper_content::pipeline::ExtractParams;
use lopper_index::BlockDocument;
use lopper_store::{CaptureKind, OpenMode, RecordState, RecordSums, StateKind, Store};

use crate::containers::{arc, gzip, wacz};
use crate::support::{StopAfter, archive, names_in, run};

const MIXED: &str = "derived__chatnoir-cc-filtered.warc.gz";
const IANA: &str = "webrecorder-warcio__example-iana.org-chunked.warc";
const BBC: &str = "sbeckeriv-warc_nom_parser__bbc.warc";

fn options() -> IngestOptions {
    IngestOptions { threads: 2, batch_records_max: 3, batch_bytes_max: 50_000, ..IngestOptions::default() }
}

fn open(data: &Path) -> DataFolder {
    DataFolder::open_to_write(data, ExtractParams::default()).unwrap()
}

fn add(collection: &DataFolder, paths: &[PathBuf], options: &IngestOptions) -> IngestReport {
    ingest(collection, paths, options, &mut Silent).unwrap()
}

/// Everything that is known of every block, by id.
fn blocks(collection: &DataFolder) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let searcher = collection.index().searcher();
    searcher.reload().unwrap();
    for page in collection.store().pages().map(Result::unwrap) {
        let tree = collection.tree(page.id).unwrap().expect("a page has its tree");
        let blocks = PageDocuments::of(&page, &tree, &collection.params()).blocks;
        let indexed = searcher.blocks_of_page(&page.id.to_string()).unwrap();
        let measures = |blocks: &[BlockDocument]| -> Vec<_> {
            blocks.iter().map(|block| (block.similarity, block.weight, block.norm)).collect()
        };
        assert_eq!(measures(&indexed), measures(&blocks), "the tree knows what was indexed");
        for block in blocks {
            found.insert(block.block_id.clone(), format!("{block:?}"));
        }
    }
    assert_eq!(searcher.count(), found.len() as u64, "index and store have the same blocks");
    found
}

fn sums(store: &Store) -> RecordSums {
    store.sums().unwrap()
}

/// The records of all archives, in the order of reading, agree with the sums.
fn records_agree(store: &Store) {
    for entry in store.archives().map(Result::unwrap) {
        let records: Vec<_> = store.records(&entry, None).map(Result::unwrap).collect();
        let name = entry.key.path.display();
        assert!(records.iter().map(|record| record.ordinal).eq(0..entry.sums.records()), "{name}: one entry a record");
        for kind in StateKind::ALL {
            let listed = store.records(&entry, Some(kind)).map(Result::unwrap);
            let expected: Vec<_> = records.iter().filter(|record| record.state.kind() == kind).cloned().collect();
            assert_eq!(listed.collect::<Vec<_>>(), expected, "{name}");
            assert_eq!(expected.len() as u64, entry.sums.in_state(kind), "{name}: {kind}");
        }
        for page in records.iter().filter_map(|record| record.state.page()) {
            assert!(store.contains(page).unwrap(), "{name}");
        }
    }
}

#[test]
fn every_record_of_every_archive_has_one_state() {
    let folder = tempfile::tempdir().unwrap();
    let collection = open(folder.path());
    let paths: Vec<PathBuf> = crate::support::archives().iter().map(|name| archive(name)).collect();
    let report = add(&collection, &paths, &IngestOptions::default());
    let all = sums(collection.store());
    assert_eq!(all, report.records, "{report:?}");
    assert!(all.records() > 200 && all.failed > 0 && all.duplicates > 0 && all.revisits > 0, "{all:?}");
    records_agree(collection.store());
    let before = collection.store().stats();
    let again = add(&collection, &paths, &IngestOptions { again: true, ..IngestOptions::default() });
    assert_eq!(again.records.records(), all.records());
    // Blocks are those of pages weighed by more pages; pages and captures are the same.
    let after = collection.store().stats();
    assert_eq!(
        (after.pages, after.distinct_pages, after.revisits),
        (before.pages, before.distinct_pages, before.revisits)
    );
    assert_eq!(blocks(&collection).len() as u64, after.blocks);
    records_agree(collection.store());
    collection.store().verify().unwrap();
}

/// The same records, compressed or not, are the same captures.
#[test]
fn a_copy_that_is_compressed_in_another_way_gives_no_captures() {
    let folder = tempfile::tempdir().unwrap();
    let (plain, packed) = (archive("oduwsdl-ipwb__5mementos.warc"), folder.path().join("copy.warc.gz"));
    fs::write(&packed, gzip(&fs::read(&plain).unwrap())).unwrap();
    let collection = open(&folder.path().join("data"));
    let first = add(&collection, std::slice::from_ref(&plain), &options());
    assert_eq!((first.records.pages(), first.records.skipped.get(&SkipReason::KnownCapture)), (7, None));
    let before = collection.store().stats();
    for again in [false, true] {
        let copy = add(&collection, std::slice::from_ref(&packed), &IngestOptions { again, ..options() });
        assert_eq!((copy.records.pages(), copy.records.records()), (0, 8), "{copy:?}");
        assert_eq!(copy.records.skipped.get(&SkipReason::KnownCapture), Some(&7));
        let after = collection.store().stats();
        assert_eq!((after.pages, after.duplicates, after.blocks), (before.pages, before.duplicates, before.blocks));
    }
    let again = add(&collection, &[plain], &IngestOptions { again: true, ..options() });
    assert_eq!((again.records.replaced + again.records.duplicates, collection.store().stats().pages), (7, 7));
    let both = RecordSums { blocks: 0, ..sums(collection.store()) };
    assert_eq!((both.pages(), both.skipped[&SkipReason::KnownCapture], both.records()), (7, 7, 16));
    records_agree(collection.store());
    collection.store().verify().unwrap();
}

// Stopping and going on

#[test]
fn a_stopped_run_goes_on_where_it_stopped() {
    let paths = [MIXED, IANA, BBC].map(archive);
    let folder = tempfile::tempdir().unwrap();
    let whole = open(&folder.path().join("whole"));
    let expected = add(&whole, &paths, &options());
    for calls in [1, 4, 9] {
        let collection = open(&folder.path().join(calls.to_string()));
        let (mut runs, mut records) = (0, RecordSums::default());
        loop {
            let options = IngestOptions { interrupt: Interrupt::default(), ..options() };
            let mut stop = StopAfter(calls, options.interrupt.clone());
            let report = ingest(&collection, &paths, &options, &mut stop).unwrap();
            records.add(&report.records);
            runs += 1;
            assert!(runs < 1000, "every run gets on");
            if !report.interrupted {
                break;
            }
        }
        assert!(calls == 9 || runs > 1, "{calls}: {runs}");
        let counts = |sums: &RecordSums| (sums.records(), sums.indexed, sums.skipped.clone(), sums.failed);
        assert_eq!(counts(&records), counts(&expected.records), "nothing is repeated or lost");
        assert_eq!(counts(&sums(collection.store())), counts(&expected.records));
        let pages =
            |collection: &DataFolder| collection.store().pages().map(|page| page.unwrap().id).collect::<Vec<_>>();
        assert_eq!(pages(&collection), pages(&whole));
        records_agree(collection.store());
    }
}

/// What a kill leaves: the folder as it was after some commit in the middle of the run.
struct CopyAfter<'a> {
    data: &'a Path,
    copies: Vec<PathBuf>,
    sequence: u64,
}

impl Observer for CopyAfter<'_> {
    fn progress(&mut self, _progress: &Progress) {
        let sequence = fs::read_to_string(self.data.join("sequence")).unwrap_or_default();
        let sequence = sequence.trim().parse().unwrap_or_default();
        if sequence > self.sequence {
            self.sequence = sequence;
            let copy = self.data.with_extension(sequence.to_string());
            crate::support::copy_folder(self.data, &copy);
            self.copies.push(copy);
        }
    }
}

#[test]
fn a_killed_run_ends_as_an_undisturbed_one() {
    let paths = [MIXED, IANA, BBC].map(archive);
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let collection = open(&data);
    let mut copies = CopyAfter { data: &data, copies: Vec::new(), sequence: 0 };
    ingest(&collection, &paths, &options(), &mut copies).unwrap();
    let (expected, expected_sums) = (blocks(&collection), sums(collection.store()));
    assert!(copies.copies.len() > 4, "{:?}", copies.copies);
    for copy in copies.copies.iter().step_by(3) {
        let collection = open(copy);
        let report = add(&collection, &paths, &options());
        assert!(report.archives_resumed + report.archives_already_ingested > 0, "{report:?}");
        assert_eq!(sums(collection.store()), expected_sums, "{}", copy.display());
        assert!(blocks(&collection) == expected, "{}", copy.display());
    }
}

#[test]
fn a_finished_archive_is_told_by_its_content() {
    let folder = tempfile::tempdir().unwrap();
    let collection = open(&folder.path().join("data"));
    let copy = folder.path().join("another-name.warc");
    fs::copy(archive(IANA), &copy).unwrap();
    let first = add(&collection, &[archive(IANA), copy.clone()], &options());
    assert_eq!((first.archives, first.archives_already_ingested), (1, 1), "a copy in the same run");
    let second = add(&collection, std::slice::from_ref(&copy), &options());
    assert_eq!((second.archives, second.archives_already_ingested, second.records.records()), (0, 1, 0));
    let again = add(&collection, &[copy], &IngestOptions { again: true, ..options() });
    assert_eq!((again.records.replaced, again.records.indexed), (first.records.indexed, 0), "{again:?}");
    assert_eq!(collection.store().stats().pages, first.records.pages());
    assert_eq!(collection.store().archives().count(), 1);
}

/// The archive's list of pages names those that do not name themselves, also when they are analysed again.
#[test]
fn a_page_without_a_title_has_that_of_the_list() {
    let folder = tempfile::tempdir().unwrap();
    let (data, path) = (folder.path().join("data"), folder.path().join("x.wacz"));
    fs::write(&path, wacz(gzip(&arc(2)))).unwrap();
    let titles = || {
        let store = Store::open(&data, OpenMode::Read).unwrap();
        store.pages().map(Result::unwrap).map(|page| (page.url, page.title)).collect::<BTreeMap<_, _>>()
    };
    add(&open(&data), std::slice::from_ref(&path), &IngestOptions { bodies: Bodies::Keep, ..options() });
    let expected = [("http://a.example/0", "The first"), ("http://a.example/1", "")];
    assert_eq!(titles(), expected.map(|(url, title)| (url.to_owned(), title.to_owned())).into());
    fs::remove_file(path).unwrap();
    rebuild(&data, RebuildFrom::Bodies, ExtractParams::default(), &options(), &mut |_, _| {}).unwrap();
    assert_eq!(titles()["http://a.example/0"], "The first");
}

#[test]
fn html_files_are_told_by_their_place() {
    let folder = tempfile::tempdir().unwrap();
    let collection = open(&folder.path().join("data"));
    let [first, second] = ["a.html", "b.html"].map(|name| folder.path().join(name));
    for path in [&first, &second] {
        fs::write(path, "<title>Heron</title><p>A grey heron stood in the reeds.").unwrap();
    }
    let report = add(&collection, &[first.clone(), second], &options());
    assert_eq!((report.records.indexed, report.archives_already_ingested), (2, 0), "one content, two pages");
    fs::write(&first, "<title>Egret</title><p>A white egret stood in the marsh.").unwrap();
    let report = add(&collection, &[first], &options());
    assert_eq!((report.records.replaced, report.records.indexed), (1, 0));
    let stats = collection.store().stats();
    assert_eq!((stats.pages, stats.distinct_pages, collection.store().archives().count()), (2, 2, 2));
    assert_eq!(blocks(&collection).len() as u64, stats.blocks);
}

// Duplicates and revisits

fn warc(records: &[(&str, &str, &str, &str, &str)]) -> String {
    let record = |(kind, url, date, headers, body): &(&str, &str, &str, &str, &str)| {
        let http = match *kind {
            "revisit" => String::new(),
            _ => format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{body}"),
        };
        let length = http.len();
        format!(
            "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: {date}\r\n{headers}Content-Type: \
             application/http; msgtype=response\r\nContent-Length: {length}\r\n\r\n{http}\r\n\r\n"
        )
    };
    records.iter().map(record).collect()
}

const HERON: &str = "<title>Heron</title><p>A grey heron stood in the reeds.";
const EGRET: &str = "<title>Egret</title><p>A white egret stood in the marsh.";
const URL: &str = "http://e.example/heron";
const DIGEST: &str = "WARC-Payload-Digest: sha1:AAAA\r\n";

#[test]
fn captures_of_one_url_are_versions_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let collection = open(&folder.path().join("data"));
    let path = folder.path().join("a.warc");
    let records = [
        ("response", URL, "2020-01-01T00:00:00Z", "", HERON),
        ("response", URL, "2020-01-02T00:00:00Z", "", HERON),
        ("response", "http://e.example/copy", "2020-01-02T00:00:00Z", "", HERON),
        ("response", URL, "2020-01-03T00:00:00Z", "", EGRET),
        ("response", URL, "2020-01-04T00:00:00Z", "", HERON),
    ];
    fs::write(&path, warc(&records)).unwrap();
    let report = add(&collection, &[path], &IngestOptions { bodies: Bodies::Keep, ..options() });
    assert_eq!((report.records.indexed, report.records.duplicates), (3, 2), "{report:?}");
    let captures = collection.store().captures(URL).unwrap();
    let kinds: Vec<_> = captures.iter().map(|capture| capture.kind).collect();
    assert_eq!(kinds, [CaptureKind::Page, CaptureKind::Duplicate, CaptureKind::Page, CaptureKind::Duplicate]);
    assert_eq!(captures[3].page, captures[0].page);
    assert_eq!(blocks(&collection).len(), 3);
    let shared = collection.store().captures("http://e.example/copy").unwrap()[0].page;
    assert_eq!(collection.store().body(shared).unwrap().unwrap().html, HERON);
    let bodies = collection.store().stats();
    assert_eq!(bodies.bodies, 3);
}

#[test]
fn revisits_are_resolved_across_files_in_any_order() {
    let refers = format!("WARC-Refers-To-Target-URI: {URL}\r\nWARC-Refers-To-Date: 2020-01-01T00:00:00Z\r\n");
    let lost = "WARC-Payload-Digest: sha1:BBBB\r\n";
    let revisits = [
        ("revisit", "http://e.example/other", "2020-02-01T00:00:00Z", DIGEST, ""),
        ("revisit", URL, "2020-02-02T00:00:00Z", refers.as_str(), ""),
        ("revisit", URL, "2020-02-03T00:00:00Z", lost, ""),
    ];
    let originals = [("response", URL, "2020-01-01T00:00:00Z", DIGEST, HERON)];
    for order in [["a-revisits.warc", "b-originals.warc"], ["b-revisits.warc", "a-originals.warc"]] {
        for runs in [1, 2] {
            let folder = tempfile::tempdir().unwrap();
            let collection = open(&folder.path().join("data"));
            let mut paths = order.map(|name| folder.path().join(name));
            fs::write(&paths[0], warc(&revisits)).unwrap();
            fs::write(&paths[1], warc(&originals)).unwrap();
            paths.sort();
            paths.chunks(2 / runs).for_each(|paths| drop(add(&collection, paths, &options())));
            let sums = sums(collection.store());
            assert_eq!((sums.indexed, sums.revisits), (1, 2), "{sums:?}");
            assert_eq!(sums.skipped, BTreeMap::from([(SkipReason::RevisitUnresolved, 1)]));
            let captures = collection.store().captures("http://e.example/other").unwrap();
            assert_eq!(captures[0].page, collection.store().captures(URL).unwrap()[0].page);
            records_agree(collection.store());
        }
    }
}

// Rebuilding

/// The store's figures that a rebuild keeps.
fn kept_figures(store: &Store) -> (u64, u64, u64, u64, RecordSums) {
    let stats = store.stats();
    (stats.pages, stats.distinct_pages, stats.hosts, stats.blocks, sums(store))
}

#[test]
fn a_rebuild_gives_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let paths = [MIXED, IANA, BBC].map(archive);
    for (bodies, from) in [
        (Bodies::Refer, RebuildFrom::Trees),
        (Bodies::Keep, RebuildFrom::Bodies),
        (Bodies::Refer, RebuildFrom::Bodies),
        (Bodies::None, RebuildFrom::Bodies),
    ] {
        let data = folder.path().join(format!("{bodies:?}{from:?}"));
        let collection = open(&data);
        add(&collection, &paths, &IngestOptions { bodies, ..IngestOptions::default() });
        let (before, figures) = (blocks(&collection), kept_figures(collection.store()));
        drop(collection);
        let report = rebuild(&data, from, ExtractParams::default(), &options(), &mut |_, _| {}).unwrap();
        assert_eq!(report.pages(), figures.1, "{report:?}");
        match (bodies, from) {
            (_, RebuildFrom::Trees) => assert_eq!(report.from_trees, figures.1),
            (Bodies::Keep, _) => assert_eq!(report.from_bodies, figures.1),
            (Bodies::Refer, _) => assert_eq!(report.from_archives, figures.1),
            _ => assert_eq!(report.not_found, figures.1),
        }
        let collection = open(&data);
        assert_eq!(kept_figures(collection.store()), figures, "{report:?}");
        assert!(blocks(&collection).keys().eq(before.keys()), "{bodies:?} {from:?}");
        records_agree(collection.store());
        collection.store().verify().unwrap();
        assert!(!data.join("rebuild").exists());
    }
}

#[test]
fn kept_bodies_outlive_the_database() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let collection = open(&data);
    add(&collection, &[archive(MIXED), archive(IANA)], &IngestOptions { bodies: Bodies::Keep, ..options() });
    let ids: Vec<String> = blocks(&collection).into_keys().collect();
    drop(collection);
    fs::remove_dir_all(data.join("store")).unwrap();
    // The rows for readers would bring it back.
    for name in names_in(&data).into_iter().filter(|name| name.starts_with("rows-")) {
        fs::remove_file(data.join(name)).unwrap();
    }
    let report = rebuild(&data, RebuildFrom::Bodies, ExtractParams::default(), &options(), &mut |_, _| {}).unwrap();
    assert!(report.database_lost && report.from_bodies > 0, "{report:?}");
    let collection = open(&data);
    assert!(blocks(&collection).into_keys().eq(ids));
    let report = add(&collection, &[archive(IANA)], &options());
    assert_eq!((report.records.replaced, report.records.indexed), (report.records.pages(), 0), "the same records");
}

#[test]
fn a_rebuild_that_was_cut_off_leaves_the_old_data_or_the_new() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let collection = open(&data);
    add(&collection, &[archive(IANA)], &options());
    let expected = blocks(&collection);
    drop(collection);
    // Before the end: the leavings are removed.
    let old = Store::open(&data, OpenMode::Write).unwrap();
    drop((old.begin_rebuild("").unwrap(), old));
    assert!(data.join("rebuild").exists());
    assert!(blocks(&open(&data)) == expected && data.join("rebuild").exists(), "it can be gone on with");
    add(&open(&data), &[archive(BBC)], &options());
    let expected = blocks(&open(&data));
    assert!(!data.join("rebuild").exists(), "it was made of an earlier commit");
    // After it: some parts were moved already.
    let copy = folder.path().join("copy");
    crate::support::copy_folder(&data, &copy);
    for moved in [&[][..], &["store"], &["store", "index", "trees.bin"]] {
        let half = folder.path().join(format!("half-{}", moved.len()));
        crate::support::copy_folder(&copy, &half);
        fs::create_dir(half.join("rebuild")).unwrap();
        for name in names_in(&copy) {
            let is_part = ["store", "index", "trees.bin", "sequence"].contains(&name.as_str());
            if (is_part && !moved.contains(&name.as_str())) || name.starts_with("statistics-") {
                fs::rename(half.join(&name), half.join("rebuild").join(&name)).unwrap();
            }
        }
        fs::write(half.join("rebuild/READY"), "").unwrap();
        assert!(blocks(&open(&half)) == expected && !half.join("rebuild").exists(), "{moved:?}");
    }
}

// The command line

#[test]
fn the_report_lists_records_by_state() {
    let folder = tempfile::tempdir().unwrap();
    let name = "netarchivesuite-jwat__invalid-warcfile-record-then-garbage.warc";
    let [first, second] = [IANA, name].map(|name| archive(name).to_string_lossy().into_owned());
    run(folder.path(), ["ingest", "--data", "data", &first, &second]).success();
    let report = run(folder.path(), ["ingest", "report", "--data", "data", "--format", "json"]).json();
    let archives = report["archives"].as_array().unwrap();
    assert_eq!(archives.len(), 2);
    assert_eq!(archives.iter().map(|entry| entry["records"].as_u64().unwrap()).sum::<u64>(), report["records"]);
    let failed = run(folder.path(), ["ingest", "report", "--data", "data", "--state", "failed", "--format", "json"]);
    let lines: Vec<serde_json::Value> =
        failed.success().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len() as u64, report["sums"]["failed"].as_u64().unwrap());
    assert!(lines.iter().all(|line| line["reason"].is_string() && line["offset_bytes"].is_u64()), "{lines:?}");
    let csv = ["ingest", "report", "--data", "data", "--records", "--format", "csv", "--archive", name];
    let csv = run(folder.path(), csv).success();
    assert!(csv.starts_with("archive,ordinal,offset_bytes,state,page,reason,record_id,message\n"), "{csv}");
    let records = archives.iter().find(|entry| entry["archive"].as_str().unwrap().ends_with(name)).unwrap();
    assert_eq!(csv.lines().count() as u64, 1 + records["records"].as_u64().unwrap(), "{csv}");
    let text = run(folder.path(), ["ingest", "report", "--data", "data"]).success();
    assert!(text.contains("indexed") && text.lines().any(|line| line.ends_with("together, of 2 archives")), "{text}");
    let head = text.lines().next().unwrap().split_whitespace().collect::<Vec<_>>();
    let names = ["records", "indexed", "replaced", "duplicate", "revisit", "skipped", "failed", "archive"];
    assert_eq!(head, names, "the names of the columns stand apart");
    let failed = run(folder.path(), ["ingest", "report", "--data", "data", "--state", "failed"]).success();
    assert!(failed.lines().all(|line| line.matches(name).count() == 1), "a line names its archive once: {failed}");
    let unknown = run(folder.path(), ["ingest", "report", "--data", "data", "--archive", "nope.warc"]);
    assert_eq!(unknown.code, Some(1), "{unknown:?}");
    assert!(unknown.err.contains("no archive of data is called nope.warc"), "{unknown:?}");
    let wrong = run(folder.path(), ["ingest", "report", "--data", "data", "--state", "lost"]);
    assert_eq!(wrong.code, Some(2), "{wrong:?}");
}

#[test]
fn progress_for_programs_is_json() {
    let folder = tempfile::tempdir().unwrap();
    let path = archive(IANA).to_string_lossy().into_owned();
    let ran = run(folder.path(), ["ingest", "--data", "data", "--progress", "json", &path]);
    let last: serde_json::Value = serde_json::from_str(ran.err.lines().last().unwrap()).unwrap();
    assert_eq!((&last["event"], &last["report"]["archives"]), (&"report".into(), &1.into()), "{last}");
    let again = run(folder.path(), ["ingest", "--data", "data", &path]).success();
    assert!(again.contains("1 already ingested"), "{again}");
}

#[test]
fn standard_input_is_read() {
    use std::io::Write;
    use std::process::Stdio;
    let folder = tempfile::tempdir().unwrap();
    let mut command = crate::support::lopper(folder.path());
    command.args(["ingest", "--data", "data", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(&fs::read(archive(IANA)).unwrap()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && text.contains("new, 0 replaced"), "{text}");
}

#[cfg(unix)]
#[test]
fn watching_takes_new_files_until_it_is_stopped() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("in")).unwrap();
    let mut command = crate::support::lopper(folder.path());
    command.args(["ingest", "--data", "data", "--watch", "in"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    fs::write(folder.path().join("in/a.html"), HERON).unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let line = lines.next().unwrap().unwrap();
    assert!(line.contains("a.html: 1 record, 1 page (1 new), 0 failed"), "{line}");
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("the same command goes on from there"));
    let listed = run(folder.path(), ["ingest", "report", "--data", "data", "--state", "indexed"]).success();
    assert!(listed.contains("a.html"), "{listed}");
}

/// GNU `timeout` sends its signal to the program and to its group.
#[cfg(unix)]
#[test]
fn two_requests_to_stop_at_once_are_one() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("in")).unwrap();
    fs::write(folder.path().join("in/a.html"), HERON).unwrap();
    let mut command = crate::support::lopper(folder.path());
    command.args(["ingest", "--data", "data", "--watch", "in"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    BufReader::new(child.stdout.take().unwrap()).lines().next().unwrap().unwrap();
    // Apart enough to be two, as signals that wait are one.
    let twice = format!("kill -TERM {0}; /bin/true; kill -TERM {0}", child.id());
    assert!(Command::new("sh").args(["-c", &twice]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("the same command goes on from there"), "{output:?}");
}

#[test]
fn a_failed_record_is_told_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let collection = open(&folder.path().join("data"));
    let path = folder.path().join("bad.warc");
    let head = "WARC-Record-ID: <urn:uuid:7>\r\n";
    let record = warc(&[("response", URL, "2020-01-01T00:00:00Z", head, HERON)]).replace("HTTP/1.1", "garbage");
    fs::write(&path, record.replace("<title>", "title ").replace("<p>", "p ")).unwrap();
    add(&collection, &[path], &options());
    let entry = collection.store().archives().next().unwrap().unwrap();
    let record = collection.store().records(&entry, None).next().unwrap().unwrap();
    assert!(matches!(&record.state, RecordState::Failed { code, .. } if code == "no_http_headers"), "{record:?}");
    assert_eq!(record.record_id.as_deref(), Some("<urn:uuid:7>"));
}
