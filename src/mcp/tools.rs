//! What the tools answer, in plain text.

use std::fmt::Write;
use std::sync::Arc;

use lopper_archive::page::PageId;
use lopper_collection::PageSource;
use lopper_collection::search::{
    BlockHit, BlockView, Citation, NewerCapture, OtherBlock, PageHit, PageView, SearchEngine, SearchError,
    SearchRequest, SearchResponse, Verification,
};
use lopper_content::limits::Limits;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::Collections;
use super::bounded::Bounded;

/// Tokens of an answer, where nothing else is asked for.
pub(super) const TOKENS_DEFAULT: usize = 2000;
/// Fewest and most tokens that can be asked for.
pub(super) const TOKENS_RANGE: (usize, usize) = (200, 20_000);
/// Pages of an answer, where nothing else is asked for.
pub(super) const PAGES_DEFAULT: usize = 5;
/// Most pages of an answer.
pub(super) const PAGES_MAX: usize = 20;
/// Blocks shown of a page that was found.
const BLOCKS_PER_PAGE: usize = 2;
/// Other captures of a page that are told.
const CAPTURES_TOLD_MAX: usize = 3;
/// Longest text of an argument or title that is repeated, in characters.
const REPEATED_CHARS_MAX: usize = 200;

/// What is said of a page that was asked for from behind its last block on.
const NO_BLOCKS_FROM_THERE: &str = "There are no blocks from there on.\n";

/// What is said of a failure that is not the caller's.
pub(super) const FAILED: &str = "the collection cannot be read; the server's log says why";

/// The tools over one collection.
pub(crate) struct Tools {
    collections: Arc<dyn Collections>,
    limits: Limits,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Search {
    query: String,
    #[serde(default = "pages_default")]
    pages: usize,
    as_of: Option<String>,
    #[serde(default = "tokens_default")]
    max_tokens: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfPage {
    page_id: String,
    #[serde(default)]
    from: usize,
    #[serde(default = "tokens_default")]
    max_tokens: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cite {
    block_id: String,
}

fn pages_default() -> usize {
    PAGES_DEFAULT
}

fn tokens_default() -> usize {
    TOKENS_DEFAULT
}

impl Tools {
    pub(crate) fn new(collections: Arc<dyn Collections>, limits: Limits) -> Self {
        Self { collections, limits }
    }

    /// The answer of the tool of that name; `None` where there is no such tool. The error is for the model: what is wrong, and what to do.
    pub(super) fn call(&self, tool: &str, arguments: Map<String, Value>) -> Option<Result<String, String>> {
        Some(match tool {
            "search" => read(arguments).and_then(|asked| self.search(&asked)),
            "page" => read(arguments).and_then(|asked| self.page(&asked)),
            "blocks" => read(arguments).and_then(|asked| self.blocks(&asked)),
            "cite" => read(arguments).and_then(|asked| self.cite(&asked)),
            _ => return None,
        })
    }

    fn engine(&self) -> Result<Arc<SearchEngine>, String> {
        self.collections.engine().map_err(|error| told(&error))
    }

    fn search(&self, asked: &Search) -> Result<String, String> {
        if asked.pages == 0 || asked.pages > PAGES_MAX {
            return Err(format!("pages is {}; it must be from 1 to {PAGES_MAX}", asked.pages));
        }
        let as_of = asked.as_of.as_deref().map(str::parse).transpose().map_err(|error| format!("as_of: {error}"))?;
        let mut answer = bounded(asked.max_tokens)?;
        let request = SearchRequest {
            pages: asked.pages,
            blocks_per_page: BLOCKS_PER_PAGE,
            as_of,
            ..SearchRequest::new(asked.query.as_str())
        };
        let response = self.engine()?.search_within(&request, &self.collections.budget());
        let response = response.map_err(|error| told(&error))?;
        if response.pages.is_empty() {
            return Ok(nothing(&response));
        }
        let (least, of) = (if response.total_is_exact { "" } else { "at least " }, response.pages.len());
        answer.push(&format!(
            "{least}{} {} \"{}\". The best pages, best first:\n{}",
            response.total_blocks,
            if response.total_blocks == 1 { "block matches" } else { "blocks match" },
            shortened(&asked.query),
            notes(&response)
        ));
        answer.push(&trust(&response));
        let mut shown = 0;
        for (number, page) in response.pages.iter().enumerate() {
            if !push_hit(&mut answer, number + 1, page) && (number > 0 || !push_shortest(&mut answer, page)) {
                break;
            }
            shown += 1;
        }
        let rest = match of - shown {
            0 => String::new(),
            left_out => format!("\nPages for which there was no room: {left_out}. Ask with a larger max_tokens.\n"),
        };
        let cut = if response.is_complete { "" } else { "\nThe search was cut short: there may be better pages.\n" };
        Ok(answer.end(&(rest + cut)))
    }

    fn page(&self, asked: &OfPage) -> Result<String, String> {
        let page = self.view(&asked.page_id)?;
        let mut answer = bounded(asked.max_tokens)?;
        answer.push(&head_of(&page));
        if asked.from > 0 && asked.from >= page.blocks.len() {
            return Ok(answer.end(NO_BLOCKS_FROM_THERE));
        }
        answer.push(&format!("\n{} blocks. By number, their headings and first words:\n", page.blocks.len()));
        for block in page.blocks.iter().skip(asked.from) {
            let headings = block.heading_path.join(" > ");
            if !answer.push(&format!("{}. [{}] {}\n", block.ordinal, shortened(&headings), shortened(&block.lead))) {
                return Ok(answer.end(&go_on(asked.from, block.ordinal as usize)));
            }
        }
        Ok(answer.end("The tool `blocks` gives their texts.\n"))
    }

    fn blocks(&self, asked: &OfPage) -> Result<String, String> {
        let page = self.view(&asked.page_id)?;
        let mut answer = bounded(asked.max_tokens)?;
        answer.push(&head_of(&page));
        for block in page.blocks.iter().skip(asked.from) {
            match answer.push_cut(&head_of_block(block), &block.text) {
                Some(0) => {}
                // Whoever asks for one block alone gets more of it with a larger bound.
                Some(_) => {
                    return Ok(answer.end(&format!(
                        "The rest of block {0} and what follows had no room: ask with from={0} and a larger max_tokens.\n",
                        block.ordinal
                    )));
                }
                None => return Ok(answer.end(&go_on(asked.from, block.ordinal as usize))),
            }
        }
        let end = if asked.from >= page.blocks.len() { NO_BLOCKS_FROM_THERE } else { "" };
        Ok(answer.end(end))
    }

    fn cite(&self, asked: &Cite) -> Result<String, String> {
        let cited = self.engine()?.cite(&asked.block_id, &self.limits).map_err(|error| told(&error))?;
        let missing = || format!("there is no block `{}`: take a block_id of an answer", shortened(&asked.block_id));
        Ok(citation(&cited.ok_or_else(missing)?))
    }

    fn view(&self, id: &str) -> Result<PageView, String> {
        let missing = || format!("there is no page `{}`: take a page_id of an answer", shortened(id));
        let known: PageId = id.parse().map_err(|_| missing())?;
        self.engine()?.page_view(known).map_err(|error| told(&error))?.ok_or_else(missing)
    }
}

/// What is wrong with what was asked. What goes wrong here is for the log: it names files.
fn told(error: &SearchError) -> String {
    if matches!(error, SearchError::Collection(_)) || is_of_index(error) {
        tracing::error!(error = error as &dyn std::error::Error, "a tool failed");
        return FAILED.to_owned();
    }
    error.to_string()
}

fn is_of_index(error: &SearchError) -> bool {
    matches!(error, SearchError::Index(source) if !matches!(source, lopper_index::SearchError::OutOfTime(_)))
}

/// How to go on with the blocks of a page from `next`, when they were asked for from `from`.
fn go_on(from: usize, next: usize) -> String {
    let larger = if next == from { " and a larger max_tokens" } else { "" };
    format!("Blocks go on: ask with from={next}{larger}.\n")
}

/// Arguments that are whole numbers.
const NUMBERS: [&str; 3] = ["pages", "from", "max_tokens"];

fn read<T: DeserializeOwned>(mut arguments: Map<String, Value>) -> Result<T, String> {
    arguments.retain(|_, value| !value.is_null());
    for (name, value) in arguments.iter_mut().filter(|(name, _)| NUMBERS.contains(&name.as_str())) {
        let number = whole(value).ok_or_else(|| format!("{name} is {value}; it must be a whole number"))?;
        *value = number.into();
    }
    serde_json::from_value(Value::Object(arguments)).map_err(|error| format!("the arguments are wrong: {error}"))
}

/// A whole number, also one that is written as `3.0` or `"3"`.
fn whole(value: &Value) -> Option<u64> {
    let of_float = |float: f64| (float.fract() == 0.0 && (0.0..1e15).contains(&float)).then_some(float as u64);
    match value {
        Value::Number(number) => number.as_u64().or_else(|| number.as_f64().and_then(of_float)),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

fn bounded(tokens_max: usize) -> Result<Bounded, String> {
    let (min, max) = TOKENS_RANGE;
    if !(min..=max).contains(&tokens_max) {
        return Err(format!("max_tokens is {tokens_max}; it must be from {min} to {max}"));
    }
    Ok(Bounded::new(tokens_max))
}

fn nothing(response: &SearchResponse) -> String {
    format!(
        "Nothing in this collection matches \"{}\". That is the answer: the collection does not have it in these words. \
         Other words, or fewer, may find something.\n{}",
        shortened(&response.query),
        notes(response)
    )
}

/// How far the answer can be trusted, where that is known.
fn trust(response: &SearchResponse) -> String {
    let Some(coverage) = response.coverage else { return String::new() };
    let doubt = if response.is_doubtful() { ": the collection may have no answer to this" } else { "" };
    format!("coverage: {coverage:.2}, the share of such answers whose first page is right{doubt}\n")
}

/// How the query was understood, where that needs telling.
fn notes(response: &SearchResponse) -> String {
    response.notes.iter().fold(String::new(), |mut notes, note| {
        let _ = writeln!(notes, "Note: {note}");
        notes
    })
}

/// Adds a page with its blocks. `false` when there is no room for its first one.
fn push_hit(answer: &mut Bounded, number: usize, page: &PageHit) -> bool {
    let head = format!("\n## {number}. {}\n{}", shortened(&page.title), provenance_of_hit(page));
    for (place, block) in page.blocks.iter().enumerate() {
        let block_head = head_of_hit(block);
        let head = if place == 0 { head.clone() + &block_head } else { block_head };
        if answer.push_cut(&head, &block.passage).is_none() {
            return place > 0;
        }
    }
    true
}

/// The first page with the beginning of its best passage, where there is no room for all that is told of it: its names and where it is
/// from, or these names alone. `false` when there is not even that.
fn push_shortest(answer: &mut Bounded, page: &PageHit) -> bool {
    let Some(block) = page.blocks.first() else { return false };
    let ids = format!("page_id: {}\nblock_id: {}\n", page.page_id, block.block_id);
    let from = provenance(&page.url, &captured_of_hit(page), page.source.as_ref());
    let newer = newer(page.newer_capture.as_ref());
    let heads = [
        format!("\n## 1. {}\n{ids}{from}{newer}", shortened(&page.title)),
        format!("\n## 1. {}\n{ids}{newer}", shortened(&page.title)),
    ];
    heads.iter().any(|head| answer.push_cut(head, &block.passage).is_some())
}

fn provenance_of_hit(page: &PageHit) -> String {
    let provenance = provenance(&page.url, &captured_of_hit(page), page.source.as_ref());
    format!("page_id: {}\n{provenance}{}{}", page.page_id, newer(page.newer_capture.as_ref()), others(page))
}

fn head_of(page: &PageView) -> String {
    let captured = captured(page.captured_at.as_deref(), page.last_captured_at.as_deref());
    let provenance = provenance(&page.url, &captured, Some(&page.source));
    let newer = newer(page.newer_capture.as_ref());
    format!("# {}\npage_id: {}\n{provenance}{newer}", shortened(&page.title), page.page_id)
}

/// When a page was captured: as of a time that was asked for, the last time until then.
fn captured_of_hit(page: &PageHit) -> String {
    captured(page.captured_at.as_deref(), page.last_captured_at.as_deref().or(page.stood_at.as_deref()))
}

fn captured(at: Option<&str>, last: Option<&str>) -> String {
    let at = at.unwrap_or("at an unknown time");
    last.filter(|last| *last != at).map_or(at.to_owned(), |last| format!("{at}, the same HTML again {last}"))
}

/// That a page is not what its address gave last.
fn newer(capture: Option<&NewerCapture>) -> String {
    let Some(NewerCapture { page_id, captured_at }) = capture else { return String::new() };
    let at = captured_at.as_deref().unwrap_or("an unknown time");
    format!("outdated: a newer capture of {at} may have another text, page_id: {page_id}\n")
}

/// The other captures of a page that match.
fn others(page: &PageHit) -> String {
    if page.captures.is_empty() {
        return String::new();
    }
    let newer = page.newer_capture.as_ref().map(|newer| newer.page_id.as_str());
    let place = |other: &OtherBlock| {
        let at = other.captured_at.as_deref().unwrap_or("an unknown time");
        format!("{at} (page_id: {})", other.page_id)
    };
    let told = page.captures.blocks.iter().filter(|other| Some(other.page_id.as_str()) != newer);
    let told: Vec<String> = told.take(CAPTURES_TOLD_MAX).map(place).collect();
    if told.is_empty() {
        return String::new();
    }
    let more = if page.captures.count > CAPTURES_TOLD_MAX { " …" } else { "" };
    format!("other captures that match: {}{more}\n", told.join(", "))
}

/// Where it is from: address, time of the capture, record, digest.
fn provenance(url: &str, captured: &str, source: Option<&PageSource>) -> String {
    let mut told = format!("url: {}\ncaptured: {captured}\n", one_line(url));
    if let Some(source) = source {
        let digest = source.digest.as_deref().unwrap_or("unknown");
        let (archive, offset) = (one_line(&source.archive), source.offset_bytes);
        let _ = writeln!(told, "archive: {archive} at byte {offset}, digest of the HTML: {digest}");
    }
    told
}

fn head_of_hit(block: &BlockHit) -> String {
    let (id, link, headings) = (&block.block_id, one_line(&block.locator.url), block.heading_path.join(" > "));
    let lacks = match block.missing_words.join(", ") {
        none if none.is_empty() => none,
        words => format!("words of the query that it lacks: {}\n", shortened(&words)),
    };
    let (columns, language) = (columns(&block.table_head), language(block.block_language.as_deref()));
    format!("\nblock_id: {id}\nlink: {link}\nheadings: {}\n{language}{columns}{lacks}", shortened(&headings))
}

fn head_of_block(block: &BlockView) -> String {
    let headings = block.heading_path.join(" > ");
    let (number, id, link) = (block.ordinal, &block.block_id, one_line(&block.locator.url));
    let (columns, language) = (columns(&block.table_head), language(block.block_language.as_deref()));
    format!(
        "\n## block {number}\nblock_id: {id}\nlink: {link}\nheadings: {}\n{language}{columns}",
        shortened(&headings)
    )
}

/// The language of a block that is in another than its page.
fn language(code: Option<&str>) -> String {
    code.map_or(String::new(), |code| format!("language: {code}\n"))
}

/// What heads the columns of a table whose rows a block begins with.
fn columns(table_head: &str) -> String {
    if table_head.is_empty() { String::new() } else { format!("columns: {}\n", one_line(table_head)) }
}

fn citation(cited: &Citation) -> String {
    let verification = match cited.verification {
        Verification::Verified => "verified: the quote stands in the HTML of that capture, whose digest is the same",
        Verification::Differs => "not verified: the HTML is there, and this version cuts it in another way",
        Verification::NotAtHand => "not verified: the HTML is neither in the data folder nor in the archive any more",
    };
    let captured = captured(cited.captured_at.as_deref(), cited.last_captured_at.as_deref());
    let provenance = provenance(&cited.url, &captured, Some(&cited.source));
    let newer = newer(cited.newer_capture.as_ref());
    format!(
        "{}\n{provenance}{newer}link: {}\nblock_id: {}\n{verification}\n\nquote:\n{}\n",
        shortened(&cited.title),
        one_line(&cited.locator.url),
        cited.block_id,
        cited.quote
    )
}

/// A name as it is, without what begins another line: what an archive says must not look like what is said of it.
fn one_line(name: &str) -> String {
    name.chars().map(|c| if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') { '\u{fffd}' } else { c }).collect()
}

/// One line of bounded length.
fn shortened(text: &str) -> String {
    let folded = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut short: String = folded.chars().take(REPEATED_CHARS_MAX).collect();
    if short.len() < folded.len() {
        short.push('…');
    }
    short
}
