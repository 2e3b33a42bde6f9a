//! The best documents by BM25 over one field, wherever they are.
//!
//! MaxScore (Turtle and Flood 1995), a window of documents at a time: the words that a document among the best cannot do without are
//! added up for all documents of the window, the others are looked up for those that still can get there. The least score that counts
//! is carried on from segment to segment.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::sync::Arc;

use tantivy::fieldnorm::FieldNormReader;
use tantivy::postings::BlockSegmentPostings;
use tantivy::query::{EnableScoring, Query, Scorer};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocAddress, DocId, Searcher, SegmentOrdinal, SegmentReader, TERMINATED, TantivyError};

use crate::lexicon::Entry;

/// Saturation of term frequencies.
const K1: f32 = 1.2;

/// How much a document's length counts.
const B: f32 = 0.75;

/// Documents of a window; a multiple of 64.
const WINDOW: u32 = 4096;

/// A word of the query in the field.
pub(super) struct SoughtWord {
    pub(super) idf: f32,
    /// Its terms, each with what it counts, in (0, 1]. A document's best one counts.
    pub(super) terms: Vec<(f32, Arc<Entry>)>,
}

/// What is sought.
pub(super) struct BestDocuments<'a> {
    pub(super) searcher: &'a Searcher,
    pub(super) field: Field,
    pub(super) mean_length: f32,
    pub(super) words: &'a [SoughtWord],
    /// How many are wanted.
    pub(super) limit: usize,
    /// What a document must match besides.
    pub(super) constraint: Option<&'a dyn Query>,
    /// Whether it must have a word besides.
    pub(super) needs_word: bool,
}

impl BestDocuments<'_> {
    /// The best documents with their scores, in no order.
    pub(super) fn find(&self) -> Result<Vec<(f32, DocAddress)>, TantivyError> {
        let mut best = Best::new(self.limit);
        let mut window = Window::default();
        let scoring = EnableScoring::disabled_from_searcher(self.searcher);
        let constraint = self.constraint.map(|query| query.weight(scoring)).transpose()?;
        // Large segments first: they raise the least score that counts most.
        let mut segments: Vec<(SegmentOrdinal, &SegmentReader)> = (0..).zip(self.searcher.segment_readers()).collect();
        segments.sort_by_key(|(_, segment)| Reverse(segment.max_doc()));
        for (ord, segment) in segments {
            let allowed = constraint.as_ref().map(|weight| weight.scorer(segment, 1.0)).transpose()?;
            if let Some(mut search) = self.segment_search(ord, segment, allowed)? {
                search.run(&mut window, &mut best);
            }
        }
        Ok(best.heap.into_iter().map(|Reverse(Scored { score, address })| (score, address)).collect())
    }

    /// Nothing where nothing can be found.
    fn segment_search<'s>(
        &self,
        ord: SegmentOrdinal,
        segment: &'s SegmentReader,
        allowed: Option<Box<dyn Scorer>>,
    ) -> Result<Option<SegmentSearch<'s>>, TantivyError> {
        let inverted = segment.inverted_index(self.field)?;
        let mut words = Vec::with_capacity(self.words.len());
        for word in self.words {
            let mut terms = Vec::with_capacity(word.terms.len());
            let mut bound = 0f32;
            for (factor, entry) in &word.terms {
                let Some(info) = entry.in_segment(ord) else { continue };
                let postings = inverted.read_block_postings_from_terminfo(info, IndexRecordOption::WithFreqs)?;
                let weight = word.idf * factor;
                terms.push(Cursor { postings, at: 0, weight });
                bound = bound.max(weight);
            }
            if bound > 0.0 {
                words.push(Word { terms, bound });
            }
        }
        if words.is_empty() && (self.needs_word || allowed.is_none()) {
            return Ok(None);
        }
        words.sort_by(|a, b| a.bound.total_cmp(&b.bound));
        let mut sum = 0.0;
        let bounds = words.iter().map(|word| {
            sum += word.bound;
            sum
        });
        let saturations = std::array::from_fn(|id| {
            let length = FieldNormReader::id_to_fieldnorm(id as u8) as f32;
            K1 * (1.0 - B + B * length / self.mean_length)
        });
        Ok(Some(SegmentSearch {
            ord,
            segment,
            bounds: bounds.collect(),
            words,
            norms: Norms { lengths: segment.get_fieldnorms_reader(self.field)?, saturations },
            allowed,
            needs_word: self.needs_word,
        }))
    }
}

/// The best so far.
struct Best {
    heap: BinaryHeap<Reverse<Scored>>,
    limit: usize,
    /// What a score must pass to count.
    least: f32,
}

/// Ordered by score; of equal ones the later document is less.
#[derive(PartialEq)]
struct Scored {
    score: f32,
    address: DocAddress,
}

impl Eq for Scored {}

impl Ord for Scored {
    fn cmp(&self, other: &Self) -> Ordering {
        self.score.total_cmp(&other.score).then_with(|| other.address.cmp(&self.address))
    }
}

impl PartialOrd for Scored {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Best {
    fn new(limit: usize) -> Self {
        let least = if limit == 0 { f32::INFINITY } else { -1.0 };
        Self { heap: BinaryHeap::new(), limit, least }
    }

    fn add(&mut self, score: f32, address: DocAddress) {
        self.heap.push(Reverse(Scored { score, address }));
        if self.heap.len() > self.limit {
            self.heap.pop();
        }
        if self.heap.len() == self.limit
            && let Some(Reverse(worst)) = self.heap.peek()
        {
            self.least = worst.score;
        }
    }
}

/// A word with its terms in one segment.
struct Word {
    terms: Vec<Cursor>,
    /// More than this it never adds.
    bound: f32,
}

/// A place in a list of postings.
struct Cursor {
    postings: BlockSegmentPostings,
    /// In the block of postings that is decoded.
    at: usize,
    weight: f32,
}

impl Cursor {
    fn doc(&self) -> DocId {
        self.postings.docs().get(self.at).copied().unwrap_or(TERMINATED)
    }

    /// Calls `visit` with the documents before `end` and their frequencies, and goes there.
    #[inline]
    fn for_each_before(&mut self, end: DocId, mut visit: impl FnMut(DocId, u32)) {
        loop {
            let docs = &self.postings.docs()[self.at..];
            let Some(&last) = docs.last() else { return };
            let count = if last < end { docs.len() } else { docs.partition_point(|doc| *doc < end) };
            let freqs = &self.postings.freqs()[self.at..self.at + count];
            docs.iter().zip(freqs).for_each(|(doc, frequency)| visit(*doc, *frequency));
            self.at += count;
            if last >= end {
                return;
            }
            self.postings.advance();
            self.at = 0;
        }
    }

    /// Goes to `doc` or behind it.
    fn seek(&mut self, doc: DocId) {
        if self.doc() < doc {
            self.at = self.postings.seek(doc);
        }
    }

    /// Goes to `doc` or behind it; its frequency there.
    fn frequency_at(&mut self, doc: DocId) -> Option<u32> {
        self.seek(doc);
        (self.doc() == doc).then(|| self.postings.freq(self.at))
    }
}

/// BM25's saturation by a document's length.
struct Norms {
    lengths: FieldNormReader,
    /// By the code of a length.
    saturations: [f32; 256],
}

impl Norms {
    #[inline]
    fn saturated(&self, doc: DocId, frequency: u32) -> f32 {
        let frequency = frequency as f32;
        frequency / (frequency + self.saturations[usize::from(self.lengths.fieldnorm_id(doc))])
    }
}

/// Scores of the documents from `begin` on.
struct Window {
    begin: DocId,
    /// 0 where nothing was added.
    scores: Box<Scores>,
    /// What the word that is being added has added, and to which.
    of_word: Box<Scores>,
    places_of_word: Vec<u16>,
    /// Documents with a score, a bit each.
    touched: [u64; (WINDOW / 64) as usize],
    /// Documents that may be found.
    allowed: [u64; (WINDOW / 64) as usize],
}

/// A score for each document of a window.
type Scores = [f32; WINDOW as usize];

impl Default for Window {
    fn default() -> Self {
        let zeros = || Box::new([0.0; WINDOW as usize]);
        let bits = [0; (WINDOW / 64) as usize];
        Self { begin: 0, scores: zeros(), of_word: zeros(), places_of_word: Vec::new(), touched: bits, allowed: bits }
    }
}

impl Window {
    fn end(&self) -> DocId {
        self.begin.saturating_add(WINDOW)
    }

    /// Adds what a word gives each document.
    fn add(&mut self, word: &mut Word, norms: &Norms) {
        let end = self.end();
        let Self { begin, scores, of_word, places_of_word, touched, .. } = self;
        let begin = *begin;
        // The remainders only tell the compiler that there is a place for each.
        let place = |doc: DocId| (doc - begin) as usize % WINDOW as usize;
        let mut touch = |place: usize| touched[place / 64] |= 1 << (place % 64);
        if let [cursor] = &mut word.terms[..] {
            let weight = cursor.weight;
            cursor.seek(begin);
            cursor.for_each_before(end, |doc, frequency| {
                let place = place(doc);
                touch(place);
                scores[place] += weight * norms.saturated(doc, frequency);
            });
            return;
        }
        for cursor in &mut word.terms {
            let weight = cursor.weight;
            cursor.seek(begin);
            cursor.for_each_before(end, |doc, frequency| {
                let place = place(doc);
                let (score, former) = (weight * norms.saturated(doc, frequency), of_word[place]);
                if score > former {
                    touch(place);
                    scores[place] += score - former;
                    of_word[place] = score;
                    places_of_word.push(place as u16);
                }
            });
        }
        for place in places_of_word.drain(..) {
            of_word[usize::from(place) % WINDOW as usize] = 0.0;
        }
    }

    /// Notes which documents may be found at all.
    fn allow(&mut self, allowed: &mut dyn Scorer) {
        self.allowed.fill(0);
        let mut doc = allowed.doc();
        while doc < self.end() {
            let place = (doc - self.begin) as usize;
            self.allowed[place / 64] |= 1 << (place % 64);
            doc = allowed.advance();
        }
    }

    /// Moves on to the documents from `begin` on. The scores were taken away one by one.
    fn begin(&mut self, begin: DocId) {
        debug_assert!(self.scores.iter().all(|score| *score == 0.0));
        self.begin = begin;
        self.touched.fill(0);
    }

    fn take_score(&mut self, place: usize) -> f32 {
        std::mem::take(&mut self.scores[place % WINDOW as usize])
    }
}

/// The search in one segment.
struct SegmentSearch<'a> {
    ord: SegmentOrdinal,
    segment: &'a SegmentReader,
    /// Those that give least first.
    words: Vec<Word>,
    /// What each word and all before it can give together.
    bounds: Vec<f32>,
    norms: Norms,
    allowed: Option<Box<dyn Scorer>>,
    needs_word: bool,
}

impl SegmentSearch<'_> {
    fn run(&mut self, window: &mut Window, best: &mut Best) {
        loop {
            let threshold = best.least;
            // A document without any of the words from here on cannot get there.
            let essential = self.bounds.iter().take_while(|bound| **bound <= threshold).count();
            let Some(begin) = self.next(essential, threshold) else { return };
            window.begin(begin);
            for word in &mut self.words[essential..] {
                window.add(word, &self.norms);
            }
            if let Some(allowed) = &mut self.allowed {
                window.allow(&mut **allowed);
            }
            self.collect(window, essential, best);
        }
    }

    /// The next document that may be among the best.
    fn next(&mut self, essential: usize, threshold: f32) -> Option<DocId> {
        let cursors = self.words[essential..].iter().flat_map(|word| &word.terms);
        let with_word = cursors.map(Cursor::doc).min().unwrap_or(TERMINATED);
        let next = match &mut self.allowed {
            None => with_word,
            Some(allowed) if self.needs_word || threshold >= 0.0 => {
                let doc = allowed.doc();
                if doc < with_word && with_word != TERMINATED { allowed.seek(with_word) } else { doc.max(with_word) }
            }
            Some(allowed) => allowed.doc(),
        };
        (next != TERMINATED).then_some(next)
    }

    /// Looks at each document of the window, and takes its score away.
    fn collect(&mut self, window: &mut Window, essential: usize, best: &mut Best) {
        // The most that the words which are not essential add.
        let rest = essential.checked_sub(1).map_or(0.0, |last| self.bounds[last]);
        for block in 0..window.touched.len() {
            let mut bits = window.touched[block];
            let wanted = match (&self.allowed, self.needs_word) {
                (None, _) => bits,
                (Some(_), true) => bits & window.allowed[block],
                (Some(_), false) => {
                    bits |= window.allowed[block];
                    window.allowed[block]
                }
            };
            while bits != 0 {
                let bit = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let score = window.take_score(block * 64 + bit);
                if wanted >> bit & 1 == 1 && score + rest > best.least {
                    self.consider(window.begin + (block * 64 + bit) as DocId, score, essential, best);
                }
            }
        }
    }

    /// Adds what the words give that are not essential, as long as the document may be among the best.
    fn consider(&mut self, doc: DocId, mut score: f32, essential: usize, best: &mut Best) {
        let threshold = best.least;
        for word in (0..essential).rev() {
            if score + self.bounds[word] <= threshold {
                return;
            }
            score += self.words[word].score_at(doc, &self.norms);
        }
        if score > threshold && !self.segment.is_deleted(doc) {
            best.add(score, DocAddress::new(self.ord, doc));
        }
    }
}

impl Word {
    fn score_at(&mut self, doc: DocId, norms: &Norms) -> f32 {
        let scores = self.terms.iter_mut().filter_map(|cursor| {
            let weight = cursor.weight;
            cursor.frequency_at(doc).map(|frequency| weight * norms.saturated(doc, frequency))
        });
        scores.fold(0.0, f32::max)
    }
}

#[cfg(test)]
mod tests {
    use tantivy::query::TermQuery;
    use tantivy::{Term, doc};

    use super::*;
    use crate::lexicon::{KnownTerms, Lexicon};

    const WORDS: [&str; 6] = ["the", "of", "mill", "sail", "linen", "post"];

    /// Documents in three segments; word `w` is in every `(w² + 1)`th or so, and some are deleted.
    fn index() -> (tantivy::Index, Field) {
        let mut schema = tantivy::schema::Schema::builder();
        let field = schema.add_text_field("text", tantivy::schema::TEXT);
        let index = tantivy::Index::create_in_ram(schema.build());
        let mut writer = index.writer_with_num_threads(1, 15_000_000).unwrap();
        writer.set_merge_policy(Box::new(tantivy::merge_policy::NoMergePolicy));
        let mut random = 7u64;
        let mut next = || {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            random >> 33
        };
        for documents in [5000, 9000, 40] {
            for _ in 0..documents {
                let held = WORDS.iter().enumerate().filter(|(w, _)| next() % (*w as u64 * *w as u64 + 1) == 0);
                let text: Vec<String> = held.map(|(_, word)| format!("{word} ").repeat(1 + word.len() % 3)).collect();
                let filler = "x ".repeat((next() % 30) as usize);
                writer.add_document(doc!(field => format!("{} {filler}{}", text.concat(), next() % 10))).unwrap();
            }
            writer.commit().unwrap();
        }
        writer.delete_term(Term::from_field_text(field, "3"));
        writer.commit().unwrap();
        (index, field)
    }

    #[test]
    fn the_best_of_all_are_found() {
        let (index, field) = index();
        let searcher = index.reader().unwrap().searcher();
        let terms = KnownTerms::default();
        let lexicon = Lexicon::new(&searcher, &terms);
        let constraint = TermQuery::new(Term::from_field_text(field, "7"), IndexRecordOption::Basic);
        let word = |idf, terms: &[(f32, &str)]| SoughtWord {
            idf,
            terms: terms.iter().map(|(factor, term)| (*factor, lexicon.entry(field, term).unwrap())).collect(),
        };
        let queries = [
            vec![word(2.0, &[(1.0, "post")])],
            vec![word(0.1, &[(1.0, "the")]), word(0.7, &[(1.0, "of")]), word(3.0, &[(1.0, "linen"), (0.5, "sail")])],
            vec![word(0.1, &[(1.0, "the")]), word(1.0, &[(1.0, "mill"), (1.0, "nowhere")]), word(0.0, &[(1.0, "of")])],
        ];
        for words in &queries {
            for (constraint, needs_word) in
                [(None, true), (Some(&constraint as &dyn Query), true), (Some(&constraint), false)]
            {
                let find = |limit| {
                    let searcher = &searcher;
                    let best =
                        BestDocuments { searcher, field, mean_length: 12.0, words, limit, constraint, needs_word };
                    let mut found = best.find().unwrap();
                    found.sort_by(|a, b| b.0.total_cmp(&a.0));
                    found
                };
                // None is passed over when there is room for all.
                let all = find(usize::MAX);
                assert!(all.len() > 20 && (!needs_word || all.iter().all(|(score, _)| *score > 0.0)));
                for (_, address) in &all {
                    assert!(!searcher.segment_reader(address.segment_ord).is_deleted(address.doc_id));
                }
                for limit in [0, 1, 10, 300] {
                    let scores =
                        |found: &[(f32, DocAddress)]| -> Vec<f32> { found.iter().map(|found| found.0).collect() };
                    let (some, first) = (scores(&find(limit)), scores(&all[..limit.min(all.len())]));
                    assert!(some.len() == first.len() && some.iter().zip(&first).all(|(a, b)| (a - b).abs() < 1e-4));
                }
            }
        }
    }

    #[test]
    fn scores_by_hand() {
        let (index, field) = index();
        let searcher = index.reader().unwrap().searcher();
        let terms = KnownTerms::default();
        let lexicon = Lexicon::new(&searcher, &terms);
        let words = [SoughtWord { idf: 2.0, terms: vec![(0.5, lexicon.entry(field, "linen").unwrap())] }];
        let best = BestDocuments {
            searcher: &searcher,
            field,
            mean_length: 12.0,
            words: &words,
            limit: 1,
            constraint: None,
            needs_word: true,
        };
        // The shortest that can be: `linen linen linen`, a number, no filler; or with one of the words beside it.
        let (score, _) = best.find().unwrap()[0];
        let by_length = |length: f32| 2.0 * 0.5 * 3.0 / (3.0 + 1.2 * (0.25 + 0.75 * length / 12.0));
        assert!((4..10).any(|length| (score - by_length(length as f32)).abs() < 1e-5), "{score}");
    }
}
