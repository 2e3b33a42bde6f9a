//! How many documents match.

use tantivy::collector::{Collector, SegmentCollector};
use tantivy::query::{EnableScoring, Query};
use tantivy::{DocId, Score, Searcher, SegmentReader, TERMINATED, TantivyError};

use crate::engine::Budget;

/// Counts documents one by one, as long as the budget lasts.
pub(super) struct Count<'a> {
    pub(super) budget: &'a Budget,
}

impl Collector for Count<'_> {
    type Fruit = u64;
    type Child = SegmentCount;

    fn for_segment(&self, _segment_ord: u32, _segment: &SegmentReader) -> Result<SegmentCount, TantivyError> {
        Ok(SegmentCount { count: 0, budget: self.budget.clone() })
    }

    fn requires_scoring(&self) -> bool {
        false
    }

    fn merge_fruits(&self, fruits: Vec<u64>) -> Result<u64, TantivyError> {
        Ok(fruits.iter().sum())
    }
}

pub(super) struct SegmentCount {
    count: u64,
    budget: Budget,
}

impl SegmentCollector for SegmentCount {
    type Fruit = u64;

    fn collect(&mut self, doc: DocId, _score: Score) {
        self.collect_block(&[doc]);
    }

    fn collect_block(&mut self, docs: &[DocId]) {
        if !self.budget.is_spent() {
            self.count += docs.len() as u64;
        }
    }

    fn harvest(self) -> u64 {
        self.count
    }
}

/// Counts documents as long as there are fewer than `most` and the budget lasts.
pub(super) fn count_up_to(
    searcher: &Searcher,
    query: &dyn Query,
    most: u64,
    budget: &Budget,
) -> Result<u64, TantivyError> {
    let weight = query.weight(EnableScoring::disabled_from_searcher(searcher))?;
    let mut count = 0;
    for segment in searcher.segment_readers() {
        let mut found = weight.scorer(segment, 1.0)?;
        while found.doc() != TERMINATED {
            if count >= most || budget.is_spent() {
                return Ok(count);
            }
            count += u64::from(!segment.is_deleted(found.doc()));
            found.advance();
        }
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use tantivy::query::AllQuery;
    use tantivy::schema::{Schema, TEXT};
    use tantivy::{Index, Term, doc};

    use super::*;
    use crate::engine::QueryLimits;

    #[test]
    fn counting_stops_where_it_is_told() {
        let mut schema = Schema::builder();
        let field = schema.add_text_field("text", TEXT);
        let index = Index::create_in_ram(schema.build());
        let mut writer = index.writer_with_num_threads(1, 15_000_000).unwrap();
        for texts in [["one", "gone", "two"], ["gone", "three", "four"]] {
            for text in texts {
                writer.add_document(doc!(field => text)).unwrap();
            }
            writer.commit().unwrap();
        }
        writer.delete_term(Term::from_field_text(field, "gone"));
        writer.commit().unwrap();
        let searcher = index.reader().unwrap().searcher();
        for (most, counted) in [(0, 0), (1, 1), (3, 3), (4, 4), (5, 4), (u64::MAX, 4)] {
            assert_eq!(count_up_to(&searcher, &AllQuery, most, &Budget::unlimited()).unwrap(), counted, "{most}");
        }
        let spent = Budget::new(QueryLimits { duration_max: None, work_max: 0 });
        spent.spend(1);
        assert_eq!(count_up_to(&searcher, &AllQuery, 4, &spent).unwrap(), 0);
    }
}
