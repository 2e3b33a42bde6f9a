//! What archives have of pictures and style sheets, remembered for the pages that are looked at.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use lopper_collection::resources::{ArchivePart, Resources};
use lopper_content::limits::Limits;
use lopper_store::StoredPage;

/// Parts of archives that are remembered, the last used ones.
const PARTS_MAX: usize = 8;

type Part = (ArchivePart, Arc<OnceLock<Resources>>);

/// The parts that were looked through, the last used one last.
#[derive(Default)]
pub(super) struct KnownResources(Mutex<Vec<Part>>);

impl KnownResources {
    /// What is around `page`; `None` where its archive is not there. The first who asks looks it through, and others wait for that.
    pub(super) fn of(&self, page: &StoredPage, limits: &Limits) -> Option<Arc<OnceLock<Resources>>> {
        let part = ArchivePart::around(&page.provenance.archive, page.provenance.offset_bytes)?;
        let resources = self.entry(&part);
        resources.get_or_init(|| Resources::of(&part, limits));
        Some(resources)
    }

    fn entry(&self, part: &ArchivePart) -> Arc<OnceLock<Resources>> {
        let mut parts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = parts.iter().position(|(known, _)| known == part).map(|place| parts.remove(place));
        let entry = known.unwrap_or_else(|| (part.clone(), Arc::default()));
        let resources = Arc::clone(&entry.1);
        parts.push(entry);
        if parts.len() > PARTS_MAX {
            parts.remove(0);
        }
        resources
    }
}
