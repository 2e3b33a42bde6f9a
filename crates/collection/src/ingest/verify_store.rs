//! The store's side of a check: rows, trees, statistics, bodies, ledger.

use std::collections::BTreeSet;

use lopper_content::pipeline::StoredTree;
use lopper_store::{ArchiveEntry, BodyPlace, ContentDigest, StateKind, Store, StoreError, StoredPage};

use super::verify::{FaultKind, VerifyReport, chain, damage};

/// Checks all that the store holds; faults go into the report.
pub(super) fn check_store(store: &Store, report: &mut VerifyReport) {
    if let Err(error) = store.verify_rows() {
        report.fault(FaultKind::Store, damage(&error));
    }
    check_pages(store, report);
    check_statistics(store, report);
    for entry in store.archives() {
        match entry {
            Ok(entry) => check_archive(store, &entry, report),
            Err(error) => report.fault(FaultKind::Store, damage(&error)),
        }
    }
}

fn check_pages(store: &Store, report: &mut VerifyReport) {
    let mut archives = BTreeSet::new();
    for page in store.pages() {
        let page = match page {
            Ok(page) => page,
            Err(error) => {
                report.fault(FaultKind::Store, damage(&error));
                continue;
            }
        };
        report.pages += 1;
        if let Err(message) = tree(store, &page) {
            report.fault(FaultKind::Tree, format!("the tree of {}: {message}", page.url));
        }
        match page.body {
            BodyPlace::Kept => check_body(store, &page, report),
            BodyPlace::Archive => {
                report.referred += 1;
                archives.extend(store.archive_path(&page).ok());
            }
            BodyPlace::None => {}
        }
    }
    report.archives_missing = archives.into_iter().filter(|path| !path.exists()).collect();
}

/// The page's tree, or what is wrong with it.
pub(super) fn tree(store: &Store, page: &StoredPage) -> Result<StoredTree, String> {
    match store.tree_bytes(page.id) {
        Ok(Some(bytes)) => StoredTree::decode(&bytes).map_err(|error| chain(&error)),
        Ok(None) => Err("missing".to_owned()),
        Err(error) => Err(damage(&error)),
    }
}

fn check_body(store: &Store, page: &StoredPage, report: &mut VerifyReport) {
    report.bodies += 1;
    let message = match store.body(page.id) {
        Ok(Some(body)) if page.digest.is_none_or(|digest| digest == ContentDigest::of(&body.html)) => return,
        Ok(_) => "other HTML than was kept".to_owned(),
        Err(error) => damage(&error),
    };
    report.fault(FaultKind::Body, format!("the kept HTML of {}: {message}", page.url));
}

/// Counts the terms of all pages anew. Trees that cannot be read have their own faults.
fn check_statistics(store: &Store, report: &mut VerifyReport) {
    if let Ok(counted) = store.counted_statistics()
        && counted != store.snapshot()
    {
        report.fault(FaultKind::Statistics, "the term statistics are not those of the pages".to_owned());
    }
}

/// Whether there is one entry for each record, their states add up to the archive's sums, and their pages are there.
fn check_archive(store: &Store, entry: &ArchiveEntry, report: &mut VerifyReport) {
    report.records += entry.sums.records();
    if let Err(message) = archive(store, entry) {
        report.fault(FaultKind::Ledger, format!("the records of {}: {message}", entry.key.path.display()));
    }
}

fn archive(store: &Store, entry: &ArchiveEntry) -> Result<(), String> {
    let told = |error: StoreError| damage(&error);
    let mut found = [0; StateKind::ALL.len()];
    for (ordinal, record) in (0..).zip(store.records(entry, None)) {
        let record = record.map_err(told)?;
        if record.ordinal != ordinal {
            return Err(format!("record {} stands in the place of record {ordinal}", record.ordinal));
        }
        let kind = record.state.kind();
        found[StateKind::ALL.iter().position(|other| *other == kind).unwrap_or_default()] += 1;
        if let Some(page) = record.state.page()
            && !store.contains(page).map_err(told)?
        {
            return Err(format!("record {} names page {page}, which is not there", record.ordinal));
        }
    }
    for (kind, found) in StateKind::ALL.into_iter().zip(found) {
        let expected = entry.sums.in_state(kind);
        if found != expected {
            return Err(format!("{found} are {kind}, their sum says {expected}"));
        }
    }
    Ok(())
}
