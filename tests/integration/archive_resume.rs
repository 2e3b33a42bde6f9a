//! Laws of reading on: an archive that is opened at a resume point gives the records from there on as one that is read from its
//! beginning, and an ingest that goes on by such points ends as an undisturbed one.
//!
//! `LOPPER_ARCHIVES=<folder>` checks the archives below another folder too.

use std::fs;
use std::path::{Path, PathBuf};

use lopper_archive::{ArchiveError, ArchiveReader, ArchiveRecord, ResumePoint, paths::expand};
use lopper_collection::DataFolder;
use lopper_collection::ingest::{IngestOptions, Interrupt, Observer, Progress, Silent, ingest};
use lopper_content::limits::Limits;
use lopper_content::pipeline::ExtractParams;
use lopper_store::{OpenMode, Store};
use proptest::prelude::*;

use crate::archive_laws::{archives as broken_archives, mutate, mutations};
use crate::containers::{arc, bzip2, gzip, lz4, page_record, zstd, zstd_with_dictionary};
use crate::support::{StopAfter, archive as sample, archives};

type Item = Result<ArchiveRecord, String>;

/// Points at which one archive is opened again.
const POINTS_MAX: usize = 40;

fn next(reader: &mut dyn ArchiveReader) -> Option<Item> {
    reader.next_record().map(|item| item.map_err(|error: ArchiveError| error.to_string()))
}

/// The items of an archive, and the point that was known before each and at the end.
fn read(path: &Path, limits: &Limits) -> (Vec<Item>, Vec<Option<ResumePoint>>) {
    let Ok(mut reader) = lopper_archive::open(path, limits) else { return (Vec::new(), Vec::new()) };
    let (mut items, mut points) = (Vec::new(), vec![reader.resume_point()]);
    while let Some(item) = next(&mut *reader) {
        items.push(item);
        points.push(reader.resume_point());
    }
    (items, points)
}

/// Opens the archive at its points; gives how many different ones it has.
fn check(path: &Path, limits: &Limits) -> usize {
    let (items, known) = read(path, limits);
    for (read, point) in known.iter().enumerate() {
        assert!(point.is_none_or(|point| point.ordinal <= read as u64), "{}: a point ahead", path.display());
    }
    let mut points: Vec<ResumePoint> = known.into_iter().flatten().collect();
    points.dedup();
    for point in points.iter().step_by(points.len().div_ceil(POINTS_MAX).max(1)) {
        let mut reader = lopper_archive::open_at(path, *point, limits).unwrap();
        let mut rest = items[point.ordinal as usize..].iter();
        while let Some(item) = next(&mut *reader) {
            assert_eq!(Some(&item), rest.next(), "{} from {point:?} on", path.display());
        }
        assert_eq!(rest.next(), None, "{} from {point:?} on", path.display());
    }
    points.len()
}

#[test]
fn real_archives_can_be_begun_in_their_middle() {
    let points: usize = archives().iter().map(|name| check(&sample(name), &Limits::default())).sum();
    assert!(points > 200, "{points}");
    if let Some(folder) = std::env::var_os("LOPPER_ARCHIVES") {
        for path in expand(&[folder.into()]).unwrap() {
            eprintln!("{}: {} points", path.display(), check(&path, &Limits::default()));
        }
    }
}

/// Records enough that they fill several reads of the file.
fn many() -> Vec<Vec<u8>> {
    (0..600).map(|number| [page_record(number), page_record(number * 7)].concat()).collect()
}

#[test]
fn each_framing_gives_its_points() {
    let folder = tempfile::tempdir().unwrap();
    let records = many();
    let members = |pack: &dyn Fn(&[u8]) -> Vec<u8>| records.iter().flat_map(|record| pack(record)).collect::<Vec<u8>>();
    let dictionary = page_record(3).repeat(20);
    let cases = [
        ("plain", records.concat(), 1200),
        ("gzip", members(&gzip), 600),
        ("bzip2", members(&bzip2), 600),
        ("zstd", members(&zstd), 600),
        ("lz4", members(&lz4), 600),
        ("zstd with a dictionary", zstd_with_dictionary(&records, &dictionary, false), 600),
        ("zstd with a packed dictionary", zstd_with_dictionary(&records, &dictionary, true), 600),
        ("one member", gzip(&records.concat()), 1),
        ("ARC", arc(300), 301),
        ("lines of JSON", "{\"url\":\"http://a.example/\",\"html\":\"<p>One\"}\n\n".repeat(20).into_bytes(), 20),
        ("gzip behind zeros", [members(&gzip), vec![0; 100_000], gzip(&page_record(1))].concat(), 601),
    ];
    for (name, bytes, expected) in cases {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        let points = check(&path, &Limits::default());
        // The end is a point of some.
        assert!((expected..=expected + 1).contains(&points), "{name}: {points}");
    }
}

#[test]
fn containers_that_cannot_be_begun_in_their_middle_say_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.html");
    fs::write(&path, "<p>A page.").unwrap();
    assert_eq!(check(&path, &Limits::default()), 0);
    let point = ResumePoint { offset_bytes: 0, ordinal: 0 };
    assert!(matches!(lopper_archive::open_at(&path, point, &Limits::default()), Err(ArchiveError::Unknown { .. })));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_archives_can_be_begun_in_their_middle(mut bytes in broken_archives(), mutations in mutations()) {
        mutate(&mut bytes, &mutations);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.warc");
        fs::write(&path, bytes).unwrap();
        check(&path, &Limits { payload_bytes_max: 2000, header_bytes_max: 500, ..Limits::default() });
    }
}

fn open(data: &Path) -> DataFolder {
    DataFolder::open_to_write(data, ExtractParams::default()).unwrap()
}

fn options() -> IngestOptions {
    IngestOptions { threads: 2, batch_records_max: 5, interrupt: Interrupt::default(), ..IngestOptions::default() }
}

/// All blocks in their order, the ledger, and what each record became.
fn content(collection: &DataFolder) -> String {
    let store = collection.store();
    let pages = store.pages().map(Result::unwrap).map(|page| {
        let tree = collection.tree(page.id).unwrap().unwrap();
        format!("{page:?} {:?}\n", tree.blocks(&collection.params()))
    });
    let ledger = store.archives().map(Result::unwrap).map(|entry| {
        let records: Vec<_> = store.records(&entry, None).map(Result::unwrap).collect();
        format!("{:?} {} {:?} {records:?}\n", entry.key, entry.position_bytes, entry.sums)
    });
    pages.chain(ledger).collect()
}

/// Ingests `path` at once, and in runs that are cut off as a kill leaves them, each of which must go on behind the beginning.
fn same_end(path: &Path, folder: &Path) {
    let whole = open(&folder.join("whole"));
    ingest(&whole, &[path.to_owned()], &options(), &mut Silent).unwrap();
    let data = folder.join("data");
    let mut copies = Copies { data: &data, copies: Vec::new() };
    ingest(&open(&data), &[path.to_owned()], &options(), &mut copies).unwrap();
    assert!(copies.copies.len() > 1, "{:?}", copies.copies);
    for copy in copies.copies.iter().step_by(2) {
        let store = Store::open(copy, OpenMode::Read).unwrap();
        let entry = store.archives().next().unwrap().unwrap();
        let point = store.resume_point(entry.key.id).unwrap();
        let records = entry.sums.records();
        assert!(entry.finished || point.is_some_and(|point| point.ordinal + 1 >= records), "{point:?} of {records}");
        drop(store);
        let collection = open(copy);
        ingest(&collection, &[path.to_owned()], &options(), &mut Silent).unwrap();
        assert_eq!(content(&collection), content(&whole), "{}", copy.display());
    }
}

/// Copies the folder after each commit.
struct Copies<'a> {
    data: &'a Path,
    copies: Vec<PathBuf>,
}

impl Observer for Copies<'_> {
    fn progress(&mut self, _progress: &Progress) {}

    fn committed(&mut self, sequence: lopper_store::Sequence, _records: u64) {
        let copy = self.data.with_extension(sequence.0.to_string());
        // A merge of the index may take files away meanwhile; such a copy is none.
        if try_copy(self.data, &copy).is_ok() {
            self.copies.push(copy);
        }
    }
}

fn try_copy(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            try_copy(&entry.path(), &to)?;
        } else {
            fs::copy(entry.path(), to)?;
        }
    }
    Ok(())
}

#[test]
fn a_run_that_goes_on_by_a_point_ends_as_an_undisturbed_one() {
    let records: Vec<Vec<u8>> = (0..30).map(page_record).collect();
    for (name, bytes) in
        [("x.warc", records.concat()), ("x.warc.gz", records.iter().flat_map(|record| gzip(record)).collect())]
    {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        same_end(&path, folder.path());
    }
}

#[test]
fn what_is_before_the_point_is_not_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.warc.gz");
    let members: Vec<Vec<u8>> = (0..40).map(|number| gzip(&page_record(number))).collect();
    fs::write(&path, members.concat()).unwrap();
    let collection = open(&folder.path().join("data"));
    let options = options();
    let paths = [path];
    let report = ingest(&collection, &paths, &options, &mut StopAfter(20, options.interrupt.clone())).unwrap();
    assert!(report.interrupted);
    let archive = collection.store().archives().next().unwrap().unwrap();
    let point = collection.store().resume_point(archive.key.id).unwrap().unwrap();
    assert!(point.ordinal > 10 && point.offset_bytes == members[..point.ordinal as usize].concat().len() as u64);
    let again = IngestOptions { interrupt: Interrupt::default(), ..options };
    ingest(&collection, &paths, &again, &mut Silent).unwrap();
    assert_eq!(collection.store().resume_point(archive.key.id).unwrap(), None, "a finished archive has none");
    assert_eq!(collection.store().sums().unwrap().indexed, 40);
}
