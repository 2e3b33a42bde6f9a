//! Archives that are elsewhere now, have another name, or have grown: pages refer to them still, and reading goes on where it ended.

use std::fs;
use std::path::Path;

use lopper_collection::ingest::verify;
use lopper_content::pipeline::ExtractParams;
use serde_json::Value;
use tempfile::TempDir;

use crate::containers::{gzip, page_record};
use crate::support::{Run, run};

fn records(numbers: std::ops::Range<usize>, pack: &dyn Fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    numbers.flat_map(|number| pack(&page_record(number))).collect()
}

fn plain(record: &[u8]) -> Vec<u8> {
    record.to_vec()
}

fn lopper(folder: &Path, command: &str) -> Run {
    run(folder, command.split(' '))
}

fn is_sound(folder: &TempDir) {
    let report = verify(&folder.path().join("data"), ExtractParams::default(), false).unwrap();
    assert_eq!(report.faults, []);
}

/// Makes the trees anew; the numbers of pages from archives and of those whose HTML was not found.
fn rebuilt(folder: &Path, data: &str) -> (u64, u64) {
    let report = lopper(folder, &format!("rebuild --from bodies --format json --data {data}")).json();
    let number = |name: &str| report[name].as_u64().unwrap();
    (number("from_archives"), number("not_found"))
}

#[test]
fn pages_refer_to_their_archive_from_wherever_the_program_runs() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("elsewhere")).unwrap();
    fs::write(folder.path().join("a.warc"), records(0..4, &plain)).unwrap();
    let told = lopper(folder.path(), "ingest --data data a.warc").success();
    assert!(told.contains("HTML       stays in the archives: if they go"), "{told}");
    assert_eq!(rebuilt(&folder.path().join("elsewhere"), "../data"), (4, 0));
    let kept = lopper(folder.path(), "ingest --data other --bodies keep a.warc").success();
    assert!(!kept.contains("stays in the archives"), "{kept}");
    #[cfg(unix)]
    {
        // The file itself, not a name of it that may lead elsewhere later.
        std::os::unix::fs::symlink("a.warc", folder.path().join("link.warc")).unwrap();
        lopper(folder.path(), "ingest --data third link.warc").success();
        fs::remove_file(folder.path().join("link.warc")).unwrap();
        assert_eq!(rebuilt(folder.path(), "third"), (4, 0));
    }
}

#[test]
fn a_renamed_or_moved_archive_is_followed() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("new")).unwrap();
    fs::write(path("a.warc"), records(0..4, &plain)).unwrap();
    lopper(folder.path(), "ingest --data data a.warc").success();
    fs::write(path("other.warc"), records(4..6, &plain)).unwrap();
    fs::rename(path("a.warc"), path("b.warc")).unwrap();
    assert_eq!(rebuilt(folder.path(), "data"), (4, 0), "renamed: a rebuild finds it by its content");
    fs::rename(path("b.warc"), path("new/c.warc")).unwrap();
    assert_eq!(rebuilt(folder.path(), "data"), (0, 4), "in a folder that nobody knows of");
    let told = lopper(folder.path(), "ingest --data data new").success();
    assert!(told.contains("1 already ingested, 1 found at another place"), "{told}");
    assert_eq!(rebuilt(folder.path(), "data"), (4, 0), "an ingest notes the new place");
    fs::copy(path("new/c.warc"), path("d.warc")).unwrap();
    let told = lopper(folder.path(), "ingest --data data d.warc").success();
    assert!(told.contains("1 already ingested)"), "a copy changes nothing: {told}");
    is_sound(&folder);
}

fn ledger(folder: &Path) -> Value {
    lopper(folder, "ingest report --data data --format json").json()
}

#[test]
fn a_grown_archive_is_read_on_from_where_it_ended() {
    for pack in [&plain as &dyn Fn(&[u8]) -> Vec<u8>, &gzip] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.warc");
        let mut bytes = Vec::new();
        for round in 0..3 {
            bytes.extend(records(round * 5..round * 5 + 5, pack));
            fs::write(&path, &bytes).unwrap();
            let told = lopper(folder.path(), "ingest --data data a.warc").success();
            assert!(told.contains("Records           5\n"), "round {round}: {told}");
            assert!(told.contains("(5 new, 0 replaced)"), "{told}");
            assert_eq!(told.contains("1 resumed"), round > 0, "{told}");
            let told = lopper(folder.path(), "ingest --data data a.warc").success();
            assert!(told.contains("already ingested"), "{told}");
            is_sound(&folder);
        }
        let alone = tempfile::tempdir().unwrap();
        fs::copy(&path, alone.path().join("a.warc")).unwrap();
        lopper(alone.path(), "ingest --data data a.warc").success();
        let sums = |folder: &Path| ledger(folder)["archives"][0]["sums"].clone();
        assert_eq!(sums(folder.path()), sums(alone.path()));
        assert_eq!(rebuilt(folder.path(), "data"), (15, 0));
    }
}

/// What was cut off when it was read, or is another archive now, is read from its beginning.
#[test]
fn an_archive_that_did_not_only_grow_is_read_anew() {
    let whole = records(0..6, &plain);
    let three = records(0..3, &plain).len();
    let changed =
        |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap().replacen("Page 0", "Page x", 1).into_bytes();
    let cases: [(&[u8], Vec<u8>); 3] = [
        (&whole[..three - 30], whole.clone()),
        (&whole[..three - 2], whole.clone()),
        (&whole[..three], [changed(&whole[..three]), whole[three..].to_vec()].concat()),
    ];
    for (number, (before, after)) in cases.into_iter().enumerate() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.warc"), before).unwrap();
        lopper(folder.path(), "ingest --data data a.warc").success();
        fs::write(folder.path().join("a.warc"), after).unwrap();
        let told = lopper(folder.path(), "ingest --data data a.warc").success();
        assert!(!told.contains("gone on with") && told.contains("Records           6\n"), "{number}: {told}");
        let stats = lopper(folder.path(), "stats --data data --format json").json();
        assert_eq!(stats["distinct_pages"], 6, "{number}: {stats}");
        is_sound(&folder);
    }
}
