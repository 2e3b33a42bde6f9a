//! From a page's source text to all that can be read of it: the one way that extraction, the index and evaluation go.

use std::sync::OnceLock;

use url::Url;

use super::PageText;
use crate::cst::{self, ContentStructureTree, Profile, Run};
use crate::dom::{self, Dom, SourceElements, Tag};
use crate::extract::PageView;
use crate::limits::Limits;
use crate::metadata::Metadata;
use crate::page_type::{TypedPage, Verdict, page_type};
use crate::text::language;

/// A page that was read.
#[derive(Debug)]
pub struct ParsedPage<'a> {
    /// What it was read from.
    pub source: PageText<'a>,
    /// Its elements.
    pub dom: Dom,
    /// Its tree.
    pub tree: ContentStructureTree,
    /// Read when it is asked for.
    metadata: OnceLock<Metadata>,
}

impl<'a> ParsedPage<'a> {
    /// Reads a page; the tree has all blocks of HTML. Parsing never fails.
    pub fn parse(source: PageText<'a>, limits: &Limits) -> Self {
        Self::with_profile(source, Profile::Modern, limits)
    }

    /// The same, with other borders of blocks.
    pub fn with_profile(source: PageText<'a>, profile: Profile, limits: &Limits) -> Self {
        Self::of_dom(source, dom::parse(source.html, limits), profile, limits)
    }

    /// The same, and the page's elements as the source has them.
    pub fn parse_with_source(source: PageText<'a>, profile: Profile, limits: &Limits) -> (Self, SourceElements) {
        let (dom, elements) = dom::parse_with_source(source.html, limits);
        (Self::of_dom(source, dom, profile, limits), elements)
    }

    /// The same of elements that were parsed from the source.
    pub(super) fn of_dom(source: PageText<'a>, dom: Dom, profile: Profile, limits: &Limits) -> Self {
        let tree = cst::build(&dom, profile, limits);
        Self { source, dom, tree, metadata: OnceLock::new() }
    }

    /// What it says of itself; where it has no title, the listed one.
    pub fn metadata(&self) -> &Metadata {
        self.metadata.get_or_init(|| {
            let mut metadata = Metadata::read(&self.dom);
            if let Some(title) = self.source.listed_title.filter(|_| metadata.title.is_empty()) {
                title.clone_into(&mut metadata.title);
            }
            metadata
        })
    }

    /// The same with its tree, for who needs no more of it.
    pub(crate) fn into_metadata_and_tree(self) -> (Metadata, ContentStructureTree) {
        self.metadata();
        (self.metadata.into_inner().unwrap_or_default(), self.tree)
    }

    /// What its links are relative to, where that is another address than the page's.
    pub(super) fn base(&self) -> Option<Url> {
        let page = Url::parse(self.source.url.trim()).ok()?;
        page.join(self.dom.base_href()?).ok().filter(|base| matches!(base.scheme(), "http" | "https"))
    }

    /// The page as judges see it.
    pub fn view(&self) -> PageView<'_> {
        PageView::new(&self.dom, &self.tree, self.source.url)
    }

    /// ISO 639-1 code of its language; empty when unknown.
    pub fn language(&self) -> &'static str {
        let declared = [Some(self.metadata().language.as_str()), self.source.content_language];
        let declared = declared.into_iter().flatten().find(|declared| !declared.is_empty());
        match self.sentences(declared.is_some()) {
            Some(sentences) => language::detect(&sentences, declared),
            None => language::detect(self.tree.visible_text(), declared),
        }
    }

    /// Runs that are long enough to be sentences, those behind the first third first; `None` where there are hardly any. Names in menus,
    /// indexes and code tell no language. With `is_spread` they are from the whole page, which may be translated in part.
    fn sentences(&self, is_spread: bool) -> Option<String> {
        /// Bytes that tell a language.
        const BYTES_MIN: usize = 200;
        /// Bytes that are asked for, about.
        const BYTES_MAX: usize = 2_000;
        /// Bytes of a run of those from the whole page.
        const RUN_BYTES_MAX: usize = 400;
        let runs = self.tree.runs();
        let is_code = |run: &Run| matches!(self.tree.tag(run.item), Tag::Pre | Tag::Code);
        let is_of_links = |run: &Run| 2 * self.tree.linked_bytes(run) > run.text.len();
        let texts = runs.iter().filter(|run| !is_code(run) && !is_of_links(run)).map(|run| self.tree.run_text(run));
        let texts: Vec<&str> = texts.filter(|text| is_sentence(text)).collect();
        let (before, behind) = texts.split_at(texts.len() / 3);
        let bytes: usize = texts.iter().map(|text| text.len().min(RUN_BYTES_MAX)).sum();
        let (step, of_run) = if is_spread { (bytes / BYTES_MAX + 1, RUN_BYTES_MAX) } else { (1, usize::MAX) };
        let mut sentences = String::new();
        for text in behind.iter().chain(before.iter().rev()).step_by(step) {
            if sentences.len() >= BYTES_MAX {
                break;
            }
            sentences.push_str(&text[..text.floor_char_boundary(of_run)]);
            sentences.push('\n');
        }
        (sentences.len() >= BYTES_MIN).then_some(sentences)
    }

    /// What kind of page it is.
    pub fn page_type(&self) -> Verdict {
        let Self { source, dom, tree, .. } = self;
        page_type(&TypedPage { url: source.url, metadata: self.metadata(), dom, tree })
    }
}

/// Whether a text is as long as a sentence, in words or, where writing has no blanks, in bytes. Lists of codes have shorter words.
fn is_sentence(text: &str) -> bool {
    const WORDS_MIN: usize = 8;
    const WIDE_BYTES_MIN: usize = 60;
    let blanks = text.bytes().filter(|byte| *byte == b' ').count();
    text.len() >= WORDS_MIN * 4
        && (blanks + 1 >= WORDS_MIN && 2 * text.len() >= 7 * blanks
            || text.bytes().filter(|byte| !byte.is_ascii()).nth(WIDE_BYTES_MIN).is_some())
}
