//! Checking a data folder: store against index against bodies against ledger.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use lopper_content::pipeline::ExtractParams;
use lopper_store::{OpenMode, Store, StoreError};
use serde::Serialize;

use super::verify_index::{IndexTrouble, check_index, mend_index, own_params};
use super::verify_store::check_store;
use crate::checkpoint::{agreed_params, read_checkpoint};
use crate::{CollectionError, DataFolder};

/// Faults that a report tells one by one; the others are counted.
const FAULTS_MAX: usize = 100;

/// Rounds of checking and mending: the second one finds what the first one hid.
const ROUNDS: usize = 2;

/// Which part of a data folder a fault is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// The database, or a file without which nothing can be opened.
    Store,
    /// What readers beside a writer have of the database.
    Published,
    /// The term statistics are not those of the pages.
    Statistics,
    /// A page's stored tree.
    Tree,
    /// A page's kept HTML.
    Body,
    /// What became of the records.
    Ledger,
    /// The index as a whole.
    Index,
    /// The index's blocks of one page.
    Blocks,
}

impl FaultKind {
    /// What to do about it.
    pub fn advice(self) -> &'static str {
        match self {
            Self::Store => {
                "`lopper repair` says what can be brought back, and does it; else move the folder away and ingest the archives again"
            }
            Self::Statistics => "`lopper repair` counts anew",
            Self::Tree => "`lopper repair --from-bodies` makes it again from the page's HTML",
            Self::Body => "`lopper ingest --again --bodies keep` with the page's archive keeps it again",
            Self::Ledger => {
                "`lopper repair` keeps what can be read; `lopper ingest --again` with the archive writes its records anew"
            }
            Self::Published => "`lopper verify --mend` publishes it again",
            Self::Index | Self::Blocks => "`lopper verify --mend` makes it again from the stored trees",
        }
    }

    /// Whether it can be made again from the database and the stored trees.
    fn is_mendable(self) -> bool {
        matches!(self, Self::Published | Self::Index | Self::Blocks)
    }
}

/// Something that is not as it was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// Where.
    pub kind: FaultKind,
    /// What, in words.
    pub message: String,
    /// What to do about it.
    pub advice: &'static str,
    /// Whether it was mended.
    pub mended: bool,
}

/// What was checked and found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct VerifyReport {
    /// Pages of the store.
    pub pages: u64,
    /// Blocks of their trees.
    pub blocks: u64,
    /// Pages whose HTML is kept.
    pub bodies: u64,
    /// Pages whose HTML is in an archive.
    pub referred: u64,
    /// Archives that are referred to and are not there: no fault, but their pages cannot be analysed again.
    pub archives_missing: Vec<PathBuf>,
    /// Records of the ledger.
    pub records: u64,
    /// Whether what others have open was checked as readers have it, and the database itself was not.
    pub beside_others: bool,
    /// The first faults.
    pub faults: Vec<Fault>,
    /// Faults beyond those, not mended.
    pub faults_left_out: u64,
    /// Wall time.
    pub duration: Duration,
}

impl VerifyReport {
    /// Faults that were not mended.
    pub fn faults_left(&self) -> u64 {
        self.faults_left_out + self.faults.iter().filter(|fault| !fault.mended).count() as u64
    }

    pub(super) fn fault(&mut self, kind: FaultKind, message: String) {
        if self.faults.len() < FAULTS_MAX {
            self.faults.push(Fault { kind, message, advice: kind.advice(), mended: false });
        } else {
            self.faults_left_out += 1;
        }
    }

    /// Takes the faults of the index out of what is left.
    fn mended(&mut self) {
        for fault in self.faults.iter_mut().filter(|fault| fault.kind.is_mendable()) {
            fault.mended = true;
        }
    }
}

/// Checks the data folder `data`: rows, trees, statistics, kept bodies, ledger, the index's files, and the blocks of each page in the index
/// against its tree. With `mend`, the index is put right from the stored trees. O(all data). Where others have the folder, or it cannot be
/// written, the last commit is checked as readers have it.
///
/// # Errors
///
/// [`CollectionError`] when the folder is absent or of another version, or was made with other parameters, and with `mend` also when it is in
/// use. Damage is not an error but in the report.
pub fn verify(data: &Path, params: ExtractParams, mend: bool) -> Result<VerifyReport, CollectionError> {
    let started = Instant::now();
    let mut report = VerifyReport::default();
    Store::must_exist(data)?;
    match Store::open(data, if mend { OpenMode::Write } else { OpenMode::ReadAlone }) {
        Ok(store) => {
            check_store(&store, &mut report);
            let checked = check_published(&store, mend, &mut report);
            let checked = checked.and_then(|()| check_and_mend(store, params, mend, &mut report));
            told(checked, &mut report)?;
        }
        Err(error @ StoreError::Damaged { .. }) => report.fault(FaultKind::Store, damage(&error)),
        Err(StoreError::DataInUse { .. } | StoreError::Folder(_) | StoreError::Io { .. }) if !mend => {
            check_beside_others(data, params, &mut report)?;
        }
        Err(error) => return Err(error.into()),
    }
    report.duration = started.elapsed();
    Ok(report)
}

/// Damage that ends a check is a fault like any other.
fn told(checked: Result<(), CollectionError>, report: &mut VerifyReport) -> Result<(), CollectionError> {
    match checked {
        Err(CollectionError::Store(error @ StoreError::Damaged { .. })) => {
            report.fault(FaultKind::Store, damage(&error));
            Ok(())
        }
        checked => checked,
    }
}

/// Checks what readers of the folder have.
fn check_beside_others(data: &Path, params: ExtractParams, report: &mut VerifyReport) -> Result<(), CollectionError> {
    report.beside_others = true;
    let collection = match DataFolder::open_to_read(data) {
        Err(CollectionError::Store(error @ StoreError::Damaged { .. })) => {
            report.fault(FaultKind::Published, damage(&error));
            return Ok(());
        }
        opened => opened?,
    };
    check_store(collection.store(), report);
    let checkpoint = read_checkpoint(data, collection.index())?;
    let params = agreed_params(data, checkpoint.as_ref(), params)?;
    let checked = check_index(collection.store(), Some(collection.index()), params, report).map(drop);
    told(checked, report)
}

/// Checks what readers would have against the database.
fn check_published(store: &Store, mend: bool, report: &mut VerifyReport) -> Result<(), CollectionError> {
    if let Err(error) = store.check_published() {
        report.fault(FaultKind::Published, damage(&error));
        if mend {
            store.publish_again()?;
            report.mended();
        }
    }
    Ok(())
}

fn check_and_mend(
    mut store: Store,
    params: ExtractParams,
    mend: bool,
    report: &mut VerifyReport,
) -> Result<(), CollectionError> {
    let params = own_params(&store, params)?;
    for _ in 0..ROUNDS {
        let trouble = check_index(&store, None, params, report)?;
        if trouble == IndexTrouble::None || !mend {
            return Ok(());
        }
        store = mend_index(store, params, trouble)?;
        report.mended();
    }
    check_index(&store, None, params, report).map(drop)
}

/// What an error tells, with its causes, but without the advice, which a fault gives itself.
pub(super) fn damage(error: &StoreError) -> String {
    match error {
        StoreError::Damaged { what, source: Some(source), .. } => format!("{what}: {}", chain(&**source)),
        StoreError::Damaged { what, .. } => what.clone(),
        other => chain(other),
    }
}

/// An error and its causes.
pub(super) fn chain(error: &dyn Error) -> String {
    let mut message = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        message = format!("{message}: {cause}");
        source = cause.source();
    }
    message
}

#[cfg(test)]
mod tests {
    use std::fs;

    use lopper_archive::page::PageId;
    use lopper_content::limits::Limits;
    use lopper_content::statistics::PageKeys;
    use lopper_store::{ArchiveKey, BodyPlace, PagePut, RecordPlace, StoredPage};

    use super::super::{IngestOptions, RebuildFrom, RepairOptions, ingest_page, rebuild, repair};
    use super::*;
    use crate::open_commit::OpenCommit;
    use crate::testing::posted;

    /// More than are verified whenever a store is opened.
    const MANY: u64 = 1_001;

    fn open(data: &Path) -> DataFolder {
        DataFolder::open_to_write(data, ExtractParams::default()).unwrap()
    }

    /// Two pages with text, kept, and many others without any.
    fn many(data: &Path) -> [PageId; 2] {
        let folder = open(data);
        let pages = ["oak", "elm"].map(|tree| {
            let html = format!("<title>{tree}</title><p>The {tree} grows old by the river.</p>");
            posted(&format!("http://{tree}.example/"), &html)
        });
        let empty = posted("http://empty.example/", "<p>");
        for page in pages.iter().chain([&empty]) {
            ingest_page(&folder, page, &Limits::default()).unwrap();
        }
        let store = folder.store();
        let (bare, tree) = (store.page(empty.id).unwrap().unwrap(), store.tree_bytes(empty.id).unwrap().unwrap());
        let archive = ArchiveKey::by_content("many.warc".as_ref(), 7);
        let mut open = OpenCommit::begin(&folder);
        for ordinal in 0..MANY {
            let id = PageId::of(&bare.url, Some(ordinal as i64 + 2));
            let (digest, body) = (None, BodyPlace::None);
            let put = PagePut::new(StoredPage { id, digest, body, ..bare.clone() }, &tree, 0, PageKeys::default());
            let place = RecordPlace { archive: &archive, ordinal, offset_bytes: ordinal };
            open.batch.put(store, &place, put.unwrap()).unwrap();
        }
        open.commit().unwrap();
        pages.map(|page| page.id)
    }

    fn flip_first_row(data: &Path) {
        let path = data.join("pages.bin");
        let mut bytes = fs::read(&path).unwrap();
        bytes[40] ^= 0x10;
        fs::write(path, bytes).unwrap();
    }

    /// Whether that one row is all that is told of.
    fn is_of_row(report: &VerifyReport) -> bool {
        report.faults.len() == 1 && report.faults[0].kind == FaultKind::Store && !report.faults[0].mended
    }

    #[test]
    fn a_damaged_row_among_many_pages_is_told_and_costs_its_page_alone() {
        let folder = tempfile::tempdir().unwrap();
        let data = &folder.path().join("data");
        let [oak, elm] = many(data);
        flip_first_row(data);
        for mend in [false, true] {
            let report = verify(data, ExtractParams::default(), mend).unwrap();
            assert!(is_of_row(&report) && report.pages == MANY + 2 && report.blocks == 1, "{report:?}");
        }
        fs::remove_dir_all(data.join("index")).unwrap();
        let blocks = |page: PageId| open(data).index().searcher().blocks_of_page(&page.to_string()).unwrap().len();
        assert_eq!((blocks(oak), blocks(elm)), (0, 1), "the index is made anew without it");
        let (params, ingest) = (ExtractParams::default(), IngestOptions::default());
        let report = repair(data, params, &ingest, RepairOptions::default()).unwrap();
        assert!(report.verified.as_ref().is_some_and(is_of_row), "{report:?}");
        let report = repair(data, params, &ingest, RepairOptions { from_bodies: true, ..Default::default() }).unwrap();
        assert!(report.is_sound() && report.rebuilt.as_ref().is_some_and(|made| made.from_bodies == 3), "{report:?}");
        assert_eq!((blocks(oak), blocks(elm)), (1, 1));
        flip_first_row(data);
        let report = rebuild(data, RebuildFrom::Trees, params, &ingest, &mut |_, _| {}).unwrap();
        assert_eq!((report.from_trees, report.from_bodies + report.lost), (MANY + 2, 1));
    }
}
