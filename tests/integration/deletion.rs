//! Deleting: gone from every answer, kept out of later ingests, gone from disk after a compaction; also when the program dies on the way.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use lopper_collection::ingest::{Bodies, IngestOptions, verify};
use lopper_collection::search::SearchRequest;
use lopper_collection::{Collection, DataFolder, DeleteError, Error, Selection};
use lopper_content::pipeline::ExtractParams;
use lopper_store::TakedownScope;
use tempfile::TempDir;

use crate::support::{lopper, run};

/// Pages of two hosts below a folder of the host `a.example`, and one of another archive.
struct Scene(TempDir);

fn warc(pages: &[(&str, &str)]) -> String {
    let record = |(number, (url, text)): (usize, &(&str, &str))| {
        let html =
            format!("<title>{text}</title><main><h1>{text}</h1><p>The {text} is the subject of this page.</main>");
        let body = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{html}");
        format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2020-01-01T00:00:0{number}Z\r\n\
             WARC-Record-ID: <urn:uuid:{number}>\r\nContent-Type: application/http\r\n\
             Content-Length: {}\r\n\r\n{body}\r\n\r\n",
            body.len()
        )
    };
    pages.iter().enumerate().map(record).collect()
}

impl Scene {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let trees = [
            ("http://a.example/x/oak", "oak tree"),
            ("http://a.example/x/elm", "elm tree"),
            ("http://a.example/y/ash", "ash tree"),
            ("http://b.example/", "fir tree"),
            ("http://a.example/x/oak", "oak tree"),
        ];
        fs::write(folder.path().join("trees.warc"), warc(&trees)).unwrap();
        fs::write(folder.path().join("stones.warc"), warc(&[("http://c.example/", "grey granite stone")])).unwrap();
        let scene = Self(folder);
        scene.ingest(&scene.open(), false);
        scene
    }

    fn data(&self) -> PathBuf {
        self.0.path().join("data")
    }

    fn open(&self) -> Collection {
        Collection::open(self.data()).unwrap()
    }

    fn archives(&self) -> [PathBuf; 2] {
        ["trees.warc", "stones.warc"].map(|name| self.0.path().join(name))
    }

    fn ingest(&self, collection: &Collection, again: bool) {
        let options = IngestOptions { again, bodies: Bodies::Keep, ..IngestOptions::default() };
        collection.ingest(&self.archives(), &options).unwrap();
    }

    fn command(&self, arguments: &[&str]) -> std::process::Command {
        let mut command = lopper(self.0.path());
        command.args(arguments).args(["--data", "data"]).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    fn is_sound(&self) {
        let report = verify(&self.data(), ExtractParams::default(), false).unwrap();
        assert_eq!(report.faults, []);
    }
}

/// The last parts of the URLs that a search for "tree stone" finds, in their order.
fn found(collection: &Collection) -> Vec<String> {
    let answer = collection.search(&SearchRequest::new("tree stone")).unwrap();
    let mut found: Vec<String> = answer.pages.iter().map(|page| page.url.clone()).collect();
    found.sort();
    found.dedup();
    found.iter().map(|url| url.trim_end_matches('/').rsplit('/').next().unwrap().to_owned()).collect()
}

/// A selection, and what a search finds afterwards.
type Case = (fn(&Scene) -> Selection, &'static [&'static str]);

#[test]
fn each_selection_deletes_its_pages_and_keeps_them_out() {
    let cases: [Case; 7] = [
        (|_| Selection::Url("HTTP://A.example:80/x/oak#top".to_owned()), &["elm", "ash", "b.example", "c.example"]),
        (|_| Selection::UrlPrefix("http://a.example/x/".to_owned()), &["ash", "b.example", "c.example"]),
        (|_| Selection::UrlPrefix("HTTPS://www.A.example:443/x".to_owned()), &["ash", "b.example", "c.example"]),
        (|_| Selection::Host("A.example".to_owned()), &["b.example", "c.example"]),
        (|_| Selection::Archive("trees.warc".into()), &["c.example"]),
        (|_| Selection::Query("+tree (oak OR fir)".to_owned()), &["elm", "ash", "c.example"]),
        (
            |scene| {
                let page = scene.open().search(&SearchRequest::new("ash")).unwrap().pages[0].page_id.clone();
                Selection::Page(page.parse().unwrap())
            },
            &["oak", "elm", "b.example", "c.example"],
        ),
    ];
    for (selection, left) in cases {
        let scene = Scene::new();
        let selection = selection(&scene);
        let collection = scene.open();
        let counted = collection.count_deletion(&selection).unwrap();
        assert!(counted.pages > 0 && counted.takedown.is_none());
        assert_eq!(found(&collection).len(), 5, "counting deletes nothing");
        let deleted = collection.delete(&selection, Some("asked to".to_owned())).unwrap();
        assert_eq!(
            (deleted.pages, deleted.blocks, deleted.captures),
            (counted.pages, counted.blocks, counted.captures)
        );
        let expected: std::collections::BTreeSet<_> = left.iter().copied().map(str::to_owned).collect();
        let now = |collection: &Collection| found(collection).into_iter().collect::<std::collections::BTreeSet<_>>();
        assert_eq!(now(&collection), expected, "{selection:?}");
        scene.ingest(&collection, true);
        assert_eq!(now(&collection), expected, "{selection:?}: an ingest brings nothing back");
        drop(collection);
        scene.is_sound();
        let collection = scene.open();
        assert!(collection.lift_takedown(deleted.takedown.unwrap().number).unwrap());
        scene.ingest(&collection, true);
        assert_eq!(found(&collection).len(), 5, "{selection:?}: lifted");
        drop(collection);
        scene.is_sound();
    }
}

#[test]
fn what_was_deleted_is_gone_from_disk_after_a_compaction_and_from_the_kept_bodies_without_one() {
    let scene = Scene::new();
    let collection = scene.open();
    collection.delete(&Selection::Host("a.example".to_owned()), None).unwrap();
    drop(collection);
    let kept =
        |scene: &Scene| String::from_utf8_lossy(&fs::read(scene.data().join("bodies.bin")).unwrap()).into_owned();
    assert!(kept(&scene).contains("a.example/x/oak"), "heads of kept bodies can be read");
    let report = run(scene.0.path(), ["compact", "--data", "data", "--format", "json"]).json();
    assert_eq!(report["rewritten"], true, "{report}");
    assert!(!kept(&scene).contains("a.example/x/oak") && kept(&scene).contains("b.example"));
    scene.is_sound();
    let again = run(scene.0.path(), ["compact", "--data", "data", "--format", "json"]).json();
    assert_eq!(again["rewritten"], false, "{again}");
    let collection = scene.open();
    assert_eq!(found(&collection), ["b.example", "c.example"]);
    scene.ingest(&collection, false);
    assert_eq!(found(&collection).len(), 2, "what is done stays done");
    let records = collection.folder().store().sums().unwrap();
    assert_eq!(records.records(), 6, "the ledger has them all: {records:?}");
    drop(collection);

    let scene = Scene::new();
    scene.open().delete(&Selection::Archive("trees.warc".into()), None).unwrap();
    for part in ["store", "index", "trees.bin", "pages.bin"] {
        let path = scene.data().join(part);
        let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        removed.unwrap();
    }
    run(scene.0.path(), ["rebuild", "--from", "bodies", "--data", "data"]).success();
    assert_eq!(found(&scene.open()), ["c.example"], "a lost database brings nothing back");
}

#[test]
fn a_deletion_that_dies_at_any_point_is_whole_after_the_next_one() {
    let points = [
        "file.written",
        "file.renamed",
        "store.appended",
        "store.statistics",
        "database.applied",
        "database.flushed",
        "store.sequence",
        "collection.between",
        "index.prepared",
        "index.committed",
        "collection.committed",
    ];
    for point in points {
        let scene = Scene::new();
        let delete = ["delete", "--host", "a.example"];
        let status = scene.command(&delete).env("LOPPER_FAILPOINT", format!("{point}:1")).status().unwrap();
        assert!(!status.success(), "{point} is passed");
        let count = found(&scene.open()).len();
        assert!(count == 5 || count == 2, "{point}: all or nothing, {count} are found");
        scene.is_sound();
        assert!(scene.command(&delete).status().unwrap().success());
        assert_eq!(found(&scene.open()), ["b.example", "c.example"], "{point}");
        scene.is_sound();
    }
}

#[test]
fn a_compaction_that_dies_at_any_point_leaves_the_old_files_or_the_new() {
    let scene = Scene::new();
    scene.open().delete(&Selection::Host("a.example".to_owned()), None).unwrap();
    let mut deaths = 0;
    for point in ["store.synced", "database.flushed", "index.committed", "rebuild.filled", "rebuild.ready"] {
        let status = scene.command(&["compact"]).env("LOPPER_FAILPOINT", format!("{point}:1")).status().unwrap();
        deaths += u32::from(!status.success());
        assert_eq!(found(&scene.open()), ["b.example", "c.example"], "{point}");
        scene.is_sound();
    }
    for pass in 1..8 {
        scene.open().delete(&Selection::Url("http://b.example/".to_owned()), None).unwrap();
        let status = scene.command(&["compact"]).env("LOPPER_FAILPOINT", format!("rebuild.moved:{pass}")).status();
        deaths += u32::from(!status.unwrap().success());
        assert_eq!(found(&scene.open()), ["c.example"], "part {pass}");
        scene.is_sound();
    }
    assert!(deaths >= 6, "{deaths}");
}

/// An archive that is written over in place stands in the ledger once for each of its contents.
#[test]
fn of_several_archives_at_one_path_one_is_named_by_its_id() {
    let scene = Scene::new();
    let collection = scene.open();
    let stones = scene.0.path().join("stones.warc");
    fs::write(&stones, warc(&[("http://d.example/", "red marble stone")])).unwrap();
    collection.ingest(std::slice::from_ref(&stones), &IngestOptions::default()).unwrap();
    let error = collection.delete(&Selection::Archive(stones.clone()), None).unwrap_err();
    let Error::Delete(DeleteError::SeveralArchives { ids, .. }) = &error else { panic!("{error}") };
    assert_eq!(ids.len(), 2);
    assert!(ids.iter().all(|id| error.to_string().contains(id.as_str())), "{error}");
    assert!(collection.takedowns().is_empty(), "nothing was noted");
    for id in ids {
        assert_eq!(collection.delete(&Selection::Archive(id.into()), None).unwrap().pages, 1);
    }
    let found: std::collections::BTreeSet<String> = found(&collection).into_iter().collect();
    assert_eq!(found.into_iter().collect::<Vec<_>>(), ["ash", "b.example", "elm", "oak"]);
}

/// More than a commit remembers the sharers of.
#[test]
fn pages_of_one_content_go_together() {
    let folder = tempfile::tempdir().unwrap();
    let same: Vec<String> = (0..40).map(|number| format!("http://e.example/{number}")).collect();
    let pages: Vec<(&str, &str)> = same.iter().map(|url| (url.as_str(), "page that is gone")).collect();
    fs::write(folder.path().join("trees.warc"), warc(&pages)).unwrap();
    fs::write(folder.path().join("stones.warc"), warc(&[("http://c.example/", "grey granite stone")])).unwrap();
    let scene = Scene(folder);
    let collection = scene.open();
    scene.ingest(&collection, false);
    assert_eq!(collection.delete(&Selection::Host("e.example".to_owned()), None).unwrap().pages, 40);
    drop(collection);
    scene.is_sound();
    let garbage = DataFolder::open_to_read(&scene.data()).unwrap().store().has_garbage().unwrap();
    assert!(garbage, "the tree that they shared");
}

#[test]
fn what_cannot_be_selected_is_told() {
    let scene = Scene::new();
    let collection = scene.open();
    let fails = |selection: Selection| collection.delete(&selection, None).unwrap_err();
    for selection in [
        Selection::Url("oak".to_owned()),
        Selection::UrlPrefix(" ".to_owned()),
        Selection::UrlPrefix("a.example/x".to_owned()),
        Selection::Host("a b".to_owned()),
    ] {
        assert!(matches!(fails(selection), Error::Delete(DeleteError::Selection(_))));
    }
    let error = fails(Selection::Archive("warc".into()));
    assert!(error.to_string().contains("lopper ingest report"), "{error}");
    for query in ["", "treee", "\"oak tree", "-oak (", "tree AND"] {
        let error = fails(Selection::Query(query.to_owned()));
        assert!(matches!(error, Error::Delete(DeleteError::Search(_))), "{query}: {error}");
    }
    assert_eq!(found(&collection).len(), 5);
    assert!(collection.takedowns().is_empty(), "nothing was noted");
}

#[test]
fn the_command_line_counts_deletes_lists_and_lifts() {
    let scene = Scene::new();
    let lopper = |arguments: &[&str]| run(scene.0.path(), arguments.iter().chain(&["--data", "data"]));
    let counted = lopper(&["delete", "--host", "a.example", "--dry-run"]).success();
    assert!(counted.contains("Nothing was deleted"), "{counted}");
    assert_eq!(lopper(&["takedowns"]).success(), "No takedown stands\n");
    let deleted = lopper(&["delete", "--host", "a.example", "--note", "by request", "--format", "json"]).json();
    assert_eq!((deleted["pages"].as_u64(), deleted["captures"].as_u64()), (Some(3), Some(4)), "{deleted}");
    assert!(lopper(&["search", "oak elm ash"]).success().contains("fir") || found(&scene.open()).len() == 2);
    let list = lopper(&["takedowns"]).success();
    assert!(list.contains("host a.example  (by request)"), "{list}");
    let report = lopper(&["ingest", "report"]).success();
    assert!(report.contains("page deleted"), "{report}");
    assert_eq!(lopper(&["takedowns", "lift", "7"]).code, Some(1));
    lopper(&["takedowns", "lift", "1"]).success();
    lopper(&["ingest", "--again", "trees.warc"]).success();
    assert_eq!(found(&scene.open()).len(), 5);
    let wrong = lopper(&["delete", "--host", "a.example", "--url", "http://a.example/"]);
    assert_eq!(wrong.code, Some(2), "one selection at a time");
}

/// Of an archive the list shows what was named, and the identity keeps a renamed copy out too.
#[test]
fn a_renamed_copy_of_a_deleted_archive_stays_out() {
    let scene = Scene::new();
    let collection = scene.open();
    let takedown = collection.delete(&Selection::Archive("trees.warc".into()), None).unwrap().takedown.unwrap();
    assert!(matches!(&takedown.scope, TakedownScope::Archive { path, .. } if path.ends_with("trees.warc")));
    let copy = scene.0.path().join("copy.warc");
    fs::copy(scene.0.path().join("trees.warc"), &copy).unwrap();
    let ingest = |path: &Path| {
        let options = IngestOptions { again: true, ..IngestOptions::default() };
        collection.ingest(&[path.to_owned()], &options).unwrap().records
    };
    let records = ingest(&copy);
    assert_eq!((records.indexed, records.skipped.values().sum::<u64>()), (0, 5), "{records:?}");
}

#[test]
fn all_forms_of_an_address_are_deleted_and_kept_out() {
    let folder = tempfile::tempdir().unwrap();
    let forms =
        ["http://a.example/oak", "https://a.example/oak/", "http://www.a.example/oak"].map(|url| (url, "oak tree"));
    let mut pages = forms.to_vec();
    pages[1].1 = "oak tree again";
    pages[2].1 = "oak tree and more";
    pages.push(("http://a.example/oaks", "elm tree"));
    fs::write(folder.path().join("a.warc"), warc(&pages)).unwrap();
    let collection = Collection::open(folder.path().join("data")).unwrap();
    let archive = [folder.path().join("a.warc")];
    collection.ingest(&archive, &IngestOptions::default()).unwrap();
    assert_eq!(collection.delete(&Selection::Url("https://www.a.example/oak".to_owned()), None).unwrap().pages, 3);
    collection.ingest(&archive, &IngestOptions { again: true, ..IngestOptions::default() }).unwrap();
    assert_eq!(found(&collection), ["oaks"]);
    let unknown = Selection::Page("00000000000000000000000000000000".parse().unwrap());
    assert!(collection.delete(&unknown, None).unwrap_err().to_string().contains("no page has the id"));
}

/// A revisit's address may be another than that of the page that it stands for.
#[test]
fn an_address_that_only_a_revisit_has_is_deleted_and_its_page_stays() {
    let folder = tempfile::tempdir().unwrap();
    let oak = "http://a.example/oak";
    let revisit = format!(
        "WARC/1.0\r\nWARC-Type: revisit\r\nWARC-Target-URI: http://b.example/copy\r\nWARC-Date: 2021-01-01T00:00:00Z\r\n\
         WARC-Record-ID: <urn:uuid:9>\r\nWARC-Refers-To-Target-URI: {oak}\r\nWARC-Refers-To-Date: 2020-01-01T00:00:00Z\r\n\
         WARC-Refers-To: <urn:uuid:0>\r\n\
         WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest\r\nContent-Type: application/http\r\n\
         Content-Length: 19\r\n\r\nHTTP/1.1 200 OK\r\n\r\n\r\n\r\n"
    );
    fs::write(folder.path().join("a.warc"), warc(&[(oak, "oak tree")]) + &revisit).unwrap();
    let data = folder.path().join("data");
    let collection = Collection::open(&data).unwrap();
    collection.ingest(&[folder.path().join("a.warc")], &IngestOptions::default()).unwrap();
    drop(collection);
    let captures = |url: &str| DataFolder::open_to_read(&data).unwrap().captures(url).unwrap().len();
    assert_eq!((captures(oak), captures("http://b.example/copy")), (1, 1));
    let collection = Collection::open(&data).unwrap();
    let report = collection.delete(&Selection::Url("http://b.example/copy".to_owned()), None).unwrap();
    assert_eq!((report.pages, report.captures), (0, 1));
    assert_eq!(found(&collection), ["oak"]);
    drop(collection);
    assert_eq!((captures(oak), captures("http://b.example/copy")), (1, 0));
    assert_eq!(verify(&data, ExtractParams::default(), false).unwrap().faults, []);
}
