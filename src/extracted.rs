//! What is told of an extracted page, on the command line and over HTTP.

use lopper_content::cst::{ContentStructureTree, Run};
use lopper_content::document::{Block, Document, TeiHead, to_tei};
use lopper_content::extract::forest_judge::FeatureContribution;
use lopper_content::extract::{ContentVerdict, Extractor};
use lopper_content::metadata::Metadata;
use lopper_content::page_type::{PageType, Verdict};
use lopper_content::pipeline::ParsedPage;
use serde::Serialize;

/// Reasons given for a block.
const REASONS: usize = 3;

/// A page's head, and what was asked for of its content.
#[derive(Serialize)]
pub(crate) struct ExtractedPage<'a> {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) id: String,
    #[serde(skip_serializing_if = "str::is_empty")]
    url: &'a str,
    title: &'a str,
    lang: &'a str,
    method: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) content: Option<&'a [Block]>,
    page_type: ExtractedType,
    #[serde(skip_serializing_if = "str::is_empty")]
    author: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    date: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    description: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    site_name: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    canonical_url: &'a str,
    images: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cut_short: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    blocks: Option<Vec<ExtractedBlock<'a>>>,
}

impl<'a> ExtractedPage<'a> {
    /// The head of a page; with `verdict` also all of its blocks, kept or not.
    pub(crate) fn new(
        url: &'a str,
        parsed: &'a ParsedPage<'_>,
        method: Extractor,
        content: &'a Document,
        verdict: Option<&ContentVerdict>,
    ) -> Self {
        let metadata = parsed.metadata();
        Self {
            id: String::new(),
            url,
            title: &metadata.title,
            lang: parsed.language(),
            method: method.name(),
            text: None,
            content: None,
            page_type: ExtractedType::of(&parsed.page_type()),
            author: &metadata.author,
            date: &metadata.published,
            description: &metadata.description,
            site_name: &metadata.site_name,
            canonical_url: &metadata.canonical_url,
            images: content.images(),
            cut_short: parsed.tree.cut_short().map(|cut| cut.limit),
            blocks: verdict.map(|verdict| blocks(&parsed.tree, verdict)),
        }
    }
}

/// The likeliest type of the page.
#[derive(Serialize)]
struct ExtractedType {
    name: PageType,
    probability: f32,
    /// Whether that is enough for search to know the page by it.
    told: bool,
}

impl ExtractedType {
    fn of(verdict: &Verdict) -> Self {
        let (name, probability) = verdict.likeliest();
        Self { name, probability, told: verdict.told().is_some() }
    }
}

/// One run of the page.
#[derive(Serialize)]
struct ExtractedBlock<'a> {
    path: String,
    kind: &'static str,
    text: &'a str,
    kept: bool,
    score: f32,
    comment: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reasons: Vec<BlockReason>,
}

#[derive(Serialize)]
struct BlockReason {
    feature: &'static str,
    value: f32,
    contribution: f32,
}

/// The content as TEI-XML.
pub(crate) fn tei(metadata: &Metadata, url: &str, content: &Document) -> String {
    to_tei(content, &TeiHead::of(metadata, url))
}

fn blocks<'a>(tree: &'a ContentStructureTree, verdict: &ContentVerdict) -> Vec<ExtractedBlock<'a>> {
    let with_text = tree.runs().iter().enumerate().filter(|(_, run)| !run.text.is_empty());
    let block = |(id, run): (usize, &'a Run)| {
        let reasons = verdict.reasons(id, REASONS).into_iter();
        ExtractedBlock {
            path: tree.css_path(run.item),
            kind: tree.tag(run.item).name(),
            text: tree.run_text(run),
            kept: verdict.kept[id],
            score: verdict.score[id],
            comment: verdict.is_comment(id),
            reasons: reasons
                .map(|FeatureContribution { feature, value, contribution }| BlockReason {
                    feature,
                    value,
                    contribution,
                })
                .collect(),
        }
    };
    with_text.map(block).collect()
}
