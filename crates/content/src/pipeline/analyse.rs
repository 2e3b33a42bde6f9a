//! Page → tree → weights → pruning → blocks.

use std::borrow::Cow;

use lopper_analysis::{Analyzer, Language};

use super::work::Steps;
use super::{AnalysisError, ExtractParams, JudgedPage, PageText, ParsedPage, SiteBlocks};
use crate::blocks::{self, MainBlock};
use crate::cst::{ContentStructureTree, Profile};
use crate::dom;
use crate::extract::{ContentJudge, ContentVerdict};
use crate::judge::JudgedRuns;
use crate::limits::Limits;
use crate::metadata::Metadata;
use crate::page_type::PageType;
use crate::prune::{BlockEvidence, NavigationBounds, PrunedTree, QueryVector, prune_within};
use crate::weigh::{TermStatistics, Weigher, WeightedTree};

/// A part of the analysis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// HTML to elements.
    Parse,
    /// Elements to metadata, content structure tree, type and language.
    Tree,
    /// What of the tree is content.
    Judge,
    /// Weights.
    Weigh,
    /// Elimination of blocks.
    Prune,
    /// Surviving runs to passages.
    Blocks,
}

/// A page with all that was found out about it.
#[derive(Debug, Clone)]
pub struct AnalysedPage {
    /// What the page says of itself.
    pub metadata: Metadata,
    /// ISO 639-1 code; empty when unknown.
    pub language: Cow<'static, str>,
    /// What kind of page it is, where that is told.
    pub page_type: Option<PageType>,
    /// What the judge said of the tree's runs; `None` where none was asked.
    pub judged: Option<JudgedRuns>,
    /// The pruned tree.
    pub pruned: PrunedTree,
    /// The passages of the surviving blocks.
    pub blocks: Vec<MainBlock>,
    /// By what its site is remembered; `None` without a host, and where that is switched off.
    pub site: Option<SiteBlocks>,
}

/// Takes pages through all stages; keeps caches from page to page. One a thread.
#[derive(Default)]
pub struct PageAnalyser {
    params: ExtractParams,
    limits: Limits,
    weigher: Weigher,
}

impl PageAnalyser {
    /// An analyser with empty caches.
    pub fn new(params: ExtractParams, limits: Limits) -> Self {
        Self { params, limits, weigher: Weigher::new() }
    }

    /// What a page may have.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Analyses a page. Without a user's query the page is pruned by its own topic: title, first heading, description. Without
    /// a collection it is weighed by its own runs.
    ///
    /// # Errors
    ///
    /// [`AnalysisError`] for a page that goes beyond the limits.
    pub fn analyse(
        &mut self,
        page: PageText<'_>,
        statistics: Option<&dyn TermStatistics>,
    ) -> Result<AnalysedPage, AnalysisError> {
        self.analyse_for(page, statistics, None)
    }

    /// The same, pruned by `query` where there is one.
    ///
    /// # Errors
    ///
    /// As [`analyse`](Self::analyse).
    pub fn analyse_for(
        &mut self,
        page: PageText<'_>,
        statistics: Option<&dyn TermStatistics>,
        query: Option<&str>,
    ) -> Result<AnalysedPage, AnalysisError> {
        self.analyse_watched(page, statistics, query, &mut |_| {})
    }

    /// The same; `watch` is told of the end of each stage, so that a caller can time them.
    ///
    /// # Errors
    ///
    /// As [`analyse`](Self::analyse).
    pub fn analyse_watched(
        &mut self,
        page: PageText<'_>,
        statistics: Option<&dyn TermStatistics>,
        query: Option<&str>,
        watch: &mut dyn FnMut(Stage),
    ) -> Result<AnalysedPage, AnalysisError> {
        let judged = self.judge_watched(page, watch)?;
        self.finish_watched(page.url, judged, statistics, query, watch)
    }

    /// The first half: what is told by the page alone, so that any process may do it before the collection is known. The second is
    /// [`finish`](Self::finish).
    ///
    /// # Errors
    ///
    /// As [`analyse`](Self::analyse).
    pub fn judge(&self, page: PageText<'_>) -> Result<JudgedPage, AnalysisError> {
        self.judge_watched(page, &mut |_| {})
    }

    fn judge_watched(&self, page: PageText<'_>, watch: &mut dyn FnMut(Stage)) -> Result<JudgedPage, AnalysisError> {
        let mut steps = Steps::new(self.limits.page_steps_max);
        steps.take(Stage::Parse, page.html.len() as u64)?;
        let dom = dom::parse(page.html, &self.limits);
        watch(Stage::Parse);
        steps.take(Stage::Tree, dom.len() as u64)?;
        let parsed = ParsedPage::of_dom(page, dom, self.params.profile, &self.limits);
        let (page_type, language) = (self.page_type(&parsed), parsed.language());
        watch(Stage::Tree);
        steps.take(Stage::Judge, parsed.tree.runs().len() as u64)?;
        let judged = self.verdict(&parsed).map(|verdict| {
            let mut judged = verdict.judged_runs(self.params.judge.name());
            verdict.give_reasons(&parsed.tree, &mut judged);
            judged
        });
        let base = parsed.base();
        let (metadata, mut tree) = parsed.into_metadata_and_tree();
        if let Some(base) = base {
            tree.make_absolute(&base);
        }
        watch(Stage::Judge);
        Ok(JudgedPage { metadata, language: language.into(), page_type, judged, tree, steps })
    }

    /// The second half: a judged page of that URL with the collection's statistics. Together the halves are [`analyse`](Self::analyse).
    ///
    /// # Errors
    ///
    /// As [`analyse`](Self::analyse).
    pub fn finish(
        &mut self,
        url: &str,
        page: JudgedPage,
        statistics: Option<&dyn TermStatistics>,
    ) -> Result<AnalysedPage, AnalysisError> {
        self.finish_watched(url, page, statistics, None, &mut |_| {})
    }

    pub(super) fn finish_watched(
        &mut self,
        url: &str,
        page: JudgedPage,
        statistics: Option<&dyn TermStatistics>,
        query: Option<&str>,
        watch: &mut dyn FnMut(Stage),
    ) -> Result<AnalysedPage, AnalysisError> {
        let JudgedPage { metadata, language, page_type, judged, tree, mut steps } = page;
        steps.take(Stage::Weigh, tree.visible_text().len() as u64)?;
        let weighted = self.weigh(tree, Language::from_code(&language), statistics);
        let (terms, max) = (weighted.terms().len(), self.limits.terms_max);
        if terms > max {
            return Err(AnalysisError::TooManyTerms { terms, max });
        }
        watch(Stage::Weigh);
        let topic = metadata.topic();
        let query = QueryVector::new(&mut self.weigher, &weighted, query.unwrap_or(&topic));
        let site = self.params.site_memory.then(|| SiteBlocks::of(weighted.tree(), url)).flatten();
        let templates = site.as_ref().zip(statistics).map(|(site, known)| site.scores(weighted.tree(), known));
        let templates = templates.unwrap_or_default();
        let evidence = BlockEvidence {
            templates: &templates,
            judged: judged.as_ref(),
            navigation: NavigationBounds::of(page_type),
        };
        let too_much = |_| AnalysisError::TooMuchWork { stage: Stage::Prune, max: self.limits.page_steps_max };
        let pruned = prune_within(weighted, query, self.params.prune, evidence, steps.left()).map_err(too_much)?;
        watch(Stage::Prune);
        steps.take(Stage::Blocks, pruned.tree().visible_text().len() as u64)?;
        let blocks = blocks::cut(&pruned, judged.as_ref(), self.params.blocks);
        watch(Stage::Blocks);
        Ok(AnalysedPage { metadata, language, page_type, judged, pruned, blocks, site })
    }

    /// The analyzer of the weighing, with the stems that it remembers.
    pub fn analyzer(&mut self) -> &mut Analyzer {
        self.weigher.analyzer()
    }

    /// Trees of the profile `paper` look too different from those that the types were learnt from.
    fn page_type(&self, page: &ParsedPage<'_>) -> Option<PageType> {
        if self.params.profile == Profile::Modern { page.page_type().told() } else { None }
    }

    /// Trees of the profile `paper` are not judged either.
    fn verdict(&self, page: &ParsedPage<'_>) -> Option<ContentVerdict> {
        let judge = self.params.judge.judge().filter(|_| self.params.profile == Profile::Modern)?;
        Some(judge.judge(&page.view()))
    }

    fn weigh(
        &mut self,
        tree: ContentStructureTree,
        language: Language,
        statistics: Option<&dyn TermStatistics>,
    ) -> WeightedTree {
        match statistics {
            Some(statistics) => self.weigher.weigh(tree, language, statistics, self.params.weigh),
            None => self.weigher.weigh_alone(tree, language, self.params.weigh),
        }
    }
}
