//! An analysis is bounded by its steps, not by a clock, so no stage may take long on any page. Each page here is what one of them likes
//! least; work that grows with the square of a page's size would take minutes of it.

use std::fmt::Write;
use std::fs;
use std::time::{Duration, Instant};

use lopper_collection::DataFolder;
use lopper_collection::ingest::{IngestOptions, IngestReport, Silent, ingest};
use lopper_content::ExtractOptions;
use lopper_content::limits::Limits;
use lopper_content::pipeline::ExtractParams;
use lopper_store::{RecordState, StateKind};

/// Bytes of a page.
const BYTES: usize = 256 << 10;

/// What a page takes at most. They take some tenths of a second each, in a program that is not optimised.
const PAGE_DURATION: Duration = Duration::from_secs(20);

/// Bytes that are written of a page, to each of it.
const WRITTEN_RATIO_MAX: usize = 16;

/// What these pages are made of, over and over. `#` is another number each time.
const UNITS: [(&str, &str); 45] = [
    ("elements in elements", "<div>"),
    ("elements in elements, with text", "<div>a "),
    ("formatting that is never closed", "<p><font size=#>x"),
    ("formatting that crosses paragraphs", "<b><p></b>x"),
    ("links in links", "<a id=#><div></a>x<a>"),
    ("text that a table has no place for", "<table><i>x</i>y"),
    ("tables in tables", "<table><tr><td>x"),
    ("cells", "<tr><td>some words here<td>#"),
    ("character references", "&amp;&notit;&#x41;&bogus "),
    ("ampersands", "&"),
    ("less-than signs", "<"),
    ("comments that are never closed", "<!-- x -"),
    ("bogus comments", "<!x><?y>"),
    ("scripts in scripts", "<script><!--<script>x</script>"),
    ("titles that are never closed", "<title>x</titl"),
    ("text areas", "<textarea></text <p>"),
    ("options", "<select><option>word "),
    ("templates", "<template>"),
    ("titles in pictures", "<svg><g><title>x</title>"),
    ("headings in headings", "<h1><div><i></i>"),
    ("headings", "<h2>heading #</h2><h3>another</h3>"),
    ("paragraphs", "<p>some words in a row of paragraph #."),
    ("one text", "word # and "),
    ("one word", "a"),
    ("one word of two signs", "中国"),
    ("marks on a letter", "e\u{301}\u{302}\u{303}"),
    ("joined signs", "\u{1F468}\u{200d}\u{1F469}\u{200d}"),
    ("long compounds", "Donaudampfschifffahrtsgesellschaftskapitän"),
    ("compounds", "<html lang=de>Donaudampfschiff#fahrt "),
    ("addresses in text", "http://example.com/a/#?c=d "),
    ("digits", "1234567890.,"),
    ("hyphens", "word-"),
    ("apostrophes", "l'"),
    ("short sentences", ". \"A\" "),
    ("links", "<a href=\"/#\">link #</a> "),
    ("items of a list", "<li><a href=#>word</a><span>#</span>"),
    ("images", "<img src=#.png alt=\"word #\">"),
    ("descriptions", "<meta property=og:image content=#>"),
    ("structured data", "<script type=application/ld+json>{\"@type\":\"Article\",\"description\":\"#\"}</script>"),
    ("line ends", "\n"),
    ("links through a manual in tables in tables", "<table><tr><td><a href=#>next</a> <a href=#>up</a>"),
    ("shadows in shadows", "<x-a><template shadowrootmode=open>word "),
    ("numbers of lines", "<pre><b class=ln></b> aaaaaaaa\n"),
    ("details without words", "<summary>#</summary>"),
    ("notes with many titles", "<p class=admonition-title>Note #</p>"),
];

fn page(unit: &str) -> String {
    let mut html = "<!DOCTYPE html><title>t</title>".to_owned();
    for number in 0.. {
        if html.len() > BYTES {
            break;
        }
        html += &unit.replace('#', &number.to_string());
    }
    html
}

/// Pages that are no unit over and over.
fn other_pages() -> [(&'static str, String); 26] {
    let attributes: Vec<String> = (0..20_000).map(|number| format!("a{number}={number}")).collect();
    let signs: String = (0..BYTES / 3).filter_map(|at| char::from_u32(0x4e00 + (at * 7919 % 20_000) as u32)).collect();
    let note = |n: usize| format!("<p>x<sup id=r{n}><a href=#n{n}>1</a></sup><p id=n{n}><a href=#r{n}>1</a>");
    let words: Vec<String> = (0..BYTES / 8).map(|word| format!("{:x}", word.wrapping_mul(0x9e37_79b9))).collect();
    [
        ("attributes", format!("<p {}>x", attributes.join(" "))),
        ("references in structured data", structured(&"&".repeat(BYTES))),
        ("tags without an end in structured data", structured(&"<a".repeat(BYTES / 2))),
        ("links to the heading that they are in", format!("<h2>{}", "<a href=\"#a\">#a</a>".repeat(BYTES / 20))),
        ("code in a figure", format!("<figure>{}", "<pre>x</pre>".repeat(BYTES / 12))),
        ("JSON in JSON", format!("<script type=application/ld+json>{}</script>", "[".repeat(BYTES))),
        ("deep blocks", format!("{}x {}", "<div>".repeat(500), "</div>".repeat(500)).repeat(40)),
        ("notes", (0..BYTES / 60).map(note).collect()),
        ("signs at random", signs),
        ("words at random", words.join(" ")),
        // One pass for each heading took a minute of 100,000 of these.
        ("very many headings", "<h2>a</h2>".repeat(60_000)),
        (
            "a word in two long links, with signs that nobody sees",
            format!("<a href=x>{}</a><a href=x>{}word</a>", "a".repeat(BYTES / 2), "<i>&shy;</i>".repeat(BYTES / 24)),
        ),
        (
            "very many images of the topic",
            format!("<title>mill</title><p>mill</p>{}", "<p><img src=a alt=mill></p>".repeat(60_000)),
        ),
        (
            "a long caption of very many images",
            format!("<figure><figcaption>{}</figcaption>{}", "word ".repeat(20_000), "<img src=a>".repeat(10_000)),
        ),
        ("formatting that is closed in the elements in it", "<b><i><div></b>".repeat(40_000)),
        ("one wide row and very many short ones", table(&"<td>h".repeat(8000), &"<tr><td>c".repeat(8000))),
        ("a cell that spans", table("<th>a<th>b", &format!("<tr><td colspan=1000>{}", "word ".repeat(20_000)))),
        ("one cell that spans in each of very many tables", table("<td>a<td>b", "<tr><td colspan=1000>c").repeat(2000)),
        (
            "scripts and cells of a row",
            table("", &format!("<tr>{}{}", "<script></script>".repeat(20_000), "<td>c".repeat(20_000))),
        ),
        (
            "a long class around entries",
            format!("<ul class='{}'>{}", "c ".repeat(50_000), "<li>An entry".repeat(10_000)),
        ),
        (
            "a long class around code",
            format!("<div class='{}'>{}", "c ".repeat(50_000), "<p>So:</p><pre>x</pre>".repeat(10_000)),
        ),
        ("one long name of a formula", format!("<p>so <math><mi>-{}", "a".repeat(BYTES))),
        (
            "references to a long heading",
            format!("<p>{}<h2 id=fn1>{}</h2><p>note", references(), "word ".repeat(100_000)),
        ),
        (
            "references to a long link",
            format!("<p>{}<p id=fn1><a href=#r>{}</a>", references(), "word ".repeat(100_000)),
        ),
        (
            "a long address around paragraphs",
            format!("<a href=/{}>{}", "x".repeat(20_000), "<p>Some words.</p>".repeat(2000)),
        ),
        (
            "a long base",
            format!("<base href=http://e.org/{}/>{}", "x".repeat(40_000), "<p><a href=x>Some words.</a>".repeat(4000)),
        ),
    ]
}

fn table(first: &str, others: &str) -> String {
    format!("<table><tr>{first}</tr>{others}</table>")
}

fn references() -> String {
    "text <sup><a href=#fn1 id=r>1</a></sup> ".repeat(10_000)
}

fn structured(text: &str) -> String {
    format!("<script type=application/ld+json>{{\"@type\":\"Article\",\"articleBody\":\"{text}\"}}</script><p>A word")
}

fn lines(pages: &[(&str, String)]) -> String {
    let mut lines = String::new();
    for (number, (_, html)) in pages.iter().enumerate() {
        let line = serde_json::json!({ "url": format!("http://worst.example/{number}"), "html": html });
        writeln!(lines, "{line}").unwrap();
    }
    lines
}

fn ingested(pages: &[(&str, String)], limits: Limits) -> (DataFolder, IngestReport, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pages.ndjson");
    fs::write(&path, lines(pages)).unwrap();
    let collection = DataFolder::open_to_write(&folder.path().join("data"), ExtractParams::default()).unwrap();
    let options = IngestOptions { limits, threads: 2, ..IngestOptions::default() };
    let report = ingest(&collection, &[path], &options, &mut Silent).unwrap();
    (collection, report, folder)
}

fn all_pages() -> Vec<(&'static str, String)> {
    let units = UNITS.map(|(name, unit)| (name, page(unit)));
    units.into_iter().chain(other_pages()).collect()
}

#[test]
fn no_page_takes_long_to_extract() {
    for (name, html) in all_pages() {
        let started = Instant::now();
        let content = lopper_content::extract(&html, &ExtractOptions::default());
        let written = content.markdown().len().max(content.html().len()).max(content.text().len());
        assert!(started.elapsed() < PAGE_DURATION, "{:?} for {name}", started.elapsed());
        assert!(written <= html.len() * WRITTEN_RATIO_MAX, "{written} bytes are written of {} for {name}", html.len());
    }
}

#[test]
fn no_page_holds_up_the_run() {
    let pages = all_pages();
    let limits = Limits::default();
    let started = Instant::now();
    let (_collection, report, _folder) = ingested(&pages, limits);
    assert_eq!((report.records.records(), report.records.failed), (pages.len() as u64, 0), "{:?}", report.messages);
    assert!(started.elapsed() < PAGE_DURATION * 10, "{:?} for {} pages", started.elapsed(), pages.len());
}

#[test]
fn a_page_of_more_terms_than_text_has_fails_alone() {
    let words = |count: usize| (0..count).map(|word| format!("word{word}")).collect::<Vec<_>>().join(" ");
    let pages = [("few", words(40)), ("many", words(60)), ("few more", words(30))];
    let (collection, report, _folder) = ingested(&pages, Limits { terms_max: 50, ..Limits::default() });
    assert_eq!((report.records.indexed, report.records.failed), (2, 1), "{report:?}");
    let archive = collection.store().archives().next().unwrap().unwrap();
    let failed = collection.store().records(&archive, Some(StateKind::Failed)).next().unwrap().unwrap();
    let RecordState::Failed { code, message } = &failed.state else { panic!("{failed:?}") };
    assert_eq!((&code[..], failed.ordinal), ("too_many_terms", 1));
    assert!(message.contains("worst.example/1") && message.contains("more than 50"), "{message}");
}
