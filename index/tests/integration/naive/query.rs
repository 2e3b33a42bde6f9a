//! Answering a query by looking at every block.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use lopper_index::engine::{
    BlockField, BlockHandle, Candidate, CandidatePart, CandidateRequest, Candidates, Dates, EngineError, EngineQuery,
    KnownForm, MatchCount, PageField, PointerWords, RankWord, Standing, TopAndTotal, TopBlock, WordPlace, WordRow,
    WordTable,
};
use lopper_index::{
    BlockPart, Facet, FacetCounts, Facets, PagePart, ResolvedQuery, ResolvedWord, TextField, page_order, site, year_of,
};

use super::collection::{Collection, NaiveBlock, NaivePage, coarse};

const K1: f32 = 1.2;
const B: f32 = 0.75;

/// Blocks of a page that are looked at.
const BLOCKS_SEEN_MAX: usize = 128;

pub(super) struct NaiveQuery {
    collection: Arc<Collection>,
    query: ResolvedQuery,
    forms: Vec<Vec<KnownForm>>,
}

impl NaiveQuery {
    pub(super) fn new(collection: Arc<Collection>, query: ResolvedQuery) -> Self {
        let forms = query.words.iter().map(|word| known_forms(&collection, word)).collect();
        Self { collection, query, forms }
    }

    fn block(&self, handle: BlockHandle) -> &NaiveBlock {
        &self.collection.blocks[handle.number() as usize]
    }

    fn page(&self, block: &NaiveBlock) -> &NaivePage {
        &self.collection.pages[block.page]
    }

    fn meets_constraint(&self, block: &NaiveBlock) -> bool {
        self.query.constraint.as_ref().is_none_or(|clause| self.collection.matches(block, clause))
    }

    /// Whether a block is an answer at all.
    fn matches(&self, block: &NaiveBlock) -> bool {
        let needs_word = self.query.needs_word || self.query.constraint.is_none();
        let has_word = || self.query.words.iter().any(|word| self.collection.has_word(block, word));
        let is_left_out = self.query.without.as_deref() == Some(block.document.block_id.as_str());
        !is_left_out && self.meets_constraint(block) && (!needs_word || has_word())
    }

    fn matching(&self) -> impl Iterator<Item = (usize, &NaiveBlock)> {
        self.collection.blocks.iter().enumerate().filter(|(_, block)| self.matches(block))
    }

    fn standing(&self, block: &NaiveBlock) -> Standing {
        let page_order = page_order(&block.document.page_id);
        let page_key = self.page_link_key(block).unwrap_or(page_order);
        Standing { page_order, page_key, ordinal: block.document.ordinal.into() }
    }

    fn page_link_key(&self, block: &NaiveBlock) -> Option<u64> {
        Some(self.page(block).document.link_key).filter(|key| *key != 0)
    }

    /// BM25 of a text whose words stand so often in it, each in its best form.
    fn bm25(words: &[RankWord], idf: fn(&RankWord) -> f32, share: f32, count: impl Fn(&KnownForm) -> u32) -> f32 {
        let saturation = K1 * (1.0 - B + B * share);
        let best = |word: &RankWord| {
            let scores = word.forms.iter().map(|known| {
                let count = count(known) as f32;
                word.factor(&known.form) * count / (count + saturation)
            });
            idf(word) * scores.fold(0.0, f32::max)
        };
        words.iter().map(best).sum()
    }

    fn best_blocks(&self, request: &CandidateRequest<'_>) -> Vec<usize> {
        let mean = self.collection.facts.block_length_mean;
        let score = |block: &NaiveBlock| {
            let count = |known: &KnownForm| {
                // Candidates are taken by their terms, whatever the language.
                self.collection.term(&known.form.term).map_or(0, |term| block.joined.count(term))
            };
            Self::bm25(request.words, |word| word.idf, coarse(block.joined.length) as f32 / mean, count)
        };
        let blocks = self.collection.blocks.iter().enumerate().filter(|(_, block)| self.meets_constraint(block));
        let scored = blocks.map(|(place, block)| (score(block), place));
        best(scored.filter(|(score, _)| *score > 0.0 || !self.query.needs_word), request.blocks)
    }

    fn best_pages(&self, request: &CandidateRequest<'_>) -> Vec<usize> {
        let mean = self.collection.facts.page_length_mean;
        let score = |page: &NaivePage| {
            let count = |known: &KnownForm| {
                let term = self.collection.term(&known.form.term);
                term.and_then(|term| page.all.get(&term).copied()).unwrap_or_default()
            };
            Self::bm25(request.words, |word| word.page_idf, coarse(page.length) as f32 / mean, count)
        };
        let scored = self.collection.pages.iter().enumerate().map(|(place, page)| (score(page), place));
        best(scored.filter(|(score, _)| *score > 0.0), request.pages)
    }

    /// The blocks of a page that hold most of the query's weight.
    fn best_blocks_of(&self, page: &NaivePage, request: &CandidateRequest<'_>) -> Vec<usize> {
        let weight = |block: &NaiveBlock| -> f32 {
            let length = coarse(block.joined.length) as f32;
            let word_weight = |word: &RankWord| {
                let counts = word.forms.iter().map(|known| {
                    word.factor(&known.form) * self.collection.count(block, &block.joined, &known.form) as f32
                });
                let count = counts.fold(0.0, f32::max);
                word.idf * count / (count + 0.5 + length / 150.0)
            };
            request.words.iter().map(word_weight).sum()
        };
        let blocks = page.blocks.clone().take(BLOCKS_SEEN_MAX);
        let weighed = blocks.map(|place| (weight(&self.collection.blocks[place]), place));
        best(weighed.filter(|(weight, _)| *weight > 0.0), request.blocks_per_page)
    }

    fn part(&self, words: &[RankWord], blocks: &[usize]) -> CandidatePart {
        let mut pages: Vec<usize> = blocks.iter().map(|place| self.collection.blocks[*place].page).collect();
        pages.sort_unstable();
        pages.dedup();
        let mut part = CandidatePart {
            blocks: WordTable::new(blocks.len(), words.len()),
            pages: WordTable::new(pages.len(), words.len()),
            ..CandidatePart::default()
        };
        for (row, place) in blocks.iter().enumerate() {
            let block = &self.collection.blocks[*place];
            let begin = part.link_keys.len();
            part.link_keys.extend(block.document.link_keys.iter().filter(|key| **key != 0));
            part.candidates.push(Candidate {
                handle: BlockHandle::new(*place as u64),
                standing: self.standing(block),
                site: site(&block.document.host),
                norm: block.document.norm,
                link_share: block.document.link_share,
                content: block.document.content,
                language: block.document.language,
                link_keys: begin..part.link_keys.len(),
                page_link_key: self.page_link_key(block),
                page_row: pages.binary_search(&block.page).ok(),
            });
            self.count_block(words, block, row, &mut part.blocks);
        }
        for (row, page) in pages.iter().enumerate() {
            self.count_page(words, &self.collection.pages[*page], row, &mut part.pages);
        }
        part
    }

    fn count_block(
        &self,
        words: &[RankWord],
        block: &NaiveBlock,
        row: usize,
        table: &mut WordTable<{ BlockField::COUNT }>,
    ) {
        for field in BlockField::ALL {
            let length =
                field.length_part().map_or(coarse(block.names.length), |part| block.layout.lengths[part as usize]);
            table.set_length(row, field as usize, length);
        }
        for (w, known, factor) in forms(words) {
            let Some(term) = self.collection.term(&known.form.term) else { continue };
            if !known.form.allows(block.document.language) {
                continue;
            }
            let mut counts = [0u32; BlockPart::COUNT];
            block.joined.positions(term).iter().for_each(|at| counts[block.layout.part_of(*at)] += 1);
            for field in BlockField::ALL {
                let count = match field {
                    _ if field.has_words_alone() && !known.form.counts_as_word() => 0,
                    BlockField::Names => block.names.count(term),
                    _ => field.parts().iter().map(|part| counts[*part as usize]).sum(),
                };
                table.add(row, field as usize, w, factor * count as f32);
            }
        }
    }

    fn count_page(
        &self,
        words: &[RankWord],
        page: &NaivePage,
        row: usize,
        table: &mut WordTable<{ PageField::COUNT }>,
    ) {
        table.set_length(row, PageField::All as usize, coarse(page.length));
        for (field, part) in PageField::HEAD {
            table.set_length(row, field as usize, page.head_layout.lengths[part as usize]);
        }
        for (w, known, factor) in forms(words) {
            let Some(term) = self.collection.term(&known.form.term) else { continue };
            let count = page.all.get(&term).copied().unwrap_or_default();
            table.add(row, PageField::All as usize, w, factor * count as f32);
            if !known.form.counts_as_word() {
                continue;
            }
            let mut counts = [0u32; PagePart::COUNT];
            page.head.positions(term).iter().for_each(|at| counts[page.head_layout.part_of(*at)] += 1);
            for (field, part) in PageField::HEAD {
                table.add(row, field as usize, w, factor * counts[part as usize] as f32);
            }
        }
    }

    /// The engine's own BM25 of a block: the sum over the words of the best form of each.
    fn own_score(&self, block: &NaiveBlock) -> f32 {
        self.query.words.iter().map(|word| self.own_word_score(block, word)).sum()
    }

    fn own_word_score(&self, block: &NaiveBlock, word: &ResolvedWord) -> f32 {
        let documents = self.collection.documents() as f32;
        let idf = |term: &str| {
            let n = self.collection.frequency(word.field, term) as f32;
            (n > 0.0).then(|| (1.0 + (documents - n + 0.5) / (n + 0.5)).ln())
        };
        let plain = word.forms.iter().filter(|form| form.factor >= 1.0);
        let least = plain.filter_map(|form| idf(&form.term)).fold(f32::INFINITY, f32::min);
        let text = block.text(word.field);
        let length = coarse(text.length) as f32 / self.collection.length_over_all(word.field);
        let scores = word.forms.iter().filter_map(|form| {
            let count = self.collection.count(block, text, form) as f32;
            let weight = form.factor * idf(&form.term)?.min(least) * (1.0 + K1);
            Some(weight * count / (count + K1 * (1.0 - B + B * length)))
        });
        scores.fold(0.0, f32::max)
    }
}

fn known_forms(collection: &Collection, word: &ResolvedWord) -> Vec<KnownForm> {
    let known = word.forms.iter().filter_map(|form| {
        let term = collection.term(&form.term)?;
        let blocks = collection.frequency(TextField::All, &form.term);
        let pages = collection.page_frequencies.get(&term).copied().unwrap_or_default();
        let has_name = || collection.blocks.iter().any(|block| block.names.count(term) > 0);
        let is_known =
            blocks > 0 || (form.languages.is_empty() && (pages > 0 || (form.counts_as_word() && has_name())));
        let languages = collection.languages_of(&form.term);
        is_known.then(|| KnownForm { form: form.clone(), blocks, pages, languages })
    });
    known.collect()
}

/// The forms of all words, each with the word's number and what it counts.
fn forms(words: &[RankWord]) -> impl Iterator<Item = (usize, &KnownForm, f32)> {
    words
        .iter()
        .enumerate()
        .flat_map(|(w, word)| word.forms.iter().map(move |known| (w, known, word.factor(&known.form))))
}

/// The places of the highest scores; of equal ones the first.
fn best(scored: impl Iterator<Item = (f32, usize)>, limit: usize) -> Vec<usize> {
    let mut scored: Vec<(f32, usize)> = scored.collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    scored.into_iter().take(limit).map(|(_, place)| place).collect()
}

impl EngineQuery for NaiveQuery {
    fn known_forms(&self) -> &[Vec<KnownForm>] {
        &self.forms
    }

    fn candidates(&self, request: &CandidateRequest<'_>) -> Result<Candidates, EngineError> {
        let mut blocks = self.best_blocks(request);
        for page in self.best_pages(request) {
            blocks.extend(self.best_blocks_of(&self.collection.pages[page], request));
        }
        blocks.sort_unstable();
        blocks.dedup();
        Ok(Candidates { parts: vec![self.part(request.words, &blocks)], failed_parts: 0 })
    }

    fn linked(
        &self,
        words: &[RankWord],
        keys: &[u64],
        known: &HashSet<BlockHandle>,
    ) -> Result<Candidates, EngineError> {
        let is_target = |(place, block): &(usize, &NaiveBlock)| {
            let is_first = self.page(block).blocks.start == *place;
            let of_page = self.page_link_key(block).filter(|_| is_first);
            block.document.link_keys.iter().chain(&of_page).any(|key| keys.contains(key))
        };
        let targets = self.collection.blocks.iter().enumerate().filter(is_target).map(|(place, _)| place);
        let new: Vec<usize> = targets.filter(|place| !known.contains(&BlockHandle::new(*place as u64))).collect();
        Ok(Candidates { parts: vec![self.part(words, &new)], failed_parts: 0 })
    }

    fn of_pages(
        &self,
        words: &[RankWord],
        blocks: &[BlockHandle],
        blocks_max: usize,
    ) -> Result<Candidates, EngineError> {
        let pages = blocks.iter().map(|block| self.page(self.block(*block)).blocks.clone().take(blocks_max));
        let wanted: BTreeSet<usize> = pages.flatten().collect();
        let mut part = self.part(words, &wanted.into_iter().collect::<Vec<_>>());
        part.pages = WordTable::default();
        part.candidates.iter_mut().for_each(|candidate| candidate.page_row = None);
        Ok(Candidates { parts: vec![part], failed_parts: 0 })
    }

    fn places(&self, words: &[RankWord], blocks: &[BlockHandle]) -> Result<Vec<Vec<WordPlace>>, EngineError> {
        let places = |handle: &BlockHandle| {
            let block = self.block(*handle);
            let title_end = block.layout.starts[BlockPart::Headings as usize];
            let mut places = Vec::new();
            for (w, known, _) in forms(words).filter(|(_, known, _)| known.form.allows(block.document.language)) {
                let Some(term) = self.collection.term(&known.form.term) else { continue };
                let behind_title = block.joined.positions(term).iter().filter(|at| **at >= title_end);
                places.extend(behind_title.map(|at| WordPlace { position: *at, word: w as u32 }));
            }
            places
        };
        Ok(blocks.iter().map(places).collect())
    }

    fn pointers(&self, blocks: &[BlockHandle]) -> Result<Vec<Vec<PointerWords>>, EngineError> {
        Ok(blocks.iter().map(|block| self.block(*block).pointers.clone()).collect())
    }

    fn top(&self, limit: usize, dates: Dates) -> Result<TopAndTotal, EngineError> {
        let mut found: Vec<(TopBlock, i64)> = Vec::new();
        for (place, block) in self.matching() {
            let (handle, standing) = (BlockHandle::new(place as u64), self.standing(block));
            let captured_at = if dates == Dates::Ignored { 0 } else { block.document.captured_at.unwrap_or(i64::MIN) };
            found.push((TopBlock { handle, standing, score: self.own_score(block) }, captured_at));
        }
        let total = MatchCount::whole(found.len() as u64);
        found.sort_by(|(a, a_date), (b, b_date)| {
            let by_score = b.score.total_cmp(&a.score);
            let by_page = Reverse(a_date).cmp(&Reverse(b_date)).then(a.standing.page_order.cmp(&b.standing.page_order));
            let order = if dates == Dates::BeforeScore { by_page.then(by_score) } else { by_score.then(by_page) };
            order.then(a.standing.ordinal.cmp(&b.standing.ordinal)).then(a.handle.cmp(&b.handle))
        });
        Ok(TopAndTotal { top: found.into_iter().take(limit).map(|(block, _)| block).collect(), total })
    }

    fn count(&self) -> Result<MatchCount, EngineError> {
        Ok(MatchCount::whole(self.matching().count() as u64))
    }

    fn facets(&self) -> Result<Facets, EngineError> {
        let count = |value: &dyn Fn(&NaiveBlock) -> String| {
            let mut counts: FacetCounts = HashMap::new();
            for value in self.matching().map(|(_, block)| value(block)).filter(|value| !value.is_empty()) {
                *counts.entry(value).or_default() += 1;
            }
            Facet::of(counts)
        };
        let year = |block: &NaiveBlock| block.document.captured_at.map_or(String::new(), |at| year_of(at).to_string());
        Ok(Facets {
            is_exact: true,
            host: count(&|block| block.document.host.clone()),
            language: count(&|block| block.document.language.code().to_owned()),
            year: count(&year),
            page_type: count(&|block| block.document.page_type.clone()),
        })
    }

    fn field_counts(
        &self,
        words: &[RankWord],
        blocks: &[BlockHandle],
        visit: &mut dyn FnMut(usize, WordRow<'_>, Option<WordRow<'_>>),
    ) -> Result<(), EngineError> {
        for (place, block) in blocks.iter().enumerate() {
            let part = self.part(words, &[block.number() as usize]);
            visit(place, part.blocks.row(0), Some(part.pages.row(0)));
        }
        Ok(())
    }
}
