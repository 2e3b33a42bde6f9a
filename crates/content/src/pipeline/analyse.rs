//! Page → tree → weights → pruning → blocks.

use lopper_analysis::{Analyzer, Language};

use super::{ExtractParams, PageSource, SiteBlocks};
use crate::blocks::{self, MainBlock};
use crate::cst::{self, ContentStructureTree, Profile};
use crate::dom;
use crate::limits::Limits;
use crate::metadata::Metadata;
use crate::page_type::{PageType, TypedPage, page_type};
use crate::prune::{PrunedTree, QueryVector, prune};
use crate::text::{language, url};
use crate::weigh::{TermStatistics, Weigher, WeightedTree};

/// A part of the analysis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// HTML to elements.
    Parse,
    /// Elements to metadata and content structure tree.
    Tree,
    /// Language and weights.
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
    pub language: &'static str,
    /// What kind of page it is, where that is told.
    pub page_type: Option<PageType>,
    /// The judged tree.
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
    pub fn analyse(&mut self, page: PageSource<'_>, statistics: Option<&dyn TermStatistics>) -> AnalysedPage {
        self.analyse_for(page, statistics, None)
    }

    /// The same, pruned by `query` where there is one.
    pub fn analyse_for(
        &mut self,
        page: PageSource<'_>,
        statistics: Option<&dyn TermStatistics>,
        query: Option<&str>,
    ) -> AnalysedPage {
        self.analyse_watched(page, statistics, query, &mut |_| {})
    }

    /// The same; `watch` is told of the end of each stage, so that a caller can time them.
    pub fn analyse_watched(
        &mut self,
        page: PageSource<'_>,
        statistics: Option<&dyn TermStatistics>,
        query: Option<&str>,
        watch: &mut dyn FnMut(Stage),
    ) -> AnalysedPage {
        let dom = dom::parse(page.html, &self.limits);
        watch(Stage::Parse);
        let mut metadata = Metadata::read(&dom);
        let tree = cst::build(&dom, self.params.profile, &self.limits);
        let page_type = self.page_type(&TypedPage { url: page.url, metadata: &metadata, dom: &dom, tree: &tree });
        drop(dom);
        if let Some(title) = page.listed_title.filter(|_| metadata.title.is_empty()) {
            title.clone_into(&mut metadata.title);
        }
        watch(Stage::Tree);
        let declared = [Some(metadata.language.as_str()), page.content_language];
        let declared = declared.into_iter().flatten().find(|declared| !declared.is_empty());
        let language = language::detect(tree.visible_text(), declared);
        let weighted = self.weigh(tree, Language::from_code(language), statistics);
        watch(Stage::Weigh);
        let topic = metadata.topic();
        let query = QueryVector::new(&mut self.weigher, &weighted, query.unwrap_or(&topic));
        let host = url::host(page.url).filter(|_| self.params.site_memory);
        let site = host.and_then(|host| SiteBlocks::of(weighted.tree(), &host));
        let templates = site.as_ref().zip(statistics).map(|(site, known)| site.scores(weighted.tree(), known));
        let pruned = prune(weighted, query, self.params.prune, &templates.unwrap_or_default());
        watch(Stage::Prune);
        let blocks = blocks::cut(&pruned, self.params.blocks);
        watch(Stage::Blocks);
        AnalysedPage { metadata, language, page_type, pruned, blocks, site }
    }

    /// The analyzer of the weighing, with the stems that it remembers.
    pub fn analyzer(&mut self) -> &mut Analyzer {
        self.weigher.analyzer()
    }

    /// Trees of the profile `paper` look too different from those that the types were learnt from.
    fn page_type(&self, page: &TypedPage<'_>) -> Option<PageType> {
        if self.params.profile == Profile::Modern { page_type(page).told() } else { None }
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
