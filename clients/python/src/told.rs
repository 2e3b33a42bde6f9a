//! What is told of a page: its content in the form that was asked for.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use lopper_content::document::{Block, Document, TeiHead, to_html, to_markdown, to_tei, to_text};
use lopper_content::extract::{ContentJudge, body_only, titled};
use lopper_content::page_type::PageType;
use lopper_content::pipeline::{PageText, ParsedPage};
use lopper_content::text::url::host;
use serde::Serialize;

use crate::options::{Form, Options};

/// What the page says of itself, and its content. Names are those of the dictionary in Python; what the page does not say is `None`.
#[derive(Serialize)]
struct Told<'a> {
    title: Option<&'a str>,
    author: Option<&'a str>,
    date: Option<&'a str>,
    url: Option<&'a str>,
    hostname: Option<String>,
    description: Option<&'a str>,
    site_name: Option<&'a str>,
    language: Option<&'a str>,
    page_type: Option<PageType>,
    method: &'a str,
    images: Vec<&'a str>,
    cut_short: Option<&'static str>,
    text: String,
    blocks: &'a [Block],
}

/// Extracts a page. A fault of the program, a panic, is told as text: it costs this page and nothing else.
pub(crate) fn tell(html: &str, url: &str, options: &Options) -> Result<String, String> {
    catch_unwind(AssertUnwindSafe(|| told(html, url, options))).map_err(|_| {
        let page = if url.is_empty() { "a page without address" } else { url };
        format!("a fault of the program at {page}, {} bytes of HTML: please report it with the page", html.len())
    })
}

fn told(html: &str, url: &str, options: &Options) -> String {
    let parsed = ParsedPage::parse(PageText { url, html, ..PageText::default() }, &options.limits);
    let view = parsed.view();
    let verdict = options.method.judge(&view).with_comments(options.comments);
    let mut content = verdict.content_with(&view, options.content);
    if options.body_only {
        content = body_only(content, parsed.metadata());
    }
    let titled = || if options.body_only { Cow::Borrowed(&content) } else { titled(&content, parsed.metadata()) };
    match options.form {
        Form::Text => to_text(&content),
        Form::Markdown => to_markdown(&titled()),
        Form::Html => to_html(&titled()),
        Form::Tei => to_tei(&content, &TeiHead::of(parsed.metadata(), url)),
        Form::Json => json(&parsed, url, options, &content),
    }
}

fn json(parsed: &ParsedPage<'_>, url: &str, options: &Options, content: &Document) -> String {
    let metadata = parsed.metadata();
    let url = some(url).or_else(|| some(&metadata.canonical_url));
    let told = Told {
        title: some(&metadata.title),
        author: some(&metadata.author),
        date: some(&metadata.published),
        url,
        hostname: url.and_then(host),
        description: some(&metadata.description),
        site_name: some(&metadata.site_name),
        language: some(parsed.language()),
        page_type: parsed.page_type().told(),
        method: options.method.name(),
        images: content.images(),
        cut_short: parsed.tree.cut_short().map(|cut| cut.limit),
        text: to_text(content),
        blocks: &content.blocks,
    };
    serde_json::to_string(&told).expect("texts, lists and names are JSON")
}

fn some(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}
