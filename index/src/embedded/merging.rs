//! Which segments are merged.

use std::cmp::Reverse;
use std::collections::HashMap;

use tantivy::index::SegmentId;
use tantivy::merge_policy::{LogMergePolicy, MergeCandidate, MergePolicy};
use tantivy::{DocId, SegmentMeta};

/// Documents of a merged segment. A merge maps what it reads and writes into memory, about a kilobyte a document, and takes longer the more there
/// are; a segment costs each query its look-ups.
const DOCS_MAX: DocId = 80_000;

/// Segments of an index at most, or nearly so: in larger indexes segments are larger.
const SEGMENTS: DocId = 64;

/// Segments of about one size are merged, as the engine does it, but only up to a size, so that neither the memory nor the time of a merge
/// grows with the index until that is very large.
#[derive(Debug, Default)]
pub(crate) struct BoundedMerges(LogMergePolicy);

impl MergePolicy for BoundedMerges {
    fn compute_merge_candidates(&self, segments: &[SegmentMeta]) -> Vec<MergeCandidate> {
        let docs: HashMap<SegmentId, DocId> = segments.iter().map(|one| (one.id(), one.num_docs())).collect();
        let docs_max = DOCS_MAX.max(docs.values().sum::<DocId>() / SEGMENTS);
        let small: Vec<SegmentMeta> = segments.iter().filter(|one| one.num_docs() <= docs_max / 2).cloned().collect();
        let candidates = self.0.compute_merge_candidates(&small);
        candidates.into_iter().flat_map(|MergeCandidate(ids)| bounded(ids, &docs, docs_max)).collect()
    }
}

/// Parts of a merge, each of `docs_max` documents at most; what would be alone stays as it is.
fn bounded(ids: Vec<SegmentId>, docs: &HashMap<SegmentId, DocId>, docs_max: DocId) -> Vec<MergeCandidate> {
    let mut parts: Vec<(DocId, Vec<SegmentId>)> = Vec::new();
    for id in ids {
        let own = docs.get(&id).copied().unwrap_or_default();
        match parts.last_mut() {
            Some((sum, part)) if *sum + own <= docs_max => {
                *sum += own;
                part.push(id);
            }
            _ => parts.push((own, vec![id])),
        }
    }
    parts.into_iter().filter(|(_, part)| part.len() > 1).map(|(_, part)| MergeCandidate(part)).collect()
}

/// Segments in at most `count` parts of about as many documents each. One that is alone is merged as well where it has deleted documents.
pub(crate) fn even_parts(segments: &[SegmentMeta], count: usize) -> Vec<MergeCandidate> {
    let mut largest_first: Vec<&SegmentMeta> = segments.iter().collect();
    largest_first.sort_by_key(|segment| (Reverse(segment.num_docs()), segment.id()));
    let mut parts: Vec<(u64, Vec<&SegmentMeta>)> = vec![(0, Vec::new()); count.min(segments.len())];
    for segment in largest_first {
        if let Some((docs, part)) = parts.iter_mut().min_by_key(|(docs, _)| *docs) {
            *docs += u64::from(segment.num_docs());
            part.push(segment);
        }
    }
    let is_worth = |part: &[&SegmentMeta]| part.len() > 1 || part.iter().any(|segment| segment.has_deletes());
    let candidate = |part: Vec<&SegmentMeta>| MergeCandidate(part.iter().map(|segment| segment.id()).collect());
    parts.into_iter().map(|(_, part)| part).filter(|part| is_worth(part)).map(candidate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merges_are_parted_where_they_get_too_large() {
        let sizes = [50, 40, 30, 30, 30, 30, 90, 20];
        let ids: Vec<SegmentId> = sizes.iter().map(|_| SegmentId::generate_random()).collect();
        let docs: HashMap<SegmentId, DocId> = ids.iter().copied().zip(sizes).collect();
        let parts = bounded(ids.clone(), &docs, 100);
        let sums: Vec<DocId> = parts.iter().map(|MergeCandidate(part)| part.iter().map(|id| docs[id]).sum()).collect();
        assert_eq!(sums, [90, 90], "50 + 40, 30 + 30 + 30; the others are alone");
        assert!(bounded(ids[..1].to_vec(), &docs, 100).is_empty());
    }
}
