//! What a rebuild will have to begin with, said before it starts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lopper_store::{BodyPlace, OpenMode, Store};
use serde::Serialize;

use crate::CollectionError;

/// Where the HTML of a folder's pages is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct RebuildPlan {
    /// Pages of the folder.
    pub pages: u64,
    /// Pages whose HTML is kept in it.
    pub kept: u64,
    /// Pages whose HTML is in an archive that is there.
    pub in_archives: u64,
    /// Pages whose HTML is nowhere: they keep their old trees, unless their archive is found elsewhere.
    pub nowhere: u64,
    /// Archives that are not where they were, with their pages.
    pub archives_missing: BTreeMap<PathBuf, u64>,
}

/// Looks where the HTML of all pages is. O(pages); others may use the folder meanwhile.
///
/// # Errors
///
/// [`CollectionError`] when the folder is absent, cannot be read, or is damaged.
pub fn plan_rebuild(data: &Path) -> Result<RebuildPlan, CollectionError> {
    let store = Store::open(data, OpenMode::Read)?;
    let mut plan = RebuildPlan::default();
    let mut in_archives: BTreeMap<PathBuf, u64> = BTreeMap::new();
    for page in store.pages() {
        let page = page?;
        plan.pages += 1;
        match page.body {
            BodyPlace::Kept => plan.kept += 1,
            BodyPlace::Archive => *in_archives.entry(store.archive_path(&page)?).or_default() += 1,
            BodyPlace::None => plan.nowhere += 1,
        }
    }
    for (path, pages) in in_archives {
        if path.exists() {
            plan.in_archives += pages;
        } else {
            plan.nowhere += pages;
            plan.archives_missing.insert(path, pages);
        }
    }
    Ok(plan)
}
