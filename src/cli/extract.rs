//! `lopper extract`: the main content of pages.

use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use lopper_archive::ArchiveRecord;
use lopper_archive::page::{self, Page, PageOutcome};
use lopper_archive::paths::expand;
use lopper_content::cst::{ContentStructureTree, Run};
use lopper_content::document::{Block, Document, TeiHead, to_html, to_markdown, to_tei, to_text};
use lopper_content::extract::content::ContentOptions;
use lopper_content::extract::forest_judge::FeatureContribution;
use lopper_content::extract::{ContentJudge, ContentVerdict, body_only};
use lopper_content::metadata::Metadata;
use lopper_content::page_type::{PageType, Verdict};
use lopper_content::pipeline::{PageSource, ParsedPage};
use serde::Serialize;

use super::extract_args::{ExtractArgs, ExtractFormat, Part};
use super::message;
use super::output::{Output, printable};
use crate::config::Config;

/// Reasons given for a block.
const REASONS: usize = 3;

pub(super) fn run(args: &ExtractArgs, config: &Config) -> Result<ExitCode> {
    let files = expand(&args.paths)?;
    let mut out = BufWriter::new(Output::of("the extracted pages"));
    let mut failed = false;
    for file in &files {
        failed |= !extract_file(file, args, config, &mut out)?;
    }
    out.flush()?;
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Extracts every page of a file. What cannot be read is told on standard error, and what is wrong with records that can be. Gives
/// whether every record could be read.
fn extract_file(file: &Path, args: &ExtractArgs, config: &Config, out: &mut impl Write) -> Result<bool> {
    let mut reader = match lopper_archive::open(file, &config.limits) {
        Ok(reader) => reader,
        Err(error) => return Ok(complain(&error.into())),
    };
    let mut sound = true;
    while let Some(record) = reader.next_record() {
        let id = record.as_ref().map_or_else(|_| String::new(), |record| page_id(record, file));
        if let Ok(record @ ArchiveRecord { remark: Some(remark), .. }) = &record {
            eprintln!("lopper: {}: {}", printable(&record.place()), remark.message);
        }
        let outcome = record.map_err(Into::into).and_then(|record| Ok(page::decode(record, &config.limits)?));
        match outcome {
            Ok(PageOutcome::Page(page)) => write_page(&page, id, args, config, out)?,
            Ok(PageOutcome::Skipped(_)) => {}
            Err(error) => sound = complain(&error),
        }
    }
    Ok(sound)
}

fn complain(error: &anyhow::Error) -> bool {
    eprintln!("lopper: {}", message(error));
    false
}

/// The file's name without its endings for a file that is one page, the record's URL otherwise.
fn page_id(record: &ArchiveRecord, file: &Path) -> String {
    if !record.url.starts_with("file:") {
        return record.url.clone();
    }
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    let endings = [".html", ".htm", ".xhtml"];
    endings.into_iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name).to_owned()
}

#[derive(Serialize)]
struct ExtractedPage<'a> {
    id: String,
    url: &'a str,
    title: &'a str,
    lang: &'a str,
    method: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<&'a [Block]>,
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
    blocks: Option<Vec<ExtractedBlock<'a>>>,
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

fn write_page(page: &Page, id: String, args: &ExtractArgs, config: &Config, out: &mut impl Write) -> Result<()> {
    let url = args.url.as_deref().filter(|_| page.url.starts_with("file:")).unwrap_or(&page.url);
    let parsed = ParsedPage::parse(PageSource { url, ..page.source() }, &config.limits);
    let view = parsed.view();
    let verdict = args.method.with_variant(args.variant).judge(&view).with_comments(args.comments);
    let options = ContentOptions { links: args.links == Part::Keep, images: args.images == Part::Keep };
    let mut content = verdict.content_with(&view, options);
    if args.body_only {
        content = body_only(content, &parsed.metadata);
    }
    match args.format {
        ExtractFormat::Text => writeln!(out, "{}\n", to_text(&content))?,
        ExtractFormat::Markdown => writeln!(out, "{}", to_markdown(&content))?,
        ExtractFormat::Html => writeln!(out, "{}", to_html(&content))?,
        ExtractFormat::Tei => writeln!(out, "{}", tei(&parsed.metadata, url, &content))?,
        ExtractFormat::Json | ExtractFormat::Jsonl => {
            let metadata = &parsed.metadata;
            let with_types = args.format == ExtractFormat::Json;
            let page = ExtractedPage {
                id,
                url,
                title: &metadata.title,
                lang: parsed.language(),
                method: args.method.name(),
                text: (!with_types).then(|| to_text(&content)),
                content: with_types.then_some(content.blocks.as_slice()),
                page_type: ExtractedType::of(&parsed.page_type()),
                author: &metadata.author,
                date: &metadata.published,
                description: &metadata.description,
                site_name: &metadata.site_name,
                canonical_url: &metadata.canonical_url,
                images: content.images(),
                blocks: args.blocks.then(|| blocks(&parsed.tree, &verdict)),
            };
            serde_json::to_writer(&mut *out, &page)?;
            writeln!(out)?;
        }
    }
    Ok(())
}

fn tei(metadata: &Metadata, url: &str, content: &Document) -> String {
    let head = TeiHead {
        title: &metadata.title,
        author: &metadata.author,
        publisher: &metadata.site_name,
        date: &metadata.published,
        url: if url.starts_with("file:") { &metadata.canonical_url } else { url },
        language: &metadata.language,
    };
    to_tei(content, &head)
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
