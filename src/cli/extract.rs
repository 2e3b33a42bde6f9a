//! `lopper extract`: the main content of pages.

use std::borrow::Cow;
use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};
use lopper_archive::ArchiveRecord;
use lopper_archive::page::{self, Page, PageOutcome, SkipReason};
use lopper_archive::paths::expand;
use lopper_content::document::{to_html, to_markdown, to_text};
use lopper_content::extract::content::ContentOptions;
use lopper_content::extract::{ContentJudge, body_only, titled};
use lopper_content::pipeline::{PageText, ParsedPage};
use url::Url;

use super::extract_args::{ExtractArgs, ExtractFormat, Part};
use super::message;
use super::output::{Output, printable};
use super::page_files::PageFiles;
use super::usage::Usage;
use crate::config::Config;
use crate::extracted::{ExtractedPage, tei};

pub(super) fn run(args: &ExtractArgs, config: &Config) -> Result<ExitCode> {
    if args.blocks && args.format != ExtractFormat::Jsonl {
        bail!(Usage("--blocks is for --format jsonl"));
    }
    let files = expand(&args.paths)?;
    let mut place = match &args.output_dir {
        Some(folder) => Place::Files(PageFiles::new(folder, args.format.ending(), &files)),
        None => Place::Stream(BufWriter::new(Output::of("the extracted pages"))),
    };
    let mut failed = false;
    for file in &files {
        failed |= !extract_file(file, args, config, &mut place)?;
    }
    if let Place::Stream(out) = &mut place {
        out.flush()?;
    }
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Where pages are written.
enum Place {
    Stream(BufWriter<Output>),
    Files(PageFiles),
}

/// Extracts every page of a file. What cannot be read is told on standard error, and what is wrong with records that can be. Gives
/// whether every record could be read.
fn extract_file(file: &Path, args: &ExtractArgs, config: &Config, place: &mut Place) -> Result<bool> {
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
        let place_of_record = record.as_ref().map(ArchiveRecord::place).unwrap_or_default();
        let outcome = record.map_err(Into::into).and_then(|record| Ok(page::decode(record, &config.limits)?));
        match outcome {
            Ok(PageOutcome::Page(page)) => sound &= place_page(&page, id, file, args, config, place)?,
            Ok(PageOutcome::Skipped(reason @ (SkipReason::RedirectPage | SkipReason::EmptyBody))) => {
                eprintln!("lopper: note: {}: {}", printable(&place_of_record), reason.as_str());
            }
            Ok(PageOutcome::Skipped(_)) => {}
            Err(error) => sound = complain(&error),
        }
    }
    Ok(sound)
}

/// Writes a page where it belongs; gives whether there is a place for it.
fn place_page(
    page: &Page,
    id: String,
    file: &Path,
    args: &ExtractArgs,
    config: &Config,
    place: &mut Place,
) -> Result<bool> {
    let files = match place {
        Place::Stream(out) => return write_page(page, id, args, config, out).map(|()| true),
        Place::Files(files) => files,
    };
    let out = match within(file, &page.url) {
        Some(inner) => files.of_file(&below(file, &args.paths).join(inner)),
        None => files.of_url(&page.url),
    };
    let mut out = match out {
        Ok(out) => out,
        Err(error) => return Ok(complain(&error)),
    };
    write_page(page, id, args, config, &mut out)?;
    out.flush()?;
    Ok(true)
}

/// What a page's address adds to that of the file that it is from: nothing where it is the file itself.
fn within(file: &Path, url: &str) -> Option<PathBuf> {
    let place = Url::parse(url).ok().filter(|url| url.scheme() == "file")?.to_file_path().ok()?;
    if file == Path::new("-") {
        return Some(PathBuf::new());
    }
    Some(place.strip_prefix(fs::canonicalize(file).ok()?).ok()?.to_owned())
}

/// A file's path below the folder that was asked for; its name where it was asked for itself.
fn below<'a>(file: &'a Path, asked: &[PathBuf]) -> &'a Path {
    let below = asked.iter().find_map(|asked| file.strip_prefix(asked).ok());
    below
        .filter(|below| !below.as_os_str().is_empty())
        .unwrap_or_else(|| Path::new(file.file_name().unwrap_or_default()))
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

fn write_page(page: &Page, id: String, args: &ExtractArgs, config: &Config, out: &mut impl Write) -> Result<()> {
    if let Some(remark) = &page.remark {
        eprintln!("lopper: {}: {remark}", printable(&page.url));
    }
    let url = args.url.as_ref().map(Url::as_str).filter(|_| page.url.starts_with("file:")).unwrap_or(&page.url);
    let parsed = ParsedPage::parse(PageText { url, ..page.source() }, &config.limits);
    if let Some(cut_short) = parsed.tree.cut_short() {
        eprintln!("lopper: {}: {cut_short}", printable(&page.url));
    }
    let view = parsed.view();
    let verdict = args.method.with_variant(args.variant).judge(&view).with_comments(args.comments);
    let options = ContentOptions { links: args.links == Part::Keep, images: args.images == Part::Keep };
    let mut content = verdict.content_with(&view, options);
    if args.body_only {
        content = body_only(content, parsed.metadata());
    }
    if content.blocks.is_empty() {
        eprintln!("lopper: note: {}: no content was found on the page", printable(&page.url));
    }
    let titled = || if args.body_only { Cow::Borrowed(&content) } else { titled(&content, parsed.metadata()) };
    match args.format {
        ExtractFormat::Text => writeln!(out, "{}\n", to_text(&content))?,
        ExtractFormat::Markdown => writeln!(out, "{}", to_markdown(&titled()))?,
        ExtractFormat::Html => writeln!(out, "{}", to_html(&titled()))?,
        ExtractFormat::Tei => writeln!(out, "{}", tei(parsed.metadata(), url, &content))?,
        ExtractFormat::Json | ExtractFormat::Jsonl => {
            let with_types = args.format == ExtractFormat::Json;
            let verdict = args.blocks.then_some(&verdict);
            let mut page = ExtractedPage::new(url, &parsed, args.method, &content, verdict);
            page.id = id;
            page.text = (!with_types).then(|| to_text(&content));
            page.content = with_types.then_some(content.blocks.as_slice());
            serde_json::to_writer(&mut *out, &page)?;
            writeln!(out)?;
        }
    }
    Ok(())
}
