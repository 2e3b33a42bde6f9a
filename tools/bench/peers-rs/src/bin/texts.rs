//! Writes what the peers in Rust keep of a labelled set's pages: `texts SET OUT [PEER...]`.
//!
//! SET is a folder with `html/ID.html.gz` and `gold.jsonl.gz`; a line `{"id", "text"}` a page goes to `OUT/PEER.jsonl`. A page on
//! which a peer fails or panics gets the empty text, and is counted; a peer whose file is there is left out.

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::panic::catch_unwind;
use std::path::Path;

use dom_smoothie::{Config, Readability, TextMode};
use rs_trafilatura::{Options, extract_with_options};

#[path = "../../../../../examples/support/labelled.rs"]
mod labelled;
use labelled::Page;

/// What a peer keeps of a page, if it does not fail.
type Extract = fn(&Page) -> Option<String>;

const PEERS: [(&str, Extract); 6] = [
    ("dom_smoothie raw", |page| smoothie(page, TextMode::Raw)),
    ("dom_smoothie formatted", |page| smoothie(page, TextMode::Formatted)),
    ("rs-trafilatura", |page| trafilatura(page, Options::default())),
    ("rs-trafilatura comments", |page| trafilatura(page, Options { include_comments: true, ..Options::default() })),
    ("rs-trafilatura recall", |page| trafilatura(page, Options { favor_recall: true, ..Options::default() })),
    ("rs-trafilatura precision", |page| trafilatura(page, Options { favor_precision: true, ..Options::default() })),
];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [set, out, peers @ ..] = arguments.as_slice() else { return Err("usage: texts SET OUT [PEER...]".into()) };
    let pages = labelled::pages(Path::new(set), None)?.collect::<Result<Vec<Page>, _>>()?;
    std::fs::create_dir_all(out)?;
    let wanted = |peer: &str| peers.is_empty() || peers.iter().any(|name| name == peer);
    for (peer, extract) in PEERS.into_iter().filter(|(peer, _)| wanted(peer)) {
        let file = Path::new(out).join(format!("{peer}.jsonl"));
        if !file.exists() {
            eprintln!("{set}: {peer}: {} of {} pages failed", write(&file, &pages, extract)?, pages.len());
        }
    }
    Ok(())
}

fn write(file: &Path, pages: &[Page], extract: Extract) -> Result<usize, Box<dyn Error>> {
    let part = file.with_extension("part");
    let (mut out, mut failed) = (BufWriter::new(File::create(&part)?), 0);
    for page in pages {
        let text = catch_unwind(|| extract(page)).ok().flatten();
        failed += usize::from(text.is_none());
        writeln!(out, "{}", serde_json::json!({ "id": page.id, "text": text.unwrap_or_default() }))?;
    }
    out.flush()?;
    std::fs::rename(part, file)?;
    Ok(failed)
}

/// The page's address; some sets have names in its place, on which dom_smoothie fails.
fn address(page: &Page) -> Option<&str> {
    Some(page.url.as_str()).filter(|url| url.starts_with("http"))
}

fn smoothie(page: &Page, text_mode: TextMode) -> Option<String> {
    let config = Config { text_mode, ..Config::default() };
    let article = Readability::new(page.html.as_str(), address(page), Some(config)).ok()?.parse().ok()?;
    Some(article.text_content.to_string())
}

fn trafilatura(page: &Page, options: Options) -> Option<String> {
    let comments = options.include_comments;
    let kept = extract_with_options(&page.html, &Options { url: address(page).map(str::to_owned), ..options }).ok()?;
    Some(match kept.comments_text {
        Some(comments_text) if comments => kept.content_text + "\n" + &comments_text,
        _ => kept.content_text,
    })
}
