//! The traits.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use super::budget::Budget;
use super::candidate::{BlockHandle, Candidates, Standing, WordPlace, WordRow};
use super::capabilities::Capabilities;
use super::error::EngineError;
#[cfg(doc)]
use super::error::OutOfTime;
use super::terms::{TermCount, TermPattern, TermScope};
use super::word::{KnownForm, RankWord};
use crate::document::{BlockDocument, PageDocument};
use crate::facets::Facets;
use crate::query::{Filter, ResolvedQuery, TextField};
use crate::searcher::LanguageCount;
use crate::word_set::WordSet;
use crate::writer_error::WriterError;
use lopper_analysis::Language;

/// What stores blocks and finds those that may answer. How they are ranked is not its business.
pub trait BlockEngine: Send + Sync {
    /// What it can do beyond what every engine must.
    fn capabilities(&self) -> Capabilities;

    /// Where it is, for messages.
    fn location(&self) -> &Path;

    /// What is searchable now. A snapshot stays as it is, whatever is committed later.
    ///
    /// # Errors
    /// When the engine cannot be read.
    fn snapshot(&self) -> Result<Arc<dyn BlockSnapshot>, EngineError>;

    /// The same for one query. An engine that must be waited for waits no longer than the query may take.
    ///
    /// # Errors
    /// When the engine cannot be read. What is read of the snapshot later fails with [`OutOfTime`] then.
    fn snapshot_within(&self, budget: &Budget) -> Result<Arc<dyn BlockSnapshot>, EngineError> {
        let _ = budget;
        self.snapshot()
    }

    /// Makes the newest commit what [`snapshot`](Self::snapshot) gives.
    ///
    /// # Errors
    /// When it cannot be read; the former commit stays.
    fn refresh(&self) -> Result<(), EngineError>;
}

/// Writes pages into an engine. Nothing added or deleted is seen, or survives a crash, before [`commit`](Self::commit).
///
/// After an error it refuses further work; whoever writes opens the engine again and resumes from the last checkpoint.
pub trait BlockEngineWriter {
    /// Adds a page with its blocks. One of the same `page_id` is not replaced: delete it first.
    ///
    /// # Errors
    /// When it was not taken.
    fn add_page(&mut self, page: &PageDocument, blocks: &[BlockDocument]) -> Result<(), WriterError>;

    /// Deletes a page with its blocks, as far as it was added before this call.
    ///
    /// # Errors
    /// When the writer failed before.
    fn delete_page(&mut self, page_id: &str) -> Result<(), WriterError>;

    /// Makes everything added and deleted so far durable and visible at once, together with the caller's checkpoint, and gives the
    /// commit's number, which grows.
    ///
    /// # Errors
    /// The former commit stays what the engine holds.
    fn commit(&mut self, checkpoint: &str) -> Result<u64, WriterError>;

    /// The checkpoint of the last commit.
    ///
    /// # Errors
    /// When it cannot be read.
    fn checkpoint(&self) -> Result<Option<String>, EngineError>;
}

/// What an engine keeps by name beside blocks, so that machines that answer need no files: see [`BytesWriter`].
pub trait BytesKeeper: Send + Sync {
    /// The bytes of a name, as of the newest commit that was [read](BlockEngine::refresh).
    ///
    /// # Errors
    /// When the engine cannot be read.
    fn kept(&self, kind: &str, key: &str) -> Result<Option<Vec<u8>>, EngineError>;

    /// The checkpoint of that commit.
    fn checkpoint(&self) -> Option<String>;
}

/// Puts bytes there; they count from the writer's next commit on.
pub trait BytesWriter {
    /// Keeps bytes by a name, in place of what is kept by it; without bytes, nothing. `page` is the page that they are of, if they are of one.
    ///
    /// # Errors
    /// When they were not taken.
    fn keep(&mut self, kind: &str, key: &str, bytes: Option<&[u8]>, page: Option<&str>) -> Result<(), WriterError>;

    /// Sends what waits. Gives the pages of which the engine refused something for what it is, since the last commit.
    ///
    /// # Errors
    /// When something was not taken, or something was refused that is of no page.
    fn settle(&mut self) -> Result<Vec<String>, WriterError>;

    /// Documents that the engine refused for what they are, as of the last commit or since.
    fn refused(&self) -> u64;
}

/// How much a collection holds. Deleted documents may count until they are cleared away.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CollectionFacts {
    /// Blocks.
    pub blocks: u64,
    /// Pages.
    pub pages: u64,
    /// Mean length of the joined text of blocks, in terms; at least 1.
    pub block_length_mean: f32,
    /// Mean length of the joined text of pages, in terms; at least 1.
    pub page_length_mean: f32,
    /// Blocks by language, most first, then by code.
    pub languages: Vec<LanguageCount>,
}

/// One state of an engine.
pub trait BlockSnapshot: Send + Sync {
    /// How much there is.
    fn facts(&self) -> &CollectionFacts;

    /// Number of blocks, without deleted ones.
    ///
    /// # Errors
    /// When the engine cannot be read; so it is for all that follow.
    fn blocks(&self) -> Result<u64, EngineError>;

    /// Blocks whose field has a term; deleted ones may count.
    ///
    /// # Errors
    /// See [`blocks`](Self::blocks).
    fn document_frequency(&self, field: TextField, term: &str) -> Result<u64, EngineError>;

    /// The same of several terms, each in its place. An engine that is far away is asked once.
    ///
    /// # Errors
    /// See [`blocks`](Self::blocks).
    fn document_frequencies(&self, field: TextField, terms: &[String]) -> Result<Vec<u64>, EngineError> {
        terms.iter().map(|term| self.document_frequency(field, term)).collect()
    }

    /// Terms of a field, the most frequent first, equals by their names, without further forms. At most `scan_max` are looked at, where
    /// the engine has to, and taken off it. An engine without [`Capabilities::has_term_patterns`] gives none.
    ///
    /// # Errors
    /// See [`blocks`](Self::blocks).
    fn terms(
        &self,
        field: TextField,
        pattern: TermPattern<'_>,
        scope: TermScope,
        scan_max: &mut usize,
    ) -> Result<Vec<TermCount>, EngineError>;

    /// Pages that have a word as it is written; deleted ones may count. Nothing from an engine that keeps no [`words`](Self::words).
    ///
    /// # Errors
    /// See [`blocks`](Self::blocks).
    fn pages_with(&self, word: &str) -> Result<Option<u64>, EngineError> {
        let _ = word;
        Ok(None)
    }

    /// The different words of pages as they are written ([`BlockTerms::words`](crate::BlockTerms::words)), each with the number of pages
    /// that have it, the most frequent first, equals by their names; else as [`terms`](Self::terms). Nothing from an engine that keeps none.
    ///
    /// # Errors
    /// See [`blocks`](Self::blocks).
    fn words(
        &self,
        pattern: TermPattern<'_>,
        scope: TermScope,
        scan_max: &mut usize,
    ) -> Result<Option<Vec<TermCount>>, EngineError> {
        let _ = (pattern, scope, scan_max);
        Ok(None)
    }

    /// Whether a filter lets any block through, where that is known at once; true where it is not.
    ///
    /// # Errors
    /// See [`blocks`](Self::blocks).
    fn may_match(&self, filter: &Filter) -> Result<bool, EngineError>;

    /// Makes a query ready to be asked. What is asked of it counts its work in `budget`, and gives what it has where that is spent.
    ///
    /// # Errors
    /// See [`blocks`](Self::blocks).
    fn prepare(&self, query: &ResolvedQuery, budget: &Budget) -> Result<Box<dyn EngineQuery>, EngineError>;

    /// A block.
    ///
    /// # Errors
    /// See [`blocks`](Self::blocks).
    fn fetch(&self, block: BlockHandle) -> Result<BlockDocument, EngineError>;

    /// When a block's page was captured, in seconds since 1970.
    ///
    /// # Errors
    /// See [`blocks`](Self::blocks).
    fn captured_at(&self, block: BlockHandle) -> Result<Option<i64>, EngineError> {
        Ok(self.fetch(block)?.captured_at)
    }

    /// The block that stands `distance` blocks behind one on its page, or before it where that is below 0, where that is known without
    /// fetching others.
    ///
    /// # Errors
    /// See [`blocks`](Self::blocks).
    fn beside(&self, block: BlockHandle, distance: i32) -> Result<Option<BlockDocument>, EngineError>;

    /// The block of a name.
    ///
    /// # Errors
    /// See [`blocks`](Self::blocks).
    fn find(&self, block_id: &str) -> Result<Option<BlockHandle>, EngineError>;

    /// The blocks of a page in page order.
    ///
    /// # Errors
    /// See [`blocks`](Self::blocks).
    fn blocks_of_page(&self, page_id: &str) -> Result<Vec<BlockDocument>, EngineError>;

    /// How many documents each page has: one for each block and one for the page. O(pages) memory.
    ///
    /// # Errors
    /// See [`blocks`](Self::blocks).
    fn documents_by_page(&self) -> Result<BTreeMap<String, u64>, EngineError>;
}

/// Which candidates the ranking wants.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct CandidateRequest<'a> {
    /// The words, with what each weighs.
    pub words: &'a [RankWord],
    /// Best blocks by BM25 over the joined text (k1 1.2, b 0.75; idf of [`RankWord::idf`]; a word's best form), at most.
    pub blocks: usize,
    /// Best pages by the same over the joined text of pages (idf of [`RankWord::page_idf`]), at most; none in a query with a
    /// constraint, of which pages know nothing.
    pub pages: usize,
    /// Best blocks of each such page, at most.
    pub blocks_per_page: usize,
}

impl<'a> CandidateRequest<'a> {
    pub(crate) fn new(words: &'a [RankWord], blocks: usize, pages: usize, blocks_per_page: usize) -> Self {
        Self { words, blocks, pages, blocks_per_page }
    }
}

/// What dates count in [`EngineQuery::top`]; the newest come first, and those without a date last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dates {
    /// Nothing.
    Ignored,
    /// They order equal scores.
    AfterScore,
    /// They come before scores, and so does the page, whose blocks stay together.
    BeforeScore,
}

/// A block by an engine's own BM25.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TopBlock {
    /// The block.
    pub handle: BlockHandle,
    /// Where it stands.
    pub standing: Standing,
    /// Its score.
    pub score: f32,
}

/// The best blocks by an engine's own BM25, best first, and how many match in all.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TopAndTotal {
    /// The best; equal scores by page name, then by place in the page.
    pub top: Vec<TopBlock>,
    /// All that match.
    pub total: MatchCount,
}

/// How many blocks match.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MatchCount {
    /// Their number; of a query whose budget is spent, at least so many.
    pub blocks: u64,
    /// Whether it is all of them. An engine may look at the best alone where it cannot count.
    pub is_whole: bool,
}

impl MatchCount {
    /// All of them.
    pub fn whole(blocks: u64) -> Self {
        Self { blocks, is_whole: true }
    }
}

/// A link of a block: the key of what it leads to, and the words of its text.
pub type PointerWords = (u64, WordSet);

/// A query that an engine is ready to answer, for one snapshot.
pub trait EngineQuery: Send + Sync {
    /// Of each word the forms that the engine has, with their frequencies. Words that rank are made of them: see [`RankWord`].
    fn known_forms(&self) -> &[Vec<KnownForm>];

    /// Blocks that may answer, with what features are made of.
    ///
    /// # Errors
    /// When the engine cannot be read; so it is for all that follow.
    fn candidates(&self, request: &CandidateRequest<'_>) -> Result<Candidates, EngineError>;

    /// The blocks that have one of these link keys, and of a page that has one its first block, but for `known` ones; whether they match
    /// the query or not.
    ///
    /// # Errors
    /// See [`candidates`](Self::candidates).
    fn linked(&self, words: &[RankWord], keys: &[u64], known: &HashSet<BlockHandle>)
    -> Result<Candidates, EngineError>;

    /// All blocks of the pages that some blocks are of, at most `blocks_max` of each, each page once; whether they match the query or
    /// not. What their pages hold is not told.
    ///
    /// # Errors
    /// See [`candidates`](Self::candidates).
    fn of_pages(
        &self,
        words: &[RankWord],
        blocks: &[BlockHandle],
        blocks_max: usize,
    ) -> Result<Candidates, EngineError>;

    /// Where the query's words stand in the joined text of some blocks, but for the page's title; in any order.
    ///
    /// # Errors
    /// See [`candidates`](Self::candidates).
    fn places(&self, words: &[RankWord], blocks: &[BlockHandle]) -> Result<Vec<Vec<WordPlace>>, EngineError>;

    /// What the links of some blocks lead to.
    ///
    /// # Errors
    /// See [`candidates`](Self::candidates).
    fn pointers(&self, blocks: &[BlockHandle]) -> Result<Vec<Vec<PointerWords>>, EngineError>;

    /// The best of all that match by the engine's own BM25, a word's best form, no rarer than its most frequent one.
    ///
    /// # Errors
    /// See [`candidates`](Self::candidates).
    fn top(&self, limit: usize, dates: Dates) -> Result<TopAndTotal, EngineError>;

    /// Blocks that match.
    ///
    /// # Errors
    /// See [`candidates`](Self::candidates).
    fn count(&self) -> Result<MatchCount, EngineError>;

    /// The number of blocks that match, or `most` if there are more: an engine may stop there.
    ///
    /// # Errors
    /// See [`candidates`](Self::candidates).
    fn count_up_to(&self, most: u64) -> Result<u64, EngineError> {
        Ok(self.count()?.blocks.min(most))
    }

    /// Hosts, languages, years and types of all that match.
    ///
    /// # Errors
    /// See [`candidates`](Self::candidates).
    fn facets(&self) -> Result<Facets, EngineError>;

    /// How often the words stand in the fields of some blocks and of their pages: calls `visit` with both and the block's place in `blocks`,
    /// once for each, in any order.
    ///
    /// # Errors
    /// See [`candidates`](Self::candidates).
    fn field_counts(
        &self,
        words: &[RankWord],
        blocks: &[BlockHandle],
        visit: &mut dyn FnMut(usize, WordRow<'_>, Option<WordRow<'_>>),
    ) -> Result<(), EngineError>;
}

impl CollectionFacts {
    /// The languages with a stemmer, those of most blocks first. A word of a page is in the index by its stem alone, so in a language that
    /// is not tried it is hardly found.
    pub(crate) fn stemmed_languages(&self) -> Vec<Language> {
        let languages = self.languages.iter().map(|count| count.language);
        languages.filter(Language::has_stemmer).collect()
    }
}
