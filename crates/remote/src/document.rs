//! From pages and blocks to the engine's documents, and back.

use std::fmt::Write;

use lopper_analysis::{Analyzer, is_further_form};
use lopper_index::{BlockDocument, BlockTerms, PageDocument, PlacedTerm, host_and_parents, page_order, year_of};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use xxhash_rust::xxh3::xxh3_64;

use crate::layout::{UNDATED, block_order};

/// Stands for one or more positions without a word. No term is like it.
const GAP: &str = "|";

/// A block as it is kept.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct KeptBlock {
    pub(crate) block: BlockDocument,
    /// Key of links to its page; 0 for none.
    pub(crate) page_key: u64,
}

/// A page as it is kept.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct KeptPage {
    pub(crate) page: PageDocument,
    /// Number of its blocks.
    pub(crate) blocks: u64,
    /// The terms of its joined text, each once, with its count behind it.
    pub(crate) counts: String,
}

/// What a page adds to the facts of its collection.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Sums {
    pub(crate) blocks: u64,
    pub(crate) pages: u64,
    /// Terms of the joined texts of all blocks.
    pub(crate) block_terms: u64,
    /// The same of pages.
    pub(crate) page_terms: u64,
    pub(crate) languages: std::collections::BTreeMap<String, u64>,
}

impl Sums {
    pub(crate) fn add(&mut self, other: &Self) {
        self.blocks += other.blocks;
        self.pages += other.pages;
        self.block_terms += other.block_terms;
        self.page_terms += other.page_terms;
        for (language, blocks) in &other.languages {
            *self.languages.entry(language.clone()).or_default() += blocks;
        }
    }
}

/// A page's documents, ready to be written.
#[derive(Debug)]
pub(crate) struct Encoded {
    /// With the handles of the blocks.
    pub(crate) blocks: Vec<(String, Value)>,
    pub(crate) page: Value,
    pub(crate) sums: Sums,
}

/// Makes documents. Keep one a thread.
#[derive(Default)]
pub(crate) struct Encoder {
    analyzer: Analyzer,
    terms: BlockTerms,
}

impl Encoder {
    /// The documents of a page in a batch.
    pub(crate) fn encode(&mut self, page: &PageDocument, blocks: &[BlockDocument], batch: u64) -> Encoded {
        let mut sums = Sums { pages: 1, blocks: blocks.len() as u64, ..Sums::default() };
        self.terms.begin_page();
        let first = blocks.iter().map(|block| block.ordinal).min();
        let mut encoded = Vec::with_capacity(blocks.len());
        for block in blocks {
            self.terms.read_block(&mut self.analyzer, block);
            let joined = self.terms.joined();
            sums.block_terms += joined.len() as u64;
            *sums.languages.entry(block.language.code().to_owned()).or_default() += 1;
            let own_key = Some(page.link_key).filter(|key| *key != 0 && Some(block.ordinal) == first);
            encoded.push((
                handle_digits(handle(&block.block_id)),
                self.block(block, &joined, page.link_key, own_key, batch),
            ));
        }
        self.terms.read_page(&mut self.analyzer, page);
        let counts = self.terms.page();
        sums.page_terms = counts.iter().map(|(_, count)| *count as u64).sum();
        Encoded { page: page_json(page, blocks.len() as u64, &counts, batch), blocks: encoded, sums }
    }

    fn block(
        &self,
        block: &BlockDocument,
        joined: &[PlacedTerm],
        page_key: u64,
        own_key: Option<u64>,
        batch: u64,
    ) -> Value {
        let targets = block.link_keys.iter().copied().filter(|key| *key != 0).chain(own_key);
        let targets: Vec<String> = targets.map(handle_digits).collect();
        let sites: Vec<String> = host_and_parents(&block.host).map(token).collect();
        let names = self.terms.names();
        let names: Vec<&str> = names.iter().map(|(term, _)| term.as_str()).collect();
        let kept = KeptBlock { block: block.clone(), page_key };
        json!({
            "handle": handle_digits(handle(&block.block_id)),
            "page_id": block.page_id,
            "batch": batch,
            "block_order": block_order(page_order(&block.page_id), block.ordinal.into()),
            "ordinal": block.ordinal,
            "captured_at": block.captured_at.unwrap_or(UNDATED),
            "host": block.host,
            "lang": block.language.code(),
            "page_type": block.page_type,
            "year": block.captured_at.map_or(String::new(), |at| year_of(at).to_string()),
            "sites": sites.join(" "),
            "places": places(&block.url).join(" "),
            "terms": text(joined),
            "title_terms": text(&self.terms.title()),
            "heading_terms": text(&self.terms.headings()),
            "url_terms": text(&self.terms.url()),
            "name_terms": names.join(" "),
            "targets": targets.join(" "),
            "block": serde_json::to_string(&kept).unwrap_or_default(),
        })
    }
}

fn page_json(page: &PageDocument, blocks: u64, counts: &[(String, usize)], batch: u64) -> Value {
    let (mut text, mut table) = (String::new(), String::new());
    for (term, count) in counts {
        let _ = write!(table, "{term} {count} ");
        for _ in 0..*count {
            text.push_str(term);
            text.push(' ');
        }
    }
    let kept = KeptPage { page: page.clone(), blocks, counts: table };
    json!({
        "page_id": page.page_id,
        "batch": batch,
        "block_order": block_order(page_order(&page.page_id), 0),
        "terms": text,
        "page": serde_json::to_string(&kept).unwrap_or_default(),
    })
}

/// Terms as a text in which they follow each other as in ours: words in their order, something between parts, further forms at the end.
fn text(placed: &[PlacedTerm]) -> String {
    let mut text = String::new();
    let mut next = 0;
    let (further, words): (Vec<&PlacedTerm>, Vec<&PlacedTerm>) =
        placed.iter().partition(|(term, _)| is_further_form(term));
    for (term, position) in words {
        if *position > next {
            push(&mut text, GAP);
        }
        push(&mut text, term);
        next = position + 1;
    }
    for (term, _) in further {
        push(&mut text, GAP);
        push(&mut text, term);
    }
    text
}

fn push(text: &mut String, term: &str) {
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(term);
}

/// What names a block in a snapshot.
pub(crate) fn handle(block_id: &str) -> u64 {
    xxh3_64(block_id.as_bytes())
}

/// A number as a word.
pub(crate) fn handle_digits(number: u64) -> String {
    format!("{number:016x}")
}

/// A word that may stand in a row of terms: without blanks.
pub(crate) fn token(word: &str) -> String {
    word.replace(' ', "\u{1}")
}

/// Bytes of a path of which the beginnings are kept: they are longer than the path by the square of its cuts.
const PLACE_BYTES_MAX: usize = 256;

/// Host and path of a URL, and each beginning of it that ends before a sign at which paths are cut.
fn places(url: &str) -> Vec<String> {
    let Some((host, path)) = host_and_path(url) else { return Vec::new() };
    let cuts = path.match_indices(['/', '?', '#']).map(|(at, _)| at).chain([path.len()]);
    cuts.take_while(|end| *end <= PLACE_BYTES_MAX).map(|end| place(host, &path[..end])).collect()
}

/// The longest beginning of a path that is kept as a place.
pub(crate) fn kept_path(path: &str) -> &str {
    if path.len() <= PLACE_BYTES_MAX {
        return path;
    }
    let cuts = path.match_indices(['/', '?', '#']).map(|(at, _)| at).take_while(|end| *end <= PLACE_BYTES_MAX);
    &path[..cuts.last().unwrap_or(0)]
}

/// How a place is written as a term.
pub(crate) fn place(host: &str, path: &str) -> String {
    token(&format!("{}{path}", host.strip_prefix("www.").unwrap_or(host)))
}

/// Of `http` and `https` URLs the host, without a port, and what follows it.
pub(crate) fn host_and_path(url: &str) -> Option<(&str, &str)> {
    let rest = url.strip_prefix("http://").or_else(|| url.strip_prefix("https://"))?;
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let host = match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => authority,
    };
    Some((host, path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_keep_what_follows_what() {
        let placed =
            |terms: &[(&str, u32)]| terms.iter().map(|(term, at)| ((*term).to_owned(), *at)).collect::<Vec<_>>();
        assert_eq!(text(&placed(&[("old", 0), ("mill", 1), ("sail", 102), ("turn", 104)])), "old mill | sail | turn");
        assert_eq!(text(&[]), "");
    }

    #[test]
    fn places_are_all_beginnings() {
        assert_eq!(
            places("https://www.e.org:80/a/b?c#d"),
            ["e.org", "e.org/a", "e.org/a/b", "e.org/a/b?c", "e.org/a/b?c#d"]
        );
        assert_eq!(places("http://e.org"), ["e.org"]);
        assert_eq!(places("file:///a"), [""; 0]);
        let deep = format!("/{}", "a/".repeat(30_000));
        let kept = places(&format!("http://e.org{deep}"));
        assert!(kept.len() < PLACE_BYTES_MAX && kept.last() == Some(&place("e.org", kept_path(&deep))), "{kept:?}");
        assert_eq!(kept_path("/a/b"), "/a/b");
        assert_eq!(kept_path(&format!("/{}", "a".repeat(300))), "");
    }
}
